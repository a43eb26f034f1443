"""What the socket of an editor asks of the database."""

from dataclasses import dataclass
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.urls import reverse

from portal.models import User
from wiki import selectors
from wiki.markup.sections import section_or_none
from wiki.models import Page, Revision
from wiki.services.hiding import public_name
from wiki.titles import make_slug

LONGEST_HEADING = 80  # characters


@dataclass(frozen=True)
class Look:
    """``heading`` of the section that one edits, or nothing; ``saved``: see ``saved_since``."""

    heading: str
    saved: dict[str, Any] | None
    logged_in: bool


@dataclass(frozen=True)
class Place:
    """What is edited: the page, or by ``slug`` the one that is to be."""

    page_id: int | None
    slug: str

    def page(self) -> Page | None:
        """The page as it is by now, without its texts."""
        texts = (f"current__{name}" for name in Revision.TEXTS)
        pages = Page.objects.select_related("current").defer(*texts)
        return (
            pages.filter(pk=self.page_id).first()
            if self.page_id is not None
            else pages.filter(slug=self.slug).first()
        )


def place_of(slug: str) -> Place:
    """Where the editors of a page meet, whatever name they came by."""
    found = selectors.find_page(slug)
    return Place(found.page.pk, found.page.slug) if found else Place(None, make_slug(slug))


def look(
    *, place: Place, base: int, section: int, known: int, user: User | None, session: str | None
) -> Look:
    """What has become of the page for somebody who edits ``section`` of revision ``base``."""
    page = place.page()
    return Look(
        heading=heading_of(page, base, section) if page and section else "",
        saved=saved(page, known, user),
        logged_in=user is None or still_logged_in(session, user),
    )


def heading_of(page: Page, base: int, section: int) -> str:
    """The heading as the page has it, never as a client writes it."""
    row = page.revisions.filter(pk=base, text_hidden=False).only("text").first()
    found = section_or_none(row.text, section) if row else None
    return found.heading[:LONGEST_HEADING] if found else ""


def saved_since(place: Place, known: int, user: User | None) -> dict[str, Any] | None:
    """Who saved the page after revision ``known``, when, and where to see what changed; None where nobody
    did. ``by`` is None for ``user`` in another window."""
    return saved(place.page(), known, user)


def saved(page: Page | None, known: int, user: User | None) -> dict[str, Any] | None:
    """See ``saved_since``."""
    current = page.current if page else None
    if current is None or current.pk <= known:
        return None
    mine = user is not None and current.author_id == user.pk
    return {
        "revision": current.pk,
        "by": None if mine else public_name(current),
        "clock": f"{current.timestamp:%H:%M}" if current.timestamp else "",
        "changes": reverse("wiki_diff", args=[page.slug, known, current.pk]),
    }


def still_logged_in(key: str | None, user: User) -> bool:
    """Whether the session of this key is still that of ``user``."""
    if key is None:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    return bool(get_user(SimpleNamespace(session=session)).pk == user.pk)
