"""Which headings of a rendered page begin a section of its source that can be edited by itself.

A heading in a quote, a list, a definition or a footnote belongs to what stands around it: its text cannot
be cut out of the source by lines. And what looks like a heading in the source may be none, as in a
comment or between tags.
"""

import re
from collections import defaultdict
from collections.abc import Iterator

from wiki.markup import MARKED, Rendered, heading_words
from wiki.markup.sections import Section, sections

# What can stand around a heading, and headings. Sanitised HTML is balanced.
TAG = re.compile(
    r"<(?:(?P<end>/)?(?:blockquote|[uod]l|li|d[dt]|div|table|thead|tbody|tfoot|t[rhd]|caption|figure)\b"
    r'|h[2-6] id="(?P<place>[^"]*)")[^<>]*>'
)
Row = tuple[int, str, str]  # level, id, text of a heading, as in ``Rendered.toc``


def served_sections(text: str, made: Rendered) -> dict[str, int]:
    """By the id of its heading in ``made``, which was made of ``text``, the number of each section of the
    source that is all of what one reads under that heading."""
    known = sections(text)
    pairs = {section.number: row[1] for section, row in paired(known, list(outermost(made)))}
    starts = {section.start for section in known if section.number in pairs}
    last = len(text.split("\n"))
    # one that ends before what is no heading would leave behind a part of what one reads
    whole = {section.number for section in known if section.end == last or section.end in starts}
    return {place: number for number, place in pairs.items() if number in whole}


def outermost(made: Rendered) -> Iterator[Row]:
    """The headings of ``made`` that stand in nothing else."""
    rows = {place: (level, place, text) for level, place, text in made.toc}
    depth = 0
    for tag in TAG.finditer(made.html):
        if tag["place"] is None:
            depth += -1 if tag["end"] else 1
        elif not depth and tag["place"] in rows:
            yield rows[tag["place"]]


def paired(known: list[Section], rows: list[Row]) -> list[tuple[Section, Row]]:
    """Sections of the source and headings that are surely the same. As a rule all are; else those that
    read the same and are as many here as there."""
    if len(known) == len(rows) and all(map(alike, known, rows)):
        return list(zip(known, rows, strict=True))
    by_key: defaultdict[tuple[int, str], list[Section]] = defaultdict(list)
    for section in known:
        by_key[level_of(section), heading_words(section.heading)].append(section)
    same: defaultdict[tuple[int, str], list[Row]] = defaultdict(list)
    for row in rows:
        same[row[0], row[2]].append(row)
    return [
        pair
        for key, there in same.items()
        if len(there) == len(by_key[key])
        for pair in zip(by_key[key], there, strict=True)
    ]


def alike(section: Section, row: Row) -> bool:
    """Whether they may be the same; of headings with marks only the level is compared."""
    if level_of(section) != row[0]:
        return False
    return bool(MARKED.search(section.heading)) or " ".join(section.heading.split()) == row[2]


def level_of(section: Section) -> int:
    return max(section.level, 2)  # the first level is the page's title
