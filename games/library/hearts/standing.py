"""How well a seat stands, and which cards are worth passing: for bots.

Nothing here is a rule. ``value`` looks at all hands, because bots ask it about resampled worlds.
"""

from __future__ import annotations

from itertools import combinations

from games.engine.cards import Card
from games.library.hearts.material import ALL_POINTS, QUEEN, SEATS, STRENGTH
from games.library.hearts.state import HeartsState, Pass

RISKY = 6  # cards of a hand from which a bot picks the three it passes
FIRST_PLACE = (
    26.0  # what a game that ends is worth to its winner besides points, and costs the others
)


def value(state: HeartsState, seat: int) -> float:
    """Own score minus the mean of the others, in points: as if the hand ended with what is taken so
    far, less a little for the cards still held that may take more. In a finished game the place
    counts besides.
    """
    worth = [score + likely for score, likely in zip(state.scores, hand_so_far(state), strict=True)]
    others = (sum(worth) - worth[seat]) / (SEATS - 1)
    if state.phase == "over":
        won = worth[seat] == max(worth)
        return worth[seat] - others + (FIRST_PLACE if won else -FIRST_PLACE)
    hand = state.hands[seat]
    return worth[seat] - others - sum(risk(card, hand, state) for card in hand)


def hand_so_far(state: HeartsState) -> list[int]:
    """By seat, what the points taken in this hand are likely to change its score by.

    Whoever alone holds more than half of all the points may be on the way to the moon: these are
    not counted against it yet.
    """
    if state.phase == "over":  # the scores hold them already
        return [0] * SEATS
    points = state.points
    total = sum(points)
    if total > ALL_POINTS // 2 and total in points:
        moon = ALL_POINTS if total == ALL_POINTS else 0
        return [moon if count else 0 for count in points]
    return [-count for count in points]


def risk(card: Card, hand: list[Card], state: HeartsState) -> float:
    """About how many points ``card`` may yet cost the one who holds it."""
    strength = STRENGTH[card]
    kind = card[-1]
    if kind == "H":
        return 0.12 * max(0, strength - 5)
    if kind == "S" and strength >= STRENGTH[QUEEN] and QUEEN not in state.won:
        guards = sum(other[-1] == "S" and STRENGTH[other] < strength for other in hand)
        weight = 5.0 if card == QUEEN else 3.0
        return weight / (1 + max(0, guards - 1))
    return 0.04 * strength


def pass_ideas(hand: list[Card]) -> list[Pass]:
    """The choices of three among the riskiest cards, the riskiest three first."""
    order = sorted(hand, key=lambda card: (-pass_risk(card, hand), card))
    return [Pass(list(three)) for three in combinations(order[:RISKY], 3)]


def pass_risk(card: Card, hand: list[Card]) -> float:
    """How gladly ``card`` is passed on: high, and alone in its suit."""
    strength = STRENGTH[card]
    kind = card[-1]
    length = sum(other[-1] == kind for other in hand)
    if kind == "S":
        low = sum(other[-1] == "S" and STRENGTH[other] < STRENGTH[QUEEN] for other in hand)
        if strength < STRENGTH[QUEEN] or low >= 4:
            return 0.0
        return 20.0 + (card == QUEEN)
    return strength - length + (1.5 if kind == "H" else 0.0)
