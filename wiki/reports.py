"""What can be read of how pages hang together: what links where, what is wanted, what is lost.

All of it comes from the rows that ``wiki.services.links`` keeps; no text is searched.
"""

import random
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.cache import cache
from django.db.models import Count, Exists, Min, OuterRef, Q, QuerySet, Sum
from django.db.models.functions import Lower
from django.utils import timezone

from wiki.models import FileVersion, Page, PageLink, PageName, Revision
from wiki.selectors import BY_TITLE

NOWHERE = Q(target=None) | Q(target__deleted_at__isnull=False)
INDENTED = 100  # pages listed below one redirect
COUNTED_FOR = 600  # seconds for which figures are kept
ACTIVE = timedelta(days=30)


def live_links() -> QuerySet[PageLink]:
    """What the texts of pages name that are not deleted."""
    return PageLink.objects.filter(source__deleted_at=None)


def naming(keys: QuerySet | list[str], page: Page | None = None) -> Q:
    """Rows that lead to ``page``, or nowhere yet by one of ``keys``."""
    by_key = NOWHERE & Q(key__in=keys)
    return by_key if page is None else by_key | Q(target=page)


@dataclass
class Linking:
    """A page that links; ``kinds`` say how. Of a redirect: the pages that link to it, and whether
    there are more of them."""

    page: Page
    kinds: list[str]
    redirects: bool = False
    below: list[Page] = field(default_factory=list)
    more: bool = False


def linking(page: Page | None, key: str, kind: str = "") -> QuerySet[Page]:
    """Pages whose texts name ``page`` (None: what would be called by ``key``), by title; ``kind``:
    only in this way."""
    rows = live_links().filter(named(page, key), source=OuterRef("pk"))
    if kind:
        rows = rows.filter(kind=kind)
    return Page.objects.filter(Exists(rows)).order_by(*BY_TITLE)


def named(page: Page | None, key: str) -> Q:
    return naming([key]) if page is None else naming(page.names.values("key"), page)


def linking_rows(page: Page | None, key: str, sheet: list[Page]) -> list[Linking]:
    """How the pages of ``sheet`` name ``page``; two queries."""
    kinds: dict[int, list[str]] = {}
    rows = live_links().filter(named(page, key), source__in=sheet).order_by("kind")
    for source, kind in rows.values_list("source", "kind").distinct():
        kinds.setdefault(source, []).append(str(PageLink.Kind(kind).label))
    found = [
        Linking(one, kinds.get(one.pk, []), page is not None and one.redirect_to_id == page.pk)
        for one in sheet
    ]
    below: dict[int, list[Page]] = {}
    leading = [row.page for row in found if row.redirects]
    if leading:
        by_redirect = live_links().filter(target__in=leading).select_related("source")
        by_redirect = by_redirect.order_by(Lower("source__title"))
        for link in by_redirect[: INDENTED * len(leading)]:
            pages = below.setdefault(link.target_id, [])
            if link.source not in pages:
                pages.append(link.source)
    for row in found:
        pages = below.get(row.page.pk, [])
        row.below, row.more = pages[:INDENTED], len(pages) > INDENTED
    return found


def wanted() -> QuerySet:
    """Names that texts link to and no page has: ``key``, ``title`` as one text writes it, and in how
    many pages (``uses``); the most wanted first."""
    has_page = PageName.objects.filter(key=OuterRef("key"), page__deleted_at=None)
    return (
        live_links()
        .filter(NOWHERE, ~Exists(has_page), kind=PageLink.Kind.LINK)
        .values("key")
        .annotate(uses=Count("source", distinct=True), title=Min("title"))
        .order_by("-uses", "key")
    )


def articles() -> QuerySet[Page]:
    """Pages outside namespaces that say something themselves, by title."""
    return Page.objects.filter(namespace="", redirect_title="").order_by(*BY_TITLE)


