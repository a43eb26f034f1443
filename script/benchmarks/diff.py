"""Differences of large pages: two 100 kB texts with 60 edits, and pairs made to be slow.

Prints the median of several runs in ms of processor time (what it takes where nothing else runs), and how the first
compares with a plain line comparison of the standard library over the same texts in the same run. Of the pairs made
to be slow (of 1 MB, and of 200 kB where lines are still compared by words) it prints the slowest and which that is.
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


def hostile(size: int, chance: random.Random) -> dict[str, tuple[str, str]]:
    """Pairs of texts of ``size`` bytes, each slow for another part of the comparison."""
    kinds = [f"{letter} " * 6 for letter in "abcdefgh"]
    few = [[chance.choice(kinds) for _ in range(size // 13)] for _ in range(2)]
    numbered = [f"line {number}" for number in range(size // 11)]
    chain = [line for number in range(size // 14) for line in (f"u{number + 1}", f"u{number}")]
    broken = [
        line
        for number, line in enumerate(chain)
        for line in ([line, "x"] if number % 14 == 0 else [line])
    ]
    pairs = {
        "few different lines in another order": few,
        "many lines shuffled": [numbered, chance.sample(numbered, len(numbered))],
        "lines that are single only once others are taken away": [chain, broken],
        "every second line changed": [grouped(size, 1, mark) for mark in ("w a", "w b")],
        "large groups of one word": [grouped(size, 50, mark) for mark in "ab"],
        "large groups of signs": [grouped(size, 50, mark) for mark in "!?"],
        "lines of few words": [wordy(size, chance) for _ in range(2)],
    }
    return {
        name: ("\n".join(old)[:size], "\n".join(new)[:size]) for name, (old, new) in pairs.items()
    }


def grouped(size: int, many: int, line: str) -> list[str]:
    """Groups of ``many`` equal lines, parted by lines that occur once."""
    count = size // (many * (len(line) + 1) + 9)
    return [text for number in range(count) for text in [*[line] * many, f"pin {number}"]]


def wordy(size: int, chance: random.Random) -> list[str]:
    """Lines of few different words, parted by lines that occur once."""
    count = size // 490
    return [
        text
        for number in range(count)
        for text in (" ".join(chance.choice("ab") for _ in range(240)), f"pin {number}")
    ]


def median_ms(work: Callable[[], Any], runs: int) -> float:
    spent = []
    for _ in range(runs):
        began = time.process_time()
        work()
        spent.append((time.process_time() - began) * 1000)
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
    slow = {
        f"{name}, {size // 1000} kB": pair
        for size in (200_000 - 1, 1_000_000)
        for name, pair in hostile(size, chance).items()
    }
    edits60 = median_ms(lambda: compare(before, after), given.runs)
    plain = median_ms(
        lambda: difflib.SequenceMatcher(None, lines, changed, autojunk=False).get_opcodes(),
        given.runs,
    )
    runs = max(given.runs // 3, 1)
    took = {name: median_ms(lambda pair=pair: compare(*pair), runs) for name, pair in slow.items()}
    slowest = max(took, key=lambda name: took[name])
    report = {
        "edits60_ms": edits60,
        "edits60_beside_plain_lines": round(edits60 / plain, 1),
        "hostile_ms": took[slowest],
        "hostile_pair": slowest,
    }
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return
    for name, value in report.items():
        print(f"{name}: {value}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
