"""Wikitext -> Markdown, by a converter of our own. Pure: no Django, no network.

Nothing is dropped in silence: what has no counterpart stays visible as text or is named in a
warning. The Markdown is meant for ``wiki.markup`` (Python-Markdown with our extensions):

==============================  ================================================================
wikitext                        Markdown
==============================  ================================================================
``== x ==`` to level 6          ``## x``; level 1 becomes 2, for a page has its title already
``'''x'''``, ``''x''``          ``**x**``, ``*x*``, or ``<em>`` where neither mark can stand
``*``, ``#``, ``;``, ``:``      lists, definitions, a quote for text that is only indented
``{| |}``                       a table of ``wiki.markup.wikitable``, with caption and headers
``<pre>``, leading space        fenced block
``[[x|y]]``, ``[url y]``        ``[[x|y]]``, ``[y](url)``; ``[url]`` is numbered, as wikis do
``[[File:x|9px|alt=y|z]]``      ``![y](file:x?9 "z")``, by any language's name of the namespace
``{{name|args}}``               the shortcode ``{{name|args}}``; ``whiteDie`` is ``die``
``<ref>``                       footnote
``<br>``, space at a line end   hard break: the text form of a feed has lost the ``<br>`` tags
                                and kept the space before them
``#REDIRECT [[x]]``             the same, whatever the language of the word
``<gallery>``, ``<poem>``       its pictures one by one; its lines with hard breaks
``[[fr:x]]``                    left out and named, as is ``{{DEFAULTSORT:}}``: they show nothing
``<div>``, ``<center>``         left out; their text is a paragraph of its own
anything else                   escaped, so that it reads as it stood
==============================  ================================================================
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from wiki.interchange import tables
from wiki.interchange.escape import guard
from wiki.interchange.inline import convert_line
from wiki.interchange.set_aside import fence, set_aside
from wiki.interchange.shelf import BREAK, MARK, Shelf
from wiki.redirects import MARK as REDIRECT_MARK
from wiki.redirects import REDIRECT, redirect_of

CONVERTER_VERSION = 5

HEADING = re.compile(r"(?P<marks>={1,6})(?P<text>.+?)(?P=marks)[ \t]*")
RULE = re.compile(r"-{4,}(?P<rest>.*)")
ITEM = re.compile(r"(?P<marks>[*#:;]+)(?P<text>.*)")
LEVELS = 16  # of a list; what is deeper stays there
BLOCK_TAG = re.compile(
    r"</?(?P<name>div|center|p|section|article|aside|header|footer|figure|noinclude|onlyinclude)"
    r"(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
RULE_TAG = re.compile(r"<hr(?:\s[^<>]*)?/?>", re.IGNORECASE)
QUOTE = re.compile(
    r"<blockquote(?:\s[^<>]*)?>(?P<text>(?:(?!<blockquote).)*?)</blockquote>", re.DOTALL | re.I
)


@dataclass(frozen=True)
class Converted:
    """``warnings`` are sentences, each once: what could not be carried over as it was."""

    text: str
    warnings: list[str]


def convert(source: str, namespaces: Mapping[str, str] | None = None) -> Converted:
    """Markdown of a page's wikitext, with what was lost on the way. Never raises on any text.

    ``namespaces``: what the wiki calls those that have a meaning here, in lower case -> "File",
    "Category", "Talk"; the names in many languages are known anyway.
    """
    shelf = Shelf(namespaces=namespaces or {})
    if target := redirect_of(source):
        rest = convert(REDIRECT.sub("", source, count=1), namespaces)
        line = f"{REDIRECT_MARK} [[{shelf.in_our_words(target)}]]"
        return Converted(f"{line}\n\n{rest.text}" if rest.text else line, rest.warnings)
    text = set_aside(source, shelf)
    text = QUOTE.sub(lambda match: _quoted(match["text"], shelf), text)
    blocks = _blocks(text, shelf)
    notes = [f"[^{number}]: {note}" for number, note in enumerate(shelf.footnotes, start=1)]
    return Converted(shelf.markdown("\n\n".join([*blocks, *notes])), shelf.warnings())


def _quoted(text: str, shelf: Shelf) -> str:
    inner = shelf.markdown("\n\n".join(_blocks(text, shelf)))
    return f"\n{shelf.keep(_prefixed(inner, '> '), text, block=True)}\n"


def _prefixed(text: str, prefix: str) -> str:
    return "\n".join(prefix + line if line else prefix.rstrip() for line in text.split("\n"))


def _blocks(text: str, shelf: Shelf) -> list[str]:
    """The blocks of ``text`` as Markdown, marks unresolved inside lines."""
    text = BLOCK_TAG.sub(lambda match: _left_out(match["name"], shelf), text)
    text = RULE_TAG.sub("\n----\n", text)
    lines = _parted(text, shelf).split("\n")
    blocks: list[str] = []
    at = 0
    while at < len(lines):
        line = lines[at]
        alone = MARK.fullmatch(line.strip())
        if not line.strip():
            at += 1
        elif alone and shelf.pieces[int(alone[1])].block:
            blocks.append(line.strip())
            at += 1
        elif heading := HEADING.fullmatch(line):
            blocks.append(_heading(heading, shelf))
            at += 1
        elif rule := RULE.fullmatch(line):
            blocks.append("---")
            lines[at] = rule["rest"].strip()
        elif tables.START.match(line):
            table, at, rest = tables.take(lines, at, shelf)
            blocks += ["\n".join(table)] if table else []
            blocks += _blocks(rest, shelf) if rest.strip() else []
        elif ITEM.match(line):
            end = at
            items = []
            while end < len(lines) and (item := ITEM.match(lines[end])):
                items.append(_Item(item["marks"][:LEVELS], item["text"].strip()))
                end += 1
            blocks.append("\n".join(_list(items, shelf)))
            at = end
        elif line[0] == " ":
            end = at
            while end < len(lines) and lines[end][:1] == " " and lines[end].strip():
                end += 1
            blocks.append(_preformatted(lines[at:end], shelf))
            at = end
        else:
            end = at + 1
            while end < len(lines) and _goes_on(lines[end], shelf):
                end += 1
            blocks.append(_paragraph(lines[at:end], shelf))
            at = end
    return [block for block in blocks if block]


def _left_out(name: str, shelf: Shelf) -> str:
    shelf.warn(f"The tag <{name.lower()}> is left out and its text kept")
    return "\n\n"


def _parted(text: str, shelf: Shelf) -> str:
    """``text`` with each block of the shelf on a line of its own."""
    return MARK.sub(
        lambda match: f"\n{match[0]}\n" if shelf.pieces[int(match[1])].block else match[0], text
    )


def _goes_on(line: str, shelf: Shelf) -> bool:
    """Whether ``line`` belongs to the paragraph above it."""
    alone = MARK.fullmatch(line.strip())
    return bool(
        line.strip()
        and not (alone and shelf.pieces[int(alone[1])].block)
        and not HEADING.fullmatch(line)
        and not RULE.fullmatch(line)
        and not tables.START.match(line)
        and not ITEM.match(line)
    )


def _heading(match: re.Match[str], shelf: Shelf) -> str:
    """MediaWiki takes as many marks as stand on both sides; those beyond are text."""
    level = max(2, len(match["marks"]))
    text = convert_line(match["text"].strip(), shelf).replace(BREAK, " ").strip()
    if text.endswith("#"):
        text = f"{text[:-1]}\\#"
    return f"{'#' * level} {text}"


def _paragraph(lines: list[str], shelf: Shelf) -> str:
    """Lines of text. One that ends with a space is followed by a line break."""
    out = []
    for number, line in enumerate(lines, start=1):
        converted = convert_line(line.strip(), shelf)
        pieces = [guard(piece.strip()) for piece in shelf.markdown(converted).split(BREAK)]
        if line.endswith(" ") and number < len(lines):
            shelf.warn("A space at the end of a line is read as a line break")
            if pieces[-1]:
                pieces.append("")
        out.append("  \n".join(pieces).removesuffix("\n"))
    return "\n".join(line for line in out if line.strip()).rstrip()


def _preformatted(lines: list[str], shelf: Shelf) -> str:
    """Lines that begin with a space: shown as they stand."""
    shelf.warn("Lines that begin with a space are shown as they stand")
    return fence("\n".join(shelf.plain(line[1:]) for line in lines))


@dataclass(frozen=True)
class _Item:
    marks: str
    text: str


def _list(items: list[_Item], shelf: Shelf) -> list[str]:
    """Markdown lines of neighbouring list lines; each run of one kind of mark is a list."""
    out: list[str] = []
    at = 0
    while at < len(items):
        kind = items[at].marks[0]
        kinds = ";:" if kind == ";" else kind
        end = at
        while end < len(items) and items[end].marks[0] in kinds:
            end += 1
        group = items[at:end]
        at = end
        if out:
            out.append("")
        if kind == ":":
            out += _indented(group, shelf)
        elif kind == ";":
            out += _definitions(group, shelf)
        else:
            out += _entries(kind, group, shelf)
    return out


def _inner(items: list[_Item]) -> list[_Item]:
    """``items`` one level further in."""
    return [_Item(item.marks[1:], item.text) for item in items]


def _line(text: str, shelf: Shelf, indent: str) -> str:
    """The text of an item; a line break inside it goes on at ``indent``."""
    pieces = shelf.markdown(convert_line(text, shelf)).split(BREAK)
    return f"  \n{indent}".join(guard(piece.strip()) for piece in pieces).rstrip()


def _entries(kind: str, items: list[_Item], shelf: Shelf) -> list[str]:
    """A bulleted or numbered list. Deeper lines belong to the item above them."""
    out: list[str] = []
    number = at = 0
    while at < len(items):
        end = at + 1
        while end < len(items) and len(items[end].marks) > 1:
            end += 1
        first, deeper = items[at], items[at + 1 : end]
        if len(first.marks) > 1:  # no item above it: it is one itself
            first = _Item(kind, first.text)
        number += 1
        mark = f"{number}." if kind == "#" else "-"
        out.append(f"{mark} {_line(first.text, shelf, '    ')}".rstrip())
        if deeper:
            inner = _inner(deeper)
            if inner[0].marks[0] in ":;":
                out.append("")
            out += [f"    {line}" if line else "" for line in _list(inner, shelf)]
        at = end
    return out


def _indented(items: list[_Item], shelf: Shelf) -> list[str]:
    """Text that is only indented: a quote. However deep all of it is, one quote says so."""
    inner = _inner(items)
    while all(item.marks[:1] == ":" for item in inner):
        inner = _inner(inner)
    out: list[str] = []
    at = 0
    while at < len(inner):
        end = at
        while end < len(inner) and bool(inner[end].marks) == bool(inner[at].marks):
            end += 1
        if out:
            out.append("")
        if inner[at].marks:
            out += _list(inner[at:end], shelf)
        else:
            texts = [_line(item.text, shelf, "") for item in inner[at:end]]
            out += "  \n".join(text for text in texts if text).split("\n")
        at = end
    return [f"> {line}" if line else ">" for line in out]


def _definitions(items: list[_Item], shelf: Shelf) -> list[str]:
    """``;term`` and ``:what it means``, or both on one line."""
    out: list[str] = []
    for item in items:
        text = item.text
        if item.marks[0] == ";":
            term, colon, meaning = text.partition(" :")
            out += [""] if out else []
            out.append(_line(term, shelf, "") or "&nbsp;")
            if not colon:
                continue
            text = meaning.strip()
        out.append(f":   {_line(text, shelf, '    ')}")
    if not any(line.startswith(":   ") for line in out):
        return [f"**{line}**" if line else "" for line in out]
    return out
