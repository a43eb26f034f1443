"""The last step of rendering: what HTML of a page may hold. Everything else is dropped.

Two holes of the cleaner are closed by hand: ids are free text for it, so only those that we make
pass; addresses without a scheme pass it, so images keep only paths to our own media.
"""

import re
from urllib.parse import unquote

import nh3
from django.conf import settings

from wiki.markup.balance import balance

HEADINGS = ("h2", "h3", "h4", "h5", "h6")
TAG_NAMES = """
    a abbr b blockquote br caption code dd del div dl dt em figcaption figure h2 h3 h4 h5 h6 hr i
    img ins kbd li ol p pre q s small span strong sub sup table tbody td tfoot th thead tr u ul
"""
TAGS = set(TAG_NAMES.split())
ATTRIBUTES = {
    "*": {"title", "lang", "dir"},
    "a": {"href", "data-page"},
    "span": {
        "data-file",
        "data-width",
        "data-caption",
        "data-linked",
        "data-symbol",
    },  # where a picture will stand
    "img": {"src", "alt", "width", "height", "loading"},
    "td": {"colspan", "rowspan", "align"},
    "th": {"colspan", "rowspan", "scope", "align"},
    "ol": {"start"},
    "li": {"id"},  # of a footnote
    "sup": {"id"},  # of the place that a footnote belongs to
    **{heading: {"id"} for heading in HEADINGS},
}
CLASSES = {
    "a": {"wiki-link", "footnote-ref", "footnote-backref"},
    "span": {
        "sr",
        "in-card",
        "in-die",
        "in-die-figures",
        "in-unknown",
        "in-symbol",
        "file-missing",
    },
    "div": {"footnote"},
    "table": {"wikitable"},
}
VALUES = {
    "span": {
        "aria-hidden": {"true"},
        "data-suit": {"H", "D", "S", "C"},
        "data-die": {"1", "2", "3", "4", "5", "6"},
    }
}
BLANK = re.compile(r"[\x00-\x20\x7f-\xa0]")
REL = "nofollow noopener ugc"
OWN_ID = re.compile(r"(s-[\w-]+|fn:\d+|fnref\d*:\d+)")
OWN_LINK = re.compile(rf'(<a (?:[^<>]* )?href="(?:#|/(?![/\\]))[^"<>]*"[^<>]*?) rel="{REL}"')


def keep_attribute(tag: str, attribute: str, value: str) -> str | None:
    """``value``, or None for an id or an address that is not allowed here."""
    if attribute == "id" and not OWN_ID.fullmatch(value):
        return None
    if attribute in ("href", "src"):
        address = BLANK.sub("", unquote(value))  # a browser reads it so
        if re.match(r"[/\\]{2}", address):
            return None
        if tag == "img" and (".." in address or not address.startswith(settings.MEDIA_URL)):
            return None
    return value


_cleaner = nh3.Cleaner(
    tags=TAGS,
    clean_content_tags={"script", "style"},
    attributes=ATTRIBUTES,
    attribute_filter=keep_attribute,
    strip_comments=True,
    link_rel=REL,
    allowed_classes=CLASSES,
    tag_attribute_values=VALUES,
    url_schemes={"http", "https", "mailto"},
)


def clean(html: str) -> str:
    """``html`` with only what a page may hold; links to other sites are marked as not ours."""
    return OWN_LINK.sub(r"\1", _cleaner.clean(balance(html, allowed=TAGS)))
