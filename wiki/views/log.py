"""The public log: what was done besides editing, by whom and why."""

from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from wiki import selectors
from wiki.models import LogEntry
from wiki.views.door import door, sheet_of

LONGEST = 255  # characters of a name or title to look for


@require_safe
@door
def log(request: HttpRequest) -> HttpResponse:
    """The latest first; ``?kind=``, ``?by=`` who did it, ``?of=`` to which page or person."""
    asked = {name: request.GET.get(name, "").strip()[:LONGEST] for name in ("kind", "by", "of")}
    if asked["kind"] not in LogEntry.Kind.values:
        asked["kind"] = ""
    said = {name: value for name, value in asked.items() if value}
    sheet = sheet_of(request, selectors.log_entries(**asked, viewer=request.user))
    sheet.object_list = selectors.covered_log(sheet.object_list, request.user)
    context = {
        **asked,
        "kinds": KINDS.items(),
        "sheet": sheet,
        "query": f"{urlencode(said)}&" if said else "",
    }
    return render(request, "wiki/log.html", context)


KINDS = {
    "rename": "Renamed pages",
    "protect": "Protection",
    "delete": "Deleted pages",
    "undelete": "Pages brought back",
    "hide": "Hidden versions",
    "show": "Versions shown again",
    "block": "Blocks",
    "unblock": "Ended blocks",
    "revert": "All edits of a person taken back",
    "groups": "Groups",
}
