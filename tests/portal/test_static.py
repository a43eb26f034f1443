"""Static files: what games show is served, what they are made of is not."""

import json
import re

import pytest
from django.contrib.staticfiles import finders
from django.core.management import call_command

from games.engine import all_games
from games.finders import SERVED, SYMBOL, LibraryFinder, has_file
from portal.storage import StaticStorage


@pytest.mark.parametrize("name", ["board.css", "cover.svg", "board.js"])
def test_what_a_game_shows_is_found(name):
    assert finders.find(f"games/hearts/{name}").endswith(f"library/hearts/{name}")


@pytest.mark.parametrize(
    "path",
    [
        "games/hearts/rules.py",
        "games/hearts/help.md",
        "games/hearts/__init__.py",
        "games/../library/hearts/cover.svg",
        "games/../../manage.py",
        "games/hearts/playthroughs/cover.svg",
        "games/nosuchgame/cover.svg",
        "hearts/cover.svg",
    ],
)
def test_nothing_else_is_found(path):
    finder = LibraryFinder()
    assert finder.find(path) is None
    assert finder.find(path, find_all=True) == []


def test_the_list_holds_no_python():
    names = [name for name, _ in LibraryFinder().list([])]
    assert "hearts/cover.svg" in names
    own = {name.partition("/")[2] for name in names}
    assert {name for name in own if not SYMBOL.fullmatch(name)} <= set(SERVED)


@pytest.fixture(scope="module")
def collected(tmp_path_factory):
    """The static files as a site serves them: collected under hashed names."""
    from django.test import override_settings

    root = tmp_path_factory.mktemp("static")
    storages = {
        "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
        "staticfiles": {"BACKEND": "portal.storage.StaticStorage"},
    }
    with override_settings(STATIC_ROOT=str(root), STORAGES=storages):
        call_command("collectstatic", interactive=False, verbosity=0)
    return root


def test_collecting_finds_every_file_that_is_referred_to(collected):
    paths = json.loads((collected / "staticfiles.json").read_text())["paths"]
    for name in ("portal/base.css", "games/table.css", "games/hearts/board.js", "wiki/wiki.css"):
        assert (collected / paths[name]).is_file()


@pytest.mark.parametrize("slug", [slug for slug in all_games() if has_file(slug, "board.js")])
def test_a_board_imports_the_hashed_kit(collected, slug):
    paths = json.loads((collected / "staticfiles.json").read_text())["paths"]
    board = (collected / paths[f"games/{slug}/board.js"]).read_text()
    code = re.findall(r'^(?:import|export)\b[^"]*"(\.[^"]+)"', board, re.MULTILINE)
    assert code, "the board imports nothing"
    folder = (collected / paths[f"games/{slug}/board.js"]).parent
    for name in code:
        assert re.search(r"\.[0-9a-f]{12}\.js$", name), name
        assert (folder / name).resolve().is_file(), name


def test_a_file_of_a_game_that_names_what_is_not_there_stops_nothing_else(
    settings, tmp_path, caplog
):
    settings.STATIC_ROOT = str(tmp_path)
    storage = StaticStorage()
    wrong = re.compile(r"(?P<matched>import [\"'](?P<url>[^\"']+)[\"'])").search(
        'import "../kit/nothing.js"'
    )
    template = 'import "%(url)s"'
    converted = storage.url_converter("games/hearts/board.js", {}, template)(wrong)
    assert converted == 'import "../kit/nothing.js"'
    assert "games/hearts/board.js" in caplog.text
    with pytest.raises(ValueError, match=r"nothing\.js"):
        storage.url_converter("games/table.js", {}, template)(wrong)
