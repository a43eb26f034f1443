"""Three-way merge: by lines, then by sentences where lines clash; both texts stay where they do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from merge3 import Merge3

from wiki.history.diff import heading_in
from wiki.history.match import BoundedMatcher, Steps

SENTENCE_END = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)*_]*+\s++|\n++")
LONGEST_HEADING = 1_000  # characters
MOST_PASSAGES = 200  # that anybody would settle one by one; a form can hold some more


@dataclass(frozen=True)
class Passage:
    """A place that both changed in different ways: the text before, theirs and mine, each without
    the white space after it, which is the ``tail`` of whatever is chosen."""

    before: str
    theirs: str
    mine: str
    tail: str = "\n"
    section: str = ""


@dataclass(frozen=True)
class Merge:
    """What came of it: texts and clashing passages in turn. ``fitted`` counts my changes that fit."""

    parts: list[str | Passage] = field(default_factory=list)
    fitted: int = 0

    @property
    def passages(self) -> list[Passage]:
        return [part for part in self.parts if isinstance(part, Passage)]

    @property
    def text(self) -> str | None:
        """The merged text, or None where a passage is left to decide."""
        return None if self.passages else "".join(map(str, self.parts))

    def with_passages(self, chosen: Sequence[str]) -> str:
        """The text with ``chosen`` in place of the passages, in order.

        Raises ValueError where their number differs.
        """
        if len(chosen) != len(self.passages):
            raise ValueError("another number of passages")
        answers = iter(chosen)
        texts: list[str] = []
        for part in self.parts:
            if isinstance(part, str):
                texts.append(part)
            elif answer := next(answers).rstrip():
                texts.append(answer + part.tail)
        return "".join(texts)


def closed(text: str) -> str:
    """A text of whole lines: with a line end, unless there is nothing."""
    return text if not text or text.endswith("\n") else text + "\n"


def merge(base: str, theirs: str, mine: str) -> Merge:
    """Bring the changes from ``base`` to ``theirs`` and from ``base`` to ``mine`` together.

    Texts that clash in very many places clash as a whole.
    """
    base, theirs, mine = closed(base), closed(theirs), closed(mine)
    parts: list[str | Passage] = []
    place, steps = Place(), Steps()
    fitted = clashes = 0
    lines = [text.splitlines(keepends=True) for text in (base, theirs, mine)]
    for kind, *sides in regions(*lines, steps):
        joined = ["".join(side) for side in sides]
        finer = [(kind, *sides)]
        if kind == "conflict":
            finer = regions(*map(sentences, joined), steps)
        for part_kind, *part_sides in finer:
            texts = ["".join(side) for side in part_sides]
            fitted += part_kind == "b"
            if part_kind == "conflict":
                clash = passage(texts, place.section)
                parts.append(clash)
                place.go_on(clash.theirs + clash.tail)
                clashes += 1
            else:
                parts.append(texts[0])
                place.go_on(texts[0])
        if clashes > MOST_PASSAGES:
            return Merge([passage([base, theirs, mine], "")])
    return Merge(parts, fitted)


def sentences(text: str) -> list[str]:
    """``text`` in pieces that end with a sentence or a line, each with something before its end."""
    edges = [0]
    for end in SENTENCE_END.finditer(text):
        if end.start() > edges[-1] or SENTENCE_END.match(text[end.start() + 1 : end.end()]):
            edges.append(end.end())
    return [text[start:end] for start, end in pairwise([*edges, len(text)]) if end > start]


class Place:
    """Where a text that is put together has got to; each piece is read once."""

    def __init__(self) -> None:
        self.heading = ""
        self.line: list[str] = []  # pieces of the last line

    def go_on(self, text: str) -> None:
        first, end, rest = text.partition("\n")
        self.line.append(first)
        if end:
            *lines, last = rest.split("\n")
            for line in ["".join(self.line), *lines]:
                self.heading = heading_in(line) or self.heading
            self.line = [last]

    @property
    def section(self) -> str:
        """The heading that stands above, or to which the last line has begun."""
        started = ""
        for piece in self.line:
            started += piece
            if len(started) > LONGEST_HEADING:
                return self.heading
        return heading_in(started) or self.heading


def passage(texts: list[str], section: str) -> Passage:
    """The passage whose sides are ``texts``."""
    tails = [text[len(text.rstrip()) :] for text in reversed(texts) if text.strip()]
    return Passage(
        *(text.rstrip() for text in texts), tail=tails[0] if tails else "", section=section
    )


def regions(base: list[str], theirs: list[str], mine: list[str], steps: Steps) -> list[tuple]:
    """``(kind, lines)`` with kind unchanged, same, a (theirs) or b (mine), and ``("conflict",
    base, theirs, mine)``, in order."""

    def matcher(_junk: None, a: list[str], b: list[str]) -> BoundedMatcher:
        return BoundedMatcher(a, b, steps)

    return list(Merge3(base, theirs, mine, sequence_matcher=matcher).merge_groups())
