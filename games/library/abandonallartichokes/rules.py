"""Abandon All Artichokes for two to four: draw a hand without artichokes and win.

Source: wiki page Gamehelpabandonallartichokes, revision of 2021-10-21, a full copy of the printed rules;
where it is silent the public implementation 0-wiz-0/bga-abandonallartichokes. Decided here:

* Peas need two cards in the garden stack, beet another card in one's own hand, corn a card in the row.
* Carrot comes after no other card and before none; the hand may hold cards that could be played.
* Artichokes that a card uses leave the hand as it is played, before any choice; the card itself goes to
  its place last. What it reshuffles (leek, potato) does not include it.
* At the end of a turn the hand is discarded in hand order, the last card on top. Five are drawn one by
  one; an empty deck is made of the shuffled discard pile. A hand without artichokes wins, also one of
  fewer than five cards, also an empty one; only then, never in the middle of a turn.
* The garden row is filled at the beginning of a turn. Four or five cards of one type: the row is shuffled
  back and laid anew, twenty times at most. Rhubarb puts the row under the stack, its last card lowest.
* Eggplant: everybody chooses from the hand as it is then; whoever holds no card is not asked.
* The first player is drawn. One wins, the others share the second place. After the last turn of the option
  ``turn_limit``, counted over all players, the fewest artichokes win, several if need be.

Units: scores are artichokes left in deck, hand and discard pile. Seats go clockwise, "left" is the next
seat in turn order. Piles have their top card last. Cards are named by type.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import msgspec

from games.engine import Game, IllegalMove, Line, Meta, Moves, Msg, Outcome, Rng, Step, private_copy
from games.library.abandonallartichokes import effects, garden, standing, turns, worlds
from games.library.abandonallartichokes.material import (
    ARTICHOKE,
    HAND_SIZE,
    SEATS,
    START_ARTICHOKES,
    Card,
    named,
)
from games.library.abandonallartichokes.material import garden as garden_cards
from games.library.abandonallartichokes.state import (
    Action,
    ArtichokesOptions,
    ArtichokesState,
    Done,
    Harvest,
    Leave,
    Pass,
    Pick,
    Play,
    Take,
    Target,
    Turn,
    artichokes,
    types,
)

ASKED: dict[str, tuple[type[msgspec.Struct], ...]] = {  # what each phase asks for
    "harvest": (Harvest,),
    "play": (Play, Done),
    "beet_target": (Target,),
    "corn_card": (Pick,),
    "eggplant_pass": (Pass,),
    "leek_target": (Target,),
    "leek_take": (Take, Leave),
    "onion_target": (Target,),
    "peas_keep": (Pick,),
    "peas_target": (Target,),
    "pepper_card": (Pick,),
    "rhubarb_harvest": (Harvest,),
    "over": (),
}
PROMPTS = {
    "harvest": Msg("Harvest a card from the garden row."),
    "beet_target": Msg("Choose whose hand the beet draws from."),
    "corn_card": Msg("Choose a garden card for the top of your deck."),
    "leek_target": Msg("Choose whose top card the leek reveals."),
    "onion_target": Msg("Choose whose discard pile the onion goes on."),
    "peas_keep": Msg("Choose the card for your own discard pile."),
    "pepper_card": Msg("Choose a discard for the top of your deck."),
    "rhubarb_harvest": Msg("Harvest a card from the new garden row."),
}
PLAY = Msg("Play a card, or end your turn.")
PLAY_NOTHING = Msg("You can play no card: end your turn.")
PASS_PROMPTS = {
    1: Msg("Choose a card to pass on."),
    2: Msg("Choose two cards to pass on."),
}


class AbandonAllArtichokes(Game[ArtichokesState, Action, ArtichokesOptions]):
    """Harvest vegetables to get rid of artichokes; a hand without any wins."""

    slug = "abandonallartichokes"
    version = 1
    meta = Meta(
        name="Abandon All Artichokes",
        seats=SEATS,
        minutes=20,
        complexity=1,
        designer="Emma Larkins",
        provenance=(
            "Rules from the help page of 2021-10-21, a copy of the printed ones; what they leave open"
            " from the public implementation by 0-wiz-0. The limit of turns is ours."
        ),
        hidden=True,
    )
    state_type = ArtichokesState
    action_type = Action
    options_type = ArtichokesOptions

    def setup(self, seats: int, options: ArtichokesOptions, rng: Rng) -> ArtichokesState:
        """Ten artichokes each, five of them in hand; the garden shuffled, its row revealed."""
        below = START_ARTICHOKES - HAND_SIZE
        state = ArtichokesState(
            options=options,
            hands=[[ARTICHOKE] * HAND_SIZE for _ in range(seats)],
            decks=[[ARTICHOKE] * below for _ in range(seats)],
            discards=[[] for _ in range(seats)],
            stack=rng.shuffled(garden_cards(options.rhubarb)),
        )
        garden.fill(state, rng)
        state.turn = rng.below(seats)
        state.now = Turn(state.turn)
        return state

    def seat_count(self, state: ArtichokesState) -> int:
        return len(state.hands)

    def pending(self, state: ArtichokesState) -> dict[int, str]:
        if state.phase == "over":
            return {}
        key = f"{state.phase}:{state.number}:{state.played}"
        if state.phase == "eggplant_pass":
            return dict.fromkeys(effects.asked_to_pass(state), key)
        return {state.turn: key}

    def moves(self, state: ArtichokesState, seat: int) -> Moves[Action]:
        phase = state.phase
        if phase == "play":
            return plays(state, seat)
        if phase == "eggplant_pass":
            return passes(state, seat)
        if phase == "leek_take":
            return Moves([Leave(), Take()], prompt=prompt(state))
        if phase in effects.TARGETS:
            seats = effects.TARGETS[phase](state, seat)
            refused = [
                (f"seat:{other}", no_target(other))
                for other in range(len(state.hands))
                if other not in (seat, *seats)
            ]
            return Moves([Target(other) for other in seats], refused=refused, prompt=prompt(state))
        if phase in ("harvest", "rhubarb_harvest"):
            return Moves([Harvest(card) for card in types(state.row)], prompt=PROMPTS[phase])
        return Moves([Pick(card) for card in offered(state, seat)], prompt=PROMPTS[phase])

    def check(self, state: ArtichokesState, seat: int, action: Action) -> None:
        """Raise the first reason that forbids it."""
        if not isinstance(action, ASKED[state.phase]):
            raise IllegalMove("illegal_move", "That is not what is asked now.")
        if isinstance(action, Harvest):
            if action.card not in state.row:
                raise IllegalMove("not_in_row", "That card is not in the garden row.")
        elif isinstance(action, Play):
            check_play(state, seat, action.card)
        elif isinstance(action, Target):
            check_target(state, seat, action.seat)
        elif isinstance(action, Pick):
            if action.card not in offered(state, seat):
                raise IllegalMove("not_offered", "That card is not among those to choose from.")
        elif isinstance(action, Pass):
            check_pass(state, seat, action.cards)

    def apply(self, state: ArtichokesState, seat: int, action: Action, step: Step) -> None:
        if isinstance(action, Harvest):
            effects.harvest(state, seat, action.card, step)
        elif isinstance(action, Play):
            effects.play(state, seat, action.card, step)
        elif isinstance(action, Target):
            effects.target(state, seat, action.seat, step)
        elif isinstance(action, Pick):
            PICKS[state.phase](state, seat, action.card, step)
        elif isinstance(action, Pass):
            effects.choose_pass(state, seat, action.cards, step)
        elif isinstance(action, Done):
            turns.clean_up(state, step)
        else:
            effects.end_leek(state, seat, isinstance(action, Take), step)
        if state.phase == "over":
            step.log(Msg.from_data(ended(state).text))

    def view(self, state: ArtichokesState, seat: int | None) -> dict[str, Any]:
        """By seat: ``hand_sizes``, ``deck_sizes``, ``discard_sizes``, ``discard_tops`` (null: no pile),
        ``deck_tops`` (cards known to lie on the deck, the top one first, null for one that others know),
        ``has_passed``, ``artichokes`` (empty where the option hides them). ``hand``, ``discard`` (the
        oldest card first) and ``chosen`` are the viewer's own. ``now`` is the turn that goes on, ``before``
        has the last one of every other seat: ``{"seat", "deeds": [{"kind", "card", "seat_to", "shown", "result", "count"}]}``.
        """
        seats = range(len(state.hands))
        over = state.phase == "over"
        return {
            "phase": state.phase,
            "turn": None if over else state.turn,
            "number": state.number,
            "turn_limit": state.options.turn_limit,
            "rhubarb": state.options.rhubarb,
            "played": state.played,
            "row": state.row,
            "stack": len(state.stack),
            "compost": {"count": len(state.compost), "top": top(state.compost)},
            "in_play": state.in_play or None,
            "revealed": state.revealed,
            "seat_to": state.seat_to,
            "hand_sizes": [len(hand) for hand in state.hands],
            "deck_sizes": [len(deck) for deck in state.decks],
            "discard_sizes": [len(pile) for pile in state.discards],
            "discard_tops": [top(pile) for pile in state.discards],
            "deck_tops": [deck_top(state, owner, owner == seat) for owner in seats],
            "has_passed": [bool(cards) for cards in state.passes],
            "artichokes": [artichokes(state, owner) for owner in seats]
            if state.options.show_artichoke_counts
            else [],
            "hand": [] if seat is None else state.hands[seat],
            "discard": [] if seat is None else state.discards[seat],
            "chosen": [] if seat is None else state.passes[seat],
            "now": turn_shown(state.now),
            "before": [turn_shown(turn) for turn in state.before],
            "winners": standing.winners(state) if over else [],
        }

    def reveal(self, state: ArtichokesState) -> dict[str, Any]:
        """With all hands, and all decks and discard piles, their top card last."""
        return self.view(state, None) | {
            "hands": state.hands,
            "decks": state.decks,
            "discards": state.discards,
            "artichokes": [artichokes(state, seat) for seat in range(len(state.hands))],
        }

    def outcome(self, state: ArtichokesState) -> Outcome | None:
        return ended(state) if state.phase == "over" else None

    def value(self, state: ArtichokesState, seat: int) -> float:
        return standing.value(state, seat)

    def resample(self, state: ArtichokesState, seat: int | None, rng: Rng) -> ArtichokesState:
        world = private_copy(self, state)
        worlds.redeal(world, seat, rng)
        return world

    def progress(self, state: ArtichokesState) -> float:
        """By the artichokes in the compost, which lies open."""
        if state.phase == "over":
            return 1.0
        return state.compost.count(ARTICHOKE) / (START_ARTICHOKES * len(state.hands))

    def opening(self, state: ArtichokesState) -> list[Line]:
        return [
            Line(
                Msg("Turn {number}: {seat}", number=state.number, seat=state.turn).data(),
                heading=True,
            ),
            Line(
                Msg(
                    "The garden row begins with {things}.",
                    things=[named(card) for card in state.row],
                ).data()
            ),
        ]

    def summary(self, state: ArtichokesState) -> Msg:
        if state.phase == "over":
            return Msg("Over after {number} turns", number=state.number)
        return Msg("Turn {number}", number=state.number)

    def standing(self, state: ArtichokesState) -> list[int]:
        if not state.options.show_artichoke_counts:
            return []
        return [artichokes(state, seat) for seat in range(len(state.hands))]

    def label(self, state: ArtichokesState, seat: int, action: Action) -> Msg:
        if isinstance(action, Harvest):
            return Msg("Harvest {thing}", thing=named(action.card))
        if isinstance(action, Play):
            return Msg("Play {thing}", thing=named(action.card))
        if isinstance(action, Target):
            return Msg("Choose {seat}", seat=action.seat)
        if isinstance(action, Pick):
            return Msg("Choose {thing}", thing=named(action.card))
        if isinstance(action, Pass):
            return Msg("Pass {things}", things=[named(card) for card in action.cards])
        if isinstance(action, Done):
            return Msg("End your turn")
        return Msg("Take it into your hand" if isinstance(action, Take) else "Let it be discarded")


# -- what may be done --------------------------------------------------------------------------


def plays(state: ArtichokesState, seat: int) -> Moves[Action]:
    """To end the turn, then every type of the hand that may be played."""
    found: list[Action] = [Done()]
    refused = []
    for card in types(state.hands[seat]):
        reason = effects.why_not(state, seat, card)
        if reason is None:
            found.append(Play(card))
        else:
            refused.append((card, reason[1]))
    return Moves(found, refused=refused, prompt=PLAY if len(found) > 1 else PLAY_NOTHING)


def passes(state: ArtichokesState, seat: int) -> Moves[Action]:
    """Every choice of two types of the hand, or of one from a hand of one card."""
    hand, size = state.hands[seat], effects.pass_size(state, seat)
    order = {card: place for place, card in enumerate(types(hand))}
    chosen = dict.fromkeys(
        tuple(sorted(cards, key=order.__getitem__)) for cards in combinations(hand, size)
    )
    first = tuple(hand[:size])
    rest = [cards for cards in chosen if Counter(cards) != Counter(first)]
    return Moves([Pass(list(cards)) for cards in (first, *rest)], prompt=PASS_PROMPTS[size])


def offered(state: ArtichokesState, seat: int) -> Sequence[Card]:
    """What corn, peas or pepper let one choose from."""
    if state.phase == "corn_card":
        return types(state.row)
    if state.phase == "peas_keep":
        return types(state.revealed)
    return types(state.discards[seat])


PICKS = {
    "corn_card": effects.corn,
    "peas_keep": effects.keep_peas,
    "pepper_card": effects.pepper,
}


def check_play(state: ArtichokesState, seat: int, card: Card) -> None:
    if card not in state.hands[seat]:
        raise IllegalMove("not_in_hand", "You do not hold that card.")
    reason = effects.why_not(state, seat, card)
    if reason is not None:
        raise IllegalMove(*reason)


def check_target(state: ArtichokesState, seat: int, other: int) -> None:
    if other == seat or not 0 <= other < len(state.hands):
        raise IllegalMove("not_an_opponent", "Choose one of your opponents.")
    if other not in effects.TARGETS[state.phase](state, seat):
        raise IllegalMove("no_cards_there", no_target(other))


def no_target(other: int) -> Msg:
    """Why beet and leek cannot be aimed at somebody."""
    return Msg("{seat} has no card for that.", seat=other)


def check_pass(state: ArtichokesState, seat: int, cards: list[Card]) -> None:
    size = effects.pass_size(state, seat)
    if len(cards) != size:
        raise IllegalMove("wrong_count", Msg("The number of cards to pass is {count}.", count=size))
    if Counter(cards) - Counter(state.hands[seat]):
        raise IllegalMove("not_in_hand", "You do not hold those cards.")


def prompt(state: ArtichokesState) -> Msg:
    """What is asked of the one whose turn it is, while a card is resolved."""
    if state.phase == "leek_take":
        assert state.seat_to is not None
        return Msg(
            "Take {thing} into your hand, or leave it to {seat_to}.",
            thing=named(state.revealed[0]),
            seat_to=state.seat_to,
        )
    if state.phase == "peas_target":
        return Msg("Choose whose discard pile gets {thing}.", thing=named(state.revealed[0]))
    return PROMPTS[state.phase]


# -- what is shown, and the end ----------------------------------------------------------------


def top(pile: list[Card]) -> Card | None:
    return pile[-1] if pile else None


def deck_top(state: ArtichokesState, owner: int, own: bool) -> list[Card | None]:
    """Cards known to lie on a deck, the top one first; None for one that only the owner knows."""
    deck, known = state.decks[owner], state.known[owner]
    shown = [
        card if seen or own else None
        for card, seen in zip(deck[len(deck) - len(known) :], known, strict=True)
    ]
    return shown[::-1]


def turn_shown(turn: Turn) -> dict[str, Any]:
    return {
        "seat": turn.seat,
        "deeds": [
            {
                "kind": deed.kind,
                "card": deed.card,
                "seat_to": deed.seat_to,
                "shown": deed.shown,
                "result": deed.result,
                "count": deed.count,
            }
            for deed in turn.deeds
        ],
    }


def ended(state: ArtichokesState) -> Outcome:
    """One wins by the hand drawn; after the last turn whoever has the fewest artichokes."""
    first = standing.winners(state)
    left = [artichokes(state, seat) for seat in range(len(state.hands))]
    by_hand = ARTICHOKE not in state.hands[state.turn]
    if by_hand:
        text = Msg(
            "{seat} draws a hand without artichokes and wins.",
            you="You draw a hand without artichokes and win.",
            seat=first[0],
        )
    elif len(first) == 1:
        text = Msg(
            "That was the last turn. {seat} has the fewest artichokes, {count}, and wins.",
            you="That was the last turn. You have the fewest artichokes, {count}, and win.",
            seat=first[0],
            count=left[first[0]],
        )
    else:
        text = Msg(
            "That was the last turn. {seats} have the fewest artichokes, {count}, and share the win.",
            seats=first,
            count=left[first[0]],
        )
    return Outcome(
        ranks=[1 if seat in first else 1 + len(first) for seat in range(len(state.hands))],
        scores=left,
        reason="no_artichokes" if by_hand else "turn_limit",
        text=text.data(),
    )
