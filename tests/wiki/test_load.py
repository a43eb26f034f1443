"""Help pages that are shipped with the games."""

from datetime import UTC, datetime

import pytest

from wiki.errors import WikiError
from wiki.models import ImportSource, Page, Revision
from wiki.services import load_page, renumber
from wiki.services.edit import create_page
from wiki.services.history import sha1

pytestmark = pytest.mark.django_db
SHIPPED = {
    "slug": "hearts",
    "title": "Hearts",
    "aliases": ["Gamehelphearts"],
    "game": "hearts",
}


def test_first_load_makes_the_page_and_a_second_adds_nothing() -> None:
    revision = load_page(**SHIPPED, text="Take few points.\n")
    assert revision.author_name == "Parlour"
    assert revision.author is None
    assert revision.summary == "Created page with “Take few points.”"
    assert revision.page.game == "hearts"
    assert sorted(revision.page.names.values_list("title", flat=True)) == [
        "Gamehelphearts",
        "Hearts",
    ]
    assert load_page(**SHIPPED, text="Take few points.\n") is None
    assert Revision.objects.count() == 1


def test_changed_help_becomes_a_revision_where_nobody_edited() -> None:
    load_page(**SHIPPED, text="Old.\n")
    new = load_page(**SHIPPED, text="New.\n", summary="Shorter")
    assert (new.number, new.summary) == (2, "Shorter")
    assert Page.objects.get().current == new
    assert load_page(**SHIPPED, text="Old.\n") is None  # loaded before: not gone back to


def test_edits_of_people_are_never_overwritten(save) -> None:
    load_page(**SHIPPED, text="Old.\n")
    mine = save("Mine.\n")
    assert load_page(**SHIPPED, text="New.\n") is None
    assert Page.objects.get().current == mine


def test_page_that_people_wrote_first_stays_theirs(save) -> None:
    mine = save("Mine.\n")
    assert load_page(**SHIPPED, text="Ours.\n") is None
    page = Page.objects.get()
    assert (page.current, page.game) == (mine, "hearts")


def test_imported_page_becomes_the_page_of_the_game() -> None:
    page = create_page(title="Gamehelphearts", language="en")
    old = Revision.objects.create(
        page=page,
        author_name="Tilda W",
        timestamp=datetime(2019, 6, 12, tzinfo=UTC),
        text="Old",
        text_sha1=sha1("Old"),
        size=3,
        origin=ImportSource.objects.create(kind="feed-text", sha256="0" * 64),
    )
    page.current = old
    page.save()
    renumber(page)
    ours = load_page(**SHIPPED, text="Ours.\n")
    page.refresh_from_db()
    assert (page.slug, page.title, page.current) == ("hearts", "Hearts", ours)
    assert ours.parent == old
    assert Page.objects.count() == 1


def test_alias_of_another_page_is_refused(save) -> None:
    load_page(slug="nibble", title="Nibble", text="x", game="nibble", aliases=["Gamehelphearts"])
    with pytest.raises(WikiError, match="another page"):
        load_page(**SHIPPED, text="Ours.\n")
    assert Page.objects.count() == 1
