"""What a table of Ninjan is made of: its options, its actions, its state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec


class NinjanOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default. They save clicks; no rule changes by them."""

    auto_last_card: Annotated[
        bool,
        msgspec.Meta(
            title="Last card",
            description="Is the last card of each hand played by itself, since there is no choice?",
            extra_json_schema={"labels": {"true": "by itself", "false": "by its player"}},
        ),
    ] = True
    auto_single_pile: Annotated[
        bool,
        msgspec.Meta(
            title="Only pile",
            description="When just one pile can be claimed, is it claimed by itself?",
            extra_json_schema={"labels": {"true": "by itself", "false": "by the player"}},
        ),
    ] = True
    auto_best_pile: Annotated[  # for all seats: for one's own it is a wish of the board
        bool,
        msgspec.Meta(
            title="Best pile",
            description="When several piles can be claimed, is the one with the most points claimed by itself?",
            extra_json_schema={"labels": {"true": "by itself", "false": "by the player"}},
        ),
    ] = False


class Play(msgspec.Struct, frozen=True, tag="play"):
    """Select a card of one's own hand in secret."""

    card: str


class Choose(msgspec.Struct, frozen=True, tag="choose"):
    """The pile, 0 to 2, that one's card claims, or is laid on."""

    pile: int


Action: TypeAlias = Play | Choose


class Played(msgspec.Struct):
    """A card of the round in the order of claims."""

    seat: int
    card: str
    pile: int | None = None  # where it lies; None: its turn is still to come
    taken: list[
        str
    ] = []  # the pile it claimed, from bottom to top; empty where it was laid on a pile


class NinjanState(msgspec.Struct):
    """Hands lie in the order of ``BY_QUIET``; piles and captured cards in the order they came."""

    hands: list[list[str]]  # by seat, 9 cards down to none
    piles: list[list[str]]  # three, from bottom to top, never empty
    captured: list[list[str]]  # by seat
    out: list[str]  # cards out of the game, which nobody sees
    options: NinjanOptions = NinjanOptions()
    phase: Literal["select_card", "resolve", "over"] = "select_card"
    round: int = 1
    selected: list[str | None] = []  # by seat; the card is still in the hand; None: not yet
    queue: list[Played] = []  # cards of the round being resolved, else of the last one, in order
    resolved: int = 0  # how many of the queue
    gains: list[list[int]] = []  # by round that is over, by seat: what it captured
