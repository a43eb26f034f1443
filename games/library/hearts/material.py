"""The pack and the figures of Hearts.

Sources: the cards and the points are those of the help page Gamehelphearts, revision of
2019-06-12, which is also where the passing order comes from. The two orders of quietness are ours.
"""

from __future__ import annotations

from games.engine.cards import PACK, RANKS, SUITS, Card, rank, suit

SEATS = 4
HAND_SIZE = 13
PASS_SIZE = 3
TRICKS = 13
LAST_HAND_AT = 0  # the game ends after the hand in which a score comes to this or below

FIRST_CARD: Card = "2C"  # leads the first trick of every hand
QUEEN: Card = "QS"
QUEEN_POINTS = 13
ALL_POINTS = 26  # thirteen hearts and the queen

STRENGTH: dict[Card, int] = {card: RANKS.index(rank(card)) + 2 for card in PACK}
"""2 to 14, the ace."""

POINTS: dict[Card, int] = {QUEEN: QUEEN_POINTS} | {card: 1 for card in PACK if suit(card) == "H"}
"""Only the cards that cost points."""

BY_SUIT: dict[Card, int] = {card: place for place, card in enumerate(PACK)}
"""Order in which a hand is shown: clubs, diamonds, spades, hearts, each from low to high."""

BY_RANK: dict[Card, int] = {
    card: place
    for place, card in enumerate(
        sorted(PACK, key=lambda card: (STRENGTH[card], SUITS.index(suit(card))))
    )
}
"""From the lowest card to the highest; of equal ranks clubs, diamonds, spades, hearts."""

BY_QUIET: dict[Card, int] = {
    card: place
    for place, card in enumerate(sorted(PACK, key=lambda card: (card in POINTS, BY_RANK[card])))
}
"""From the card that an absent player would play first: without points, then the lowest."""

CYCLE = ("left", "across", "right", "hold")
CYCLE_WITHOUT_HOLD = ("left", "across", "right")
OFFSET = {"left": 1, "across": 2, "right": 3, "hold": 0}
"""How many seats further clockwise the passed cards go."""
