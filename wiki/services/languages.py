"""In which language a page is, and which pages are its translations; each change stands in the
history."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.languages import language
from wiki.models import Page, PageGroup, Revision
from wiki.services.groups import (
    check_code,
    join,
    locked,
    others_of,
    refuse_taken,
    refuse_unless_translated,
)
from wiki.services.history import append_revision
from wiki.services.load import SHIPPED_BY
from wiki.services.rights import refuse_unless_editor


@transaction.atomic
def set_language(*, page_id: int, code: str, author: User) -> Revision:
    """Say in which language a page is written; returns the row of the history that tells of it.

    Raises WikiError ``no_page``, ``protected``, ``bad_language``, ``unchanged`` or
    ``language_taken``.
    """
    page = locked([page_id])[0]
    refuse_unless_editor(page, author)
    check_code(code)
    if page.language == code:
        raise WikiError("unchanged", f"This page is in {language(code).english} already.", 409)
    refuse_taken(code, others_of(page))
    before, page.language = language(page.language), code
    page.save(update_fields=["language"])
    return tell(page, author, f"Language: {language(code).both_names} (was {before.both_names})")


@transaction.atomic
def link(*, page_id: int, other_id: int, author: User) -> PageGroup:
    """Let two pages, and the translations of each, be translations of each other.

    Raises WikiError ``no_page``, ``protected``, ``same_page``, ``other_kind``, ``linked``,
    ``different_games`` or ``language_taken``.
    """
    if page_id == other_id:
        raise WikiError("same_page", "A page is no translation of itself.")
    page, other = locked([page_id, other_id])
    for one in (page, other):
        refuse_unless_editor(one, author)
    refuse_unless_translated(page, other)
    if page.group_id and page.group_id == other.group_id:
        raise WikiError("linked", "These two pages are linked already.", status=409)
    ours, theirs = [page, *others_of(page)], [other, *others_of(other)]
    if len({one.game for one in (*ours, *theirs)} - {""}) > 1:
        raise WikiError("different_games", "These two pages tell of different games.", status=409)
    for one in theirs:
        refuse_taken(one.language, ours)
    group = join([*ours, *theirs])
    tell(page, author, f"Linked with {named(other)}")
    tell(other, author, f"Linked with {named(page)}")
    return group


@transaction.atomic
def unlink(*, page_id: int, author: User) -> None:
    """Take a page out of its group; it tells of no game any more, if another one there does.

    Raises WikiError ``no_page``, ``protected``, ``not_linked`` or ``own_page``.
    """
    page = locked([page_id])[0]
    refuse_unless_editor(page, author)
    others = others_of(page)
    if not others:
        raise WikiError("not_linked", "This page is linked with no other.", status=409)
    if page.game and own_page([page, *others]) == page:
        raise WikiError(
            "own_page",
            "This is the page that the game brings along. Unlink the others instead.",
            status=409,
        )
    page.group, page.game = None, ""
    page.save(update_fields=["group", "game"])
    tell(page, author, f"No longer linked with {named(others[0])}")


def own_page(pages: Iterable[Page]) -> Page | None:
    """Of the pages of a game the one that it brings along; else the oldest."""
    pages = list(pages)
    shipped = Revision.objects.filter(
        page__in=pages, author=None, author_name=SHIPPED_BY, origin=None
    )
    own = set(shipped.values_list("page", flat=True))
    return min(pages, key=lambda page: (page.pk not in own, page.pk), default=None)


def named(page: Page) -> str:
    return f"“{page.title}” ({language(page.language).english})"


def tell(page: Page, author: User, summary: str) -> Revision:
    """A row of the history of ``page`` that tells what was done to its languages."""
    return append_revision(
        page,
        author=author,
        author_name=author.get_username(),
        timestamp=timezone.now(),
        summary=summary,
        minor=False,
        text=page.current.text if page.current else "",
        event=Revision.Event.LANGUAGE,
    )
