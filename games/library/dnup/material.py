"""The forty cards of dnup and how many of them are dealt.

Source: the total of 40 is official. The pairs come from one public transcription of the printed
deck (repository babeltimeus-fu-rayjo/Collection); no second source confirms them one by one.

A card is written as its number while it stands upright and shows its first value, and as minus
that number while it is turned round and shows the second: to turn a card is to negate it. In
actions and views a card has a name, ``d01`` to ``d40``.
"""

from __future__ import annotations

CARDS: tuple[tuple[int, int, int], ...] = (  # first value, second value, fewest players
    (1, 5, 2),  # d01, the starred card
    (1, 6, 2),
    (1, 6, 2),
    (1, 7, 2),
    (1, 7, 2),
    (1, 8, 2),
    (1, 9, 2),
    (2, 4, 2),
    (2, 4, 2),
    (2, 5, 2),
    (2, 5, 2),
    (2, 6, 2),
    (2, 9, 2),
    (2, 10, 2),
    (3, 4, 2),
    (3, 5, 2),
    (3, 6, 2),
    (3, 7, 2),
    (3, 8, 2),
    (3, 9, 2),
    (4, 6, 2),
    (4, 7, 2),
    (4, 8, 2),
    (5, 7, 2),
    (5, 8, 2),
    (6, 7, 2),
    (1, 10, 3),
    (2, 8, 3),
    (3, 6, 3),
    (4, 5, 3),
    (1, 8, 4),
    (1, 9, 4),
    (2, 6, 4),
    (2, 7, 4),
    (3, 4, 4),
    (3, 5, 4),
    (3, 10, 5),
    (4, 9, 5),
    (5, 8, 5),
    (6, 7, 5),
)
STAR = 1
"""The number of the starred card, 1/5: whoever is dealt it begins the round."""

UP: dict[int, int] = {}
"""The value that a card shows, by the card as it stands."""
for _number, (_first, _second, _) in enumerate(CARDS, 1):
    UP[_number], UP[-_number] = _first, _second

NAMES: dict[int, str] = {
    card: f"d{abs(card):02d}" for number in range(1, len(CARDS) + 1) for card in (number, -number)
}

SEATS = (2, 3, 4, 5)
DEAL = {2: 7, 3: 7, 4: 6, 5: 6}
"""Cards dealt to each by the help page; the published rules deal the whole deck."""

FIRST_OUT, SECOND_OUT = 2, 1  # points
DUEL_WINS = 2  # rounds
ACTIONS_A_PLAYER = 100  # a round in which nobody gets on is void after so many
VOID_ROUNDS = 3  # so many end the game


def deck(seats: int) -> list[int]:
    """The cards in play with so many players, upright, in the order of their names."""
    return [number for number, (_, _, fewest) in enumerate(CARDS, 1) if fewest <= seats]
