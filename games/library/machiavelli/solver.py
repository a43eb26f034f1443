"""Which numbers of hand cards can be played, and how: a complete search, rank by rank.

Only counts matter: all cards of the table are compulsory, those of the hand optional, and everything
is arranged from scratch. A state says, for each suit, how many open runs have 1, 2 or "3 or more" cards
(at most one run a pack) and how many aces were used at rank 1, the others being kept for above the
king. Its value is a bit mask: bit k is set where exactly k optional cards can have been used. Four cuts that
change no answer:

1. A run is begun only when every open run of 3 or more of its suit has been extended: whatever the
   new run would do later, the old one can do too. So the number of cards that go to runs says all.
2. Aces of a suit are interchangeable: only how many were used at rank 1 is kept.
3. A state is dropped where a run of 1 or 2 cannot get its next one or two cards.
4. Of states that differ only in open runs of 3 or more, a count that is possible with at least as many
   of them in every suit is not kept in the other: closing a run is free.

Visited states are counted after each suit. Beyond ``bound`` the search ends with ``Unknown``: no clock,
so that the answer is the same everywhere. It may take seconds: never inside a request.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from games.engine.cards import Card
from games.library.machiavelli.groups import arranged
from games.library.machiavelli.material import (
    ACE,
    ACE_HIGH,
    KING,
    LEAST_IN_GROUP,
    MOST_IN_SET,
    RANK,
    SUIT,
    SUITS,
)
from games.library.machiavelli.state import AceMode

BOUND = 500_000

# A state is one whole number: for each suit 12 bits (runs of 1, runs of 2, longer runs, aces used at
# rank 1; three bits each), then, inside a rank, the cards that went to sets: all of them and the most of one
# suit.
SUIT_BITS = 12
SUIT_MASK = (1 << SUIT_BITS) - 1
TWO, LONG, ACES = 3, 6, 9  # places of the parts within a suit
SET_BITS = SUIT_BITS * len(SUITS)
RUNS_MASK = (1 << SET_BITS) - 1
MOST_BITS = 6  # T below 64, then x
LONGS = sum(7 << (SUIT_BITS * suit + LONG) for suit in range(len(SUITS)))

Choice = tuple[int, int, int, int]  # new suit part, cards to sets, cards to runs, optional cards


class Unknown(Exception):
    """The search was given up after as many states as it may visit."""


class Solver:
    """One question: these compulsory and optional cards.

    ``limit``: the most optional cards of which the answer speaks.
    """

    def __init__(
        self,
        compulsory: Iterable[Card],
        optional: Iterable[Card],
        mode: AceMode,
        limit: int,
        bound: int = BOUND,
    ) -> None:
        self.mode = mode
        self.last = KING if mode == "low" else ACE_HIGH
        self.bound = bound
        self.visited = 0
        self.mask = (1 << (limit + 1)) - 1
        self.must: dict[tuple[str, int], list[Card]] = {}
        self.may: dict[tuple[str, int], list[Card]] = {}
        for cards, where in ((compulsory, self.must), (optional, self.may)):
            for card in cards:
                where.setdefault((SUIT[card], RANK[card]), []).append(card)
        self.layers: list[dict[int, int]] = []  # before each suit of each rank, then at the end

    def counts(self) -> list[int]:
        """The numbers of optional cards with which everything compulsory can be arranged, rising.

        Empty: not at all. Raises ``Unknown``.
        """
        layer = {0: 1}
        self.layers = []
        for rank in range(ACE, self.last + 1):
            for suit in range(len(SUITS)):
                self.layers.append(layer)
                layer = self.after_suit(layer, rank, suit)
                self.visited += len(layer)
                if self.visited > self.bound:
                    raise Unknown
            layer = undominated(after_rank(layer))
        self.layers.append(layer)
        possible = 0
        for state, mask in layer.items():
            if all_closed(state):
                possible |= mask
        return [count for count in range(possible.bit_length()) if possible >> count & 1]

    # -- one suit of one rank --------------------------------------------------------------------

    def after_suit(self, layer: dict[int, int], rank: int, suit: int) -> dict[int, int]:
        """The states after ``suit`` at ``rank``."""
        place = SUIT_BITS * suit
        known: dict[int, list[tuple[int, int, int]]] = {}
        out: dict[int, int] = {}
        for state, mask in layer.items():
            part = state >> place & SUIT_MASK
            steps = known.get(part)
            if steps is None:
                steps = known[part] = [
                    ((new - part) << place, sets, used)
                    for new, sets, _, used in self.choices(part, rank, suit)
                ]
            for change, sets, used in steps:
                bits = mask << used & self.mask
                if bits:
                    after = with_sets(state + change, sets)
                    out[after] = out.get(after, 0) | bits
        return out

    def choices(self, part: int, rank: int, suit: int) -> Iterator[Choice]:
        """What the cards of one suit and rank can do, where the suit stands as ``part`` says."""
        must, may = self.numbers(rank, suit)
        least, most, before = must, must + may, 0
        keeps = self.last == ACE_HIGH
        if keeps and rank == ACE:
            least = 0
        elif rank == ACE_HIGH:
            used = part >> ACES
            before = max(0, used - must)
            least, most = max(0, must - used), must + may - used
        ones, twos, longs = part & 7, part >> TWO & 7, part >> LONG & 7
        for taken in range(least, most + 1):
            aces = taken if keeps and rank == ACE else part >> ACES
            optional = max(0, taken - must)
            if rank == ACE_HIGH:
                optional = max(0, aces + taken - must) - before
            for runs in range(taken if rank == ACE_HIGH else ones + twos, taken + 1):
                extended = min(longs, runs - ones - twos)
                begun = runs - ones - twos - extended
                if extended >= 0 and self.can_go_on(begun, ones, rank, suit, aces):
                    new = begun | ones << TWO | (twos + extended) << LONG | aces << ACES
                    yield new, taken - runs, runs, optional

    def can_go_on(self, ones: int, twos: int, rank: int, suit: int, aces: int) -> bool:
        """Are there cards for the runs of 1 and 2 that are open after ``rank``? (the third cut)"""
        after = self.left(rank + 1, suit, aces)
        return ones + twos <= after and ones <= self.left(rank + 2, suit, aces)

    def left(self, rank: int, suit: int, aces: int) -> int:
        """How many cards there are at a later ``rank``, where ``aces`` were used at rank 1."""
        if rank > self.last:
            return 0
        must, may = self.numbers(rank, suit)
        return must + may - (aces if rank == ACE_HIGH else 0)

    def numbers(self, rank: int, suit: int) -> tuple[int, int]:
        """How many cards of this rank and suit are compulsory, and how many optional."""
        key = (SUITS[suit], ACE if rank == ACE_HIGH else rank)
        return len(self.must.get(key, ())), len(self.may.get(key, ()))

    # -- how -------------------------------------------------------------------------------------

    def arrange(self, count: int) -> list[list[Card]]:
        """The groups in which exactly ``count`` optional cards lie; ``counts()`` has named it."""
        groups: list[list[Card]] = []
        runs: list[list[list[Card]]] = [[] for _ in SUITS]  # by suit, open and closed
        way = iter(self.way(count))
        spent: dict[tuple[str, int], int] = {}
        for rank in range(ACE, self.last + 1):
            at_rank: list[list[Card]] = []
            for suit in range(len(SUITS)):
                sets, longer = next(way)
                cards = self.cards(rank, suit, spent, sets + longer)
                at_rank.append(cards[:sets])
                extend(runs[suit], cards[sets:], rank)
            groups += share_out(at_rank)
        for of_suit in runs:
            for run in of_suit:
                groups += self.cut(run)
        return [arranged(group) for group in groups]

    def cards(
        self, rank: int, suit: int, spent: dict[tuple[str, int], int], count: int
    ) -> list[Card]:
        """The next ``count`` cards of this rank and suit, the compulsory ones first."""
        key = (SUITS[suit], ACE if rank == ACE_HIGH else rank)
        first = spent.get(key, 0)
        spent[key] = first + count
        return [*self.must.get(key, ()), *self.may.get(key, ())][first : first + count]

    def cut(self, run: list[Card]) -> list[list[Card]]:
        """A run of 14 is two runs where an ace may stand at one end only."""
        if len(run) <= KING or self.mode == "both_ends":
            return [run]
        return [run[:LEAST_IN_GROUP], run[LEAST_IN_GROUP:]]

    def way(self, count: int) -> list[tuple[int, int]]:
        """For each suit of each rank: (cards to sets, cards to runs). Walks back through the layers."""
        state = next(
            state
            for state, mask in self.layers[-1].items()
            if mask >> count & 1 and all_closed(state)
        )
        way: list[tuple[int, int]] = []
        for number in range(len(self.layers) - 2, -1, -1):
            state, count, choice = self.step_before(number, state, count)
            way.append(choice)
        return way[::-1]

    def step_before(self, number: int, target: int, count: int) -> tuple[int, int, tuple[int, int]]:
        """(state, count, choice) of layer ``number`` from which ``target`` is reached with ``count``."""
        rank, suit = ACE + number // len(SUITS), number % len(SUITS)
        place = SUIT_BITS * suit
        for state, mask in self.layers[number].items():
            part = state >> place & SUIT_MASK
            for new, sets, runs, used in self.choices(part, rank, suit):
                if used > count or not mask >> (count - used) & 1:
                    continue
                after = with_sets(state + ((new - part) << place), sets)
                if suit == len(SUITS) - 1 and sets_possible(after):
                    after &= RUNS_MASK
                if after == target:
                    return state, count - used, (sets, runs)
        raise AssertionError("every state has one before it")


def extend(runs: list[list[Card]], cards: list[Card], rank: int) -> None:
    """Lay ``cards`` of ``rank`` to the open runs of their suit, the short ones first, or begin runs."""
    longest = [run for run in runs if reach(run) == rank - 1]
    longest.sort(key=lambda run: min(len(run), LEAST_IN_GROUP))
    for place, card in enumerate(cards):
        if place < len(longest):
            longest[place].append(card)
        else:
            runs.append([card])


def reach(run: list[Card]) -> int:
    """The rank of the last card of a run that grows upward from its first."""
    return RANK[run[0]] + len(run) - 1


def share_out(at_rank: list[list[Card]]) -> list[list[Card]]:
    """Sets of the cards of one rank, given by suit: suit after suit, round and round."""
    total, most = sum(map(len, at_rank)), max(map(len, at_rank))
    count = how_many_sets(total, most) or 0
    sets: list[list[Card]] = [[] for _ in range(count)]
    place = 0
    for cards in at_rank:
        for card in cards:
            sets[place % count].append(card)
            place += 1
    return sets


def with_sets(state: int, sets: int) -> int:
    """``state`` after ``sets`` cards of one more suit went to sets."""
    if not sets:
        return state
    total, most = set_numbers(state)
    return (
        state & RUNS_MASK | (total + sets) << SET_BITS | max(most, sets) << (SET_BITS + MOST_BITS)
    )


def set_numbers(state: int) -> tuple[int, int]:
    """(all cards that go to sets at this rank, the most of one suit)."""
    return state >> SET_BITS & ((1 << MOST_BITS) - 1), state >> (SET_BITS + MOST_BITS)


def how_many_sets(total: int, most: int) -> int | None:
    """A number of sets that takes ``total`` cards, at most one of a suit each; None: there is none."""
    sets = max(most, -(-total // MOST_IN_SET))
    return sets if LEAST_IN_GROUP * sets <= total else None


def sets_possible(state: int) -> bool:
    return how_many_sets(*set_numbers(state)) is not None


def after_rank(layer: dict[int, int]) -> dict[int, int]:
    """The states whose set cards make sets, without these."""
    out: dict[int, int] = {}
    for state, mask in layer.items():
        if state <= RUNS_MASK or sets_possible(state):
            runs = state & RUNS_MASK
            out[runs] = out.get(runs, 0) | mask
    return out


def undominated(layer: dict[int, int]) -> dict[int, int]:
    """The fourth cut."""
    alike: dict[int, list[int]] = {}
    for state in layer:
        alike.setdefault(state & ~LONGS, []).append(state & LONGS)
    out: dict[int, int] = {}
    for rest, longs in alike.items():
        longs.sort(key=total_longs, reverse=True)  # only an earlier one can have as many everywhere
        for number, long in enumerate(longs):
            mask = layer[rest | long]
            for more in longs[:number]:
                if covers(more, long):
                    mask &= ~layer[rest | more]
                    if not mask:
                        break
            if mask:
                out[rest | long] = mask
    return out


def total_longs(longs: int) -> int:
    return sum(longs >> (SUIT_BITS * suit + LONG) & 7 for suit in range(len(SUITS)))


GUARDS = sum(1 << (SUIT_BITS * suit + ACES) for suit in range(len(SUITS)))  # one above each number


def covers(more: int, less: int) -> bool:
    """Has ``more`` at least as many long runs in every suit?"""
    return (more | GUARDS) - less & GUARDS == GUARDS


def all_closed(state: int) -> bool:
    """Has every open run 3 cards or more?"""
    return all(not state >> (SUIT_BITS * suit) & 0o77 for suit in range(len(SUITS)))
