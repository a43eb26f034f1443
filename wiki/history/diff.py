"""The difference of two texts: lines first, then words inside the lines that belong together.

Nothing here makes HTML: templates escape every piece. Time is bounded: very long texts and lines
are compared by line only, and after very many changes the rest of both texts is shown whole.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import accumulate

from wiki.history.match import Steps, matching_blocks

CONTEXT = 2  # unchanged lines shown on each side of a change
MAX_WORD_BYTES = 400_000  # length of both texts above which lines are not compared word by word
MAX_TOKENS = 4_000  # words and marks of a line above which it counts as changed as a whole
WORD_BUDGET = 400_000  # words and marks compared in one difference
WORD_STEPS = 1_500_000  # pairs of equal words looked at in one difference
STEPS_A_PAIR = 20  # what it costs to weigh whether two lines belong together
STEPS_A_LINE = 100  # what it costs to compare two lines by words at all
MAX_ROWS = 2_500  # rows of changes after which nothing more is compared
LINES_A_ROW = 100  # lines that were only added or only removed, where there are many
MAX_PAIRS = 2_500  # pairs of changed lines up to which it is looked which belong together
ALIKE = 0.4  # share of words two lines must have in common to stand side by side
TOKEN = re.compile(r"\w+|\s+|[^\w\s]")
HEADING = re.compile(r"(?P<marks>#{1,6})\s(?P<text>.*)|(?P<ends>={2,6})(?P<within>.*)(?P=ends)")


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
    whole_from: int = 0  # line of the new text from which both are shown whole; 0: nowhere

    @property
    def same(self) -> bool:
        return not self.rows


Placed = tuple[int, int, Row]  # line in old and in new, from 0


def compare(old: str, new: str) -> Difference:
    """Rows that tell how ``old`` became ``new``; none where they are equal."""
    a, b = old.splitlines(), new.splitlines()
    words = Words(enabled=len(old) + len(new) <= MAX_WORD_BYTES)
    rows: list[Placed | None] = []
    x = y = whole_from = 0
    blocks = matching_blocks(a, b)
    for start_a, start_b, length in [*blocks, (len(a), len(b), 0)]:
        if len(rows) > MAX_ROWS:
            rows += [None, *replaced(a, b, x, y)]
            whole_from = y + 1
            break
        rows.extend(changed_rows(a[x:start_a], b[y:start_b], x, y, words))
        end_a, end_b = start_a + length, start_b + length
        rows.extend(
            around(a, start_a, start_b, length, bool(rows), end_a < len(a) or end_b < len(b))
        )
        x, y = end_a, end_b
    return Difference(grouped(rows, b), words.lasted, whole_from)


def around(
    a: list[str], start_a: int, start_b: int, length: int, after: bool, before: bool
) -> Iterator[Placed | None]:
    """The lines of an unchanged block that stand ``after`` a change or ``before`` one; None where
    lines are left out."""
    head = range(CONTEXT if after else 0)
    tail = range(length - (CONTEXT if before else 0), length)
    steps = sorted({step for step in (*head, *tail) if 0 <= step < length})
    for number, step in enumerate(steps):
        if step != (steps[number - 1] + 1 if number else 0):
            yield None
        same = [Piece(a[start_a + step], changed=False)]
        yield start_a + step, start_b + step, Row("same", same, same)


def replaced(a: list[str], b: list[str], x: int, y: int) -> Iterator[Placed]:
    """What is left of both texts, without a look at what they have in common."""
    for start, text in in_rows(a, x, len(a), LINES_A_ROW):
        yield start, y, Row("remove", old=[Piece(text, changed=False)])
    for start, text in in_rows(b, y, len(b), LINES_A_ROW):
        yield len(a), start, Row("add", new=[Piece(text, changed=False)])


class Words:
    """Compares lines by words while the budget lasts."""

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.left = WORD_BUDGET
        self.steps = Steps(WORD_STEPS)

    @property
    def lasted(self) -> bool:
        """Whether all lines asked about were compared."""
        return self.enabled and self.left > 0 and self.steps.left >= 0

    def compare(self, old: str, new: str) -> tuple[list[Piece], list[Piece]]:
        a, b = TOKEN.findall(old), TOKEN.findall(new)
        self.left -= len(a) + len(b)
        fits = (
            self.steps.spend(STEPS_A_LINE) and self.left > 0 and max(len(a), len(b)) <= MAX_TOKENS
        )
        if not self.enabled or not fits:
            return [Piece(old, changed=True)], [Piece(new, changed=True)]
        return compare_tokens(a, b, self.steps)


def compare_tokens(a: list[str], b: list[str], steps: Steps) -> tuple[list[Piece], list[Piece]]:
    old: list[Piece] = []
    new: list[Piece] = []
    x = y = 0
    blocks = matching_blocks(a, b, junk=str.isspace, steps=steps)
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
) -> list[Placed]:
    rows: list[Placed] = []
    x = y = 0
    for pair_a, pair_b in [*alike(a, b, words), (len(a), len(b))]:
        for start, text in in_rows(a, x, pair_a):
            row = Row("remove", old=[Piece(text, changed=False)])
            rows.append((first_a + start, first_b + y, row))
        for start, text in in_rows(b, y, pair_b):
            row = Row("add", new=[Piece(text, changed=False)])
            rows.append((first_a + pair_a, first_b + start, row))
        if pair_a < len(a) and pair_b < len(b):
            old, new = words.compare(a[pair_a], b[pair_b])
            rows.append((first_a + pair_a, first_b + pair_b, Row("change", old, new)))
        x, y = pair_a + 1, pair_b + 1
    return rows


def in_rows(lines: list[str], start: int, end: int, size: int = 0) -> Iterator[tuple[int, str]]:
    """The lines from ``start`` to ``end``, each with its number; ``size`` together, or many where
    there are many."""
    size = size or (1 if end - start <= 20 * LINES_A_ROW else LINES_A_ROW)
    for first in range(start, end, size):
        yield first, "\n".join(lines[first : min(first + size, end)])


def alike(a: list[str], b: list[str], words: Words) -> list[tuple[int, int]]:
    """Which changed lines belong together, in rising order. Small groups by their words, one by
    one; large ones not at all, nor any once the steps for words are used up."""
    if not a or not b or len(a) * len(b) > MAX_PAIRS:
        return []
    if not words.steps.spend(STEPS_A_PAIR * len(a) * len(b)):
        return []
    bags_a, bags_b = ([Counter(re.findall(r"\w+", line)) for line in side] for side in (a, b))
    if not words.steps.spend(sum(map(len, bags_a)) * len(b) + sum(map(len, bags_b)) * len(a)):
        return []
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


def grouped(rows: list[Placed | None], new: list[str]) -> list[Row]:
    """The rows, with a head before the first and in place of each None, which stands for a gap."""
    shown: list[Row] = []
    headings: list[str] = []
    for placed, before in zip(rows, [None, *rows], strict=False):
        if placed is None:
            continue
        line_a, line_b, row = placed
        if before is None:
            headings = headings or headings_above(new) or [""]
            head = headings[min(line_b, len(headings) - 1)]
            shown.append(Row("head", line_old=line_a + 1, line_new=line_b + 1, section=head))
        shown.append(row)
    return shown


def heading_in(line: str) -> str:
    """The heading that ``line`` is, in Markdown or wikitext, or nothing."""
    match = HEADING.fullmatch(line.rstrip()) if line[:1] in ("#", "=") else None
    if match is None:
        return ""
    return match["text"].strip().rstrip("#").rstrip() if match["marks"] else match["within"].strip()


def headings_above(lines: list[str]) -> list[str]:
    """For each line the heading that it is or stands under, or nothing."""
    return list(accumulate(map(heading_in, lines), lambda above, here: here or above))


def section_of(lines: list[str], line: int) -> str:
    """The heading that line number ``line`` (from 0) stands under, or nothing."""
    above = (heading_in(lines[index]) for index in range(min(line, len(lines) - 1), -1, -1))
    return next(filter(None, above), "")
