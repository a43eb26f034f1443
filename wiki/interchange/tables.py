"""Tables of wikitext -> the wiki's table syntax (``wiki.markup.wikitable``). Pure."""

import re
from dataclasses import dataclass, field

from wiki.interchange.inline import convert_line
from wiki.interchange.shelf import BREAK, Shelf

START = re.compile(r"[ \t:]*\{\|")
SPAN = re.compile(r"\b(?P<kind>col|row)span\s*=\s*[\"']?\s*(?P<count>\d{1,3})", re.IGNORECASE)
MAX_COLUMNS = 40  # that a cell may cover
MAX_MARKS = 10_000  # cells of a table beyond those that are written, which spans and padding make


@dataclass
class Cell:
    """``text`` may have several lines; spans count from 1."""

    header: bool
    text: str
    colspan: int = 1
    rowspan: int = 1


@dataclass
class Table:
    caption: str = ""
    rows: list[list[Cell]] = field(default_factory=list)


def take(lines: list[str], at: int, shelf: Shelf) -> tuple[list[str], int, str]:
    """The table that starts at ``lines[at]``: Markdown lines, index after it, text behind it."""
    table = Table()
    depth = 0
    end = at + 1
    rest = ""
    open_text: Cell | None = None
    while end < len(lines):
        line = lines[end].strip()
        end += 1
        if START.match(line):
            depth += 1
            shelf.warn("A table inside a table is shown as text")
        if depth:
            depth -= line.startswith("|}")
            if open_text is not None:
                open_text.text += f"\n{line}"
            continue
        if line.startswith("|}"):
            rest += line[2:].strip()
            break
        if line.startswith("|-"):
            table.rows.append([])
            open_text = None
        elif line.startswith("|+"):
            table.caption = line[2:].rpartition("|")[2].strip()
        elif line[:1] in ("|", "!"):
            if not table.rows:
                table.rows.append([])
            table.rows[-1] += _cells(line)
            open_text = table.rows[-1][-1]
        elif open_text is not None:
            open_text.text += f"\n{line}"
        elif line:
            shelf.warn("Text between a table's rows is left out of the table")
            rest += f"{line}\n"
    else:
        shelf.warn("A table does not end; it is taken to end with the text")
    table.rows = [row for row in table.rows if row]
    return write(table, shelf), end, rest


def _cells(line: str) -> list[Cell]:
    header = line[0] == "!"
    parts = re.split(r"\|\||!!", line[1:]) if header else line[1:].split("||")
    cells = []
    for part in parts:
        settings, bar, text = part.partition("|")
        if not bar:
            settings, text = "", part
        spans = {m["kind"].lower(): max(1, int(m["count"])) for m in SPAN.finditer(settings)}
        cells.append(Cell(header, text.strip(), spans.get("col", 1), spans.get("row", 1)))
    return cells


def write(table: Table, shelf: Shelf) -> list[str]:
    """Markdown lines of ``table``; none for one without cells."""
    grid = _grid(table, shelf)
    if not grid:
        return []
    width = max(len(row) for row in grid)
    if sum(width - len(row) for row in grid) <= MAX_MARKS:
        grid = [row + [""] * (width - len(row)) for row in grid]
    lines = []
    if table.caption:
        caption = convert_line(table.caption, shelf).replace(BREAK, " ")
        lines.append(f"Table: {caption}")
    headed = all(cell.header for cell in table.rows[0])
    head = [cell.removeprefix("! ") for cell in grid[0]] if headed else []
    head += [""] * (width - len(head))
    lines.append(_row(head))
    lines.append(_row(["---"] * width))
    lines += [_row(row) for row in (grid[1:] if headed else grid)]
    return lines


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _grid(table: Table, shelf: Shelf) -> list[list[str]]:
    """The table's cells as text, a merged place by the mark of what it is merged with."""
    grid: list[list[str]] = []
    hanging: dict[int, int] = {}  # column -> rows below that a cell above still covers
    left = MAX_MARKS
    for row in table.rows:
        line: list[str] = []
        if left <= 0:
            hanging = {}
        for cell in row:
            while hanging.get(len(line)):
                hanging[len(line)] -= 1
                line.append("^^")
            start = len(line)
            text = _cell_text(cell.text, shelf)
            line += [f"! {text}".rstrip() if cell.header else text]
            line += ["<<"] * (min(cell.colspan, MAX_COLUMNS) - 1 if left > 0 else 0)
            for column in range(start, len(line)):
                hanging[column] = cell.rowspan - 1
        while hanging.get(len(line)):
            hanging[len(line)] -= 1
            line.append("^^")
        left -= len(line) - len(row)
        grid.append(line)
    return grid


def _cell_text(text: str, shelf: Shelf) -> str:
    """The text of a cell on one line: its lines are parted by <br>, its bullets are characters."""
    lines = [re.sub(r"^[*#]+\s*", "• ", line) for line in text.split("\n") if line.strip()]
    converted = [convert_line(line.strip(), shelf).replace("|", r"\|") for line in lines]
    text = "<br>".join(converted).replace(BREAK, "<br>")
    if text.startswith(("!", "^^")):
        text = f"&#{ord(text[0])};{text[1:]}"
    return text
