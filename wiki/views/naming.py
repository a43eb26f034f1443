"""Renaming a page: a form that tells what happens, then the new address."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from wiki.errors import WikiError
from wiki.services.rename import rename as give_name
from wiki.services.rights import refuse_unless_renamer
from wiki.views.door import door, existing_page, page_context

CLOSED = frozenset({"who_are_you", "guests_may_not", "protected"})  # then there is no form


@require_http_methods(["GET", "HEAD", "POST"])
@door
def rename(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_page(slug)
    sent, error = request.POST, None
    try:
        if request.method == "POST":
            if not request.user.is_authenticated:
                refuse_unless_renamer(page, request.user)
            was = page.title
            page = give_name(
                page_id=page.pk,
                title=sent.get("title", ""),
                author=request.user,
                seen=sent.get("seen", ""),
                reason=sent.get("reason", ""),
                redirect="redirect" in sent,
            )
            messages.success(request, f"“{was}” is called “{page.title}” now.")
            return redirect(page)
        refuse_unless_renamer(page, request.user)
    except WikiError as refused:
        if refused.code == "page_gone":
            raise
        error = refused
        page.refresh_from_db()
    context = page_context(request, page, "rename") | {
        "error": error,
        "closed": error is not None and error.code in CLOSED,
        "new_title": sent.get("title", page.title),
        "seen": page.title,
        "reason": sent.get("reason", ""),
        "leaves": request.method != "POST" or "redirect" in sent,
    }
    return render(request, "wiki/rename.html", context, status=error.status if error else 200)
