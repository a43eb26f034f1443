"""Texts of people who went to log in, kept in the session under the slug of the page."""

from django.http import HttpRequest

from wiki.views.edit_form import Form

PARCELS = "wiki_drafts"
MOST = 3


def keep(request: HttpRequest, slug: str, form: Form) -> None:
    """Keep what ``form`` holds; of several pages the newest few."""
    fields = {name: getattr(form, name) for name in Form.__dataclass_fields__ if name != "action"}
    others = request.session.get(PARCELS, {})
    others.pop(slug, None)
    newest = list(others.items())[-(MOST - 1) :]
    request.session[PARCELS] = dict([*newest, (slug, fields)])


def kept(request: HttpRequest, slug: str) -> Form | None:
    fields = request.session.get(PARCELS, {}).get(slug)
    return Form(**fields) if fields else None


def drop(request: HttpRequest, slug: str) -> None:
    parcels = request.session.get(PARCELS, {})
    if parcels.pop(slug, None) is not None:
        request.session[PARCELS] = parcels


def move(request: HttpRequest, slug: str, new: str) -> None:
    """Keep what was written for ``slug`` under ``new``: the page was renamed meanwhile."""
    parcels = request.session.get(PARCELS, {})
    if slug in parcels and new not in parcels:
        parcels[new] = parcels.pop(slug)
        request.session[PARCELS] = parcels
