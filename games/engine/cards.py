"""Cards of the standard pack: rank then suit, ``QS``, ``10H``; a copy in several packs ``10H.2``."""

from __future__ import annotations

from typing import TypeAlias

Card: TypeAlias = str

SUITS = "CDSH"
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
PACK: tuple[Card, ...] = tuple(rank + suit for suit in SUITS for rank in RANKS)

SUIT_NAMES = {"C": "clubs", "D": "diamonds", "S": "spades", "H": "hearts"}
RANK_NAMES = {"J": "Jack", "Q": "Queen", "K": "King", "A": "Ace"}


def suit(card: Card) -> str:
    """``C``, ``D``, ``S`` or ``H``."""
    return card.partition(".")[0][-1]


def rank(card: Card) -> str:
    """``2`` to ``10``, ``J``, ``Q``, ``K`` or ``A``."""
    return card.partition(".")[0][:-1]


def card_name(card: Card) -> str:
    """``Queen of spades``, ``9 of clubs``; what is no standard card is its own name."""
    if rank(card) not in RANKS or suit(card) not in SUIT_NAMES:
        return card
    return f"{RANK_NAMES.get(rank(card), rank(card))} of {SUIT_NAMES[suit(card)]}"
