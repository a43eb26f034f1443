"""What moderators do to revisions and pages: hiding, deleting, bringing back."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from wiki.errors import WikiError
from wiki.services.hide import PARTS, hides_in, set_hidden
from wiki.services.hiding import sees_hidden
from wiki.views.door import door, existing_page, page_context, revision_of


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
            set_hidden(
                revision_id=revision.pk,
                parts=sent.getlist("part"),
                reason=sent.get("reason", ""),
                person=request.user,
            )
        except WikiError as refused:
            error = refused
        else:
            messages.success(request, "Done; the log tells of it.")
            return redirect("wiki_history", page.slug)
    context = page_context(request, page, "history") | {
        "revision": revision,
        "parts": PARTS.items(),
        "chosen": sent.getlist("part") if error else hides_in(revision),
        "reason": sent.get("reason", ""),
        "error": error,
    }
    return render(request, "wiki/hide.html", context, status=error.status if error else 200)
