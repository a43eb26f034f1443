"""Addresses as people know them from MediaWiki: ``?action=raw`` is answered, others lead on."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from wiki.errors import WikiError
from wiki.models import Revision
from wiki.services.hiding import visible
from wiki.views.door import existing_page, refuse_unknown, revision_of

# What of the query means the same at the address that an action leads to.
KEPT = ("title", "section", "rev", "undo", "undoafter")
ACTIONS = {
    "delete": "wiki_delete",
    "edit": "wiki_edit",
    "history": "wiki_history",
    "info": "wiki_history",
    "protect": "wiki_protect",
    "submit": "wiki_edit",
    "unprotect": "wiki_protect",
}
READING = ("view", "purge", "render")  # all the same here: nothing shown is older than the page


def act(request: HttpRequest, slug: str) -> HttpResponse | None:
    """The answer to ``?action=``; None where the page is to be read. Raises WikiError ``no_action``."""
    action = request.GET.get("action", "")
    if not action or action in READING:
        return None
    if action == "raw":
        return raw(request, slug)
    if action not in ACTIONS:
        raise WikiError("no_action", "There is nothing of this name to do with a page.", status=404)
    kept = {name: request.GET[name] for name in KEPT if name in request.GET}
    if ACTIONS[action] != "wiki_edit":
        kept = {name: kept[name] for name in ("title",) if name in kept}
    query = f"?{urlencode(kept)}" if kept else ""
    return redirect(reverse(ACTIONS[action], args=[slug]) + query)


def raw(request: HttpRequest, slug: str) -> HttpResponse:
    """The Markdown of a page, or of its revision ``?rev=``, as plain text; so are refusals."""
    try:
        return plain(asked_revision(request, slug).text)
    except WikiError as error:
        return plain(f"{error.message}\n", status=error.status)


def asked_revision(request: HttpRequest, slug: str) -> Revision:
    """The revision ``?rev=`` of a page, else its current one, whose text the reader may see.

    Raises WikiError ``no_page``, ``page_deleted``, ``no_revision``, ``no_text`` or ``text_hidden``.
    """
    page = existing_page(slug)
    if "rev" in request.GET:
        revision = revision_of(page, request.GET["rev"], request.user)
    elif page.current is not None:
        revision = visible(page.current, request.user)
        revision.page = page
    else:
        raise WikiError("no_text", "The text of this page is not available.", status=404)
    refuse_unknown(revision)
    return revision


def plain(text: str, status: int = 200) -> HttpResponse:
    return HttpResponse(
        text,
        status=status,
        content_type="text/plain; charset=utf-8",
        headers={"X-Robots-Tag": "noindex"},
    )
