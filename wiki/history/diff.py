"""The difference of two texts: lines first, then words inside the lines that belong together.

Nothing here makes HTML: templates escape every piece. Time is bounded: very long texts and lines
are compared by line only.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from wiki.history.match import matching_blocks

CONTEXT = 2  # unchanged lines shown on each side of a change
MAX_WORD_BYTES = 400_000  # length of both texts above which lines are not compared word by word
MAX_TOKENS = 4_000  # words and marks of a line above which it counts as changed as a whole
WORD_BUDGET = 400_000  # words and marks compared in one difference
ALIKE = 0.4  # share of words two lines must have in common to stand side by side
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
HEADING = re.compile(r"(?:#{1,6}\s+(.+?)\s*#*|(={2,6})\s*(.+?)\s*\2)\s*")


@dataclass(frozen=True)
class Piece:
    """Part of a line; ``changed``: only this side has it."""

    text: str
    changed: bool


@dataclass(frozen=True)
class Row:
    """One row of two columns. ``kind``: same, change, add, remove, or head (of a group of rows).

    A head has ``line_old`` and ``line_new`` (from 1) and the ``section`` they stand in.
    """

    kind: str
    old: list[Piece] = field(default_factory=list)
    new: list[Piece] = field(default_factory=list)
    line_old: int = 0
    line_new: int = 0
    section: str = ""


@dataclass(frozen=True)
class Difference:
    rows: list[Row]
    words: bool  # False: too long, compared by line only

    @property
    def same(self) -> bool:
        return not self.rows


def compare(old: str, new: str) -> Difference:
    """Rows that tell how ``old`` became ``new``; none where they are equal."""
    a, b = old.splitlines(), new.splitlines()
    words = Words(enabled=len(old) + len(new) <= MAX_WORD_BYTES)
    rows: list[tuple[int, int, Row]] = []  # line in old, line in new, row
    x = y = 0
    for start_a, start_b, length in [*matching_blocks(a, b), (len(a), len(b), 0)]:
        rows.extend(changed_rows(a[x:start_a], b[y:start_b], x, y, words))
        for step in range(length):
            same = [Piece(a[start_a + step], changed=False)]
            rows.append((start_a + step, start_b + step, Row("same", same, same)))
        x, y = start_a + length, start_b + length
    return Difference(grouped(rows, b), words.enabled and words.left > 0)


class Words:
    """Compares lines by words while the budget lasts."""

    def __init__(self, *, enabled: bool) -> None:
        self.enabled = enabled
        self.left = WORD_BUDGET

    def compare(self, old: str, new: str) -> tuple[list[Piece], list[Piece]]:
        a, b = TOKEN.findall(old), TOKEN.findall(new)
        self.left -= len(a) + len(b)
        if not self.enabled or self.left <= 0 or max(len(a), len(b)) > MAX_TOKENS:
            return [Piece(old, changed=True)], [Piece(new, changed=True)]
        return compare_tokens(a, b)


def compare_words(old: str, new: str) -> tuple[list[Piece], list[Piece]]:
    """The pieces of two short passages, which may hold line ends."""
    return Words(enabled=len(old) + len(new) <= MAX_WORD_BYTES).compare(old, new)


def compare_tokens(a: list[str], b: list[str]) -> tuple[list[Piece], list[Piece]]:
    old: list[Piece] = []
    new: list[Piece] = []
    x = y = 0
    blocks = matching_blocks(a, b, junk=str.isspace)
    for start_a, start_b, length in [*blocks, (len(a), len(b), 0)]:
        common = "".join(a[start_a : start_a + length])
        inside = start_a > 0 and start_a + length < len(a) and (start_a > x or start_b > y)
        if common and common.isspace() and inside:
            continue  # a space between two changed words belongs to the change
        add(old, "".join(a[x:start_a]), changed=True)
        add(new, "".join(b[y:start_b]), changed=True)
        add(old, common, changed=False)
        add(new, common, changed=False)
        x, y = start_a + length, start_b + length
    return old, new


def interleave(old: list[Piece], new: list[Piece]) -> list[tuple[str, str]]:
    """Both sides of one comparison as one run of ``(kind, text)``: same, old or new.

    Both sides hold the same unchanged pieces in the same order.
    """
    run: list[tuple[str, str]] = []
    rest = list(new)
    for piece in old:
        if piece.changed:
            run.append(("old", piece.text))
            continue
        while rest[0].changed:
            run.append(("new", rest.pop(0).text))
        run.append(("same", rest.pop(0).text))
    return run + [("new", piece.text) for piece in rest]


def add(pieces: list[Piece], text: str, *, changed: bool) -> None:
    if text:
        pieces.append(Piece(text, changed))


def changed_rows(
    a: list[str], b: list[str], first_a: int, first_b: int, words: Words
) -> list[tuple[int, int, Row]]:
    rows: list[tuple[int, int, Row]] = []
    x = y = 0
    for pair_a, pair_b in [*alike(a, b), (len(a), len(b))]:
        for i in range(x, pair_a):
            row = Row("remove", old=[Piece(a[i], changed=False)])
            rows.append((first_a + i, first_b + y, row))
        for j in range(y, pair_b):
            row = Row("add", new=[Piece(b[j], changed=False)])
            rows.append((first_a + pair_a, first_b + j, row))
        if pair_a < len(a) and pair_b < len(b):
            old, new = words.compare(a[pair_a], b[pair_b])
            rows.append((first_a + pair_a, first_b + pair_b, Row("change", old, new)))
        x, y = pair_a + 1, pair_b + 1
    return rows


def alike(a: list[str], b: list[str]) -> list[tuple[int, int]]:
    """Which changed lines belong together, in rising order. Small groups by their words, one by
    one; large ones not at all."""
    if not a or not b or len(a) * len(b) > 2_500:
        return []
    bags_a, bags_b = ([Counter(re.findall(r"\w+", line)) for line in side] for side in (a, b))
    best = [[0.0] * (len(b) + 1) for _ in range(len(a) + 1)]  # of a[i:], b[j:]
    score = [[likeness(one, other) for other in bags_b] for one in bags_a]
    for i in range(len(a) - 1, -1, -1):
        for j in range(len(b) - 1, -1, -1):
            best[i][j] = max(best[i + 1][j], best[i][j + 1], best[i + 1][j + 1] + score[i][j])
    pairs, i, j = [], 0, 0
    while i < len(a) and j < len(b):
        if score[i][j] and best[i][j] == best[i + 1][j + 1] + score[i][j]:
            pairs.append((i, j))
            i, j = i + 1, j + 1
        elif best[i][j] == best[i + 1][j]:
            i += 1
        else:
            j += 1
    return pairs


def likeness(a: Counter[str], b: Counter[str]) -> float:
    """Share of words in common, 0 to 1; 0 where it is too little to compare."""
    total = a.total() + b.total()
    share = 2 * (a & b).total() / total if total else 0.0
    return share if share >= ALIKE else 0.0


def grouped(rows: list[tuple[int, int, Row]], new: list[str]) -> list[Row]:
    """Changed rows with their context, each group under a head."""
    near = set()
    for index, (_a, _b, row) in enumerate(rows):
        if row.kind != "same":
            near.update(range(index - CONTEXT, index + CONTEXT + 1))
    shown: list[Row] = []
    for index, (line_a, line_b, row) in enumerate(rows):
        if index not in near:
            continue
        if index - 1 not in near or not shown:
            head = section_of(new, line_b)
            shown.append(Row("head", line_old=line_a + 1, line_new=line_b + 1, section=head))
        shown.append(row)
    return shown


def section_of(lines: list[str], line: int) -> str:
    """The heading that line number ``line`` (from 0) stands under, or nothing."""
    for index in range(min(line, len(lines) - 1), -1, -1):
        if match := HEADING.fullmatch(lines[index]):
            return match[1] or match[3]
    return ""
