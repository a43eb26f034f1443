"""From one turn to the next: the cards of a hand are discarded, five are drawn, the garden is filled."""

from __future__ import annotations

from games.engine import Msg, Rng, Step
from games.library.abandonallartichokes import garden
from games.library.abandonallartichokes.material import ARTICHOKE, HAND_SIZE, Card, named
from games.library.abandonallartichokes.state import ArtichokesState, Deed, Turn


def clean_up(state: ArtichokesState, step: Step) -> None:
    """End the turn: the whole hand is discarded, the last card on top; five are drawn; a hand without
    artichokes wins, and only here."""
    seat = state.turn
    state.discards[seat] += state.hands[seat]
    state.hands[seat] = draw(state, seat, step.rng)
    hand = state.hands[seat]
    state.now.deeds.append(Deed("draw", count=len(hand)))
    step.barrier()
    step.log(
        Msg(
            "{seat} discards the hand and draws {count}.",
            you="You discard your hand and draw {count}.",
            seat=seat,
            count=len(hand),
        )
    )
    if hand:
        step.log(Msg("You drew {things}.", things=[named(card) for card in hand]), to=[seat])
    if ARTICHOKE not in hand or state.number == state.options.turn_limit:
        state.phase = "over"
        return
    state.turn = (seat + 1) % len(state.hands)
    state.number += 1
    begin(state, step)


def begin(state: ArtichokesState, step: Step) -> None:
    """The garden row is filled; without a garden there is no harvest."""
    others = len(state.hands) - 1
    state.before = [*state.before, state.now][-others:]
    state.now = Turn(state.turn)
    state.played = 0
    step.heading(Msg("Turn {number}: {seat}", number=state.number, seat=state.turn))
    garden.tell(*garden.fill(state, step.rng), step)
    state.phase = "harvest" if state.row else "play"


def draw(state: ArtichokesState, seat: int, rng: Rng) -> list[Card]:
    """Up to five cards from the top of the deck; the discard pile becomes the deck when it is empty."""
    hand: list[Card] = []
    while len(hand) < HAND_SIZE and has_cards(state, seat):
        hand.append(top_card(state, seat, rng))
    return hand


def has_cards(state: ArtichokesState, seat: int) -> bool:
    """Whether there is a card in the deck or in the discard pile that would become the deck."""
    return bool(state.decks[seat] or state.discards[seat])


def top_card(state: ArtichokesState, seat: int, rng: Rng) -> Card:
    """Take the top card off a deck; an empty one is made of the shuffled discard pile first."""
    if not state.decks[seat]:
        state.decks[seat] = rng.shuffled(state.discards[seat])
        state.discards[seat] = []
    if state.known[seat]:
        state.known[seat].pop()
    return state.decks[seat].pop()


def put_on_top(state: ArtichokesState, seat: int, card: Card, *, seen: bool) -> None:
    """Lay a card on one's deck: ``seen`` by everybody, or known to its owner alone."""
    state.decks[seat].append(card)
    state.known[seat].append(seen)
