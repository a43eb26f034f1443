"""How a bot finds its play, and what a hint says: the solver within a bound, else play after play."""

from __future__ import annotations

import msgspec

from games.engine.cards import Card
from games.library.machiavelli import solver
from games.library.machiavelli.listing import greedy
from games.library.machiavelli.solver import Solver, Unknown
from games.library.machiavelli.state import AceMode

BOUND = 100_000  # states a bot visits: some tenths of a second
HINT_BOUND = solver.BOUND


class Found(msgspec.Struct, frozen=True):
    """``count`` cards of a hand can be played at once, as in ``groups``; ``sure``: and no more."""

    count: int
    sure: bool
    groups: list[list[Card]] | None = None


def best_table(
    table: list[list[Card]], hand: list[Card], mode: AceMode, limit: int, bound: int = BOUND
) -> list[list[Card]] | None:
    """The table after the play of the most cards that was found; None where none was.

    Where simple plays reach as many cards as the search, they are taken: they move less.
    """
    return search(table, hand, mode, limit, bound).groups


def search(
    table: list[list[Card]], hand: list[Card], mode: AceMode, limit: int, bound: int
) -> Found:
    """The most cards at once: play after play, and the solver where more might be possible."""
    groups, played = greedy(table, hand, mode, limit)
    simple = Found(len(played), len(played) == min(limit, len(hand)), groups if played else None)
    if simple.sure:
        return simple
    question = Solver([card for group in table for card in group], hand, mode, limit, bound)
    try:
        count = question.counts()[-1]
    except Unknown:
        return simple
    if count == simple.count:
        return Found(count, True, simple.groups)
    return Found(count, True, in_place(table, question.arrange(count)))


def in_place(before: list[list[Card]], after: list[list[Card]]) -> list[list[Card]]:
    """``after`` in an order in which groups lie where most of their cards lay."""
    place_of = {card: place for place, group in enumerate(before) for card in group}

    def place(group: list[Card]) -> int:
        places = [place_of[card] for card in group if card in place_of]
        return max(places, key=places.count) if places else len(before)

    return sorted(after, key=place)
