"""Searching: the page of results, and what is suggested while somebody types."""

from django.core.paginator import Page as Sheet
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from wiki.errors import WikiError
from wiki.languages import Language, language
from wiki.models import Page, PageName
from wiki.search import ANYWHERE, Results
from wiki.search import search as search_pages
from wiki.search import suggest as suggest_names
from wiki.search.query import MAX_QUERY, read_query
from wiki.special import refuse_special
from wiki.titles import check_title, make_slug, title_key
from wiki.views.door import door

PER_SHEET = 20
MOST_SHEETS = 500
KINDS = {
    "": "Rules",
    "talk": "Talk pages",
    "file": "Pictures",
    "category": "Categories",
    ANYWHERE: "Everything",
}


@require_safe
@door
def search(request: HttpRequest) -> HttpResponse:
    """Pages with the words of ``?q=``; ``in`` a kind of pages, in a ``language``, ``page`` by ``page``."""
    typed = " ".join(request.GET.get("q", "").split())
    query = typed[:MAX_QUERY]
    kind = request.GET.get("in", "")
    kind = kind if kind in KINDS else ""
    languages = languages_of(kind)
    wish = request.GET.get("language", "")
    wish = wish if wish in {one.code for one in languages} else ""
    results, sheet = sheet_of_results(request, query, kind, wish)
    named = page_called(query)
    asked = read_query(query)
    context = {
        "query": query,
        "cut": len(typed) > MAX_QUERY,
        "results": results,
        "sheet": sheet,
        "asked": asked,
        "named": named,
        "can_create": named is None and can_be_title(query),
        "kind": kind,
        "kinds": KINDS,
        "languages": languages if len(languages) > 1 else [],
        "wish": wish,
    }
    return render(request, "wiki/search.html", context)


def sheet_of_results(
    request: HttpRequest, query: str, kind: str, wish: str
) -> tuple[Results, Sheet]:
    """The results on the sheet that ``?page=`` asks for, the nearest there is."""
    number = request.GET.get("page", "")
    number = min(int(number), MOST_SHEETS) if number.isdecimal() and len(number) < 9 else 1
    found = None
    for wanted in (max(number, 1), None):  # the second time with a number that is there
        wanted = wanted or Paginator(range(found.total), PER_SHEET).get_page(number).number
        found = search_pages(
            query,
            limit=PER_SHEET,
            offset=(wanted - 1) * PER_SHEET,
            language=wish,
            namespace=kind,
        )
        if found.hits or not found.total:
            break
    return found, Paginator(range(found.total), PER_SHEET).get_page(wanted)


def languages_of(kind: str) -> list[Language]:
    """The languages of pages of ``kind``, by their names; a script is none of its own."""
    pages = Page.objects.all() if kind == ANYWHERE else Page.objects.filter(namespace=kind)
    codes = {code.split("-")[0] for code in pages.values_list("language", flat=True).distinct()}
    return sorted((language(code) for code in codes), key=lambda one: one.name)


def page_called(query: str) -> Page | None:
    """The page of that very name, or at that very address."""
    if not (slug := make_slug(query)):
        return None
    key = title_key(query)
    names = PageName.objects.select_related("page").filter(Q(key=key) | Q(slug=slug))
    best = min(names[:20], key=lambda name: (name.key != key, name.pk), default=None)
    return best.page if best and best.page.deleted_at is None else None


def can_be_title(query: str) -> bool:
    if '"' in query:
        return False
    try:
        refuse_special(query)
        return bool(check_title(query))
    except WikiError:
        return False


@require_safe
def suggest(request: HttpRequest) -> JsonResponse:
    """Names that begin as ``?q=`` does: ``{"query", "suggestions": [{"title", "page", "url"}]}``."""
    query = " ".join(request.GET.get("q", "").split())[:MAX_QUERY]
    found = [
        {
            "title": one.title,
            "page": one.page.title,
            "language": language(one.page.language).tag,
            "url": one.page.get_absolute_url(),
        }
        for one in suggest_names(query)
    ]
    answer = JsonResponse({"query": query, "suggestions": found})
    answer["Cache-Control"] = "private, max-age=30"
    return answer
