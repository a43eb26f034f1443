"""Reading: a page, its source, the list of pages."""

import re
from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from wiki import selectors
from wiki.categories import categories_of
from wiki.errors import WikiError
from wiki.markup import Rendered
from wiki.markup.headings import served_sections
from wiki.markup.links import resolve
from wiki.markup.paper import at_once, mark_bare
from wiki.markup.people import person_called
from wiki.markup.sections import told_apart
from wiki.models import Revision
from wiki.search import search
from wiki.services import rendered
from wiki.services.hiding import text_hidden, visible
from wiki.services.history import free_slug
from wiki.services.rights import is_moderator
from wiki.services.subjects import TALK
from wiki.special import split_special
from wiki.titles import check_title, fits, make_slug, split_namespace
from wiki.views.actions import (
    act,
    asked_revision,
    led_by_title,
    numbered,
    of_another_page,
    plain,
)
from wiki.views.categories import in_category, unwritten
from wiki.views.door import door, existing_page, page_context, refuse_unknown, revision_of, sheet_of
from wiki.views.keeping import kept_by_strangers
from wiki.views.redirecting import led_on, redirecting
from wiki.views.talk import read_talk
from wiki.views.variants import in_languages, keep_variant, read_as, shown_variant

PAGES_PER_SHEET = 200
HEADING_END = re.compile(r'<(h[2-6]) id="([^"]*)">.*?(?=</\1>)', re.DOTALL)


@dataclass(frozen=True)
class BodyPart:
    """A stretch of safe HTML; where ``section`` is set it ends inside a heading, before the place
    for that section's edit link."""

    html: SafeString
    section: int = 0
    heading: str = ""


def body_parts(made: Rendered, html: str, served: dict[str, int]) -> list[BodyPart]:
    """``html`` of ``made``, cut at the headings whose sections can be edited: ``served`` are their numbers
    by the ids of the headings."""
    parts, start = [], 0
    names = told_apart([text for _level, _place, text in made.toc])
    words = {row[1]: name for row, name in zip(made.toc, names, strict=True)}
    for end in HEADING_END.finditer(html):
        if end[2] in served:
            parts.append(
                BodyPart(mark_safe(html[start : end.end()]), served[end[2]], words[end[2]])
            )
            start = end.end()
    return [*parts, BodyPart(mark_safe(html[start:]))]


@require_safe
@kept_by_strangers
@door
def page_view(request: HttpRequest, slug: str) -> HttpResponse:
    if (answer := of_another_page(request, slug) or act(request, slug)) is not None:
        return answer
    came_from = request.GET.get("from", "")
    found = selectors.find_page(slug, request.GET.get("title", ""), selectors.to_read(came_from))
    if found is None:
        return no_page(request, slug)
    page = found.page
    if slug != page.slug:
        query = request.GET.copy()
        query.pop("title", None)
        query["from"] = found.alias or slug
        return redirect(f"{page.get_absolute_url()}?{query.urlencode()}")
    if (answer := numbered(request, page)) is not None:
        return answer
    alias, came_by = selectors.came_by(page)
    if (answer := led_on(request, page, came_by)) is not None:
        return answer
    old = "rev" in request.GET
    if page.namespace == TALK and not old:
        return read_talk(request, page, page_context(request, page, "read"))
    if page.namespace == "file" and not old:
        return redirect(page)
    if old:
        revision = revision_of(page, request.GET["rev"], request.user)
    else:
        revision = page.current or page.revisions.order_by("-number").first()
    variant = shown_variant(request, page.language)
    printable = request.GET.get("printable") == "yes"
    tab = "printable" if printable else "read"
    sees = not old or revision.pk == page.current_id
    context = page_context(request, page, tab, sees=sees)
    context |= in_languages(request, page, variant, revision if old else None)
    context |= {
        "frame": "wiki/_print_frame.html" if printable else "wiki/_frame.html",
        "printable": printable,
        "revision": revision,
        "permanent": old,
        "old": old and revision is not None and revision.pk != page.current_id,
        "redirected_from": alias,
        "redirecting": redirecting(page, came_by) if not old else None,
        "span": selectors.span(page) if not old else None,
        "saved": request.session.pop("wiki_saved", None) == page.slug,
    }
    if not old:
        context["categories"] = categories_of(page)
    if page.namespace == "category" and not old:
        context |= in_category(request, page, page.title)
    if revision is not None:
        revision.page = page
        visible(revision, request.user)
        context["state"] = revision.text_state
        if old:
            context["older"], context["newer"] = selectors.rows_around(revision, revision)
    if revision is not None and revision.text_state == Revision.TextState.PRESENT:
        as_written = made = rendered(revision)
        if variant:
            made = read_as(as_written, variant)
        asked = variant if "variant" in request.GET else None
        html = mark_bare(keep_variant(resolve(made.html, page), asked))
        context["toc"] = [row for row in made.toc if row[0] <= 3 and not printable]
        context["unknown"] = made.unknown
        if printable:
            context["parts"] = [BodyPart(mark_safe(at_once(html)))]
        elif context["old"]:
            context["parts"] = [BodyPart(mark_safe(html))]
        else:
            served = served_sections(revision.text, as_written)
            context["parts"] = body_parts(made, html, served)
    return render(request, "wiki/page.html", context)


