"""The runtime: one played game, from its options, seed and log.

A ``Match`` checks actions, applies them on a private copy, writes rows, undoes to barriers, takes
snapshots, and can be made again from the log alone. It knows no people, no clock and no database.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Any, Generic

import msgspec

from games.engine.errors import IllegalMove
from games.engine.game import A, Game, Line, Moves, O, Outcome, S, Step
from games.engine.messages import Msg
from games.engine.rng import Rng

ACT, UNDO, LEAVE = "act", "undo", "leave"


class Row(msgspec.Struct, kw_only=True):
    """One row of the log. Rows are numbered from 1; row 0 stands for the set-up."""

    number: int
    kind: str  # act, undo, time-out, leave, return, take-over, system
    seat: int | None = None
    action: Any = None  # act: the action as JSON; undo: {"row": n}; others: {"effect": ...} or None
    lines: list[Line] = []
    rng: int  # position of the table's stream after this row
    barrier: bool = False


class Snapshot(msgspec.Struct, kw_only=True):
    """All that a match needs to go on from row ``ply`` without the rows before it."""

    state: Any  # the state as JSON
    ply: int
    rng: int
    asked_at: list[int]
    keys: dict[int, str]  # seat -> decision key of the question it is asked
    choices: dict[int, int] = {}  # seat -> row of its simultaneous choice, not resolved yet
    last: int = 0  # last row in effect, 0 where undo may not go further back
    last_seat: int = -1
    outcome: Outcome | None = None


class Match(Generic[S, A, O]):
    """A game in progress. ``seats`` is the seat count; ``seed`` must stay secret until the end."""

    def __init__(self, game: Game[S, A, O], seats: int, options: O, seed: bytes) -> None:
        self.game = game
        self.seats = seats
        self.options = options
        self.seed = seed
        self.state: S
        self.ply = 0
        self.rng_position = 0
        self.asked_at = [0] * seats
        self.keys: dict[int, str] = {}
        self.choices: dict[int, int] = {}
        self.last = 0
        self.last_seat = -1
        self.outcome: Outcome | None = None
        self._encode = _encoder.encode
        self._decode = _decoder(game.state_type).decode
        self._drawn: Rng | None = None

    # -- beginning and going on ---------------------------------------------------------------

    @classmethod
    def start(cls, game: Game[S, A, O], seats: int, options: O, seed: bytes) -> Match[S, A, O]:
        """A new game at its first question."""
        match = cls(game, seats, options, seed)
        rng = Rng(seed)
        match._begin(game.setup(seats, options, rng), rng)
        return match

    @classmethod
    def at(
        cls, game: Game[S, A, O], seats: int, options: O, seed: bytes, state: S
    ) -> Match[S, A, O]:
        """A game that begins in ``state``, for tests and playthroughs."""
        match = cls(game, seats, options, seed)
        match._begin(state, Rng(seed))
        return match

    @classmethod
    def resume(
        cls, game: Game[S, A, O], seats: int, options: O, seed: bytes, snapshot: Snapshot
    ) -> Match[S, A, O]:
        """The match as it was when ``snapshot`` was taken."""
        match = cls(game, seats, options, seed)
        match.state = msgspec.convert(snapshot.state, game.state_type)
        match.ply = snapshot.ply
        match.rng_position = snapshot.rng
        match.asked_at = list(snapshot.asked_at)
        match.keys = dict(snapshot.keys)
        match.choices = dict(snapshot.choices)
        match.last, match.last_seat = snapshot.last, snapshot.last_seat
        match.outcome = snapshot.outcome
        return match

    @classmethod
    def restore(
        cls,
        game: Game[S, A, O],
        seats: int,
        options: O,
        seed: bytes,
        rows: Iterable[Row],
        start: S | None = None,
    ) -> Match[S, A, O]:
        """The match made again from its log alone (and ``start`` where it began elsewhere)."""
        if start is None:
            match = cls.start(game, seats, options, seed)
        else:
            match = cls.at(game, seats, options, seed, _copy(game, start))
        done: list[Row] = []
        for row in rows:
            if row.kind == ACT and row.seat is not None:
                match._take(row.seat, match.read_action(row.action))
            elif row.kind == UNDO and row.seat is not None:
                match._undo(row.seat, int(row.action["row"]), done, start)
            else:
                match._note(row.kind, row.seat, row.action)
            done.append(row)
        return match

    def snapshot(self) -> Snapshot:
        """A copy of everything that changes, as JSON-ready data."""
        return Snapshot(
            state=msgspec.to_builtins(self.state),
            ply=self.ply,
            rng=self.rng_position,
            asked_at=list(self.asked_at),
            keys=dict(self.keys),
            choices=dict(self.choices),
            last=self.last,
            last_seat=self.last_seat,
            outcome=self.outcome,
        )

    def digest(self) -> str:
        """SHA-256 of state, stream position and outcome: equal for equal games."""
        whole = (msgspec.to_builtins(self.state), self.rng_position, self.outcome)
        return sha256(msgspec.json.encode(whole, order="deterministic")).hexdigest()

    # -- asking -----------------------------------------------------------------------------

    def pending(self) -> dict[int, str]:
        """Seat -> decision key of everybody who is asked something now."""
        return self.keys

    def moves(self, seat: int) -> Moves[A]:
        """What a pending ``seat`` may do."""
        return self.game.moves(self.state, seat)

    def read_action(self, data: Any) -> A:
        """An action from JSON. Raises ``IllegalMove`` where it is none of this game."""
        try:
            action: A = msgspec.convert(data, self.game.action_type)
        except msgspec.ValidationError as error:
            raise IllegalMove(
                "malformed_action", Msg("This game knows no such move: {why}.", why=str(error))
            ) from error
        return action

    def check(self, seat: int, action: A) -> None:
        """Raise ``IllegalMove`` where ``seat`` may not take ``action`` now."""
        if seat not in self.keys:
            if self.outcome is not None:
                raise IllegalMove("finished", "The game is over.")
            raise IllegalMove("not_your_turn", "It is not your turn.")
        self.game.check(self.state, seat, action)

    # -- changing ---------------------------------------------------------------------------

    def act(self, seat: int, action: A) -> Row:
        """Take ``action`` for ``seat`` and return its row. Raises ``IllegalMove``; then nothing
        has changed."""
        self.check(seat, action)
        step = self._take(seat, action)
        return Row(
            number=self.ply,
            kind=ACT,
            seat=seat,
            action=msgspec.to_builtins(action),
            lines=step.lines,
            rng=self.rng_position,
            barrier=step.barred,
        )

    def undoable(self, seat: int) -> int | None:
        """The row that ``seat`` may take back now, or None.

        Its unresolved simultaneous choice; or its last action, while it is still its own turn and
        no barrier, draw or other seat's action came after.
        """
        if self.outcome is not None:
            return None
        if seat in self.choices:
            return self.choices[seat]
        if self.last and self.last_seat == seat and seat in self.keys:
            return self.last
        return None

    def undo(self, seat: int, rows: Sequence[Row], start: S | None = None) -> Row:
        """Take back what ``undoable`` names. ``rows`` is the whole log so far.

        Raises ``IllegalMove`` where nothing can be taken back; then nothing has changed.
        """
        target = self.undoable(seat)
        if target is None:
            raise IllegalMove("nothing_to_undo", "Nothing of yours can be taken back now.")
        self._undo(seat, target, rows, start)
        return Row(
            number=self.ply,
            kind=UNDO,
            seat=seat,
            action={"row": target},
            lines=[
                Line(
                    Msg("{seat} takes a move back.", you="You take a move back.", seat=seat).data()
                )
            ],
            rng=self.rng_position,
        )

    def note(self, kind: str, seat: int | None, data: Any = None, msg: Msg | None = None) -> Row:
        """A row of the platform's: somebody left, returned, ran out of time.

        ``data={"effect": "forfeit"}`` ends the game against ``seat``, who gives up (``kind`` leave) or
        ran out of time (any other kind); ``{"effect": "abandon"}``
        ends it without ranks. Nothing else changes the state.
        """
        self._note(kind, seat, data)
        return Row(
            number=self.ply,
            kind=kind,
            seat=seat,
            action=data,
            lines=[] if msg is None else [Line(msg.data())],
            rng=self.rng_position,
        )

    # -- inside -----------------------------------------------------------------------------

    def _begin(self, state: S, rng: Rng) -> None:
        self.state = state
        self.rng_position = rng.position
        self.outcome = self.game.outcome(state)
        self.keys = self.game.pending(state)

    def _take(self, seat: int, action: A) -> Step:
        copy = self._decode(self._encode(self.state))
        rng = self._drawn
        if rng is None or rng.position != self.rng_position:
            rng = self._drawn = Rng(self.seed, self.rng_position)
        step = Step(rng)
        self.game.apply(copy, seat, action, step)
        self.state = copy
        self.ply += 1
        if rng.position != self.rng_position:
            step.barrier()
        self.rng_position = rng.position
        self.outcome = self.game.outcome(copy)
        before, now = self.keys, self.game.pending(copy)
        for other, key in now.items():
            if other == seat or before.get(other) != key:
                self.asked_at[other] = self.ply
        self.keys = now
        open_choice = len(before) > 1 and {**now, seat: before[seat]} == before and seat not in now
        if self.choices and not open_choice:
            step.barrier()  # this one resolves the choices of others, and so shows them
        if step.barred:
            self.choices, self.last, self.last_seat = {}, 0, -1
        elif open_choice:
            self.choices[seat] = self.ply
            self.last, self.last_seat = 0, -1
        else:
            self.last, self.last_seat = self.ply, seat
        return step

    def _undo(self, seat: int, target: int, rows: Sequence[Row], start: S | None) -> None:
        skipped = {int(row.action["row"]) for row in rows if row.kind == UNDO} | {target}
        kept = [row for row in rows if row.kind == ACT and row.number not in skipped]
        if start is None:
            again = Match.start(self.game, self.seats, self.options, self.seed)
        else:
            again = Match.at(
                self.game, self.seats, self.options, self.seed, _copy(self.game, start)
            )
        numbers: dict[int, int] = {0: 0}
        for row in kept:
            if row.seat is not None:
                again._take(row.seat, self.read_action(row.action))
                numbers[again.ply] = row.number
        before = self.keys
        self.state, self.rng_position = again.state, again.rng_position
        self.outcome, self.keys = again.outcome, again.keys
        self.choices = {other: numbers[ply] for other, ply in again.choices.items()}
        self.last, self.last_seat = numbers[again.last], again.last_seat
        self.ply += 1
        for other, key in self.keys.items():
            if other == seat or before.get(other) != key:
                self.asked_at[other] = self.ply

    def _note(self, kind: str, seat: int | None, data: Any) -> None:
        self.ply += 1
        effect = _effect(data)
        if effect == "forfeit" and seat is not None:
            self.outcome = self.game.forfeit(self.state, seat)
            if kind != LEAVE:  # who was not there has given nothing up
                words = Msg(
                    "{seat} ran out of time and loses.",
                    you="You ran out of time and lose.",
                    seat=seat,
                )
                self.outcome = msgspec.structs.replace(
                    self.outcome, reason="time", text=words.data()
                )
        elif effect == "abandon":
            self.outcome = Outcome(
                ranks=[1] * self.seats,
                reason="abandoned",
                text=Msg("The game was abandoned.").data(),
            )
        if self.outcome is not None:
            self.keys = {}
            self.choices, self.last, self.last_seat = {}, 0, -1
        elif seat is not None:
            self.asked_at[seat] = self.ply


def effect_of(row: Row) -> str | None:
    """How a row of the platform's ends the game (see ``Match.note``); None where it does not."""
    return None if row.kind in (ACT, UNDO) else _effect(row.action)


def _effect(data: Any) -> str | None:
    return data.get("effect") if isinstance(data, dict) else None


_encoder = msgspec.msgpack.Encoder()
_decoders: dict[Any, Any] = {}


def _decoder(kind: type[S]) -> msgspec.msgpack.Decoder[S]:
    found: msgspec.msgpack.Decoder[S] | None = _decoders.get(kind)
    if found is None:
        found = _decoders[kind] = msgspec.msgpack.Decoder(kind)
    return found


def _copy(game: Game[S, A, O], state: S) -> S:
    return _decoder(game.state_type).decode(_encoder.encode(state))


def private_copy(game: Game[S, A, O], state: S) -> S:
    """``state`` again, sharing nothing with it."""
    return _copy(game, state)