def orphans() -> QuerySet[Page]:
    """Pages to which no other page links, itself or by a redirect."""
    direct = live_links().filter(target=OuterRef("pk"), source__redirect_title="")
    by_redirect = live_links().filter(target__redirect_to=OuterRef("pk"))
    return articles().filter(
        ~Exists(direct.exclude(source=OuterRef("pk"))),
        ~Exists(by_redirect.exclude(source=OuterRef("pk"))),
    )


def dead_ends() -> QuerySet[Page]:
    """Pages with a text that links to no other page."""
    away = PageLink.objects.filter(
        source=OuterRef("pk"), kind=PageLink.Kind.LINK, target__deleted_at=None
    ).exclude(Q(target=None) | Q(target=OuterRef("pk")))
    present = Revision.TextState.PRESENT
    return articles().filter(~Exists(away), current__text_state=present)


def double_redirects() -> QuerySet[Page]:
    """Redirects that lead to a redirect."""
    return (
        Page.objects.exclude(redirect_title="")
        .filter(redirect_to__deleted_at=None)
        .exclude(Q(redirect_to=None) | Q(redirect_to__redirect_title=""))
        .select_related("redirect_to__redirect_to")
        .order_by(*BY_TITLE)
    )


def broken_redirects() -> QuerySet[Page]:
    """Redirects to a page that is not there."""
    nowhere = Q(redirect_to=None) | Q(redirect_to__deleted_at__isnull=False)
    return Page.objects.exclude(redirect_title="").filter(nowhere).order_by(*BY_TITLE)


def uncategorised() -> QuerySet[Page]:
    """Pages with a text that are in no category."""
    rows = PageLink.objects.filter(source=OuterRef("pk"), kind=PageLink.Kind.CATEGORY)
    present = Revision.TextState.PRESENT
    return articles().filter(~Exists(rows), current__text_state=present)


def random_page() -> Page | None:
    """A page that says something, each as likely as the others; None where there is none."""
    pages = articles().filter(current__text_state=Revision.TextState.PRESENT).order_by("pk")
    count = pages.count()
    return pages[random.randrange(count)] if count else None


@dataclass(frozen=True)
class Statistics:
    """Figures of the whole wiki, as they were ``at``."""

    at: datetime
    pages: int  # that say something, outside namespaces
    redirects: int
    talks: int
    categories: int  # with a page of their own
    revisions: int
    text: int  # bytes of the current texts
    people: int  # names under which somebody wrote
    active: int  # names of this site, in the last 30 days
    files: int  # with a picture
    picture_bytes: int
    languages: list[tuple[str, int]]  # code and pages, the most first


def statistics() -> Statistics:
    """The figures of now, or of some minutes ago: on a large wiki they take their time."""
    return cache.get_or_set("wiki:statistics", count_all, COUNTED_FOR)


def count_all() -> Statistics:
    now = timezone.now()
    says = Q(namespace="", redirect_title="")
    pages = Page.objects.aggregate(
        pages=Count("pk", filter=says),
        redirects=Count("pk", filter=~Q(redirect_title="")),
        talks=Count("pk", filter=Q(namespace="talk")),
        categories=Count("pk", filter=Q(namespace="category")),
        text=Sum("current__size", default=0),
    )
    rows = Revision.objects.filter(page__deleted_at=None)
    recent = rows.filter(timestamp__gte=now - ACTIVE, origin=None)
    names = Count("author_name", distinct=True)
    languages = articles().order_by().values("language").annotate(count=Count("pk"))
    shown = FileVersion.objects.filter(hidden_at=None, page__deleted_at=None)
    return Statistics(
        at=now,
        revisions=rows.count(),
        people=rows.aggregate(names=names)["names"],
        active=recent.exclude(author=None).aggregate(names=names)["names"],
        files=shown.aggregate(files=Count("page", distinct=True))["files"],
        picture_bytes=shown.aggregate(bytes=Sum("size", default=0))["bytes"],
        languages=list(languages.order_by("-count", "language").values_list("language", "count")),
        **pages,
    )
