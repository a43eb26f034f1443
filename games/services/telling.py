"""Mail for those who play slowly: it is your turn; your time runs out.

Found by looking, each minute, so that nothing is lost with a worker. A question is told once and its
end warned of once: ``Seat.told_turn`` and ``told_end`` hold its ply, written before the mail leaves.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.db.models import F, Q, QuerySet

from games import hooks
from games.engine import game_name
from games.models import Seat, Table
from games.paces import PACES
from games.services import clock
from games.services.reading import lock_table

logger = logging.getLogger(__name__)

SETTLED = timedelta(minutes=1)  # a question this young may be answered yet by somebody who is there
TURN, END = "turn", "end"
AFTERWARDS = {
    Table.ZOMBIE: "the game plays on for you",
    Table.FORFEIT: "you lose",
    Table.ASK: "the others decide how it goes on",
}


def people_to_tell() -> list[tuple[int, str]]:
    """(seat, what) of everybody who may have to be told something: their turn, or its end."""
    moment = clock.now()
    asked = _asked()
    turns = asked.filter(table__moved_at__lte=moment - SETTLED).exclude(told_turn=F("asked_at"))
    ends = asked.filter(_ending(moment), overdue_since=None).exclude(told_end=F("asked_at"))
    return [(pk, END) for pk in ends.values_list("pk", flat=True)] + [
        (pk, TURN) for pk in turns.values_list("pk", flat=True)
    ]


@transaction.atomic
def tell(*, seat_id: int, what: str) -> bool:
    """Write to the person at a seat, where that is still due; return whether a mail leaves.

    Twice does no harm: the question is marked as told under the table's lock. A mail that the mail
    server refuses is logged and not sent again.
    """
    found = _asked().select_related("table", "user").filter(pk=seat_id).first()
    address = None if found is None else hooks.mail_address(found.user)
    if found is None or address is None:
        return False
    table = lock_table(found.table.public_id)
    seat = _asked().filter(pk=seat_id, user=found.user).first()
    column = f"told_{what}"
    if seat is None or getattr(seat, column) == seat.asked_at:
        return False
    setattr(seat, column, seat.asked_at)
    seat.save(update_fields=[column])
    if what == TURN and _needs_no_telling(table, seat):
        return False
    transaction.on_commit(partial(_send, table, address, *_words(table, seat, what)))
    return True


def _asked() -> QuerySet[Seat]:
    """Seats of people who are asked something at a slow table."""
    slow = [pace.key for pace in PACES.values() if pace.kind == "slow"]
    return Seat.objects.filter(
        table__status=Table.PLAYING,
        table__pace__in=slow,
        kind=Seat.PERSON,
        zombie=False,
        user__isnull=False,
        expires_at__isnull=False,
    )


def _ending(moment: datetime) -> Q:
    """Less than a quarter of an increment is left."""
    found = Q(pk__isnull=True)
    for pace in PACES.values():
        if pace.kind == "slow":
            span = timedelta(milliseconds=pace.increment / 4)
            found |= Q(table__pace=pace.key, expires_at__lte=moment + span, expires_at__gt=moment)
    return found


def _needs_no_telling(table: Table, seat: Seat) -> bool:
    """The person has just moved and moves again, or plays against bots alone, who answer at once."""
    if seat.overdue_since is not None:
        return False
    last = table.plies.order_by("-number").first()
    if last is not None and last.seat == seat.index:
        return True
    others = table.seats.exclude(pk=seat.pk)
    return not others.filter(kind=Seat.PERSON, zombie=False).exists()


def _words(table: Table, seat: Seat, what: str) -> tuple[str, str]:
    """Subject and text."""
    name = game_name(table.game)
    url = f"{settings.SITE_URL.rstrip('/')}{table.get_absolute_url()}"
    until = f"{seat.expires_at:%A, %d %B, %H:%M} UTC"
    if what == END:
        subject = f"{name}: your time runs out"
        text = f"Your time at this table ends on {until}; then {AFTERWARDS[table.absence]}."
    elif seat.overdue_since is not None:
        subject = f"{name}: your time has run out"
        text = (
            "You may still move, until the others let the game play for you. "
            f"If nobody decides, it plays from {until} on."
        )
    else:
        subject = f"{name}: it is your turn"
        text = f"It is your turn. You have time until {until}."
    return subject, f"{text}\n\n{url}\n\nTable {table.dashed_id}, {table.pace_info.words}.\n"


def _send(table: Table, address: str, subject: str, text: str) -> None:
    try:
        send_mail(subject, text, None, [address])
    except OSError as error:  # its words may hold the address
        name = type(error).__name__
        logger.warning("mail lost: table=%s ply=%s error=%s", table.public_id, table.ply, name)
