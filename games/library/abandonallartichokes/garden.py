"""The garden: a face-down stack, a row of up to five open cards, laid anew when they are too alike."""

from __future__ import annotations

from games.engine import Msg, Rng, Step
from games.library.abandonallartichokes.material import REFRESHES, ROW_SIZE, SAME_TYPE, Card, named
from games.library.abandonallartichokes.state import ArtichokesState


def fill(state: ArtichokesState, rng: Rng) -> tuple[list[Card], list[Card]]:
    """Reveal cards until the row has five, and lay it anew while it must be: which types made it so,
    one for each time, and the cards that are new in the row."""
    new = reveal(state)
    too_many: list[Card] = []
    while len(too_many) < REFRESHES and state.stack and (card := too_alike(state.row)):
        too_many.append(card)
        state.stack += state.row
        state.row = []
        rng.shuffle(state.stack)
        new = reveal(state)
    return too_many, new


def reveal(state: ArtichokesState) -> list[Card]:
    """Cards of the stack join the row at its end until it has five or the stack is empty."""
    new = []
    while len(state.row) < ROW_SIZE and state.stack:
        card = state.stack.pop()
        state.row.append(card)
        new.append(card)
    return new


def too_alike(row: list[Card]) -> Card:
    """The type of which the row has four or five; "" where there is none."""
    return next((card for card in row[:2] if row.count(card) >= SAME_TYPE), "")


def tell(too_many: list[Card], new: list[Card], step: Step) -> None:
    for card in too_many:
        step.log(
            Msg(
                "The garden row is shuffled back: too many cards of one kind ({thing}).",
                thing=named(card),
            )
        )
    if new:
        step.log(Msg("The garden row gets {things}.", things=[named(card) for card in new]))


def lay_anew(state: ArtichokesState, step: Step) -> None:
    """Rhubarb: the row goes under the stack, its last card lowest, and a new row is revealed."""
    state.stack[:0] = reversed(state.row)
    state.row = []
    tell(*fill(state, step.rng), step)
