"""Reports for those who look after the wiki."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from wiki.services.shortcode_report import unknown_shortcodes
from wiki.views.door import door


@require_safe
@door
def shortcodes(request: HttpRequest) -> HttpResponse:
    """Shortcodes that pages use and nobody registered, with the pages."""
    return render(request, "wiki/shortcodes.html", {"report": unknown_shortcodes()})
