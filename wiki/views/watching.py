"""Watch lists: the star of a page, the list of changes, what one wants of it."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from wiki import hooks, selectors
from wiki.errors import WikiError
from wiki.listing import SPANS, Wish, stretch
from wiki.models import Page
from wiki.services import watch as watching
from wiki.views.door import door, existing_page, last_row, row_id


@require_POST
@door
def watch(request: HttpRequest, slug: str) -> HttpResponse:
    """Put a page on the watch list, or take it off (``action`` unwatch); back to where one was."""
    page = existing_page(slug)
    if not request.user.is_authenticated:
        raise WikiError("who_are_you", "Log in to keep a watch list.", status=403)
    if request.POST.get("action") == "unwatch":
        watching.unwatch(page=page, user=request.user)
        messages.info(request, f"“{page.title}” is off your watch list.")
    else:
        watching.watch(page=page, user=request.user)
        messages.success(request, f"“{page.title}” is on your watch list.")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if safe else page.get_absolute_url())


@login_required
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@door
def watchlist(request: HttpRequest) -> HttpResponse:
    if request.method == "POST":
        change(request)
        return redirect("wiki_watchlist")
    wish = Wish.read(request.GET)
    rows = wish.of(selectors.watched_changes(request.user, request.user), request.user)
    found = stretch(rows, last_row(request))
    for block in found.blocks:
        for row in block.rows:
            row.new = row.pk > row.seen and row.author_id != request.user.pk
    context = {
        "wish": wish,
        "spans": SPANS,
        "stretch": found,
        "watches": selectors.watches(request.user),
        "unseen": selectors.unseen(request.user).count(),
        "wishes": watching.wishes_with_key(request.user),
        "address": hooks.confirmed_address(request.user),
    }
    return render(request, "wiki/watchlist.html", context)


def change(request: HttpRequest) -> None:
    """What the forms of the watch list ask for. Raises WikiError ``bad_action``, ``no_page``."""
    user, asked = request.user, request.POST.get("action")
    if asked == "seen":
        watching.see_all(user)
        messages.success(request, "All is seen.")
    elif asked == "remove":
        page = Page.objects.filter(pk=row_id(request.POST.get("page"))).first()
        if page is None:
            raise WikiError("no_page", "There is no such page.", status=404)
        watching.unwatch(page=page, user=user)
        messages.info(request, f"“{page.title}” is off your watch list.")
    elif asked == "wishes":
        watching.set_wishes(
            user=user, add_edited="add_edited" in request.POST, mail="mail" in request.POST
        )
        messages.success(request, "Saved.")
    elif asked == "key":
        watching.change_key(user)
        messages.success(request, "Your feed has a new address; the old one is gone.")
    else:
        raise WikiError("bad_action", "That is nothing this page can do.")
