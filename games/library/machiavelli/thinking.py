"""How a bot finds its play: the solver within a small bound, else play after play."""

from __future__ import annotations

from games.engine.cards import Card
from games.library.machiavelli.listing import greedy
from games.library.machiavelli.solver import Solver, Unknown
from games.library.machiavelli.state import AceMode

BOUND = 60_000  # states: some tenths of a second


def best_table(
    table: list[list[Card]], hand: list[Card], mode: AceMode, limit: int, bound: int = BOUND
) -> list[list[Card]] | None:
    """The table after the play of the most cards that was found; None where none was.

    Where simple plays reach as many cards as the search, they are taken: they move less.
    """
    groups, played = greedy(table, hand, mode, limit)
    best = min(limit, len(hand))
    if len(played) < best:
        on_table = [card for group in table for card in group]
        solver = Solver(on_table, hand, mode, limit, bound)
        try:
            count = solver.counts()[-1]
        except Unknown:
            count = 0
        if count > len(played):
            return in_place(table, solver.arrange(count))
    return groups if played else None


def in_place(before: list[list[Card]], after: list[list[Card]]) -> list[list[Card]]:
    """``after`` in an order in which groups lie where most of their cards lay."""
    place_of = {card: place for place, group in enumerate(before) for card in group}

    def place(group: list[Card]) -> int:
        places = [place_of[card] for card in group if card in place_of]
        return max(places, key=places.count) if places else len(before)

    return sorted(after, key=place)
