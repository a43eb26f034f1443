"""The games' own help texts: read with their head, loaded once, told when they cannot be."""

import pytest
from django.core.management import CommandError, call_command

from games.engine import all_games
from portal import help as portal_help
from portal.help import BadFrontMatter, read_front_matter, readable_help, shipped_help
from wiki.models import Page

HEAD = (
    "---\ntitle: Hearts\naliases: Gamehelphearts, The Dirty\nlanguage: en\n---\n\nLose: points.\n"
)


@pytest.fixture
def library(tmp_path, monkeypatch):
    """A library whose Hearts folder holds what a test writes."""
    (tmp_path / "hearts").mkdir()
    monkeypatch.setattr(portal_help, "LIBRARY", tmp_path)
    shipped_help.cache_clear()
    readable_help.cache_clear()
    yield tmp_path / "hearts" / "help.md"
    shipped_help.cache_clear()
    readable_help.cache_clear()


def test_the_head_is_read_apart_from_the_text(library):
    library.write_text(HEAD)
    found = shipped_help("hearts")
    assert found.title == "Hearts"
    assert found.aliases == ["Gamehelphearts", "The Dirty"]
    assert found.text == "Lose: points.\n"
    assert found.tagline == ""


@pytest.mark.parametrize("slug", list(all_games()))
def test_every_game_says_what_it_is_and_how_its_page_came(slug):
    found = shipped_help(slug)
    assert found.tagline
    assert found.summary


def test_a_text_without_head_is_all_text(library):
    library.write_text("Just text.\n")
    assert read_front_matter(library) == ({}, "Just text.\n")
    assert shipped_help("hearts").title == "Hearts"


@pytest.mark.parametrize(
    ("text", "words"),
    [("---\ntitle: Hearts\nno colon\n---\n", "line 3"), ("---\ntitle: Hearts\n", "no end")],
)
@pytest.mark.django_db
def test_a_broken_head_is_told_and_loads_nothing(library, text, words):
    library.write_text(text)
    with pytest.raises(BadFrontMatter, match=words):
        shipped_help("hearts")
    with pytest.raises(CommandError, match=f"hearts is not loaded: .*{words}"):
        call_command("load_help", verbosity=0)
    assert not Page.objects.exists()


@pytest.mark.django_db
def test_every_game_that_is_shipped_has_a_help_page():
    call_command("load_help", verbosity=0)
    assert set(Page.objects.values_list("game", flat=True)) >= {"hearts", "nibble"}
