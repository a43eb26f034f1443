"""How a bot finds its play, and what a hint says: the solver within a bound, else play after play."""

from __future__ import annotations

import msgspec

from games.engine.cards import Card
from games.library.machiavelli import solver
from games.library.machiavelli.listing import greedy
from games.library.machiavelli.material import KIND
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
    return Found(count, True, in_place(table, settled(table, question.arrange(count))))


def settled(before: list[list[Card]], after: list[list[Card]]) -> list[list[Card]]:
    """``after`` with identical cards exchanged, so that as many as can be stay where they lay."""
    place_of = {card: place for place, group in enumerate(before) for card in group}
    homes = [home(group, place_of) for group in after]
    free: dict[str, list[Card]] = {}
    for group in after:
        for card in group:
            free.setdefault(KIND[card], []).append(card)
    out: list[list[Card | None]] = []
    for group, place in zip(after, homes, strict=True):  # first those that can stay
        row: list[Card | None] = []
        for card in group:
            copies = free[KIND[card]]
            stays = next((one for one in copies if place_of.get(one) == place), None)
            if stays is not None:
                copies.remove(stays)
            row.append(stays)
        out.append(row)
    return [
        [stayed or free[KIND[card]].pop() for stayed, card in zip(row, group, strict=True)]
        for row, group in zip(out, after, strict=True)
    ]


def home(group: list[Card], place_of: dict[Card, int]) -> int | None:
    """The place of the table from which most cards of ``group`` come; None: all come from the hand."""
    places = [place_of[card] for card in group if card in place_of]
    return max(places, key=places.count) if places else None


def in_place(before: list[list[Card]], after: list[list[Card]]) -> list[list[Card]]:
    """``after`` in an order in which groups lie where most of their cards lay."""
    place_of = {card: place for place, group in enumerate(before) for card in group}

    def order(group: list[Card]) -> int:
        place = home(group, place_of)
        return len(before) if place is None else place

    return sorted(after, key=order)
