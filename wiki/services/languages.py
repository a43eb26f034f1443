"""The language of a page, and the pages that tell the same in other languages.

Pages of one group are at most one in each language. The pages of a game are such a group: whoever
joins it tells of the game too.
"""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.languages import LANGUAGES, language
from wiki.models import Page, PageGroup, Revision
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
    if page.group_id:
        refuse_taken(code, others_of(page))
    before, page.language = page.language, code
    page.save(update_fields=["language"])
    return tell(
        page, author, f"Language: {language(code).both_names} (was {language(before).both_names})"
    )


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
    if page.namespace != other.namespace:
        raise WikiError("other_kind", "These two pages are of different kinds.")
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
    if page.game:
        if own_page([page, *others]) == page:
            raise WikiError(
                "own_page",
                "This is the page that the game brings along. Unlink the others instead.",
                status=409,
            )
        page.game = ""
    page.group = None
    page.save(update_fields=["group", "game"])
    if len(others) == 1:
        PageGroup.objects.filter(pk=others[0].group_id).delete()
    tell(page, author, f"No longer linked with {named(others[0])}")


def add_to_group(*, page: Page, of: int) -> None:
    """Make ``page``, just created, a translation of page ``of``. Inside a caller's transaction.

    Raises WikiError ``no_page`` or ``language_taken``.
    """
    source = locked([of])[0]
    family = [source, *others_of(source)]
    refuse_taken(page.language, family)
    join([*family, page])


def refuse_translation(page: Page, code: str) -> None:
    """Raises WikiError ``bad_language`` or ``language_taken`` where ``page`` cannot have a
    translation into ``code``."""
    check_code(code)
    refuse_taken(code, [page, *others_of(page)])


def leave_if_taken(page: Page) -> None:
    """Part ``page``, deleted once and here again, from a group in which another page has taken its
    language meanwhile. Inside a caller's transaction."""
    if any(other.language == page.language for other in others_of(page)):
        page.group, page.game = None, ""
        page.save(update_fields=["group", "game"])


def own_page(pages: Iterable[Page]) -> Page | None:
    """Of the pages of a game the one that it brings along; else the oldest."""
    pages = sorted(pages, key=lambda page: page.pk)
    shipped = set(
        Revision.objects.filter(page__in=pages, author=None, author_name=SHIPPED_BY, origin=None)
        .values_list("page", flat=True)
        .distinct()
    )
    return min(pages, key=lambda page: (page.pk not in shipped, page.pk), default=None)


# Help


def check_code(code: str) -> None:
    if code not in LANGUAGES:
        raise WikiError("bad_language", "Choose one of the languages of the list.")


def locked(ids: list[int]) -> list[Page]:
    """The pages of ``ids``, in that order, locked in another that is always the same."""
    rows = Page.objects.select_for_update(of=("self",)).select_related("current")
    found = {page.pk: page for page in rows.filter(pk__in=ids).order_by("pk")}
    if len(found) != len(set(ids)):
        raise WikiError("no_page", "There is no page of this name.", status=404)
    groups = {page.group_id for page in found.values()} - {None}
    list(PageGroup.objects.select_for_update().filter(pk__in=groups).order_by("pk"))
    return [found[pk] for pk in ids]


def others_of(page: Page) -> list[Page]:
    """The other pages of its group."""
    if page.group_id is None:
        return []
    return list(Page.objects.filter(group=page.group_id).exclude(pk=page.pk).order_by("pk"))


def refuse_taken(code: str, pages: Iterable[Page]) -> None:
    for page in pages:
        if page.language == code:
            raise WikiError(
                "language_taken",
                f"In {language(code).english} there is “{page.title}” already: of pages that are "
                "linked, each is in another language.",
                status=409,
            )


def join(pages: list[Page]) -> PageGroup:
    """Make one group of ``pages``; all tell of the game of which any does."""
    old = {page.group_id for page in pages} - {None}
    group = PageGroup.objects.filter(pk__in=old).order_by("pk").first()
    group = group or PageGroup.objects.create()
    game = next((page.game for page in pages if page.game), "")
    for page in pages:
        page.group, page.game = group, game
        page.save(update_fields=["group", "game"])
    Page.everything.filter(group__in=old).update(group=group)  # the deleted ones too
    PageGroup.objects.filter(pk__in=old - {group.pk}).delete()
    return group


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
