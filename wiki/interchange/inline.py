"""One line of wikitext -> one line of Markdown. Pure.

Templates, links and literal text are on the shelf already (see ``set_aside``); here come outside
links, inline HTML tags, bold and italic, and the escaping of the rest.
"""

import re

from wiki.interchange import quotes
from wiki.interchange.escape import escape, escape_literal
from wiki.interchange.shelf import BREAK, MARK, Shelf

URL_BODY = r"(?:(?!'')[^\s<>\[\]\"\u00a0\ufdd0-\ufdd2])++"
EXTERNAL = re.compile(
    rf"\[(?P<address>(?:(?:https?|ftp)://|mailto:|//){URL_BODY})[ \t]*(?P<label>[^\]\n]{{0,2000}}+)\]",
    re.IGNORECASE,
)
BARE = re.compile(rf"(?<![\w/])https?://{URL_BODY}", re.IGNORECASE)
TAG = re.compile(r"<(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9]*)(?:\s[^<>]*)?/?>")
# Tags inside a line that stay, and as what; None: left out, their text stays.
TAGS: dict[str, str | None] = {
    "b": "strong",
    "strong": "strong",
    "i": "em",
    "em": "em",
    "u": "u",
    "s": "s",
    "strike": "s",
    "del": "del",
    "ins": "ins",
    "sub": "sub",
    "sup": "sup",
    "small": "small",
    "kbd": "kbd",
    "abbr": "abbr",
    "q": "q",
    "code": "code",
    "tt": "code",
    "samp": "code",
    "var": "em",
    "cite": "em",
    "dfn": "em",
    "big": None,
    "span": None,
    "font": None,
    "bdi": None,
    "wbr": None,
}
# Other tags of HTML that wikitext may hold: shown as they stand.
SHOWN_TAGS = frozenset(
    {"table", "tr", "td", "th", "caption", "ul", "ol", "li", "dl", "dt", "dd", "gallery", "math"}
    | {"h1", "h2", "h3", "h4", "h5", "h6", "ruby", "rt", "rp", "timeline", "score", "poem"}
)
WORD_END = re.compile(r"\w\Z")
WORD_START = re.compile(r"\w")


def convert_line(text: str, shelf: Shelf, *, links: bool = True) -> str:
    """Markdown of ``text``, without its marks resolved; ``BREAK`` stands for a line break.

    ``links=False`` inside the label of a link: addresses stay text.
    """
    text = MARK.sub(lambda match: _flat(match, shelf), text)
    if links:
        text = EXTERNAL.sub(lambda match: _external(match, shelf), text)
        text = BARE.sub(lambda match: _bare(match[0], shelf), text)
    text = _tags(text, shelf)
    converted = _node(quotes.parse(text), "", "", within="")
    return converted if links else converted.replace("://", "&#58;//")


def _flat(match: re.Match[str], shelf: Shelf) -> str:
    """A mark; of a block, which cannot stand inside a line, its text with line breaks."""
    piece = shelf.pieces[int(match[1])]
    if not piece.block:
        return match[0]
    lines = [escape_literal(line) for line in piece.plain.split("\n")]
    return shelf.keep(BREAK.join(lines), piece.plain)


def plain_line(text: str, shelf: Shelf) -> str:
    """How ``text`` reads without bold, italic and marks."""
    return shelf.plain(quotes.RUN.sub("", text)).strip()


def link_target(address: str) -> str:
    """``address`` as it may stand between the brackets of a Markdown link."""
    for mark, code in {"\\": "%5C", "`": "%60", "|": "%7C", "{": "%7B", "}": "%7D"}.items():
        address = address.replace(mark, code)
    return address


