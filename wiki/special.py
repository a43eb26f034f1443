"""``Special:RecentChanges`` and the like: pages of MediaWiki that no text stands on, and where we have the
same. Their titles lead on; no page can be called so."""

import re
from collections.abc import Callable
from urllib.parse import urlencode

from django.urls import reverse
from django.urls.converters import StringConverter

from wiki.errors import WikiError
from wiki.titles import check_title, fold_spaces, make_slug

# How other wikis call that namespace, in lower case.
PREFIXES = "|".join(
    (
        "special",
        "spécial",
        "spezial",
        "especial",
        "speciale",
        "speciaal",
        "specjalna",
        "posebno",
        "посебно",
        "служебная",
        "спецыяльныя",
        "特別",
        "特殊",
    )
)
TITLE = re.compile(rf"(?i:{PREFIXES})\s*:\s*(?P<name>[^/]*)(?:/(?P<rest>.*))?", re.S)


class SpecialTitle(StringConverter):
    """A part of an address: such a title, with what stands behind its slash."""

    regex = rf"(?i:{PREFIXES})\s*:.*?"


Lead = Callable[[str], str]  # from what stands behind the slash to an address


def split_special(title: str) -> tuple[str, str] | None:
    """``("RecentChanges", "")`` or ``("Contributions", "Ada")``; None for other titles.

    >>> split_special("special:contributions/Ada"), split_special("Specials")
    (('contributions', 'Ada'), None)
    """
    match = TITLE.fullmatch(fold_spaces(title))
    return (match["name"].strip(), (match["rest"] or "").strip(" /")) if match else None


def plain(name: str) -> Lead:
    return lambda rest: reverse(name)


def asking(name: str, part: str) -> Lead:
    """What stands behind the slash is ``part`` of the query."""
    return lambda rest: reverse(name) + (f"?{urlencode({part: rest})}" if rest else "")


def of_page(name: str) -> Lead:
    """What stands behind the slash is the title of a page."""

    def lead(rest: str) -> str:
        title = check_title(rest)
        return f"{reverse(name, args=[make_slug(title)])}?{urlencode({'title': title})}"

    return lead


def of_person(rest: str) -> str:
    return reverse("wiki_contributions", args=[rest])


# By the name without spaces and capitals.
LEADS: dict[str, Lead] = {
    "allpages": plain("wiki_index"),
    "categories": plain("wiki_categories"),
    "contributions": of_person,
    "imagelist": plain("wiki_files"),
    "listfiles": plain("wiki_files"),
    "log": asking("wiki_log", "kind"),
    "movepage": of_page("wiki_rename"),
    "newimages": plain("wiki_files"),
    "random": plain("wiki_random"),
    "randompage": plain("wiki_random"),
    "recentchanges": plain("wiki_changes"),
    "search": asking("wiki_search", "q"),
    "specialpages": plain("wiki_reports"),
    "statistics": plain("wiki_statistics"),
    "upload": asking("wiki_upload", "name"),
    "wantedpages": plain("wiki_wanted"),
    "watchlist": plain("wiki_watchlist"),
    "whatlinkshere": of_page("wiki_links"),
}
NEEDED = {  # what must stand behind the slash
    "contributions": "whose: Special:Contributions/Ada",
    "movepage": "which page: Special:MovePage/Hearts",
    "whatlinkshere": "of which page: Special:WhatLinksHere/Hearts",
}
# How MediaWiki's own addresses say it instead.
QUERIED = {
    "contributions": "target",
    "search": "search",
    "upload": "wpDestFile",
    "whatlinkshere": "target",
}


def key_of(name: str) -> str:
    return name.replace(" ", "").lower()


def lead_of(name: str, rest: str) -> str:
    """The address of what ``Special:name/rest`` does here. Raises WikiError ``no_special`` or
    ``bad_title``."""
    lead = LEADS.get(key_of(name))
    if lead is None:
        raise WikiError(
            "no_special",
            f"This wiki has no special page called “{name}”, and no page of that name can be written.",
            status=404,
        )
    if not rest and (needed := NEEDED.get(key_of(name))):
        raise WikiError("no_special", f"Say {needed}.", status=404)
    return lead(rest)


def refuse_special(title: str) -> None:
    """Raises WikiError ``special_title`` where no page can be called ``title``."""
    if split_special(title) is not None:
        raise WikiError(
            "special_title",
            "Titles that begin with “Special:” are no pages to write: choose another title.",
            status=422,
        )
