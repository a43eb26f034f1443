"""The twenty cards of Mate, how strong they are and what they weigh.

Source: help page of 2024-02-02 and public descriptions of the chapter in Sid Sackson's *A Gamut of
Games*, which agree (official). The order in which a hand is shown is ours.
"""

from __future__ import annotations

from games.engine.cards import Card
from games.engine.messages import Msg

SEATS = 2
HAND_SIZE = 10
HANDS = 4  # two rounds of two

RANKS: tuple[tuple[str, int, int, Msg, Msg], ...] = (  # rank, strength, weight, its name, one of it
    ("A", 5, 11, Msg("ace"), Msg("an ace")),
    ("10", 4, 10, Msg("ten"), Msg("a ten")),
    ("K", 3, 4, Msg("king"), Msg("a king")),
    ("Q", 2, 3, Msg("queen"), Msg("a queen")),
    ("7", 1, 7, Msg("seven"), Msg("a seven")),
)
SUITS: tuple[tuple[str, int, Msg], ...] = (  # suit, strength, its cards
    ("C", 4, Msg("clubs")),
    ("S", 3, Msg("spades")),
    ("H", 2, Msg("hearts")),
    ("D", 1, Msg("diamonds")),
)

CARDS: tuple[Card, ...] = tuple(rank + suit for suit, *_ in SUITS for rank, *_ in RANKS)
"""Also the order in which a hand is shown: by suit, each from high to low."""

RANK_STRENGTH = {rank: strength for rank, strength, *_ in RANKS}
WEIGHT = {rank: weight for rank, _, weight, *_ in RANKS}
SUIT_STRENGTH = {suit: strength for suit, strength, _ in SUITS}
RANK_NAMES = {rank: name for rank, _, _, name, _ in RANKS}
ONE_OF_RANK = {rank: words for rank, *_, words in RANKS}
SUIT_WORDS = {suit: words for suit, _, words in SUITS}

PLACE = {card: place for place, card in enumerate(CARDS)}
BY_WEIGHT = {
    card: place
    for place, card in enumerate(
        sorted(CARDS, key=lambda card: (WEIGHT[card[:-1]], SUIT_STRENGTH[card[-1]]))
    )
}
"""The order in which an absent player leads: the lightest card first."""

BY_STRENGTH = {
    card: place
    for place, card in enumerate(
        sorted(CARDS, key=lambda card: (RANK_STRENGTH[card[:-1]], SUIT_STRENGTH[card[-1]]))
    )
}
"""The order in which an absent player answers: the weakest card first."""
