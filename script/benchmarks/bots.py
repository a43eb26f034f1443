"""The bot ladder: how often a bot of the higher level places better than the lower ones at its table.

For each game: one seat of the higher level, going round the seats, against the lower level in all the
others. A game counts as better when its rank is above the middle of the table (with two seats: won), half
when it is exactly there.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from typing import Any

from games.engine import Game, Match, all_games, choose, read_options, seed_from_int

LADDER = [(1, 0), (2, 1)]


def play(game: Game[Any, Any, Any], seats: int, levels: list[int], seed: int) -> list[int]:
    """Ranks by seat of one game in which seat s is played at ``levels[s]``."""
    options = read_options(game.options_type, {})
    match = Match.start(game, seats, options, seed_from_int(seed))
    while match.outcome is None:
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, levels[seat]))
    return match.outcome.ranks


def better(ranks: list[int], seat: int) -> float:
    """1, 0.5 or 0: ``seat`` above, in or below the middle of ``ranks``."""
    above = sum(rank < ranks[seat] for rank in ranks)
    below = sum(rank > ranks[seat] for rank in ranks)
    return 0.5 if above == below else float(above < below)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/bench bots", description=__doc__)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--game", choices=list(all_games()))
    parser.add_argument("--seats", type=int, help="how many play; else the fewest, two at least")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    report = []
    for slug, game in all_games().items():
        if given.game not in (None, slug):
            continue
        seats = given.seats or max(game.meta.seats[0], 2)
        if seats not in game.meta.seats:
            parser.error(f"{slug} is played by {', '.join(map(str, game.meta.seats))}.")
        for high, low in LADDER:
            score, first, began = 0.0, 0, time.perf_counter()
            for number in range(given.games):
                seat = number % seats
                levels = [high if other == seat else low for other in range(seats)]
                ranks = play(game, seats, levels, number)
                score += better(ranks, seat)
                first += ranks[seat] == 1
            spent = time.perf_counter() - began
            report.append(
                {
                    "slug": slug,
                    "seats": seats,
                    "levels": [high, low],
                    "games": given.games,
                    "better": round(score / given.games, 3),
                    "first": round(first / given.games, 3),
                    "seconds_a_game": round(spent / given.games, 3),
                }
            )
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return
    for row in report:
        print(  # noqa: T201
            f"{row['slug']}, {row['seats']} seats: level {row['levels'][0]} against {row['levels'][1]}: better in "
            f"{row['better']:.0%}, first in {row['first']:.0%} of {row['games']} games "
            f"({row['seconds_a_game']} s a game)"
        )


if __name__ == "__main__":
    main(sys.argv[1:])
