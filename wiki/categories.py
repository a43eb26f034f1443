"""Categories: what a text says it belongs to. One exists as soon as a page is in it, with a page of its
own or without."""

from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, QuerySet

from wiki.markup.inline import page_address
from wiki.markup.links import kept_links
from wiki.models import Page, PageLink
from wiki.reports import NOWHERE, live_links, naming
from wiki.selectors import BY_TITLE
from wiki.titles import make_slug, split_namespace

MOST = 10_000  # names of categories that are looked through


@dataclass(frozen=True)
class Category:
    """``name`` without its namespace; ``count`` of pages in it."""

    name: str
    address: str
    count: int = 0
    written: bool = False  # it has a page of its own


def category(title: str, page: Page | None = None, count: int = 0) -> Category:
    """The category called ``title``, or that of ``page``."""
    shown = page.title if page is not None else title
    name = split_namespace(shown)[1]
    address = page.get_absolute_url() if page is not None else page_address(f"Category:{name}")
    return Category(name, address, count, page is not None)


def categories_of(page: Page) -> list[Category]:
    """In which categories the text of ``page`` puts it, in its order."""
    rows = (row for row in kept_links(page) if row.kind == PageLink.Kind.CATEGORY)
    return [
        category(row.title, row.target if row.target and not row.target.deleted_at else None)
        for row in rows
    ]


def members(page: Page | None, key: str) -> QuerySet[Page]:
    """The pages in the category of ``page``, or in the one called by ``key`` that has none; by title."""
    asked = naming([key]) if page is None else naming(page.names.values("key"), page)
    rows = live_links().filter(asked, kind=PageLink.Kind.CATEGORY, source=OuterRef("pk"))
    return Page.objects.filter(Exists(rows)).order_by(*BY_TITLE)


def all_categories() -> list[Category]:
    """Every category by name; those without pages too, if they have a page of their own."""
    rows = live_links().filter(kind=PageLink.Kind.CATEGORY)
    counts = Count("source", distinct=True)
    by_page = dict(
        rows.exclude(NOWHERE).values("target").annotate(count=counts).values_list("target", "count")
    )
    by_key = rows.filter(NOWHERE).values("key").annotate(count=counts)
    pages = Page.objects.filter(namespace="category")
    found = [category(page.title, page, by_page.get(page.pk, 0)) for page in pages]
    found += [
        category(first_title(row["key"]), None, row["count"]) for row in by_key.order_by("key")
    ]
    return sorted(found, key=lambda one: one.name.casefold())


def first_title(key: str) -> str:
    """How a category of this key is called that has no page."""
    name = key.partition(":")[2]
    return f"Category:{name[:1].upper()}{name[1:]}"


def category_at(slug: str) -> str:
    """The title of a category without a page that ``slug`` asks for; empty where there is none."""
    if not slug.startswith("category-"):
        return ""
    rows = live_links().filter(NOWHERE, kind=PageLink.Kind.CATEGORY)
    keys = rows.values_list("key", flat=True).distinct().order_by("key")
    titles = (first_title(key) for key in keys[:MOST])
    return next((title for title in titles if make_slug(title) == slug), "")
