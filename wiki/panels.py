"""What other apps show beside a page. The wiki knows games by slug only; the portal registers here.

A panel is a function of the request and the page to safe HTML, or "" where it has nothing to show.
Places: ``aside`` (beside the text: the Play panel), ``facts`` (above the text), ``tagline`` (text
under the title) and ``bar`` (above the text on narrow pages).
"""

from collections.abc import Callable, Sequence

from django.http import HttpRequest
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from wiki.models import Page

Panel = Callable[[HttpRequest, Page], SafeString | str]
PLACES = ("aside", "facts", "tagline", "bar")
_panels: dict[str, list[Panel]] = {place: [] for place in PLACES}


def register(panel: Panel, *, place: str = "aside") -> Panel:
    """Show ``panel`` on every page; registering it again does nothing. KeyError: no such place."""
    if panel not in _panels[place]:
        _panels[place].append(panel)
    return panel


def panels_of(
    request: HttpRequest, page: Page, places: Sequence[str] = PLACES
) -> dict[str, SafeString]:
    """The HTML of each of ``places``; what a panel did not mark safe is escaped."""
    return {
        place: format_html_join("", "{}", ((panel(request, page),) for panel in _panels[place]))
        for place in places
    }
