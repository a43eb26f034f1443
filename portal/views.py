"""Home, the shelf, people and their preferences: pages that compose games and wiki."""

from collections.abc import Callable
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from allauth.account.views import LoginView, SignupView
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import AnonymousUser
from django.core.paginator import Paginator
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.utils.decorators import method_decorator
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe
from django.views.decorators.vary import vary_on_headers

import games.facts
import games.listing
import wiki.selectors
from games.engine import all_games
from portal import addresses, blocks, selectors
from portal.errors import refuse
from portal.forms import BlockForm, PreferencesForm
from portal.models import SWITCHES, THEMES
from wiki.languages import wanted
from wiki.services.limits import wrote_from
from wiki.services.user_groups import groups_of

CHANGES_SHOWN = 6
SHELF_SHOWN = 6
WAITING_SHOWN, OPEN_SHOWN = 6, 15  # in the lobby; each list has a page of its own
ON_OFF = {"true": True, "false": False}


@require_safe
@never_cache  # what waits for one changes while one is at a table: back must not show it stale
def home(request: HttpRequest) -> HttpResponse:
    """The lobby: what waits for me, open tables, lately in the rules, the shelf."""
    shelf = games.facts.all_facts()
    return render(
        request,
        "portal/home.html",
        {
            **_tables(request, few=True),
            "fan": selectors.fan(shelf),
            "changes": wiki.selectors.recent_changes(CHANGES_SHOWN),
            "shelf": shelf[:SHELF_SHOWN],
            "shelf_count": len(shelf),
        },
    )


@require_safe
@vary_on_headers("HX-Request")
def open_tables(request: HttpRequest) -> HttpResponse:
    """What changes in the lobby, for htmx (``?few=1``: as many as stand there); the open tables on
    pages (``?page=``) for everybody else, of one game with ``?game=``."""
    template = "_open_tables.html" if request.htmx else "open_tables.html"
    return render(request, f"portal/{template}", _tables(request, few="few" in request.GET))


def _tables(request: HttpRequest, *, few: bool) -> dict[str, Any]:
    """What the lobby's lists of tables show; ``few`` of them where there are many."""
    waiting = games.listing.waiting_tables(request.user)
    slug = request.GET.get("game")
    of_game = None if few or slug not in all_games() else slug
    count = games.listing.open_count(of_game)
    sheet = Paginator(range(count), OPEN_SHOWN if few else games.listing.OPEN_LISTED).get_page(
        None if few else request.GET.get("page")
    )
    kept = {"few": 1} if few else {"page": sheet.number}
    return {
        "few": few,
        "open_tables": games.listing.open_tables(
            request.user, of_game, start=max(0, sheet.start_index() - 1), count=len(sheet)
        ),
        "open_count": count,
        "open_sheet": sheet,
        "open_game": games.facts.game_facts(of_game) if of_game else None,
        "open_again": urlencode(kept | ({"game": of_game} if of_game else {})),
        "waiting": waiting[:WAITING_SHOWN],
        "waiting_count": len(waiting),
        "waiting_more": max(0, len(waiting) - WAITING_SHOWN),
        "my_table_count": selectors.table_count(request.user),
        "first_game": next(iter(games.facts.all_facts()), None),
    }