def _external(match: re.Match[str], shelf: Shelf) -> str:
    """[address label], or [address], which wikis number."""
    address = match["address"]
    if address.startswith("//"):
        address = f"https:{address}"
    label = match["label"].strip()
    if address.lower().startswith("ftp:"):
        shelf.warn("An ftp: address is shown as text")
        return match[0].replace("[", shelf.keep(r"\[", "["), 1)
    if label:
        markdown = shelf.markdown(convert_line(label, shelf, links=False)).replace("]", r"\]")
        markdown = markdown.replace(BREAK, " ").replace(r"\\]", r"\]")
        plain = plain_line(label, shelf)
    else:
        shelf.numbered_links += 1
        plain = f"[{shelf.numbered_links}]"
        markdown = rf"\[{shelf.numbered_links}\]"
    target = link_target(address)
    if set("()") & set(target):
        target = f"<{target}>"
    return shelf.keep(f"[{markdown}]({target})", plain)


def _bare(address: str, shelf: Shelf) -> str:
    """An address in the text; marks that end a sentence are not part of it."""
    end = ",;.:!?" if "(" in address else ",;.:!?)"
    kept = address.rstrip(end)
    if kept.endswith("//"):
        return address
    return shelf.keep(f"<{link_target(kept)}>", kept) + address[len(kept) :]


def _tags(text: str, shelf: Shelf) -> str:
    """Put the inline tags that stay on the shelf, leave out those that do not."""
    tags = [match for match in TAG.finditer(text) if match["name"].lower() in TAGS]
    kept: dict[int, str] = {}
    opened: list[tuple[str, int]] = []
    for match in tags:
        name = match["name"].lower()
        tag = TAGS[name]
        if tag is None:
            shelf.warn(f"The tag <{name}> is left out and its text kept")
        elif not match["end"]:
            opened.append((name, match.start()))
        elif opened and opened[-1][0] == name:
            kept[opened.pop()[1]] = f"<{tag}>"
            kept[match.start()] = f"</{tag}>"
    out: list[str] = []
    at = 0
    for match in tags:
        out.append(text[at : match.start()])
        at = match.end()
        if match.start() in kept:
            out.append(shelf.keep(kept[match.start()], ""))
        elif TAGS[match["name"].lower()] is not None:
            shelf.warn(f"A tag <{match['name'].lower()}> without its other half is left out")
    for match in TAG.finditer(text):
        if match["name"].lower() in SHOWN_TAGS:
            shelf.warn(f"The tag <{match['name'].lower()}> is shown as text")
    return "".join([*out, text[at:]])


def _node(node: quotes.Marked, before: str, after: str, *, within: str) -> str:
    """Markdown of a tree; ``before`` and ``after`` are the texts at its sides.

    White space at the inner edges of a mark goes outside it, where Markdown wants it.
    """
    out = ""
    for at, part in enumerate(node.parts):
        if isinstance(part, str):
            out += _text(part)
            continue
        following = _first_text(node.parts[at + 1 : at + 2]) or after
        out += _marked(part, (out or before)[-1:], following, within=within)
    return out


def _marked(part: quotes.Marked, before: str, after: str, *, within: str) -> str:
    inner = _node(part, "", "", within=within + part.mark)
    kept = inner.strip()
    if not kept:
        return inner
    left = inner[: len(inner) - len(inner.lstrip())]
    right = inner[len(inner.rstrip()) :]
    if part.mark == "b":
        start, end = ("**", "**")
        if kept.startswith("*") or kept.endswith("*"):
            start, end = "<strong>", "</strong>"
    elif within or "**" in kept or before.endswith("*") or after.startswith("*"):
        start, end = ("_", "_")
        side_left, side_right = left or before, right or after
        if WORD_END.search(side_left) or WORD_START.match(side_right) or "_" in (kept[0], kept[-1]):
            start, end = "<em>", "</em>"
    else:
        start, end = ("*", "*")
    return f"{left}{start}{kept}{end}{right}"


def _first_text(parts: "list[quotes.Marked | str]") -> str:
    """The text that follows, as far as it matters to a mark before it: its first character."""
    for part in parts:
        if isinstance(part, str):
            return _text(part[:1])
        return "*"  # another mark
    return ""


def _text(text: str) -> str:
    """A piece of text, escaped around the marks of the shelf."""
    out: list[str] = []
    at = 0
    for match in MARK.finditer(text):
        out += [escape(text[at : match.start()]), match[0]]
        at = match.end()
    return "".join([*out, escape(text[at:])])
