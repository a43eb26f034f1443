"""How well a seat stands, for bots: a guess, in colours of which one has the majority.

A won game is above all. Otherwise: the colours a seat holds or nears a majority of, how near it is
to an instant win that is still open to it, the same of the other seat taken away, and what the board
offers that one in a single turn.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.library.nibble.material import Colour, Variant
from games.library.nibble.winning import (
    open_colours,
    open_threes,
    strong_threes,
    tally,
    whole_colours,
)

WON = 1000.0
THREAT = 100.0  # the other seat wins in its next turn
INSTANT = 2.0  # an instant win that is all but there
NEARING = 0.95  # of a majority that is all but there
OFFER = 0.4  # how much of its best turn the other seat is expected to get


def together(variant: Variant, board: Sequence[Colour]) -> dict[Colour, list[int]]:
    """Colour -> indexes of as many of its blocks as can be taken in one turn, in reading order.

    Where not all exposed blocks of a colour may go together, the first ones do. Colours of which
    nothing can be taken are left out.
    """
    geometry = variant.geometry
    occupied = geometry.occupied(board)
    exposed = geometry.exposed(occupied)
    sets: dict[Colour, list[int]] = {}
    left: dict[Colour, int] = {}
    for index, bit in enumerate(geometry.bits):
        if exposed & bit:
            colour = board[index]
            rest = left.get(colour, occupied)
            if geometry.stays_whole(rest, bit):
                left[colour] = rest & ~bit
                sets.setdefault(colour, []).append(index)
    return sets


def worth(
    variant: Variant,
    table: Sequence[Colour],
    board: Sequence[Colour],
    collections: Sequence[Sequence[Colour]],
    seat: int,
) -> float:
    """How ``seat`` stands in a game that goes on; above 0 is better than the other seat."""
    mine = tally(collections[seat], variant.colours)
    theirs = tally(collections[1 - seat], variant.colours)
    now = chances(variant, table, theirs, mine)
    offered = 0.0
    for colour, cells in together(variant, board).items():
        theirs[colour] += len(cells)
        if whole_colours(variant, theirs) or strong_threes(variant, table, theirs):
            offered = THREAT
        else:
            offered = max(offered, OFFER * (chances(variant, table, theirs, mine) - now))
        theirs[colour] -= len(cells)
    return chances(variant, table, mine, theirs) - now - offered


def chances(
    variant: Variant, table: Sequence[Colour], mine: Sequence[int], theirs: Sequence[int]
) -> float:
    """What the counts ``mine`` promise against ``theirs``."""
    need = variant.majority_blocks
    majorities = 0.0
    for own, other in zip(mine, theirs, strict=True):
        if own >= need:
            majorities += 1
        elif other < need:
            majorities += NEARING * own / need
    whole = max((mine[c] for c in open_colours(variant, theirs)), default=0) / variant.blocks
    enough = variant.neighbour_blocks
    three = max(
        (sum(min(mine[c], enough) for c in trio) for trio in open_threes(variant, table, theirs)),
        default=0,
    ) / (3 * enough)
    return majorities + INSTANT * (whole**4 + three**4)
