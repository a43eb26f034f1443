"""Clocks, bots, zombies and housekeeping, for the worker. Tasks run at least once and hold ids only."""

import logging

from celery import shared_task
from django.db.models import Min

from games import services
from games.models import Seat, Table
from games.services import clock

logger = logging.getLogger(__name__)

BATCH = 500  # tables a sweep looks at


@shared_task(acks_late=True)
def play_due(table_id: str) -> int:
    """Play for the bots and zombies that are due at a table. Safe to run twice, late or never: a
    move that is made is no longer due, and the sweep finds what was missed."""
    return services.enforce(table_id=table_id)


@shared_task(acks_late=True)
def sweep() -> int:
    """Enforce every clock that has run out, the oldest first; each second. Safe to run twice or at
    the same time: each table is looked at again under its lock (on PostgreSQL, a table that somebody
    else holds is left to them). Returns the number of rows added."""
    due = (
        Seat.objects.filter(
            expires_at__lte=clock.now(), table__status=Table.PLAYING, table__stopped_at=None
        )
        .values("table__public_id", "table__ply")
        .annotate(first=Min("expires_at"))
        .order_by("first")
        .values_list("table__public_id", "table__ply")[:BATCH]
    )
    added = 0
    for table_id, ply in list(due):
        try:
            added += services.enforce(table_id=table_id, skip_locked=True)
        except Exception:  # one broken table must not stop the clocks of the others
            if services.complaints.due(table_id):
                logger.exception("sweep failed: table=%s ply=%s", table_id, ply)
    return added


@shared_task(acks_late=True)
def follow_the_clock() -> int:
    """Bring back the tables whose last row lies ahead, since the server's clock was set back. Safe to run
    twice: what was brought back lies ahead no more. Returns the number of tables."""
    ahead = Table.objects.filter(
        status=Table.PLAYING, stopped_at=None, moved_at__gt=clock.now() + clock.SKEW
    )
    found = list(ahead.values_list("public_id", flat=True)[:BATCH])
    for table_id in found:
        services.enforce(table_id=table_id, skip_locked=True)
    return len(found)


@shared_task(acks_late=True)
def close_deserted() -> int:
    """End tables without people whose grace is over. Safe to run twice: an ended table, or one to
    which somebody has returned, is left alone. Returns how many ended."""
    deserted = Table.objects.filter(
        status=Table.PLAYING, deserted_at__isnull=False, stopped_at=None
    )
    waiting = list(deserted.values_list("public_id", flat=True)[:BATCH])
    return sum(services.abandon(table_id=table_id) for table_id in waiting)


@shared_task(acks_late=True)
def try_stopped() -> int:
    """Look whether the rules of today can read the tables that were stopped, and let those go on. Safe to
    run twice: what goes on is no longer stopped. Returns the number of rows added."""
    stopped = Table.objects.filter(status=Table.PLAYING, stopped_at__isnull=False)
    waiting = list(stopped.values_list("public_id", flat=True))
    return sum(services.enforce(table_id=table_id) for table_id in waiting)


@shared_task(acks_late=True)
def close_old_tables() -> int:
    """Remove open tables nobody started in two weeks. Safe to run twice: they are gone already."""
    count = services.close_old_tables()
    if count:
        logger.info("open tables removed: %s", count)
    return count


@shared_task(acks_late=True)
def tell_people() -> int:
    """Write to people at slow tables whose turn it is, or whose time runs out. Safe to run twice: a
    question is marked as told before the mail leaves. Returns how many mails left."""
    sent = 0
    for seat_id, what in services.people_to_tell():
        sent += services.tell(seat_id=seat_id, what=what)
    return sent
