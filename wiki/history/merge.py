"""Three-way merge: by lines, then by sentences where lines clash; both texts stay where they do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from merge3 import Merge3

from wiki.history.diff import section_of
from wiki.history.match import BoundedMatcher

SENTENCE = re.compile(r".+?(?:[.!?…]+[\"'”’)*_]*\s+|\n+|$)", re.DOTALL)


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
    """Bring the changes from ``base`` to ``theirs`` and from ``base`` to ``mine`` together."""
    base, theirs, mine = closed(base), closed(theirs), closed(mine)
    parts: list[str | Passage] = []
    fitted = 0
    for kind, *sides in regions(*(text.splitlines(keepends=True) for text in (base, theirs, mine))):
        joined = ["".join(side) for side in sides]
        finer = [(kind, *sides)]
        if kind == "conflict":
            finer = regions(*(SENTENCE.findall(text) for text in joined))
        for part_kind, *part_sides in finer:
            texts = ["".join(side) for side in part_sides]
            fitted += part_kind == "b"
            parts.append(passage(texts, parts) if part_kind == "conflict" else texts[0])
    return Merge(parts, fitted)


def passage(texts: list[str], before: list[str | Passage]) -> Passage:
    """The passage whose sides are ``texts``, after the parts ``before``."""
    tails = [text[len(text.rstrip()) :] for text in reversed(texts) if text.strip()]
    above = "".join(
        part.theirs + part.tail if isinstance(part, Passage) else part for part in before
    )
    lines = above.splitlines()
    return Passage(
        *(text.rstrip() for text in texts),
        tail=tails[0] if tails else "",
        section=section_of(lines, len(lines)),
    )


def regions(base: list[str], theirs: list[str], mine: list[str]) -> list[tuple]:
    """``(kind, lines)`` with kind unchanged, same, a (theirs) or b (mine), and ``("conflict",
    base, theirs, mine)``, in order."""
    return list(Merge3(base, theirs, mine, sequence_matcher=BoundedMatcher).merge_groups())
