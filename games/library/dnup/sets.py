"""Sets of cards that show one value: which may be laid, and which are beaten."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, groupby, pairwise

from games.engine import Msg
from games.library.dnup.material import UP
from games.library.dnup.state import DnupState, Laid

COUNTS = ("", "", "", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def find(state: DnupState, owner: int, area: int) -> Laid | None:
    """The set that lies there."""
    for laid in state.sets:
        if laid.owner == owner and laid.area == area:
            return laid
    return None


def blocking(state: DnupState, size: int, value: int) -> Laid | None:
    """The set that forbids one of ``size`` cards that show ``value``, laid or grown: of the same
    size, and not lower."""
    for laid in state.sets:
        if len(laid.cards) == size and laid.value >= value:
            return laid
    return None


def beaten(state: DnupState, winner: Laid) -> list[Laid]:
    """The sets that ``winner``, which has just been laid or has grown, sends back."""
    size = len(winner.cards)
    smaller = state.options.beat_scope == "same_or_smaller"
    return [
        laid
        for laid in state.sets
        if laid is not winner and (len(laid.cards) == size or (smaller and len(laid.cards) < size))
    ]


def by_value(hand: list[int]) -> list[tuple[int, list[int]]]:
    """(value, the cards that show it) from the lowest value on."""
    ordered = sorted(hand, key=lambda card: (UP[card], UP[-card], abs(card)))
    return [(value, list(cards)) for value, cards in groupby(ordered, key=UP.__getitem__)]


def twins(cards: list[int]) -> dict[int, int]:
    """Of ``cards`` in the order of ``by_value``: those that are like the one before in both values,
    and that one."""
    return {card: before for before, card in pairwise(cards) if UP[-card] == UP[-before]}


def choices(cards: list[int]) -> Iterator[list[int]]:
    """All ways to choose from cards that show one value, one card first; of cards that are alike
    always the first ones."""
    alike = twins(cards)
    for size in range(1, len(cards) + 1):
        for chosen in combinations(cards, size):
            if all(alike[card] in chosen for card in chosen if card in alike):
                yield list(chosen)


def face(card: int) -> str:
    """``9/2``: a card by the value it shows and the one it hides."""
    return f"{UP[card]}/{UP[-card]}"


def faces(cards: list[int]) -> list[str]:
    return [face(card) for card in cards]


def words(size: int, value: int) -> Msg:
    """A set in words: "a single 9", "a pair of 4s", "three 2s"."""
    if size == 1:
        return Msg("a single {value}", value=value)
    if size == 2:
        return Msg("a pair of {value}s", value=value)
    return Msg(COUNTS[size] + " {value}s", value=value)


def named(laid: Laid) -> Msg:
    return words(len(laid.cards), laid.value)
