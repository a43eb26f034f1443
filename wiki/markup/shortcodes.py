"""Shortcodes: ``{{name|argument|...}}`` in a text becomes a small piece of HTML.

A shortcode is a function from its arguments to HTML, registered by name::

    @register("coin")
    def coin(value): return format_html('<span class="in-box">{}</span>', value)

A name is matched without regard to the case of its first letter, "_" is a space. What it returns is
sanitised with the rest of the page, so it may use what ``wiki.markup.sanitise`` allows. A name that
nobody registered, or arguments that a shortcode refuses, stay visible as a grey box.
"""

import hashlib
import html
import re
from collections.abc import Callable

from django.utils.html import format_html
from django.utils.safestring import SafeString

Shortcode = Callable[..., SafeString]
_registry: dict[str, Shortcode] = {}

RANKS = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "10"}
SUITS = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
UNSPOKEN = re.compile(r'<span aria-hidden="true">[^<]*</span>')
TAG = re.compile(r"<[^<>]*>")


class BadArguments(ValueError):
    """The shortcode exists, but not with these arguments."""


def shortcode_key(name: str) -> str:
    name = " ".join(name.replace("_", " ").split())
    return name[:1].lower() + name[1:]


def register(name: str) -> Callable[[Shortcode], Shortcode]:
    """Make the decorated function the shortcode ``name``. Raises ValueError where it is taken."""

    def add(function: Shortcode) -> Shortcode:
        key = shortcode_key(name)
        if key in _registry:
            raise ValueError(f"The shortcode {name!r} is registered already.")
        _registry[key] = function
        return function

    return add


def fingerprint() -> str:
    """Changes when a shortcode comes or goes."""
    return hashlib.sha256("|".join(sorted(_registry)).encode()).hexdigest()[:8]


def expand(name: str, arguments: list[str]) -> SafeString | None:
    """The HTML of a shortcode, or None where there is none of this name and these arguments."""
    function = _registry.get(shortcode_key(name))
    if function is None:
        return None
    try:
        return function(*arguments)
    except (BadArguments, TypeError):  # TypeError: too many or too few arguments
        return None


def unknown(source: str) -> SafeString:
    """The grey box that stands for what cannot be expanded; ``source`` is what was written."""
    return format_html('<span class="in-unknown">{}</span>', source)


def spoken(made: str) -> str:
    """How the HTML of a shortcode reads: its words, without what only eyes should find."""
    return html.unescape(TAG.sub("", UNSPOKEN.sub("", made)))


@register("card")
def card(name: str) -> SafeString:
    """``{{card|QS}}``: rank then suit, ``10H``; a joker is ``{{card|joker}}``."""
    if name.strip().lower() in ("joker", "x"):
        return format_html('<span class="in-card">{}</span>', "Joker")
    match = re.fullmatch(r"(10|[2-9AKQJT])([HDSC])(?:\.\d+)?", name.strip().upper())
    if not match:
        raise BadArguments(name)
    rank, suit = match.groups()
    return format_html(
        '<span class="in-card" data-suit="{}"><span class="sr">{} of {}</span>'
        '<span aria-hidden="true">{}</span></span>',
        suit,
        RANKS.get(rank, rank),
        SUITS[suit],
        "10" if rank == "T" else rank,
    )


@register("die")
def die(value: str) -> SafeString:
    """``{{die|5}}``: pips for 1 to 6, any other whole number up to 999 as figures."""
    if not re.fullmatch(r"\s*[0-9]{1,3}\s*", value):
        raise BadArguments(value)
    number = int(value)
    if 1 <= number <= 6:
        return format_html(
            '<span class="in-die" data-die="{}"><span class="sr">Die: {}</span></span>',
            number,
            NUMBERS[number],
        )
    return format_html(
        '<span class="in-die in-die-figures"><span class="sr">Die: </span>{}</span>', number
    )
