"""What somebody who sits at a running table does: act, take back, ask whether a move would do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import msgspec
from django.db import IntegrityError, transaction
from django.db.models import F

from games.engine import GameError, IllegalMove, Msg, get_game
from games.engine.match import ACT, UNDO
from games.errors import KeyUsed, SeatLeft, StaleView
from games.ids import plain_id
from games.models import Ply, Seat
from games.services import clock
from games.services.absence import enforce
from games.services.writing import RunningTable, log_rows

T = TypeVar("T")


class _Overdue(Exception):
    """Something is due at the table that nobody has enforced yet."""


def act(*, table_id: str, player: Any, ply: int, key: str, action: Any) -> Ply:
    """Take ``action`` (JSON) for ``player`` and return its log row; a resent ``key`` finds its own.

    ``ply`` is where the player was looking. Raises TableNotFound, NotPlaying, NotSeated, SeatLeft,
    StaleView, IllegalMove or KeyUsed; then nothing is saved (but a clock that had run out is enforced).
    """
    return _once(
        table_id,
        player,
        key,
        lambda: _act(table_id, player, ply, key, action),
        lambda row: row.kind == ACT and _same_action(row, action),
    )


def undo(*, table_id: str, player: Any, key: str) -> Ply:
    """Take back the last move of ``player`` and return the row that says so; see ``Match.undoable``.

    Raises as ``act``; ``IllegalMove`` ("nothing_to_undo") where nothing can be taken back.
    """
    return _once(
        table_id,
        player,
        key,
        lambda: _undo(table_id, player, key),
        lambda row: row.kind == UNDO,
    )


def check(*, table_id: str, player: Any, ply: int, action: Any) -> Msg:
    """What ``action`` would be, in words, were it taken now. Changes and locks nothing. Raises as
    ``act``."""
    running = RunningTable.look(table_id)
    seat = _acting_seat(running, player, ply)
    found = running.match.read_action(action)
    running.match.check(seat.index, found)
    return running.match.game.label(running.match.state, seat.index, found)


def _once(
    table_id: str,
    player: Any,
    key: str,
    work: Callable[[], Ply],
    same: Callable[[Ply], bool],
) -> Ply:
    """Do ``work``, unless ``player`` has sent it with this ``key`` before: then the row of that time.
    Raises ``KeyUsed`` where that row is not the ``same`` order.

    A key that is known makes itself felt: by a refusal, since the question was answered, or by the
    database, which takes one row for each key. So what comes for the first time costs no look-up.
    """
    try:
        return _in_time(table_id, work)
    except (GameError, IntegrityError):
        known = _known(table_id, player, key)
        if known is None:
            raise
        if not same(known):
            raise KeyUsed from None
        return known


def _known(table_id: str, player: Any, key: str) -> Ply | None:
    """The row that ``player`` sent with this ``key`` from where they sit, if any. Whoever sat there
    before had keys of their own."""
    if not key or player is None or player.pk is None:
        return None
    return Ply.objects.filter(
        table__public_id=plain_id(table_id),
        table__seats__user=player,
        table__seats__user__is_active=True,
        table__seats__index=F("seat"),
        user=player,
        key=key,
    ).first()


def _same_action(row: Ply, action: Any) -> bool:
    """Whether ``action`` (JSON) is the one of ``row``."""
    if row.action == action:
        return True
    kind = get_game(row.table.game).action_type
    try:
        return bool(msgspec.convert(row.action, kind) == msgspec.convert(action, kind))
    except msgspec.ValidationError:
        return False


def _in_time(table_id: str, work: Callable[[], T]) -> T:
    """Do ``work``; where a clock has run out, enforce that first, in a transaction of its own."""
    try:
        return work()
    except _Overdue:
        enforce(table_id=table_id)
        return work()


@transaction.atomic
def _act(table_id: str, player: Any, ply: int, key: str, action: Any) -> Ply:
    running = RunningTable.lock(table_id)
    seat = running.seat_of(player)
    _nobody_overdue(running)
    _acting_seat(running, player, ply)
    row = running.match.act(seat.index, running.match.read_action(action))
    given = clock.reward(running.table, seat, running.moment)
    made = running.append(row, origin=Ply.PLAYER, user=player, key=key, given=given)
    running.save()
    return made


@transaction.atomic
def _undo(table_id: str, player: Any, key: str) -> Ply:
    running = RunningTable.lock(table_id)
    seat = running.seat_of(player)
    _nobody_overdue(running)
    _acting_seat(running, player, running.table.ply)
    if running.table.migrated:
        raise IllegalMove("nothing_to_undo", "The rules have changed: nothing can be taken back.")
    row = running.match.undo(seat.index, log_rows(running.table))
    undone = running.table.plies.get(number=row.action["row"])
    undone.undone_by = row.number
    undone.save(update_fields=["undone_by"])
    clock.take_back(seat, undone.given, running.moment)
    made = running.append(row, origin=Ply.PLAYER, user=player, key=key)
    running.save()
    return made


def _acting_seat(running: RunningTable, player: Any, ply: int) -> Seat:
    """The seat of ``player``, who looks at ``ply`` and may act on what is seen there."""
    seat = running.seat_of(player)
    if running.table.is_over:
        raise IllegalMove("finished", "The game is over.")
    if seat.zombie:
        raise SeatLeft
    if ply < running.match.asked_at[seat.index]:
        raise StaleView
    return seat


def _nobody_overdue(running: RunningTable) -> None:
    if running.table.stopped_at is not None:
        raise _Overdue
    for seat in running.seats:
        if seat.vacant or (not seat.automatic and clock.is_due(seat, running.moment)):
            raise _Overdue
