"""Rows of a page's history: adding the newest, and putting them in order after an import."""

import hashlib
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import transaction
from django.db.models import OuterRef, Subquery

from portal.models import User
from wiki.hooks import tell_sockets
from wiki.markup import heading_words
from wiki.markup.anchors import anchor
from wiki.markup.sections import sections
from wiki.models import Page, PageName, Revision
from wiki.search import reindex
from wiki.services.limits import COUNTED, refuse_limits, remember_address
from wiki.services.links import keep_links, may_name
from wiki.services.render import render_anew
from wiki.services.rights import is_reviewer
from wiki.titles import make_slug, title_key

OLDEST = datetime.min.replace(tzinfo=UTC)  # where undated revisions stand
PLACE = ("number", "parent", "delta")  # what a row's place in the history says
KNOWN = (Revision.TextState.PRESENT, Revision.TextState.BLANK)
CHANGE_READING = (Revision.Event.EDIT, Revision.Event.UNDELETION)  # others repeat the text


def sha1(text: str) -> str:
    return hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest()


def free_slug(title: str, of: Page | None = None) -> str:
    """The slug for a page called ``title``, a new one or ``of``: no other page has it, nor led there by
    an older name."""
    wanted = make_slug(title)
    slug, count = wanted, 1
    pages = Page.everything.exclude(pk=of.pk if of else None)
    names = PageName.objects.exclude(key=title_key(title)).exclude(page=of)
    while pages.filter(slug=slug).values("pk").union(names.filter(slug=slug).values("pk")).exists():
        count += 1
        slug = f"{wanted}-{count}"
    return slug


def outline(text: str) -> list[list[object]]:
    """The headings of ``text``, which lists of changes lead to, until it is rendered."""
    heads = [(section.level, heading_words(section.heading)) for section in sections(text)]
    return [[level, anchor(words), words] for level, words in heads]


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
    Raises WikiError ``slow_down`` or ``outside_links`` where ``author`` may not write so fast or so.
    """
    if author is not None and event in COUNTED:
        refuse_limits(page, author, text)
    trusted = author is not None and is_reviewer(author)
    rows = page.revisions.order_by("-number").defer(*Revision.TEXTS)
    last = rows.first()
    before = last
    if last is not None and (last.event or last.text_state not in KNOWN):
        before = rows.filter(text_state__in=KNOWN, event=Revision.Event.EDIT).first()
    size = len(text.encode())
    state = Revision.TextState.PRESENT if text else Revision.TextState.BLANK
    if event and page.current is None:
        state = last.text_state if last else Revision.TextState.MISSING
    revision = Revision(
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
        rendered_toc=outline(text),
        patrolled_at=timestamp if trusted else None,
        patrolled_by=author if trusted else None,
    )
    read = state in KNOWN and event in CHANGE_READING
    made = render_anew(revision) if read and may_name(revision) else None
    revision.save(force_insert=True)
    if state in KNOWN:
        page.current = revision
        page.save(update_fields=["current"])
    if read:
        keep_links(page, made)
    reindex(page, anew=False)
    if author is not None:
        remember_address(author)
    tell_sockets(group_of(page.pk, page.slug), {"type": "page.saved"})
    if last is None:
        tell_sockets(group_of(None, page.slug), {"type": "page.saved"})
    return revision


def group_of(page_id: int | None, slug: str) -> str:
    """The channel layer's group of those who edit a page, or write the one that is to be at ``slug``."""
    if page_id is not None:
        return f"wiki.page.{page_id}"
    return f"wiki.new.{hashlib.sha256(slug.encode()).hexdigest()[:32]}"


def in_time(row: Revision) -> tuple[Any, ...]:
    """By what revisions of a page are sorted: undated ones come first; within a second the order of the
    source decides, then its key."""
    return (
        row.timestamp or OLDEST,
        row.origin_revid or 0,
        row.origin_order,
        row.origin_key or "",
        row.pk,
    )


def place(rows: Sequence[Revision], last: Revision | None, size: int | None) -> None:
    """Give ``rows`` numbers, parents and size changes as they follow each other after ``last``, whose
    text, or that of the last edit before it, has ``size`` bytes (None: unknown)."""
    for row in rows:
        row.number, row.parent = (last.number + 1 if last else 1), last
        if row.event:
            row.delta = 0 if row.text_state in KNOWN else None
        elif row.text_state in KNOWN:
            row.delta = None if size is None else row.size - size
            size = row.size
        else:
            row.delta, size = None, None
        last = row


def place_at_end(page: Page, rows: list[Revision]) -> int | None:
    """Number ``rows``, not saved yet, where all of them are newer than the rest of the history of
    ``page``, and put them in order; the number of the first, or None where the page must be renumbered
    once they are saved. Else ``link_parents`` is what is left to do. Inside a caller's transaction."""
    rows.sort(key=in_time)
    others = page.revisions.defer(*Revision.TEXTS).order_by("-number")
    last = others.first()
    if last is not None and in_time(last)[:-1] >= in_time(rows[0])[:-1]:
        return None
    edit = others.filter(event=Revision.Event.EDIT).first()
    unknown = edit is not None and edit.text_state not in KNOWN
    place(rows, last, None if unknown else edit.size if edit else 0)
    for row in rows:
        row.parent = None
    return rows[0].number


def link_parents(page: Page, first: int) -> None:
    """Let each row of ``page`` from number ``first`` on follow the one before it."""
    before = Revision.objects.filter(page=OuterRef("page"), number=OuterRef("number") - 1)
    rows = page.revisions.filter(number__gte=first).order_by()
    rows.update(parent=Subquery(before.order_by().values("pk")[:1]))


@transaction.atomic
def renumber(page: Page) -> None:
    """Put the history of ``page`` in order of time: numbers, parents and size changes."""
    rows = sorted(page.revisions.defer(*Revision.TEXTS), key=in_time)
    before = [(row.number, row.parent_id, row.delta) for row in rows]
    place(rows, None, 0)
    changed = [
        row
        for row, old in zip(rows, before, strict=True)
        if (row.number, row.parent_id, row.delta) != old
    ]
    Revision.objects.bulk_update(changed, PLACE)
