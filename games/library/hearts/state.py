"""What a table of Hearts is made of: its options, its actions, its state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.engine.cards import Card
from games.library.hearts.material import CYCLE, CYCLE_WITHOUT_HOLD, OFFSET, SEATS, TRICKS


class HeartsOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default."""

    start_score: Annotated[
        Literal[100, 75],
        msgspec.Meta(
            title="Length",
            description="The points everybody starts with. The game ends when somebody has none left.",
            extra_json_schema={
                "labels": {"100": "normal, from 100 points", "75": "quick, from 75 points"}
            },
        ),
    ] = 100
    hold_hand: Annotated[
        bool,
        msgspec.Meta(
            title="Hold hand",
            description="Is every fourth hand played with the cards as they were dealt?",
            extra_json_schema={
                "labels": {
                    "true": "left, across, right, then a hand without passing",
                    "false": "left, across, right, and left again",
                }
            },
        ),
    ] = True
    queen_breaks_hearts: Annotated[
        bool,
        msgspec.Meta(
            title="Queen of spades breaks hearts",
            description="May hearts be led once the queen of spades has been played?",
            extra_json_schema={
                "labels": {"false": "no, only a heart does", "true": "yes, the queen does too"}
            },
        ),
    ] = False
    moon: Annotated[
        Literal["others_lose_26", "shooter_gains_26", "shooter_chooses"],
        msgspec.Meta(
            title="Shooting the moon",
            description="What happens when one player takes all thirteen hearts and the queen.",
            extra_json_schema={
                "labels": {
                    "others_lose_26": "the others lose 26 each",
                    "shooter_gains_26": "the shooter gains 26",
                    "shooter_chooses": "the shooter chooses",
                }
            },
        ),
    ] = "others_lose_26"
    points_on_first_trick: Annotated[
        bool,
        msgspec.Meta(
            title="Points on the first trick",
            description="May hearts and the queen be discarded on the first trick of a hand?",
            extra_json_schema={"labels": {"false": "not allowed", "true": "allowed"}},
        ),
    ] = False
    lead_when_only_queen: Annotated[
        Literal["queen", "free"],
        msgspec.Meta(
            title="Leading from the queen and hearts alone",
            description="What may be led before hearts are broken by a hand of only these cards.",
            extra_json_schema={
                "labels": {"queen": "the queen must be led", "free": "hearts may be led too"}
            },
        ),
    ] = "queen"
    show_taken_cards: Annotated[
        Literal["last_trick", "all"],
        msgspec.Meta(
            title="Cards taken",
            description="Which of the tricks already taken lie open on the table.",
            extra_json_schema={
                "labels": {"last_trick": "only the last trick", "all": "all tricks of the hand"}
            },
        ),
    ] = "last_trick"


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """Three different cards of one's own hand, in any order."""

    cards: list[Card]


class Play(msgspec.Struct, frozen=True, tag="play"):
    """One card, to the trick."""

    card: Card


class Choose(msgspec.Struct, frozen=True, tag="choose"):
    """What a moon does: ``others`` lose 26 each, or one gains 26 one``self``."""

    choice: str


Action: TypeAlias = Pass | Play | Choose


class HeartsState(msgspec.Struct):
    """Hands lie in the order of ``BY_QUIET``, so that what may be played comes quietest first."""

    scores: list[int]  # by seat, points left
    hands: list[list[Card]]  # by seat, 13 cards down to none
    options: HeartsOptions = HeartsOptions()
    phase: Literal["pass", "play", "choose_moon", "over"] = "pass"
    hand_number: int = 1
    passes: list[list[Card]] = msgspec.field(default_factory=lambda: [[] for _ in range(SEATS)])
    # by seat, the three cards it chose, kept until the hand ends; empty before and on a hold hand
    turn: int = 0  # who plays or chooses; no meaning in other phases
    leaders: list[int] = []  # by trick of this hand: who led it; then who leads next
    trick: list[Card] = []  # in order of play from the leader, 0 to 3 cards
    won: list[Card] = []  # cards of this hand's complete tricks in order of play, four a trick
    last_trick: list[Card] = []  # four cards; that of the hand before until a new one is complete
    last_leader: int = 0  # who led it
    points: list[int] = msgspec.field(default_factory=lambda: [0] * SEATS)  # taken in this hand
    hearts_broken: bool = False
    changes: list[list[int]] = []  # by hand that is over, by seat: what the score changed by


def direction(options: HeartsOptions, hand_number: int) -> str:
    """``left``, ``across``, ``right`` or ``hold``: where this hand's passed cards go."""
    cycle = CYCLE if options.hold_hand else CYCLE_WITHOUT_HOLD
    return cycle[(hand_number - 1) % len(cycle)]


def receiver(state: HeartsState, seat: int) -> int:
    """The seat that gets what ``seat`` passes in this hand; itself on a hold hand."""
    return (seat + OFFSET[direction(state.options, state.hand_number)]) % SEATS


def giver(state: HeartsState, seat: int) -> int:
    """The seat whose passed cards ``seat`` gets in this hand; itself on a hold hand."""
    return (seat - OFFSET[direction(state.options, state.hand_number)]) % SEATS


def exchanged(state: HeartsState) -> bool:
    """Have this hand's passed cards changed places?"""
    return state.phase != "pass" and bool(state.passes[0])


def trick_number(state: HeartsState) -> int:
    """1 to 13; 0 while cards are passed."""
    return min(len(state.leaders), TRICKS)
