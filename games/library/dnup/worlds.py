"""Other deals that look the same to a viewer.

Known are the viewer's own hand, the sets, the discard pile, every card that all have seen going back
to a hand (also how it stands), and who holds the starred card, since its holder began the round;
or that nobody was dealt it. All other cards may lie in any other hand or out of the round, either way up.
"""

from __future__ import annotations

from games.engine import Rng
from games.library.dnup.material import STAR
from games.library.dnup.state import DnupState


def redeal(state: DnupState, seat: int | None, rng: Rng) -> None:
    """Change what ``seat`` (None: a spectator) cannot see in ``state``, and nothing else."""
    places: list[tuple[list[int], int]] = [(state.aside, n) for n in range(len(state.aside))]
    for other, hand in enumerate(state.hands):
        if other != seat:
            known = state.known[other]
            places += [(hand, n) for n, card in enumerate(hand) if abs(card) not in known]
    fixed = [(pile, n) for pile, n in places if abs(pile[n]) == STAR]
    free = [(pile, n) for pile, n in places if abs(pile[n]) != STAR]
    pool = sorted(abs(pile[n]) for pile, n in free)
    rng.shuffle(pool)
    for (pile, n), number in zip(free, pool, strict=True):
        pile[n] = either_way(number, rng)
    for pile, n in fixed:
        pile[n] = either_way(STAR, rng)


def either_way(number: int, rng: Rng) -> int:
    """A card, upright or turned round."""
    return -number if rng.below(2) else number
