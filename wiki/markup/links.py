"""Wiki links and pictures of a kept rendering, led to their pages when it is shown.

One query for the names that the page has kept (``PageLink``: what each meant when it was saved), one for
``AT_ONCE`` further names of an older text or one not saved yet, and one for the pictures.
"""

import html
import re
from itertools import islice
from urllib.parse import urlencode

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe

from wiki.files.reading import current_versions, shown
from wiki.markup.inline import page_address
from wiki.markup.shortcodes import show_symbols
from wiki.models import FileVersion, Page, PageLink, PageName
from wiki.titles import title_key

AT_ONCE = 900  # names that one query asks for: databases limit its parameters
PICTURES = 500  # that a page shows; what is named after them stays a box
FIGURE_WIDTH = 480  # pixels, of a picture that stands by itself, where the text says none
INLINE_WIDTH = 240
MARKS = ("[[", "](")  # a text without them names nothing
LINK = re.compile(r'<a (?:[^<>]*? )?data-page="[^"<>]*"[^<>]*>')
ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')
# The box of a file, and the paragraph that holds nothing else.
BOX = re.compile(
    r'(?P<alone><p>)?<span(?P<given>(?: [a-z-]+="[^"]*")*? data-file="[^"]*"(?: [a-z-]+="[^"]*")*)>'
    r'<span class="sr">[^<>]*</span>(?P<alternative>[^<>]*)</span>(?(alone)</p>)'
)
Places = dict[str, tuple[int, str]]  # key of a name: row id and slug of its page


def resolve(rendered: str, page: Page | None = None) -> str:
    """``rendered`` (sanitised HTML) with its wiki links and pictures led to canonical addresses.

    A name means the page that it meant when ``page``, where the text stands, was saved with it first;
    others mean the page that is called so now.

    A link to a page that does not exist gets the class ``missing`` and says so in its title. A file
    becomes its picture, in a figure where it is a paragraph of its own, or a link to upload it.
    """
    rendered = show_symbols(rendered)
    links = set(LINK.findall(rendered)) if " data-page=" in rendered else set()
    tags = {tag: dict(ATTRIBUTE.findall(tag)) for tag in links}
    named = islice(BOX.finditer(rendered), PICTURES) if " data-file=" in rendered else ()
    boxes = {box["given"]: attributes(box["given"]) for box in named}
    if not tags and not boxes:
        return rendered
    keys = {tag: title_key(html.unescape(given["data-page"])) for tag, given in tags.items()}
    files = {box: title_key(f"File:{given['data-file']}") for box, given in boxes.items()}
    places = places_of(page, {*keys.values(), *files.values()})
    pictures = current_versions({places[key][0] for key in files.values() if key in places})

    def link(match: re.Match[str]) -> str:
        _pk, slug = places.get(keys[match[0]], (0, None))
        return _tag(tags[match[0]], slug)

    seen = 0

    def picture(match: re.Match[str]) -> str:
        nonlocal seen
        seen += 1
        if seen > PICTURES:
            return match[0]
        pk, slug = places.get(files[match["given"]], (0, ""))
        given = boxes[match["given"]]
        alternative = html.unescape(match["alternative"])
        if version := pictures.get(pk):
            return _picture(given, alternative, version, slug, alone=bool(match["alone"]))
        deleted = slug if pk in pictures else ""
        box = _missing(given, alternative, match, deleted)
        return format_html("<p>{}</p>", box) if match["alone"] else box

    return BOX.sub(picture, LINK.sub(link, rendered))


def attributes(tag: str) -> dict[str, str]:
    return {name: html.unescape(value) for name, value in ATTRIBUTE.findall(tag)}


def places_of(page: Page | None, keys: set[str]) -> Places:
    """Where the names ``keys`` lead in the text of ``page``."""
    kept: Places = {}
    known: set[str] = set()
    for row in kept_links(page) if page is not None and page.pk else ():
        known.add(row.key)
        if row.target is not None and row.target.deleted_at is None:
            kept[row.key] = (row.target.pk, row.target.slug)
        elif row.named is not None:
            kept[row.key] = (row.named, row.named_slug)
    return pages_called(keys - known) | kept


