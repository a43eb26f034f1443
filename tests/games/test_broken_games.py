"""A folder of the library that cannot be read harms only itself: the pages, the other games, the check."""

import importlib
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.checks import run_checks
from django.test import Client

from games import listing, services
from games.engine import all_games, broken_games
from games.engine.registry import read_library
from games.services import enforce
from portal.checks import TAG

RULES = {
    "faulty": "def rules(:\n",
    "raising": "raise RuntimeError('no such deck')\n",
    "nameless": "from games.engine import Game\n",
    "unfinished": (
        "from games.engine import Game\n\n\nclass Unfinished(Game):\n    slug = 'unfinished'\n"
    ),
}
SAID = "The rules of this game cannot be read just now."


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The library, with broken folders besides."""
    for slug, text in RULES.items():
        (tmp_path / slug).mkdir()
        (tmp_path / slug / "__init__.py").touch()
        (tmp_path / slug / "rules.py").write_text(text)
    package = importlib.import_module("games.library")
    monkeypatch.setattr(package, "__path__", [*package.__path__, str(tmp_path)])
    read_library.cache_clear()
    yield tmp_path
    read_library.cache_clear()
    for name in [
        name for name in sys.modules if name.split(".")[2:3] and name.split(".")[2] in RULES
    ]:
        del sys.modules[name]


def test_every_folder_of_ours_can_be_read() -> None:
    """What a site passes over with a line in its log is a fault here."""
    assert broken_games() == {}
    assert run_checks(tags=[TAG]) == []


@pytest.mark.django_db
def test_broken_folders_are_left_out_and_told_of(
    library: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        assert "hearts" in all_games()
        all_games()
    assert set(broken_games()) == set(RULES)
    assert not set(RULES) & set(all_games())
    lines = [record for record in caplog.records if "left out" in record.getMessage()]
    assert len(lines) == len(RULES)  # once each
    assert all(line.levelno == logging.ERROR and line.exc_info for line in lines)
    told = [(warning.id, warning.msg) for warning in run_checks(tags=[TAG])]
    assert [code for code, _ in told] == ["library.W001"] * len(RULES)
    assert any("faulty" in words and "SyntaxError" in words for _, words in told)

    client = Client()
    for address in ("/", "/games/", "/tables/new/", "/open-tables/", "/tables/new/?game=hearts"):
        page = client.get(address)
        assert page.status_code == 200, address
        assert "Hearts" in page.content.decode() or address == "/open-tables/"
    refused = client.get("/tables/new/?game=faulty", HTTP_ACCEPT="application/json")
    assert refused.status_code == 404
    assert refused.json()["code"] == "unknown_game"
    assert refused.json()["reason"] == "The rules of faulty cannot be read just now."


@pytest.fixture
def lost(play, person):
    """A table that goes on and one that is open, whose game breaks; ``back`` mends it."""
    game = play("Ada", "Bob")
    waiting = services.open_table(player=person("Cy"), game="tiny", seats=["open"])
    rules = all_games().pop("tiny")
    broken_games()["tiny"] = SyntaxError("invalid syntax")

    def back() -> None:
        all_games()["tiny"] = rules
        broken_games().pop("tiny", None)

    game.waiting, game.back = waiting, back
    yield game
    back()


@pytest.mark.django_db
def test_tables_of_a_broken_game_stand_still_and_say_so(lost, time) -> None:
    client = Client()
    client.force_login(lost.people["Ada"])
    here = f"/tables/{lost.id}"
    for address in ("/", "/tables/", "/games/", "/open-tables/", "/people/Ada/", here + "/"):
        assert client.get(address).status_code == 200, address
    assert SAID in client.get(here + "/?plain").content.decode()
    state = client.get(here + "/state").json()
    assert state["stopped"]["text"].startswith(SAID)
    assert (state["name"], state["view"], state["moves"]) == ("Tiny", None, None)
    assert state["options"] == []
    assert state["log"]  # what happened stays
    order = {"key": "k", "ply": 0, "action": {"type": "choose", "card": 1}}
    refused = client.post(here + "/act", order, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "rules_away")
    assert client.get(here + "/past/0").json()["code"] == "rules_away"
    assert client.post(here + "/note", {"text": "Mine."}, "application/json").status_code == 200
    assert listing.waiting_count(lost.people["Ada"]) == 0
    assert [row.name for row in listing.my_tables(lost.people["Ada"])] == ["Tiny"]

    time.move(days=30)
    assert enforce(table_id=lost.id) == 0  # nobody's time runs out meanwhile
    assert lost.table.stopped_at is not None
    lost.back()
    assert enforce(table_id=lost.id) >= 1
    state = client.get(here + "/state").json()
    assert state["stopped"] is None
    assert state["options"]
    lost.choose("Ada")


@pytest.mark.django_db
def test_open_tables_of_a_broken_game_are_offered_to_nobody(lost) -> None:
    client = Client()
    client.force_login(lost.people["Bob"])
    here = lost.waiting.get_absolute_url()
    page = client.get(here)
    assert page.status_code == 200
    assert SAID in page.content.decode()
    assert "Sit down" not in page.content.decode()
    assert listing.open_tables(lost.people["Bob"]) == []
    refused = client.post(here + "join/", HTTP_ACCEPT="application/json")
    assert refused.json()["code"] in ("unknown_game", "rules_away")
    assert not lost.waiting.seats.filter(user=lost.people["Bob"]).exists()
    client.force_login(lost.waiting.host)
    assert client.post(here + "leave/").status_code == 302
