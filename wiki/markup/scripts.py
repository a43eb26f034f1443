"""A rendered page in another script of its language: its words change, and nothing else of it.

As MediaWiki does it: markup, entities, addresses, ``<code>`` and ``<pre>`` stay; alternative texts
and titles change unless they hold an address. What a shortcode drew stays too.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass

from wiki.markup.variants import to_cyrillic, to_latin

# A tag, an entity, an address of the web or of mail. The HTML is what the cleaner made of it.
TOKEN = re.compile(
    r'<(?P<end>/?)(?P<name>[a-z][a-z0-9]*)(?P<given>(?:[^<>"]|"[^"]*")*)>'
    r"|&#?\w+;|https?://[^\s<>]+|(?<![\w.+-])[\w.+-]{1,64}@[\w.-]+"
)
SPOKEN = re.compile(r' (title|alt|data-caption)="([^"]*)"')
# What a shortcode drew, and words of the site itself.
OURS = re.compile(r' class="(?:[^"]* )?(?:in-[a-z-]+|sr)[ "]')


@dataclass(frozen=True)
class Variant:
    """A script in which pages of some languages can be read; ``code`` is MediaWiki's."""

    code: str
    name: str  # in itself
    convert: Callable[[str], str]  # of plain text


VARIANTS = {
    "sr-ec": Variant("sr-ec", "Ћирилица", to_cyrillic),
    "sr-el": Variant("sr-el", "Latinica", to_latin),
}
OF_LANGUAGE = {code: tuple(VARIANTS) for code in ("sr", "sr-ec", "sr-el")}


def variant_of(language: str, code: str) -> Variant | None:
    """The variant ``code``, if pages in ``language`` can be read so."""
    return VARIANTS[code] if code in OF_LANGUAGE.get(language, ()) else None


def in_variant(made: str, variant: Variant) -> str:
    """The HTML ``made``, as the cleaner left it, in the script of ``variant``."""
    kept: list[str] = []  # what follows each piece of text
    texts: list[str] = []
    start, inside, depth = 0, "", 0  # ``inside``: the element that stays as it is
    passed = ""
    for token in TOKEN.finditer(made):
        text = made[start : token.start()]
        start = token.end()
        if inside:
            passed += text + token[0]
            if token["name"] == inside:
                depth += -1 if token["end"] else 1
            if depth == 0:
                inside = ""
                kept.append(passed)
            continue
        texts.append(text)
        if token["name"] and not token["end"] and stays(token["name"], token["given"]):
            inside, depth, passed = token["name"], 1, token[0]
        else:
            kept.append(_spoken(token[0], variant) if token["name"] else token[0])
    texts.append("" if inside else made[start:])
    kept.append(passed + made[start:] if inside else "")
    converted = variant.convert("\0".join(texts)).split("\0")  # numerals may stand beside a tag
    return "".join(f"{text}{after}" for text, after in zip(converted, kept, strict=True))


def stays(name: str, given: str) -> bool:
    return name in ("code", "pre") or OURS.search(given) is not None


def _spoken(tag: str, variant: Variant) -> str:
    """``tag`` with what it says to readers converted."""

    def say(match: re.Match[str]) -> str:
        value = html.unescape(match[2])
        if "://" in value or (match[1] == "title" and " data-file=" in tag):
            return match[0]
        return f' {match[1]}="{html.escape(variant.convert(value))}"'

    return SPOKEN.sub(say, tag)
