"""The language of a page and its translations: shown to everybody, changed by who may edit."""

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from wiki import hooks, selectors
from wiki.errors import WikiError
from wiki.languages import LANGUAGES, language
from wiki.models import Page
from wiki.services.groups import TRANSLATED, refuse_translation
from wiki.services.history import free_slug
from wiki.services.languages import link, own_page, set_language, unlink
from wiki.services.rights import may_edit
from wiki.titles import check_title, make_slug
from wiki.views.door import door, existing_page, page_context, row_id


@require_http_methods(["GET", "HEAD", "POST"])
@door
def languages(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_page(slug)
    sent, error = request.POST, None
    if request.method == "POST":
        try:
            return act(request, page, sent)
        except WikiError as refused:
            error = refused
            page.refresh_from_db()
    linked = selectors.translations(page)
    linked = [page, *linked] if linked else []
    own = own_page(linked) if page.game else None
    taken = {one.language for one in linked} | {page.language}
    context = page_context(request, page, "languages") | {
        "error": error,
        "wanted": sent.get("do", ""),
        "known": LANGUAGES.values(),
        "free": [one for code, one in LANGUAGES.items() if code not in taken],
        "now": language(page.language),
        "unlisted": page.language not in LANGUAGES,
        "code": sent.get("language", "") if sent.get("do") == "set" else page.language,
        "into": sent.get("language", "") if sent.get("do") == "translate" else "",
        "title_of": {sent.get("do", ""): sent.get("title", "")},
        "linked": [(one, language(one.language), one != own) for one in linked],
        "may_edit": may_edit(page, request.user),
        "translated": page.namespace in TRANSLATED,
    }
    return render(request, "wiki/languages.html", context, status=error.status if error else 200)


def act(request: HttpRequest, page: Page, sent: QueryDict) -> HttpResponse:
    """Do what a form asks (``do``). Raises WikiError."""
    wish = sent.get("do", "")
    if wish == "translate":
        return to_editor(page, sent.get("language", ""), sent.get("title", ""))
    if wish not in ("set", "link", "unlink"):
        raise WikiError("bad_wish", "Choose what to do.")
    if not request.user.is_authenticated:
        if not sent.get("guest"):
            raise WikiError(
                "who_are_you", "Log in, or do this as a guest with one click.", status=403
            )
        hooks.make_guest(request)
    if wish == "set":
        set_language(page_id=page.pk, code=sent.get("language", ""), author=request.user)
        said = f"The language is set: {LANGUAGES[sent['language']].english}."
    elif wish == "link":
        other = page_called(sent.get("title", ""))
        link(page_id=page.pk, other_id=other.pk, author=request.user)
        said = f"Linked with “{other.title}”."
    else:
        gone = next(
            (
                one
                for one in (page, *selectors.translations(page))
                if one.pk == row_id(sent.get("page"))
            ),
            None,
        )
        if gone is None:
            raise WikiError("not_linked", "That page is not linked any more.", status=409)
        unlink(page_id=gone.pk, author=request.user)
        said = f"“{gone.title}” is not linked any more."
    messages.success(request, f"{said} The history tells of it.")
    return redirect("wiki_languages", page.slug)


def page_called(title: str) -> Page:
    """The page that ``title`` names, through redirects. Raises WikiError ``bad_title``, ``no_page``."""
    title = check_title(title)
    found = selectors.find_titled(make_slug(title), title)
    if found is None:
        raise WikiError("no_page", f"There is no page called “{title}”.", status=404)
    return found.page.leads_to or found.page


def to_editor(page: Page, code: str, title: str) -> HttpResponse:
    """To write the translation of ``page`` into ``code``, called ``title``.

    Raises WikiError ``bad_title``, ``title_taken`` or as ``refuse_translation``.
    """
    refuse_translation(page, code)
    title = check_title(title)
    if found := selectors.find_titled(make_slug(title), title):
        raise WikiError(
            "title_taken",
            f"There is a page called “{found.page.title}” already. If it is the translation, link it "
            "below; else choose another title.",
            status=409,
        )
    asked = {"title": title, "language": code, "of": page.pk}
    return redirect(f"{reverse('wiki_edit', args=[free_slug(title)])}?{urlencode(asked)}")


def begun(query: QueryDict) -> dict[str, Any]:
    """What the editor of a translation starts from: fields of its form, and ``note``; nothing where
    ``query`` asks for none that can be. Raises WikiError as ``refuse_translation``."""
    source = Page.objects.select_related("current").filter(pk=row_id(query.get("of"))).first()
    if source is None:
        return {}
    code = query.get("language", "")
    refuse_translation(source, code)
    return {
        "fields": {
            "language": code,
            "of": source.pk,
            "text": source.current.text if source.current else "",
            "summary": f"Translation of [[{source.title}]]",
        },
        "note": f"This will be the page in {language(code).both_names} for “{source.title}”. The text "
        "below is of that page: write it in your language.",
    }
