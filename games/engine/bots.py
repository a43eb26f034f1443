"""Who plays for a seat without a person: bots, and zombies for people who left.

Level 0 takes the quietest move, 1 a random one. Level 2 lets the game think, where it has a way of
its own (``Game.think``), and otherwise weighs its ideas: each in some worlds that look the same to the
seat, first by how the seat stands once it has taken effect, then, for the best few, with everybody
playing on by what suits them. No clock: the work is bounded by the number of moves tried, so that a
bot plays the same everywhere. None of them sees more than the seat does: the true state is used only
through ``moves``, ``ideas`` and ``resample``, none of which tells a secret.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any, TypeVar

from games.engine.game import Game, Step
from games.engine.match import Match, private_copy
from games.engine.rng import Rng

T = TypeVar("T")

LEVELS = {0: "quietest", 1: "random", 2: "thinking"}
WORLDS = 6  # resampled worlds a bot weighs its moves in; one where nothing is hidden
IDEAS = 24  # moves it weighs at most, drawn at random from more
FINALISTS = 5  # of these, those whose answers it weighs as well
ANSWERS = 600  # answers it tries in all, spread evenly over finalists and worlds
AHEAD = 12  # plies it looks on at most
DECIDED = 1e6  # worth of a better rank at the end, above anything ``value`` says


def bot_stream(seed: bytes, ply: int, seat: int) -> Rng:
    """The stream that bots draw from at ``ply``: derived from the table's seed by another key."""
    return Rng(seed).child(f"bot:{ply}:{seat}")


def choose(match: Match[Any, Any, Any], seat: int, level: int) -> Any:
    """The action that a bot of ``level`` takes for a pending ``seat``."""
    moves = match.moves(seat)
    items = moves.items
    if level == 0 or (moves.complete and len(items) == 1):
        return items[0]
    rng = bot_stream(match.seed, match.ply, seat)
    if level == 1:
        return items[rng.below(len(items))]
    game, state = match.game, match.state
    thought = game.think(worlds(game, state, seat, rng), seat, rng)
    return _weighed(game, state, seat, rng) if thought is None else thought


def worlds(game: Game[Any, Any, Any], state: Any, seat: int, rng: Rng) -> Iterator[Any]:
    """States without end that look the same to ``seat`` as ``state``, each a private copy."""
    while True:
        yield private_copy(game, game.resample(state, seat, rng))


def _weighed(game: Game[Any, Any, Any], state: Any, seat: int, rng: Rng) -> Any:
    ideas = _some(game.ideas(state, seat), IDEAS, rng)
    if len(ideas) == 1:
        return ideas[0]
    seen = list(islice(worlds(game, state, seat, rng), WORLDS if game.meta.hidden else 1))
    worth = [sum(_worth(game, world, seat, idea, 0, rng) for world in seen) for idea in ideas]
    best = sorted(range(len(ideas)), key=lambda i: -worth[i])[:FINALISTS]
    answers = ANSWERS // (len(best) * len(seen))
    finals = [
        sum(_worth(game, world, seat, ideas[i], answers, rng) for world in seen) for i in best
    ]
    top = max(finals)
    return ideas[rng.choice([i for i, value in zip(best, finals, strict=True) if value == top])]


def _worth(
    game: Game[Any, Any, Any], world: Any, seat: int, idea: Any, answers: int, rng: Rng
) -> float:
    """How ``seat`` stands after ``idea`` once it is asked again after others have moved.

    Half of the ``answers`` left are tried at each ply, its own further steps of the turn included,
    and the one taken that suits its seat best; when none are left, all play quietly.
    """
    state = private_copy(game, world)
    step = Step(rng)
    game.apply(state, seat, idea, step)
    others = False
    for _ in range(AHEAD):
        asked = game.pending(state)
        if not asked or (seat in asked and (others or game.seat_count(state) == 1)):
            break
        mover = seat if seat in asked else next(iter(asked))
        others |= mover != seat
        if answers < 4:
            game.apply(state, mover, game.moves(state, mover).items[0], step)
            continue
        tried = _some(game.ideas(state, mover), answers // 2, rng)
        answers -= len(tried)
        state = _best(game, state, mover, tried, step)
    return _standing(game, state, seat)


def _best(
    game: Game[Any, Any, Any], state: Any, seat: int, tried: Sequence[Any], step: Step
) -> Any:
    """The state after that of ``tried`` which suits ``seat`` best, the first of equals."""
    best, highest = None, float("-inf")
    for action in tried:
        after = private_copy(game, state)
        game.apply(after, seat, action, step)
        value = _standing(game, after, seat)
        if best is None or value > highest:
            best, highest = after, value
    return best


def _standing(game: Game[Any, Any, Any], state: Any, seat: int) -> float:
    """``Game.value``, and the rank above everything once the game is over."""
    outcome = game.outcome(state)
    value = game.value(state, seat)
    if outcome is None:
        return value
    if outcome.won is not None:
        return value + (DECIDED if outcome.won else -DECIDED)
    mine = outcome.ranks[seat]
    return value + DECIDED * sum((rank > mine) - (rank < mine) for rank in outcome.ranks)


def _some(things: Sequence[T], count: int, rng: Rng) -> list[T]:
    """At most ``count`` of ``things``, the first (quietest) among them, in their order."""
    if len(things) <= count:
        return list(things)
    picked = sorted(rng.sample(range(1, len(things)), count - 1))
    return [things[0], *(things[i] for i in picked)]
