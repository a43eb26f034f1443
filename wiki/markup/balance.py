"""Makes the tags of some HTML close what they open, in order, before it is cleaned.

A parser of HTML repairs what is not nested well: it opens ``<b title="...">`` again in each block
that follows, and takes time that grows with the square of the text. Here an element ends at the
latest with the block that holds it, and nothing nests deeper than ``DEPTH``. HTML that is nested
well stays as it is, letter by letter.
"""

import re
from collections.abc import Iterator

DEPTH = 100  # elements inside each other
LONGEST = 20_000  # characters of a tag

NAME = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)(?=[\s/>])")
REST = re.compile(r"(?:[^<>\"']++|\"[^\"]*+\"|'[^']*+')*+>")
ENDS = {name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in ("script", "style")}

EMPTY = frozenset(("br", "hr", "img"))
CELLS = frozenset(("td", "th", "caption"))
ROW_GROUPS = frozenset(("thead", "tbody", "tfoot"))
TABLE_PARTS = CELLS | ROW_GROUPS | {"tr"}
LISTS = frozenset(("ul", "ol", "dl"))
HEADINGS = frozenset(("h2", "h3", "h4", "h5", "h6"))
BLOCKS = (
    frozenset(("blockquote", "dd", "div", "dt", "figcaption", "figure", "hr", "li", "p", "pre"))
    | LISTS
    | HEADINGS
    | {"table"}
)
WALLS = CELLS | {"table"}  # what a tag inside it does not close
ABOVE = {  # where a part of a table belongs
    "caption": frozenset(("table",)),
    **dict.fromkeys(ROW_GROUPS, frozenset(("table",))),
    "tr": ROW_GROUPS | {"table"},
    "td": ROW_GROUPS | {"table", "tr"},
    "th": ROW_GROUPS | {"table", "tr"},
}
SIBLINGS = {  # what a tag ends where it has no end, and where one stops to look for that
    "li": (frozenset(("li",)), WALLS | {"ul", "ol"}),
    "dt": (frozenset(("dt", "dd")), WALLS | {"dl"}),
    "dd": (frozenset(("dt", "dd")), WALLS | {"dl"}),
    "a": (frozenset(("a",)), WALLS),
    **dict.fromkeys(HEADINGS, (HEADINGS, WALLS)),
}
NOTHING: frozenset[str] = frozenset()


def balance(html: str, *, allowed: set[str]) -> str:
    """``html`` nested well, with the tags of ``allowed`` only; other tags go, their text stays.

    Scripts and styles go with what they hold. A ``<`` that begins no tag becomes ``&lt;``.
    """
    return "".join(_pieces(html, allowed))


def _pieces(html: str, allowed: set[str]) -> Iterator[str]:
    open_names: list[str] = []
    at = 0
    while (start := html.find("<", at)) >= 0:
        yield html[at:start]
        name = NAME.match(html, start)
        rest = name and REST.match(html, name.end(), start + LONGEST)
        if not name or not rest:
            at, shown = _no_tag(html, start)
            yield shown
            continue
        at = rest.end()
        tag = name[2].lower()
        if tag not in allowed:
            if tag in ENDS and not name[1] and (end := ENDS[tag].search(html, at)):
                at = end.end()
        elif name[1]:
            yield from _close(open_names, _depth_of_end(open_names, tag))
        else:
            yield from _close(open_names, _depth_of_start(open_names, tag))
            if tag in EMPTY:
                yield html[start:at]
            elif len(open_names) < DEPTH and _belongs(open_names, tag):
                open_names.append(tag)
                yield html[start:at]
    yield html[at:]
    yield from _close(open_names, 0)


def _no_tag(html: str, start: int) -> tuple[int, str]:
    """Where to go on behind a "<" that begins no tag, and what to show for it."""
    if html.startswith("<!--", start) and (end := html.find("-->", start + 4)) >= 0:
        return end + 3, ""
    return start + 1, "&lt;"


def _close(open_names: list[str], depth: int) -> Iterator[str]:
    while len(open_names) > depth:
        yield f"</{open_names.pop()}>"


def _nearest(open_names: list[str], names: frozenset[str], walls: frozenset[str]) -> int | None:
    """The depth of the innermost of ``names`` with none of ``walls`` inside it."""
    for depth in range(len(open_names) - 1, -1, -1):
        if open_names[depth] in names:
            return depth
        if open_names[depth] in walls:
            return None
    return None


def _depth_of_end(open_names: list[str], tag: str) -> int:
    """How many elements stay open at an end tag; all of them where it ends nothing."""
    if tag in TABLE_PARTS:
        walls = frozenset(("table",))
    elif tag == "table":
        walls = NOTHING
    elif tag in BLOCKS:
        walls = WALLS
    else:
        walls = WALLS | BLOCKS
    found = _nearest(open_names, frozenset((tag,)), walls)
    return len(open_names) if found is None else found


def _depth_of_start(open_names: list[str], tag: str) -> int:
    """How many elements stay open when ``tag`` begins."""
    if tag in ABOVE:
        found = _nearest(open_names, ABOVE[tag], NOTHING)
        return len(open_names) if found is None else found + 1
    ended = []
    if tag in BLOCKS:
        ended.append(_nearest(open_names, frozenset(("p",)), WALLS))
    if tag in SIBLINGS:
        ended.append(_nearest(open_names, *SIBLINGS[tag]))
    return min((depth for depth in ended if depth is not None), default=len(open_names))


def _belongs(open_names: list[str], tag: str) -> bool:
    return tag not in ABOVE or bool(open_names and open_names[-1] in ABOVE[tag])
