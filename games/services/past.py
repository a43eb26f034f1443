"""What stood after any row of a table's log, for those who look back.

The log is played again from its set-up, without what had been taken back by then. A process keeps some
of the positions it has made, so that stepping through a game plays a few rows each time and not all of
them. Rows never change, so what is kept never goes stale.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import msgspec

from games.engine import BadOptions, IllegalMove, Match, Snapshot, get_game, read_options
from games.engine.match import ACT, UNDO, Row
from games.errors import CannotGoOn, NoSuchPly
from games.models import Table
from games.services.writing import AnyMatch, log_rows, match_of

STRIDE = 32  # every so many rows a position is kept
KEPT = 512  # positions that a process keeps, a few KB each

Key = tuple[str, bytes, int, int]  # id and seed of the table, version of its rules, ply


class _Positions:
    """The positions that were asked for last, as bytes; shared by all threads of the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, bytes] = OrderedDict()

    def get(self, key: Key) -> Snapshot | None:
        with self._lock:
            found = self._kept.get(key)
            if found is None:
                return None
            self._kept.move_to_end(key)
        return msgspec.msgpack.decode(found, type=Snapshot)

    def keep(self, key: Key, snapshot: Snapshot) -> None:
        data = msgspec.msgpack.encode(snapshot)
        with self._lock:
            self._kept[key] = data
            self._kept.move_to_end(key)
            while len(self._kept) > KEPT:
                self._kept.popitem(last=False)


_positions = _Positions()


def match_at(table: Table, seats: int, ply: int) -> AnyMatch:
    """The match of ``table`` as it stood right after row ``ply`` (0: the set-up).

    Only its state, its outcome and who is asked what mean something: one cannot go on from there. Raises
    ``NotPlaying`` before the start, ``NoSuchPly``, and ``CannotGoOn`` where the rules of today cannot read
    the table, or not the rows before they changed.
    """
    newest = match_of(table, seats)
    if not 0 <= ply <= table.ply:
        raise NoSuchPly(table.ply)
    if ply == table.ply:
        return newest
    if table.migrated or table.version != newest.game.version:
        raise CannotGoOn(
            "The rules have changed since this move was made: it can be read in the log, not shown."
        )
    try:
        return _played_to(table, seats, ply)
    except (BadOptions, IllegalMove, msgspec.MsgspecError) as error:
        raise CannotGoOn from error


def _played_to(table: Table, seats: int, ply: int) -> AnyMatch:
    seed = bytes(table.seed or b"")
    game = get_game(table.game)
    options = read_options(game.options_type, table.options)

    def key(at: int) -> Key:
        return table.public_id, seed, table.version, at

    match, rows = None, []
    near = range(ply, max(0, ply - STRIDE), -1)
    begun, snapshot = next(
        ((at, one) for at in near if (one := _positions.get(key(at)))), (0, None)
    )
    if snapshot is not None:
        rows = log_rows(table, after=begun, upto=ply)
        if not _reach_before(rows, begun):
            match = Match.resume(game, seats, options, seed, snapshot)
    if match is None:
        match, rows = Match.start(game, seats, options, seed), log_rows(table, upto=ply)
    gone = {_taken_back(row) for row in rows}
    for row in rows:
        if row.kind == ACT and row.seat is not None and row.number not in gone:
            match.act(row.seat, match.read_action(row.action))
        elif row.kind not in (ACT, UNDO):
            match.note(row.kind, row.seat, row.action)
        at = row.number
        if at == ply or (at % STRIDE == 0 and not _reach_before(rows, at)):
            _positions.keep(key(at), match.snapshot())
    return match


def _reach_before(rows: Sequence[Row], ply: int) -> bool:
    """Whether one of ``rows`` takes back the row ``ply`` or one before it, coming after it itself."""
    return any(0 < _taken_back(row) <= ply for row in rows if row.number > ply)


def _taken_back(row: Row) -> int:
    """The number of the row that ``row`` takes back; 0 where it takes none."""
    return int(row.action["row"]) if row.kind == UNDO else 0
