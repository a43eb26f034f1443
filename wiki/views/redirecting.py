"""Pages that only lead on: where reading one goes, and what it says when it is read itself."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from wiki.markup.anchors import anchor
from wiki.markup.inline import page_address
from wiki.models import Page


@dataclass(frozen=True)
class Redirecting:
    """``source``: the redirect by which one came. ``kind`` of a redirect that is read itself: plain,
    double (one came by another), loop or broken; empty for other pages. Then it redirects to
    ``title`` at ``address``."""

    source: Page | None = None
    kind: str = ""
    title: str = ""
    address: str = ""


def led_on(request: HttpRequest, page: Page, came_by: Page | None) -> HttpResponse | None:
    """The answer that leads from the redirect ``page`` to its target; None where ``page`` itself is
    read: asked for, come to by another redirect, just saved, or leading nowhere."""
    target = page.leads_to if page.redirect_title else None
    asked = request.GET.get("redirect") == "no" or "rev" in request.GET
    saved = request.session.get("wiki_saved") == page.slug
    if target is None or target == page or asked or saved or came_by is not None:
        return None
    query = request.GET.copy()
    query.pop("title", None)
    query["from"] = page.title
    return redirect(f"{target.get_absolute_url()}?{query.urlencode()}{place(page)}")


def redirecting(page: Page, came_by: Page | None) -> Redirecting:
    """What the page, when it is read itself, says of redirects."""
    if not page.redirect_title:
        return Redirecting(came_by)
    target = page.leads_to
    if target is None:
        title = page.redirect_title.partition("#")[0]
        return Redirecting(came_by, "broken", page.redirect_title, page_address(title))
    kind = "double" if came_by is not None else "plain"
    if page == target or (came_by is not None and target == came_by):
        kind = "loop"
    return Redirecting(came_by, kind, target.title, target.get_absolute_url() + place(page))


def place(page: Page) -> str:
    """The section to which the redirect ``page`` leads, as the end of an address."""
    _title, _mark, section = page.redirect_title.partition("#")
    return f"#{anchor(section)}" if section else ""
