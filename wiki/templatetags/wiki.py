"""Times, size changes and summaries as wiki people read them."""

from collections.abc import Iterable
from datetime import datetime
from urllib.parse import urlencode

from django import template
from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from portal.templatetags.addresses import address
from wiki.history.diff import Piece
from wiki.languages import language
from wiki.listing import Wish
from wiki.models import LogEntry, Revision
from wiki.services.log import log_parts
from wiki.services.summary import pieces
from wiki.times import in_words

register = template.Library()

BIG = 500  # bytes from which a size change is bold
UNDATED = "date unknown"


@register.simple_tag
def lang_of(code: str) -> SafeString:
    """The attributes of an element whose words are in the language ``code``."""
    found = language(code)
    return format_html(' lang="{}"{}', found.tag, mark_safe(' dir="rtl"') if found.rtl else "")


@register.filter
def foreign(code: str) -> str:
    """The name of the language ``code`` in itself; nothing of the site's own."""
    return "" if code == settings.LANGUAGE_CODE else language(code).name


@register.filter
def code_marked(words: str) -> SafeString:
    """``words`` with what stands between back ticks as code."""
    parts = enumerate(words.split("`"))
    return format_html_join(
        "", "{}", ((format_html("<code>{}</code>", part) if n % 2 else part,) for n, part in parts)
    )


@register.simple_tag
def words_of(line: Iterable[Piece], mark: str) -> SafeString:
    """A line of one side of a difference; what only this side has stands in elements called ``mark``."""
    return mark_safe(
        "".join(
            f"<{mark}>{escape(piece.text)}</{mark}>" if piece.changed else escape(piece.text)
            for piece in line
        )
    )


@register.filter
def moment(time: datetime | None) -> str:
    """ "29 November 2026, 10:31", in UTC."""
    return in_words(time) if time else UNDATED


@register.filter
def day(time: datetime | None) -> str:
    """ "29 November 2026"."""
    return f"{time.day} {time:%B %Y}" if time else "Date unknown"


@register.filter
def month(time: datetime | None) -> str:
    """ "November 2026"."""
    return f"{time:%B %Y}" if time else "Date unknown"


@register.filter
def short_moment(time: datetime | None) -> str:
    """ "29 Nov, 10:31"."""
    return f"{time.day} {time:%b, %H:%M}" if time else "undated"


@register.filter
def which(revision: Revision) -> str:
    """ "revision 12, 29 Nov, 10:31": as no other revision of its page is called."""
    return f"revision {revision.number}, {short_moment(revision.timestamp)}"


@register.filter
def iso(time: datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"


@register.simple_tag
def delta(revision: Revision) -> SafeString:
    """The size change with its sign, bold from 500 bytes; a dash where it is not known."""
    change = revision.delta
    if change is None:
        return format_html('<span class="delta" title="size not known">{}</span>', "–")
    sign, kind = ("+", " plus") if change > 0 else ("−", " minus") if change < 0 else ("", "")
    big = " big" if abs(change) >= BIG else ""
    figures = f"{sign}{abs(change):,}"
    return format_html(
        '<span class="delta{}{}" title="{} bytes after this edit">{}</span>',
        kind,
        big,
        f"{revision.size:,}",
        figures,
    )


@register.simple_tag
def author(revision: Revision, kind: str = "") -> SafeString:
    """Who saved it, with the way to all that they saved; ``kind`` is a CSS class."""
    named = format_html(' class="{}"', kind) if kind else ""
    if revision.author_hidden and revision.covered:
        return format_html("<i{}>{}</i>", named, revision.author_name)
    place = address("wiki_contributions", revision.author_name)
    return format_html('<a{} href="{}">{}</a>', named, place, revision.author_name)


@register.simple_tag
def summary(revision: Revision) -> SafeString:
    """The summary; ``/* Section */`` becomes an arrow, which leads to the section if it is still there."""
    if revision.summary_hidden and revision.covered:
        return format_html("<i>{}</i>", "summary hidden")
    page = address("wiki_page", revision.page.slug)
    return format_html_join(
        "",
        "{}",
        (
            (
                format_html(
                    '<a class="sect" aria-label="{} in {}" href="{}#{}">{}</a>',
                    piece.text,
                    revision.page.title,
                    page,
                    piece.anchor,
                    piece.text,
                )
                if piece.anchor
                else piece.text,
            )
            for piece in pieces(revision)
        ),
    )


@register.simple_tag
def log_words(entry: LogEntry) -> SafeString:
    """What an entry of the log tells, after who did it: "renamed Hearts to Herzeln"."""
    there = entry.page if entry.page is not None and entry.page.deleted_at is None else None
    of_person = entry.kind in ("block", "unblock", "revert", "groups")
    if there is not None:
        named = format_html('<a href="{}">{}</a>', there.get_absolute_url(), entry.title)
    elif of_person and not entry.detail.get("address"):
        address = reverse("person", args=[entry.title])
        named = format_html('<a href="{}">{}</a>', address, entry.title)
    else:
        named = format_html("<b>{}</b>", entry.title)
    did, more = log_parts(entry)
    return format_html("{} {}{}", did, named, more)


@register.filter
def clock(time: datetime | None) -> str:
    """ "10:31", in UTC; empty where there is none."""
    return f"{time:%H:%M}" if time else ""


@register.filter
def date_of(time: datetime | None) -> str:
    """ "12 Jun 2019"."""
    return f"{time.day} {time:%b %Y}" if time else "undated"


@register.simple_tag
def older_query(wish: Wish, before: int | None = None) -> str:
    """The query of the list that ``wish`` asks for, from after a row on, or from its start."""
    return f"?{urlencode(wish.said | ({'before': before} if before else {}))}"


@register.filter
def bytes_of(size: int) -> str:
    """ "5,912 bytes"."""
    return f"{size:,} byte{'' if size == 1 else 's'}"


@register.filter
def in_a_row(names: list[str]) -> str:
    """ "Ada", "Ada and Bob", "Ada, Bob and 3 others"."""
    if len(names) > 3:
        return f"{', '.join(names[:2])} and {len(names) - 2} others"
    return " and ".join(
        [part for part in (", ".join(names[:-1]), names[-1] if names else "") if part]
    )


@register.simple_tag
def query_of(**said: object) -> str:
    """The query of an address that says ``said``; what is empty is left out."""
    return urlencode({name: value for name, value in said.items() if value})
