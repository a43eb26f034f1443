"""The ways to win, as a function of what both seats have taken.

*Counts* are blocks by colour, index 0 unused. A way to win can be closed for a seat by what the other
one holds, and never opens again.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.library.nibble.material import Colour, Variant

SEATS = 2

ALL_OF_COLOUR = "all_of_colour"
THREE_NEIGHBOURS = "three_neighbours"
MAJORITY = "majority"
EARLY_MAJORITY = "early_majority"


def tally(blocks: Sequence[Colour], colours: int) -> list[int]:
    """The counts of these blocks."""
    counts = [0] * (colours + 1)
    for colour in blocks:
        counts[colour] += 1
    return counts


def threes(table: Sequence[Colour]) -> list[list[Colour]]:
    """Three neighbours each on the colour table; it is one row, so its ends are no neighbours."""
    return [list(table[first : first + 3]) for first in range(len(table) - 2)]


def whole_colours(variant: Variant, counts: Sequence[int]) -> list[Colour]:
    """Colours of which these are all blocks."""
    return [c for c in range(1, variant.colours + 1) if counts[c] == variant.blocks]


def strong_threes(
    variant: Variant, table: Sequence[Colour], counts: Sequence[int]
) -> list[list[Colour]]:
    """Three neighbours with enough blocks of each."""
    need = variant.neighbour_blocks
    strong = [counts[colour] >= need for colour in table]
    return [
        list(table[i : i + 3])
        for i in range(len(table) - 2)
        if strong[i] and strong[i + 1] and strong[i + 2]
    ]


def majorities(variant: Variant, counts: Sequence[int]) -> list[Colour]:
    """Colours of which these are more than half of the blocks."""
    return [c for c in range(1, variant.colours + 1) if counts[c] >= variant.majority_blocks]


def open_colours(variant: Variant, theirs: Sequence[int]) -> list[Colour]:
    """Colours that one may still take whole while the other seat holds ``theirs``."""
    return [c for c in range(1, variant.colours + 1) if not theirs[c]]


def open_threes(
    variant: Variant, table: Sequence[Colour], theirs: Sequence[int]
) -> list[list[Colour]]:
    """Three neighbours that one may still win with while the other seat holds ``theirs``."""
    spare = variant.blocks - variant.neighbour_blocks
    return [three for three in threes(table) if all(theirs[c] <= spare for c in three)]


def may_win_at_once(variant: Variant, table: Sequence[Colour], theirs: Sequence[int]) -> bool:
    """Whether an instant win is still possible while the other seat holds ``theirs``."""
    return bool(open_colours(variant, theirs) or open_threes(variant, table, theirs))


def decided(
    variant: Variant,
    table: Sequence[Colour],
    counts: Sequence[Sequence[int]],
    seat: int,
    *,
    board_empty: bool,
    early_majority: bool,
) -> tuple[int, str] | None:
    """(winner, reason) after ``seat`` took blocks, or None; ``counts`` by seat.

    The ways are tried in the order of the rules, so the first that holds is the reason.
    """
    mine = counts[seat]
    if whole_colours(variant, mine):
        return seat, ALL_OF_COLOUR
    if strong_threes(variant, table, mine):
        return seat, THREE_NEIGHBOURS
    ahead = len(majorities(variant, mine)) >= variant.majority_colours
    if board_empty:
        return (seat if ahead else 1 - seat), MAJORITY
    if early_majority and ahead and not may_win_at_once(variant, table, mine):
        return seat, EARLY_MAJORITY
    return None


def winning_colours(
    variant: Variant, table: Sequence[Colour], counts: Sequence[int], reason: str
) -> list[Colour]:
    """The colours that won for a seat with these counts, in the order of the colour table."""
    if reason == ALL_OF_COLOUR:
        won = whole_colours(variant, counts)
    elif reason == THREE_NEIGHBOURS:
        won = strong_threes(variant, table, counts)[0]
    else:
        won = majorities(variant, counts)
    return [colour for colour in table if colour in won]
