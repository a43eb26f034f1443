"""Reports for those who look after the wiki, and what links to a page."""

from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from wiki import reports, selectors
from wiki.errors import WikiError
from wiki.languages import language
from wiki.markup.inline import page_address
from wiki.models import Page, PageLink
from wiki.services.shortcode_report import unknown_shortcodes
from wiki.titles import check_title, fits, make_slug, title_key
from wiki.views.door import door, page_context, sheet_of

PER_SHEET = 100


@dataclass(frozen=True)
class Report:
    """A list of pages that lack something. ``kind`` says how its rows look: page, double, broken."""

    slug: str
    title: str
    about: str
    none: str  # what is said where the list is empty
    kind: str = "page"

    def rows(self) -> QuerySet[Page]:
        return {
            "orphans": reports.orphans,
            "dead-ends": reports.dead_ends,
            "double-redirects": reports.double_redirects,
            "broken-redirects": reports.broken_redirects,
            "uncategorised": reports.uncategorised,
        }[self.slug]()


REPORTS = {
    report.slug: report
    for report in (
        Report(
            "orphans",
            "Orphans",
            "Pages to which no other page links",
            "Every page is linked to from another.",
        ),
        Report(
            "dead-ends",
            "Dead ends",
            "Pages that link to no other page",
            "Every page leads on to another.",
        ),
        Report(
            "double-redirects",
            "Double redirects",
            "Redirects that lead to a redirect: nobody gets further by them than to the second",
            "No redirect leads to a redirect.",
            "double",
        ),
        Report(
            "broken-redirects",
            "Broken redirects",
            "Redirects to a page that is not there",
            "Every redirect leads to a page.",
            "broken",
        ),
        Report(
            "uncategorised",
            "Pages without a category",
            "Pages that are in no category",
            "Every page is in a category.",
        ),
    )
}


@require_safe
@door
def index(request: HttpRequest) -> HttpResponse:
    return render(request, "wiki/reports.html", {"reports": REPORTS.values()})


@require_safe
@door
def report(request: HttpRequest, name: str) -> HttpResponse:
    found = REPORTS.get(name)
    if found is None:
        raise WikiError("no_report", "There is no report of this name.", status=404)
    context = {"report": found, "sheet": sheet_of(request, found.rows(), PER_SHEET)}
    return render(request, "wiki/report.html", context)


@require_safe
@door
def wanted(request: HttpRequest) -> HttpResponse:
    sheet = sheet_of(request, reports.wanted(), PER_SHEET)
    rows = [
        row | {"address": page_address(row["title"]), "slug": make_slug(row["title"])}
        for row in sheet
    ]
    return render(request, "wiki/wanted.html", {"sheet": sheet, "rows": rows})


@require_safe
@door
def shortcodes(request: HttpRequest) -> HttpResponse:
    """Shortcodes that pages use and nobody registered, with the pages."""
    return render(request, "wiki/shortcodes.html", {"report": unknown_shortcodes()})


@require_safe
@door
def links(request: HttpRequest, slug: str) -> HttpResponse:
    """What links to a page, which may not exist yet (``?title=``); ``?kind=``: only in that way."""
    asked = request.GET.get("title", "")
    found = selectors.find_page(slug, asked)
    if found is not None and found.page.slug != slug:
        return redirect("wiki_links", found.page.slug)
    if found is None and not fits(slug, asked):
        raise WikiError("no_page", "There is no page of this name.", status=404)
    page = found.page if found else None
    title = page.title if page else check_title(asked)
    key = title_key(title)
    kind = request.GET.get("kind", "")
    kind = kind if kind in PageLink.Kind.values else ""
    sheet = sheet_of(request, reports.linking(page, key, kind), PER_SHEET)
    kept = ({} if page else {"title": title}) | ({"kind": kind} if kind else {})
    context = page_context(request, page, "links") if page else {"tab": "links"}
    context |= {
        "title": title,
        "slug": slug,
        "sheet": sheet,
        "rows": reports.linking_rows(page, key, list(sheet)),
        "kind": kind,
        "kinds": PageLink.Kind.choices,
        "names": [name for name in page.names.order_by("title") if name.title != page.title]
        if page
        else [],
        "asked": "" if page else urlencode({"title": title}),
        "kept": f"{urlencode(kept)}&" if kept else "",
    }
    return render(request, "wiki/links.html", context)


@require_safe
@never_cache
@door
def random_page(request: HttpRequest) -> HttpResponse:
    page = reports.random_page()
    if page is None:
        raise WikiError("no_page", "There is no page yet.", status=404)
    return redirect(page)


@require_safe
@door
def statistics(request: HttpRequest) -> HttpResponse:
    figures = reports.statistics()
    languages = [(language(code), count) for code, count in figures.languages]
    return render(request, "wiki/statistics.html", {"figures": figures, "languages": languages})
