"""History, differences, recent changes, contributions."""

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from portal.models import User
from wiki import selectors
from wiki.errors import WikiError
from wiki.history.diff import compare as compare_texts
from wiki.history.feeds import original_text
from wiki.listing import SPANS, Wish, stretch
from wiki.models import Page, Revision
from wiki.services.history import KNOWN
from wiki.services.rights import is_reviewer
from wiki.services.rollback import edits_of, may_mass_revert, may_roll_back
from wiki.services.user_groups import groups_of
from wiki.views.door import (
    door,
    existing_page,
    last_row,
    page_context,
    refusal,
    revision_of,
    sheet_of,
)


@require_safe
@door
def history(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_page(slug)
    minor = request.GET.get("minor") != "0"
    sheet = sheet_of(request, selectors.history(page, minor=minor, viewer=request.user))
    for revision in sheet:
        revision.page = page
    written = [row.pk for row in sheet if row.text_state in KNOWN and not row.event]
    newer, older = [*written, None, None][:2]  # what is chosen at first can be compared
    context = page_context(request, page, "history") | {
        "newest_edit": newest_edit(page, request.user),
        "patrols": is_reviewer(request.user),
        "sheet": sheet,
        "minor": minor,
        "newer": newer,
        "older": older,
    }
    return render(request, "wiki/history.html", context)


def newest_edit(page: Page, person: User | AnonymousUser) -> int | None:
    """The row id of the newest edit of ``page``, where ``person`` may take it back with one button."""
    if not may_roll_back(person):
        return None
    return edits_of(page).values_list("pk", flat=True).first()


@require_safe
@door
def compare(request: HttpRequest, slug: str) -> HttpResponse:
    """Where the two rows chosen in a history lead: to their difference, the older first."""
    page = existing_page(slug)
    if not request.GET.get("a") or not request.GET.get("b"):
        raise WikiError("choose_two", "Choose two revisions to compare.")
    chosen = [revision_of(page, request.GET[side]) for side in ("a", "b")]
    old, new = sorted(chosen, key=lambda revision: revision.number)
    return redirect("wiki_diff", page.slug, old.pk, new.pk)


@require_safe
@door
def diff(request: HttpRequest, slug: str, old_id: int, new_id: int) -> HttpResponse:
    """The difference of two revisions; ``old_id`` 0 is the time before the page existed.

    ``?original=1`` compares the wikitext of imported revisions in place of our Markdown.
    """
    page = existing_page(slug)
    old = revision_of(page, old_id, request.user) if old_id else None
    new = revision_of(page, new_id, request.user)
    if slug != page.slug:
        return redirect("wiki_diff", page.slug, old_id, new_id)
    unknown = [row for row in (old, new) if row and row.text_state not in KNOWN]
    originals = all(row is None or row.source_text is not None for row in (old, new))
    original = originals and "original" in request.GET
    read = original_text if original else (lambda revision: revision.text)
    between = selectors.between(old, new, request.user)
    earlier, later = selectors.rows_around(old or new, new)
    patrols = is_reviewer(request.user)
    seen = [row for row in [*between, new] if row.needs_patrol] if patrols else []
    context = page_context(request, page, "history") | {
        "unpatrolled": seen,
        "rolls_back": newest_edit(page, request.user) == new.pk,
        "old": old,
        "new": new,
        "unknown": unknown,
        "hidden": [row for row in unknown if row.text_state == Revision.HIDDEN],
        "original": original,
        "originals": originals,
        "difference": None if unknown else compare_texts(read(old) if old else "", read(new)),
        "between": between,
        "between_names": list(dict.fromkeys(row.author_name for row in between)),
        "earlier": earlier if old else None,
        "later": later,
    }
    return render(request, "wiki/diff.html", context)


@require_safe
@door
def changes(request: HttpRequest) -> HttpResponse:
    wish = Wish.read(request.GET)
    rows = wish.of(selectors.changes(request.user), request.user)
    context = {
        "wish": wish,
        "spans": SPANS,
        "stretch": stretch(rows, last_row(request)),
        "patrols": is_reviewer(request.user),
    }
    return render(request, "wiki/changes.html", context)


@require_safe
@door
def contributions(request: HttpRequest, name: str) -> HttpResponse:
    """What was saved under ``name``: an account, a guest, or an author known from an import."""
    account = get_user_model().objects.filter(username=name).first()
    counts = selectors.contribution_counts(name, request.user)
    if account is None and not counts["edits"]:
        return refusal(
            request, WikiError("no_contributions", f"Nobody called {name} wrote here.", status=404)
        )
    minor = request.GET.get("minor") != "0"
    rows = selectors.contributions(name, request.user)
    context = {
        "name": name,
        "account": account,
        "groups": groups_of(account),
        "mass_reverts": bool(counts["edits"]) and may_mass_revert(request.user),
        "rolls_back": may_roll_back(request.user),
        "counts": counts,
        "minor": minor,
        "sheet": sheet_of(request, rows if minor else rows.filter(minor=False)),
    }
    return render(request, "wiki/contributions.html", context)
