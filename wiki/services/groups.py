"""Groups of pages that tell the same in several languages: at most one page in each.

The pages of a game are such a group: whoever joins it tells of the game too.
"""

from collections.abc import Iterable

from portal.models import User
from wiki.errors import WikiError
from wiki.languages import LANGUAGES, language
from wiki.models import Page, PageGroup
from wiki.services.locks import one_at_a_time
from wiki.services.rights import refuse_unless_editor

TRANSLATED = ("", "category")  # namespaces whose pages have translations


def locked(ids: list[int]) -> list[Page]:
    """The pages of ``ids``, in that order, locked together with all that are linked with them.

    Inside a caller's transaction. Raises WikiError ``no_page``.
    """
    one_at_a_time("change groups")  # which rows to lock depends on how they are linked
    groups = Page.objects.filter(pk__in=ids, group__isnull=False).values("group")
    family = set(ids) | set(Page.objects.filter(group__in=groups).values_list("pk", flat=True))
    rows = Page.objects.select_for_update(no_key=True)
    held = {page.pk: page for page in rows.filter(pk__in=family).order_by("pk")}
    if not set(ids) <= held.keys():
        raise WikiError("no_page", "There is no page of this name.", status=404)
    return [held[pk] for pk in ids]


def others_of(page: Page) -> list[Page]:
    """The other pages of the group of ``page``."""
    if page.group_id is None:
        return []
    return list(Page.objects.filter(group=page.group_id).exclude(pk=page.pk).order_by("pk"))


def check_code(code: str) -> None:
    """Raises WikiError ``bad_language``."""
    if code not in LANGUAGES:
        raise WikiError("bad_language", "Choose one of the languages of the list.")


def refuse_taken(code: str, pages: Iterable[Page]) -> None:
    """Raises WikiError ``language_taken`` where one of ``pages`` is in the language ``code``."""
    for page in pages:
        if page.language == code:
            raise WikiError(
                "language_taken",
                f"In {language(code).english} there is “{page.title}” already: of pages that are "
                "linked, each is in another language.",
                status=409,
            )


def refuse_unless_translated(*pages: Page) -> None:
    """Raises WikiError ``other_kind`` where ``pages`` are no translations of each other by their kind."""
    if pages[0].namespace not in TRANSLATED or len({page.namespace for page in pages}) > 1:
        raise WikiError("other_kind", "These pages cannot be translations of each other.")


def refuse_translation(page: Page, code: str) -> None:
    """Raises WikiError ``other_kind``, ``bad_language`` or ``language_taken`` where ``page`` cannot
    have a translation into ``code``."""
    refuse_unless_translated(page)
    check_code(code)
    refuse_taken(code, [page, *others_of(page)])


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


def add_translation(*, page: Page, of: int, author: User) -> None:
    """Make ``page``, just created, a translation of page ``of``. Inside a caller's transaction.

    Raises WikiError ``no_page``, ``protected``, ``other_kind`` or ``language_taken``.
    """
    try:
        source = locked([of])[0]
        refuse_unless_editor(source, author)
        refuse_unless_translated(source, page)
        family = [source, *others_of(source)]
        refuse_taken(page.language, family)
    except WikiError as error:
        raise WikiError(
            error.code,
            f"{error.message} Nothing is saved. Save again to make it a page by itself.",
            status=error.status,
        ) from error
    join([*family, page])


def leave_if_taken(page: Page) -> None:
    """Part ``page``, deleted once and here again, from a group in which another page has taken its
    language meanwhile. Inside a caller's transaction."""
    if any(other.language == page.language for other in others_of(page)):
        page.group, page.game = None, ""
        page.save(update_fields=["group", "game"])
