"""Tables over HTTP: pages and forms, and the same services as the socket's for those without one."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import msgspec
from django.core.exceptions import RequestDataTooBig
from django.db import transaction
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseRedirect,
    JsonResponse,
    RawPostDataException,
)
from django.shortcuts import redirect, render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.cache import (
    add_never_cache_headers,
    get_conditional_response,
    patch_cache_control,
    patch_vary_headers,
)
from django.utils.http import quote_etag
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from games import door, facts, hooks, listing, selectors, services
from games.engine import Game, GameError, IllegalMove, Msg, get_game
from games.errors import MalformedFrame, NoSuchPly, NothingWaits, NotSeated
from games.export import export_table, playthrough_of
from games.finders import has_file
from games.forms import NewTableForm
from games.models import Seat, Table
from games.modules import module_urls
from games.realtime import allowance, frames
from portal.visitor import network

View = Callable[..., HttpResponse]

_allowances = allowance.Allowances()
T = TypeVar("T")


class ActBody(msgspec.Struct):
    """Body of ``act``: as the frame of the socket."""

    key: frames.Key
    ply: frames.PlyNumber
    action: dict[str, Any]


class UndoBody(msgspec.Struct):
    """Body of ``undo``."""

    key: frames.Key


class CheckBody(msgspec.Struct):
    """Body of ``check``."""

    ply: frames.PlyNumber
    action: dict[str, Any]
    key: frames.Key | None = None


class SayBody(msgspec.Struct):
    """Body of ``say``."""

    text: str
    key: frames.Key


class NoteBody(msgspec.Struct):
    """Body of ``note``."""

    text: str | msgspec.UnsetType = msgspec.UNSET
    marks: Any = msgspec.UNSET
    version: frames.PlyNumber | None = None
    key: frames.Key | None = None


def for_machines(view: View) -> View:
    """Answers JSON; a refusal too, with its status."""
    return never_cache(keepable(view))


def keepable(view: View) -> View:
    """As ``for_machines``, where the view itself says how long its answer may be kept."""

    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            _not_too_fast(request)
            return view(request, *args, **kwargs)
        except GameError as error:
            key = frames.key_in(_body(request).decode(errors="replace"))
            rules_speak = isinstance(error, IllegalMove)
            slug = services.game_of(kwargs["table_id"]) if rules_speak else ""
            refused = JsonResponse(door.refusal(error, key, slug), status=error.status)
            add_never_cache_headers(refused)
            return refused

    return answering


def for_people(view: View) -> View:
    """Answers pages; a refusal is a page with its sentence, its status and the way back. The table's
    script, which asks for JSON, gets the refusal as such, and for a redirect ``{"url": ...}``."""

    @wraps(view)
    def answering(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            answer = view(request, *args, **kwargs)
        except GameError as error:
            if door.wants_json(request):
                return JsonResponse(door.refusal(error), status=error.status)
            found = kwargs.get("table_id")
            back = reverse("table", args=[found]) if found and error.status != 404 else None
            context = {"reason": str(error), "code": error.code, "back": back}
            return render(request, "games/refused.html", context, status=error.status)
        if door.wants_json(request) and isinstance(answer, HttpResponseRedirect):
            return JsonResponse({"url": answer.url})
        return answer

    return never_cache(answering)


# -- pages ------------------------------------------------------------------------------------


@require_http_methods(["GET", "POST"])
@for_people
def open_table(request: HttpRequest) -> HttpResponse:
    """The form for a new table (``?game=slug&players=n``), and what it sends."""
    sent = request.POST if request.method == "POST" else request.GET
    if not sent.get("game"):
        return render(request, "games/choose.html", {"games": facts.all_facts()})
    game = get_game(sent["game"])
    seats = _players(game, sent.get("players", ""))
    context: dict[str, Any] = {"facts": facts.game_facts(game.slug), "seats": seats}
    if request.method == "GET":
        return render(
            request, "games/new.html", {**context, "form": NewTableForm.fresh(game, seats)}
        )
    form = NewTableForm.sent(game, seats, request.POST)
    try:
        values = form.values()
        table = _as_somebody(request, lambda who: services.open_table(player=who, **values))
    except GameError as error:
        context |= {"form": form, "reason": str(error)}
        return render(request, "games/new.html", context, status=error.status)
    return redirect(table)


@require_safe
@for_people
def my_tables(request: HttpRequest) -> HttpResponse:
    """All tables of the person, what waits first."""
    rows = listing.my_tables(request.user)
    context = {
        "waiting": [row for row in rows if row.waiting_for],
        "running": [row for row in rows if row.status == Table.PLAYING and not row.waiting_for],
        "open": [row for row in rows if row.status == Table.OPEN and not row.waiting_for],
        "over": [row for row in rows if row.status not in (Table.PLAYING, Table.OPEN)],
    }
    return render(request, "games/my_tables.html", context)


@require_safe
@for_machines
def waiting(request: HttpRequest) -> HttpResponse:
    """How many other tables than ``?after=id`` wait for this person, and where the next one is."""
    count, url = listing.next_waiting(request.user, request.GET.get("after", ""))
    return JsonResponse({"count": count, "next": url})


@require_safe
@for_people
def next_table(request: HttpRequest) -> HttpResponse:
    """On to the next table that waits for this person, other than ``?after=id``."""
    _, url = listing.next_waiting(request.user, request.GET.get("after", ""))
    if url is None:
        raise NothingWaits
    return redirect(url)


@require_safe
@for_people
@ensure_csrf_cookie
def table(request: HttpRequest, table_id: str) -> HttpResponse:
    """A table: its waiting room before the start, then the game (``?ply=n``: looking back at row n;
    ``?plain``: seats, result and log for those whose browser runs no script)."""
    found, seats = door.current_table(table_id)
    if table_id != found.public_id:
        query = request.META.get("QUERY_STRING", "")
        return redirect(f"{found.get_absolute_url()}{'?' if query else ''}{query}")
    payload = selectors.table_payload(found, request.user, seats=seats)
    context = {"table": found, "payload": payload, "facts": facts.game_facts(found.game)}
    if found.seed is None:
        context |= {"until": services.open_until(found), "fewest": services.fewest(found)}
        context["full"] = all(seat.kind != Seat.OPEN for seat in seats)
        context["link"] = request.build_absolute_uri(found.get_absolute_url())
        context["doors"] = _doors(found)
        part = bool(getattr(request, "htmx", False))
        return render(request, "games/_waiting.html" if part else "games/waiting.html", context)
    if getattr(request, "htmx", False):  # the waiting room asks, and the game has begun
        return HttpResponse(headers={"HX-Refresh": "true"})
    if "plain" in request.GET:
        return render(request, "games/plain.html", context)
    if request.GET.get("ply"):
        payload["past"] = _past_or_refusal(request, found)
    context |= {
        "doors": _doors(found),
        "asked": [seat["name"] for seat in payload["seats"] if seat["pending"]],
        "board_js": _brought(found.game, "board.js"),
        "board_css": _brought(found.game, "board.css"),
        "art": _brought(found.game, "art.svg"),
        "modules": module_urls("games/table.js", f"games/{found.game}/board.js"),
    }
    return render(request, "games/table.html", context)


def _brought(slug: str, name: str) -> str:
    """The address of a file that the game brings; empty where it brings none."""
    return static(f"games/{slug}/{name}") if has_file(slug, name) else ""


# -- forms ------------------------------------------------------------------------------------


@require_POST
@for_people
def play_now(request: HttpRequest, slug: str) -> HttpResponse:
    """One click from the help page: a table against bots, for a new guest where nobody is logged in."""
    get_game(slug)
    return redirect(_as_somebody(request, lambda who: services.play_now(player=who, game=slug)))


@require_POST
@for_people
def join_table(request: HttpRequest, table_id: str) -> HttpResponse:
    return redirect(_as_somebody(request, lambda who: services.join(table_id=table_id, player=who)))


@require_POST
@for_people
def start_table(request: HttpRequest, table_id: str) -> HttpResponse:
    return redirect(services.start(table_id=table_id, player=request.user))


@require_POST
@for_people
def fill_table(request: HttpRequest, table_id: str) -> HttpResponse:
    return redirect(services.fill_with_bots(table_id=table_id, player=request.user))


@require_POST
@for_people
def leave_table(request: HttpRequest, table_id: str) -> HttpResponse:
    """Get up: before the start the chair is free again, afterwards the table's rule holds."""
    found = services.find_table(table_id)
    _seated(request)
    if found.status == Table.OPEN:
        left = services.get_up(table_id=table_id, player=request.user)
        return redirect(left or "my_tables")
    services.leave(table_id=table_id, player=request.user)
    return redirect(found)


