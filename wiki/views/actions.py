"""Addresses as people know them from MediaWiki: ``?action=raw`` is answered, others lead on, as do
``?oldid=`` and ``?diff=`` of a revision, and the titles of special pages."""

from urllib.parse import urlencode

from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from wiki.errors import WikiError
from wiki.models import Page, Revision
from wiki.selectors import find_page, rows_around
from wiki.services.hiding import visible
from wiki.special import QUERIED, key_of, lead_of
from wiki.views.door import existing_page, refuse_unknown, revision_of, row_id

# What of the query means the same at the address that an action leads to.
KEPT = ("title", "section", "rev", "oldid", "undo", "undoafter")
NOW = ("", "0", "cur")  # as a number: the revision that is current
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


def of_another_page(request: HttpRequest, slug: str) -> HttpResponse | None:
    """Where a question leads that names a revision of another page by its row id: to the same question
    there, since ``?oldid=`` and ``?diff=`` are stronger than a title that is another or none. None where
    the page at ``slug`` has that revision, or nobody has."""
    asked = (row_id(request.GET.get(name)) for name in ("oldid", "diff"))
    number = next(filter(None, asked), None)
    if number is None:
        return None
    found = find_page(slug, request.GET.get("title", ""))
    if found and found.page.revisions.filter(Q(pk=number) | Q(origin_revid=number)).exists():
        return None
    page = Page.objects.filter(revisions=number).first()
    if page is None:
        return None
    query = request.GET.copy()
    query.pop("title", None)
    return redirect(f"{reverse('wiki_page', args=[page.slug])}?{query.urlencode()}")


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
    if old := kept.pop("oldid", ""):
        kept["rev"] = str(old_row(existing_page(slug), old).pk)
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
    elif "oldid" in request.GET:
        revision = revision_of(page, old_row(page, request.GET["oldid"]).pk, request.user)
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


def numbered(request: HttpRequest, page: Page) -> HttpResponse | None:
    """Where ``?oldid=`` and ``?diff=`` lead: to a revision of ``page``, or to a difference. None where
    neither is asked for. Raises WikiError ``no_revision``."""
    old, new = request.GET.get("oldid", ""), request.GET.get("diff")
    if new is None and "oldid" not in request.GET:
        return None
    if new is None:
        row = old_row(page, old)
        way = request.GET.get("direction", "")
        row = row_beside(row, way) if way in ("prev", "next") else row
        return redirect(f"{reverse('wiki_page', args=[page.slug])}?rev={row.pk}")
    if new in ("prev", "next"):
        one = old_row(page, old)
        other = row_beside(one, new)
    elif old:
        one, other = old_row(page, old), old_row(page, new)
    else:
        one = old_row(page, new)
        other = row_beside(one, "prev")
    ends = sorted((one, other), key=lambda row: row.number)
    if ends[0] == ends[1]:  # the first of all, against nothing
        return redirect("wiki_diff", page.slug, 0, one.pk)
    return redirect("wiki_diff", page.slug, ends[0].pk, ends[1].pk)


def old_row(page: Page, asked: str) -> Revision:
    """The revision of ``page`` that ``asked`` numbers, by its row id here, else by the number that it had
    on the wiki it was imported from; without its texts. Raises WikiError ``no_revision``."""
    number = page.current_id if asked in NOW else row_id(asked)
    rows = page.revisions.defer(*Revision.TEXTS)
    found = None
    if number:
        found = rows.filter(pk=number).first() or rows.filter(origin_revid=number).first()
    if found is None:
        raise WikiError("no_revision", "This page has no such revision.", status=404)
    return found


def row_beside(row: Revision, way: str) -> Revision:
    """The revision before (``way`` "prev") or after ``row``; ``row`` itself at the end."""
    before, after = rows_around(row, row)
    beside = before if way == "prev" else after
    return Revision.objects.defer(*Revision.TEXTS).get(pk=beside) if beside else row


def led_by_title(request: HttpRequest, name: str, rest: str) -> HttpResponse:
    """Where ``Special:name/rest`` leads. Raises WikiError ``no_special`` or ``bad_title``."""
    rest = rest or request.GET.get(QUERIED.get(key_of(name), ""), "").strip()
    return redirect(lead_of(name, rest))
