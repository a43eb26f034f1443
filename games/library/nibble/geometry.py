"""Boards as data, and the two questions the rules ask of them: what is exposed, what splits.

A board is its cells in reading order and the directions to the cells side by side with one, in
cyclic order; nothing here knows how many sides a cell has. A set of cells is a whole number with one
bit a cell (a *mask*), so that a question about all cells is a few shifts. The bits of a row are
followed by one that is no cell: a shift over the edge ends there, or outside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TypeAlias

Cell: TypeAlias = tuple[int, int]  # (row, column) on squares, axial (q, r) on hexagons

SQUARE: tuple[Cell, ...] = ((-1, 0), (0, 1), (1, 0), (0, -1))  # up, right, down, left
# east, north-east, north-west, west, south-west, south-east
HEXAGON: tuple[Cell, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Geometry:
    """The shape of a board.

    ``rows`` are the cells in reading order, ``names`` what people call them, ``directions`` the
    steps to a cell's neighbours in cyclic order (each with its opposite among them), ``needed`` how
    many sides that follow one another must be exposed.
    """

    def __init__(
        self,
        shape: str,
        rows: Sequence[Sequence[Cell]],
        names: Sequence[Sequence[str]],
        directions: Sequence[Cell],
        needed: int,
    ) -> None:
        self.shape = shape
        self.rows = [list(row) for row in rows]
        self.row_names = [list(row) for row in names]
        self.needed = needed
        self.cells: list[Cell] = [cell for row in rows for cell in row]
        self.names: list[str] = [name for row in names for name in row]
        self.index: dict[Cell, int] = {cell: index for index, cell in enumerate(self.cells)}
        low_a, low_b = (min(cell[axis] for cell in self.cells) for axis in (0, 1))
        stride = max(b for _, b in self.cells) - low_b + 2
        self.bits: list[int] = [1 << (a - low_a) * stride + b - low_b for a, b in self.cells]
        self.full: int = sum(self.bits)
        self._shifts = [a * stride + b for a, b in directions]
        self._steps = [shift for shift in self._shifts if shift > 0]
        self.near: list[list[int]] = [
            [self.index[a + da, b + db] for da, db in directions if (a + da, b + db) in self.index]
            for a, b in self.cells
        ]

    def mask(self, indexes: Iterable[int]) -> int:
        """The cells of these indexes as a mask."""
        bits = self.bits
        return sum(bits[index] for index in indexes)

    def occupied(self, board: Sequence[int]) -> int:
        """The cells that hold a block; ``board`` has a colour or 0 a cell, in reading order."""
        mask = 0
        for bit, colour in zip(self.bits, board, strict=True):
            if colour:
                mask |= bit
        return mask

    def exposed(self, occupied: int) -> int:
        """Occupied cells with ``needed`` sides in a row that face no block."""
        free = [~(occupied >> shift if shift > 0 else occupied << -shift) for shift in self._shifts]
        found = 0
        for first in range(len(free)):
            run = free[first]
            for step in range(1, self.needed):
                run &= free[first + step - len(free)]
            found |= run
        return found & occupied

    def stays_whole(self, occupied: int, gone: int) -> bool:
        """Whether a board in one piece is still in one piece, or empty, without ``gone``.

        Every piece that is left has a block beside one of ``gone``, so it is enough to walk from one
        of those to all the others.
        """
        rest = occupied & ~gone
        beside = self._spread(gone) & rest
        reached = beside & -beside
        while beside & ~reached:
            wider = self._spread(reached) & rest
            if wider == reached:
                return False
            reached = wider
        return True

    def takeable(self, occupied: int) -> list[int]:
        """Indexes of the cells that may be taken alone, in reading order."""
        exposed = self.exposed(occupied)
        return [
            index
            for index, bit in enumerate(self.bits)
            if exposed & bit and self.stays_whole(occupied, bit)
        ]

    def _spread(self, mask: int) -> int:
        """``mask`` and all cells side by side with it; bits that are no cell may be set too."""
        wider = mask
        for step in self._steps:
            wider |= mask << step | mask >> step
        return wider


def square(side: int) -> Geometry:
    """A square board: columns are named a, b, ... from the left, rows 1, 2, ... from below."""
    columns = LETTERS[:side]
    return Geometry(
        "square",
        [[(row, column) for column in range(side)] for row in range(side)],
        [[f"{letter}{side - row}" for letter in columns] for row in range(side)],
        SQUARE,
        needed=2,
    )


def hexagon(side: int) -> Geometry:
    """A hexagon with ``side`` cells a side, in axial coordinates: r counts rows from -(side - 1) at
    the top, q goes east and is 0 in the middle of the middle row. Rows are named a, b, ... from
    below, the places of a row 1, 2, ... from the left.
    """
    far = side - 1
    rows = [
        [(q, r) for q in range(max(-far, -far - r), min(far, far - r) + 1)]
        for r in range(-far, far + 1)
    ]
    names = [
        [f"{LETTERS[far - r]}{place}" for place in range(1, len(row) + 1)]
        for r, row in enumerate(rows, -far)
    ]
    return Geometry("hexagon", rows, names, HEXAGON, needed=3)
