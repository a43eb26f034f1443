"""Summaries: those that write themselves where the author left none, and all as running text."""

import re
from dataclasses import dataclass

from wiki.history.diff import section_of
from wiki.markup import heading_words
from wiki.markup.anchors import anchor
from wiki.markup.plain import plain_words
from wiki.models import Page, Revision
from wiki.redirects import redirect_of
from wiki.services.render import rendered

QUOTED = 60  # characters of the text shown in an automatic summary
SECTION_MARK = re.compile(r"/\*\s*(.*?)\s*\*/\s*(.?)")
LONGEST_MARK = 250  # characters of a heading in a summary
REPLACED = 10  # an edit that leaves less than one part in this many replaced the page


def automatic(before: Revision | None, text: str) -> str:
    """The summary of an edit from ``before`` to ``text`` that came without one; may be empty."""
    words = plain_words(text, headings=False) or plain_words(text)
    start = words if len(words) <= QUOTED else words[: QUOTED - 1].rstrip() + "…"
    target = redirect_of(text)
    if target and (before is None or target != redirect_of(before.text)):
        return f"Redirected page to [[{target}]]"
    if before is None:
        return f"Created page with “{start}”"
    if not text:
        return "Blanked the page"
    if before.size and len(text.encode()) * REPLACED < before.size:
        return f"Replaced content with “{start}”"
    return section_mark(before.text, text)


def section_mark(old: str, new: str) -> str:
    """``/* Section */`` where all that changed stands in one section, else nothing."""
    a, b = old.splitlines(), new.splitlines()
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    last = len(b) - end - 1
    first_section = section_of(b, min(start, max(last, 0)))
    inside = all(section_of([line], 0) == "" for line in b[start + 1 : last + 1])
    return mark_of(first_section) if first_section and inside else ""


def mark_of(heading: str) -> str:
    """``/* Section */`` for a heading as it is written."""
    return f"/* {heading_words(heading)[:LONGEST_MARK]} */"


@dataclass(frozen=True)
class Piece:
    """Part of a summary. ``anchor``: of the section that it names, where the page has it now."""

    text: str
    anchor: str = ""


def pieces(revision: Revision) -> list[Piece]:
    """The summary of ``revision`` with an arrow for each ``/* Section */``."""
    there = headings_of(revision.page) if SECTION_MARK.search(revision.summary) else {}
    made: list[Piece] = []
    end = 0
    for mark in SECTION_MARK.finditer(revision.summary):
        made.append(Piece(revision.summary[end : mark.start()]))
        if mark[1]:
            place = anchor(mark[1])
            made.append(Piece(f"→ {mark[1]}", there.get(place, "")))
            made.append(Piece(": " if mark[2] else ""))
        end = mark.start(2)
    made.append(Piece(revision.summary[end:]))
    return [piece for piece in made if piece.text]


def headings_of(page: Page) -> dict[str, str]:
    """The ids of the headings that ``page`` has now, by those that their words alone would give:
    of headings that read the same, the first."""
    rows = page.current.rendered_toc if page.current else []
    return {anchor(text): place for _level, place, text, *_more in reversed(rows)}


def place_of(revision: Revision, heading: str, which: int = 0) -> str:
    """Where ``revision`` has the section that is written ``heading``, as the end of an address;
    ``which`` of those that read the same, at most the last; -1: the last."""
    wanted = anchor(heading_words(heading))
    found = [place for _level, place, text in rendered(revision).toc if anchor(text) == wanted]
    return f"#{found[min(which, len(found) - 1)]}" if found else ""


def plain_summary(summary: str) -> str:
    """An edit's summary as running text: the section mark ``/* Goal */`` becomes an arrow."""
    return SECTION_MARK.sub(lambda found: f"→ {found[1]}{found[2] and ': ' + found[2]}", summary)