def kept_links(page: Page) -> list[PageLink]:
    """What the current text of ``page`` names, with the pages, and the row id (``named``) and slug of
    the page that is called so now; asked once for a page object."""
    current = page.current
    if current is None or not any(mark in current.text for mark in MARKS):
        return []
    if not hasattr(page, "known_links"):
        called = PageName.objects.filter(key=OuterRef("key"), page__deleted_at=None)
        rows = page.links.select_related("target").annotate(
            named=Subquery(called.values("page")[:1]),
            named_slug=Subquery(called.values("page__slug")[:1]),
        )
        page.known_links = list(rows.order_by("pk"))
    return page.known_links


def pages_called(keys: set[str]) -> Places:
    """Where the names ``keys`` lead."""
    found: Places = {}
    titles = sorted(keys)
    for start in range(0, len(titles), AT_ONCE):
        names = PageName.objects.filter(
            key__in=titles[start : start + AT_ONCE], page__deleted_at=None
        )
        for key, page, slug in names.values_list("key", "page_id", "page__slug"):
            found[key] = (page, slug)
    return found


def _tag(given: dict[str, str], slug: str | None) -> str:
    """The opening tag; where it leads depends on the title alone, whatever the text forged."""
    title = html.unescape(given["data-page"])
    _address, mark, section = html.unescape(given.get("href", "")).partition("#")
    place = html.escape(mark + section)
    if slug is None:
        address = html.escape(page_address(title))
        said = html.escape(f"{title}: no such page yet")
        return f'<a class="wiki-link missing" href="{address}{place}" title="{said}">'
    return f'<a class="wiki-link" href="{reverse("wiki_page", args=[slug])}{place}">'


def _picture(
    given: dict[str, str], alternative: str, version: FileVersion, slug: str, *, alone: bool
) -> SafeString:
    """The picture; ``alone``: a figure with its caption, else part of a line."""
    asked = given.get("data-width", "")
    wanted = int(asked) if re.fullmatch(r"[0-9]{1,4}", asked) else 0
    size = shown(version, wanted or (FIGURE_WIDTH if alone else INLINE_WIDTH))
    caption = given.get("data-caption", "")
    image = format_html(
        '<img src="{}"{} width="{}" height="{}" alt="{}"{} loading="lazy">',
        size.address,
        format_html(' srcset="{} 2x"', size.sharp) if size.sharp else "",
        size.width,
        size.height,
        alternative or caption or given["data-file"],
        format_html(' title="{}"', caption) if caption and not alone else "",
    )
    if "data-linked" not in given:
        image = format_html('<a href="{}">{}</a>', reverse("wiki_file", args=[slug]), image)
    if not alone:
        return format_html('<span class="picture">{}</span>', image)
    words = format_html("<figcaption>{}</figcaption>", caption) if caption else ""
    return format_html('<figure class="picture">{}{}</figure>', image, words)


def _missing(
    given: dict[str, str], alternative: str, match: re.Match[str], deleted: str
) -> SafeString:
    """The box that says which picture is missing, with a link to upload it; where it was deleted,
    to its file page, whose slug ``deleted`` is."""
    name = given["data-file"]
    if "data-linked" in given:
        return mark_safe(match[0].removeprefix("<p>").removesuffix("</p>"))
    upload = f"{reverse('wiki_upload')}?{urlencode({'name': name})}"
    return format_html(
        '<a class="file-missing" href="{}" title="{}: {}">'
        '<span class="sr">Image not available: </span>{}</a>',
        reverse("wiki_file", args=[deleted]) if deleted else upload,
        name,
        "deleted" if deleted else "not here yet. Upload it",
        alternative or name,
    )
