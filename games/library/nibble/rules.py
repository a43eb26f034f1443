"""Nibble for two, as the help page tells it, on its three boards.

Source: wiki page Gamehelpnibble, four revisions from December 2024 to January 2025. Where it is silent:

* Neighbouring colours are neighbours in one row, the colour table; its ends are no neighbours.
* A turn is judged as a whole, after its last block; winning blocks one by one has the same winner.
* The game may end early, when a majority of majorities can no longer be lost (public repository
  Fearinn/nibble); with the option ``early_majority`` off it is played to the last block.
* There is no pass: in a board in one piece some block can always be taken.

Units: a board is the colour of each cell in reading order, 0 where there is no block. Colours count
from 1. Cells in actions are (row, column), from 0, the top left first; on the hexagon axial (q, r),
0 in the middle, from (0, -7), the first of the top row, to (0, 7), the last. Seats are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal

import msgspec

from games.engine.errors import IllegalMove
from games.engine.game import Game, Line, Meta, Moves, Outcome, Step
from games.engine.messages import Msg
from games.engine.rng import Rng
from games.library.nibble.dealing import full_board
from games.library.nibble.geometry import Cell
from games.library.nibble.judging import WON, together, worth
from games.library.nibble.material import COLOURS, VARIANTS, Colour, Variant, VariantName
from games.library.nibble.threats import threats
from games.library.nibble.winning import (
    ALL_OF_COLOUR,
    EARLY_MAJORITY,
    SEATS,
    THREE_NEIGHBOURS,
    decided,
    majorities,
    open_colours,
    open_threes,
    tally,
    winning_colours,
)


class Take(msgspec.Struct, frozen=True, tag="take"):
    """Take these blocks, all of one colour, in this order."""

    cells: tuple[Cell, ...]


class NibbleOptions(msgspec.Struct, frozen=True):
    """What can be chosen before a game."""

    variant: Annotated[
        VariantName,
        msgspec.Meta(
            title="Board",
            description="The board and the number of colours.",
            extra_json_schema={
                "labels": {
                    "nine": "Nine colours, 9 by 9",
                    "thirteen": "Thirteen colours, 13 by 13",
                    "hex13": "Thirteen colours, hexagon",
                }
            },
        ),
    ] = "nine"
    colour_order: Annotated[
        Literal["random", "fixed"],
        msgspec.Meta(
            title="Colour table",
            description="The order that says which colours are neighbours.",
            extra_json_schema={
                "labels": {"random": "Drawn for each game", "fixed": "Always the same"}
            },
        ),
    ] = "random"
    early_majority: Annotated[
        bool,
        msgspec.Meta(
            title="End when decided",
            description="The game ends when the majorities are decided and no instant win is left.",
            extra_json_schema={
                "labels": {"true": "End when it is decided", "false": "Play to the last block"}
            },
        ),
    ] = True


class NibbleState(msgspec.Struct):
    """A position. Nothing in it is hidden."""

    variant: VariantName
    early_majority: bool
    board: list[Colour]  # by cell in reading order, 0: no block
    table: list[Colour]  # the colour table, each colour once
    collections: list[list[Colour]]  # by seat, blocks in the order they were taken
    active: int = 0
    turn: int = 1  # number of the turn that is asked for
    last: list[Cell] = []  # cells of the turn before
    winner: int | None = None
    reason: str = ""  # why there is a winner


class Nibble(Game[NibbleState, Take, NibbleOptions]):
    """The rules of Nibble."""

    slug = "nibble"
    version = 1
    meta = Meta(
        name="Nibble",
        seats=(SEATS,),
        minutes=15,
        complexity=2,
        designer="Jared McComb",
        provenance="Rules: help page Gamehelpnibble. Colours, quotas and the early end: public"
        " repository Fearinn/nibble. Glyphs, refusals and names of cells: our own.",
        max_plies=169,
    )
    state_type = NibbleState
    action_type = Take
    options_type = NibbleOptions

    def setup(self, seats: int, options: NibbleOptions, rng: Rng) -> NibbleState:
        variant = VARIANTS[options.variant]
        board = full_board(variant.geometry.near, variant.colours, rng)
        table = list(range(1, variant.colours + 1))
        if options.colour_order == "random":
            rng.shuffle(table)
        return NibbleState(
            variant=options.variant,
            early_majority=options.early_majority,
            board=board,
            table=table,
            collections=[[] for _ in range(SEATS)],
        )

    def pending(self, state: NibbleState) -> dict[int, str]:
        return {} if state.winner is not None else {state.active: f"turn:{state.turn}"}

    def moves(self, state: NibbleState, seat: int) -> Moves[Take]:
        """Single blocks in reading order; several are judged by ``check``."""
        geometry = VARIANTS[state.variant].geometry
        occupied = geometry.occupied(state.board)
        exposed = geometry.exposed(occupied)
        items: list[Take] = []
        refused: list[tuple[str, Msg]] = []
        enclosed = Msg("It needs {needed} free sides next to each other.", needed=geometry.needed)
        link = Msg("Without it the board would fall into pieces.")
        for index, bit in enumerate(geometry.bits):
            if not occupied & bit:
                continue
            if not exposed & bit:
                refused.append((geometry.names[index], enclosed))
            elif geometry.stays_whole(occupied, bit):
                items.append(Take((geometry.cells[index],)))
            else:
                refused.append((geometry.names[index], link))
        return Moves(
            items,
            complete=False,
            refused=refused,
            prompt=Msg("Take blocks of one colour from the edge."),
        )

    def check(self, state: NibbleState, seat: int, action: Take) -> None:
        """The reasons are tried in the order of the rules; the first that applies is told."""
        geometry = VARIANTS[state.variant].geometry
        if not action.cells:
            raise IllegalMove("empty", "Choose at least one block.")
        if len(set(action.cells)) < len(action.cells):
            raise IllegalMove("repeated", "A block can be taken only once.")
        indexes = [geometry.index.get(cell, -1) for cell in action.cells]
        if any(index < 0 or not state.board[index] for index in indexes):
            raise IllegalMove("no_block", "There is no block in that cell.")
        if len({state.board[index] for index in indexes}) > 1:
            raise IllegalMove("colours", "All blocks of a turn must have the same colour.")
        occupied = geometry.occupied(state.board)
        for index in indexes:
            bit = geometry.bits[index]
            if not geometry.exposed(occupied) & bit:
                raise IllegalMove(
                    "not_exposed",
                    Msg(
                        "{cell} needs {needed} free sides next to each other.",
                        cell=geometry.names[index],
                        needed=geometry.needed,
                    ),
                )
            if not geometry.stays_whole(occupied, bit):
                raise IllegalMove(
                    "splits",
                    Msg(
                        "Without {cell} the board would fall into pieces.",
                        cell=geometry.names[index],
                    ),
                )
            occupied &= ~bit

    def apply(self, state: NibbleState, seat: int, action: Take, step: Step) -> None:
        variant = VARIANTS[state.variant]
        colour = state.board[variant.geometry.index[action.cells[0]]]
        for cell in action.cells:
            state.board[variant.geometry.index[cell]] = 0
            state.collections[seat].append(colour)
        state.last = list(action.cells)
        step.log(
            Msg(
                "{seat} takes {count} {colour}.",
                you="You take {count} {colour}.",
                seat=seat,
                count=len(action.cells),
                colour=colour_name(colour),
            )
        )
        end = decided(
            variant,
            state.table,
            [tally(blocks, variant.colours) for blocks in state.collections],
            seat,
            board_empty=not any(state.board),
            early_majority=state.early_majority,
        )
        if end is None:
            state.active = 1 - seat
            state.turn += 1
        else:
            state.winner, state.reason = end
            step.log(verdict(state))

    def view(self, state: NibbleState, seat: int | None) -> dict[str, Any]:
        """All is open: every viewer sees the same. Lists by colour are keyed ``"1"``, ``"2"``, ..."""
        variant = VARIANTS[state.variant]
        geometry = variant.geometry
        counts = [tally(blocks, variant.colours) for blocks in state.collections]
        left = tally(state.board, variant.colours)
        colours = range(1, variant.colours + 1)
        return {
            "variant": state.variant,
            "shape": geometry.shape,
            "board": by_row(geometry.rows, state.board),
            "cells": geometry.rows,
            "names": geometry.row_names,
            "colours": [
                {"id": c, "name": colour_name(c).data(), "glyph": COLOURS[c][1]} for c in colours
            ],
            "table": state.table,
            "counts": [{str(c): held[c] for c in colours} for held in counts],
            "left": {str(c): left[c] for c in colours},
            "blocks_left": sum(left[1:]),
            "collections": state.collections,
            "active": None if state.winner is not None else state.active,
            "turn": state.turn,
            "last": state.last,
            "goals": {
                "all_of_colour": variant.blocks,
                "neighbour_blocks": variant.neighbour_blocks,
                "majority_blocks": variant.majority_blocks,
                "majority_colours": variant.majority_colours,
                "early_majority": state.early_majority,
            },
            "chances": [
                {
                    "majorities": majorities(variant, counts[who]),
                    "open_colours": open_colours(variant, counts[1 - who]),
                    "open_threes": open_threes(variant, state.table, counts[1 - who]),
                }
                for who in range(SEATS)
            ],
            "threats": [] if state.winner is not None else threats(variant, state.table, counts),
            "result": result(state),
        }

    def outcome(self, state: NibbleState) -> Outcome | None:
        if state.winner is None:
            return None
        return Outcome(
            ranks=[1 if seat == state.winner else 2 for seat in range(SEATS)],
            scores=[1 if seat == state.winner else 0 for seat in range(SEATS)],
            reason=state.reason,
            text=verdict(state).data(),
        )

    def seat_count(self, state: NibbleState) -> int:
        return SEATS

    def value(self, state: NibbleState, seat: int) -> float:
        if state.winner is not None:
            return WON if state.winner == seat else -WON
        return worth(VARIANTS[state.variant], state.table, state.board, state.collections, seat)

    def ideas(self, state: NibbleState, seat: int) -> Sequence[Take]:
        """Each single block, and of each colour as many as go together."""
        geometry = VARIANTS[state.variant].geometry
        sets = together(VARIANTS[state.variant], state.board)
        return [
            *self.moves(state, seat).items,
            *(
                Take(tuple(geometry.cells[index] for index in indexes))
                for indexes in sets.values()
                if len(indexes) > 1
            ),
        ]

    def progress(self, state: NibbleState) -> float:
        if state.winner is not None:
            return 1.0
        return sum(map(len, state.collections)) / VARIANTS[state.variant].cells

    def opening(self, state: NibbleState) -> list[Line]:
        names = [colour_name(colour) for colour in state.table]
        return [Line(Msg("The colour table: {colours}.", colours=names).data())]

    def summary(self, state: NibbleState) -> Msg:
        return Msg(
            "{left} of {all} blocks left",
            left=sum(1 for colour in state.board if colour),
            all=VARIANTS[state.variant].cells,
        )

    def standing(self, state: NibbleState) -> list[int]:
        return [len(blocks) for blocks in state.collections]

    def label(self, state: NibbleState, seat: int, action: Take) -> Msg:
        geometry = VARIANTS[state.variant].geometry
        first = geometry.index[action.cells[0]]
        colour = colour_name(state.board[first])
        if len(action.cells) == 1:
            return Msg("Take {colour} at {cell}", colour=colour, cell=geometry.names[first])
        return Msg("Take {count} {colour}", count=len(action.cells), colour=colour)


def colour_name(colour: Colour) -> Msg:
    """``white``, to be translated by itself."""
    return Msg(COLOURS[colour][0])


def by_row(rows: Sequence[Sequence[Cell]], board: Sequence[Colour]) -> list[list[Colour]]:
    """``board`` cut into rows of the lengths of ``rows``."""
    cut, start = [], 0
    for row in rows:
        cut.append(list(board[start : start + len(row)]))
        start += len(row)
    return cut


def winners_colours(state: NibbleState) -> list[tuple[Colour, int]]:
    """(colour, blocks) of each colour that won the finished game, in the order of the table."""
    variant: Variant = VARIANTS[state.variant]
    if state.winner is None:
        return []
    counts = tally(state.collections[state.winner], variant.colours)
    won = winning_colours(variant, state.table, counts, state.reason)
    return [(colour, counts[colour]) for colour in won]


def result(state: NibbleState) -> dict[str, Any] | None:
    """Who won, why, and by which colours."""
    if state.winner is None:
        return None
    return {
        "seat": state.winner,
        "reason": state.reason,
        "colours": [colour for colour, _ in winners_colours(state)],
    }


def verdict(state: NibbleState) -> Msg:
    """The finished game in one sentence."""
    if state.winner is None:
        raise ValueError("A game that goes on has no verdict.")
    seat, won = state.winner, winners_colours(state)
    if state.reason == ALL_OF_COLOUR:
        colour, count = won[0]
        return Msg(
            "{seat} wins with all {count} {colour}.",
            you="You win with all {count} {colour}.",
            seat=seat,
            count=count,
            colour=colour_name(colour),
        )
    if state.reason == THREE_NEIGHBOURS:
        held = [Msg("{count} {colour}", count=n, colour=colour_name(c)) for c, n in won]
        return Msg(
            "{seat} wins with three neighbouring colours: {blocks}.",
            you="You win with three neighbouring colours: {blocks}.",
            seat=seat,
            blocks=held,
        )
    if state.reason == EARLY_MAJORITY:
        return Msg(
            "{seat} wins with the majority in {count} colours; nothing can change that any more.",
            you="You win with the majority in {count} colours; nothing can change that any more.",
            seat=seat,
            count=len(won),
        )
    return Msg(
        "The board is empty: {seat} wins with the majority in {count} colours.",
        you="The board is empty: you win with the majority in {count} colours.",
        seat=seat,
        count=len(won),
    )
