"""What is composed once finds what the ORM finds, and makes the same objects of it."""

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connection, connections
from django.db.models import F, Model
from django.test.utils import CaptureQueriesContext

from games import listing, services
from portal.models import User
from portal.prepared import Prepared
from wiki import selectors
from wiki.models import Page, Revision
from wiki.services import Draft, edit_page
from wiki.services.languages import link
from wiki.services.talk import add_topic

pytestmark = pytest.mark.django_db
NAMES = ("hearts", "srce", "nothing", "", "it's 100%s", "\ufdd0 value 0", "Cups", "\N{SNOWMAN}")


def flat(row: Model) -> dict[str, Any]:
    """All that ``row`` holds, also the rows it came with."""
    held = {name: value for name, value in vars(row).items() if name != "_state"}
    beside = {
        name: flat(value) if isinstance(value, Model) else value
        for name, value in row._state.fields_cache.items()
        if name != "page" or not isinstance(row, Revision)
    }
    return {**held, "beside": beside, "of": (type(row), row._state.db, row._state.adding)}


@pytest.fixture
def pages(ada: User) -> dict[str, Page]:
    made = {}
    texts = {"Hearts": ("en", "## Goal\n\nFew."), "Srce": ("sr", "Igra.")}
    for title, (language, text) in texts.items():
        revision, _new = edit_page(
            slug=title.lower(), title=title, author=ada, draft=Draft(text=text), language=language
        )
        made[title] = revision.page
    link(page_id=made["Hearts"].pk, other_id=made["Srce"].pk, author=ada)
    add_topic(page_id=made["Hearts"].pk, author=ada, heading="Passing", text="Which way?")
    services.open_table(player=ada, game="hearts", seats=["open", "open", "open"])
    made["Hearts"].names.create(title="Cups", key="cups", slug="cups")
    return {title: Page.objects.get(pk=page.pk) for title, page in made.items()}


def asked(pages: dict[str, Page]) -> list[tuple[Prepared, tuple[Any, ...]]]:
    hearts, srce = pages["Hearts"], pages["Srce"]
    return [
        *((selectors.pages_at_slug, (name,)) for name in NAMES),
        *((selectors._to_read, (name,)) for name in NAMES),
        *((selectors._to_read_from, (key, "hearts")) for key in ("cups", "srce", *NAMES)),
        *((selectors._talk, (page.pk,)) for page in (hearts, srce)),
        *((selectors._company, (page.pk, page.group_id)) for page in (hearts, srce)),
        *((listing._newest_open, (slug,)) for slug in ("hearts", "nibble", "x")),
        *((selectors._rows, (hearts.pk, row)) for row in (hearts.current_id, srce.current_id, 0)),
    ]


def test_the_same_rows_are_found_as_the_orm_finds(pages: dict[str, Page]) -> None:
    found = 0
    for prepared, values in asked(pages):
        for _ in range(2):  # composed, and kept
            ours = [flat(row) for row in prepared(*values)]
            assert ours == [flat(row) for row in prepared.compose(*values)], values
        found += len(ours)
    assert found > 10


def test_a_question_is_composed_once(pages: dict[str, Page]) -> None:
    composed = []

    def compose(slug: str) -> Any:
        composed.append(slug)
        return Page.objects.filter(slug=slug).annotate(again=F("slug"))

    prepared = Prepared(compose)
    with CaptureQueriesContext(connection) as seen:
        found = [prepared(slug) for slug in ("hearts", "srce", "hearts")]
    assert [[row.again for row in rows] for rows in found] == [["hearts"], ["srce"], ["hearts"]]
    assert len(composed) == 1
    assert len(seen) == 3


def test_a_number_and_a_text_are_two_questions() -> None:
    prepared = Prepared(lambda value: Page.objects.filter(game=value))
    assert prepared("7") == prepared(7) == []
    assert len(prepared.ready) == 2


@pytest.mark.django_db(transaction=True)
def test_what_one_thread_composed_serves_all(pages: dict[str, Page]) -> None:
    prepared = Prepared(lambda slug: Page.objects.select_related("current").filter(slug=slug))

    def ask() -> Any:
        try:
            return [flat(row) for row in prepared("hearts")]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as other:
        first = other.submit(ask).result()
    assert first == [flat(row) for row in prepared("hearts")] != []
