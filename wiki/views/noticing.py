"""Notices: what concerns the person who reads this, and which kinds of it they want."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from wiki.errors import WikiError
from wiki.models import Notice
from wiki.services import notices as telling
from wiki.services.summary import SECTION_MARK, place_of
from wiki.services.watch import wishes
from wiki.views.door import door, sheet_of


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@door
def notices(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        change(request)
        return redirect("wiki_notices")
    unwanted = wishes(request.user).unwanted
    context = {
        "sheet": sheet_of(request, telling.notices(request.user)),
        "kinds": [(kind, words, kind not in unwanted) for kind, words in Notice.Kind.choices],
        "kept_days": telling.KEPT_DAYS,
    }
    return render(request, "wiki/notices.html", context)


def change(request: HttpRequest) -> None:
    """What the forms of the page ask for. Raises WikiError ``bad_action`` or ``bad_kind``."""
    asked = request.POST.get("action")
    if asked == "seen":
        telling.see(telling.unread(request.user))
        messages.success(request, "All is read.")
    elif asked == "kinds":
        telling.set_kinds(user=request.user, wanted=request.POST.getlist("kind"))
        messages.success(request, "Saved.")
    else:
        raise WikiError("bad_action", "That is nothing this page can do.")


@login_required
@never_cache
@require_safe
@door
def open_notice(request: HttpRequest, notice_id: int) -> HttpResponse:
    """Lead to what a notice tells, which is read from now on. Raises WikiError ``no_notice``."""
    rows = telling.notices(request.user).filter(pk=notice_id)
    notice = rows.first()
    if notice is None:
        raise WikiError("no_notice", "There is no such notice for you.", status=404)
    telling.see(rows)
    return redirect(place(notice))


def place(notice: Notice) -> str:
    """Where one reads what ``notice`` tells: the topic, or the change that took an edit back."""
    revision = notice.revision
    if notice.kind == Notice.Kind.REVERT:
        return reverse("wiki_diff", args=[revision.page.slug, revision.parent_id or 0, revision.pk])
    mark = SECTION_MARK.match(revision.summary)
    shown = mark and not revision.summary_hidden and revision.page.current
    section = place_of(revision.page.current, mark[1]) if shown else ""
    return revision.page.get_absolute_url() + section
