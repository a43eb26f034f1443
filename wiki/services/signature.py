"""Signatures: four tildes in a text of a talk page become the name of who saves it, and the time.

``~~~~~`` is the time alone. Code keeps its tildes; a line of tildes that closes or opens a block of
code is a fence, and no signature.
"""

import re
from datetime import datetime

from wiki.markup.answers import SIGNED
from wiki.markup.fences import fenced
from wiki.times import in_words

TWICE_MINUTES = 5  # within which the same words are the same form, sent again
CODE = re.compile(r"(`+[^`\n]*`+)")
# A dash before them is the one that a signature begins with, but no mark of a list and no part of a line.
DASH = r"(?<!-)(?:--|[–—]|-(?=~)|(?<=\S[ \t])-)[ \t]*"
TILDES = re.compile(rf"(?P<before>[ \t]*)(?:{DASH})?(?<!~)(?P<tildes>~{{4,5}})(?!~)")


def signature(name: str, now: datetime) -> str:
    return f"— [[User:{name}]], {in_words(now)} (UTC)"


def sign(text: str, *, name: str, now: datetime) -> str:
    """``text`` with its tildes outside code as signatures of ``name``."""
    lines = text.split("\n")
    in_code = {line for first, last in fenced(lines) for line in range(first, last + 1)}

    def signed(match: re.Match[str]) -> str:
        said = signature(name, now) if len(match["tildes"]) == 4 else f"{in_words(now)} (UTC)"
        return (match["before"] or " ") + said if match.start() else match["before"] + said

    def line_signed(line: str) -> str:
        pieces = CODE.split(line) if "`" in line else [line]
        # what follows code on a line does not begin the line
        made = [piece if CODE.fullmatch(piece) else TILDES.sub(signed, piece) for piece in pieces]
        return "".join(made)

    return "\n".join(
        line if number in in_code or "~~~~" not in line else line_signed(line)
        for number, line in enumerate(lines)
    )


def signers(text: str) -> set[str]:
    """Whose signatures stand in ``text``."""
    return {match["name"].strip() for match in SIGNED.finditer(text)}


def unsigned(text: str) -> str:
    """``text`` without its signatures."""
    return SIGNED.sub("", text)
