"""The words of a game reach a reader in their language through every door: state, verdicts, refusals."""

import struct
from pathlib import Path

import pytest
from django.test import Client

from games import listing, selectors, translation
from games.realtime.threads import in_thread
from tests.games.realtime.conftest import dial, let_go

__all__ = ["dial", "let_go"]

GERMAN = {
    "": "Content-Type: text/plain; charset=UTF-8\n",
    "You do not hold {number}.": "Du hast keine {number}.",
    "Choose a card.": "Wähle eine Karte.",
    "Choose {number}": "{number} wählen",
    "Highest card": "Höchste Karte",
    "nine": "neun",
    "6": "sechs",
    "Throws": "Würfe",
}

pytestmark = pytest.mark.django_db(transaction=True)


def catalogue(texts: dict[str, str]) -> bytes:
    """``texts`` as gettext keeps them (a .mo file)."""
    pairs = [(key.encode(), text.encode()) for key, text in sorted(texts.items())]
    count, head = len(pairs), 28
    at = head + 16 * count
    tables, words = [b"", b""], b""
    for side in range(2):
        for pair in pairs:
            tables[side] += struct.pack("<2I", len(pair[side]), at + len(words))
            words += pair[side] + b"\0"
    first, second = head, head + 8 * count
    return struct.pack("<7I", 0x950412DE, 0, count, first, second, 0, 0) + b"".join(tables) + words


@pytest.fixture
def german(tmp_path: Path, monkeypatch, settings):
    """A site in German, for which "tiny" has brought its catalogue."""
    folder = tmp_path / "tiny/locale/de/LC_MESSAGES"
    folder.mkdir(parents=True)
    (folder / "game.mo").write_bytes(catalogue(GERMAN))
    monkeypatch.setattr(translation, "LIBRARY", tmp_path)
    translation._catalogue.cache_clear()
    settings.LANGUAGE_CODE = "de-at"
    yield
    translation._catalogue.cache_clear()


@pytest.fixture
def game(play):
    return play("Ada", "Bob", options={"high": 6})


def not_held(game):
    return next(card for card in range(1, 7) if card not in game.hand("Ada"))


def test_the_state_is_in_the_language_of_the_site(german, game):
    payload = selectors.table_payload(game.table, game.people["Ada"])
    assert payload["moves"]["prompt"]["text"] == "Wähle eine Karte."
    words = [(option["title"], option["label"]) for option in payload["options"]]
    assert words[0] == ("Höchste Karte", "sechs")
    (row,) = listing.my_tables(game.people["Ada"])
    assert (row.waiting_for, row.option_words[0]) == ("Wähle eine Karte", "höchste Karte: sechs")


def test_verdict_and_refusal_over_http_too(german, game):
    client, missing = Client(), not_held(game)
    client.force_login(game.people["Ada"])
    check, act = (f"/tables/{game.id}/{name}" for name in ("check", "act"))
    order = {"key": "k", "ply": 0, "action": {"type": "choose", "card": game.hand("Ada")[0]}}
    label = client.post(check, order, "application/json").json()["label"]
    assert label["text"] == "{number} wählen"
    order["action"] = {"type": "choose", "card": missing}
    refused = client.post(act, order, "application/json").json()
    assert (refused["code"], refused["reason"]) == ("not_held", f"Du hast keine {missing}.")
    assert refused["msg"] == {"text": "Du hast keine {number}.", "params": {"number": missing}}


async def test_and_over_the_socket(german, game, dial):
    socket = await dial(game, game.people["Ada"])
    card, missing = (await in_thread(game.hand, "Ada"))[0], await in_thread(not_held, game)
    await socket.send(do="check", ply=0, action={"type": "choose", "card": card})
    assert (await socket.next("checked"))["label"]["text"] == "{number} wählen"
    await socket.send(do="act", key="k", ply=0, action={"type": "choose", "card": missing})
    assert (await socket.next("refused"))["reason"] == f"Du hast keine {missing}."


def test_where_a_game_brought_no_words_the_english_stays(german, game):
    client = Client()
    client.force_login(game.people["Ada"])
    order = {"key": "k", "ply": 0, "action": {"type": "done"}}
    refused = client.post(f"/tables/{game.id}/act", order, "application/json").json()
    assert refused["reason"] == refused["msg"]["text"] != ""
    assert translation.translated({"text": "Choose a card.", "params": {}}, "hearts") == {
        "text": "Choose a card.",
        "params": {},
    }
