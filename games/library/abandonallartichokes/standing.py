"""How well a seat stands: for bots. Nothing here is a rule."""

from __future__ import annotations

from games.library.abandonallartichokes.material import ARTICHOKE
from games.library.abandonallartichokes.state import ArtichokesState, artichokes, opponents

FEW_CARDS = 0.002  # a card less, beside a share from 0 to 1


def value(state: ArtichokesState, seat: int) -> float:
    """The share of artichokes of the best opponent less one's own; few cards help a little."""
    rival = min(share(state, other) for other in opponents(state, seat))
    return rival - share(state, seat) - FEW_CARDS * size(state, seat)


def size(state: ArtichokesState, seat: int) -> int:
    """All cards of a player."""
    return len(state.hands[seat]) + len(state.decks[seat]) + len(state.discards[seat])


def share(state: ArtichokesState, seat: int) -> float:
    """Artichokes among a player's cards, 0 to 1."""
    return artichokes(state, seat) / max(1, size(state, seat))


def fewest(state: ArtichokesState) -> list[int]:
    """The seats with the fewest artichokes."""
    counts = [artichokes(state, seat) for seat in range(len(state.hands))]
    return [seat for seat, count in enumerate(counts) if count == min(counts)]


def winners(state: ArtichokesState) -> list[int]:
    """Of a game that is over: who drew a hand without artichokes, or has the fewest at the last turn."""
    return [state.turn] if ARTICHOKE not in state.hands[state.turn] else fewest(state)
