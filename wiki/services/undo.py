"""Taking older edits out of the text as it is now, by a merge; later edits stay."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import QuerySet

from wiki.errors import WikiError
from wiki.history.merge import Merge, merge
from wiki.models import Page, Revision
from wiki.services.hiding import Viewer, public_name, refuse_hidden_text
from wiki.services.history import KNOWN
from wiki.services.notices import told_of_revert
from wiki.times import in_words


@dataclass(frozen=True)
class Undo:
    """Edits up to ``last``, and what comes of taking them out: ``before`` is the revision before the
    first of them, None where there was nothing yet."""

    last: Revision
    before: Revision | None
    merge: Merge

    @property
    def summary(self) -> str:
        """What was undone, as a summary."""
        edits = list(undone_rows(self).defer(*Revision.TEXTS)) or [self.last]
        if len(edits) == 1:
            return f"Undid the edit of {moment(edits[0].timestamp)} by {public_name(edits[0])}"
        first, last = moment(edits[0].timestamp), moment(edits[-1].timestamp)
        return f"Undid {len(edits)} edits from {first} to {last}"


def moment(time: object) -> str:
    return in_words(time) if time else "unknown date"


def undo_of(
    page: Page,
    text: str,
    *,
    last_id: int | None,
    after_id: int | None = None,
    person: Viewer = None,
) -> Undo:
    """Take edit ``last_id`` out of ``text``, with all those since ``after_id`` where it is given (that
    one stays; 0: from the first on). ``person`` must see the texts.

    Raises WikiError ``no_revision``, ``no_text``, ``text_hidden``, ``bad_range`` or ``undone_already``.
    """
    last = revision_row(page, last_id)
    if after_id is None:
        before = last.parent
    else:
        before = revision_row(page, after_id) if after_id else None
        if before is not None and before.number >= last.number:
            raise WikiError(
                "bad_range", "The first of the edits to undo must be older than the last."
            )
    for row in (last, before):
        if row is not None:
            refuse_hidden_text(row, person)
    if any(row is not None and row.text_state not in KNOWN for row in (last, before)):
        raise WikiError("no_text", "The text of that change is not available.", status=409)
    merged = merge(last.text, text, before.text if before else "")
    if merged.text == text:
        raise WikiError(
            "undone_already",
            "That change is not in the text any more: there is nothing to undo.",
            status=409,
        )
    return Undo(last, before, merged)


def revision_row(page: Page, pk: int | None) -> Revision:
    row = page.revisions.select_related("parent").filter(pk=pk).first() if pk else None
    if row is None:
        raise WikiError("no_revision", "This page has no such revision.", status=404)
    return row


def undone_rows(undo: Undo) -> QuerySet[Revision]:
    """The edits that ``undo`` takes out, the oldest first."""
    rows = Revision.objects.filter(
        page=undo.last.page_id, number__lte=undo.last.number, event=Revision.Event.EDIT
    )
    if undo.before is not None:
        rows = rows.filter(number__gt=undo.before.number)
    return rows.order_by("number")


def is_undone(undo: Undo, text: str) -> bool:
    """Whether ``text`` is what the undo makes: as merged, or with its passages settled in any way."""
    if undo.merge.text is not None:
        return undo.merge.text.rstrip() == text.rstrip()
    place = 0
    for part in undo.merge.parts:
        if isinstance(part, str):
            place = text.find(part.rstrip(), place)
            if place < 0:
                return False
            place += len(part.rstrip())
    return True


def mark_reverted(rows: QuerySet[Revision], by: Revision) -> None:
    """Remember that ``by`` took ``rows`` back, and tell their authors; what was taken back before
    stays as it is."""
    rows = rows.filter(reverted_by=None)
    told_of_revert(by, rows.defer(*Revision.TEXTS))
    rows.update(reverted_by=by)
