"""The contract between a game and everything that plays it.

A game is a class without state of its own. States, options and actions are ``msgspec.Struct``s:
they validate and serialise themselves. Seats count from 0, clockwise. ``seat=None`` is a spectator.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from typing import Any, ClassVar, Generic, TypeVar, overload

import msgspec

from games.engine.errors import IllegalMove
from games.engine.messages import Msg
from games.engine.rng import Rng

S = TypeVar("S", bound=msgspec.Struct)
A = TypeVar("A", bound=msgspec.Struct)
O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


class Meta(msgspec.Struct, frozen=True, kw_only=True):
    """Facts about a game."""

    name: str
    seats: tuple[int, ...]  # the seat counts it can be played with
    minutes: int  # of a live game
    complexity: int  # 1 to 5
    designer: str = ""
    provenance: str = ""  # where rules and components come from, what is our own
    hidden: bool = False  # has hidden information: then resampled states must differ
    max_plies: int = 10_000  # no game is longer; the conformance tests hold it to that


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How a game ended."""

    ranks: list[int]  # by seat, 1 is first, ties equal
    scores: list[int] = []  # by seat; empty where the game counts none
    reason: str  # a stable code
    text: dict[str, Any]  # ``Msg.data()`` of one sentence
    won: bool | None = None  # of a solo game


