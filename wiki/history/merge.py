"""Three-way merge: by lines, then by sentences where lines clash; both texts stay where they do."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from merge3 import Merge3

from wiki.history.diff import section_of
from wiki.history.match import BoundedMatcher

SENTENCE = re.compile(r".+?(?:[.!?:;…]+[\"'”’)*_]*\s+|\n+|$)", re.DOTALL)


@dataclass(frozen=True)
class Passage:
    """A place that both changed in different ways: the text before, theirs and mine."""

    before: str
    theirs: str
    mine: str
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
        texts = [
            closed(next(answers)) if isinstance(part, Passage) else part for part in self.parts
        ]
        return "".join(texts)


def closed(passage: str) -> str:
    """A passage of whole lines: with a line end, unless there is nothing."""
    return passage if not passage or passage.endswith("\n") else passage + "\n"


def merge(base: str, theirs: str, mine: str) -> Merge:
    """Bring the changes from ``base`` to ``theirs`` and from ``base`` to ``mine`` together."""
    base, theirs, mine = closed(base), closed(theirs), closed(mine)
    parts: list[str | Passage] = []
    fitted = 0
    for kind, *sides in regions(*(text.splitlines(keepends=True) for text in (base, theirs, mine))):
        joined = ["".join(side) for side in sides]
        if kind != "conflict":
            fitted += kind == "b"
            parts.append(joined[0])
            continue
        finer = list(regions(*(SENTENCE.findall(text) for text in joined)))
        if all(part[0] != "conflict" for part in finer):
            fitted += sum(part[0] == "b" for part in finer)
            parts.append("".join("".join(part[1]) for part in finer))
        else:
            so_far = "".join(
                part.theirs if isinstance(part, Passage) else part for part in parts
            ).splitlines()
            parts.append(Passage(*joined, section=section_of(so_far, len(so_far))))
    return Merge(parts, fitted)


def regions(base: list[str], theirs: list[str], mine: list[str]) -> list[tuple]:
    """``(kind, lines)`` with kind unchanged, same, a (theirs) or b (mine), and ``("conflict",
    base, theirs, mine)``, in order."""
    return list(Merge3(base, theirs, mine, sequence_matcher=BoundedMatcher).merge_groups())
