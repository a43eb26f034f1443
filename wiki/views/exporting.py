"""A page as a file for other programs: as MediaWiki XML, with its history or as it is now, or as
Markdown. What is hidden is left out, whoever asks."""

from django.db.models import Sum
from django.db.models.functions import Coalesce, Length
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import content_disposition_header
from django.views.decorators.http import require_safe

from wiki.errors import WikiError
from wiki.interchange.export import Wish, xml_of
from wiki.interchange.markdown_zip import markdown
from wiki.models import Page
from wiki.services.history import KNOWN
from wiki.views.door import door, existing_page, page_context

MOST_BYTES = 16_000_000  # of texts in one answer
XML, TEXT = "application/xml; charset=utf-8", "text/markdown; charset=utf-8"


@require_safe
@door
def export(request: HttpRequest, slug: str) -> HttpResponse:
    """What can be had of a page; ``?form=history``, ``current`` or ``markdown``: that as a file."""
    page = existing_page(slug)
    form = request.GET.get("form", "")
    size = page.revisions.aggregate(
        bytes=Coalesce(Sum("size"), 0) + Coalesce(Sum(Length("source_text")), 0)
    )["bytes"]
    if not form:
        context = page_context(request, page, "export")
        known = page.current is not None and page.current.text_state in KNOWN
        context |= {"size": size, "too_large": size > MOST_BYTES, "known": known}
        return render(request, "wiki/export.html", context | {"revisions": page.revisions.count()})
    if form not in ("history", "current", "markdown"):
        raise WikiError("bad_form", "Choose in which form you want the page.")
    if form == "history":
        if size > MOST_BYTES:
            raise WikiError(
                "export_too_large",
                f"This history has {size:,} bytes of text; at most {MOST_BYTES:,} can be had here. "
                "Take the page as it is now, or ask who runs this site for the whole.",
                status=413,
            )
        return as_file(xml(page, history=True), f"{page.slug}.xml", XML)
    if page.current is None or page.current.text_state not in KNOWN:
        raise WikiError("no_text", "The text of this page is not available.", status=404)
    if form == "current":
        return as_file(xml(page, history=False), f"{page.slug}-current.xml", XML)
    return as_file(markdown(page), f"{page.slug}.md", TEXT)


def xml(page: Page, *, history: bool) -> str:
    return "".join(xml_of(Page.objects.filter(pk=page.pk), Wish(history=history)))


def as_file(text: str, name: str, kind: str) -> HttpResponse:
    return HttpResponse(
        text,
        content_type=kind,
        headers={
            "Content-Disposition": content_disposition_header(as_attachment=True, filename=name),
            "X-Robots-Tag": "noindex",
            "Cache-Control": "no-cache",
        },
    )
