"""How well a seat stands: for bots. Nothing here is a rule."""

from __future__ import annotations

from games.library.dnup.material import UP
from games.library.dnup.state import DnupState

POINT = 30.0  # a point in hand, above anything that cards are worth


def value(state: DnupState, seat: int) -> float:
    """The lead in points, then few cards in hand that show few values: about as many turns are
    needed as there are values."""
    points = state.points
    others = (sum(points) - points[seat]) / (len(points) - 1)
    hand = state.hands[seat]
    shown = len({UP[card] for card in hand})
    hidden = len({UP[-card] for card in hand})
    return POINT * (points[seat] - others) - len(hand) - 0.6 * shown - 0.2 * hidden