@require_POST
@for_people
def return_to_seat(request: HttpRequest, table_id: str) -> HttpResponse:
    _seated(request)
    return redirect(services.come_back(table_id=table_id, player=request.user).table)


@require_POST
@for_people
def take_over_seat(request: HttpRequest, table_id: str) -> HttpResponse:
    """Sit down on ``seat``, whose person left."""
    seat = _seat_number(request)
    row = _as_somebody(
        request, lambda who: services.take_over(table_id=table_id, player=who, seat=seat)
    )
    return redirect(row.table)


@require_POST
@for_people
def set_aside(request: HttpRequest, table_id: str) -> HttpResponse:
    """Let the game play for the person at ``seat``, who does not answer; with ``claim``: they lose."""
    found = services.find_table(table_id)
    _seated(request)
    services.set_aside(
        table_id=table_id,
        player=request.user,
        seat=_seat_number(request),
        claim=bool(request.POST.get("claim")),
    )
    return redirect(found)


@require_POST
@for_people
def rematch(request: HttpRequest, table_id: str) -> HttpResponse:
    _seated(request)
    return redirect(services.rematch(table_id=table_id, player=request.user))


# -- the socket's services over HTTP ------------------------------------------------------------


@require_safe
@for_machines
def table_state(request: HttpRequest, table_id: str) -> HttpResponse:
    """The table for this person; ``?ply=n``: the log after n only."""
    since = _ply(request.GET["ply"]) if request.GET.get("ply") else None
    return JsonResponse(door.state(table_id=table_id, viewer=request.user, since=since, chat=True))


