"""The conflict page: clashing passages as they are shown, and as they are answered."""

import re
from collections import Counter
from typing import Any

from wiki.errors import WikiError
from wiki.history.diff import Words, interleave
from wiki.history.merge import Merge, Passage
from wiki.views.door import row_id

WORD = re.compile(r"\w+|[^\w\s]")


def taken(passages: list[Passage], chosen: list[str], answer: str) -> list[str]:
    """``chosen`` with one passage answered: ``0:theirs``, ``0:mine``, ``0:before``, ``0:both``."""
    place, _colon, side = answer.partition(":")
    number = row_id(place)
    if (
        number is None
        or number >= len(passages)
        or side not in ("before", "theirs", "mine", "both")
    ):
        raise WikiError("bad_choice", "There is no such passage to choose.")
    passage = passages[number]
    both = f"{passage.mine}{passage.tail}{passage.theirs}"
    text = both if side == "both" else getattr(passage, side)
    return [*chosen[:number], text, *chosen[number + 1 :]]


def leaves_out(merged: Merge, chosen: list[str]) -> bool:
    """Whether ``chosen`` lacks a word that I wrote into one of the passages of ``merged``."""
    pairs = zip(merged.passages, chosen, strict=True)
    return any(
        bool(words(passage.mine) - words(passage.before) - words(text)) for passage, text in pairs
    )


def words(text: str) -> Counter[str]:
    return Counter(WORD.findall(text))


def passage_rows(passage: Passage, saved: str, words: Words) -> dict[str, Any]:
    """A passage for the page: each side as pieces against the text before; ``words`` bounds the
    work of all passages."""
    return {
        "section": passage.section,
        "before": passage.before,
        "theirs": marked(passage.before, passage.theirs, words),
        "mine": marked(passage.before, passage.mine, words),
        "theirs_text": passage.theirs,
        "mine_text": passage.mine,
        "saved": saved,
        "rows": min(12, max(3, saved.count("\n") + 1 + len(saved) // 100)),
    }


def marked(before: str, after: str, words: Words) -> list[tuple[str, str]]:
    """``(kind, text)`` with kind same, old or new: one run of text with both marks."""
    old, new = words.compare(before, after)
    return interleave(old, new)
