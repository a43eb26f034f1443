"""Mail for those who asked for it: once a day, what is new on their watch list, and their notices."""

import logging
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from wiki import hooks, selectors
from wiki.models import Notice, Revision, WatchList
from wiki.services.notices import unread
from wiki.services.summary import plain_summary
from wiki.times import in_words

logger = logging.getLogger(__name__)

EVERY = timedelta(days=1)
TOLD = 30  # notices a mail lists, and changes


def due(now: datetime) -> QuerySet[WatchList]:
    """Lists whose owners asked for mail and got none for a day."""
    waited = Q(mailed_at=None) | Q(mailed_at__lte=now - EVERY)
    return WatchList.objects.filter(waited, mail=True, user__is_active=True)


@transaction.atomic
def send_digest(list_id: int) -> bool:
    """Write to the owner of a watch list, where that is still due; return whether a mail leaves.

    Twice does no harm: when it was done is written before the mail leaves. A mail that the mail
    server refuses is logged and not sent again.
    """
    now = timezone.now()
    row = due(now).select_for_update(of=("self",)).select_related("user").filter(pk=list_id).first()
    address = None if row is None else hooks.mail_address(row.user)
    if row is None or address is None:
        return False
    told, found = unread(row.user), selectors.unseen(row.user)
    found = found.exclude(pk__in=told.order_by().values("revision"))
    if row.mailed_at is not None:
        told = told.filter(at__gt=row.mailed_at)
        found = found.filter(created_at__gt=row.mailed_at)
    counts = told.count(), found.count()
    if not any(counts):
        return False
    row.mailed_at = now
    row.save(update_fields=["mailed_at"])
    mail = words(counts, list(told[:TOLD]), list(found[:TOLD]))
    transaction.on_commit(partial(_send, address, *mail))
    return True


def words(
    counts: tuple[int, int], notices: list[Notice], changes: list[Revision]
) -> tuple[str, str]:
    """Subject and text. ``counts``: of all notices and changes, of which the first are listed."""
    site = settings.SITE_URL.rstrip("/")
    lines = [notice_line(row, site) for row in notices] + [line(row, site) for row in changes]
    if sum(counts) > len(lines):
        lines.append(f"... and {sum(counts) - len(lines)} more.")
    said = [
        f"{count} {word}{'' if count == 1 else 's'}"
        for count, word in zip(counts, ("notice", "change"), strict=True)
        if count
    ]
    home = f"{site}{reverse('wiki_watchlist')}"
    end = f"Your watch list, where you can also end these mails:\n{home}\n"
    return f"Your watch list: {' and '.join(said)}", "\n\n".join([*lines, end])


def notice_line(row: Notice, site: str) -> str:
    """One notice: who did what, where, when, and where to see it."""
    when = in_words(row.at) + " UTC"
    did = f"{row.revision.author_name} {row.get_kind_display()}: {row.revision.page.title}, {when}"
    return f"{did}\n{site}{reverse('wiki_notice', args=[row.pk])}"


def line(row: Revision, site: str) -> str:
    """One change: the page, who, when, why, and where to see it."""
    diff = reverse("wiki_diff", args=[row.page.slug, row.parent_id or 0, row.pk])
    when = in_words(row.timestamp) + " UTC" if row.timestamp else "undated"
    why = f": {plain_summary(row.summary)}" if row.summary else ""
    return f"{row.page.title}, {row.author_name}, {when}{why}\n{site}{diff}"


def _send(address: str, subject: str, text: str) -> None:
    try:
        send_mail(subject, text, None, [address])
    except OSError as error:  # its words may hold the address
        logger.warning("mail lost: subject=%s error=%s", subject, type(error).__name__)
