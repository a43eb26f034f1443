"""Cards on the table, actions and the position of a game."""

from __future__ import annotations

import msgspec

from games.library.verso.material import COLOURS, PLACE, SQUARE_SIDE, Face

Card = str
"""A card as in ``material``, and once it has left the pile two things more: ``!`` where both faces have been
shown, ``?`` where the other one is hidden from everybody, and how many cards the pile had when this one was its
top. That number is the handle by which a board follows the card: everybody has seen it, and it says nothing of the
other face. ``G33B21!12``."""


class Draw(msgspec.Struct, frozen=True, tag="draw"):
    """Take the pile's top card as it shows, or turn it over first."""

    flip: bool


class Series(msgspec.Struct, frozen=True, tag="series"):
    """Score these cards of one's own tableau, named by what they show, in any order."""

    cards: tuple[Face, ...]
    joker_as: int | None = None


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """Score no series at the end."""


class VersoOptions(msgspec.Struct, frozen=True):
    """There is nothing to choose."""


class Last(msgspec.Struct):
    """What the newest action did, for the marks on the board."""

    seat: int = -1
    kind: str = ""  # draw, flip, series
    handles: list[int] = []  # of the cards taken, turned over or scored
    gained: list[int] = []  # by seat, points
    opponent: list[Face] = []  # alone: what the opponent's card showed before and after


class VersoState(msgspec.Struct):
    """A position. Hidden are the pile but for the face on top, what was left out, and each ``?``."""

    pile: list[Card]  # the last one is on top
    tableaus: list[list[Card]]  # by seat, in the order of ``PLACE``
    scores: list[int]
    left_out: list[Card] = []  # more of them than the game needs
    discards: list[Card] = []  # in the order they were discarded, as they lay
    size: int = 35  # cards of the pile at the beginning
    active: int = 0
    turn: int = 1
    answers: list[Series | Pass | None] = []  # by seat, the final series; empty before
    over: bool = False
    last: Last = msgspec.field(default_factory=Last)


def face(card: Card) -> Face:
    """What ``card`` shows."""
    return card[:2]


def points(card: Card) -> int:
    """Points on the face that shows."""
    return int(card[2])


def seen(card: Card) -> bool:
    """Whether both faces of a card off the pile have been shown."""
    return card[6:7] == "!"


def handle(card: Card) -> int:
    """The handle of a card off the pile; 0 where it was given none (positions made by hand)."""
    return int(card[7:] or 0)


def turned(card: Card) -> Card:
    """``card`` turned over: from now on both faces are known."""
    return f"{card[3:6]}{card[:3]}!{card[7:]}"


def taken(pile: list[Card]) -> Card:
    """The top card, off the pile, with its handle."""
    count = len(pile)
    return f"{pile.pop()}?{count}"


def holds(tableau: list[Card], name: Face) -> bool:
    """Whether one of the cards shows ``name``."""
    return any(card[:2] == name for card in tableau)


def lay(tableau: list[Card], card: Card) -> None:
    """Put ``card`` where it belongs."""
    tableau.append(card)
    tableau.sort(key=lambda each: PLACE[each[:2]])


def is_square(tableau: list[Card]) -> bool:
    """Three cards of each colour, and no other."""
    return len(tableau) == SQUARE_SIDE * len(COLOURS) and all(
        sum(card[0] == colour for card in tableau) == SQUARE_SIDE for colour in COLOURS
    )


def neighbours(seat: int, seats: int) -> list[int]:
    """The left neighbour, who is next in turn, then the right one; for two players the other one."""
    if seats == 1:
        return []
    left, right = (seat + 1) % seats, (seat - 1) % seats
    return [left] if left == right else [left, right]
