"""Random games of every game, played once for all the tests that look at them.

However many options and seat counts a game has, it is given about ``PLIES`` rows in all (or ``GAMES``
games): every set-up of the pairwise list is begun, each seat count is played to the end, and what is
left goes to the first set-ups, and then round again. ``PARLOUR_TEST_DEPTH=10`` gives ten times as much.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from functools import cache
from itertools import cycle
from typing import Any

from games.engine import Match, Rng, pairwise, private_copy, seed_from_int
from games.engine.game import Game
from games.engine.match import UNDO as UNDO_ROW
from games.engine.match import Row

Anygame = Game[Any, Any, Any]

DEPTH = float(os.environ.get("PARLOUR_TEST_DEPTH", "1"))
PLIES = round(2_000 * DEPTH)  # rows of random play
GAMES = round(14 * DEPTH)
PLACES = round(40 * DEPTH)  # positions of them where the costly questions are asked
UNDO = 12  # one row in so many is taken back, where it can be
UNDOS = 15  # in one game at most: each plays the game again up to there


@dataclass
class Place:
    """A position of a walk. ``match`` stays as it is: tests act on ``fresh()``."""

    walk: Walk
    match: Match[Any, Any, Any]
    count: int  # rows before it

    @property
    def rows(self) -> list[Row]:
        return self.walk.rows[: self.count]

    @property
    def viewers(self) -> list[int | None]:
        return [*range(self.match.seats), None]

    def fresh(self) -> Match[Any, Any, Any]:
        """A match at this position that may be changed."""
        match = still(self.match)
        match.state = private_copy(match.game, match.state)
        return match

    def rng(self, label: str) -> Rng:
        """A stream for this place and purpose."""
        return Rng(self.match.seed).child(f"{label}:{self.count}")

    def __str__(self) -> str:
        return f"{self.walk} after row {self.count}"


@dataclass
class Walk:
    """One random game, or its beginning."""

    game: Anygame
    seats: int
    options: Any
    seed: int
    rows: list[Row] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)  # after each row, 0: the set-up

    @property
    def end(self) -> Match[Any, Any, Any]:
        return self.places[-1].match

    def __str__(self) -> str:
        return f"{self.game.slug}, {self.seats} seats, {self.options}, seed {self.seed}"


def still(match: Match[Any, Any, Any]) -> Match[Any, Any, Any]:
    """``match`` as it is now; it may go on without changing this one."""
    kept = copy(match)
    kept.asked_at, kept.choices = list(match.asked_at), dict(match.choices)
    return kept


@cache
def walks(game: Anygame) -> list[Walk]:
    """The random games of ``game``, one for each of its set-ups, some of them cut short."""
    setups = list(pairwise(game.options_type, game.meta.seats))
    short = max(4, PLIES // (3 * len(setups)))
    found: list[Walk] = []
    ended: set[int] = set()
    left = PLIES
    for number, (seats, options) in enumerate(cycle(setups), 1):
        if number > len(setups) and (left <= 0 or number > GAMES):
            break
        whole = left > PLIES // 3 or seats not in ended
        walk = play(game, seats, options, number, game.meta.max_plies if whole else short)
        if walk.end.outcome is not None:
            ended.add(seats)
        left -= len(walk.rows)
        found.append(walk)
    return found


def play(game: Anygame, seats: int, options: Any, seed: int, limit: int) -> Walk:
    """A random game of at most ``limit`` rows, now and then with a row taken back."""
    match = Match.start(game, seats, options, seed_from_int(seed))
    walk = Walk(game, seats, options, seed)
    walk.places.append(Place(walk, still(match), 0))
    rng = Rng(seed_from_int(seed)).child("test")
    while match.outcome is None and len(walk.rows) < limit:
        walk.rows.append(random_row(match, walk.rows, rng))
        walk.places.append(Place(walk, still(match), len(walk.rows)))
    return walk


def random_row(match: Match[Any, Any, Any], rows: list[Row], rng: Rng) -> Row:
    """Somebody takes a move back, or makes one: of those listed, or of those bots think of."""
    back = [seat for seat in range(match.seats) if match.undoable(seat) is not None]
    undone = sum(row.kind == UNDO_ROW for row in rows)
    if back and undone < UNDOS and rng.below(UNDO) == 0:
        return match.undo(rng.choice(back), rows)
    seat = rng.choice(sorted(match.pending()))
    items = match.moves(seat).items
    if rng.below(2):
        items = match.game.ideas(match.state, seat)
    return match.act(seat, items[rng.below(len(items))])


def places(game: Anygame, count: int = PLACES) -> Iterator[Place]:
    """About ``count`` positions from all the walks: the first of each, the last of those that ended,
    and others evenly between."""
    found = walks(game)
    every = [place for walk in found for place in walk.places]
    picked = {id(place): place for place in every[:: max(1, len(every) // count)]}
    edges = [walk.places[0] for walk in found] + [
        walk.places[-1] for walk in found if walk.end.outcome is not None
    ]
    for place in edges[:: max(1, 3 * len(edges) // count)]:
        picked[id(place)] = place
    yield from picked.values()


def asked(game: Anygame, count: int = PLACES) -> Iterator[tuple[Place, int]]:
    """(place, seat that is asked there) for about ``count`` positions."""
    for place in places(game, count):
        for seat in place.match.pending():
            yield place, seat


def undoable(game: Anygame, count: int = PLACES // 2) -> list[tuple[Place, int]]:
    """(place, seat that may take something back there) for about ``count`` positions."""
    every = [
        (place, seat)
        for walk in walks(game)
        for place in walk.places
        for seat in range(walk.seats)
        if place.match.undoable(seat) is not None
    ]
    return every[:: max(1, len(every) // count)]
