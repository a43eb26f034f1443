"""Shortcodes that games bring as data: read, drawn, refused in words."""

import json
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.engine import all_games
from games.finders import LibraryFinder
from portal import shortcodes as brought
from wiki.markup import render, renderer_version, shortcodes
from wiki.markup.links import resolve
from wiki.models import Revision

DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"/>'
COIN = {
    "says": "A coin.",
    "arguments": ["value"],
    "looks": {"1": {"picture": "coin-1", "text": "coin: one"}},
}
FIRST = {"whiteDie": [str(n) for n in range(1, 7)]} | {
    f"Pentaquest {name}": [""]
    for name in ("add", "sub", "addsub", "reroll", "mirror", "sun", "moon")
}


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortcodes, "_registry", dict(shortcodes._registry))


def folder(library: Path, entries: object, drawing: str = DRAWING) -> Path:
    (library / "coins/shortcodes").mkdir(parents=True, exist_ok=True)
    (library / "coins/shortcodes/coin-1.svg").write_text(drawing)
    said = entries if isinstance(entries, str) else json.dumps(entries)
    (library / "coins/shortcodes.json").write_text(said)
    return library


def shown(text: str) -> str:
    return resolve(render(text).html)


@pytest.mark.parametrize(
    ("name", "said"), [(name, said) for name, looks in FIRST.items() for said in looks]
)
def test_each_sign_of_pentaquest_has_a_picture_and_words(name: str, said: str) -> None:
    known = next(one for one in shortcodes.known() if one.name == name)
    symbol = known.symbols[said]
    text = f"{{{{{name}{'|' if said else ''}{said}}}}}"
    assert f'alt="{symbol.text}"' in shown(text)
    path = finders.find(symbol.path)
    assert path is not None
    assert "<script" not in Path(path).read_text()


def test_names_are_matched_as_other_wikis_do() -> None:
    assert shown("{{pentaquest_sun}}") == shown("{{Pentaquest sun}}")
    assert "in-unknown" in shown("{{whiteDie|7}} {{whiteDie}} {{Pentaquest sun|1}}")


def test_kept_rendering_holds_words_and_no_address() -> None:
    made = render("## Roll {{whiteDie|6}}\n\n![Roll {{whiteDie|6}}](file:A.png)")
    assert 'data-symbol="whiteDie|6">die: six</span>' in made.html
    assert "/static/" not in made.html
    assert made.toc[0][2] == "Roll die: six"


@pytest.mark.parametrize(
    "forged",
    [
        '<span class="in-symbol" data-symbol="whiteDie|9">x</span>',
        '<span class="in-symbol" data-symbol="../../evil">x</span>',
        '<span class="in-symbol" data-symbol="card|QS">x</span>',
    ],
)
def test_forged_signs_show_nothing_of_theirs(forged: str) -> None:
    assert "<img" not in shown(forged)


def test_forged_sign_shows_the_picture_s_own_words() -> None:
    made = shown('<span class="in-symbol" data-symbol="whiteDie|1">six</span>')
    assert 'alt="die: one"' in made


def test_game_brings_a_shortcode_as_data(tmp_path: Path, registry: None) -> None:
    assert "in-unknown" in shown("{{coin|1}}")
    before = renderer_version()
    brought.register(folder(tmp_path, {"coin": COIN}))
    assert 'alt="coin: one"' in shown("{{coin|1}}")
    assert "in-unknown" in shown("{{coin|2}}")
    known = next(one for one in shortcodes.known() if one.name == "coin")
    assert (known.name, known.game, known.arguments) == ("coin", "coins", ("value",))
    assert known.written == ["{{coin|1}}"]
    assert renderer_version() != before


@pytest.mark.parametrize(
    ("entry", "drawing"),
    [
        (COIN | {"arguments": ["worth"]}, DRAWING),
        (COIN | {"looks": {"1": {"picture": "coin-1", "text": "a coin"}}}, DRAWING),
        (COIN | {"looks": {"2": COIN["looks"]["1"]}}, DRAWING),
        (COIN, DRAWING + "\n"),
    ],
)
def test_change_of_arguments_words_or_drawing_renders_anew(
    tmp_path: Path, registry: None, monkeypatch: pytest.MonkeyPatch, entry: dict, drawing: str
) -> None:
    plain = dict(shortcodes._registry)
    brought.register(folder(tmp_path, {"coin": COIN}))
    before = renderer_version()
    monkeypatch.setattr(shortcodes, "_registry", plain)
    brought.register(folder(tmp_path, {"coin": entry}, drawing))
    assert renderer_version() != before


@pytest.mark.parametrize(
    ("entries", "words"),
    [
        ("{", "coins/shortcodes.json"),
        ({"coin": {"says": "A coin."}}, "looks"),
        ({"coin": COIN | {"style": "red"}}, "style"),
        ({"coin": COIN | {"looks": {}}}, "it has no look"),
        ({"coin": COIN | {"arguments": []}}, "'1' does not fit its arguments"),
        ({"coin": COIN | {"looks": {"1": {"picture": "coin-1", "text": " "}}}}, "no text"),
        ({"coin": COIN | {"looks": {"1": {"picture": "gone", "text": "x"}}}}, "no picture"),
        ({"coin": COIN | {"looks": {"1": {"picture": "../x", "text": "x"}}}}, "no picture"),
        ({"coin": COIN, "Card": COIN}, "registered already"),
        ({"coin": COIN, "Coin": COIN}, "registered already"),
    ],
)
def test_broken_file_says_where_and_why(
    tmp_path: Path, registry: None, entries: object, words: str
) -> None:
    before = dict(shortcodes._registry)
    library = folder(tmp_path, entries)
    with pytest.raises(brought.BadShortcodes, match=words):
        brought.register_file(library / "coins" / brought.FILE)
    assert shortcodes._registry == before


def test_folder_without_rules_is_no_game() -> None:
    assert "pentaquest" not in all_games()
    finder = LibraryFinder()
    assert finder.find("games/pentaquest/shortcodes/sun.svg") is not None
    for name in ("shortcodes.json", "shortcodes/../shortcodes.json", "shortcodes/sun.py"):
        assert finder.find(f"games/pentaquest/{name}") is None


@pytest.mark.django_db
def test_page_shows_every_shortcode_and_how_to_write_it(client: Client) -> None:
    html = client.get("/wiki/reports/known-shortcodes/").content.decode()
    for one in shortcodes.known():
        for written in one.written:
            assert f"<code>{written}</code>" in html
        assert one.says
    assert 'alt="die: six"' in html
    assert '<span class="in-card" data-suit="S">' in html
    assert Revision.objects.count() == 0