@require_safe
@keepable
def table_past(request: HttpRequest, table_id: str, ply: str) -> HttpResponse:
    """The table as this person could see it after row ``ply``; ``?open=1``: as all may, once it is over.

    Browsers ask each time whether what they kept of a finished table still holds: not every browser
    minds ``Vary: Cookie``, and the next person at it is another viewer.
    """
    found = services.find_table(table_id)
    response = JsonResponse(_past(request, found, ply))
    if not found.is_over:
        add_never_cache_headers(response)
        return response
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    etag = quote_etag(hashlib.blake2b(response.content, digest_size=16).hexdigest())
    response.headers["ETag"] = etag
    answer: HttpResponse = get_conditional_response(request, etag=etag, response=response)
    return answer


@require_safe
@for_people
def table_export(request: HttpRequest, table_id: str) -> HttpResponse:
    """A game that is over as a file: JSON, or with ``?as=playthrough`` the text that plays it again."""
    found = services.find_table(table_id)
    kind = request.GET.get("as", "json")
    if kind == "playthrough":
        data, suffix, media = playthrough_of(found).encode(), "txt", "text/plain; charset=utf-8"
    elif kind == "json":
        data, suffix, media = msgspec.json.encode(export_table(found)), "json", "application/json"
    else:
        raise MalformedFrame("A game is given as json or as playthrough.")
    name = f"{found.game}-{found.dashed_id}.{suffix}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(data, content_type=media, headers=headers)


@require_safe
@for_machines
def table_moves(request: HttpRequest, table_id: str) -> HttpResponse:
    return JsonResponse(door.moves(table_id=table_id, viewer=request.user))


@require_safe
@for_machines
def table_hint(request: HttpRequest, table_id: str) -> HttpResponse:
    return JsonResponse(door.hint(table_id=table_id, viewer=request.user))


@require_POST
@for_machines
def table_act(request: HttpRequest, table_id: str) -> HttpResponse:
    body: ActBody = _read(request, ActBody)
    row = services.act(
        table_id=table_id, player=request.user, ply=body.ply, key=body.key, action=body.action
    )
    return JsonResponse({"on": "ack", "key": body.key, "ply": row.number})


@require_POST
@for_machines
def table_undo(request: HttpRequest, table_id: str) -> HttpResponse:
    body: UndoBody = _read(request, UndoBody)
    row = services.undo(table_id=table_id, player=request.user, key=body.key)
    return JsonResponse({"on": "ack", "key": body.key, "ply": row.number})


@require_POST
@for_machines
def table_check(request: HttpRequest, table_id: str) -> HttpResponse:
    body: CheckBody = _read(request, CheckBody)
    label = services.check(table_id=table_id, player=request.user, ply=body.ply, action=body.action)
    return JsonResponse(door.checked(label, body.key, services.game_of(table_id)))


