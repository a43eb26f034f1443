"""What a table of Machiavelli is made of: its options, its actions, its state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.engine.cards import Card

AceMode: TypeAlias = Literal["low_or_high", "low", "both_ends"]


class MachiavelliOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default."""

    ace_mode: Annotated[
        AceMode,
        msgspec.Meta(
            title="Aces in runs",
            description="Low is below the two, high above the king. King, ace, two is never a run.",
            extra_json_schema={
                "labels": {
                    "low_or_high": "low or high",
                    "low": "only low",
                    "both_ends": "at both ends of a run, too",
                }
            },
        ),
    ] = "low_or_high"
    turn_card_limit: Annotated[
        Literal[13, 0],
        msgspec.Meta(
            title="Cards a turn",
            description="How many cards of one's hand may be played in one turn.",
            extra_json_schema={"labels": {"13": "at most 13", "0": "any number"}},
        ),
    ] = 13
    deck_end: Annotated[
        Literal["nobody", "fewest_cards"],
        msgspec.Meta(
            title="When the stock is empty",
            description="The game ends with the last card of the stock.",
            extra_json_schema={
                "labels": {"nobody": "nobody wins", "fewest_cards": "the fewest cards win"}
            },
        ),
    ] = "nobody"
    hand_size: Annotated[
        Literal[15, 13],
        msgspec.Meta(
            title="Cards dealt",
            description="How many cards everybody begins with.",
            extra_json_schema={"labels": {"15": "15", "13": "13"}},
        ),
    ] = 15
    decks: Annotated[
        Literal["auto", 2, 3, 4],
        msgspec.Meta(
            title="Packs",
            description="How many packs of 52 cards are shuffled together.",
            extra_json_schema={
                "labels": {
                    "auto": "two, with six players three",
                    "2": "two",
                    "3": "three",
                    "4": "four",
                }
            },
        ),
    ] = "auto"


class Draw(msgspec.Struct, frozen=True, tag="draw"):
    """One card from the stock, in place of playing."""


class Commit(msgspec.Struct, frozen=True, tag="commit"):
    """The whole new table, cards of one's hand in it; groups and cards in any order."""

    groups: list[list[Card]]


Action: TypeAlias = Draw | Commit


class Last(msgspec.Struct, frozen=True):
    """What the seat before did: public."""

    seat: int
    played: list[Card] = []  # from the hand; none: it drew
    moved: list[Card] = []  # cards that came from another group of the table


class MachiavelliState(msgspec.Struct):
    """Hands lie in the order of ``IN_ORDER``, so that a new card's place tells nothing of its age."""

    hands: list[list[Card]]  # by seat
    stock: list[Card]  # face down, the next one last
    turn: int  # the seat whose turn it is
    options: MachiavelliOptions = MachiavelliOptions()
    table: list[list[Card]] = []  # groups as they lie, runs from low to high
    turn_number: int = 1
    last: Last | None = None
    drawn: list[Card | None] = []  # by seat, what it drew in its last turn: its own secret
    begun_with: int = 0  # cards in the stock after the deal
    over: bool = False
