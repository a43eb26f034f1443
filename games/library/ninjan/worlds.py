"""Other deals that look the same to a viewer.

Nothing tells who holds what: the cards a viewer has not seen are dealt anew to the other hands and to
those out of the game. What another seat has selected is any card of its new hand.
"""

from __future__ import annotations

from games.engine import Rng
from games.library.ninjan.material import BY_QUIET
from games.library.ninjan.state import NinjanState


def redeal(state: NinjanState, seat: int | None, rng: Rng) -> None:
    """Change what ``seat`` (None: a spectator) cannot see in ``state``, and nothing else."""
    hidden = [other for other in range(len(state.hands)) if other != seat]
    unseen = [*state.out, *(card for other in hidden for card in state.hands[other])]
    cards = rng.shuffled(sorted(unseen, key=BY_QUIET.__getitem__))
    for other in hidden:
        size = len(state.hands[other])
        state.hands[other] = sorted(cards[:size], key=BY_QUIET.__getitem__)
        del cards[:size]
        if state.selected[other] is not None:
            state.selected[other] = rng.choice(state.hands[other])
    state.out = sorted(cards, key=BY_QUIET.__getitem__)
