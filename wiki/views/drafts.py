"""Drafts: saving one as it is written, the list of one's own, discarding."""

from dataclasses import dataclass

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe

from portal.models import User
from wiki import selectors
from wiki.errors import WikiError
from wiki.markup.sections import section_or_none
from wiki.models import Page, Revision, SavedDraft
from wiki.services.drafts import KEPT_DAYS, Written, discard, drafts_of, save_draft, version_of
from wiki.services.rename import renamed_page
from wiki.titles import check_title, make_slug
from wiki.views.door import door
from wiki.views.edit_form import Form

SHOWN = 200  # characters of a draft in the list


@dataclass(frozen=True)
class Offer:
    """A draft as it is offered: where it leads, and what became of its page since."""

    draft: SavedDraft
    page: Page | None
    heading: str  # of its section, or nothing
    older: bool  # the page has a newer version than the draft started from

    @property
    def title(self) -> str:
        return self.page.title if self.page else self.draft.title or self.draft.slug

    @property
    def slug(self) -> str:
        return self.page.slug if self.page else self.draft.slug

    @property
    def start(self) -> str:
        text = " ".join(self.draft.text.split())
        return text if len(text) <= SHOWN else f"{text[: SHOWN - 1]}…"


def offers(user: User, page: Page | None, slug: str) -> list[Offer]:
    """The drafts that ``user`` has for one page."""
    drafts = list(drafts_of(user, page, slug))
    bases = base_texts(drafts)
    return [offer(draft, page, bases) for draft in drafts]


def offer(draft: SavedDraft, page: Page | None, bases: dict[int, str]) -> Offer:
    section = section_or_none(bases.get(draft.base or 0, ""), draft.section)
    older = page is not None and page.current_id != draft.base
    return Offer(draft, page, section.heading if section else "", older)


def base_texts(drafts: list[SavedDraft]) -> dict[int, str]:
    """By row id, the texts in which the sections of ``drafts`` are counted."""
    wanted = [draft.base for draft in drafts if draft.section and draft.base]
    rows = Revision.objects.filter(pk__in=wanted, text_hidden=False, page__deleted_at=None)
    return dict(rows.values_list("pk", "text")) if wanted else {}


def written(form: Form) -> Written:
    return Written(
        text=form.text,
        base=form.base,
        section=form.section,
        title=form.title,
        summary=form.summary,
        minor=form.minor,
        language=form.language,
        translates=form.of,
    )


@require_POST
def draft(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep what the editor holds; answers with the draft's id, version and time, or a refusal, as JSON."""
    try:
        if not request.user.is_authenticated:
            raise WikiError("who_are_you", "You are not logged in any more.", status=403)
        if "text" not in request.POST:
            raise WikiError("no_text_sent", "The text did not arrive.")
        form = Form.read(request.POST)
        page = renamed_page(form.base)  # as for an edit that began before
        if page is None and (found := selectors.find_page(slug, form.title)):
            page = found.page
        saved = save_draft(
            user=request.user,
            slug=page.slug if page else make_slug(slug) or check_title(slug),
            written=written(form),
            known=form.draft,
            replace="replace" in request.POST,
        )
    except WikiError as error:
        return JsonResponse({"code": error.code, "reason": error.message}, status=error.status)
    return JsonResponse(
        {"id": saved.pk, "version": version_of(saved), "clock": f"{saved.saved_at:%H:%M}"}
    )


@login_required
@never_cache
@require_safe
@door
def drafts(request: HttpRequest) -> HttpResponse:
    """What the person has written and not published, the newest first."""
    rows = list(SavedDraft.objects.filter(user=request.user).order_by("-saved_at"))
    pages = selectors.pages_at({row.slug for row in rows})
    bases = base_texts(rows)
    found = [offer(row, pages.get(row.slug), bases) for row in rows]
    return render(request, "wiki/drafts.html", {"offers": found, "kept_days": KEPT_DAYS})


@login_required
@require_POST
@door
def discard_draft(request: HttpRequest, pk: int) -> HttpResponse:
    gone = discard(user=request.user, pk=pk)
    messages.info(request, f"The draft of {gone.saved_at:%H:%M} is discarded.")
    back = request.POST.get("next", "")
    safe = url_has_allowed_host_and_scheme(back, {request.get_host()}, request.is_secure())
    return redirect(back if safe else "wiki_drafts")
