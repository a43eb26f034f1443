"""The public log: what was done besides editing, by whom and why."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from wiki import selectors
from wiki.errors import WikiError
from wiki.history.feeds import log_response
from wiki.models import LogEntry
from wiki.views.door import door, row_id, sheet_of
from wiki.views.feeds import DEFAULT, MOST

LONGEST = 255  # characters of a name or title to look for


@require_safe
@door
def log(request: HttpRequest) -> HttpResponse:
    """The latest first; ``?kind=``, ``?by=`` who did it, ``?of=`` to which page or person."""
    asked = wish(request)
    said = {name: value for name, value in asked.items() if value}
    sheet = sheet_of(request, selectors.log_entries(**asked, viewer=request.user))
    sheet.object_list = selectors.covered_log(sheet.object_list, request.user)
    context = {
        **asked,
        "kinds": KINDS.items(),
        "sheet": sheet,
        "query": f"{urlencode(said)}&" if said else "",
        "feed": feed_of(said),
    }
    return render(request, "wiki/log.html", context)


def wish(request: HttpRequest) -> dict[str, str]:
    """Of which kind, by whom and to what; a kind that is none asks for all."""
    asked = {name: request.GET.get(name, "").strip()[:LONGEST] for name in ("kind", "by", "of")}
    if asked["kind"] not in LogEntry.Kind.values:
        asked["kind"] = ""
    return asked


def feed_of(said: dict[str, str]) -> str:
    return reverse("wiki_log_feed") + (f"?{urlencode(said)}" if said else "")


@require_safe
@door
def log_feed(request: HttpRequest) -> HttpResponse:
    """The same as Atom, as everybody may read it; goes on after ``?before=``. Raises WikiError
    ``no_entry``."""
    asked = wish(request)
    said = {name: value for name, value in asked.items() if value}
    last = None
    if "before" in request.GET:
        last = LogEntry.objects.filter(pk=row_id(request.GET["before"])).first()
        if last is None:
            raise WikiError("no_entry", "This list cannot begin there.", status=404)
    page = reverse("wiki_log") + (f"?{urlencode(said)}" if said else "")
    return log_response(
        request,
        title="Parlour: log" + (f" ({', '.join(said.values())})" if said else ""),
        html_url=page,
        entries=selectors.log_entries(**asked),
        limit=min(row_id(request.GET.get("limit")) or DEFAULT, MOST),
        last=last,
    )


KINDS = {
    "rename": "Renamed pages",
    "protect": "Protection",
    "delete": "Deleted pages",
    "undelete": "Pages brought back",
    "hide": "Hidden revisions",
    "show": "Revisions shown again",
    "block": "Blocks",
    "unblock": "Ended blocks",
    "revert": "All edits of a person taken back",
    "groups": "Groups",
}
