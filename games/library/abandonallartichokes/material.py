"""The cards of Abandon All Artichokes, and how many there are of each.

Source: wiki page Gamehelpabandonallartichokes, the publisher's list of components (100 cards), and the
public implementation 0-wiz-0/bga-abandonallartichokes, which all agree. Rhubarb is a promo card; six of
it is that implementation's number, the printed one is not known.
"""

from __future__ import annotations

from typing import TypeAlias

from games.engine import Msg

Card: TypeAlias = str  # a type of card: cards of one type are interchangeable

ARTICHOKE = "artichoke"
RHUBARB = "rhubarb"
VEGETABLES: tuple[Card, ...] = (
    "beet",
    "broccoli",
    "carrot",
    "corn",
    "eggplant",
    "leek",
    "onion",
    "peas",
    "pepper",
    "potato",
)
COPIES = 6  # of each vegetable, of rhubarb too
START_ARTICHOKES = 10  # of each player; the rest of the 40 leaves the game

SEATS = (2, 3, 4)
HAND_SIZE = 5
ROW_SIZE = 5
SAME_TYPE = 4  # so many of one type in the row, and it is laid anew
REFRESHES = 20  # so often at most, then the row stays as it is
PASS_SIZE = 2  # cards that eggplant passes
PEAS_SIZE = 2  # cards that peas reveal

NAMES: dict[Card, Msg] = {
    "artichoke": Msg("Artichoke"),
    "beet": Msg("Beet"),
    "broccoli": Msg("Broccoli"),
    "carrot": Msg("Carrot"),
    "corn": Msg("Corn"),
    "eggplant": Msg("Eggplant"),
    "leek": Msg("Leek"),
    "onion": Msg("Onion"),
    "peas": Msg("Peas"),
    "pepper": Msg("Pepper"),
    "potato": Msg("Potato"),
    "rhubarb": Msg("Rhubarb"),
}

# Artichokes of the hand that a card uses as it is played.
USES: dict[Card, int] = {"broccoli": 1, "carrot": 2, "corn": 1, "eggplant": 1, "onion": 1}
# Artichokes that must be in the hand; where a card asks for more than it uses.
NEEDS: dict[Card, int] = USES | {"broccoli": 3}
# Cards that leave the game when they have been played; the others are discarded, but for the onion.
COMPOSTED: frozenset[Card] = frozenset({"carrot", "eggplant", "rhubarb"})


def garden(rhubarb: bool) -> list[Card]:
    """The vegetables of a game, in no order that matters."""
    types = (*VEGETABLES, RHUBARB) if rhubarb else VEGETABLES
    return [card for card in types for _ in range(COPIES)]


def named(card: Card) -> Msg:
    """The name of a card, for a sentence."""
    return NAMES[card]
