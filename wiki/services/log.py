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


def log_parts(entry: LogEntry) -> tuple[str, str]:
    """What an entry tells before and after the name of the page or person: "renamed", " to Herzeln"."""
    detail, kind = entry.detail, entry.kind
    if kind in ("hide", "show"):
        did = "hid something of" if kind == "hide" else "showed something again of"
        return f"{did} a revision of", ""
    if kind == "protect":
        return "changed the protection of", said_of(detail, "level")
    if kind == "groups":
        parts = [f"{sign}{name}" for key, sign in (("added", "+"), ("removed", "−"))
                 for name in detail.get(key, [])]  # fmt: skip
        return "changed the groups of", f" ({', '.join(parts)})"
    if kind == "rename" and detail.get("new"):
        return "renamed", f" to {detail['new']}"
    if kind == "block":
        return "blocked", said_of(detail, "until")
    return entry.get_kind_display(), ""


def said_of(detail: dict[str, object], name: str) -> str:
    return f" ({detail[name]})" if detail.get(name) else ""


def log_sentence(entry: LogEntry) -> str:
    """What an entry tells, after who did it: "renamed Hearts to Herzeln"."""
    did, more = log_parts(entry)
    return f"{did} {entry.title}{more}"
