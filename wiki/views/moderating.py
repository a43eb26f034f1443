"""What moderators do to revisions and pages: hiding, deleting, bringing back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from wiki import selectors
from wiki.errors import WikiError
from wiki.models import Page
from wiki.services.delete import delete_page, may_delete, refuse_unless_remover, undelete_page
from wiki.services.hide import PARTS, hides_in, set_hidden
from wiki.services.hiding import sees_hidden
from wiki.views.door import door, existing_page, page_context, revision_of, row_id, sheet_of

ROWS_SHOWN = 100  # of the history of a deleted page


@require_http_methods(["GET", "HEAD", "POST"])
@door
def hide(request: HttpRequest, slug: str, revision_id: int) -> HttpResponse:
    """Which parts of a revision only moderators see: a form that asks why."""
    page = existing_page(slug)
    if not sees_hidden(request.user):
        raise WikiError("not_moderator", "Only moderators may hide what was written.", status=403)
    revision = revision_of(page, revision_id, request.user)
    sent, error = request.POST, None
    if request.method == "POST":
        try:
            done = set_hidden(
                revision_id=revision.pk,
                parts=sent.getlist("part"),
                reason=sent.get("reason", ""),
                person=request.user,
            )
        except WikiError as refused:
            error = refused
        else:
            also = done.summary_hidden and "summary" not in sent.getlist("part")
            said = " The summary quotes the text, so it is hidden too." if also else ""
            messages.success(request, f"Done; the log tells of it.{said}")
            return redirect("wiki_history", page.slug)
    context = page_context(request, page, "history") | {
        "revision": revision,
        "parts": PARTS.items(),
        "chosen": sent.getlist("part") if error else hides_in(revision),
        "reason": sent.get("reason", ""),
        "error": error,
    }
    return render(request, "wiki/hide.html", context, status=error.status if error else 200)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a page: a form that asks why."""
    page = existing_page(slug)
    if request.method != "POST":
        refuse_unless_remover(page, request.user)
    error = None
    if request.method == "POST":
        try:
            delete_page(page_id=page.pk, reason=request.POST.get("reason", ""), person=request.user)
        except WikiError as refused:
            error = refused
        else:
            messages.success(request, f"“{page.title}” is deleted. It can be brought back.")
            return redirect("wiki_page", slug)
    context = page_context(request, page, "delete") | {
        "talk_page": Page.objects.filter(subject=page).first(),
        "count": page.revisions.count(),
        "reason": request.POST.get("reason", ""),
        "error": error,
    }
    return render(request, "wiki/delete.html", context, status=error.status if error else 200)


def refuse_unless_moderator(request: HttpRequest) -> None:
    if not sees_hidden(request.user):
        raise WikiError("not_moderator", "Only moderators may read what was deleted.", status=403)


@require_safe
@door
def deleted(request: HttpRequest) -> HttpResponse:
    """All deleted pages, the latest first; ``?q=`` in their titles."""
    refuse_unless_moderator(request)
    query = " ".join(request.GET.get("q", "").split())[:200]
    sheet = sheet_of(request, selectors.deleted_pages(query))
    return render(request, "wiki/deleted.html", {"sheet": sheet, "query": query})


@require_http_methods(["GET", "HEAD", "POST"])
@door
def deleted_page(request: HttpRequest, page_id: int) -> HttpResponse:
    """A deleted page to look at, ``?rev=`` as it once was, and a form that brings it back."""
    refuse_unless_moderator(request)
    found = selectors.deleted_pages().select_related("current", "subject")
    page = found.filter(pk=row_id(page_id)).first()
    if page is None:
        raise WikiError("no_page", "No such page was deleted here.", status=404)
    error, sent = None, request.POST
    if request.method == "POST":
        try:
            page = undelete_page(
                page_id=page.pk,
                reason=sent.get("reason", ""),
                title=sent.get("title", ""),
                person=request.user,
            )
        except WikiError as refused:
            error = refused
        else:
            messages.success(request, f"“{page.title}” is here again.")
            return redirect(page)
    shown = revision_of(page, request.GET["rev"], request.user) if "rev" in request.GET else None
    context = {
        "page": page,
        "revision": shown or page.current,
        "rows": selectors.history(page, viewer=request.user)[:ROWS_SHOWN],
        "count": page.revisions.count(),
        "may_undelete": may_delete(page, request.user),
        "subject": page.subject,
        "talk_goes_along": selectors.deleted_pages()
        .filter(subject=page, deleted_at=page.deleted_at)
        .exists(),
        "reason": sent.get("reason", ""),
        "title": sent.get("title", page.title),
        "error": error,
    }
    return render(request, "wiki/deleted_page.html", context, status=error.status if error else 200)
