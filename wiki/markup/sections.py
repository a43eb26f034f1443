"""Sections of a Markdown source: from a heading to the next of the same or a higher level."""

import re
from collections import Counter
from dataclasses import dataclass

from wiki.errors import WikiError
from wiki.markup.fences import fenced

ATX = re.compile(r"(#{1,6})[ \t]*([^#\s].*?)[ \t]*#*[ \t]*")
UNDERLINE = re.compile(r"(=+|-+)[ \t]*")


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
    in_code = {line for first, last in fenced(lines) for line in range(first, last + 1)}
    found: list[tuple[int, int, str]] = []  # first line, level, heading
    for index, line in enumerate(lines):
        if index in in_code:
            continue
        if match := ATX.fullmatch(line):
            found.append((index, len(match[1]), match[2]))
        elif underlined(lines, index):
            found.append((index, 1 if lines[index + 1][0] == "=" else 2, line.strip()))
    result: list[Section] = []
    next_of_level: list[int] = [
        len(lines)
    ] * 7  # by level: where the next one at or above it starts
    for number in range(len(found), 0, -1):
        start, level, heading = found[number - 1]
        result.append(Section(number, level, heading, start, next_of_level[level]))
        next_of_level[level:] = [start] * (7 - level)
    return result[::-1]


def underlined(lines: list[str], index: int) -> bool:
    """Whether the line is a heading by the row of ``=`` or ``-`` below it, after a blank line."""
    alone = index == 0 or not lines[index - 1].strip()
    below = lines[index + 1] if index + 1 < len(lines) else ""
    return bool(alone and lines[index].strip() and UNDERLINE.fullmatch(below))


def told_apart(headings: list[str]) -> list[str]:
    """``headings`` as they are called where one chooses among them: those that read the same are counted."""
    count: Counter[str] = Counter()
    made = []
    for heading in headings:
        count[heading] += 1
        again = count[heading] > 1
        made.append(f"{heading} ({count[heading]})" if again else heading)
    return made


def section_text(text: str, section: Section) -> str:
    return "\n".join(text.split("\n")[section.start : section.end])


def with_section(text: str, section: Section, new: str) -> str:
    """``text`` with ``new`` in place of ``section``; a blank line parts it from what follows."""
    lines = text.split("\n")
    after = lines[section.end :]
    middle = new.rstrip("\n").split("\n") if new.strip() else []
    parting = [""] if after and middle else []
    return "\n".join([*lines[: section.start], *middle, *parting, *after])


def section_or_none(text: str, number: int) -> Section | None:
    """Section ``number`` of ``text``, counted from 1."""
    found = sections(text)
    return found[number - 1] if 0 < number <= len(found) else None


def find_section(text: str, number: int) -> Section:
    """Section ``number`` of ``text``. Raises WikiError ``no_section``."""
    section = section_or_none(text, number)
    if section is None:
        raise WikiError("no_section", "This page has no such section.", status=404)
    return section
