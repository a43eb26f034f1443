"""Shortcodes: ``{{name|argument|...}}`` in a text becomes a small piece of HTML.

A shortcode is a function from its arguments to HTML, registered by name::

    @register("coin", arguments=["value"], says="A coin.", examples=["1", "5"])
    def coin(value): return format_html('<span class="in-box">{}</span>', value)

or a ``Symbols``: pictures, each with its alternative text, that a game brings as data. A name is matched
without regard to the case of its first letter, "_" is a space. What it returns is sanitised with the rest
of the page, so it may use what ``wiki.markup.sanitise`` allows. A name that nobody registered, or
arguments that a shortcode refuses, stay visible as a grey box.
"""

import hashlib
import html
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

Shortcode = Callable[..., SafeString]

RANKS = {"A": "Ace", "K": "King", "Q": "Queen", "J": "Jack", "T": "10"}
SUITS = {"H": "hearts", "D": "diamonds", "S": "spades", "C": "clubs"}
NUMBERS = ("zero", "one", "two", "three", "four", "five", "six")
UNSPOKEN = re.compile(r'<span aria-hidden="true">[^<]*</span>')
TAG = re.compile(r"<[^<>]*>")
# What stands in a kept rendering for a picture of a shortcode: its name there, and its words.
SYMBOL = re.compile(r'<span class="in-symbol" data-symbol="([^"<>]*)">([^<>]*)</span>')


class BadArguments(ValueError):
    """The shortcode exists, but not with these arguments."""


@dataclass(frozen=True)
class Symbol:
    """A picture of a shortcode. ``path`` is that of a static file, ``text`` what is read instead of it,
    ``digest`` differs when the drawing does."""

    path: str
    text: str
    digest: str = ""


@dataclass(frozen=True)
class Known:
    """A shortcode that is registered.

    ``arguments`` are what it is given, in order; ``examples`` what one may write for them, each joined by
    ``|``, the first being the best; ``game`` the slug of the game that brings it.
    """

    name: str
    function: Shortcode
    arguments: tuple[str, ...] = ()
    says: str = ""
    examples: tuple[str, ...] = ("",)
    game: str = ""
    symbols: Mapping[str, Symbol] = field(default_factory=dict)

    @property
    def written(self) -> list[str]:
        """The examples as one writes them in a text."""
        return [f"{{{{{self.name}{'|' if said else ''}{said}}}}}" for said in self.examples]

    @property
    def mark(self) -> str:
        """Differs when the shortcode would show something else."""
        looks = sorted((said, one.text, one.digest) for said, one in self.symbols.items())
        return repr((shortcode_key(self.name), self.arguments, looks))


_registry: dict[str, Known] = {}


def shortcode_key(name: str) -> str:
    name = " ".join(name.replace("_", " ").split())
    return name[:1].lower() + name[1:]


def register(
    name: str,
    *,
    arguments: Iterable[str] = (),
    says: str = "",
    examples: Iterable[str] = ("",),
) -> Callable[[Shortcode], Shortcode]:
    """Make the decorated function the shortcode ``name``. Raises ValueError where it is taken."""

    def add(function: Shortcode) -> Shortcode:
        _add(Known(name, function, tuple(arguments), says, tuple(examples)))
        return function

    return add


def register_symbols(
    name: str,
    symbols: Mapping[str, Symbol],
    *,
    arguments: Iterable[str] = (),
    says: str = "",
    game: str = "",
) -> None:
    """Make ``name`` a shortcode that shows one of ``symbols``: the one called like its arguments, joined
    by ``|``. Raises ValueError where the name is taken."""
    key = shortcode_key(name)

    def symbol(*given: str) -> SafeString:
        found = symbols.get("|".join(given))
        if found is None:
            raise BadArguments(given)
        place = "|".join([key, *given])
        return format_html('<span class="in-symbol" data-symbol="{}">{}</span>', place, found.text)

    _add(Known(name, symbol, tuple(arguments), says, tuple(symbols), game, dict(symbols)))


def _add(known: Known) -> None:
    key = shortcode_key(known.name)
    if key in _registry:
        raise ValueError(f"The shortcode {known.name!r} is registered already.")
    _registry[key] = known


def taken(name: str) -> bool:
    """Whether a shortcode is called so."""
    return shortcode_key(name) in _registry


def known() -> list[Known]:
    """All that are registered: the site's own first, then those of the games, by name."""
    return sorted(_registry.values(), key=lambda one: (one.game, one.name.casefold()))


def fingerprint() -> str:
    """Changes when a shortcode comes or goes, or when its arguments, words or drawings change."""
    marks = "|".join(sorted(one.mark for one in _registry.values()))
    return hashlib.sha256(marks.encode()).hexdigest()[:8]


def show_symbols(rendered: str) -> str:
    """``rendered`` (sanitised HTML) with the pictures of shortcodes in place of their words, which they
    keep as alternative texts. Addresses of static files may change, so that no kept rendering holds them.
    """

    def picture(match: re.Match[str]) -> str:
        key, _bar, said = html.unescape(match[1]).partition("|")
        one = _registry.get(key)
        symbol = one.symbols.get(said) if one else None
        if symbol is None:
            return match[0]
        return format_html(
            '<img class="symbol" src="{}" alt="{}" title="{}">',
            static(symbol.path),
            symbol.text,
            symbol.text,
        )

    return SYMBOL.sub(picture, rendered) if "in-symbol" in rendered else rendered


def expand(name: str, arguments: list[str]) -> SafeString | None:
    """The HTML of a shortcode, or None where there is none of this name and these arguments."""
    found = _registry.get(shortcode_key(name))
    if found is None:
        return None
    try:
        return found.function(*arguments)
    except (BadArguments, TypeError):  # TypeError: too many or too few arguments
        return None


def unknown(source: str) -> SafeString:
    """The grey box that stands for what cannot be expanded; ``source`` is what was written."""
    return format_html('<span class="in-unknown">{}</span>', source)


def spoken(made: str) -> str:
    """How the HTML of a shortcode reads: its words, without what only eyes should find."""
    return html.unescape(TAG.sub("", UNSPOKEN.sub("", made)))


@register(
    "card",
    arguments=["rank and suit"],
    says="A card: rank, then H, D, S or C; or a joker.",
    examples=["QS", "10H", "AD", "2C", "joker"],
)
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


@register(
    "die",
    arguments=["value"],
    says="A die: pips for 1 to 6, figures for other numbers up to 999.",
    examples=["5", "1", "2", "3", "4", "6", "20"],
)
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
