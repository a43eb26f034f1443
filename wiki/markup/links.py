"""Wiki links of a kept rendering, led to their pages when it is shown. One query for ``AT_ONCE``."""

import html
import re

from django.urls import reverse

from wiki.markup.inline import page_address
from wiki.models import PageName
from wiki.titles import title_key

AT_ONCE = 900  # titles that one query asks for: databases limit its parameters
LINK = re.compile(r'<a (?:[^<>]*? )?data-page="[^"<>]*"[^<>]*>')
ATTRIBUTE = re.compile(r' ([a-z-]+)="([^"]*)"')


def resolve(rendered: str) -> str:
    """``rendered`` (sanitised HTML) with its wiki links led to canonical addresses.

    A link to a page that does not exist gets the class ``missing`` and says so in its title.
    """
    tags = {tag: dict(ATTRIBUTE.findall(tag)) for tag in set(LINK.findall(rendered))}
    if not tags:
        return rendered
    keys = {tag: title_key(html.unescape(given["data-page"])) for tag, given in tags.items()}
    found: dict[str, str] = {}
    titles = sorted(set(keys.values()))
    for start in range(0, len(titles), AT_ONCE):
        names = PageName.objects.filter(key__in=titles[start : start + AT_ONCE])
        found.update(names.values_list("key", "page__slug"))
    return LINK.sub(lambda match: _tag(tags[match[0]], found.get(keys[match[0]])), rendered)


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
