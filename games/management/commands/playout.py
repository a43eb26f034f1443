"""Random games of one game, to see that it runs clean and how fast."""

from __future__ import annotations

import json
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, islice
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine import GameError, Match, Rng, get_game, pairwise, read_options, seed_from_int


class Command(BaseCommand):
    help = "Plays random games and reports plies, outcomes and moves per second."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug")
        parser.add_argument("--games", type=int, default=100)
        parser.add_argument("--seats", type=int, help="only this seat count (default: all)")
        parser.add_argument(
            "--seed", type=int, default=1, help="of the first game; the next has one more"
        )
        parser.add_argument("--options", help="as JSON (default: pairwise, with the seat counts)")
        parser.add_argument("--json", action="store_true", help="print one JSON object")

    def handle(self, **given: Any) -> None:
        if given["games"] < 1:
            raise CommandError("--games must be at least 1.")
        if given["seed"] < 0:
            raise CommandError("--seed must not be negative.")
        try:
            game = get_game(given["slug"])
            setups = list(_setups(game, given["seats"], given["options"]))
        except GameError as error:
            raise CommandError(str(error)) from error
        plies, outcomes, lengths = 0, Counter[str](), []
        began = time.perf_counter()
        for number, (seats, options) in enumerate(islice(cycle(setups), given["games"])):
            match = play_randomly(game, seats, options, given["seed"] + number)
            lengths.append(match.ply)
            plies += match.ply
            assert match.outcome is not None
            outcomes[match.outcome.reason] += 1
        spent = time.perf_counter() - began
        report = {
            "slug": game.slug,
            "games": given["games"],
            "setups": len(setups),
            "plies": plies,
            "shortest": min(lengths),
            "longest": max(lengths),
            "moves_per_s": round(plies / spent),
            "outcomes": dict(outcomes.most_common()),
        }
        if given["json"]:
            self.stdout.write(json.dumps(report))
            return
        self.stdout.write(
            f"{game.meta.name}: {report['games']} games over {len(setups)} setups, {plies} plies "
            f"({min(lengths)} to {max(lengths)} a game), {report['moves_per_s']} moves/s"
        )
        for reason, count in outcomes.most_common():
            self.stdout.write(f"  {reason}: {count}")


def _setups(game: Any, seats: int | None, options: str | None) -> Iterator[tuple[int, Any]]:
    """(seats, options) to go through."""
    if seats is not None and seats not in game.meta.seats:
        known = ", ".join(map(str, game.meta.seats))
        raise CommandError(f"{game.meta.name} is played by {known}, not by {seats}.")
    counts = game.meta.seats if seats is None else [seats]
    if options is None:
        yield from pairwise(game.options_type, counts)
        return
    try:
        chosen = read_options(game.options_type, json.loads(options))
    except json.JSONDecodeError as error:
        raise CommandError(f"--options is no JSON: {error}") from error
    for count in counts:
        yield count, chosen


def play_randomly(game: Any, seats: int, options: Any, seed: int) -> Match[Any, Any, Any]:
    """One game to its end, every pending seat choosing at random among its moves."""
    match = Match.start(game, seats, options, seed_from_int(seed))
    rng = Rng(seed_from_int(seed)).child("playout")
    while match.outcome is None:
        if match.ply >= game.meta.max_plies:
            raise CommandError(f"Seed {seed}: no end after {match.ply} plies.")
        pending = list(match.pending())
        seat = pending[rng.below(len(pending))]
        items = match.moves(seat).items
        match.act(seat, items[rng.below(len(items))])
    return match
