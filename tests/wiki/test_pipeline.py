"""The whole way of a text to a page, from wikitext to what is shown: nothing active survives any of it."""

import re
from io import BytesIO

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PIL import Image

from portal.models import User
from tests.wiki.active import ATTACKS, WORDS, Checked
from wiki.interchange.wikitext import convert
from wiki.markup import AS_WRITTEN, render
from wiki.markup.links import resolve
from wiki.models import FileVersion, Page
from wiki.services import Draft, Upload, edit_page, upload_file

SHOWN = frozenset({"srcset"})
WIKITEXT = [
    *("''", "'''", "== ", " ==", "{|", "|}", "|-", "!", "||", "<nowiki>", "</nowiki>", "<pre>"),
    *(
        "<ref>",
        "</ref>",
        "<br>",
        "[[File:",
        "[[Fichier:Board.png|",
        "|thumb|",
        "]]",
        "[http://a.b ",
        "]",
    ),
    *("{{", "}}", "#REDIRECT [[", "[[Category:", "----", "::~", "__TOC__", "<includeonly>"),
]
pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(bob: User) -> None:
    """A page whose title is an attack, and a picture whose words are one."""
    hostile = 'A "onmouseover=alert(1) <img src=x onerror=alert(1)>'
    edit_page(
        slug="a-onmouseover-alert-1-img-src-x-onerror-alert-1",
        title=hostile,
        author=bob,
        draft=Draft("Words."),
    )
    data = BytesIO()
    Image.new("RGB", (40, 30)).save(data, "PNG")
    said = {
        "description": "A board.",
        "licence": FileVersion.Licence.OWN,
        "source": hostile,
        "comment": hostile,
    }
    upload_file(author=bob, upload=Upload(name="Board.png", data=data.getvalue(), **said))
    assert Page.objects.count() == 2


def shown(text: str) -> str:
    made = render(text)
    assert AS_WRITTEN not in made.warnings
    Checked(made.html)
    page = resolve(made.html)
    Checked(page, also=SHOWN)
    return page


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(st.lists(st.sampled_from([*WORDS, *WIKITEXT]), min_size=1, max_size=50))
def test_wikitext_brings_nothing_active(pages: None, words: list[str]) -> None:
    shown(convert("".join(words)).text)


@settings(
    max_examples=100,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    st.lists(
        st.sampled_from([*WORDS, *ATTACKS, "[[", "![x](file:Board.png ", "[[File:Board.png|alt="]),
        min_size=1,
        max_size=30,
    )
)
def test_links_and_pictures_bring_nothing_active(pages: None, words: list[str]) -> None:
    shown("".join(words))


@pytest.mark.parametrize("attack", ATTACKS)
def test_attacks_as_wikitext_and_as_words_of_a_picture(pages: None, attack: str) -> None:
    shown(convert(attack).text)
    shown(convert(f"'''{attack}''' [[{attack}|{attack}]] {{{{{attack}}}}}").text)
    title = re.sub(r"[\n]", " ", attack).replace('"', "'")
    page = shown(f'![{attack}](file:Board.png?120 "{title}")')
    Checked(page, also=SHOWN)


def test_hostile_titles_stay_words(pages: None) -> None:
    page = shown(
        '[[A "onmouseover=alert(1) <img src=x onerror=alert(1)>]] and ![A board](file:Board.png)'
    )
    assert page.count("<img ") == 1
    assert "onmouseover=alert" not in re.sub(r">[^<]*<", "><", page)
