"""Tables for Markdown with what plain pipe tables lack: a caption, header cells, merged cells.

Each row is a line that begins with ``|``; the second row is the line of dashes, whose colons align
the columns. It stands on its own: blank line above, blank line below. ::

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

The HTML is a ``<table class="wikitable">``. Rows are as wide as the widest. Other tables, whose
rows do not begin with a bar, are left to the extension ``tables``.
"""

import re
import xml.etree.ElementTree as etree
from dataclasses import dataclass

from markdown import Markdown
from markdown.blockprocessors import BlockProcessor
from markdown.extensions import Extension

PRIORITY = 76  # before "table" of the extension ``tables``
CAPTION = re.compile(r"Table:[ \t]+(?P<text>\S.*)")
DASHES = re.compile(r"\|(?:[ \t]*:?-+:?[ \t]*\|)*[ \t]*:?-+:?[ \t]*\|?[ \t]*")
# What a bar parts, and what hides bars: escapes, code, shortcodes, links.
PARTS = re.compile(r"\\.|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)|\{\{.*?\}\}|\[\[.*?\]\]|(\|)")
BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
HARD_BREAK = "  \n"


@dataclass
class Cell:
    """A cell and how many columns and rows it covers."""

    element: etree.Element
    columns: int = 1
    rows: int = 1


class WikiTables(BlockProcessor):
    """Builds the tables; a block that is none is left to others."""

    def test(self, parent: etree.Element, block: str) -> bool:
        lines = block.split("\n")
        first = 1 if CAPTION.fullmatch(lines[0].strip()) else 0
        rows = [line.strip() for line in lines[first : first + 2]]
        return len(rows) == 2 and rows[0].startswith("|") and bool(DASHES.fullmatch(rows[1]))

    def run(self, parent: etree.Element, blocks: list[str]) -> None:
        lines = [line.strip() for line in blocks.pop(0).split("\n")]
        table = etree.SubElement(parent, "table", {"class": "wikitable"})
        if caption := CAPTION.fullmatch(lines[0]):
            etree.SubElement(table, "caption").text = caption["text"]
            lines.pop(0)
        end = next((at for at, line in enumerate(lines) if not line.startswith("|")), len(lines))
        if end < len(lines):
            blocks.insert(0, "\n".join(lines[end:]))
        head, dashes, *body = [cells_of(line) for line in lines[:end]]
        width = max(len(row) for row in (head, dashes, *body))
        aligns = [alignment(cell) for cell in dashes] + [""] * (width - len(dashes))
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
    cells = [line[a + 1 : b].strip() for a, b in zip(bars, [*bars[1:], len(line)], strict=True)]
    return cells[:-1] if len(cells) > 1 and not cells[-1] else cells


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
        grown: set[int] = set()
        for column, align in enumerate(aligns):
            text = given[column] if column < len(given) else ""
            if text == "<<" and line:
                cell = line[-1]
                if cell.rows == 1:
                    cell.columns += 1
            elif text == "^^" and above:
                cell = above[column]
                if id(cell) not in grown:
                    grown.add(id(cell))
                    cell.rows += 1
            else:
                cell = Cell(new_cell(row, text, align, header=header))
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


def makeExtension(**settings: object) -> WikiTableExtension:
    """The name that Python-Markdown looks for."""
    return WikiTableExtension(**settings)
