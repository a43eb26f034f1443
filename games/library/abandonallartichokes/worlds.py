"""Other deals that look the same to a viewer.

Every player's cards stay that player's. Hidden are the order of the garden stack, which of another
player's cards are in the hand, in the deck or below the top of the discard pile, and the order of one's own
deck; nothing when it is over. Cards that were put on a deck openly stay there; those that only its owner knows, for the owner.
"""

from __future__ import annotations

from games.engine import Rng
from games.library.abandonallartichokes.effects import pass_size
from games.library.abandonallartichokes.material import Card
from games.library.abandonallartichokes.state import ArtichokesState


def redeal(state: ArtichokesState, viewer: int | None, rng: Rng) -> None:
    """Change what ``viewer`` (None: a spectator) cannot see in ``state``, and nothing else."""
    if state.phase == "over":
        return
    state.stack.sort()
    rng.shuffle(state.stack)
    for seat, hand in enumerate(state.hands):
        places = hidden_in_deck(state, seat, viewer)
        if seat != viewer:
            places += [(hand, index) for index in range(len(hand))]
            pile = state.discards[seat]
            places += [(pile, index) for index in range(len(pile) - 1)]
        cards = sorted(pile[index] for pile, index in places)
        rng.shuffle(cards)
        for (pile, index), card in zip(places, cards, strict=True):
            pile[index] = card
        if seat != viewer and state.passes[seat]:
            state.passes[seat] = rng.sample(hand, pass_size(state, seat))


def hidden_in_deck(
    state: ArtichokesState, seat: int, viewer: int | None
) -> list[tuple[list[Card], int]]:
    """Where in a deck cards lie that ``viewer`` does not know: the deck itself, and the place."""
    deck, known = state.decks[seat], state.known[seat]
    below = len(deck) - len(known)
    above = [below + n for n, seen in enumerate(known) if not seen and seat != viewer]
    return [(deck, index) for index in (*range(below), *above)]
