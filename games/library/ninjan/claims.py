"""The order in which the cards of a round claim, and what they may claim."""

from __future__ import annotations

from collections.abc import Sequence

from games.library.ninjan.material import BEATS, PILES, SUITS, VALUE

ALL_PILES = list(range(PILES))


def in_order(cards: Sequence[str]) -> list[str]:
    """The highest value first; of two equal ones that whose suit beats the other, of three equal ones
    rock, scissors, paper."""
    order = sorted(cards, key=lambda card: (-VALUE[card], SUITS.index(card[0])))
    for place in range(len(order) - 1):
        first, second = order[place], order[place + 1]
        equal = [card for card in order if VALUE[card] == VALUE[first]]
        if len(equal) == 2 and first in equal and second in equal and BEATS[second[0]] == first[0]:
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
