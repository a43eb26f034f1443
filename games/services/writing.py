"""The one way in which the log of a running table grows.

lock -> check -> apply -> insert ``Ply``, update table and clocks -> commit -> hint; a known client key is
answered again (``playing``). Every service that adds a row goes through ``RunningTable``; UNIQUE (table,
number) and UNIQUE (table, seat, key) are the last word. A store that holds live tables in memory would take this module's place.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import models

from games.engine import (
    BadOptions,
    IllegalMove,
    Match,
    Msg,
    Outcome,
    Row,
    Snapshot,
    UnknownGame,
    get_game,
    read_options,
)
from games.errors import CannotGoOn, NotPlaying, NotSeated, RulesAway
from games.models import Ply, Seat, Table
from games.services import clock
from games.services.hints import hint
from games.services.reading import find_table, lock_table, seats_of

logger = logging.getLogger(__name__)

AnyMatch = Match[Any, Any, Any]


def match_of(table: Table, seats: int) -> AnyMatch:
    """The match of a table that has begun, from its snapshot. Raises ``NotPlaying`` before that, and
    ``CannotGoOn`` where the rules of today cannot read it (``RulesAway``: there are none).

    A state that is brought up to newer rules is a barrier for undo: the log before it was played by
    the older ones and cannot be replayed.
    """
    if table.seed is None:
        raise NotPlaying("This table has not begun yet.")
    try:
        game = get_game(table.game)
    except UnknownGame as error:
        raise RulesAway from error
    try:
        options = read_options(game.options_type, table.options)
        snapshot = msgspec.json.decode(table.snapshot, type=Snapshot)
        if table.version != game.version:
            state = game.migrate(snapshot.state, table.version)
            snapshot.state = msgspec.to_builtins(state)
            snapshot.choices, snapshot.last, snapshot.last_seat = {}, 0, -1
        return Match.resume(game, seats, options, bytes(table.seed), snapshot)
    except (BadOptions, IllegalMove, msgspec.MsgspecError) as error:
        raise CannotGoOn from error


def log_rows(table: Table, *, after: int = 0, upto: int | None = None) -> list[Row]:
    """The rows after ply ``after`` (``upto`` the other at most) as the engine reads them; the whole log
    without."""
    rows = table.plies.filter(number__gt=after).order_by("number")
    if upto is not None:
        rows = rows.filter(number__lte=upto)
    return [
        Row(
            number=ply.number,
            kind=ply.kind,
            seat=ply.seat,
            action=ply.action,
            rng=ply.rng,
            barrier=ply.barrier,
        )
        for ply in rows
    ]


class RunningTable:
    """A table under its lock: its seats, its match, and the rows that are added to it."""

    def __init__(self, table: Table, moment: datetime) -> None:
        self.table = table
        self.seats = seats_of(table)
        self.match = match_of(table, len(self.seats))
        self.moment = moment
        self.set_back = timedelta(0)  # how far the server's clock was, since the last row
        self._before = [_values(seat, SEAT_COLUMNS) for seat in self.seats]
        self._table_before = _values(table, TABLE_COLUMNS)

    @classmethod
    def lock(cls, table_id: str, *, skip_locked: bool = False) -> RunningTable:
        """Lock and load. Raises ``TableNotFound``, or ``NotPlaying`` where it has not begun."""
        running = cls(lock_table(table_id, skip_locked=skip_locked), clock.now())
        running._follow_the_clock()
        return running

    @classmethod
    def look(cls, table_id: str) -> RunningTable:
        """Load without a lock, only to ask. Raises as ``lock``."""
        return cls(find_table(table_id), clock.now())

    def _follow_the_clock(self) -> None:
        """Bring the times of the table back where the server's clock was set back (``clock.set_back``)."""
        self.set_back = clock.set_back(self.table, self.moment)
        if not self.set_back:
            return
        for seat in self.seats:
            clock.bring_back(seat, self.set_back)
        if self.table.deserted_at is not None:
            self.table.deserted_at -= self.set_back
        logger.warning(
            "clock was set back: table=%s ply=%s by=%s",
            self.table.public_id,
            self.table.ply,
            self.set_back,
        )

    def seat_of(self, player: Any) -> Seat:
        """Where ``player`` sits. Raises ``NotSeated``, also where the account has been closed since
        (``player`` may be as old as a socket)."""
        for seat in self.seats:
            if player is not None and player.pk is not None and seat.user_id == player.pk:
                if not seat.user.is_active:
                    raise NotSeated("This account has been closed.")
                return seat
        raise NotSeated

    def seat_at(self, index: int) -> Seat | None:
        """The seat of this index; None where there is none."""
        return next((seat for seat in self.seats if seat.index == index), None)

    def others_present(self, seat: Seat) -> bool:
        """Whether other people than that of ``seat`` sit here and have not left."""
        return any(
            other.kind == Seat.PERSON and not other.zombie and not other.vacant
            for other in self.seats
            if other is not seat
        )

    def must_be_played(self) -> None:
        """Raise ``NotPlaying`` where the game is over."""
        if self.table.is_over:
            raise NotPlaying("The game is over.")

    def append(
        self,
        row: Row,
        *,
        origin: str,
        user: Any = None,
        key: str | None = None,
        given: int = 0,
    ) -> Ply:
        """Add ``row``, which the match has just made, to the log."""
        return Ply.objects.create(
            table=self.table,
            number=row.number,
            kind=row.kind,
            seat=row.seat,
            origin=origin,
            user=user,
            action=row.action,
            lines=msgspec.to_builtins(row.lines),
            rng=row.rng,
            barrier=row.barrier,
            key=key or None,
            given=given,
            at=self.moment,
        )

    def save(self) -> None:
        """Write table and seats as the match stands now, run the clocks of those who are asked, and
        hint after the commit."""
        table, match = self.table, self.match
        table.ply, table.moved_at = match.ply, self.moment
        table.migrated |= table.version != match.game.version
        table.version = match.game.version
        table.snapshot = msgspec.json.encode(match.snapshot()).decode()
        self._mind_the_empty_table()
        if match.outcome is not None:
            self._finish(match.outcome)
        for seat in self.seats:
            asked = match.asked_at[seat.index]
            if seat.automatic and asked != seat.asked_at:
                seat.expires_at = None  # asked anew: it takes its time again
            if seat.index in match.keys:
                clock.ask(seat, asked, self.moment)
            else:
                seat.asked_at, seat.asked_since = asked, None
            if seat.index in match.keys and table.deserted_at is None:
                clock.run(seat, self.moment)
            else:
                clock.stand(seat, self.moment)
        _update(table, self._table_before)
        for seat, before in zip(self.seats, self._before, strict=True):
            _update(seat, before)
        hint(table.public_id, table.ply, automatic=self._asks_the_engine())

    def _asks_the_engine(self) -> bool:
        """Whether a bot or a zombie has just been asked something: for those asked before, a worker
        has been called."""
        return any(
            seat.automatic and seat.expires_at not in (None, before["expires_at"])
            for seat, before in zip(self.seats, self._before, strict=True)
        )

    def note(self, kind: str, seat: Seat | None, msg: Msg, data: Any = None) -> Row:
        """A row of the platform's own; see ``Match.note``."""
        return self.match.note(kind, None if seat is None else seat.index, data, msg)

    def _mind_the_empty_table(self) -> None:
        """Bots and zombies do not play on alone: the table stands still until somebody returns."""
        if any(seat.kind == Seat.PERSON and not seat.zombie for seat in self.seats):
            self.table.deserted_at = None
        elif self.table.deserted_at is None:
            self.table.deserted_at = self.moment

    def _finish(self, outcome: Outcome) -> None:
        table = self.table
        if table.is_over:
            return
        over = Table.ABANDONED if outcome.reason == "abandoned" else Table.FINISHED
        table.status, table.finished_at, table.deserted_at = over, self.moment, None
        table.outcome = msgspec.to_builtins(outcome)
        if over == Table.FINISHED:
            for seat in self.seats:
                seat.rank = outcome.ranks[seat.index]
                seat.score = outcome.scores[seat.index] if outcome.scores else None


TABLE_COLUMNS = [
    "ply",
    "moved_at",
    "version",
    "migrated",
    "snapshot",
    "stopped_at",
    "status",
    "outcome",
    "finished_at",
    "deserted_at",
]
SEAT_COLUMNS = [
    "user_id",
    "kept_name",
    "zombie",
    "since",
    "asked_at",
    "asked_since",
    "overdue_since",
    "bank",
    "expires_at",
    "rank",
    "score",
]


def _values(record: models.Model, columns: Sequence[str]) -> dict[str, Any]:
    return {name: getattr(record, name) for name in columns}


def _update(record: models.Model, before: dict[str, Any]) -> None:
    """Write what has changed since ``before``, in one statement (none where nothing has)."""
    changed = {
        name: value for name, old in before.items() if (value := getattr(record, name)) != old
    }
    if changed:
        type(record)._base_manager.filter(pk=record.pk).update(**changed)
