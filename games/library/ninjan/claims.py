"""The order in which the cards of a round claim, and what they may claim."""

from __future__ import annotations

from collections.abc import Sequence

from games.library.ninjan.material import BEATS, DECK, PILES, SUITS, VALUE

ALL_PILES = list(range(PILES))
BY_CLAIM = {
    card: place
    for place, card in enumerate(
        sorted(DECK, key=lambda card: (-VALUE[card], SUITS.index(card[0])))
    )
}
"""The highest value first; of equal ones rock, scissors, paper."""


def in_order(cards: Sequence[str]) -> list[str]:
    """The highest value first; of two equal ones that whose suit beats the other, of three equal ones
    rock, scissors, paper."""
    order = sorted(cards, key=BY_CLAIM.__getitem__)
    values = [VALUE[card] for card in order]
    for place in range(len(order) - 1):
        first, second = order[place : place + 2]
        pair = values[place] == values[place + 1] and values.count(values[place]) == 2
        if pair and BEATS[second[0]] == first[0]:
            order[place], order[place + 1] = second, first
    return order


def claimable(piles: Sequence[Sequence[str]], card: str) -> list[int]:
    """The piles whose top card is of the suit that ``card`` beats; often none."""
    beaten = BEATS[card[0]]
    return [place for place, pile in enumerate(piles) if pile[-1][0] == beaten]


def legal_piles(piles: Sequence[Sequence[str]], card: str) -> list[int]:
    """Where ``card`` may go: it must claim if it can, and otherwise is laid on any pile."""
    return claimable(piles, card) or ALL_PILES


def total(cards: Sequence[str]) -> int:
    """Points of ``cards``."""
    return sum(VALUE[card] for card in cards)


def best_pile(piles: Sequence[Sequence[str]], among: Sequence[int]) -> int:
    """The pile with the most points, the first of equal ones."""
    return max(among, key=lambda place: total(piles[place]))
