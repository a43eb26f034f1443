"""Who may edit a page: changed by moderators, and told by a row in its history."""

from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Page, Revision
from wiki.services.edit import clean_summary
from wiki.services.history import append_revision
from wiki.services.rights import is_moderator
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
def protect(*, page_id: int, level: str, span: str, reason: str, moderator: User) -> Revision:
    """Let only people of ``level`` edit a page, for ``span``; returns the row that tells of it.

    Raises WikiError ``not_moderator``, ``bad_level``, ``bad_span``, ``no_reason``, ``long_reason``
    or ``unchanged``.
    """
    if not is_moderator(moderator):
        raise WikiError("not_moderator", "Only moderators may protect a page.", status=403)
    if level not in Page.Protection.values:
        raise WikiError("bad_level", "Choose who may edit this page.")
    if span not in SPANS:
        raise WikiError("bad_span", "Choose how long the protection lasts.")
    reason = clean_summary(reason)
    opened = level == Page.Protection.OPEN
    if not reason and not opened:
        raise WikiError("no_reason", "Say why: everybody who wants to edit will read it.")
    if len(reason) > MAX_REASON:
        raise WikiError("long_reason", f"A reason can have at most {MAX_REASON} characters.")
    page = Page.objects.select_for_update(of=("self",)).select_related("current").get(pk=page_id)
    if opened and page.level == Page.Protection.OPEN:
        raise WikiError("unchanged", "Everybody may edit this page already.", status=409)
    now, lasts = timezone.now(), None if opened else SPANS[span]
    page.protection = level
    page.protected_until = now + lasts if lasts else None
    page.protection_reason = "" if opened else reason
    page.save(update_fields=["protection", "protected_until", "protection_reason"])
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


def told(page: Page, reason: str) -> str:
    """The new protection as a line of the history."""
    words = str(Page.Protection(page.protection).label)
    until = f" until {in_words(page.protected_until)} UTC" if page.protected_until else ""
    return f"{words}{until}" + (f": {reason}" if reason else "")
