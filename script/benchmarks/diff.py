"""Differences of large pages: two 100 kB texts with 60 edits, and a pair of 1 MB made to be slow.

Prints the median of several runs in ms, and how the first compares with a plain line comparison of the standard
library over the same texts in the same run.
"""

from __future__ import annotations

import argparse
import difflib
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

import django

django.setup()

from wiki.history.diff import compare  # noqa: E402

WORDS = [f"word{number}" for number in range(800)]


def page(size: int, chance: random.Random) -> list[str]:
    """Lines of 10 to 90 words, ``size`` bytes in all."""
    lines, length = [], 0
    while length < size:
        line = " ".join(chance.choice(WORDS) for _ in range(chance.randint(10, 90)))
        lines.append(line)
        length += len(line) + 1
    return lines


def edited(lines: list[str], edits: int, chance: random.Random) -> list[str]:
    """``lines`` with ``edits`` places where words are changed, lines added or taken away."""
    out = list(lines)
    for number in range(edits):
        place = chance.randrange(len(out))
        if number % 3 == 0:
            words = out[place].split()
            words[chance.randrange(len(words))] = "changed"
            out[place] = " ".join(words)
        elif number % 3 == 1:
            out.insert(place, " ".join(chance.choice(WORDS) for _ in range(12)))
        else:
            del out[place]
    return out


def hostile(size: int, chance: random.Random) -> tuple[str, str]:
    """Two texts of few different short lines in another order: nothing pairs well."""
    kinds = [f"{letter} " * 6 for letter in "abcdefgh"]
    one = [chance.choice(kinds) for _ in range(size // 13)]
    two = [chance.choice(kinds) for _ in range(size // 13)]
    return "\n".join(one), "\n".join(two)


def median_ms(work: Callable[[], Any], runs: int) -> float:
    spent = []
    for _ in range(runs):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return round(statistics.median(spent), 1)


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/bench diff", description=__doc__)
    parser.add_argument("--runs", type=int, default=7)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    chance = random.Random(2026)
    lines = page(100_000, chance)
    changed = edited(lines, 60, chance)
    before, after = "\n".join(lines), "\n".join(changed)
    slow = hostile(1_000_000, chance)
    edits60 = median_ms(lambda: compare(before, after), given.runs)
    plain = median_ms(
        lambda: difflib.SequenceMatcher(None, lines, changed, autojunk=False).get_opcodes(),
        given.runs,
    )
    report = {
        "edits60_ms": edits60,
        "edits60_beside_plain_lines": round(edits60 / plain, 1),
        "hostile_ms": median_ms(lambda: compare(*slow), max(given.runs // 3, 1)),
    }
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return
    for name, value in report.items():
        print(f"{name}: {value}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
