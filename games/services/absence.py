"""Those who are not there: clocks that run out, bots, people who leave and come back.

``enforce`` is the one function that does what is due. The sweep, the nudge after a commit and the
next reader all call it, so that a table goes on also where no worker runs.
"""

from __future__ import annotations

import logging
from collections.abc import Container
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from games.engine import Msg, choose
from games.errors import AccountNeeded, CannotGoOn, NotAbsent, SeatLeft, SeatTaken, TableNotFound
from games.ids import plain_id
from games.models import Ply, Seat, Table
from games.services import clock
from games.services.reading import find_table, seats_of
from games.services.writing import AnyMatch, RunningTable, match_of

logger = logging.getLogger(__name__)

ZOMBIE_LEVEL = 0  # the quietest move
READER_SLACK = timedelta(seconds=2)  # a reader leaves the worker so much time
DESERTED_LIVE = timedelta(minutes=10)  # a table without people waits so long for one to return
DESERTED_SLOW = timedelta(days=1)
PATIENCE = timedelta(days=1)  # without time limit: asked for longer, one may be set aside
COMPLAIN_EVERY = timedelta(minutes=1)
DECIDING_LEAST = timedelta(minutes=5)  # the others decide at least so long, and at most
DECIDING_MOST = timedelta(days=7)  # so long; then the engine plays


def enforce(*, table_id: str, skip_locked: bool = False) -> int:
    """Do what is due at a table: bots and zombies play one move each, time that ran out is told.

    Returns the number of rows added. Safe to call at any time, by anybody, twice: what is done is
    no longer due. Bots think before the lock is taken; a move counts only where the seat's question
    is still the one it was thought out for. A table that is over, not begun or (``skip_locked``)
    in somebody else's hands has nothing due. One that the rules of today cannot read is marked as stopped,
    and left alone by the sweep; once they can, it goes on.
    """
    try:
        thought = _think(table_id)
    except CannotGoOn:
        _stop(table_id)
        return 0
    if thought is None:
        return 0
    try:
        with transaction.atomic():
            return _enforce(table_id, thought, skip_locked)
    except TableNotFound:
        return 0


class _Complaints:
    """When a failure was last logged, by the table it befell (or another name): the sweep meets it each
    second, open pages every few."""

    def __init__(self) -> None:
        self._at: dict[str, datetime] = {}

    def due(self, name: str) -> bool:
        """Whether to log it: nobody did within ``COMPLAIN_EVERY``."""
        moment = clock.now()
        self._at = {one: at for one, at in self._at.items() if moment - at < COMPLAIN_EVERY}
        if name in self._at:
            return False
        self._at[name] = moment
        return True


complaints = _Complaints()


def overdue(seats: list[Seat]) -> bool:
    """Whether a reader has to ``enforce``: somebody is due for longer than a worker would take, or a
    seat's person is no more."""
    moment = clock.now()
    late = moment - READER_SLACK
    if seats and clock.set_back(seats[0].table, moment):
        return True
    return any(seat.vacant or clock.is_due(seat, late) for seat in seats)


@transaction.atomic
def leave(*, table_id: str, player: Any, origin: str = Ply.PLAYER) -> Ply:
    """Get up from a running table: the seat loses where the table has it so, else the engine plays on
    (where the others decide about time that ran out, there is nothing to wait for here). ``origin``: a
    moderator's, who has blocked the person.

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
    made = running.append(row, origin=origin, user=player)
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

    Raises NotPlaying, AccountNeeded, SeatTaken (no such seat, not left, not allowed; the newcomer sits at
    this table already, or has seen another hand of it).
    """
    running = RunningTable.lock(table_id)
    running.must_be_played()
    if any(other.user_id == player.pk for other in running.seats):
        raise SeatTaken("You sit at this table already.")
    if running.table.accounts_only and player.is_guest:
        raise AccountNeeded
    chair = running.seat_at(seat)
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
def set_aside(*, table_id: str, player: Any, seat: int, claim: bool = False) -> Ply:
    """Let the engine play for the person at ``seat``, who does not answer; they may come back.

    Any other person who sits there may do that, once ``may_be_set_aside``. ``claim``: end the game
    instead, which the absent person loses; only where ``may_be_claimed``. Raises NotSeated, NotPlaying,
    SeatLeft (the decider has left), NotAbsent (they still have time; nobody waits for them).
    """
    running = RunningTable.lock(table_id)
    mine = running.seat_of(player)
    running.must_be_played()
    if mine.zombie:
        raise SeatLeft
    chair = running.seat_at(seat)
    if chair is None or chair is mine:
        raise NotAbsent("Nobody else sits there.")
    if chair.zombie:
        raise NotAbsent("The game plays for that seat already.")
    if not may_be_set_aside(running.table, chair, running.match.keys, running.moment):
        raise NotAbsent
    if claim and not may_be_claimed(running.table, chair, len(running.seats)):
        raise NotAbsent("Nobody loses for that here: let the game play for them.")
    if claim:
        row = running.note("system", chair, _claimed_msg(mine, chair), {"effect": "forfeit"})
    else:
        row = running.note("system", chair, _set_aside_msg(mine, chair))
        _make_zombie(chair, running.moment)
    made = running.append(row, origin=Ply.PLAYER, user=player)
    running.save()
    return made


