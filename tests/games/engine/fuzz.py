"""Actions as no client of ours makes them: of other worlds, and broken in every way JSON allows."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import msgspec

from games.engine import Rng
from tests.games.engine.walks import Place

NONSENSE: list[Any] = [
    None, True, False, 0, -1, 7, 2**31, -(2**63), 2**64, 10**40, 0.5, 1e308, float("inf"),
    "", "play", "QS", "\x00", "é" * 300, "__class__", "0",
    [], {}, [[]], [None], [[[]]], {"type": None}, {"": ""},
]  # fmt: skip


def deep(levels: int) -> Any:
    """A list in a list in a list."""
    inner: list[Any] = []
    for _ in range(levels):
        inner = [inner]
    return inner


def leaves(value: Any, found: list[Any]) -> list[Any]:
    """Every text and number in ``value``, each once: what actions could name."""
    if isinstance(value, dict):
        for key, part in value.items():
            leaves(key, found)
            leaves(part, found)
    elif isinstance(value, list):
        for part in value:
            leaves(part, found)
    elif isinstance(value, str | int) and value not in found and len(found) < 400:
        found.append(value)
    return found


def actions(place: Place, seat: int, rng: Rng, count: int) -> list[Any]:
    """``count`` actions as JSON: legal ones with parts replaced, doubled, left out or grown."""
    game, state = place.match.game, place.match.state
    items = game.ideas(state, seat)
    known = leaves(msgspec.to_builtins(state), [])  # also what is hidden: cards of others, the deck
    found: list[Any] = []
    for _ in range(count):
        action = deepcopy(msgspec.to_builtins(items[rng.below(len(items))]))
        for _ in range(1 + rng.below(2)):
            action = broken(action, known, rng)
        found.append(action)
    return found


def broken(value: Any, known: list[Any], rng: Rng) -> Any:
    """``value`` with one thing wrong somewhere inside."""
    if isinstance(value, dict) and value and rng.below(8):
        key = rng.choice(list(value))
        out = dict(value)
        if key == "type" and rng.below(4):
            return out
        if rng.below(12) == 0:
            del out[key]
        else:
            out[key] = broken(value[key], known, rng)
        return out
    if isinstance(value, list) and rng.below(8):
        return broken_list(value, known, rng)
    return rng.choice(known) if known and rng.below(2) else rng.choice([*NONSENSE, deep(60)])


def broken_list(value: list[Any], known: list[Any], rng: Rng) -> list[Any]:
    out = list(value)
    way = rng.below(6)
    if way == 0:
        return []
    if way == 1 and out:
        out.append(rng.choice(out))  # one of them twice
    elif way == 2 and out:
        del out[rng.below(len(out))]
    elif way == 3:
        out.append(rng.choice(known or NONSENSE))
    elif way == 4:
        out = out * 40
    elif out:
        index = rng.below(len(out))
        out[index] = broken(out[index], known, rng)
    return out
