"""Taking back the last edits of a person: on one page with one button, or on all pages at once."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import groupby

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.history.merge import merge
from wiki.models import LogEntry, Page, Revision
from wiki.services.delete import delete_page, may_delete
from wiki.services.hiding import public_name
from wiki.services.history import KNOWN, append_revision
from wiki.services.locks import locked_page
from wiki.services.log import clean_reason, note
from wiki.services.patrol import mark_patrolled
from wiki.services.rights import is_moderator, is_reviewer, refuse_unless_editor
from wiki.services.undo import mark_reverted
from wiki.times import in_words

PAGES_AT_ONCE = 50  # that a mass revert takes on
ROWS_READ = 1000  # of a page's history, the newest


@dataclass(frozen=True)
class Run:
    """The newest edits of a page, all by one author: ``rows``, the newest first, and the revision
    ``before`` them whose text is known, None where there is none."""

    rows: list[Revision]
    before: Revision | None


def may_roll_back(person: User | AnonymousUser) -> bool:
    """Reviewers, and whoever has the permission ``wiki.rollback``."""
    return is_reviewer(person) or (person.is_active and person.has_perm("wiki.rollback"))


def same_author(one: Revision, other: Revision) -> bool:
    if one.author_id or other.author_id:
        return one.author_id == other.author_id
    return one.author_name == other.author_name


def edits_of(page: Page) -> QuerySet[Revision]:
    """The edits of ``page``, the newest first, without their texts."""
    rows = page.revisions.filter(event=Revision.Event.EDIT).order_by("-number")
    return rows.defer(*Revision.TEXTS)


def last_run(page: Page) -> Run:
    """The last edits of ``page``. Raises WikiError ``no_revision`` where it has none."""
    rows = list(edits_of(page)[:ROWS_READ])
    if not rows:
        raise WikiError("no_revision", "This page has no edit to take back.", status=404)
    run = []
    for row in rows:
        if not same_author(row, rows[0]):
            break
        run.append(row)
    older = (row for row in rows[len(run) :] if row.text_state in KNOWN and not row.text_hidden)
    return Run(run, next(older, None))


def rollback_summary(run: Run) -> str:
    """What a rollback did, as a summary."""
    count, author = len(run.rows), public_name(run.rows[0])
    when = in_words(run.before.timestamp) if run.before.timestamp else "unknown date"
    edits = f"{count} edit{'' if count == 1 else 's'}"
    return f"Took back {edits} by {author}, to the revision of {when} by {public_name(run.before)}"


def checked_run(page: Page, newest_id: int, person: User | AnonymousUser) -> Run:
    """What ``person`` would take back, having seen ``newest_id`` as the newest edit. Raises WikiError
    ``not_reviewer``, ``protected``, ``stale`` or ``only_author``."""
    if not may_roll_back(person):
        raise WikiError("not_reviewer", "Only reviewers take back edits this way.", status=403)
    refuse_unless_editor(page, person)
    run = last_run(page)
    if run.rows[0].pk != newest_id:
        raise WikiError(
            "stale",
            f"{public_name(run.rows[0])} has edited this page since. Nothing was changed; look at "
            "its history first.",
            status=409,
        )
    if run.before is None:
        raise WikiError(
            "only_author",
            "Nobody else has written this page: there is no revision to go back to. It can be "
            "deleted.",
            status=409,
        )
    return run


@transaction.atomic
def rollback(*, page_id: int, newest_id: int, person: User) -> Revision:
    """Take back the edits with which a page ends, all by one author; returns the new revision.

    ``newest_id`` is the newest edit that the person saw. Raises WikiError as ``checked_run`` does,
    ``unchanged`` or ``page_gone``.
    """
    page = locked_page(page_id)
    run = checked_run(page, newest_id, person)
    text = page.revisions.get(pk=run.before.pk).text
    if page.current is not None and page.current.text == text:
        raise WikiError("unchanged", "The page has that text already.", status=409)
    return save_taken_back(page, text, run.rows, rollback_summary(run), person)


def save_taken_back(
    page: Page, text: str, rows: Sequence[Revision], summary: str, person: User
) -> Revision:
    made = append_revision(
        page,
        author=person,
        author_name=person.get_username(),
        timestamp=timezone.now(),
        summary=summary,
        minor=False,
        text=text,
    )
    pks = [row.pk for row in rows]
    mark_reverted(page.revisions.filter(pk__in=pks), made)
    if is_reviewer(person):
        mark_patrolled(revision_ids=pks, person=person)
    return made


@dataclass
class Attempt:
    """What can be taken back of somebody's edits of one page. ``text`` is what comes of it, None where
    nothing can be; ``deletes``: nobody else wrote it; ``left``: edits in the way of which later ones
    stand; ``why``: why nothing can be done; ``gone``: it was deleted meanwhile."""

    page: Page
    taken: list[Revision] = field(default_factory=list)
    left: list[Revision] = field(default_factory=list)
    text: str | None = None
    deletes: bool = False
    why: str = ""
    gone: bool = False

    @property
    def can(self) -> bool:
        return self.deletes or self.text is not None


def may_mass_revert(person: User | AnonymousUser) -> bool:
    return is_moderator(person) or (person.is_active and person.has_perm("wiki.mass_revert"))


def edits_by(name: str, since: datetime | None) -> QuerySet[Revision]:
    """Edits of live pages, saved here under ``name`` and not taken back yet."""
    rows = Revision.objects.filter(
        Q(author__username=name) | Q(author_name=name),
        page__deleted_at=None,
        origin=None,
        reverted_by=None,
        event=Revision.Event.EDIT,
    )
    return rows.filter(created_at__gte=since) if since else rows


def pages_edited(name: str, since: datetime | None) -> QuerySet[Page]:
    """The pages of ``edits_by``, the latest edited first."""
    pages = Page.objects.filter(revisions__in=edits_by(name, since))
    return pages.annotate(latest=Max("revisions__pk")).order_by("-latest").select_related("current")


def attempt(page: Page, name: str, since: datetime | None, by: User) -> Attempt:
    """What ``by`` can take back of the edits of ``page`` by ``name``: the newest by going back, older
    ones by a merge, and the whole page where nobody else wrote it."""
    found = Attempt(page)
    wanted = set(edits_by(name, since).filter(page=page).values_list("pk", flat=True))
    rows = list(edits_of(page)[:ROWS_READ])
    if rows and wanted >= {row.pk for row in rows} and len(rows) < ROWS_READ:
        found.deletes, found.taken = may_delete(page, by), rows
        found.why = "" if found.deletes else "the page of a game, which only admins delete"
        return found
    text = page.current.text if page.current is not None else None
    try:
        refuse_unless_editor(page, by)
    except WikiError as error:
        found.why, text = error.message, None
    if text is None:
        found.left = [row for row in rows if row.pk in wanted]
        found.why = found.why or "its text is not available"
        return found
    place, now = 0, text
    for theirs, group in groupby(rows, key=lambda row: row.pk in wanted):
        run = list(group)
        place += len(run)
        if theirs:
            text = _without(page, text, run, rows[place:], found)
    if found.taken and text != now:
        found.text = text
    elif not found.why:
        found.why = "later edits stand in the way" if found.left else "nothing of them is left"
    return found


def _without(
    page: Page, text: str, run: list[Revision], older: Iterable[Revision], found: Attempt
) -> str:
    """``text`` without the edits of ``run``, as far as that can be; ``found`` remembers which."""
    readable = (row for row in older if row.text_state in KNOWN and not row.text_hidden)
    before = next(readable, None)
    texts = dict(
        page.revisions.filter(
            pk__in=[run[0].pk, before.pk if before else 0], text_state__in=KNOWN
        ).values_list("pk", "text")
    )
    if before is None or run[0].pk not in texts:  # others built on what they began
        found.left += run
        return text
    merged = merge(texts[run[0].pk], text, texts[before.pk]).text
    if merged is None:
        found.left += run
        return text
    found.taken += run
    return merged


def plan(name: str, since: datetime | None, by: User) -> tuple[list[Attempt], int]:
    """What can be taken back on the latest pages of ``name``, and on how many pages they wrote."""
    pages = pages_edited(name, since)
    return [attempt(page, name, since, by) for page in pages[:PAGES_AT_ONCE]], pages.count()


def mass_revert(
    *, name: str, since: datetime | None, page_ids: Collection[int], reason: str, by: User
) -> list[Attempt]:
    """Take back what can be of the edits that ``name`` made on some pages, each in a transaction of its
    own; returns what was done on each. The log tells of it.

    Raises WikiError ``not_moderator``, ``no_pages``, ``too_many_pages``, ``no_reason`` or
    ``long_summary``.
    """
    if not may_mass_revert(by):
        raise WikiError(
            "not_moderator", "Only moderators take back all edits of a person.", status=403
        )
    hooks.refuse_blocked(by)
    reason = clean_reason(reason)
    if not page_ids:
        raise WikiError("no_pages", "Choose at least one page.", status=422)
    if len(page_ids) > PAGES_AT_ONCE:
        raise WikiError("too_many_pages", f"At most {PAGES_AT_ONCE} pages at once.", status=422)
    pages = list(pages_edited(name, since).filter(pk__in=page_ids))
    done = [_take_back(page, name, since, reason, by) for page in pages]
    others = Page.everything.filter(pk__in=set(page_ids) - {page.pk for page in pages})
    done += [before(page) for page in others.order_by("pk")]
    if any(one.can for one in done):
        note(
            LogEntry.Kind.REVERT,
            by,
            title=name,
            reason=reason,
            edits=sum(len(one.taken) for one in done if one.can),
            pages=sum(one.can for one in done),
            deleted=sum(one.deletes for one in done),
        )
    return done


def before(page: Page) -> Attempt:
    """What is told of a page that was chosen, and of which nothing is left: the form was sent twice, or
    somebody else has done it."""
    return Attempt(page, why="nothing of them is left", gone=page.deleted_at is not None)


@transaction.atomic
def _take_back(page: Page, name: str, since: datetime | None, reason: str, by: User) -> Attempt:
    try:
        page = locked_page(page.pk)
    except WikiError as gone:  # the same form sent twice, or another moderator
        return Attempt(page, why=gone.message, gone=True)
    made = attempt(page, name, since, by)
    if made.deletes:
        delete_page(page_id=page.pk, reason=reason, person=by)
    elif made.text is not None:
        count, who = len(made.taken), public_name(made.taken[0])
        summary = f"Took back {count} edit{'' if count == 1 else 's'} by {who}: {reason}"
        save_taken_back(page, made.text, made.taken, summary[:500], by)
    return made
