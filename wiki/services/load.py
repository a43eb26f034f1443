"""Help pages that are shipped with the games."""

from collections.abc import Sequence

from django.db import transaction
from django.utils import timezone

from wiki.models import Page, PageName, Revision
from wiki.search import reindex
from wiki.services.delete import was_deleted
from wiki.services.edit import clean_text, create_page, name_page
from wiki.services.history import append_revision
from wiki.services.rename import dropped_keys
from wiki.services.summary import automatic
from wiki.titles import title_key

SHIPPED_BY = "Parlour"


@transaction.atomic
def load_page(
    *,
    slug: str,
    title: str,
    text: str,
    aliases: Sequence[str] = (),
    language: str = "en",
    game: str = "",
    summary: str = "",
) -> Revision | None:
    """Bring the shipped help page ``slug`` up to date; returns the revision added, if any.

    Safe to run again and again: a text that was loaded before adds nothing, and a page whose
    current text was written by somebody else keeps it; so does one that somebody renamed keep its
    title. A page that an import made under this title or an alias is taken over: it becomes the page of
    the game, and its history stays. A game's page that was deleted stays so.
    Raises WikiError ``bad_title``, ``title_taken`` or ``too_long``.
    """
    text = clean_text(text)
    page = page_of(slug, game, language)
    if page is None and was_deleted(slug, game):
        return None
    if page is None:
        keys = [title_key(name) for name in (title, *aliases)]
        name = PageName.objects.select_related("page").filter(key__in=keys, page__game="").first()
        page = (
            name.page if name else create_page(title=title, language=language, game=game, slug=slug)
        )
        page.slug = slug
    before = (page.title, page.language)
    if page.game != game:  # later the language is as people say
        page.language = language
    if page.revisions.filter(event=Revision.Event.RENAME).exists():
        keep_names(page, (title, *aliases))
    else:
        page.title = title
        for name in (title, *aliases):
            name_page(page, name)
    page.game = game
    page.save(update_fields=["slug", "title", "language", "game"])
    if before != (page.title, page.language):
        reindex(page)
    shipped = page.revisions.filter(author=None, author_name=SHIPPED_BY, origin=None)
    if shipped.filter(text=text).exists():
        return None
    newest = shipped.order_by("number").last()
    if newest and (page.current is None or page.current.text_sha1 != newest.text_sha1):
        return None  # people edited since
    if page.current is not None and page.current.origin_id is None and not newest:
        return None  # people wrote the page before the game came
    return append_revision(
        page,
        author=None,
        author_name=SHIPPED_BY,
        timestamp=timezone.now(),
        summary=summary or ("Shipped text changed" if newest else automatic(None, text)),
        minor=False,
        text=text,
    )


def page_of(slug: str, game: str, language: str) -> Page | None:
    """The page to bring up to date, locked: the one that brought the game along, whatever it is called
    now, else one of the game, else the one at ``slug``."""
    pages = Page.objects.select_for_update(no_key=True).order_by("pk")
    of_game = pages.filter(game=game) if game else pages.none()
    shipped = Revision.objects.filter(author=None, author_name=SHIPPED_BY, origin=None)
    return (
        of_game.filter(pk__in=shipped.values("page")).first()
        or of_game.filter(slug=slug).first()
        or of_game.filter(language=language).first()
        or pages.filter(slug=slug).first()
    )


def keep_names(page: Page, titles: Sequence[str]) -> None:
    """Let ``titles`` lead to a page that was renamed, but those that it gave up or that others have."""
    keys = {title_key(title): title for title in titles}
    taken = PageName.objects.filter(key__in=keys).values_list("key", flat=True)
    for key in keys.keys() - set(taken) - dropped_keys(page):
        name_page(page, keys[key])
