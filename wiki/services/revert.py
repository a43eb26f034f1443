"""Going back: an older text becomes the newest revision. Nothing is taken out of the history."""

from django.db import transaction
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Revision
from wiki.services.edit import clean_summary
from wiki.services.hiding import public_name, refuse_hidden_text
from wiki.services.history import KNOWN, append_revision
from wiki.services.locks import locked_page
from wiki.services.rights import refuse_unless_editor
from wiki.services.undo import mark_reverted
from wiki.times import in_words


def revert_summary(revision: Revision) -> str:
    """Which revision was gone back to, as a summary."""
    moment = revision.timestamp
    when = in_words(moment) if moment else "unknown date"
    return f"Reverted to revision of {when} by {public_name(revision)}"


@transaction.atomic
def revert_to(
    *, page_id: int, revision_id: int, author: User, current_id: int | None, summary: str = ""
) -> Revision:
    """Save the text of ``revision_id`` as the newest revision and return it.

    ``current_id`` is the revision the person saw as current. Raises WikiError ``no_revision``,
    ``no_text``, ``text_hidden``, ``stale`` (somebody saved meanwhile), ``unchanged``,
    ``long_summary``, ``protected`` or ``page_gone``.
    """
    page = locked_page(page_id)
    refuse_unless_editor(page, author)
    revision = page.revisions.filter(pk=revision_id).first()
    if revision is None:
        raise WikiError("no_revision", "This page has no such revision.", status=404)
    refuse_hidden_text(revision, author)
    if revision.text_state not in KNOWN:
        raise WikiError("no_text", "The text of that revision is not available.", status=409)
    if page.current_id != current_id:
        raise WikiError(
            "stale", "Somebody saved a newer revision meanwhile. Look at it first.", status=409
        )
    if page.current is not None and page.current.text == revision.text:
        raise WikiError("unchanged", "The page has that text already.", status=409)
    said = clean_summary(summary)
    made = append_revision(
        page,
        author=author,
        author_name=author.get_username(),
        timestamp=timezone.now(),
        summary=revert_summary(revision) + (f": {said}" if said else ""),
        minor=False,
        text=revision.text,
    )
    later = page.revisions.filter(number__gt=revision.number, event=Revision.Event.EDIT)
    mark_reverted(later.exclude(pk=made.pk), made)
    return made
