"""What can be read of the wiki."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.db import connection
from django.db.models import (
    Case,
    Count,
    F,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import JSONObject, Lower

from portal.models import User
from portal.prepared import Prepared
from wiki.languages import language
from wiki.markup.scripts import OF_LANGUAGE
from wiki.models import LogEntry, Page, PageName, Revision, Watch
from wiki.services.hiding import Viewer, seen_by, sees_hidden
from wiki.times import in_words
from wiki.titles import fits, fold_spaces, make_slug, title_key

NEWEST_FIRST = (F("timestamp").desc(nulls_last=True), "-id")
BY_TITLE = (Lower("title"), "title")


PagesAt = Callable[[str], list[Page]]  # slug: the page there, with its current revision, or none
pages_at_slug = Prepared(lambda slug: Page.objects.select_related("current").filter(slug=slug))


@dataclass(frozen=True)
class Found:
    """A page, and the name that led to it where that is not its title."""

    page: Page
    alias: str = ""


def find_page(slug: str, title: str = "", at: PagesAt = pages_at_slug) -> Found | None:
    """The page that ``slug`` of an address leads to: its own, an alias, or a title.

    ``title``, where it fits the slug, tells apart those whose titles ask for the same slug: the page
    of that name, or none. ``at``: how a slug is looked up (see ``to_read``).
    """
    if title and fits(slug, title):
        return find_titled(slug, title)
    for page in at(slug):
        return Found(page)
    names = PageName.objects.select_related("page", "page__current")
    by_slug = Case(When(slug=slug, then=0), default=1)
    named = names.filter(Q(slug=slug) | Q(key=title_key(slug))).order_by(by_slug, "pk")
    if name := named.first():
        return Found(name.page, name.title)
    if (plain := make_slug(slug)) != slug:
        for page in at(plain):
            return Found(page, page.title)
    return None


def near(slug: str) -> Page | None:
    """The page that stands at ``slug``, or else has a name there; by one question, for addresses where
    nothing is mostly."""
    closest = Case(When(page__slug=slug, then=0), When(slug=slug, then=1), default=2)
    named = Q(page__slug=slug) | Q(slug=slug) | Q(key=title_key(slug))
    rows = PageName.objects.filter(named, page__deleted_at=None).select_related("page")
    found = rows.order_by(closest, "pk").first()
    return found.page if found else None


def pages_at(slugs: set[str]) -> dict[str, Page]:
    """The pages at these slugs, be they their own or those of other names of theirs."""
    found = {
        name.slug: name.page
        for name in PageName.objects.filter(slug__in=slugs, page__deleted_at=None).select_related(
            "page"
        )
    }
    return found | {page.slug: page for page in Page.objects.filter(slug__in=slugs)}


def find_titled(slug: str, title: str) -> Found | None:
    """The page called ``title``; else the one at ``slug`` if only its case is another."""
    names = PageName.objects.select_related("page", "page__current")
    key, wanted = title_key(title), fold_spaces(title).casefold()
    there = list(names.filter(Q(key=key) | Q(page__slug=slug) | Q(slug=slug)))
    for name in there:
        if name.key == key:
            return Found(name.page, name.title if name.title != name.page.title else "")
    for name in there:
        if name.title.casefold() == wanted:
            return Found(name.page, name.title)
    return None


def log_entries(
    kind: str = "", by: str = "", of: str = "", viewer: Viewer = None
) -> QuerySet[LogEntry]:
    """What was done besides editing, the latest first: of a ``kind``, ``by`` somebody, to the page or
    the person called ``of`` (a page also under the names it has now). To be shown by ``covered_log``."""
    rows = LogEntry.objects.select_related("page").order_by("-at", "-pk")
    if kind:
        rows = rows.filter(kind=kind)
    if by:
        rows = rows.filter(told("name_hidden", viewer), actor_name__iexact=by)
    if of:
        named = PageName.objects.filter(key=title_key(of)).values("page")
        titled = Q(title__iexact=of) & told("words_hidden", viewer)
        rows = rows.filter(titled | Q(page__in=named))
    return rows


def told(part: str, viewer: Viewer) -> Q:
    """Entries of the log of which ``viewer`` may see that ``part``."""
    key = f"detail__{part}"
    return Q() if sees_hidden(viewer) else Q(**{f"{key}__isnull": True}) | Q(**{key: False})


def covered_log(rows: Iterable[LogEntry], viewer: Viewer = None) -> list[LogEntry]:
    """``rows`` as ``viewer`` may see them (None: everybody)."""
    found = list(rows)
    if any(row.hides for row in found) and not sees_hidden(viewer):
        for row in found:
            row.cover()
    return found


def deleted_pages(query: str = "") -> QuerySet[Page]:
    """Deleted pages whose titles hold ``query``, the latest first."""
    rows = Page.everything.exclude(deleted_at=None).filter(title__icontains=query)
    return rows.order_by("-deleted_at", "-pk")


def deleted_from(slug: str) -> list[Page]:
    """The pages that were deleted from the address ``slug``, the latest first; at most five."""
    wanted = {slug, make_slug(slug)}
    return list(deleted_pages().filter(deleted_names__0__in=sorted(wanted))[:5])


def reading_languages() -> set[str]:
    """The codes of the languages that pages of rules are in, and of the scripts that they can be read in."""
    pages = Page.objects.filter(namespace="").order_by()
    codes = set(pages.values_list("language", flat=True).distinct())
    return codes | {script for code in codes for script in OF_LANGUAGE.get(code, ())}


def to_read(came_from: str) -> PagesAt:
    """The page at a slug with what reading one asks besides: how many revisions it has, the time of the first
    dated one, and what is called ``came_from``. For ``find_page``, ``came_by`` and ``span``."""
    if not came_from:
        return _to_read
    return partial(_to_read_from, title_key(came_from))


def _counted() -> QuerySet[Page]:
    rows = Revision.objects.filter(page=OuterRef("pk")).order_by().values("page")
    return Page.objects.select_related("current").annotate(
        revision_count=Subquery(rows.annotate(many=Count("pk")).values("many")),
        first_dated=Subquery(rows.annotate(first=Min("timestamp")).values("first")),
    )


def _counted_and_named(key: str) -> QuerySet[Page]:
    called = PageName.objects.filter(key=key, page__deleted_at=None)
    named = JSONObject(
        title="title",
        page="page",
        called="page__title",
        slug="page__slug",
        namespace="page__namespace",
        language="page__language",
        leads_to="page__redirect_to",
    )
    return _counted().annotate(came_from=Subquery(called.values_list(named)))


_to_read = Prepared(lambda slug: _counted().filter(slug=slug))
_to_read_from = Prepared(lambda key, slug: _counted_and_named(key).filter(slug=slug))


@dataclass(frozen=True)
class Moved:
    """A page that gave up a name or an address when it was renamed, and what the log says of that."""

    page: Page
    entry: LogEntry

    @property
    def words(self) -> str:
        entry = self.entry
        by = "" if entry.detail.get("name_hidden") and entry.covered else f" by {entry.actor_name}"
        why = f": {entry.reason}" if entry.reason else "."
        return f"“{entry.title}” was renamed to “{entry.detail['new']}”{by} on {in_words(entry.at)} UTC{why}"


def moved_from(slug: str, title: str = "", viewer: Viewer = None) -> Moved | None:
    """Where the page went that was called ``title``, or stood at ``slug``, until it was renamed without a
    redirect, as far as ``viewer`` may know (None: everybody)."""
    title = title if fits(slug, title) else ""
    name = fold_spaces(title or slug.replace("-", " "))
    if talks := make_slug(name).startswith("talk-"):  # it went along with its page
        slug, name = slug.removeprefix("talk-"), name[len("talk") :].lstrip(" :")
    at = Q(title__iexact=name) if title else Q(title__iexact=name) | Q(detail__slug=slug)
    rows = LogEntry.objects.filter(at, told("words_hidden", viewer), page__deleted_at=None)
    rows = rows.filter(
        detail__has_key="new", kind=LogEntry.Kind.RENAME, detail__redirect=False
    ).select_related("page")
    for row in covered_log(rows.order_by("-at", "-pk")[:1], viewer):
        page = Page.objects.filter(subject=row.page).first() if talks else row.page
        return Moved(page, row) if page is not None else None
    return None


def came_by(page: Page) -> tuple[str, Page | None]:
    """What a "redirected" note may say of ``page``, which comes from ``to_read``, to somebody who asked for
    another name: the alias of ``page`` that it is, or the redirect page of that name that leads to
    ``page``, of which only title, address and language are known."""
    name = getattr(page, "came_from", None)
    if name is None:
        return "", None
    if name["page"] == page.pk:
        return (name["title"] if name["title"] != page.title else ""), None
    if name["leads_to"] != page.pk:
        return "", None
    said = {part: name[part] for part in ("slug", "namespace", "language")}
    return "", Page(pk=name["page"], title=name["called"], **said)


def company(page: Page) -> list[Page]:
    """The other pages of the group of ``page``, and its talk page with the headings there (``heads``; in
    ``unread`` its text, where nobody has looked at it since it changed); asked once for a page object."""
    if not hasattr(page, "known_company"):
        alone = page.group_id is None
        page.known_company = _talk(page.pk) if alone else _company(page.pk, page.group_id)
    return page.known_company


def _beside(page: int, which: Q) -> QuerySet[Page]:
    unread = When(subject=page, current__renderer_version="", then=F("current__text"))
    return (
        Page.objects.filter(which)
        .exclude(pk=page)
        .annotate(
            heads=F("current__rendered_toc"),
            unread=Case(unread, default=Value(""), output_field=TextField()),
        )
    )


_talk = Prepared(lambda page: _beside(page, Q(subject=page)))
_company = Prepared(lambda page, group: _beside(page, Q(subject=page) | Q(group=group)))


def translations(page: Page) -> list[Page]:
    """The other pages of the group of ``page``, by language."""
    if page.group_id is None:
        return []
    others = [other for other in company(page) if other.group_id == page.group_id]
    return sorted(others, key=lambda other: language(other.language).name.casefold())


def history(page: Page, *, minor: bool = True, viewer: Viewer = None) -> QuerySet[Revision]:
    """Revisions of ``page``, newest first, without their texts, each with its ``parent_state``, as
    ``viewer`` may see them (None: everybody)."""
    rows = (
        seen_by(viewer, page.revisions.all())
        .select_related("author")
        .annotate(parent_state=F("parent__text_state"))
        .defer(*Revision.TEXTS, *Revision.MADE)
        .order_by("-number")
    )
    return rows if minor else rows.filter(minor=False)


def span(page: Page) -> dict[str, int | datetime | None]:
    """``count`` of revisions and the time of the ``first`` dated one."""
    if "revision_count" in page.__dict__:
        return {"count": page.revision_count or 0, "first": page.first_dated}
    return page.revisions.aggregate(count=Count("id"), first=Min("timestamp"))


def changes(viewer: Viewer = None) -> QuerySet[Revision]:
    """All revisions of all live pages with their pages and what is current there, newest first,
    without their texts, as ``viewer`` may see them (None: everybody)."""
    current = (f"page__current__{name}" for name in Revision.TEXTS)
    return (
        seen_by(viewer, Revision.objects.filter(page__deleted_at=None))
        .select_related("page__current", "author")
        .defer(*Revision.TEXTS, *Revision.MADE, *current)
        .order_by(*NEWEST_FIRST)
    )


def recent_changes(limit: int = 50) -> list[Revision]:
    """The newest ``limit`` dated revisions that change what one reads."""
    rows = changes().filter(timestamp__isnull=False, event=Revision.Event.EDIT)
    return list(rows.order_by("-timestamp", "-id")[:limit])


def watched_changes(user: User, viewer: Viewer = None) -> QuerySet[Revision]:
    """Like ``changes``, of the pages that ``user`` watches; ``seen`` is up to which row id."""
    rows = changes(viewer).filter(page__watches__user=user)
    return rows.annotate(seen=F("page__watches__seen"))


def watches(user: User) -> QuerySet[Watch]:
    """What ``user`` watches, with the pages, by title; talk pages go without saying."""
    return (
        Watch.objects.filter(user=user, page__deleted_at=None, page__subject=None)
        .select_related("page")
        .order_by(Lower("page__title"), "page__title")
    )


def unseen(user: User) -> QuerySet[Revision]:
    """Changes by others that are new to ``user`` on pages of the watch list, newest first."""
    return watched_changes(user).filter(pk__gt=F("seen")).exclude(author=user)


def contributions(name: str, viewer: Viewer = None) -> QuerySet[Revision]:
    """All revisions saved under ``name``: of an account, a guest or an imported author. Those whose
    author is hidden are found only by a ``viewer`` who may see that."""
    rows = changes(viewer).filter(Q(author_name=name) | Q(author__username=name))
    return rows if sees_hidden(viewer) else rows.filter(author_hidden=False)


def contribution_counts(name: str, viewer: Viewer = None) -> dict[str, int | datetime | None]:
    """``edits``, ``pages``, ``imported`` of a name, and the time of the ``first`` dated edit."""
    return contributions(name, viewer).aggregate(
        edits=Count("id"),
        pages=Count("page", distinct=True),
        imported=Count("origin"),
        first=Min("timestamp"),
    )


def all_pages() -> QuerySet[Page]:
    """Pages outside namespaces by title, capitals or not."""
    return (
        Page.objects.filter(namespace="")
        .select_related("current")
        .defer(*(f"current__{name}" for name in Revision.TEXTS))
        .order_by(*BY_TITLE)
    )


_BESIDE = f'SELECT id FROM "{Revision._meta.db_table}" WHERE page_id = %s AND number'
_AROUND = f"SELECT ({_BESIDE} < %s ORDER BY number DESC LIMIT 1), ({_BESIDE} > %s ORDER BY number LIMIT 1)"


def rows_around(first: Revision, last: Revision) -> tuple[int | None, int | None]:
    """The row ids of the revisions of the same page just before ``first`` and just after ``last``."""
    page = first.page_id
    with connection.cursor() as cursor:
        cursor.execute(_AROUND, [page, first.number, page, last.number])
        found: tuple[int | None, int | None] = cursor.fetchone()
    return found


def row_of(page: Page, pk: int) -> Revision | None:
    """The row ``pk`` of the history of ``page``, with its text and author, not yet ``visible``."""
    return next(iter(_rows(page.pk, pk)), None)


_rows = Prepared(
    lambda page, pk: Revision.objects.select_related("author").filter(page=page, pk=pk)
)


def between(old: Revision | None, new: Revision, viewer: Viewer = None) -> list[Revision]:
    """The revisions of one page that lie between two others, newest first; at most 100. Only who wrote
    them is known, and what ``needs_patrol`` asks."""
    if old is None:
        return []
    rows = Revision.objects.filter(page=new.page_id, number__gt=old.number, number__lt=new.number)
    known = ("author_id", "author_name", "event", "origin_id", "patrolled_at", *Revision.HIDES)
    return list(seen_by(viewer, rows).only(*known).order_by("-number")[:100])
