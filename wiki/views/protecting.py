"""Who may edit a page: shown to everybody, changed by moderators."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from wiki.errors import WikiError
from wiki.models import Page
from wiki.services import protect as set_protection
from wiki.views.door import door, existing_page, page_context

SPAN_WORDS = {
    "hour": "One hour",
    "day": "One day",
    "three-days": "Three days",
    "week": "One week",
    "month": "A month",
    "year": "A year",
    "always": "Until it is changed",
}


@require_http_methods(["GET", "HEAD", "POST"])
@door
def protect(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_page(slug)
    sent, error = request.POST, None
    if request.method == "POST":
        try:
            set_protection(
                page_id=page.pk,
                level=sent.get("level", ""),
                span=sent.get("span", ""),
                reason=sent.get("reason", ""),
                moderator=request.user,
                rename_level=sent.get("rename_level"),
                rename_span=sent.get("rename_span", "always"),
            )
        except WikiError as refused:
            if refused.code == "page_gone":
                raise
            error = refused
        else:
            messages.success(request, "The protection is set; the history tells of it.")
            return redirect("wiki_protect", page.slug)
    context = page_context(request, page, "protection") | {
        "error": error,
        "levels": Page.Protection.choices,
        "level": sent.get("level", page.level),
        "rename_level": sent.get("rename_level", page.rename_level),
        "rename_span": sent.get("rename_span", "always"),
        "rename_words": str(Page.Protection(page.rename_level).label).replace("edit", "rename"),
        "spans": SPAN_WORDS.items(),
        "span": sent.get("span", "week"),
        "reason": sent.get("reason", ""),
    }
    return render(request, "wiki/protect.html", context, status=error.status if error else 200)
