"""The words of a game reach a reader in their language through every door: state, verdicts, refusals."""

import json
from pathlib import Path

import pytest
from django.test import Client

from games import listing, selectors, translation
from games.realtime.threads import in_thread
from portal.templatetags.parlour import said
from tests.games.realtime.conftest import dial, let_go

__all__ = ["dial", "let_go"]

GERMAN = {
    "Higher": "",  # not translated yet
    "You do not hold {number}.": "Du hast keine {number}.",
    "Choose a card.": "Wähle eine Karte.",
    "Choose {number}": "{number} wählen",
    "Highest card": "Höchste Karte",
    "nine": "neun",
    "6": "sechs",
    "Throws": "Würfe",
}

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def german(tmp_path: Path, monkeypatch, settings):
    """A site in German, for which "tiny" has brought its catalogue."""
    folder = tmp_path / "tiny/locale"
    folder.mkdir(parents=True)
    (folder / "de.json").write_text(json.dumps(GERMAN))
    monkeypatch.setattr(translation, "LIBRARY", tmp_path)
    settings.LANGUAGE_CODE = "de-at"


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
    assert (row.waiting_for, row.option_words[0]) == ("Wähle eine Karte", "Höchste Karte: sechs")


def test_pages_say_in_which_language_a_text_of_the_game_is(german, game):
    client = Client()
    client.force_login(game.people["Ada"])
    text = client.get("/tables/").content.decode()
    assert '<span class="waiting" lang="de">Wähle eine Karte</span>' in text
    payload = {"seats": [], "you": None, "language": "de"}
    assert said({"text": "Wähle.", "params": {}}, payload) == '<span lang="de">Wähle.</span>'
    assert said({"text": "Choose.", "params": {}, "lang": "en"}, payload) == "Choose."
    assert (
        ' lang="de">Höchste Karte</label>' in client.get("/tables/new/?game=tiny").content.decode()
    )


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


HALF = {"text": "Take {colour}", "params": {"colour": {"text": "mauve", "params": {}}}}


@pytest.mark.parametrize(
    ("said", "told"),
    [
        (HALF, HALF | {"lang": "en"}),
        (
            {"text": "Take {colour}", "params": {"colour": {"text": "red", "params": {}}}},
            {"text": "{colour} nehmen", "params": {"colour": {"text": "Rot", "params": {}}}},
        ),
        (
            {
                "text": "{count} × {colour}",
                "params": {"count": 2, "colour": {"text": "red", "params": {}}},
            },
            {
                "text": "{count} × {colour}",
                "params": {"count": 2, "colour": {"text": "Rot", "params": {}}},
            },
        ),
        (
            {"text": "Take {colour}", "you": "You take {colour}", "params": {"colour": "red"}},
            {
                "text": "Take {colour}",
                "you": "You take {colour}",
                "params": {"colour": "red"},
                "lang": "en",
            },
        ),
    ],
)
def test_a_sentence_is_told_wholly_in_one_language(tmp_path, monkeypatch, said, told):
    folder = tmp_path / "paints/locale"
    folder.mkdir(parents=True)
    (folder / "de.json").write_text(json.dumps({"Take {colour}": "{colour} nehmen", "red": "Rot"}))
    monkeypatch.setattr(translation, "LIBRARY", tmp_path)
    with translation.reading(translation.Reader(lambda: ["de"])):
        assert translation.translated({"lines": [said]}, "paints") == {"lines": [told]}


# -- each reader in their language ------------------------------------------------------------

AUSTRIAN = "de-AT, en;q=0.8"


@pytest.fixture
def catalogues(tmp_path: Path, monkeypatch):
    """A site in English, for which "tiny" has brought German."""
    folder = tmp_path / "tiny/locale"
    folder.mkdir(parents=True)
    (folder / "de.json").write_text(json.dumps(GERMAN))
    monkeypatch.setattr(translation, "LIBRARY", tmp_path)


def reader_of(game, name: str, reads: str = "") -> Client:
    client = Client(headers={"Accept-Language": AUSTRIAN})
    person = game.people[name]
    person.reads = reads
    person.save()
    client.force_login(person)
    return client


def prompt_for(client: Client, game) -> str:
    return client.get(f"/tables/{game.id}/state").json()["moves"]["prompt"]["text"]


@pytest.mark.parametrize(
    ("reads", "prompt", "language"),
    [
        ("", "Choose a card.", "en"),
        ("de", "Wähle eine Karte.", "de"),
        ("de-at", "Wähle eine Karte.", "de"),
        ("en", "Choose a card.", "en"),
        ("fr", "Choose a card.", "en"),
    ],
)
def test_the_account_says_the_language_and_no_browser(catalogues, game, reads, prompt, language):
    answer = reader_of(game, "Ada", reads).get(f"/tables/{game.id}/state").json()
    assert (answer["moves"]["prompt"]["text"], answer["language"]) == (prompt, language)


def test_the_language_is_chosen_among_the_preferences(catalogues, game):
    client = reader_of(game, "Ada")
    assert 'value="de"' in client.get("/preferences/").content.decode()
    assert client.post("/preferences/", {"theme": "auto", "reads": "xx"}).status_code == 200
    assert prompt_for(client, game) == "Choose a card."
    assert client.post("/preferences/", {"theme": "auto", "reads": "de"}).status_code == 302
    assert prompt_for(client, game) == "Wähle eine Karte."
    assert prompt_for(reader_of(game, "Bob"), game) == "Choose a card."


def test_pages_made_by_the_server_speak_it_too(catalogues, game):
    client = reader_of(game, "Ada", "de")
    form = client.get("/tables/new/?game=tiny").content.decode()
    assert "Höchste Karte" in form
    assert "Open the table" in form  # the site's own words are English
    assert "Wähle eine Karte" in client.get("/").content.decode()
    here = client.get(f"/tables/{game.id}/").content.decode()
    assert 'data-language="de"' in here


async def test_each_socket_has_its_reader(catalogues, game, dial, monkeypatch):
    """Also what the socket sends by itself, when others have moved."""
    game.people["Ada"].reads = "de"
    await in_thread(game.people["Ada"].save)
    socket = await dial(game, game.people["Ada"])
    await socket.send(do="sync")
    assert (await socket.next("state"))["moves"]["prompt"]["text"] == "Wähle eine Karte."
    await in_thread(game.choose, "Bob")
    state = await socket.next("state")
    assert (state["language"], state["moves"]["prompt"]["text"]) == ("de", "Wähle eine Karte.")
    other = await dial(game, game.people["Bob"])
    await other.send(do="sync")
    assert (await other.next("state"))["language"] == "en"


def test_views_hold_texts_too(game, monkeypatch):
    """Nibble's threats and the names of its colours."""
    german = translation.Reader(lambda: ["de"])
    view = {"colours": [{"id": 1, "name": {"text": "green", "params": {}}}], "text": "green"}
    with translation.reading(german):
        found = translation.translated(view, "nibble")
    assert found["colours"][0]["name"]["text"] == "Grün"
    assert found["text"] == "green"  # no text of the engine's: it has no parameters
    assert translation.translated(view, "nibble") == view


def test_a_broken_catalogue_is_left_out(catalogues, tmp_path, caplog):
    (tmp_path / "tiny/locale/fr.json").write_text("{")
    with translation.reading(translation.Reader(lambda: ["fr"])):
        assert translation.translated_text("Choose a card.", "tiny") == "Choose a card."
    assert "catalogue left out: game=tiny language=fr" in caplog.text
