"""The same lists as Atom: recent changes, the history of a page, contributions, a watch list."""

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from wiki import selectors
from wiki.errors import WikiError
from wiki.history.feeds import Wanted, feed_response
from wiki.models import WatchList
from wiki.views.door import door, existing_page, last_row, row_id

DEFAULT, MOST = 50, 500  # entries of one part


def wanted(request: HttpRequest) -> Wanted:
    return Wanted(min(row_id(request.GET.get("limit")) or DEFAULT, MOST), last_row(request))


@require_safe
@door
def changes_feed(request: HttpRequest) -> HttpResponse:
    return feed_response(
        request,
        name="changes",
        title="Parlour: recent changes",
        html_url=reverse("wiki_changes"),
        revisions=selectors.changes().exclude(timestamp=None),
        wanted=wanted(request),
    )


@require_safe
@door
def history_feed(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_page(slug)
    return feed_response(
        request,
        name=f"history:{page.pk}",
        title=f"Parlour: history of {page.title}",
        html_url=reverse("wiki_history", args=[page.slug]),
        revisions=selectors.changes().exclude(timestamp=None).filter(page=page),
        wanted=wanted(request),
    )


@require_safe
@door
def contributions_feed(request: HttpRequest, name: str) -> HttpResponse:
    rows = selectors.contributions(name).exclude(timestamp=None)
    if not rows.exists():
        raise WikiError("no_contributions", f"Nobody called {name} wrote here.", status=404)
    return feed_response(
        request,
        name=f"contributions:{name}",
        title=f"Parlour: contributions of {name}",
        html_url=reverse("wiki_contributions", args=[name]),
        revisions=rows,
        wanted=wanted(request),
    )


@require_safe
@door
def watchlist_feed(request: HttpRequest, key: str) -> HttpResponse:
    """For readers of feeds, which cannot log in: whoever knows the secret address may read."""
    owner = WatchList.objects.select_related("user").filter(key=key, user__is_active=True).first()
    if owner is None:
        raise WikiError("no_feed", "There is no watch list at this address.", status=404)
    response = feed_response(
        request,
        name=f"watchlist:{owner.user_id}",
        title=f"Parlour: pages that {owner.user.username} watches",
        html_url=reverse("wiki_watchlist"),
        revisions=selectors.watched_changes(owner.user).exclude(timestamp=None),
        wanted=wanted(request),
    )
    response["Cache-Control"] = "private, no-cache"
    return response