def may_be_set_aside(table: Table, seat: Seat, asked: Container[int], moment: datetime) -> bool:
    """Whether the others may let the engine play for ``seat``: it is asked something, and its time ran
    out, or nobody's time is limited and it has been asked for longer than ``PATIENCE``."""
    since = patient_until(table, seat, asked)
    return since is not None and since <= moment


def patient_until(table: Table, seat: Seat, asked: Container[int]) -> datetime | None:
    """When the others may set ``seat`` aside; None as long as that is not foreseen."""
    if seat.automatic or seat.vacant or seat.index not in asked:
        return None
    if seat.overdue_since is not None:
        return seat.overdue_since
    if table.bank is not None or seat.asked_since is None:
        return None
    return seat.asked_since + PATIENCE


def may_be_claimed(table: Table, seat: Seat, seats: int) -> bool:
    """Whether the other of two may let ``seat`` lose, whose time ran out. Without time limit nobody
    is hurried, so nobody loses by it."""
    return table.absence == Table.ASK and seats == 2 and seat.overdue_since is not None


def time_to_decide(table: Table) -> timedelta:
    """How long the others decide before the engine plays: an increment, within bounds."""
    span = timedelta(milliseconds=table.increment)
    return min(max(span, DECIDING_LEAST), DECIDING_MOST)


def abandon(*, table_id: str) -> bool:
    """End a table that has been without people for longer than its grace. Safe to run twice, or
    late: somebody who returned meanwhile keeps the table. Returns whether it ended."""
    try:
        return _abandon(table_id)
    except CannotGoOn:
        _stop(table_id)
        return False


@transaction.atomic
def _abandon(table_id: str) -> bool:
    running = RunningTable.lock(table_id)
    table = running.table
    if table.is_over or table.deserted_at is None:
        return False
    if running.moment < table.deserted_at + grace(table):
        return False
    _end(running, Msg("Nobody came back: the game is abandoned."))
    return True


@transaction.atomic
def make_way(*, table_id: str) -> None:
    """End a game against bots whose person begins another. Raises CannotGoOn, NotPlaying."""
    running = RunningTable.lock(table_id)
    running.must_be_played()
    _end(
        running, Msg("Too many games were begun: this one was untouched for longest and is closed.")
    )


def _end(running: RunningTable, msg: Msg) -> None:
    """End the game without a result."""
    row = running.note("system", None, msg, {"effect": "abandon"})
    running.append(row, origin=Ply.CLOCK)
    running.save()


def grace(table: Table) -> timedelta:
    """How long ``table`` waits for somebody to return when nobody is left."""
    return DESERTED_LIVE if table.pace_info.kind == "live" else DESERTED_SLOW


def _think(table_id: str) -> tuple[int, dict[int, Any]] | None:
    """(ply, seat -> action as JSON) of the bots and zombies that are due; None where nothing is."""
    try:
        table = find_table(table_id)
    except TableNotFound:
        return None
    if table.status != Table.PLAYING:
        return None
    seats = seats_of(table)
    moment = clock.now()
    due = [seat for seat in seats if seat.vacant or clock.is_due(seat, moment)]
    if not due and table.stopped_at is None and not clock.set_back(table, moment):
        return None
    match = match_of(table, len(seats))
    playing = [seat for seat in due if seat.automatic and seat.index in match.keys]
    return table.ply, {seat.index: _choose(table, match, seat) for seat in playing}


def _choose(table: Table, match: AnyMatch, seat: Seat) -> Any:
    """The move of a bot or zombie. Where a bot's thinking fails, which is our defect, it takes the quietest
    move, so that the table goes on."""
    try:
        return choose(match, seat.index, _level(seat))
    except Exception:
        logger.exception(
            "bot failed: table=%s ply=%s seat=%s", table.public_id, table.ply, seat.index
        )
        return choose(match, seat.index, ZOMBIE_LEVEL)