@require_safe
def shelf(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/games.html", {"shelf": games.facts.all_facts()})


@require_safe
@vary_on_headers("Accept-Language", "Cookie")
def game(request: HttpRequest, slug: str) -> HttpResponse:
    """A game's own address leads to its help page, in the language that the reader chose, else in one that
    the browser asks for."""
    wishes = wanted(request.headers.get("Accept-Language", ""))
    if request.user.is_authenticated and request.user.reads:
        wishes = [request.user.reads, *wishes]
    page = selectors.help_page(slug, wishes)
    if page is None:
        raise Http404
    return redirect(page)


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    return render(request, "portal/about.html")


@require_safe
def person(request: HttpRequest, name: str) -> HttpResponse:
    """What somebody has played and written; authors of imported texts have a page too."""
    found = selectors.person(name, request.user)
    if found is None:
        raise Http404
    return render(request, "portal/person.html", _page_of(found, request))


def _page_of(found: selectors.Person, request: HttpRequest) -> dict[str, Any]:
    context: dict[str, Any] = {"person": found, "groups": groups_of(found.user)}
    if found.user and request.user.is_authenticated and blocks.may_block(request.user, found.user):
        context |= {
            "blocked": blocks.block_of(found.user),
            "block_form": BlockForm(address_known=bool(wrote_from(found.user))),
        }
    return context


@require_POST
@login_required
def block_person(request: HttpRequest, name: str) -> HttpResponse:
    """A moderator blocks the account of ``name`` (``reason``, ``days``, ``wiki_only``, ``address``)."""
    found = selectors.person(name, request.user)
    if found is None or found.user is None:
        raise Http404
    address = wrote_from(found.user)
    form = BlockForm(request.POST, address_known=bool(address))
    if not form.is_valid():
        context = _page_of(found, request) | {"block_form": form}
        return render(request, "portal/person.html", context, status=422)
    wished = form.cleaned_data
    address_too = wished.pop("address", False)
    blocks.block(person=found.user, by=request.user, **wished)
    if address_too:
        addresses.block_range(
            text=addresses.range_around(address),
            by=request.user,
            reason=wished["reason"],
            days=wished["days"],
            accounts_too=False,
            named=found.name,
        )
    messages.success(request, f"{found.name} is blocked.")
    return redirect(found.user)


@require_POST
@login_required
def unblock_person(request: HttpRequest, name: str) -> HttpResponse:
    """A moderator ends the block of ``name`` before its time."""
    found = selectors.person(name, request.user)
    if found is None or found.user is None:
        raise Http404
    blocks.lift(person=found.user, by=request.user)
    messages.success(request, f"{found.name} is no longer blocked.")
    return redirect(found.user)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def preferences(request: HttpRequest) -> HttpResponse:
    form = PreferencesForm(request.POST or None, instance=request.user)
    if request.method == "POST" and form.is_valid():
        form.save()
        messages.success(request, "Saved.")
        return redirect("preferences")
    return render(request, "portal/preferences.html", {"form": form})


@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Sets one preference of the account, as the table page does: ``name``, and ``value`` true or false,
    or one of the themes."""
    name, value = request.POST.get("name", ""), request.POST.get("value", "")
    if not request.user.is_authenticated:
        return refuse(request, 403, "not_logged_in", "Log in to keep this on your account.")
    known = {**dict.fromkeys(SWITCHES, ON_OFF), "theme": {theme: theme for theme, _ in THEMES}}
    if value not in known.get(name, {}):
        return refuse(request, 422, "bad_preference", "There is no such preference.")
    setattr(request.user, name, known[name][value])
    request.user.save(update_fields=[name])
    return JsonResponse({name: known[name][value]})


def for_accounts(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Leads guests to sign up first: with a password or an address they would stay guests, who go when idle."""

    @wraps(view)
    def led(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.user.is_authenticated and request.user.is_guest:
            return redirect("account_signup")
        return view(request, *args, **kwargs)

    return led


class GuestsWelcome:
    """Lets guests through to what allauth keeps for people who are not logged in.

    ``request.guest`` is the guest meanwhile, or None.
    """

    @method_decorator(sensitive_post_parameters())
    @method_decorator(never_cache)
    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.guest = None
        if request.user.is_authenticated and request.user.is_guest:
            request.guest, request.user = request.user, AnonymousUser()
        return super().dispatch(request, *args, **kwargs)


class GuestSignup(GuestsWelcome, SignupView):
    """Signing up; a guest's row becomes the account (``people.AccountAdapter``)."""

    def form_valid(self, form: Form) -> HttpResponse:
        if stopped := addresses.block_on(self.request.META.get("REMOTE_ADDR", "")):
            form.add_error(None, addresses.no_sign_up(stopped))
            return self.form_invalid(form)
        try:
            with transaction.atomic():
                return super().form_valid(form)
        except IntegrityError:  # of two who choose a name at the same moment, the second
            form.add_error("username", "Somebody has just taken this name. Please choose another.")
            return self.form_invalid(form)


class GuestLogin(GuestsWelcome, LoginView):
    """Logging in; a guest's tables come along (``guests.bring_along``)."""
