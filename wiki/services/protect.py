"""Who may edit a page: changed by moderators, and told by a row in its history."""

from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import LogEntry, Page, Revision
from wiki.services.edit import clean_summary
from wiki.services.history import append_revision
from wiki.services.locks import locked_page
from wiki.services.log import note
from wiki.services.rights import is_admin, is_moderator
from wiki.times import in_words

MAX_REASON = 300  # characters
# How long a protection may last, by the name that a form sends; None: until it is changed.
SPANS: dict[str, timedelta | None] = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "three-days": timedelta(days=3),
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "year": timedelta(days=365),
    "always": None,
}


@transaction.atomic
def protect(
    *,
    page_id: int,
    level: str,
    span: str,
    reason: str,
    moderator: User,
    rename_level: str | None = None,
    rename_span: str = "always",
) -> Revision:
    """Let only people of ``level`` edit a page, for ``span``, and only people of ``rename_level`` rename
    it (None: as it is); returns the row that tells of it.

    Raises WikiError ``not_moderator``, ``not_admin``, ``bad_level``, ``bad_span``, ``no_reason``,
    ``long_reason``, ``unchanged`` or ``page_gone``.
    """
    if not is_moderator(moderator):
        raise WikiError("not_moderator", "Only moderators may protect a page.", status=403)
    hooks.refuse_blocked(moderator)
    page = locked_page(page_id)
    rename_given = rename_level is not None
    rename_level = page.rename_level if rename_level is None else rename_level
    levels = {level, rename_level}
    if not levels <= set(Page.Protection.values):
        raise WikiError("bad_level", "Choose who may edit this page, and who may rename it.")
    if not {span, rename_span} <= set(SPANS):
        raise WikiError("bad_span", "Choose how long the protection lasts.")
    if Page.Protection.ADMINS in levels | {page.level, page.rename_level}:
        refuse_unless_admin(moderator)
    reason = clean_summary(reason)
    opened = levels == {Page.Protection.OPEN}
    if not reason and not opened:
        raise WikiError("no_reason", "Say why: everybody who wants to edit will read it.")
    if len(reason) > MAX_REASON:
        raise WikiError("long_reason", f"A reason can have at most {MAX_REASON} characters.")
    if opened and page.level == page.rename_level == Page.Protection.OPEN:
        raise WikiError("unchanged", "Everybody may edit this page already.", status=409)
    now = timezone.now()
    page.protection, page.protected_until = level, until(level, span, now)
    if rename_given:
        page.rename_protection = rename_level
        page.rename_protected_until = until(rename_level, rename_span, now)
    page.protection_reason = "" if opened else reason
    page.save(
        update_fields=[
            "protection",
            "protected_until",
            "protection_reason",
            "rename_protection",
            "rename_protected_until",
        ]
    )
    note(LogEntry.Kind.PROTECT, moderator, page=page, reason=reason, level=told(page, ""))
    return append_revision(
        page,
        author=moderator,
        author_name=moderator.get_username(),
        timestamp=now,
        summary=told(page, reason),
        minor=False,
        text=page.current.text if page.current else "",
        event=Revision.Event.PROTECTION,
    )


def refuse_unless_admin(moderator: User) -> None:
    if not is_admin(moderator):
        raise WikiError(
            "not_admin", "Only admins protect pages for admins, and end that.", status=403
        )


def until(level: str, span: str, now: datetime) -> datetime | None:
    """When a protection of ``level`` for ``span`` from ``now`` on ends."""
    lasts = None if level == Page.Protection.OPEN else SPANS[span]
    return now + lasts if lasts else None


def told(page: Page, reason: str) -> str:
    """The new protection as a line of the history."""
    said = in_words_until(page.protection, page.protected_until)
    if page.rename_level != Page.Protection.OPEN:
        renames = in_words_until(page.rename_protection, page.rename_protected_until)
        said += f"; {renames.replace('may edit', 'may rename')}"
    return said + (f": {reason}" if reason else "")


def in_words_until(level: str, end: datetime | None) -> str:
    return str(Page.Protection(level).label) + (f" until {in_words(end)} UTC" if end else "")
