"""Every shortcode with its looks and how one writes it."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from wiki.markup import shortcodes
from wiki.views.door import door


@dataclass(frozen=True)
class Sample:
    """``written`` is what stands in a text, ``html`` what comes of it, ``spoken`` how that reads."""

    written: str
    html: SafeString
    spoken: str


def samples(known: shortcodes.Known) -> list[Sample]:
    made = []
    for written, said in zip(known.written, known.examples, strict=True):
        html = shortcodes.expand(known.name, said.split("|") if said else [])
        if html is not None:
            shown = mark_safe(shortcodes.show_symbols(html))  # a function of the site made it
            made.append(Sample(written, shown, shortcodes.spoken(html)))
    return made


@require_safe
@door
def known_shortcodes(request: HttpRequest) -> HttpResponse:
    rows = [(known, samples(known)) for known in shortcodes.known()]
    return render(request, "wiki/known_shortcodes.html", {"rows": rows})
