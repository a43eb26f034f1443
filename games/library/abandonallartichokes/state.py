"""What a table of Abandon All Artichokes is made of: its options, its actions, its state."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

import msgspec

from games.library.abandonallartichokes.material import ARTICHOKE, Card


class ArtichokesOptions(msgspec.Struct, frozen=True):
    """The first value of each is the default."""

    auto_target: Annotated[
        bool,
        msgspec.Meta(
            title="Choose the only opponent by itself",
            description="Where a card can be aimed at one opponent only, nobody is asked whom.",
        ),
    ] = True
    auto_end_turn: Annotated[
        bool,
        msgspec.Meta(
            title="End turns by themselves",
            description="A turn ends as soon as no card of the hand can be played after the harvest or"
            " after a card.",
        ),
    ] = False
    rhubarb: Annotated[
        bool,
        msgspec.Meta(
            title="Rhubarb",
            description="Six cards of the promo vegetable are shuffled into the garden.",
        ),
    ] = False
    show_artichoke_counts: Annotated[
        bool,
        msgspec.Meta(
            title="Show who has how many artichokes",
            description="Everybody sees how many artichokes each player has left in all.",
        ),
    ] = False
    turn_limit: Annotated[
        Literal[200, 0, 60, 100, 300],
        msgspec.Meta(
            title="Turns at most",
            description="After so many turns of all players together whoever has the fewest artichokes"
            " wins.",
            extra_json_schema={"labels": {"0": "no limit"}},
        ),
    ] = 200


class Harvest(msgspec.Struct, frozen=True, tag="harvest"):
    """Take a card of the garden row into one's hand."""

    card: Card


class Play(msgspec.Struct, frozen=True, tag="play"):
    """Play a card of one's hand."""

    card: Card


class Done(msgspec.Struct, frozen=True, tag="done"):
    """End one's turn."""


class Target(msgspec.Struct, frozen=True, tag="target"):
    """The opponent at whom the card in play is aimed."""

    seat: int


class Pick(msgspec.Struct, frozen=True, tag="pick"):
    """A card of the row (corn), of the two revealed (peas), of one's discard pile (pepper)."""

    card: Card


class Pass(msgspec.Struct, frozen=True, tag="pass"):
    """The cards one passes to the left, in any order."""

    cards: list[Card]


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take the card that the leek has revealed into one's hand."""


class Leave(msgspec.Struct, frozen=True, tag="leave"):
    """Put the card that the leek has revealed on its owner's discard pile."""


Action: TypeAlias = Harvest | Play | Done | Target | Pick | Pass | Take | Leave

Phase: TypeAlias = Literal[
    "harvest",
    "play",
    "beet_target",
    "corn_card",
    "eggplant_pass",
    "leek_target",
    "leek_take",
    "onion_target",
    "peas_keep",
    "peas_target",
    "pepper_card",
    "rhubarb_harvest",
    "over",
]


class Deed(msgspec.Struct):
    """One thing that was done in a turn, as everybody saw it: for the board."""

    kind: Literal["harvest", "play", "draw"]
    card: Card = ""  # that was harvested or played
    seat_to: int | None = None  # at whom it was aimed
    shown: list[Card] = []  # cards that it revealed or moved openly
    result: Literal["", "compost", "swap", "take", "leave", "discard", "deck", "share"] = ""
    count: int = 0  # cards drawn


class Turn(msgspec.Struct):
    """What one player did in one turn."""

    seat: int
    deeds: list[Deed] = []


class ArtichokesState(msgspec.Struct):
    """Piles have their top card last. Every list of lists is by seat."""

    hands: list[list[Card]]  # in the order in which they were gained
    decks: list[list[Card]]
    discards: list[list[Card]]
    stack: list[Card]  # the face-down garden
    options: ArtichokesOptions = ArtichokesOptions()
    row: list[Card] = []
    compost: list[Card] = []
    phase: Phase = "harvest"
    turn: int = 0  # the seat whose turn it is
    number: int = 1  # of the turn, counted over all players
    played: int = 0  # cards played in this turn, the one in play included
    in_play: Card = ""  # the card that is being resolved
    seat_to: int | None = None  # at whom the leek in play is aimed
    revealed: list[Card] = []  # by the leek or the peas in play
    passes: list[list[Card]] = []  # chosen for the eggplant in play, still in the hands; [] not yet
    known: list[list[bool]] = []  # of the top cards of each deck: all know it, or its owner alone
    now: Turn = msgspec.field(default_factory=lambda: Turn(0))  # the turn that goes on
    before: list[Turn] = []  # the last turn of every other player, the oldest first

    def __post_init__(self) -> None:
        self.known = self.known or [[] for _ in self.hands]
        self.passes = self.passes or [[] for _ in self.hands]
        self.now.seat = self.turn


def opponents(state: ArtichokesState, seat: int) -> list[int]:
    """The other seats in turn order."""
    count = len(state.hands)
    return [(seat + ahead) % count for ahead in range(1, count)]


def artichokes(state: ArtichokesState, seat: int) -> int:
    """How many a player has left in deck, hand and discard pile."""
    piles = state.hands[seat], state.decks[seat], state.discards[seat]
    return sum(pile.count(ARTICHOKE) for pile in piles)


def types(cards: list[Card]) -> list[Card]:
    """Each type once, in the order of its first card."""
    return list(dict.fromkeys(cards))
