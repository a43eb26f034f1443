"""Apostrophe runs of wikitext -> a tree of bold and italic, by MediaWiki's rules. Pure.

The rules, for one line at a time:

* Two are italic, three bold, five both. Of four, the first is an apostrophe; of more than five,
  all but the last five are.
* Where both italic and bold marks are odd in number, one bold mark is an apostrophe and an italic
  mark: the first that follows a word of one letter, else the first that follows a longer word,
  else the first that follows a space.
* Marks that cross are closed and opened again; what is open at the line's end closes there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

RUN = re.compile(r"('{2,})")


@dataclass
class Marked:
    """A piece of a line: ``mark`` is "b", "i" or "" for the line itself."""

    mark: str
    parts: "list[Marked | str]" = field(default_factory=list)


def parse(line: str) -> Marked:
    """The tree of ``line``. Texts in it are as written, apostrophes that are text included."""
    pieces = _pieces(line)
    root = Marked("")
    open_marks = [root]
    for at, piece in enumerate(pieces):
        if at % 2 == 0:
            if piece:
                open_marks[-1].parts.append(piece)
            continue
        for mark in _order(len(piece), open_marks, pieces, at):
            _toggle(open_marks, mark)
    return root


def _pieces(line: str) -> list[str]:
    """Text, run, text, run, ... text: runs are of 2, 3 or 5; the rest is in the texts."""
    pieces = RUN.split(line)
    for at in range(1, len(pieces), 2):
        length = len(pieces[at])
        kept = 3 if length == 4 else min(length, 5)
        pieces[at - 1] += "'" * (length - kept)
        pieces[at] = "'" * kept
    lengths = [len(run) for run in pieces[1::2]]
    italics = sum(length in (2, 5) for length in lengths)
    bolds = sum(length in (3, 5) for length in lengths)
    if italics % 2 and bolds % 2:
        odd = _odd_one(pieces)
        if odd is not None:
            pieces[odd - 1] += "'"
            pieces[odd] = "''"
    return pieces


def _odd_one(pieces: list[str]) -> int | None:
    """Index of the bold mark that is an apostrophe and an italic mark; None where none is bold."""
    after_word = after_space = None
    for at in range(1, len(pieces), 2):
        if len(pieces[at]) != 3:
            continue
        before = pieces[at - 1]
        if before[-1:] == " ":
            after_space = after_space or at
        elif before[-2:-1] == " ":
            return at
        else:
            after_word = after_word or at
    return after_word or after_space


def _order(length: int, open_marks: list[Marked], pieces: list[str], at: int) -> Iterator[str]:
    """The marks that a run of ``length`` toggles, in order."""
    if length == 2:
        yield "i"
    elif length == 3:
        yield "b"
    elif len(open_marks) > 1:  # close from the inside
        inner = open_marks[-1].mark
        yield inner
        yield "i" if inner == "b" else "b"
    else:  # open so that what closes next is inside
        closing = len(pieces[at + 2]) if at + 2 < len(pieces) else 2
        yield from "bi" if closing == 2 else "ib"


def _toggle(open_marks: list[Marked], mark: str) -> None:
    """Open ``mark`` at the innermost place, or close it where it is open."""
    marks = [marked.mark for marked in open_marks]
    if mark not in marks:
        opened = Marked(mark)
        open_marks[-1].parts.append(opened)
        open_marks.append(opened)
        return
    crossed = marks[marks.index(mark) + 1 :]
    del open_marks[marks.index(mark) :]
    for again in crossed:
        _toggle(open_marks, again)
