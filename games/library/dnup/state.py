"""What a table of dnup is made of: its options, its actions, its state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.library.dnup.material import DEAL, DUEL_WINS, UP, deck


class DnupOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default."""

    ruleset: Annotated[
        Literal["help", "rulebook"],
        msgspec.Meta(
            title="Rules",
            description="The help page deals 7 or 6 cards each; the published rules deal all of them,"
            " and two players play the duel.",
            extra_json_schema={
                "labels": {
                    "help": "help page",
                    "rulebook": "published rules",
                }
            },
        ),
    ] = "help"
    hand_limit: Annotated[
        Literal["auto", "start", "none", 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20],
        msgspec.Meta(
            title="Hand limit",
            description="How many cards one may hold after taking a set. The help page has as many as"
            " were dealt, the published rules none. What comes back is never limited.",
            extra_json_schema={
                "labels": {
                    "auto": "as the rules have it",
                    "start": "as many as were dealt",
                    "none": "no limit",
                }
            },
        ),
    ] = "auto"
    beat_scope: Annotated[
        Literal["same_size", "same_or_smaller"],
        msgspec.Meta(
            title="Which sets are beaten",
            description="What goes back to its owner when a set is played or grows: lower sets of the"
            " same size, or all smaller ones too.",
            extra_json_schema={
                "labels": {
                    "same_size": "only of the same size",
                    "same_or_smaller": "smaller ones, too",
                }
            },
        ),
    ] = "same_size"
    target_points: Annotated[
        Literal[4, 2, 3, 5, 6, 7, 8],
        msgspec.Meta(
            title="Points to win",
            description="The game ends as soon as somebody has so many.",
            extra_json_schema={"hide_if": {"ruleset": "rulebook", "seats": 2}},  # the duel
        ),
    ] = 4


class Rotate(msgspec.Struct, frozen=True, tag="rotate"):
    """Turn all cards of one's own hand round."""


class Play(msgspec.Struct, frozen=True, tag="play"):
    """Lay own cards that show one value in front of oneself; in a duel in the area of the turn."""

    cards: list[str]


class Add(msgspec.Struct, frozen=True, tag="add"):
    """Put one own card to the set of another seat that shows the same value."""

    card: str
    seat: int
    area: int = 1


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take the whole set of another seat into one's hand, turned round."""

    seat: int
    area: int = 1


Action: TypeAlias = Rotate | Play | Add | Take


class Laid(msgspec.Struct):
    """A set on the table."""

    owner: int  # the seat it lies in front of
    cards: list[int]  # all show one value; those added to it come last
    area: int = 1  # 2 only in a duel

    @property
    def value(self) -> int:
        return UP[self.cards[0]]


class Last(msgspec.Struct):
    """What a seat did last, as the board marks it."""

    seat: int
    kind: Literal["play", "add", "take", "rotate"]
    cards: list[int] = []  # that were moved, as they lie now
    owner: int | None = None  # of the set that was played, grew or was taken
    area: int = 1
    beaten: list[int] = []  # the seats that took a set back for it


class Round(msgspec.Struct):
    """A round that is over."""

    gains: list[int]  # by seat; in a duel 1 for the winner
    void: bool = False


class DnupState(msgspec.Struct):
    """Cards are numbers, negative when turned round: see ``material``."""

    hands: list[list[int]]  # by seat
    points: list[int]  # by seat; in a duel the rounds won
    options: DnupOptions = DnupOptions()
    phase: Literal["action", "over"] = "action"
    turn: int = 0
    area: int = 1  # whose turn it is in a duel; otherwise 1
    sets: list[Laid] = []  # in the order in which they were laid
    discard: list[int] = []
    aside: list[int] = []  # out of the round, seen by nobody
    known: list[list[int]] = []  # by seat: numbers of the held cards that all have seen
    out: list[int] = []  # seats without cards, in the order in which they went out
    starter: int = 0
    round: int = 1
    actions: int = 0  # taken in this round
    rounds: list[Round] = []  # those that are over
    gains: list[int] = []  # by seat, points of this round
    did: list[Last | None] = []  # by seat, its latest action in this round
    last: int | None = None  # the seat that acted last in this round
    came: list[list[int]] = []  # by seat, numbers of the cards it has got since its turn before

    def __post_init__(self) -> None:
        self.known = self.known or [[] for _ in self.hands]
        self.gains = self.gains or [0] * len(self.hands)
        self.did = self.did or [None] * len(self.hands)
        self.came = self.came or [[] for _ in self.hands]


def is_duel(state: DnupState) -> bool:
    """Two players by the published rules: two areas each, two turns in a row, no points."""
    return state.options.ruleset == "rulebook" and len(state.hands) == 2


def dealt(seats: int, options: DnupOptions) -> int:
    """How many cards each player is dealt."""
    return DEAL[seats] if options.ruleset == "help" else len(deck(seats)) // seats


def hand_limit(state: DnupState) -> int | None:
    """How many cards a hand may hold after a set was taken; None: any number."""
    options = state.options
    limit = options.hand_limit
    if limit == "auto":
        limit = "start" if options.ruleset == "help" else "none"
    if limit == "none":
        return None
    return dealt(len(state.hands), options) if limit == "start" else limit


def target(state: DnupState) -> int:
    """The points, in a duel the rounds, that win the game."""
    return DUEL_WINS if is_duel(state) else state.options.target_points
