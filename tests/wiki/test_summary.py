"""Summaries: those that write themselves, and the arrow to the section they name."""

from urllib.parse import unquote

import feedparser
import pytest
from django.test import Client

from tests.wiki.conftest import HEARTS
from wiki.models import Page, Revision, Watch

pytestmark = pytest.mark.django_db
EDIT = "/wiki/hearts/edit/"
LINK = '/wiki/hearts/#s-passing">→ Passing</a>: why &lt;b&gt;'


@pytest.fixture
def edited(hearts: Page, save) -> Revision:
    return save(HEARTS.replace("left", "right"), summary="/* Passing */ why <b>")


def lists(client: Client, revision: Revision) -> dict[str, str]:
    """All pages that show the summary of ``revision``, by address."""
    ways = [
        "/wiki/hearts/history/",
        f"/wiki/hearts/diff/{revision.parent_id}/{revision.pk}/",
        revision.get_absolute_url(),
        "/wiki/changes/",
        "/wiki/contributions/Ada/",
        "/wiki/watchlist/",
    ]
    return {way: client.get(way).content.decode() for way in ways}


def test_section_is_an_arrow_that_leads_there_wherever_summaries_are_shown(
    as_ada: Client, ada, edited: Revision
) -> None:
    Watch.objects.create(user=ada, page=edited.page)
    for way, html in lists(as_ada, edited).items():
        assert LINK in html, way
        assert "/*" not in html, way
    for way in ("/wiki/changes/feed/", "/wiki/hearts/history/feed/"):
        parsed = feedparser.parse(as_ada.get(way).content)
        assert not parsed.bozo
        assert (
            '<a href="http://testserver/wiki/hearts/#s-passing">→ Passing</a>: why &lt;b&gt;'
            in (parsed.entries[0].summary)
        )


def test_section_that_is_not_there_any_more_is_plain_text(
    as_ada: Client, ada, edited: Revision, save
) -> None:
    Watch.objects.create(user=ada, page=edited.page)
    as_ada.get("/wiki/hearts/")  # renders it
    save(HEARTS.replace("## Passing", "## Giving"))
    for _time in ("not rendered yet", "rendered"):
        for way, html in lists(as_ada, edited).items():
            assert "→ Passing: why &lt;b&gt;" in html, way
            assert "#s-passing" not in html.replace('href="#s-passing"', ""), way
        parsed = feedparser.parse(as_ada.get("/wiki/changes/feed/").content)
        assert "→ Passing: why" in parsed.entries[1].summary
        assert "s-passing" not in parsed.entries[1].summary
        as_ada.get("/wiki/hearts/")


def test_arrow_alone_has_no_colon_and_text_around_it_stays(
    as_ada: Client, edited: Revision
) -> None:
    for said, shown in [
        ("/* Passing */", "→ Passing</a></span>"),
        ("see /* Passing */ and /* Goal */", 'see <a class="sect"'),
        ("/* */ x", '<span class="typed">x</span>'),
        ("/* <i> */ x", "→ &lt;i&gt;: x"),
    ]:
        Revision.objects.filter(pk=edited.pk).update(summary=said)
        assert shown in as_ada.get("/wiki/hearts/history/").content.decode(), said


def test_section_edit_writes_its_section(as_ada: Client, hearts: Page) -> None:
    html = as_ada.get(f"{EDIT}?section=3").content.decode()
    assert 'value="/* Scoring */ "' in html
    sent = {"text": "## Scoring\n\nNothing.", "section": 3, "base": hearts.current_id}
    as_ada.post(EDIT, {**sent, "summary": "/* Scoring */ "})
    assert Revision.objects.latest("id").summary == "/* Scoring */"
    assert "#s-scoring" in as_ada.get("/wiki/hearts/history/").content.decode()


MARKED = [
    ("See [[Hearts|the *rules*]]", "See the rules", "s-see-the-rules"),
    ("{{card|QS}} costs", "Queen of spades costs", "s-queen-of-spadesq-costs"),
    ("The `code` [site](https://example.org/x)", "The code site", "s-the-code-site"),
    ("Footed[^1]", "Footed", "s-footed"),
    ("A \\* star", "A * star", "s-a-star"),
]


@pytest.mark.parametrize(("heading", "words", "place"), MARKED)
def test_section_of_a_marked_heading_is_named_as_it_reads_and_found(
    as_ada: Client, save, heading: str, words: str, place: str
) -> None:
    save(f"## Goal\n\none\n\n## {heading}\n\ntwo\n\n[^1]: note\n")
    form = as_ada.get(f"{EDIT}?section=2").context["form"]
    assert form.summary == f"/* {words} */ "
    sent = {"text": form.text.replace("two", "three"), "base": form.base, "section": 2}
    saved = as_ada.post(EDIT, sent)
    assert unquote(saved.url) == f"/wiki/hearts/#{place}"
    newest = Revision.objects.latest("number")
    assert newest.summary == f"/* {words} */"  # by itself
    for _time in ("rendered", "not rendered yet"):
        assert f'#{place}">→ {words}</a>' in as_ada.get("/wiki/hearts/history/").content.decode()
        if place != "s-queen-of-spadesq-costs":  # only the rendering knows this one
            save(f"{newest.text}\nfour\n", summary=newest.summary)


def test_second_of_two_sections_of_one_name_is_found_after_saving(as_ada: Client, save) -> None:
    save("## Goal\n\none\n\n## Goal\n\ntwo\n")
    form = as_ada.get(f"{EDIT}?section=2").context["form"]
    sent = {"text": form.text.replace("two", "three"), "base": form.base, "section": 2}
    assert as_ada.post(EDIT, sent).url == "/wiki/hearts/#s-goal_1"
