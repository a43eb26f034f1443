"""Plain text -> Markdown that reads as that text, whatever marks it holds. Pure.

Written for Python-Markdown: a backslash does not escape ``<``, an underscore inside a word is
text, ``1)`` makes no list, a colon at a line's start makes a definition.
"""

import html.entities
import re

ALWAYS = re.compile(r"[\\`*\[]")
EDGE_UNDERSCORES = re.compile(r"(?<![^\W_])_+|_+(?![^\W_])")
ENTITY = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|(?P<name>[A-Za-z][A-Za-z0-9]*));")
LINE_START = re.compile(
    r"(?P<backslash>[-+](?=\s|$)|-(?=[-\s]*$)|>|\#|\|(?=[-:|\s]+$))"
    r"|(?P<number>\d+)(?=\.(?:\s|$))"
    r"|(?P<entity>=(?==*\s*$)|~(?=~~)|:(?=\s|$|[-|:]))"
)


def escape(text: str) -> str:
    """``text`` inside a line. Known HTML entities stay entities, as wikitext has them."""
    text = ALWAYS.sub(r"\\\g<0>", text)
    text = EDGE_UNDERSCORES.sub(lambda match: r"\_" * len(match[0]), text)
    text = ENTITY.sub(_entity, text)
    return text.replace("<", "&lt;").replace("{{", "&#123;&#123;")


def escape_literal(text: str) -> str:
    """``text`` inside a line where not even entities, apostrophes or addresses are markup."""
    text = escape(text.replace("&", "\ufdd0")).replace("\ufdd0", "&amp;")
    return text.replace("://", "&#58;//").replace("]]", r"]\]").replace("}}", "&#125;&#125;")


def guard(line: str) -> str:
    """A line of Markdown text whose start would make a list, a heading, a rule or a quote."""
    match = LINE_START.match(line)
    if match is None:
        return line
    if match["number"]:
        return f"{match['number']}\\{line[match.end() :]}"
    if match["backslash"]:
        return f"\\{line}"
    return f"&#{ord(line[0])};{line[1:]}"


def _entity(match: re.Match[str]) -> str:
    if match["name"] is None or f"{match['name']};" in html.entities.html5:
        return match[0]
    return f"&amp;{match[0][1:]}"
