"""Those who are not there: clocks that run out, bots, people who leave and come back.

``enforce`` is the one function that does what is due. The sweep, the nudge after a commit and the
next reader all call it, so that a table goes on also where no worker runs.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.engine import Msg, choose
from games.errors import SeatLeft, SeatTaken, TableNotFound
from games.models import Ply, Seat, Table
from games.services import clock
from games.services.writing import RunningTable, match_of

logger = logging.getLogger(__name__)

ZOMBIE_LEVEL = 0  # the quietest move
READER_SLACK = timedelta(seconds=2)  # a reader leaves the worker so much time
DESERTED_LIVE = timedelta(minutes=10)  # a table without people waits so long for one to return
DESERTED_SLOW = timedelta(days=1)


def enforce(*, table_id: str, skip_locked: bool = False) -> int:
    """Do what is due at a table: bots and zombies play one move each, time that ran out is told.

    Returns the number of rows added. Safe to call at any time, by anybody, twice: what is done is
    no longer due. Bots think before the lock is taken; a move counts only where the seat's question
    is still the one it was thought out for. A table that is over, not begun or (``skip_locked``)
    in somebody else's hands has nothing due.
    """
    thought = _think(table_id)
    if thought is None:
        return 0
    try:
        with transaction.atomic():
            return _enforce(table_id, thought, skip_locked)
    except TableNotFound:
        return 0


def overdue(seats: list[Seat]) -> bool:
    """Whether a reader has to ``enforce``: somebody is due for longer than a worker would take."""
    late = clock.now() - READER_SLACK
    return any(clock.is_due(seat, late) for seat in seats)


@transaction.atomic
def leave(*, table_id: str, player: Any) -> Ply:
    """Get up from a running table: the engine plays on, or the seat loses, as the table has it.

    Raises NotSeated, NotPlaying, SeatLeft (already gone).
    """
    running = RunningTable.lock(table_id)
    seat = running.seat_of(player)
    running.must_be_played()
    if seat.zombie:
        raise SeatLeft
    if running.table.absence == Table.FORFEIT:
        row = running.note("leave", seat, _gives_up(seat), {"effect": "forfeit"})
    else:
        row = running.note("leave", seat, _left_msg(seat))
        _make_zombie(seat, running.moment)
    made = running.append(row, origin=Ply.PLAYER, user=player)
    running.save()
    return made


@transaction.atomic
def come_back(*, table_id: str, player: Any) -> Ply:
    """Take one's own seat again, as long as nobody else has. Raises NotSeated, NotPlaying, SeatTaken."""
    running = RunningTable.lock(table_id)
    seat = running.seat_of(player)
    running.must_be_played()
    if not seat.zombie:
        raise SeatTaken("You sit there: nobody plays for you.")
    msg = Msg("{seat} is back.", you="You are back.", seat=seat.index)
    row = running.note("return", seat, msg)
    _sit_down(running, seat)
    made = running.append(row, origin=Ply.PLAYER, user=player)
    running.save()
    return made


@transaction.atomic
def take_over(*, table_id: str, player: Any, seat: int) -> Ply:
    """Sit down for somebody who left. From now on the seat is the newcomer's, who reads what was
    told to it alone only from here on.

    Raises NotPlaying, SeatTaken (no such seat, not left, not allowed; the newcomer sits at this table
    already, or has seen another hand of it).
    """
    running = RunningTable.lock(table_id)
    running.must_be_played()
    if any(other.user_id == player.pk for other in running.seats):
        raise SeatTaken("You sit at this table already.")
    chair = next((chair for chair in running.seats if chair.index == seat), None)
    if chair is None or not chair.zombie or not running.table.may_take_over:
        raise SeatTaken("That seat cannot be taken over.")
    if _seats_given_up(running.table, player) - {seat}:
        raise SeatTaken("You have seen another hand of this game.")
    former_id = chair.user_id
    former, chair.user, chair.kept_name = chair.name, player, player.get_username()
    msg = Msg(
        "{seat} takes the seat of {former}.",
        you="You take the seat of {former}.",
        seat=seat,
        former=former,
    )
    row = running.note("take-over", chair, msg, {"former": former_id})
    chair.since = row.number
    _sit_down(running, chair)
    made = running.append(row, origin=Ply.PLAYER, user=player)
    running.save()
    return made


