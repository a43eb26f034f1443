"""The full board at the start: each colour with its exact number, no two equal blocks side by side.

Fill, repair, mix. Filling and swapping keep the numbers; the mixing walk proposes every swap as
often as its reverse, so in the long run every board that it can reach is equally likely.
"""

from __future__ import annotations

from games.engine.rng import Rng

REPAIR_STEPS = 200  # per cell, before filling again
MIX_STEPS = 20  # proposed swaps per cell


def full_board(near: list[list[int]], colours: int, rng: Rng) -> list[int]:
    """A colour for each cell; ``near`` names the neighbours of each, ``colours`` divides the cells."""
    board = _fill(len(near), colours, rng)
    while not _repair(board, near, rng):
        board = _fill(len(near), colours, rng)
    _mix(board, near, rng)
    return board


def _fill(cells: int, colours: int, rng: Rng) -> list[int]:
    return rng.shuffled([1 + block % colours for block in range(cells)])


def _repair(board: list[int], near: list[list[int]], rng: Rng) -> bool:
    """Swap blocks until no two equal ones touch; False where that takes too long."""
    cells = len(board)
    for _ in range(REPAIR_STEPS * cells):
        clashing = [cell for cell in range(cells) if _clashes(board, near, cell)]
        if not clashing:
            return True
        one, other = rng.choice(clashing), rng.below(cells)
        before = _clashes(board, near, one) + _clashes(board, near, other)
        board[one], board[other] = board[other], board[one]
        if _clashes(board, near, one) + _clashes(board, near, other) > before:
            board[one], board[other] = board[other], board[one]
    return False


def _clashes(board: list[int], near: list[list[int]], cell: int) -> int:
    """How many neighbours of ``cell`` have its colour."""
    colour, count = board[cell], 0
    for beside in near[cell]:
        if board[beside] == colour:
            count += 1
    return count


def _mix(board: list[int], near: list[list[int]], rng: Rng) -> None:
    """Swap two random cells again and again, where the board stays valid."""
    cells = len(board)
    pairs, below = cells * cells, rng.below
    for _ in range(MIX_STEPS * cells):
        one, other = divmod(below(pairs), cells)  # two cells of one draw
        mine, theirs = board[one], board[other]
        if mine == theirs:
            continue
        board[one], board[other] = theirs, mine
        for beside in near[one]:
            if board[beside] == theirs:
                break
        else:
            for beside in near[other]:
                if board[beside] == mine:
                    break
            else:
                continue
        board[one], board[other] = mine, theirs
