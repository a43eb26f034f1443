"""Tables for Markdown with what plain pipe tables lack: a caption, header cells, merged cells.

A row is a line whose cells are parted by ``|``; bars at its ends are welcome. The second row is the
line of dashes, with as many cells as the first; its colons align the columns. A table stands on its
own: blank line above, blank line below. ::

    Table: Colour of the wave
    | Colours | Stones        | Result  |
    |--------:|---------------|---------|
    |       2 | Blue and red  | Purple  |
    | ! Three | Blue and **red** and white | << |
    |      ^^ | first<br>second            | Grey |

* ``Table: ...`` right above the first row is the caption.
* The first row holds the headers of the columns; when all its cells are empty there is none.
* A cell that begins with ``! `` is the header of its row.
* ``<<`` merges a place with the cell on its left, ``^^`` with the cell above it.
* ``<br>`` is a line break. ``\\|`` is a bar; bars inside `code`, ``{{...}}`` and ``[[...]]`` part
  nothing. ``&#33;`` and ``&#94;`` write a cell that really begins with ``!`` or is ``^^``.

The HTML is a ``<table class="wikitable">``. It stands in for the extension ``tables`` of the library,
whose documented tables are tables here too. The work grows with the length of the text only: rows
are not filled up to the widest.
"""

import re
import xml.etree.ElementTree as etree
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension

PRIORITY = 76  # before headings, whose rows of dashes look like those of a table
CAPTION = re.compile(r"Table:[ \t]+(?P<text>\S.*)")
DASHES = re.compile(r"[ \t]*:?-+:?[ \t]*")
# What a bar parts, and what hides bars: escapes, code, shortcodes, links.
PARTS = re.compile(r"\\.|(?P<ticks>`+)[^`]+(?P=ticks)|\{\{[^{}]*\}\}|\[\[[^\[\]]*\]\]|(\|)")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
HARD_BREAK = "  \n"
TO_THE_LEFT, UPWARDS = "<<", "^^"


@dataclass
class Cell:
    """A cell and how many columns and rows it covers."""

    element: etree.Element
    columns: int = 1
    rows: int = 1


class WikiTables(BlockProcessor):
    """Builds the tables; a block that is none is left to others."""

    def test(self, parent: etree.Element, block: str) -> bool:
        lines = block.split("\n", 3)
        first = 1 if CAPTION.fullmatch(lines[0].strip()) else 0
        if len(lines) < first + 2 or "|" not in lines[first] or "|" not in lines[first + 1]:
            return False
        dashes = cells_of(lines[first + 1])
        return all(DASHES.fullmatch(cell) for cell in dashes) and (
            len(dashes) == len(cells_of(lines[first]))
        )

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        lines = [line.strip() for line in blocks.pop(0).split("\n")]
        table = etree.SubElement(parent, "table", {"class": "wikitable"})
        if caption := CAPTION.fullmatch(lines[0]):
            etree.SubElement(table, "caption").text = caption["text"]
            lines.pop(0)
        end = next((at for at, line in enumerate(lines) if "|" not in line), len(lines))
        if end < len(lines):
            blocks.insert(0, "\n".join(lines[end:]))
        head, dashes, *body = [cells_of(line) for line in lines[:end]]
        aligns = [alignment(cell) for cell in dashes]
        if any(head):
            row = etree.SubElement(etree.SubElement(table, "thead"), "tr")
            fill([row], [head], aligns, header=True)
        if body:
            section = etree.SubElement(table, "tbody")
            rows = [etree.SubElement(section, "tr") for _ in body]
            fill(rows, body, aligns, header=False)


def cells_of(line: str) -> list[str]:
    """The texts between the bars of a row."""
    bars = [match.start() for match in PARTS.finditer(line) if match[2]]
    edges = [-1, *bars, len(line)]
    cells = [line[a + 1 : b].strip() for a, b in pairwise(edges)]
    if bars and not cells[0]:
        cells.pop(0)
    if len(cells) > 1 and not cells[-1]:
        cells.pop()
    return cells


def alignment(dashes: str) -> str:
    """What the colons at the ends of a column's dashes ask for; empty for nothing."""
    return {(True, True): "center", (True, False): "left", (False, True): "right"}.get(
        (dashes.startswith(":"), dashes.endswith(":")), ""
    )


def fill(
    rows: list[etree.Element], texts: list[list[str]], aligns: list[str], *, header: bool
) -> None:
    """Put the cells of one part of a table into its ``rows``; spans do not leave the part."""
    above: list[Cell] = []
    for row, given in zip(rows, texts, strict=True):
        line: list[Cell] = []
        going_on = Counter(
            id(cell)
            for cell, text in zip(above, given, strict=False)
            if text in (TO_THE_LEFT, UPWARDS)
        )
        for column, text in enumerate(given):
            left = line[-1] if line else None
            over = above[column] if column < len(above) else None
            if text == TO_THE_LEFT and left is not None and left.rows == 1:
                left.columns += 1
                cell = left
            elif text == TO_THE_LEFT and left is not None and left is over:
                cell = left
            elif text == UPWARDS and over is not None and going_on[id(over)] == over.columns:
                over.rows += over is not left
                cell = over
            else:
                align = aligns[column] if column < len(aligns) else ""
                shown = "" if text in (TO_THE_LEFT, UPWARDS) else text
                cell = Cell(new_cell(row, shown, align, header=header))
            line.append(cell)
        above = line
        for cell in line:
            for name, count in (("colspan", cell.columns), ("rowspan", cell.rows)):
                if count > 1:
                    cell.element.set(name, str(count))


def new_cell(row: etree.Element, text: str, align: str, *, header: bool) -> etree.Element:
    own_header = text == "!" or text.startswith("! ")
    cell = etree.SubElement(row, "th" if header or own_header else "td")
    if header or own_header:
        cell.set("scope", "col" if header else "row")
    if own_header:
        text = text[1:].strip()
    if align:
        cell.set("align", align)
    cell.text = HARD_BREAK.join(part.strip() for part in BREAK.split(text))
    return cell


class WikiTableExtension(Extension):
    """Adds the tables, and ``\\|`` to what a backslash escapes."""

    def extendMarkdown(self, md: Markdown) -> None:
        if "|" not in md.ESCAPED_CHARS:
            md.ESCAPED_CHARS.append("|")
        md.parser.blockprocessors.register(WikiTables(md.parser), "wikitable", PRIORITY)
