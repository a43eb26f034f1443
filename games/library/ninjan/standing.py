"""How well a seat stands, for bots and for the places after somebody gave up."""

from __future__ import annotations

from games.library.ninjan.claims import claimable, total
from games.library.ninjan.state import NinjanState

IN_REACH = 0.1  # of the points of a pile that a card in hand could claim now


def value(state: NinjanState, seat: int) -> float:
    """Own points minus the best other ones, and a little for the piles that own cards could claim now."""
    points = [total(cards) for cards in state.captured]
    best = max(score for other, score in enumerate(points) if other != seat)
    reach = {pile for card in state.hands[seat] for pile in claimable(state.piles, card)}
    return points[seat] - best + IN_REACH * sum(total(state.piles[pile]) for pile in reach)
