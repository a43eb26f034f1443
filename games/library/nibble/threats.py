"""What each seat is about to win with, in sentences beside the colour table."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.messages import Msg
from games.library.nibble.material import COLOURS, Colour, Variant
from games.library.nibble.winning import (
    ALL_OF_COLOUR,
    MAJORITY,
    SEATS,
    THREE_NEIGHBOURS,
    majorities,
    open_colours,
    open_threes,
)

HOT = 2  # so few missing blocks are a warning


def threats(
    variant: Variant, table: Sequence[Colour], counts: Sequence[Sequence[int]]
) -> list[dict[str, Any]]:
    """``{"seat", "way", "colours", "missing", "hot", "msg"}`` each, the nearest first; the
    majorities last (``seat`` None, ``missing`` 0)."""
    found = []
    for seat in range(SEATS):
        mine, theirs = counts[seat], counts[1 - seat]
        found += whole_colour_threats(variant, seat, mine, theirs)
        found += three_threats(variant, table, seat, mine, theirs)
    found.sort(key=lambda threat: int(threat["missing"]))
    return [*found, majority_line(variant, counts)]


def whole_colour_threats(
    variant: Variant, seat: int, mine: Sequence[int], theirs: Sequence[int]
) -> list[dict[str, Any]]:
    """One for each colour of which ``seat`` lacks a third or less and the other seat has nothing."""
    found = []
    for colour in open_colours(variant, theirs):
        missing = variant.blocks - mine[colour]
        if 3 * missing > variant.blocks:
            continue
        msg = Msg(
            "{seat} has {count} of {all} {colour}, and nobody else has any. Missing: {missing}.",
            you="You have {count} of {all} {colour}, and nobody else has any. Missing: {missing}.",
            seat=seat,
            count=mine[colour],
            all=variant.blocks,
            colour=Msg(COLOURS[colour][0]),
            missing=missing,
        )
        found.append(threat(seat, ALL_OF_COLOUR, [colour], missing, msg))
    return found


def three_threats(
    variant: Variant, table: Sequence[Colour], seat: int, mine: Sequence[int], theirs: Sequence[int]
) -> list[dict[str, Any]]:
    """The three neighbours that ``seat`` is nearest to winning with, once it is halfway there."""
    need = variant.neighbour_blocks
    trios = open_threes(variant, table, theirs)
    if not trios:
        return []
    lacking = [[max(0, need - mine[colour]) for colour in trio] for trio in trios]
    best = min(range(len(trios)), key=lambda i: sum(lacking[i]))
    trio, missing = trios[best], sum(lacking[best])
    if 2 * missing > 3 * need:
        return []
    msg = Msg(
        "{seat} has {blocks}: three neighbours with {need} each win. Missing: {missing}.",
        you="You have {blocks}: three neighbours with {need} each win. Missing: {missing}.",
        seat=seat,
        need=need,
        blocks=[amount(mine[colour], colour) for colour in trio],
        missing=[
            amount(lack, colour) for colour, lack in zip(trio, lacking[best], strict=True) if lack
        ],
    )
    return [threat(seat, THREE_NEIGHBOURS, trio, missing, msg)]


def majority_line(variant: Variant, counts: Sequence[Sequence[int]]) -> dict[str, Any]:
    """How many majorities each seat has."""
    held = [len(majorities(variant, mine)) for mine in counts]
    msg = Msg(
        "Majorities: {held}. {need} win when the board is empty.",
        held=[
            Msg("{seat} {count}", you="you {count}", seat=seat, count=count)
            for seat, count in enumerate(held)
        ],
        need=variant.majority_colours,
    )
    return {
        "seat": None,
        "way": MAJORITY,
        "colours": [],
        "missing": 0,
        "hot": False,
        "msg": msg.data(),
    }


def amount(count: int, colour: Colour) -> Msg:
    """``3 black``."""
    return Msg("{count} {colour}", count=count, colour=Msg(COLOURS[colour][0]))


def threat(seat: int, way: str, colours: list[Colour], missing: int, msg: Msg) -> dict[str, Any]:
    """One sentence with what a board needs to show it."""
    return {
        "seat": seat,
        "way": way,
        "colours": colours,
        "missing": missing,
        "hot": missing <= HOT,
        "msg": msg.data(),
    }
