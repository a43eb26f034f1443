"""Recent changes: filters, folded imports, stretches that last."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from wiki.models import ImportSource, Page, Revision

pytestmark = pytest.mark.django_db
CHANGES = "/wiki/changes/"


def add(page: Page, count: int, **fields: object) -> None:
    """``count`` revisions of ``page``, a minute apart, with the summaries "0;", "1;" ..."""
    at = fields.pop("at", timezone.now() - timedelta(hours=2))
    last = page.revisions.latest("number").number
    Revision.objects.bulk_create(
        Revision(
            **{"page": page, "author_name": "Ada", "summary": f"{number};", **fields},
            number=last + 1 + number,
            timestamp=at + timedelta(seconds=number),
            text_sha1="0" * 40,
        )
        for number in range(count)
    )


@pytest.fixture
def source(db: None) -> ImportSource:
    return ImportSource.objects.create(site="Some wiki", kind="feed-text", sha256="0" * 64)


def shown(client: Client, query: str = "") -> str:
    answer = client.get(CHANGES + query)
    assert answer.status_code == 200
    return answer.content.decode()


def summaries(html: str) -> list[str]:
    return re.findall(r">(\d+;)<", html)


def test_stretches_hold_each_row_once_while_others_write(
    client: Client, hearts: Page, save
) -> None:
    add(hearts, 120)
    first = shown(client)
    save("Newer than all.\n")
    seen, html = summaries(first), first
    while older := re.search(r'rel="next" href="(\?[^"]+)"', html):
        html = shown(client, older[1].replace("&amp;", "&"))
        seen += summaries(html)
    assert seen == [f"{number};" for number in reversed(range(120))]


def test_imports_are_folded_into_one_line(
    client: Client, hearts: Page, save, source: ImportSource
) -> None:
    nibble = save("x", title="Nibble").page
    at = datetime(2019, 6, 12, tzinfo=UTC)
    add(hearts, 40, origin=source, at=at)
    add(nibble, 17, origin=source, at=at + timedelta(days=40))
    html = shown(client)
    assert "57 imported revisions" in html
    assert "of Nibble and Hearts, June 2019 to July 2019" in html
    assert html.count("<details") == 1
    assert len(summaries(html)) == 57
    assert not summaries(shown(client, "?imports=0"))


def test_few_imported_rows_stand_by_themselves(
    client: Client, hearts: Page, source: ImportSource
) -> None:
    add(hearts, 2, origin=source)
    assert "<details" not in shown(client)


def test_more_imports_than_are_looked_at_go_on_in_the_next_stretch(
    client: Client, hearts: Page, source: ImportSource, monkeypatch
) -> None:
    monkeypatch.setattr("wiki.listing.LOOKED_AT", 10)
    add(hearts, 24, origin=source)
    seen, query = [], ""
    while query is not None:
        html = shown(client, query)
        seen += summaries(html)
        older = re.search(r'rel="next" href="(\?[^"]+)"', html)
        query = older and older[1]
    assert seen == [f"{number};" for number in reversed(range(24))]


def test_filters_hide_and_stay(client: Client, as_bob: Client, bob: User, hearts: Page) -> None:
    add(hearts, 1, summary="small;", minor=True)
    add(hearts, 1, summary="bob;", author=bob, author_name="Bob")
    add(hearts, 1, summary="long ago;", at=timezone.now() - timedelta(days=20))
    for query, hidden in (
        ("", ()),
        ("?minor=0", ("small;",)),
        ("?mine=0", ("bob;",)),
        ("?days=7", ("long ago;",)),
        ("?days=7&minor=0&mine=0", ("small;", "bob;", "long ago;")),
        ("?days=365000000000&minor=no&mine=%27", ()),
    ):
        html = shown(as_bob, query)
        for words in ("small;", "bob;", "long ago;"):
            assert (words in html) is (words not in hidden), (query, words)
    assert "bob;" in shown(client, "?mine=0")  # who has not logged in wrote nothing
    add(hearts, 60)
    kept = re.search(r'rel="next" href="(\?[^"]+)"', shown(as_bob, "?days=7&minor=0&mine=0"))
    assert re.fullmatch(r"\?days=7&amp;minor=0&amp;mine=0&amp;before=\d+", kept[1])


def test_undated_rows_come_last(client: Client, hearts: Page) -> None:
    add(hearts, 60)
    Revision.objects.filter(summary__in=["3;", "4;"]).update(timestamp=None)
    html = shown(client)
    html += shown(client, re.search(r'rel="next" href="(\?[^"]+)"', html)[1])
    assert summaries(html)[-2:] == ["4;", "3;"]
    assert "Date unknown</h2>" in html


def test_list_that_begins_nowhere_is_refused(client: Client, hearts: Page) -> None:
    answer = client.get(f"{CHANGES}?before=x")
    assert answer.status_code == 404
    assert 'data-code="no_revision"' in answer.content.decode()
