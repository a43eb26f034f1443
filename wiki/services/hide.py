"""Hiding what was written from the public, and showing it again: a matter of moderators."""

from collections.abc import Iterable
from datetime import timedelta

from django.db import transaction

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import LogEntry, Page, Revision
from wiki.search import reindex
from wiki.services.hiding import sees_hidden
from wiki.services.log import clean_reason, note

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

    With a text go the rows that only repeat it; with a name the later summaries of the page that say
    it, and what the log tells of the same event. The log tells that something was hidden or is shown again, not what. Raises WikiError
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


def hide_in_log(page: Page, revision: Revision, parts: set[str]) -> None:
    """Let the log hide what the row of a history hides that tells of the same."""
    if revision.event not in LOGGED:
        return
    moment = (revision.timestamp - SAME_MOMENT, revision.timestamp + SAME_MOMENT)
    for entry in page.log.filter(
        kind=LOGGED[revision.event], actor_name=revision.author_name, at__range=moment
    ):
        entry.detail |= {"name_hidden": "author" in parts, "words_hidden": "summary" in parts}
        entry.save(update_fields=["detail"])


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
