"""Going back to an older revision, after a look at what that changes."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from wiki import hooks
from wiki.errors import WikiError
from wiki.history.diff import compare
from wiki.models import Revision
from wiki.services import revert_to
from wiki.services.hiding import text_hidden
from wiki.services.history import KNOWN
from wiki.services.revert import revert_summary
from wiki.services.rights import refuse_unless_editor
from wiki.views.door import answer, door, existing_page, page_context, revision_of, row_id


@require_http_methods(["GET", "HEAD", "POST"])
@door
def revert(request: HttpRequest, slug: str, revision_id: int) -> HttpResponse:
    """Ask whether to go back to a revision, showing what that changes; then do it."""
    page = existing_page(slug)
    revision = revision_of(page, revision_id, request.user)
    if revision.text_state == Revision.HIDDEN:
        raise text_hidden()
    if revision.text_state not in KNOWN:
        raise WikiError("no_text", "The text of that revision is not available.", status=409)
    if request.method != "POST":
        refuse_unless_editor(page, request.user)
    error = None
    if request.method == "POST":
        try:
            if not request.user.is_authenticated:
                if request.POST.get("action") != "guest":
                    raise WikiError(
                        "who_are_you", "Log in, or do this as a guest with one click.", status=403
                    )
                hooks.make_guest(request)
            revert_to(
                page_id=page.pk,
                revision_id=revision.pk,
                author=request.user,
                current_id=row_id(request.POST.get("current")),
                summary=request.POST.get("summary", ""),
            )
        except WikiError as refused:
            if refused.code == "page_gone":
                raise
            error = refused
        else:
            messages.success(request, "Reverted. The history keeps what was there.")
            return redirect(page.get_absolute_url())
        page.refresh_from_db()
    context = page_context(request, page, "history") | {
        "revision": revision,
        "automatic": revert_summary(revision),
        "difference": compare(page.current.text if page.current else "", revision.text),
        "summary": request.POST.get("summary", ""),
        "error": error,
    }
    return answer(request, "wiki/revert.html", context, error)
