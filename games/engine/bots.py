"""Who plays for a seat without a person: bots, and zombies for people who left.

Level 0 takes the quietest move, 1 a random one, 2 the one after which its seat stands best over
worlds that look the same to it. None of them sees more than the seat does: the true state is used
only through ``moves`` and ``resample``, neither of which tells a secret.
"""

from __future__ import annotations

from typing import Any

from games.engine.game import Game, Step
from games.engine.match import Match, private_copy
from games.engine.rng import Rng

LEVELS = {0: "quietest", 1: "random", 2: "greedy"}
WORLDS = 6  # resampled worlds a greedy bot weighs its moves in; one where nothing is hidden
IDEAS = 24  # moves it weighs at most, drawn at random from more
AHEAD = 12  # quiet plies played on until the seat is asked again


def bot_stream(seed: bytes, ply: int, seat: int) -> Rng:
    """The stream that bots draw from at ``ply``: derived from the table's seed by another key."""
    return Rng(seed).child(f"bot:{ply}:{seat}")


def choose(match: Match[Any, Any, Any], seat: int, level: int) -> Any:
    """The action that a bot of ``level`` takes for a pending ``seat``."""
    items = match.moves(seat).items
    if level == 0 or len(items) == 1:
        return items[0]
    rng = bot_stream(match.seed, match.ply, seat)
    if level == 1:
        return items[rng.below(len(items))]
    return _greedy(match.game, match.state, seat, rng)


def _greedy(game: Game[Any, Any, Any], state: Any, seat: int, rng: Rng) -> Any:
    ideas = game.ideas(state, seat)
    if len(ideas) > IDEAS:
        picked = sorted(rng.sample(range(1, len(ideas)), IDEAS - 1))
        ideas = [ideas[0], *(ideas[i] for i in picked)]
    count = WORLDS if game.meta.hidden else 1
    worlds = [game.resample(state, seat, rng) for _ in range(count)]
    worth = [sum(_worth(game, world, seat, idea, rng) for world in worlds) for idea in ideas]
    best = max(worth)
    return ideas[rng.choice([i for i, value in enumerate(worth) if value == best])]


def _worth(game: Game[Any, Any, Any], world: Any, seat: int, idea: Any, rng: Rng) -> float:
    """How ``seat`` stands after ``idea`` once it is asked again, the others playing quietly."""
    state = private_copy(game, world)
    step = Step(rng)
    game.apply(state, seat, idea, step)
    for _ in range(AHEAD):
        asked = game.pending(state)
        if not asked or seat in asked:
            break
        other = next(iter(asked))
        game.apply(state, other, game.moves(state, other).items[0], step)
    return game.value(state, seat)
