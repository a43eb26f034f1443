"""Sections of a Markdown source: from a heading to the next of the same or a higher level."""

import re
from dataclasses import dataclass

ATX = re.compile(r"(#{1,6})[ \t]*([^#\s].*?)[ \t]*#*[ \t]*")
UNDERLINE = re.compile(r"(=+|-+)[ \t]*")
FENCE = re.compile(r"(`{3,}|~{3,}).*")


@dataclass(frozen=True)
class Section:
    """``start`` and ``end`` are line numbers from 0; ``end`` is the line after the last."""

    number: int  # from 1
    level: int
    heading: str  # as written, with its marks
    start: int
    end: int


def sections(text: str) -> list[Section]:
    """The sections of ``text`` in order; headings inside fenced code are none."""
    lines = text.split("\n")
    found: list[tuple[int, int, str]] = []  # first line, level, heading
    fence = ""
    for index, line in enumerate(lines):
        if fence:
            fence = "" if line.strip() == fence else fence
        elif (match := FENCE.fullmatch(line)) and any(
            later.strip() == match[1] for later in lines[index + 1 :]
        ):
            fence = match[1]
        elif match := ATX.fullmatch(line):
            found.append((index, len(match[1]), match[2]))
        elif underlined(lines, index):
            found.append((index, 1 if lines[index + 1][0] == "=" else 2, line.strip()))
    result = []
    for position, (start, level, heading) in enumerate(found):
        after = (line for line, other, _text in found[position + 1 :] if other <= level)
        result.append(Section(position + 1, level, heading, start, next(after, len(lines))))
    return result


def underlined(lines: list[str], index: int) -> bool:
    """Whether the line is a heading by the row of ``=`` or ``-`` below it, after a blank line."""
    alone = index == 0 or not lines[index - 1].strip()
    below = lines[index + 1] if index + 1 < len(lines) else ""
    return bool(alone and lines[index].strip() and UNDERLINE.fullmatch(below))


def section_text(text: str, section: Section) -> str:
    return "\n".join(text.split("\n")[section.start : section.end])


def with_section(text: str, section: Section, new: str) -> str:
    """``text`` with ``new`` in place of ``section``; a blank line parts it from what follows."""
    lines = text.split("\n")
    after = lines[section.end :]
    middle = new.rstrip("\n").split("\n") if new.strip() else []
    parting = [""] if after and middle else []
    return "\n".join([*lines[: section.start], *middle, *parting, *after])
