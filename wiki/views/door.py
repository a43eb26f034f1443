"""What all views share: refusals become pages here, and slugs become pages."""

from collections.abc import Callable
from functools import wraps
from itertools import count
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.core.paginator import Page as Sheet
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from wiki.errors import WikiError
from wiki.models import Page, Revision
from wiki.panels import PLACES, panels_of
from wiki.selectors import deleted_from, find_page, moved_from, row_of
from wiki.services.again import again
from wiki.services.delete import may_delete
from wiki.services.hiding import Viewer, text_hidden, visible
from wiki.services.history import KNOWN
from wiki.services.rights import is_moderator
from wiki.services.talk import talk_tab
from wiki.services.watch import see, watched
from wiki.times import in_words
from wiki.views import twice

View = Callable[..., HttpResponse]
PER_SHEET = 50
PLACES_OF = {"read": PLACES, "printable": ("tagline", "facts")}  # panels that a tab shows
MAX_ROW_ID = 2**63 - 1


def door(view: View) -> View:
    """Answers a WikiError that ``view`` raises with its sentence, code and status. A view is asked again
    where the database took back what it did (see ``again``). A form that comes twice is answered as the
    first time (see ``twice``)."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            form = twice.form_sent(request)
        except RequestDataTooBig:
            form = None  # told below
        return twice.once(request, form, lambda: answered(request, *args, **kwargs))

    def answered(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        tries = count()

        def work() -> HttpResponse:
            if next(tries) and request.method == "POST":  # the first may say how files are taken in
                for file in request.FILES.values():
                    file.seek(0)
            return view(request, *args, **kwargs)

        try:
            return again(work)
        except RequestDataTooBig:
            return refusal(
                request,
                WikiError(
                    "too_long",
                    "That is more text than a page can have. Nothing is saved; go back, your text "
                    "is still there.",
                    status=413,
                ),
            )
        except WikiError as error:
            return refusal(request, error, written(request))

    return guarded


def written(request: HttpRequest) -> str:
    """The text that a form brought; empty where there is none, or more than is read."""
    try:
        return request.POST.get("text", "")
    except RequestDataTooBig:
        return ""


def refusal(request: HttpRequest, error: WikiError, text: str = "") -> HttpResponse:
    """The page that says why not; ``text``: what was written in a form and has no place any more."""
    return answer(request, "wiki/refused.html", {"error": error, "text": text}, error)


def answer(
    request: HttpRequest,
    template: str,
    context: dict[str, Any],
    error: WikiError | None,
    status: int = 200,
) -> HttpResponse:
    """A page under the status of ``error``, if there was one, and when to try again."""
    response = render(request, template, context, status=error.status if error else status)
    if error is not None and error.retry_after is not None:
        response["Retry-After"] = str(error.retry_after)
    return response


def existing_page(slug: str) -> Page:
    """The page that ``slug`` leads to. Raises WikiError ``no_page`` or ``page_deleted``."""
    found = find_page(slug)
    if found is None:
        for page in deleted_from(slug):
            raise WikiError("page_deleted", deletion(page), status=410)
        moved = moved_from(slug)
        said = f" {moved.words}" if moved else ""
        raise WikiError("no_page", f"There is no page of this name.{said}", status=404)
    return found.page


def deletion(page: Page) -> str:
    """Who deleted ``page``, when and why, in a sentence."""
    when, why = in_words(page.deleted_at), page.deleted_reason
    return f"“{page.title}” was deleted by {page.deleted_by} on {when} UTC: {why}"


def revision_of(page: Page, pk: int | str | None, viewer: Viewer = None) -> Revision:
    """Revision ``pk`` of ``page``, with its text, as ``viewer`` may see it (None: everybody). Raises
    WikiError ``no_revision``."""
    number = row_id(pk)
    if number and number == page.current_id:
        revision = page.current  # mostly read already, with its page
    else:
        revision = row_of(page, number) if number else None
    if revision is None:
        raise WikiError("no_revision", "This page has no such revision.", status=404)
    revision.page = page
    return visible(revision, viewer)


def refuse_unknown(revision: Revision) -> None:
    """Raises WikiError ``no_text`` where the import brought no text of ``revision``, ``text_hidden``
    where whoever asks may not see it."""
    if revision.text_state == Revision.HIDDEN:
        raise text_hidden()
    if revision.text_state not in KNOWN:
        raise WikiError("no_text", "The text of that revision is not available.", status=404)


def row_id(value: int | str | None) -> int | None:
    """``value`` as a row id, or None where it cannot be one."""
    text = str(value or "")
    if not (text.isascii() and text.isdigit()) or len(text) > len(str(MAX_ROW_ID)):
        return None  # int() refuses thousands of digits
    return int(text) if int(text) <= MAX_ROW_ID else None


def last_row(request: HttpRequest) -> Revision | None:
    """The revision after which ``?before=`` asks a list to go on. Raises WikiError ``no_revision``."""
    if "before" not in request.GET:
        return None
    row = Revision.objects.only("timestamp").filter(pk=row_id(request.GET["before"])).first()
    if row is None:
        raise WikiError("no_revision", "This list cannot begin there.", status=404)
    return row


def sheet_of(request: HttpRequest, rows: QuerySet[Any], per_sheet: int = PER_SHEET) -> Sheet:
    """The part of ``rows`` that ``?page=`` asks for; the nearest there is."""
    return Paginator(rows, per_sheet).get_page(request.GET.get("page"))


def page_context(
    request: HttpRequest, page: Page, tab: str, *, sees: bool = True
) -> dict[str, Any]:
    """What the frame of every page of one wiki page needs; only reading shows panels. Whoever
    watches the page and reads it, or what became of it, has seen what is new, but not by an old
    revision (``sees`` False)."""
    places = PLACES_OF.get(tab, ("tagline",))
    row = watched(page, request.user)
    if sees and tab in (*PLACES_OF, "history"):
        see(row)
    return {
        "page": page,
        "tab": tab,
        "panels": panels_of(request, page, places),
        "talk": talk_tab(page),
        "watched": row is not None,
        "moderates": is_moderator(request.user),
        "may_delete": may_delete(page, request.user),
    }
