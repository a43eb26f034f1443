"""The public log of what was done besides editing."""

from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import LogEntry, Page
from wiki.services.edit import clean_summary


def note(
    kind: str,
    actor: User,
    *,
    page: Page | None = None,
    title: str = "",
    reason: str = "",
    **detail: object,
) -> LogEntry:
    """Add a line about ``page``, or about whom or what ``title`` names. Inside a caller's
    transaction."""
    return LogEntry.objects.create(
        kind=kind,
        at=timezone.now(),
        actor=actor,
        actor_name=actor.get_username(),
        page=page,
        title=title or (page.title if page else ""),
        reason=reason,
        detail=detail,
    )


def clean_reason(reason: str) -> str:
    """``reason`` on one line. Raises WikiError ``no_reason`` or ``long_summary``."""
    reason = clean_summary(reason)
    if not reason:
        raise WikiError("no_reason", "Say why: the log tells it to everybody.", status=422)
    return reason