@transaction.atomic
def abandon(*, table_id: str) -> bool:
    """End a table that has been without people for longer than its grace. Safe to run twice, or
    late: somebody who returned meanwhile keeps the table. Returns whether it ended."""
    running = RunningTable.lock(table_id)
    table = running.table
    if table.is_over or table.deserted_at is None:
        return False
    if running.moment < table.deserted_at + grace(table):
        return False
    row = running.note(
        "system", None, Msg("Nobody came back: the game is abandoned."), {"effect": "abandon"}
    )
    running.append(row, origin=Ply.CLOCK)
    running.save()
    return True


def grace(table: Table) -> timedelta:
    """How long ``table`` waits for somebody to return when nobody is left."""
    return DESERTED_LIVE if table.pace_info.kind == "live" else DESERTED_SLOW


def _think(table_id: str) -> tuple[int, dict[int, Any]] | None:
    """(ply, seat -> action as JSON) of the bots and zombies that are due; None where nothing is."""
    table = Table.objects.filter(public_id=table_id, status=Table.PLAYING).first()
    if table is None:
        return None
    seats = list(table.seats.all())
    moment = clock.now()
    due = [seat for seat in seats if clock.is_due(seat, moment)]
    if not due:
        return None
    match = match_of(table, len(seats))
    playing = [seat for seat in due if seat.automatic and seat.index in match.keys]
    return table.ply, {seat.index: choose(match, seat.index, _level(seat)) for seat in playing}


def _enforce(table_id: str, thought: tuple[int, dict[int, Any]], skip_locked: bool) -> int:
    ply, actions = thought
    running = RunningTable.lock(table_id, skip_locked=skip_locked)
    if running.table.is_over:
        return 0
    added = 0
    for seat in running.seats:
        if running.match.outcome is not None:
            break
        if not clock.is_due(seat, running.moment) or seat.index not in running.match.keys:
            continue
        if not seat.automatic:
            _time_out(running, seat)
        elif seat.index in actions and running.match.asked_at[seat.index] <= ply:
            row = running.match.act(seat.index, actions[seat.index])
            seat.expires_at = None
            running.append(row, origin=Ply.BOT if seat.kind == Seat.BOT else Ply.ZOMBIE)
        else:
            continue
        added += 1
    if added:
        running.save()
    return added


def _time_out(running: RunningTable, seat: Seat) -> None:
    seat.bank = 0
    if running.table.absence == Table.FORFEIT:
        msg = Msg(
            "{seat} ran out of time and loses.",
            you="You ran out of time and lose.",
            seat=seat.index,
        )
        row = running.note("time-out", seat, msg, {"effect": "forfeit"})
    else:
        msg = Msg(
            "{seat} ran out of time; the game plays on for this seat.",
            you="You ran out of time; the game plays for you until you return.",
            seat=seat.index,
        )
        row = running.note("time-out", seat, msg)
        _make_zombie(seat, running.moment)
    running.append(row, origin=Ply.CLOCK)
    logger.info(
        "time ran out: table=%s seat=%s ply=%s", running.table.public_id, seat.index, row.number
    )


def _make_zombie(seat: Seat, moment: datetime) -> None:
    clock.stand(seat, moment)
    seat.zombie = True


def _sit_down(running: RunningTable, seat: Seat) -> None:
    """A person sits at the zombie's ``seat`` again, with some time in hand."""
    seat.zombie, seat.expires_at = False, None
    if running.table.bank is not None:
        seat.bank = max(seat.bank or 0, running.table.pace_info.least)


def _seats_given_up(table: Table, player: Any) -> set[int]:
    """Seats of ``player`` that others have taken over."""
    given = table.plies.filter(kind="take-over", action__former=player.pk)
    return set(given.values_list("seat", flat=True))


def _level(seat: Seat) -> int:
    return seat.bot_level if seat.kind == Seat.BOT else ZOMBIE_LEVEL


def _gives_up(seat: Seat) -> Msg:
    return Msg("{seat} gives up.", you="You give up.", seat=seat.index)


def _left_msg(seat: Seat) -> Msg:
    return Msg(
        "{seat} left; the game plays on for this seat.",
        you="You left; the game plays for you until you return.",
        seat=seat.index,
    )
