"""Template tags every page uses: icons, the site's navigation, times and counts in words."""

from datetime import datetime
from functools import lru_cache
from typing import Any
from urllib.parse import urlencode

from django import template
from django.forms import BoundField
from django.http import HttpRequest
from django.templatetags.static import static
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from games.engine import Msg
from portal.templatetags.addresses import address
from wiki.services.summary import plain_summary

register = template.Library()
register.filter(plain_summary)

NUMBERS = [
    "no",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]


@register.simple_tag
@lru_cache(maxsize=512)
def icon(name: str, kind: str = "") -> SafeString:
    """The symbol ``name`` of the sprite, decorative; ``kind`` "solid" fills it (seats, suits)."""
    solid = mark_safe(' class="solid"') if kind == "solid" else ""
    return format_html(
        '<svg{} aria-hidden="true"><use href="{}#{}"/></svg>',
        solid,
        static("portal/icons.svg"),
        name,
    )


@register.simple_tag(takes_context=True)
def nav_link(context: template.Context, url_name: str, text: str, *prefixes: str) -> SafeString:
    """A link of the site's navigation, current on its own page and below each of ``prefixes``.

    A prefix that starts with ``!`` is left out again: ``"/wiki/" "!/wiki/changes/"``.
    """
    href = address(url_name)
    path = getattr(context.get("request"), "path", "")
    inside = path == href or any(path.startswith(p) for p in prefixes if not p.startswith("!"))
    outside = any(path.startswith(p[1:]) for p in prefixes if p.startswith("!"))
    current = mark_safe(' aria-current="page"') if inside and not outside else ""
    return format_html('<a href="{}"{}>{}</a>', href, current, text)


@register.filter
def back_here(request: HttpRequest) -> str:
    """The end of a link to log in or sign up that leads back to this page; from home and from
    the pages about accounts one goes home, where it needs none."""
    if request.method != "GET" or request.path == "/" or request.path.startswith("/accounts/"):
        return ""
    return "?" + urlencode({"next": request.path})


@register.filter
def in_words(number: int) -> str:
    """A count as one writes it in a sentence: words up to twelve, figures from there."""
    return NUMBERS[number] if 0 <= number < len(NUMBERS) else str(number)


@register.filter
def ago(moment: datetime | None) -> str:
    """How long ago, in the coarsest unit that fits: "20 minutes ago", "yesterday", a date."""
    if moment is None:
        return "undated"
    seconds = (timezone.now() - moment).total_seconds()
    if seconds < 60:
        return "just now"
    for limit, size, unit in ((3600, 60, "minute"), (86400, 3600, "hour")):
        if seconds < limit:
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'} ago"
    days = int(seconds // 86400)
    if days == 1:
        return "yesterday"
    if days < 30:
        return f"{days} days ago"
    return f"{moment.day} {moment:%B %Y}"


@register.filter
def with_class(field: BoundField, name: str) -> SafeString:
    """The control of a form field, with a CSS class; its label stands above it, not inside."""
    return field.as_widget(attrs={"class": name, "placeholder": False})


@register.filter
def left(deadline: datetime) -> str:
    """The time until ``deadline`` in the coarsest unit that fits: "50 minutes left"."""
    seconds = (deadline - timezone.now()).total_seconds()
    if seconds <= 0:
        return "time is up"
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute"), (1, "second")):
        if seconds >= 2 * size or (unit == "second" and seconds >= size):
            count = int(seconds // size)
            return f"{count} {unit}{'' if count == 1 else 's'} left"
    return "less than a second left"


@register.filter
def signed(number: int) -> str:
    """A change of size with its sign: +1,904 or −38 (a real minus)."""
    sign = "+" if number > 0 else "−" if number < 0 else "±"
    return sign + number_format(abs(number), force_grouping=True)


@register.simple_tag
def said(msg: dict[str, Any], payload: dict[str, Any]) -> str:
    """A text of a table (``docs/protocol.md``) in words, as the person who has ``payload`` reads it."""
    words, lang = _words_of(msg, payload)
    return words if lang == "en" else format_html('<span lang="{}">{}</span>', lang, words)


@register.simple_tag
def said_after(msg: dict[str, Any], payload: dict[str, Any]) -> str:
    """The same as it goes on after "Your turn:"; other languages have their own capitals."""
    words, lang = _words_of(msg, payload)
    if lang == "en" and not words[:2].isupper():
        return words[:1].lower() + words[1:]
    return said(msg, payload)


def _words_of(msg: dict[str, Any], payload: dict[str, Any]) -> tuple[str, str]:
    names = [seat["name"] for seat in payload["seats"]]
    return Msg.from_data(msg).plain(names, payload["you"]), msg.get("lang", payload["language"])


@register.filter
def lang_of(text: str) -> str:
    """The attribute ``lang`` for what holds ``text`` alone, where that is not in the page's language."""
    lang = getattr(text, "lang", "")
    return format_html(' lang="{}"', lang) if lang else ""


@register.simple_tag
def seat_icon(index: int, kind: str) -> SafeString:
    """A chair in a list: the seat's shape where somebody sits, an empty ring where nobody does."""
    return icon("empty") if kind == "open" else icon(f"seat-{index % 8}", "solid")


@register.simple_tag
def complexity(level: int) -> SafeString:
    """Five pips of which ``level`` are filled, named for those who cannot see them."""
    pips = format_html_join(
        "", "{}", ((icon("seat-3", "solid" if n < level else ""),) for n in range(5))
    )
    return format_html('<span class="pips" role="img" aria-label="{} of 5">{}</span>', level, pips)
