"""Hiding what was written from the public, and showing it again: a matter of moderators."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.markup import heading_words
from wiki.markup.plain import plain_words
from wiki.markup.sections import sections
from wiki.models import LogEntry, Page, Revision
from wiki.search import reindex
from wiki.services.hiding import sees_hidden
from wiki.services.log import clean_reason, note
from wiki.services.summary import LONGEST_MARK, SECTION_MARK

# How summaries begin that write themselves and say words of the text (``wiki.services.summary``).
QUOTING = ("Created page with ", "Replaced content with ", "Redirected page to ")
BEGINNING = 20  # characters of a text that tell that a summary quotes it
SURE = 8  # characters of a shorter text that are enough
SAME_MOMENT = timedelta(seconds=2)  # in which a row and the log's entry about it are written
LOGGED = {
    Revision.Event.PROTECTION: LogEntry.Kind.PROTECT,
    Revision.Event.RENAME: LogEntry.Kind.RENAME,
    Revision.Event.DELETION: LogEntry.Kind.DELETE,
    Revision.Event.UNDELETION: LogEntry.Kind.UNDELETE,
}
PARTS = {"text": "The text", "summary": "The summary", "author": "The name of the author"}


def hides_in(revision: Revision) -> set[str]:
    """Which of ``PARTS`` are hidden now."""
    return {part for part in PARTS if getattr(revision, f"{part}_hidden")}


@transaction.atomic
def set_hidden(*, revision_id: int, parts: Iterable[str], reason: str, person: User) -> Revision:
    """Hide ``parts`` of a revision, and no other ones, from all but moderators; returns it.

    With a text go the rows that only repeat it, and the summaries that wrote themselves and say words of
    it (``quoting``): its own, which can be shown again afterwards, and others of the page. With a name go
    the later summaries of the page that say it, and what the log tells of the same event. The log tells that something was hidden or is shown again, not what. Raises WikiError
    ``not_moderator``, ``no_revision``, ``bad_part``, ``no_reason``, ``long_summary``, ``unchanged`` or
    ``current_text``.
    """
    if not sees_hidden(person):
        raise WikiError("not_moderator", "Only moderators may hide what was written.", status=403)
    hooks.refuse_blocked(person)
    wanted = set(parts)
    if not wanted <= set(PARTS):
        raise WikiError("bad_part", "Choose the text, the summary or the name.")
    revision = Revision.objects.filter(pk=revision_id).first()
    if revision is None:
        raise WikiError("no_revision", "There is no such revision.", status=404)
    page = Page.everything.select_for_update(no_key=True, of=("self",)).get(pk=revision.page_id)
    revision = page.revisions.get(pk=revision_id)
    before = hides_in(revision)
    if wanted == before:
        raise WikiError("unchanged", "That is so already: nothing was changed.", status=409)
    reason = clean_reason(reason)
    if "text" in wanted - before:
        refuse_current_text(page, revision)
        told = quoting(page, revision)
        if revision.pk in told:
            wanted.add("summary")
        page.revisions.filter(pk__in=told - {revision.pk}).update(summary_hidden=True)
    rows = repeated(revision) if "text" in wanted ^ before else [revision.pk]
    page.revisions.filter(pk__in=rows).update(text_hidden="text" in wanted)
    reindex(page)
    page.revisions.filter(pk=revision.pk).update(
        summary_hidden="summary" in wanted, author_hidden="author" in wanted
    )
    if "author" in wanted - before:
        later = page.revisions.filter(number__gt=revision.number)
        later.filter(summary__contains=f"by {revision.author_name}").update(summary_hidden=True)
    hide_in_log(page, revision, wanted)
    for kind, changed in (
        (LogEntry.Kind.HIDE, wanted - before),
        (LogEntry.Kind.SHOW, before - wanted),
    ):
        if changed:
            note(kind, person, page=page, reason=reason, revision=revision.pk)
    revision.refresh_from_db()
    return revision


def quoting(page: Page, revision: Revision) -> set[int]:
    """The row ids of revisions of ``page`` whose summaries tell words of the text of ``revision`` that are
    to be read nowhere else: its own, where it begins as the text does or names where that leads; and all
    that name a section which only this text has, and neither theirs nor the current one."""
    found = {revision.pk} if quotes_beginning(revision) else set()
    current = page.current.text if page.current else ""
    secret = headings(revision.text) - headings(current)
    if not secret:
        return found
    rows = page.revisions.filter(summary__contains="/*")
    for row in rows.only("summary", "text", "text_hidden").iterator():
        open_to_all = set() if row.text_hidden or row.pk == revision.pk else headings(row.text)
        if any(mark[1] in secret - open_to_all for mark in SECTION_MARK.finditer(row.summary)):
            found.add(row.pk)
    return found


def quotes_beginning(revision: Revision) -> bool:
    """Whether the summary of ``revision`` is one that wrote itself and says how the text begins, or where
    it leads; also as another wiki wrote it, in whatever language."""
    if revision.summary.startswith(QUOTING):
        return True
    texts = (revision.text, revision.source_text or "")
    words = [plain_words(text, headings=headed) for text in texts for headed in (True, False)]
    starts = {start[:BEGINNING] for start in (*words, *(" ".join(text.split()) for text in texts))}
    return any(len(start) >= SURE and start in revision.summary for start in starts)


def headings(text: str) -> set[str]:
    """The headings of ``text``, as summaries name them."""
    return {heading_words(section.heading)[:LONGEST_MARK] for section in sections(text)}


def hide_in_log(page: Page, revision: Revision, parts: set[str]) -> None:
    """Let the log, and the reason of a protection in force, hide what the row of a history hides that tells
    of the same."""
    if revision.event not in LOGGED:
        return
    moment = (revision.timestamp - SAME_MOMENT, revision.timestamp + SAME_MOMENT)
    for entry in page.log.filter(
        kind=LOGGED[revision.event], actor_name=revision.author_name, at__range=moment
    ):
        entry.detail |= {"name_hidden": "author" in parts, "words_hidden": "summary" in parts}
        entry.save(update_fields=["detail"])
        if revision.event == Revision.Event.PROTECTION and is_in_force(page, revision):
            page.protection_reason = "" if "summary" in parts else entry.reason
            page.save(update_fields=["protection_reason"])


def is_in_force(page: Page, revision: Revision) -> bool:
    """Whether the protection that ``revision`` tells of is that of ``page`` now."""
    newest = page.revisions.filter(event=Revision.Event.PROTECTION).order_by("-number")
    closed = {page.protection, page.rename_protection} != {Page.Protection.OPEN}
    return closed and newest.values_list("pk", flat=True).first() == revision.pk


def refuse_current_text(page: Page, revision: Revision) -> None:
    current = page.current
    if current and current.pk in repeated(revision):  # a deleted page may be brought back with it
        raise WikiError(
            "current_text",
            "This is the text that everybody reads now, so it cannot be hidden. Change or restore "
            "the page first, or delete it.",
            status=409,
        )


def repeated(revision: Revision) -> list[int]:
    """The row ids of ``revision`` and of the rows right after it that repeat its text to tell of
    something else."""
    rows = revision.page.revisions.filter(number__gt=revision.number).order_by("number")
    found = [revision.pk]
    for pk, event in rows.values_list("pk", "event"):
        if event == Revision.Event.EDIT:
            break
        found.append(pk)
    return found