@require_POST
@for_machines
def table_say(request: HttpRequest, table_id: str) -> HttpResponse:
    body: SayBody = _read(request, SayBody)
    services.say(table_id=table_id, player=request.user, text=body.text, key=body.key)
    return JsonResponse({"on": "ack", "key": body.key})


@require_POST
@for_machines
def table_note(request: HttpRequest, table_id: str) -> HttpResponse:
    body: NoteBody = _read(request, NoteBody)
    note = services.save_note(
        table_id=table_id,
        player=request.user,
        text=body.text,
        marks=body.marks,
        version=body.version,
    )
    return JsonResponse({"on": "ack", "key": body.key, "version": note.version})


# -- inside -------------------------------------------------------------------------------------


def _ply(text: str) -> int:
    try:
        number: int = msgspec.convert(text, frames.PlyNumber, strict=False)
    except msgspec.ValidationError as error:
        raise MalformedFrame("A ply is a number from 0.") from error
    return number


def _past(request: HttpRequest, found: Table, ply: str) -> dict[str, Any]:
    try:
        number = _ply(ply)
    except MalformedFrame as error:
        raise NoSuchPly(found.ply) from error
    everything = request.GET.get("open") == "1"
    return door.past(found, request.user, number, everything=everything)


def _past_or_refusal(request: HttpRequest, found: Table) -> dict[str, Any]:
    """The position that an address names, or why there is none."""
    try:
        return _past(request, found, request.GET["ply"])
    except GameError as error:
        return door.refusal(error)


def _not_too_fast(request: HttpRequest) -> None:
    """Raises ``SlowDown`` where one session, or an address without any, sends more than a socket may."""
    if request.method == "POST":
        session = request.session.session_key if request.user.is_authenticated else None
        _allowances.take(session or network(request.META.get("REMOTE_ADDR", "")))


def _read(request: HttpRequest, kind: type[Any]) -> Any:
    return frames.read_json(_body(request), msgspec.json.Decoder(kind))


def _body(request: HttpRequest) -> bytes:
    """What was sent; of what Django will not even read, enough to see that it is too long."""
    try:
        return request.body
    except RequestDataTooBig:
        return b" " * (frames.LONGEST + 1)
    except RawPostDataException:  # it came as a form, and the token was looked for in it
        return b""


def _as_somebody(request: HttpRequest, work: Callable[[Any], T]) -> T:
    """Do ``work`` as the person of this request. A stranger becomes a guest by it; where it is refused,
    nobody has become anything."""
    if request.user.is_authenticated:
        return work(request.user)
    with transaction.atomic():
        guest = hooks.new_guest(request)
        done = work(guest)
    hooks.welcome(request, guest)
    return done


def _seated(request: HttpRequest) -> None:
    if not request.user.is_authenticated:
        raise NotSeated


def _seat_number(request: HttpRequest) -> int:
    sent = request.POST.get("seat", "")
    if not sent.isascii() or not sent.isdecimal() or len(sent) > 3:
        raise MalformedFrame("Which seat?")
    return int(sent)


def _players(game: Game[Any, Any, Any], sent: str) -> int:
    """How many play; where nothing is said, the usual number. Raises BadTable."""
    counts = game.meta.seats
    if not sent:
        return min((count for count in counts if count > 1), default=min(counts))
    found = next((count for count in counts if str(count) == sent), None)
    if found is None:
        words = facts.game_facts(game.slug).seats_words
        raise services.BadTable(Msg("{game} is for {words}.", game=game.meta.name, words=words))
    return found


def _doors(found: Table) -> dict[str, str]:
    """The addresses that the table's script uses, by name."""
    here = {"table_id": found.public_id}
    names = ("act", "undo", "check", "state", "moves", "say", "note")
    doors = {name: reverse(f"table_{name}", kwargs=here) for name in names}
    if services.gives_hints(found):
        doors["hint"] = reverse("table_hint", kwargs=here)
    doors["socket"] = f"/ws/tables/{found.public_id}"
    doors["leave"] = reverse("leave_table", kwargs=here)
    doors["return"] = reverse("return_to_seat", kwargs=here)
    doors["rematch"] = reverse("rematch", kwargs=here)
    doors["set_aside"] = reverse("set_aside", kwargs=here)
    doors["take_over"] = reverse("take_over_seat", kwargs=here)
    return doors
