"""``*emphasis*`` and ``__strong__``, with the work in proportion to the text.

The marks of a text are paired once, from left to right, each closing one with the nearest fitting
open one: the method that the specification of CommonMark describes. The library's own (3.11.3) loses
or repeats characters where marks of different length meet, as in ``*a**b*c``.
"""

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import takewhile

from markdown import Markdown
from markdown.inlinepatterns import InlineProcessor
from markdown.util import INLINE_PLACEHOLDER_RE, AtomicString

OPEN = 50  # marks that wait for their end at the same time; so deep does emphasis nest

RUN = re.compile(r"\*+|_+")
WORD = re.compile(r"\w")


@dataclass
class Marks:
    """A run of one mark: ``left`` of them are not used yet, from ``at`` on."""

    number: int
    mark: str
    at: int
    length: int
    left: int
    opens: bool
    closes: bool

    def fits(self, closing: "Marks") -> bool:
        """The "rule of three" keeps runs together that could begin and end at the same time."""
        if self.mark != closing.mark:
            return False
        both = self.length + closing.length
        unclear = (self.closes or closing.opens) and both % 3 == 0
        return not unclear or self.length % 3 == 0


@dataclass(frozen=True)
class Pair:
    """Two marks of ``size`` characters that begin at ``start`` and ``end``."""

    start: int
    end: int
    size: int


def runs(text: str, start: int) -> Iterator[Marks]:
    for number, match in enumerate(RUN.finditer(text, start)):
        before, after = text[match.start() - 1 : match.start()], text[match.end() : match.end() + 1]
        opens, closes = bool(after.strip()), bool(before.strip())
        if match[0][0] == "_":  # inside a word it is a letter
            opens, closes = opens and not WORD.match(before), closes and not WORD.match(after)
        length = len(match[0])
        yield Marks(number, match[0][0], match.start(), length, length, opens, closes)


def pairs(text: str, start: int = 0) -> list[Pair]:
    """The marks of ``text`` from ``start`` on that belong together, by their places."""
    found: list[Pair] = []
    waiting: list[Marks] = []
    lowest: dict[tuple[str, bool, int], int] = {}  # number up to which none fits such a run
    for run in runs(text, start):
        kind = (run.mark, run.opens, run.length % 3)
        while run.closes and run.left:
            candidates = takewhile(
                lambda place, kind=kind: waiting[place].number > lowest.get(kind, -1),
                range(len(waiting) - 1, -1, -1),
            )
            place = next((place for place in candidates if waiting[place].fits(run)), None)
            if place is None:
                if waiting:
                    lowest[kind] = waiting[-1].number
                break
            opening = waiting[place]
            both = min(opening.left, run.left)
            size = 1 if both == 1 or opening.left == run.left == 3 else 2
            opening.left -= size
            found.append(Pair(opening.at + opening.left, run.at, size))
            run.at += size
            run.left -= size
            del waiting[place + bool(opening.left) :]
        if run.opens and run.left:
            waiting.append(run)
            del waiting[:-OPEN]
    return sorted(found, key=lambda pair: pair.start)


class Emphasis(InlineProcessor):
    """Gives out the outermost pairs of a text one by one; those inside come with them.

    Each is replaced by a placeholder before the next is asked for. What follows stays as it was, so
    that a place is known by its distance from the end.
    """

    def __init__(self, md: Markdown) -> None:
        super().__init__(RUN.pattern, md)
        self.text = ""  # in which all pairs were found
        self.found: dict[int, list[Pair]] = {}  # distance from the end of the outermost -> all
        self.before = self.after = ""  # what surrounds the last one that was given out

    def handleMatch(
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element | None, int | None, int | None]:
        if not self.goes_on(data):
            self.look(data, m.start())
        for place in range(m.start(), m.end()):
            if inside := self.found.get(len(data) - place):
                end = inside[0].end + inside[0].size + len(data) - len(self.text)
                self.before, self.after = data[:place], data[end:]
                return build(self.text, inside), place, end
        self.before, self.after = data, ""
        return None, m.start(), m.end()

    def goes_on(self, data: str) -> bool:
        """Whether ``data`` is what this has worked on, with a placeholder for what was given out."""
        if not data.startswith(self.before) or not data.endswith(self.after):
            return False
        middle = data[len(self.before) : len(data) - len(self.after)]
        return not middle or bool(INLINE_PLACEHOLDER_RE.fullmatch(middle))

    def look(self, data: str, start: int) -> None:
        self.text = data
        self.found = {}
        end = 0
        for pair in pairs(data, start):
            if pair.start >= end:
                inside = self.found[len(data) - pair.start] = []
                end = pair.end + pair.size
            inside.append(pair)


def build(text: str, inside: list[Pair]) -> etree.Element:
    """The element of the first pair, with those of the others, which it holds."""
    root = etree.Element("part")
    open_elements: list[tuple[etree.Element, Pair | None]] = [(root, None)]
    at = inside[0].start

    def add(end: int) -> None:
        parent = open_elements[-1][0]
        if len(parent):
            parent[-1].tail = AtomicString(text[at:end])  # no more marks to look for
        else:
            parent.text = text[at:end]

    for pair in [*inside, None]:
        while (last := open_elements[-1][1]) and (pair is None or pair.start > last.end):
            add(last.end)
            at = last.end + last.size
            open_elements.pop()
        if pair:
            add(pair.start)
            at = pair.start + pair.size
            element = etree.SubElement(open_elements[-1][0], "strong" if pair.size == 2 else "em")
            open_elements.append((element, pair))
    return root[0]
