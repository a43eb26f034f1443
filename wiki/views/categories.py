"""Categories: the list of all, and what is in one, with or without a page of its own."""

from typing import Any

from django.core.paginator import Paginator
from django.db.models import Case, When
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from wiki.categories import all_categories, category_at, members
from wiki.models import Page
from wiki.selectors import BY_TITLE
from wiki.titles import split_namespace, title_key
from wiki.views.door import door, sheet_of

PER_SHEET = 200


@require_safe
@door
def categories(request: HttpRequest) -> HttpResponse:
    found = all_categories()
    sheet = Paginator(found, PER_SHEET).get_page(request.GET.get("page"))
    return render(request, "wiki/categories.html", {"sheet": sheet})


def in_category(request: HttpRequest, page: Page | None, title: str) -> dict[str, Any]:
    """What the list of what is in a category needs: other categories come first."""
    first = Case(When(namespace="category", then=0), default=1)
    found = members(page, title_key(title)).order_by(first, *BY_TITLE)
    sheet = sheet_of(request, found, PER_SHEET)
    kept = {} if page is not None else {"title": title}
    return {
        "category": split_namespace(title)[1],
        "inner": [one for one in sheet if one.namespace == "category"],
        "pages": [one for one in sheet if one.namespace != "category"],
        "sheet": sheet,
        "kept": f"{urlencode(kept)}&" if kept else "",
    }


def unwritten(request: HttpRequest, slug: str, title: str) -> HttpResponse | None:
    """A category that has no page of its own but something in it; None where there is none."""
    if split_namespace(title)[0] != "category":
        title = category_at(slug)
    if not title:
        return None
    context = in_category(request, None, title)
    if not context["sheet"].paginator.count:
        return None
    return render(
        request, "wiki/category.html", context | {"title": title, "slug": slug, "tab": "read"}
    )
