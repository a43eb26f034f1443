"""What a table of Mate is made of: its options, its action, its state."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

from games.engine.cards import Card
from games.library.mate.material import SEATS


class MateOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default."""

    privilege: Annotated[
        Literal["suit", "king", "figure"],
        msgspec.Meta(
            title="What must be followed first",
            description="The suit led; or the rank, where a king (or a queen) was led and one is in hand.",
            extra_json_schema={
                "labels": {
                    "suit": "the suit, always",
                    "king": "kings by rank",
                    "figure": "kings and queens by rank",
                }
            },
        ),
    ] = "suit"
    free_move: Annotated[
        bool,
        msgspec.Meta(
            title="Free move",
            description=(
                "Once in each hand, whoever is first to use it answers by rank though the suit is"
                " to be followed first, or the other way round."
            ),
            extra_json_schema={"labels": {"false": "none", "true": "one in each hand"}},
        ),
    ] = False


class Play(msgspec.Struct, frozen=True, tag="play", omit_defaults=True):
    """Lead a card, or answer with one; ``free_move`` says that the free move is used for it."""

    card: Card
    free_move: bool = False


class Trick(msgspec.Struct, frozen=True):
    """Two cards, or the one that nothing could answer."""

    leader: int
    led: Card
    reply: Card | None = None
    winner: int | None = None  # who leads next; of a mate: who scores


class Mate(msgspec.Struct, frozen=True):
    """How a hand was won."""

    seat: int
    card: Card
    trick: int  # 1 to 10
    points: int  # weight of the card times the trick


class MateState(msgspec.Struct):
    hands: list[list[Card]]  # by seat, in the order shown, ten cards down to none
    dealt: list[list[Card]]  # by seat, the ten cards this hand began with
    first: int  # led the first hand
    leader: int
    options: MateOptions = MateOptions()
    phase: Literal["lead", "follow", "over"] = "lead"
    hand_number: int = 1  # 1 to 4
    led: Card | None = None
    tricks: list[Trick] = []  # of this hand, decided
    previous: list[Trick] = []  # of the hand before
    free_move_used: bool = False  # in this hand
    results: list[Mate | None] = []  # of the hands that are over; None: nobody was mated
    scores: list[int] = msgspec.field(default_factory=lambda: [0] * SEATS)


def trick_number(state: MateState) -> int:
    """Of the trick that is played, or was the last."""
    return len(state.tricks) + (state.phase != "over")


def turn(state: MateState) -> int | None:
    """The seat that is asked."""
    if state.phase == "over":
        return None
    return state.leader if state.phase == "lead" else 1 - state.leader
