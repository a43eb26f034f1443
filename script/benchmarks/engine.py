"""Engines: random games per second, alone and through ``Match`` (check, private copy, log row).

Prints for each game: games/s and plies/s of both ways, and their ratio, from one run. For Hearts a
"game" is one deal without passing (52 plies), the unit of the project's aim: 2,600 and 1,250 a second.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from typing import Any

from games.engine import Game, Match, Rng, Step, all_games, read_options, seed_from_int
from games.library.hearts.rules import deal

AIMS = {"hearts": (2600, 1250)}  # games/s alone, games/s through Match
HOLD_HAND = 4


def over(game: Game[Any, Any, Any], state: Any) -> bool:
    """Of Hearts only the first deal is played: it is over once its points are written down."""
    return bool(state.changes) if game.slug == "hearts" else game.outcome(state) is not None


def start(game: Game[Any, Any, Any], rng: Rng) -> Any:
    """A new game; of Hearts a hold hand, in which nobody passes."""
    options = read_options(game.options_type, {})
    state = game.setup(game.meta.seats[0], options, rng)
    if game.slug == "hearts":
        state.hand_number = HOLD_HAND
        deal(state, rng)
    return state


def alone(game: Game[Any, Any, Any], number: int) -> int:
    """One game by ``moves`` and ``apply`` only; plies."""
    rng = Rng(seed_from_int(number))
    state, step, plies = start(game, rng), Step(rng), 0
    pick = Rng(seed_from_int(number)).child("bench")
    while not over(game, state):
        seat = next(iter(game.pending(state)))
        items = game.moves(state, seat).items
        game.apply(state, seat, items[pick.below(len(items))], step)
        plies += 1
    return plies


def through_match(game: Game[Any, Any, Any], number: int) -> int:
    """One game by ``Match.act``; plies."""
    seed = seed_from_int(number)
    options = read_options(game.options_type, {})
    match = Match.at(game, game.meta.seats[0], options, seed, start(game, Rng(seed)))
    pick = Rng(seed).child("bench")
    while not over(game, match.state):
        seat = next(iter(match.pending()))
        items = match.moves(seat).items
        match.act(seat, items[pick.below(len(items))])
    return match.ply


def rate(
    play: Callable[[Game[Any, Any, Any], int], int], game: Any, seconds: float
) -> tuple[float, float]:
    """(games/s, plies/s)."""
    began, games, plies = time.perf_counter(), 0, 0
    while (spent := time.perf_counter() - began) < seconds:
        plies += play(game, games)
        games += 1
    return games / spent, plies / spent


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/bench engine", description=__doc__)
    parser.add_argument("--seconds", type=float, default=3.0, help="for each figure")
    parser.add_argument("--game", choices=list(all_games()))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    report = {}
    for slug, game in all_games().items():
        if given.game not in (None, slug):
            continue
        pure, match = (rate(play, game, given.seconds) for play in (alone, through_match))
        report[slug] = {
            "games_per_s": round(pure[0], 1),
            "plies_per_s": round(pure[1]),
            "match_games_per_s": round(match[0], 1),
            "match_plies_per_s": round(match[1]),
            "match_share": round(match[1] / pure[1], 3),
        }
        if slug in AIMS:
            report[slug]["of_aim"] = [
                round(pure[0] / AIMS[slug][0], 2),
                round(match[0] / AIMS[slug][1], 2),
            ]
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return
    for slug, figures in report.items():
        print(f"{slug}: " + ", ".join(f"{name} {value}" for name, value in figures.items()))  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
