"""Series: which there are, why something is none, what they score and which cards leave."""

from __future__ import annotations

from games.engine.errors import IllegalMove
from games.engine.messages import Msg
from games.library.verso.material import (
    COLOURS,
    FACES,
    JOKER,
    SERIES_DISCARD,
    SERIES_MIN,
    VALUES,
    Face,
)
from games.library.verso.state import Card, Series, points


def all_series(tableau: list[Card]) -> list[Series]:
    """Every series in ``tableau``, by colour, the short ones first; cards by the value they stand for."""
    showing = {card[:2] for card in tableau}
    found = []
    for colour in COLOURS:
        joker = colour + JOKER if colour + JOKER in showing else None
        for length in range(SERIES_MIN, len(VALUES) + 1):
            for low in range(1, len(VALUES) - length + 2):
                run = range(low, low + length)
                names = [f"{colour}{value}" for value in run]
                missing = [value for value in run if f"{colour}{value}" not in showing]
                if not missing:
                    found.append(Series(tuple(names)))
                if joker and len(missing) <= 1:
                    for value in missing or run:
                        cards = [*names]
                        cards[value - low] = joker
                        found.append(Series(tuple(cards), value))
    return found


def check_series(tableau: list[Card], series: Series) -> None:
    """Raise the first reason why ``series`` cannot be scored with ``tableau``."""
    showing = {card[:2] for card in tableau}
    names = series.cards
    if any(name not in showing for name in names):
        raise IllegalMove("not_in_tableau", "Choose cards that lie in your own tableau.")
    if len(set(names)) < len(names):
        raise IllegalMove("repeated", "A card counts once in a series.")
    if len(names) < SERIES_MIN:
        raise IllegalMove("too_few", "A series has at least two cards.")
    if len({name[0] for name in names}) > 1:
        raise IllegalMove("colours", "All cards of a series have the same colour.")
    jokers = any(name[1] == JOKER for name in names)
    if jokers and series.joker_as is None:
        raise IllegalMove("joker_as", "Say which number the joker stands for.")
    if not jokers and series.joker_as is not None:
        raise IllegalMove("no_joker", "There is no joker in this series.")
    if series.joker_as is not None and series.joker_as not in VALUES:
        raise IllegalMove("joker_value", "A joker stands for a number from 1 to 6.")
    values = sorted(value_in(name, series) for name in names)
    if len(set(values)) < len(values):
        raise IllegalMove("joker_taken", "The joker stands for a number that the series lacks.")
    if values[-1] - values[0] != len(values) - 1:
        raise IllegalMove("gap", "The numbers of a series follow each other without a gap.")


def value_in(name: Face, series: Series) -> int:
    """The value that the card ``name`` stands for in ``series``."""
    if name[1] == JOKER and series.joker_as is not None:
        return series.joker_as
    return int(name[1])


def in_order(series: Series) -> list[Face]:
    """The cards of ``series`` by the value they stand for."""
    return sorted(series.cards, key=lambda name: value_in(name, series))


def series_points(tableau: list[Card], series: Series) -> int:
    """The sum of the points on its cards."""
    return sum(points(card) for card in tableau if card[:2] in series.cards)


def leaving(series: Series) -> list[Face]:
    """The two cards that are discarded for it: those of the highest positions."""
    return in_order(series)[-SERIES_DISCARD:]


def named(name: Face, series: Series) -> Msg:
    """``blue 3``, or ``blue joker as 4``."""
    if name[1] == JOKER and series.joker_as is not None:
        return Msg("{thing} as {value}", thing=FACES[name], value=series.joker_as)
    return FACES[name]
