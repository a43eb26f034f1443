"""The blank line that a list needs above it: Markdown takes ``- item`` right below a line of text for
a part of that line, which people who come from other wikis meet first."""

import re
from itertools import pairwise

from wiki.markup.fences import fenced

ITEM = re.compile(r" {0,3}(?:[-*+]|1\.)[ \t]+\S")  # a list that may begin below a text
ANY_ITEM = re.compile(r" {0,3}(?:[-*+]|\d{1,9}\.)[ \t]")
HEADING = re.compile(r"#{1,6}[ \t]*[^#\s]")
RULE = re.compile(r" {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,}|=+[ \t]*)")
DASHES = re.compile(r"[ \t|:-]*-[ \t|:-]*")
# What begins a block that is no running text: quote, tag, code, table, term's meaning, note.
OTHER = re.compile(r" {0,3}(?:>|<[/!a-zA-Z]|\[\^)|    |\t|\||Table:[ \t]")


def part_lists(text: str, base: str = "") -> tuple[str, int]:
    """``text`` with a blank line above each list that stands right below a line of text, and how many
    were put in. Two lines that follow each other in ``base`` already stay as they are."""
    lines = text.split("\n")
    before = set(pairwise(base.split("\n")))
    places = [place for place in gaps(lines) if (lines[place - 1], lines[place]) not in before]
    for place in reversed(places):
        lines.insert(place, "")
    return "\n".join(lines), len(places)


def gaps(lines: list[str]) -> list[int]:
    """The numbers of the lines that need a blank line above them."""
    in_code = {line for first, last in fenced(lines) for line in range(first, last + 1)}
    places: list[int] = []
    block: list[int] = []  # lines since the last blank one, heading or rule
    for number, line in enumerate([*lines, ""]):
        ends = not line.strip() or number in in_code or HEADING.match(line) or RULE.fullmatch(line)
        if not ends:
            block.append(number)
            continue
        if block:
            places += gap_in(lines, block)
        block = []
    return places


def gap_in(lines: list[str], block: list[int]) -> list[int]:
    """Where the list in a block of text begins, if the text above it is a paragraph."""
    if ANY_ITEM.match(lines[block[0]]) or is_other(lines, block):
        return []
    ticks = braces = 0
    for number in block:
        line = lines[number]
        if number != block[0] and ITEM.match(line):
            return [] if ticks % 2 or braces else [number]
        ticks += line.count("`")
        braces += line.count("{{") - line.count("}}")
    return []


def is_other(lines: list[str], block: list[int]) -> bool:
    """Whether a block is a table, a quote, code, HTML, a list of terms or a note."""
    return any(
        OTHER.match(lines[number])
        or re.match(r" {0,3}:[ \t]", lines[number])
        or ("|" in lines[number] and DASHES.fullmatch(lines[number]))
        for number in block
        if not ITEM.match(lines[number])
    )