@require_safe
@door
def special_view(request: HttpRequest, title: str) -> HttpResponse:
    """``/wiki/Special:RecentChanges/`` and the like; a page that was imported under such a title is read
    all the same."""
    if found := selectors.find_titled("", title):
        return redirect(found.page)
    return led_by_title(request, *split_special(title))


def no_page(request: HttpRequest, slug: str) -> HttpResponse:
    """ "No page yet": says what it would be called and offers to write it."""
    deleted = selectors.deleted_from(slug)
    title = request.GET.get("title", "") or (deleted[0].title if deleted else "")
    if not fits(make_slug(slug), title):
        words = " ".join(slug.replace("-", " ").split())
        title = words[:1].upper() + words[1:]
    title = check_title(title)
    if special := split_special(title):
        return led_by_title(request, *special)
    if person := person_called(title):  # people have no page here, but what they wrote
        return redirect("wiki_contributions", person)
    if (answer := unwritten(request, slug, title)) is not None:
        return answer
    if slug != (free := free_slug(title)):
        return redirect(f"{reverse('wiki_page', args=[free])}?{urlencode({'title': title})}")
    known = make_slug(title) == slug and not fits(slug, request.GET.get("title", ""))
    near = None if known else selectors.near(make_slug(title))
    found = search(title, limit=5)
    context = {
        "title": title,
        "slug": slug,
        "found": found,
        "hits": [hit for hit in found.hits if hit.page != near],
        "near": near,
        "is_file": split_namespace(title)[0] == "file",
        "deleted": deleted,
        "moved": selectors.moved_from(slug, request.GET.get("title", ""), request.user),
        "moderates": bool(deleted) and is_moderator(request.user),
    }
    return render(request, "wiki/no_page.html", context, status=410 if deleted else 404)


@require_safe
@door
def source(request: HttpRequest, slug: str) -> HttpResponse:
    """The Markdown of a page; ``?rev=`` of an older revision, ``?raw=1`` as plain text."""
    revision = asked_revision(request, slug)
    page = revision.page
    if "raw" in request.GET:
        return plain(revision.text)
    return render(
        request,
        "wiki/source.html",
        page_context(request, page, "source") | {"revision": revision},
    )


@require_safe
@door
def wikitext(request: HttpRequest, slug: str, revision_id: int) -> HttpResponse:
    """The original of an imported revision, as a file."""
    page = existing_page(slug)
    revision = revision_of(page, revision_id, request.user)
    if revision.text_state == Revision.HIDDEN:
        raise text_hidden()
    if revision.source_text is None:
        raise WikiError(
            "no_wikitext", "This revision was written here: it has no other original.", status=404
        )
    refuse_unknown(revision)
    return HttpResponse(
        revision.source_text,
        content_type="text/plain; charset=utf-8",
        headers={
            "Content-Disposition": content_disposition_header(
                as_attachment=True, filename=f"{page.slug}-{revision.pk}.wikitext.txt"
            )
        },
    )


@require_safe
@door
def index(request: HttpRequest) -> HttpResponse:
    """All pages by title."""
    if title := request.GET.get("title", "").strip():
        title = check_title(title)
        page = reverse("wiki_page", args=[make_slug(title)])
        query = request.GET.copy()  # ?oldid= and the like mean the same there
        query["title"] = title
        return redirect(f"{page}?{query.urlencode()}")
    pages = selectors.all_pages()
    context = {
        "games": pages.exclude(game=""),
        "sheet": sheet_of(request, pages.filter(game=""), PAGES_PER_SHEET),
    }
    return render(request, "wiki/index.html", context)
