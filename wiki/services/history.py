"""Rows of a page's history: adding the newest, and putting them in order after an import."""

import hashlib
from datetime import UTC, datetime

from django.db import transaction

from portal.models import User
from wiki.models import Page, Revision
from wiki.titles import make_slug

OLDEST = datetime.min.replace(tzinfo=UTC)  # where undated revisions stand
KNOWN = (Revision.TextState.PRESENT, Revision.TextState.BLANK)


def sha1(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def free_slug(title: str) -> str:
    """The slug for a new page called ``title``: no other page has it."""
    wanted = make_slug(title)
    slug, count = wanted, 1
    while Page.objects.filter(slug=slug).exists():
        count += 1
        slug = f"{wanted}-{count}"
    return slug


def append_revision(
    page: Page,
    *,
    author: User | None,
    author_name: str,
    timestamp: datetime,
    summary: str,
    minor: bool,
    text: str,
    event: str = Revision.Event.EDIT,
) -> Revision:
    """Add the newest revision of ``page`` and make it current. Inside a caller's transaction.

    Anything of the text is kept as given; an empty one is a blanked page. A row of another
    ``event`` than an edit repeats the text of a page; where none is known, it makes none current.
    """
    rows = page.revisions.order_by("-number").defer(*Revision.TEXTS)
    last = rows.first()
    before = rows.filter(text_state__in=KNOWN, event=Revision.Event.EDIT).first()
    size = len(text.encode())
    state = Revision.TextState.PRESENT if text else Revision.TextState.BLANK
    if event and page.current is None:
        state = last.text_state if last else Revision.TextState.MISSING
    revision = Revision.objects.create(
        page=page,
        number=last.number + 1 if last else 1,
        parent=last,
        author=author,
        author_name=author_name,
        timestamp=timestamp,
        summary=summary,
        minor=minor,
        text=text,
        text_sha1=sha1(text),
        text_state=state,
        size=size,
        delta=None if state not in KNOWN else size - before.size if before else size,
        event=event,
    )
    if state in KNOWN:
        page.current = revision
        page.save(update_fields=["current"])
    return revision


@transaction.atomic
def renumber(page: Page) -> None:
    """Put the history of ``page`` in order of time: numbers, parents and size changes.

    Undated revisions come first; within a second the order of the source decides, then its key.
    """
    rows = sorted(
        page.revisions.defer(*Revision.TEXTS),
        key=lambda row: (
            row.timestamp or OLDEST,
            row.origin_revid or 0,
            row.origin_order,
            row.origin_key or "",
            row.pk,
        ),
    )
    before: Revision | None = None
    size: int | None = 0  # of the last text that is known; None: unknown since
    for number, row in enumerate(rows, start=1):
        row.number, row.parent = number, before
        if row.event:
            row.delta = 0 if row.text_state in KNOWN else None
        elif row.text_state in KNOWN:
            row.delta = None if size is None else row.size - size
            size = row.size
        else:
            row.delta, size = None, None
        before = row
    Revision.objects.bulk_update(rows, ["number", "parent", "delta"])