def _enforce(table_id: str, thought: tuple[int, dict[int, Any]], skip_locked: bool) -> int:
    ply, actions = thought
    running = RunningTable.lock(table_id, skip_locked=skip_locked)
    if running.table.is_over:
        return 0
    added = 0
    if running.table.stopped_at is not None:
        _go_on(running)
        added += 1
    for seat in running.seats:
        if running.match.outcome is not None:
            break
        if seat.vacant:
            _empty(running, seat)
        elif not clock.is_due(seat, running.moment) or seat.index not in running.match.keys:
            continue
        elif not seat.automatic:
            _time_out(running, seat)
        elif seat.index in actions and running.match.asked_at[seat.index] <= ply:
            row = running.match.act(seat.index, actions[seat.index])
            seat.expires_at = None
            running.append(row, origin=Ply.BOT if seat.kind == Seat.BOT else Ply.ZOMBIE)
        else:
            continue
        added += 1
    if added or running.set_back:
        running.save()
    return added


def _stop(table_id: str) -> None:
    """Mark a table that the rules of today cannot read."""
    going = Table.objects.filter(public_id=plain_id(table_id), status=Table.PLAYING)
    if going.filter(stopped_at=None).update(stopped_at=clock.now()):
        table = find_table(table_id)
        logger.error(
            "table cannot go on by the rules of today: table=%s ply=%s", table.public_id, table.ply
        )


def _go_on(running: RunningTable) -> None:
    """The rules can read the table again. Nobody's time ran out while it stood still."""
    running.table.stopped_at = None
    least = timedelta(milliseconds=running.table.pace_info.least)
    for seat in running.seats:
        if seat.expires_at is not None and not seat.automatic:
            seat.expires_at = max(seat.expires_at, running.moment + least)
    row = running.note("system", None, Msg("The table goes on, by the rules of today."))
    running.append(row, origin=Ply.CLOCK)
    logger.info("table goes on: table=%s ply=%s", running.table.public_id, row.number)


def _empty(running: RunningTable, seat: Seat) -> None:
    """The engine takes the ``seat`` of a person whose account is no more."""
    msg = Msg("{seat} is no longer here; the game plays on for this seat.", seat=seat.index)
    row = running.note("leave", seat, msg)
    _make_zombie(seat, running.moment)
    running.append(row, origin=Ply.CLOCK)
    logger.info(
        "seat without account: table=%s ply=%s seat=%s",
        running.table.public_id,
        row.number,
        seat.index,
    )


def _time_out(running: RunningTable, seat: Seat) -> None:
    table, decided = running.table, seat.overdue_since is not None
    seat.bank = 0
    if table.absence == Table.ASK and not decided and running.others_present(seat):
        row = running.note("time-out", seat, _overdue_msg(seat))
        seat.overdue_since = running.moment
        seat.expires_at = running.moment + time_to_decide(table)
    elif decided:
        row = running.note("time-out", seat, _undecided_msg(seat))
        _make_zombie(seat, running.moment)
    elif table.absence == Table.FORFEIT:
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
    logger.info("time ran out: table=%s ply=%s seat=%s", table.public_id, row.number, seat.index)


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


def _overdue_msg(seat: Seat) -> Msg:
    return Msg(
        "{seat} ran out of time; the others decide.",
        you="You ran out of time. You may still move, until the others let the game play for you.",
        seat=seat.index,
    )


def _undecided_msg(seat: Seat) -> Msg:
    return Msg(
        "Nobody decided; the game plays on for {seat}.",
        you="Nobody decided; the game plays for you until you return.",
        seat=seat.index,
    )


def _set_aside_msg(by: Seat, seat: Seat) -> Msg:
    return Msg(
        "{seat_by} lets the game play for {seat}.",
        you="{seat_by} lets the game play for you until you return.",
        seat=seat.index,
        seat_by=by.index,
    )


def _claimed_msg(by: Seat, seat: Seat) -> Msg:
    return Msg(
        "{seat} ran out of time and loses, as {seat_by} decided.",
        you="You ran out of time and lose, as {seat_by} decided.",
        seat=seat.index,
        seat_by=by.index,
    )


def _left_msg(seat: Seat) -> Msg:
    return Msg(
        "{seat} left; the game plays on for this seat.",
        you="You left; the game plays for you until you return.",
        seat=seat.index,
    )
