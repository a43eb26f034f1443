"""What lies in the box of Nibble: colours, boards and what wins on them.

Source: help page Gamehelpnibble (January 2025) for the counts; public repository Fearinn/nibble for
the order and names of the colours. The glyphs are our own: every block can be told without colour.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

import msgspec

from games.library.nibble.geometry import Geometry, hexagon, square

Colour: TypeAlias = int  # 1 to the number of colours of the board; 0 is no block
VariantName: TypeAlias = Literal["nine", "thirteen", "hex13"]

# (name, glyph) by colour; colour 0 is the empty cell
COLOURS = (
    ("empty", ""),
    ("green", "●"),
    ("purple", "■"),
    ("red", "▲"),
    ("yellow", "◆"),
    ("orange", "★"),
    ("blue", "✚"),
    ("white", "○"),
    ("gray", "▼"),
    ("black", "✖"),
    ("pink", "♥"),
    ("cyan", "☾"),
    ("mint", "♣"),
    ("brown", "♠"),
)


class Variant(msgspec.Struct, frozen=True, kw_only=True):
    """A board and what wins on it. There are as many blocks of a colour as all of it means."""

    geometry: Geometry
    colours: int  # how many
    blocks: int  # of each colour; all of one colour win
    neighbour_blocks: int  # of each of three neighbours on the colour table
    majority_blocks: int  # more than half of ``blocks``
    majority_colours: int  # more than half of ``colours``

    @property
    def cells(self) -> int:
        """How many blocks the full board has."""
        return self.colours * self.blocks


VARIANTS: dict[str, Variant] = {
    "nine": Variant(
        geometry=square(9),
        colours=9,
        blocks=9,
        neighbour_blocks=7,
        majority_blocks=5,
        majority_colours=5,
    ),
    "thirteen": Variant(
        geometry=square(13),
        colours=13,
        blocks=13,
        neighbour_blocks=10,
        majority_blocks=7,
        majority_colours=7,
    ),
    "hex13": Variant(
        geometry=hexagon(8),
        colours=13,
        blocks=13,
        neighbour_blocks=10,
        majority_blocks=7,
        majority_colours=7,
    ),
}
