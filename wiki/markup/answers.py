"""Answers on a talk page, told from the lists that people write: an answer is an item of a list that ends
with a signature, in a list whose first item does. What is answered to an answer is a list inside it.
"""

import re
from bisect import bisect_right
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from html.parser import HTMLParser

from wiki.markup.anchors import anchor
from wiki.markup.fences import fenced

SIGNED = re.compile(
    r"— \[\[User:(?P<name>[^\[\]|#\n]{1,255})\]\], "
    r"(?P<time>\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d) \(UTC\)"
)
# The same as HTML.
SIGNATURE = re.compile(
    r'— <a href="[^"]*/contributions/[^"]*">(?P<name>[^<>]*)</a>, '
    r"(?P<time>\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d) \(UTC\)"
)
LAST = re.compile(r"\s*(?:</\w+>\s*)*")  # what may follow a signature at the end of an answer
CODE = re.compile(r"`+[^`\n]*`+")
ITEM = re.compile(r"(?P<indent> *)[-*+][ \t]+\S")
INDENT = 4  # spaces, by which a list inside an item is told
VOID = {"br", "hr", "img"}
DEEPEST = 8  # answers to answers beyond it stand beside them


@dataclass(frozen=True)
class Answer:
    """``signature``: which of the signatures of its topic is its own, from 1. ``depth``: 1 for an answer
    to the topic itself."""

    signature: int
    name: str
    time: str
    depth: int
    anchor: str
    twin: int = 0  # how many others of the same name and minute stand above it


@dataclass(frozen=True)
class Piece:
    """A stretch of safe HTML, which ends where the own words of ``answer`` do."""

    html: str
    answer: Answer | None = None


@dataclass
class _Node:
    """An element, from the end of its opening tag to its closing tag."""

    tag: str
    start: int
    opened: int  # where the opening tag begins
    end: int = 0
    children: list["_Node"] = field(default_factory=list)
    signed: bool = False
    own_end: int = 0  # where the words of an item end and what was answered to it begins

    @property
    def answers(self) -> bool:
        """Whether it is a list of answers."""
        items = [child for child in self.children if child.tag == "li"]
        return self.tag == "ul" and bool(items) and items[0].signed


class _Tree(HTMLParser):
    """The elements of well-formed ``html``, with their places in it."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=False)
        self.html = html
        self.ends = [match.end() for match in SIGNATURE.finditer(html)]
        self.lines = [0]
        for line in html.split("\n"):
            self.lines.append(self.lines[-1] + len(line) + 1)
        self.root = _Node("", 0, 0)
        self.open = [self.root]
        self.feed(html)
        self.close()

    def place(self) -> int:
        line, column = self.getpos()
        return self.lines[line - 1] + column

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            place = self.place()
            node = _Node(tag, place + len(self.get_starttag_text() or ""), place)
            self.open[-1].children.append(node)
            self.open.append(node)

    def handle_endtag(self, tag: str) -> None:
        if self.open[-1].tag != tag:
            return
        node = self.open.pop()
        node.end = self.place()
        if tag == "li":
            below = [child.opened for child in node.children if child.answers]
            node.own_end = min(below, default=node.end)
            number = bisect_right(self.ends, node.own_end) - 1
            rest = number >= 0 and self.ends[number] > node.start
            node.signed = bool(rest and LAST.fullmatch(self.html, self.ends[number], node.own_end))


def pieces(html: str, taken: Counter[str]) -> list[Piece]:
    """The safe HTML of a topic with its answers marked, cut where the words of each end.

    ``taken`` counts the answers of the page so far by who wrote them and when, so that no two are at one anchor.
    """
    marks: list[tuple[int, int, str]] = []  # from, to, what stands there instead
    cuts: list[tuple[int, Answer]] = []
    signatures = list(SIGNATURE.finditer(html))
    ends = [match.end() for match in signatures]
    for match in signatures:
        marks.append((match.start(), match.start(), '<span class="signature">'))
        marks.append((match.end(), match.end(), "</span>"))
    found: list[tuple[_Node, int]] = []
    waiting = [(child, 1) for child in _Tree(html).root.children if child.answers]
    while waiting:
        above, depth = waiting.pop()
        marks.append((above.opened, above.start, '<ul class="answers">'))
        for item in above.children:
            waiting += [(child, depth + 1) for child in item.children if child.answers]
            if item.signed:
                found.append((item, depth))
    for item, depth in sorted(found, key=lambda one: one[0].opened):
        number = bisect_right(ends, item.own_end)
        mine = signatures[number - 1]
        name, time = unescape(mine["name"]), mine["time"]
        place = answer_anchor(name, time)
        twin = taken[place]
        taken[place] += 1
        place = f"{place}_{twin}" if twin else place
        marks.append((item.opened, item.start, f'<li id="{place}">'))
        cuts.append((item.own_end, Answer(number, name, time, depth, place, twin)))
    return cut(html, sorted(marks), sorted(cuts, key=lambda one: one[0]))


def signed_by(html: str) -> list[tuple[str, str]]:
    """Name and time of each signature in safe HTML, in order."""
    return [(unescape(match["name"]), match["time"]) for match in SIGNATURE.finditer(html)]


def cut(
    html: str, marks: list[tuple[int, int, str]], cuts: list[tuple[int, Answer]]
) -> list[Piece]:
    made, said, at = [], "", 0
    for start, end, answer, text in sorted(
        [(start, end, None, text) for start, end, text in marks]
        + [(place, place, answer, "") for place, answer in cuts],
        key=lambda one: one[:2],
    ):
        said += html[at:start] + text
        at = end
        if answer:
            made.append(Piece(said, answer))
            said = ""
    return [*made, Piece(said + html[at:])]


def answer_anchor(name: str, time: str) -> str:
    """Where on its page an answer stands: by who wrote it, and when."""
    return f"c-{anchor(name, '-').removeprefix('s-')}-{re.sub(r'[^0-9A-Za-z]+', '-', time)}"


# ---------- in the source ----------


@dataclass(frozen=True)
class Signed:
    """A signature in a text: on which line, from 0."""

    line: int
    name: str
    time: str


def signatures(lines: list[str]) -> list[Signed]:
    """The signatures outside code, in order."""
    in_code = {line for first, last in fenced(lines) for line in range(first, last + 1)}
    return [
        Signed(number, match["name"].strip(), match["time"])
        for number, line in enumerate(lines)
        if number not in in_code
        for match in SIGNED.finditer(CODE.sub("", line))
    ]


def level(line: str) -> int:
    return (len(line) - len(line.lstrip(" "))) // INDENT


def item_around(lines: list[str], number: int) -> int | None:
    """The line on which the item of a list begins whose words line ``number`` belongs to."""
    start = number
    while start and lines[start - 1].strip() and not ITEM.match(lines[start]):
        start -= 1
    if ITEM.match(lines[start]):
        return start
    outer = level(lines[start]) - 1
    for before in range(start - 1, -1, -1):
        line = lines[before]
        if not line.strip():
            continue
        if level(line) == outer and ITEM.match(line):
            return before
        if level(line) <= outer:
            return None
    return None


def item_end(lines: list[str], start: int) -> int:
    """The line after the last of the item that begins on line ``start``, with all that stands in it."""
    depth, end = level(lines[start]), start + 1
    for number in range(start + 1, len(lines)):
        line = lines[number]
        if not line.strip():
            continue
        outside = level(line) <= depth and (not lines[number - 1].strip() or ITEM.match(line))
        if outside:
            break
        end = number + 1
    return end
