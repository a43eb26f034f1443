"""The 48 cards of Ninjan.

Source: the suits and what beats what are those of the help page Gamehelpninjan, revision of 2025-07-11.
That each suit has one card of each value from -6 to 10 without 0 is stated by an older revision of that
page, by the public implementation dorukkicikoglu/bga-ninjan and, as a total, by a review at Board's Eye
View.

A card is the first letter of its suit and its value: ``r8``, ``s-6``, ``p10``.
"""

from __future__ import annotations

SEATS = (2, 3, 4, 5)
HAND_SIZE = 9  # cards dealt to each player; also the number of rounds
PILES = 3

SUITS = ("r", "s", "p")  # each beats the next one, and paper beats rock
SUIT_NAMES = {"r": "rock", "s": "scissors", "p": "paper"}
BEATS = {"r": "s", "s": "p", "p": "r"}
VALUES = (-6, -5, -4, -3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)

DECK = tuple(f"{suit}{value}" for suit in SUITS for value in VALUES)
VALUE = {card: int(card[1:]) for card in DECK}

BY_QUIET = {
    card: place
    for place, card in enumerate(sorted(DECK, key=lambda card: (VALUE[card], SUITS.index(card[0]))))
}
"""From the card that an absent player plays first: the lowest; of equal values rock, scissors, paper."""
