"""How well a seat stands and which moves are worth a thought: for bots. Nothing here is a rule."""

from __future__ import annotations

from collections.abc import Sequence

from games.library.verso.material import COLOURS, JOKER, SQUARE_SIDE, VALUES
from games.library.verso.series import series_points
from games.library.verso.state import Card, Draw, Pass, Series, VersoState

FINAL = 0.9  # of the best series: it can be scored at the end, once
LATER = 0.55  # of what a series brings above a turn's worth
TURN = 2.5  # points that a turn brings on the average
NEAR_SQUARE = (0.0, 2.6, 1.2, 0.5)  # by cards that must come or go
EACH_COLOUR = 4  # series of a colour that are weighed

RUNS = [range(low - 1, high) for low in VALUES for high in range(low + 1, len(VALUES) + 1)]


def worth(state: VersoState, seat: int) -> float:
    """Own prospects less those of the best other seat; alone, only the own."""
    if state.over:
        own: list[float] = [float(score) for score in state.scores]
    else:
        fresh = len(state.pile) / state.size
        own = [
            score + prospects(tableau, fresh)
            for score, tableau in zip(state.scores, state.tableaus, strict=True)
        ]
    others = [value for other, value in enumerate(own) if other != seat]
    return own[seat] - max(others, default=0.0)


def prospects(tableau: list[Card], fresh: float) -> float:
    """Points that ``tableau`` promises while ``fresh`` of the pile is left."""
    if not tableau:
        return 0.0
    best = [best_series(tableau, colour) for colour in COLOURS]
    later = sum(max(0.0, points - TURN) for points in best)
    away = sum(abs(SQUARE_SIDE - sum(card[0] == colour for card in tableau)) for colour in COLOURS)
    near = NEAR_SQUARE[away] if away < len(NEAR_SQUARE) else 0.0
    return FINAL * max(best) + fresh * (LATER * later + near)


def best_series(tableau: list[Card], colour: str) -> int:
    """Points of the best series of ``colour``, 0 where there is none."""
    values, joker = [0] * len(VALUES), 0
    for card in tableau:
        if card[0] == colour:
            if card[1] == JOKER:
                joker = int(card[2])
            else:
                values[int(card[1]) - 1] = int(card[2])
    best = 0
    for run in RUNS:
        points = [values[place] for place in run]
        missing = points.count(0)
        if missing == 0:
            best = max(best, sum(points) + max(0, joker - min(points)))
        elif missing == 1 and joker:
            best = max(best, sum(points) + joker)
    return best


def ideas(items: Sequence[Draw | Series | Pass], tableau: list[Card]) -> list[Draw | Series | Pass]:
    """All that is no series, and of each colour the series that bring most."""
    found: list[Draw | Series | Pass] = [item for item in items if not isinstance(item, Series)]
    series = [item for item in items if isinstance(item, Series)]
    for colour in COLOURS:
        own = [each for each in series if each.cards[0][0] == colour]
        found += sorted(own, key=lambda each: -series_points(tableau, each))[:EACH_COLOUR]
    return found