class Line(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of the log."""

    msg: dict[str, Any]  # ``Msg.data()``
    to: list[int] | None = None  # the seats that may read it; None: everybody
    heading: bool = False  # begins a part of the game: "Hand 3", "Trick 5"


class Moves(Generic[A]):
    """What a seat may do now.

    ``items`` are actions, the quietest first. With ``complete=False`` they are examples, never
    empty, and ``Game.check`` decides. ``refused`` names things that cannot be used now and why.
    """

    __slots__ = ("complete", "items", "prompt", "refused")

    def __init__(
        self,
        items: Sequence[A],
        *,
        complete: bool = True,
        refused: Sequence[tuple[str, Msg]] = (),
        prompt: Msg | None = None,
    ) -> None:
        self.items = items
        self.complete = complete
        self.refused = refused
        self.prompt = prompt


class LazyMoves(Sequence[A]):
    """A long list of actions that are made only when asked for: ``make(i)`` for i below ``count``."""

    def __init__(self, count: int, make: Callable[[int], A]) -> None:
        self._count = count
        self._make = make

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> A: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[A]: ...
    def __getitem__(self, index: int | slice) -> A | Sequence[A]:
        if isinstance(index, slice):
            return [self._make(i) for i in range(*index.indices(self._count))]
        if index < 0:
            index += self._count
        if not 0 <= index < self._count:
            raise IndexError(index)
        return self._make(index)


class Step:
    """What one action does besides changing the state: chance, log lines, a barrier for undo.

    A draw from ``rng`` is a barrier by itself, and so is the last of several simultaneous choices.
    """

    __slots__ = ("barred", "lines", "rng")

    def __init__(self, rng: Rng) -> None:
        self.rng = rng
        self.lines: list[Line] = []
        self.barred = False

    def log(self, msg: Msg, to: Sequence[int] | None = None) -> None:
        """Say what happened; ``to``: only these seats may read it."""
        self.lines.append(Line(msg.data(), None if to is None else list(to)))

    def heading(self, msg: Msg) -> None:
        """Begin a part of the game in the log."""
        self.lines.append(Line(msg.data(), None, True))

    def barrier(self) -> None:
        """Something hidden was shown: nobody may undo past this step."""
        self.barred = True


class Game(ABC, Generic[S, A, O]):
    """The rules of one game."""

    slug: ClassVar[str]
    version: ClassVar[int]
    meta: ClassVar[Meta]
    state_type: type[S]
    action_type: Any  # a tagged union of the actions
    options_type: type[O]
    notes_type: ClassVar[Any] = None  # shape of a seat's private notes, where the game has any
    advises: ClassVar[bool] = False  # whether it has hints to give, see ``advice``

    @abstractmethod
    def setup(self, seats: int, options: O, rng: Rng) -> S:
        """The state in which the first question is asked."""

    @abstractmethod
    def pending(self, state: S) -> dict[int, str]:
        """Seat -> decision key; empty only when ``outcome`` is not None."""

    @abstractmethod
    def moves(self, state: S, seat: int) -> Moves[A]:
        """What a pending ``seat`` may do. Depends on nothing that the seat cannot see."""

    def check(self, state: S, seat: int, action: A) -> None:
        """Raise ``IllegalMove`` where a pending ``seat`` may not take ``action``."""
        if action not in self.moves(state, seat).items:
            raise IllegalMove("illegal_move", "That move is not allowed now.")

    @abstractmethod
    def apply(self, state: S, seat: int, action: A, step: Step) -> None:
        """Change ``state`` (a private copy) by a checked action."""

    @abstractmethod
    def view(self, state: S, seat: int | None) -> dict[str, Any]:
        """All that ``seat`` may know, as JSON. Built up from what may be seen."""

    def reveal(self, state: S) -> dict[str, Any]:
        """The view when all is open, for finished tables."""
        return self.view(state, None)

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How the game ended, or None while it goes on."""

    def forfeit(self, state: S, seat: int) -> Outcome:
        """The outcome when ``seat`` gives up: last rank, the others by their standing; alone: lost."""
        count = self.seat_count(state)
        worth = {other: self.value(state, other) for other in range(count) if other != seat}
        ranks = [count] * count
        for other in worth:
            ranks[other] = 1 + sum(1 for better in worth.values() if better > worth[other])
        return Outcome(
            ranks=ranks,
            won=False if count == 1 else None,
            reason="forfeit",
            text=Msg("{seat} gives up.", you="You give up.", seat=seat).data(),
        )

    @abstractmethod
    def seat_count(self, state: S) -> int:
        """How many seats this state has."""

    @abstractmethod
    def value(self, state: S, seat: int) -> float:
        """How well ``seat`` stands, on any scale that is the same for all seats; for bots."""

    def ideas(self, state: S, seat: int) -> Sequence[A]:
        """Legal actions that a bot weighs, the quietest first; more than ``moves`` where those are
        only examples, fewer where most are pointless. Cheap, since it is asked hundreds of times for one
        thought (a search belongs in ``think``). Depends on nothing that the seat cannot see."""
        return self.moves(state, seat).items

    def think(self, worlds: Iterator[S], seat: int, rng: Rng) -> A | None:
        """The action of a search of the game's own, for bots; None: they weigh ``ideas``.

        ``worlds`` are states without end that look the same to ``seat`` (the true one is not told;
        where nothing is hidden, copies of it). Bounded by counting, since there is no clock: under
        half a second. Chance comes from ``rng`` alone.
        """
        return None

    def advice(self, state: S, seat: int) -> Msg | None:
        """A hint for a pending ``seat`` that asks for one, in a sentence; None: nothing is to be said.

        A worker asks, never a request: it may take seconds, bounded by counting. Depends on nothing
        that the seat cannot see, and draws nothing: who asks twice is told the same.
        """
        return None

    def resample(self, state: S, seat: int | None, rng: Rng) -> S:
        """Another full state that looks the same to this viewer. Default: nothing is hidden."""
        return state

    def progress(self, state: S) -> float:
        """How far the game is, 0 to 1."""
        return 0.0 if self.outcome(state) is None else 1.0

    def opening(self, state: S) -> list[Line]:
        """Lines of the log that belong to the set-up."""
        return []

    def summary(self, state: S) -> Msg | None:
        """Where in the game we are, public: "Hand 3, trick 5 of 13"."""
        return None

    def standing(self, state: S) -> list[int]:
        """A public number beside each seat (score, blocks taken); empty where there is none."""
        return []

    @abstractmethod
    def label(self, state: S, seat: int, action: A) -> Msg:
        """A move in words, "Play the queen of spades"; asked only when shown."""

    def migrate(self, data: Any, from_version: int) -> S:
        """A state of an older version of the rules, as one of this version."""
        raise IllegalMove("old_rules", "This table was played by older rules.")
