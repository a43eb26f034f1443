"""Clocks, bots, zombies and housekeeping, for the worker. Tasks run at least once and hold ids only."""

import logging
from collections.abc import Callable, Iterable

from celery import shared_task
from django.db.models import Min

from games import door, services
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
def advise(table_id: str, ply: int, seat: int) -> bool:
    """Search for a hint that somebody asked for at ``ply``. Safe to run twice, late or never: the same is
    found again, nothing once the table has gone on, and who still waits asks again."""
    return services.find_hint(table_id=table_id, ply=ply, seat=seat)


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
    return sum(_each(due, _enforce_unlocked, "sweep"))


@shared_task(acks_late=True)
def follow_the_clock() -> int:
    """Bring back the tables whose last row lies ahead, since the server's clock was set back. Safe to run
    twice: what was brought back lies ahead no more. Returns the number of tables."""
    ahead = Table.objects.filter(
        status=Table.PLAYING, stopped_at=None, moved_at__gt=clock.now() + clock.SKEW
    )
    found = ahead.values_list("public_id", "ply")[:BATCH]
    return len(_each(found, _enforce_unlocked, "follow_the_clock"))


@shared_task(acks_late=True)
def close_deserted() -> int:
    """End tables without people whose grace is over. Safe to run twice: an ended table, or one to
    which somebody has returned, is left alone. Returns how many ended."""
    deserted = Table.objects.filter(
        status=Table.PLAYING, deserted_at__isnull=False, stopped_at=None
    )
    waiting = deserted.values_list("public_id", "ply")[:BATCH]
    return sum(_each(waiting, lambda one: services.abandon(table_id=one), "close_deserted"))


@shared_task(acks_late=True)
def try_stopped() -> int:
    """Look whether the rules of today can read the tables that were stopped, and let those go on. Safe to
    run twice: what goes on is no longer stopped. Returns the number of rows added."""
    stopped = Table.objects.filter(status=Table.PLAYING, stopped_at__isnull=False)
    waiting = stopped.values_list("public_id", "ply")
    return sum(_each(waiting, lambda one: services.enforce(table_id=one), "try_stopped"))


@shared_task(acks_late=True)
def close_old_tables() -> int:
    """Let open tables expire that nobody began in time. Safe to run twice: they have expired already."""
    count = services.close_old_tables()
    if count:
        logger.info("open tables expired: count=%s", count)
    return count


@shared_task(acks_late=True)
def tell_people() -> int:
    """Write to people at slow tables whose turn it is, or whose time runs out. Safe to run twice: a
    question is marked as told before the mail leaves. Returns how many mails left."""
    sent = 0
    for seat_id, what in services.people_to_tell():
        try:
            sent += services.tell(seat_id=seat_id, what=what)
        except Exception as error:  # noqa: BLE001 - told; the others wait for theirs
            if services.complaints.due(f"tell {seat_id}"):
                door.failure(error, seat=seat_id, doing="tell_people")
    return sent


def _each(tables: Iterable[tuple[str, int]], work: Callable[[str], int], doing: str) -> list[int]:
    """What ``work`` returns for each of ``tables``, (id, ply). One that is broken is logged, once a minute,
    and does not keep it from the others."""
    done = []
    for table_id, ply in list(tables):
        try:
            done.append(work(table_id))
        except Exception as error:  # noqa: BLE001 - told
            if services.complaints.due(table_id):
                door.failure(error, table=table_id, ply=ply, doing=doing)
    return done


def _enforce_unlocked(table_id: str) -> int:
    return services.enforce(table_id=table_id, skip_locked=True)
