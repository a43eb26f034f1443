"""The packs and the figures of Machiavelli.

Sources: French packs without jokers, hands of 15, at most 13 cards a turn and groups of three or
more are those of the help pages of 2019-09-24; how many packs for how many people is ours (the pages
say "two or more").
"""

from __future__ import annotations

from games.engine.cards import Card

SUITS = "CDHS"
RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
MOST_PACKS = 4

LEAST_IN_GROUP = 3
MOST_IN_SET = 4
ACE, KING, ACE_HIGH = 1, 13, 14

PACKS_BY_SEATS = {2: 2, 3: 2, 4: 2, 5: 2, 6: 3}


def packs(count: int) -> list[Card]:
    """The cards of ``count`` packs, ids such as ``10H.2``: by suit, then by rank, then by copy."""
    copies = range(1, count + 1)
    return [f"{rank}{suit}.{copy}" for suit in SUITS for rank in RANKS for copy in copies]


IN_ORDER: dict[Card, int] = {card: place for place, card in enumerate(packs(MOST_PACKS))}
"""The order in which a hand is held."""

KIND: dict[Card, str] = {card: card.partition(".")[0] for card in IN_ORDER}
"""What makes cards identical: ``10H`` of ``10H.2``."""

RANK: dict[Card, int] = {card: RANKS.index(kind[:-1]) + 1 for card, kind in KIND.items()}
"""1, the ace, to 13, the king."""

SUIT: dict[Card, str] = {card: kind[-1] for card, kind in KIND.items()}
