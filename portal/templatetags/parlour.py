"""Template tags every page uses: icons, the site's navigation, times and counts in words."""

from datetime import datetime

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

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
    href = reverse(url_name)
    path = getattr(context.get("request"), "path", "")
    inside = path == href or any(path.startswith(p) for p in prefixes if not p.startswith("!"))
    outside = any(path.startswith(p[1:]) for p in prefixes if p.startswith("!"))
    current = mark_safe(' aria-current="page"') if inside and not outside else ""
    return format_html('<a href="{}"{}>{}</a>', href, current, text)


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
