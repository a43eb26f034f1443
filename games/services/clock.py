"""What time it is, and how a seat's clock runs. Services ask nobody else, so that tests can move it.

A clock is ``bank`` ms in hand while it stands, and ``expires_at`` while it runs. Times in hand never
grow by waiting, by an undo, or twice for one move.

The server's own clock may be set while tables are played at. Forward: that counts as time that passed, as
after an outage; nobody can tell the two apart. Back: a table whose last row then lies ahead is brought back
(``set_back``), so that everybody has in hand what they had at that row, and bots do not sleep until it is as
late again. Rows are ordered by their numbers; their times may go back with the clock.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from games.models import Seat, Table

NETWORK_GRACE = timedelta(
    seconds=1
)  # a move that was under way when the clock ran out still counts


# a last row that lies ahead by less is that of another machine, whose clock is a little fast
SKEW = timedelta(seconds=5)


def now() -> datetime:
    """The present, aware, UTC."""
    return timezone.now()


def milliseconds(moment: datetime | None) -> int | None:
    """``moment`` as clients count: ms since 1970, UTC."""
    return None if moment is None else round(moment.timestamp() * 1000)


def bot_delay() -> timedelta:
    """How long the engine waits before it plays for a bot or a zombie."""
    return timedelta(seconds=settings.BOT_DELAY)


def left(seat: Seat, moment: datetime) -> int:
    """ms that ``seat`` has in hand, whether its clock runs or stands; 0 where there is no limit, and
    where time ran out and the others decide."""
    if seat.overdue_since is not None:
        return 0
    if seat.expires_at is None or seat.automatic:
        return seat.bank or 0
    return max(0, round((seat.expires_at - moment).total_seconds() * 1000))


def run(seat: Seat, moment: datetime) -> None:
    """Let the clock of a pending ``seat`` run; one that runs already goes on."""
    if seat.expires_at is not None:
        return
    if seat.automatic:
        seat.expires_at = moment + bot_delay()
    elif seat.bank is not None:
        seat.expires_at = moment + timedelta(milliseconds=seat.bank)


def stand(seat: Seat, moment: datetime) -> None:
    """Stop the clock of ``seat`` and keep what is left."""
    if seat.expires_at is not None and seat.bank is not None:
        seat.bank = left(seat, moment)
    seat.expires_at = seat.overdue_since = None


def reward(table: Table, seat: Seat, moment: datetime) -> int:
    """Give a person's ``seat`` the increment for its move, up to the cap; return the ms given."""
    if seat.automatic or seat.bank is None:
        return 0
    stand(seat, moment)
    given = max(0, min(table.increment, table.cap - seat.bank))
    seat.bank += given
    return given


def take_back(seat: Seat, given: int, moment: datetime) -> None:
    """Take back what a move that is undone was given; at least a second stays."""
    if seat.automatic or seat.bank is None or not given:
        return
    stand(seat, moment)
    seat.bank = max(min(seat.bank, 1000), seat.bank - given)


def ask(seat: Seat, ply: int, moment: datetime) -> None:
    """``seat`` is asked the question of row ``ply``; note since when."""
    if ply != seat.asked_at or seat.asked_since is None:
        seat.asked_since = moment
    seat.asked_at = ply


def set_back(table: Table, moment: datetime) -> timedelta:
    """How far the server's clock was set back since the last row of ``table``; zero where it was not."""
    ahead = (table.moved_at or moment) - moment
    return ahead if ahead > SKEW else timedelta(0)


def bring_back(seat: Seat, span: timedelta) -> None:
    """Move the times of ``seat`` back by ``span``, as the server's clock was."""
    for name in ("expires_at", "asked_since", "overdue_since"):
        moment = getattr(seat, name)
        if moment is not None:
            setattr(seat, name, moment - span)


def is_due(seat: Seat, moment: datetime) -> bool:
    """Whether the engine has to do something for ``seat``: play, or tell that its time is over."""
    if seat.expires_at is None:
        return False
    return seat.expires_at + (timedelta(0) if seat.automatic else NETWORK_GRACE) <= moment
