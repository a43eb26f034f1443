"""Looking after changes: patrol marks, taking back the last edits on a page, or all of a person."""

from datetime import timedelta

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.http import require_http_methods, require_POST

from wiki.errors import WikiError
from wiki.history.diff import compare
from wiki.listing import SPANS
from wiki.services.patrol import mark_patrolled
from wiki.services.rollback import (
    checked_run,
    mass_revert,
    may_mass_revert,
    plan,
    rollback,
    rollback_summary,
)
from wiki.views.door import answer, door, existing_page, page_context, row_id


@require_POST
@door
def patrol(request: HttpRequest) -> HttpResponse:
    """Mark each ``revision`` as patrolled, and go back to ``next``, at the row if one was marked."""
    pks = [pk for pk in map(row_id, request.POST.getlist("revision")) if pk]
    count = mark_patrolled(revision_ids=pks, person=request.user)
    said = f"{count} changes are" if count > 1 else "The change is" if count else "Nothing new is"
    messages.success(request, f"{said} marked as patrolled.")
    back = request.POST.get("next", "")
    if not url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure()):
        return redirect("wiki_changes")
    return redirect(f"{back}#r{pks[0]}" if len(pks) == 1 and "#" not in back else back)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def roll_back(request: HttpRequest, slug: str, revision_id: int) -> HttpResponse:
    """Take back the last edits of a page, of which ``revision_id`` is the newest. A button posts here;
    who comes by a link is asked first and sees what that changes."""
    page = existing_page(slug)
    if request.method == "POST":
        made = rollback(page_id=page.pk, newest_id=revision_id, person=request.user)
        messages.success(request, f"{made.summary}.")
        return redirect("wiki_history", page.slug)
    run = checked_run(page, revision_id, request.user)
    before = page.revisions.get(pk=run.before.pk)
    context = page_context(request, page, "history") | {
        "run": run,
        "newest": run.rows[0],
        "automatic": rollback_summary(run),
        "difference": compare(page.current.text if page.current else "", before.text),
    }
    return render(request, "wiki/rollback.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def revert_all(request: HttpRequest, name: str) -> HttpResponse:
    """What can be taken back of the edits of ``name``, page by page; then do it, and report."""
    if not may_mass_revert(request.user):
        raise WikiError(
            "not_moderator", "Only moderators take back all edits of a person.", status=403
        )
    sent = request.POST if request.method == "POST" else request.GET
    days = int(sent["days"]) if sent.get("days", "") in map(str, SPANS) else 0
    since = timezone.now() - timedelta(days=days) if days else None
    error = done = None
    if request.method == "POST":
        try:
            done = mass_revert(
                name=name,
                since=since,
                page_ids={pk for pk in map(row_id, sent.getlist("page")) if pk},
                reason=sent.get("reason", ""),
                by=request.user,
            )
        except WikiError as refused:
            error = refused
    attempts, count = plan(name, since, request.user)
    context = {
        "name": name,
        "days": days,
        "spans": SPANS,
        "attempts": attempts,
        "count": count,
        "can": any(one.can for one in attempts),
        "done": done,
        "reason": sent.get("reason", "") if error else "",
        "error": error,
    }
    return answer(request, "wiki/revert_all.html", context, error)
