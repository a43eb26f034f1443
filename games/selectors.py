"""What can be read of tables and games.

``table_payload`` is the one builder of what a person may see of a table. Pages, sockets and HTTP
send what it returns and nothing else; no state, no action of the log and no seed goes around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any

import msgspec
from django.db.models import Exists, F, OuterRef, Prefetch, Q, QuerySet
from django.templatetags.static import static
from django.urls import reverse

from games import hooks, services
from games.engine import (
    BadOptions,
    Game,
    Moves,
    Msg,
    all_games,
    asked,
    differing,
    get_game,
    read_options,
)
from games.engine.match import UNDO
from games.errors import CannotGoOn, NotFinished
from games.finders import has_file
from games.ids import plain_id
from games.models import Ply, Seat, SeatNote, Table
from games.services import clock
from games.services.clock import milliseconds
from games.services.talking import message_data
from games.services.writing import AnyMatch, match_of
from games.translation import translated, translated_text

LABELLED = 60  # moves in a state; the rest on request
CHAT_LINES = 100  # messages with a page
OPEN_LISTED = 50  # tables on a page of open ones
LOW = {"live": timedelta(minutes=1), "slow": timedelta(hours=1), "none": timedelta(0)}


# -- one table --------------------------------------------------------------------------------


def table_payload(
    table: Table,
    viewer: Any,
    since: int | None = None,
    *,
    with_chat: bool = False,
    seats: Sequence[Seat] | None = None,
) -> dict[str, Any]:
    """What ``viewer`` (a person, an anonymous one, or None) may see of ``table``, as JSON.

    ``since``: log lines of rows after this ply only; None: the whole log, the chat and the private
    notes besides (the chat also ``with_chat``, for those who may have missed some). ``seats``: those of
    the table, where they have been read already. ``docs/protocol.md`` describes every field.
    """
    seats = services.seats_of(table) if seats is None else seats
    mine = seat_of(seats, viewer)
    me = mine.index if mine is not None and table.status != Table.OPEN else None
    game = get_game(table.game)
    match, stopped = _match(table, seats)
    pending = [] if match is None or table.is_over else sorted(match.keys)
    may = _may(table, seats, mine, viewer, pending, playable=match is not None)
    log, undone = _log(table, mine if me is not None else None, since)
    payload: dict[str, Any] = {
        "id": table.public_id,
        "game": table.game,
        "name": game.meta.name,
        "status": table.status,
        "stopped": _msg(stopped, table.game),
        "ply": table.ply,
        "you": me,
        "seats": _seats(table, seats, mine, match, pending, may),
        "pending": pending,
        "asked_at": None if match is None or me is None else match.asked_at[me],
        "view": _view(table, match, me),
        "moves": _moves(table, match, mine, pending),
        "undo": _may_undo(table, match, mine),
        "summary": None if match is None else _msg(game.summary(match.state), table.game),
        "progress": 0.0 if match is None else round(game.progress(match.state), 4),
        "outcome": _outcome(table),
        "log": log,
        "log_from": 0 if since is None else since,
        "undone": undone,
        "may": may,
        "now": milliseconds(clock.now()),
        "next_at": _next_at(table, seats, pending),
        "pace": {
            "key": table.pace,
            "kind": table.pace_info.kind,
            "words": table.pace_info.words,
        },
        "absence": table.absence,
        "visibility": table.visibility,
        "conditions": _conditions(table),
        "seed_hash": table.seed_hash,
        "seed": bytes(table.seed).hex() if table.is_over and table.seed is not None else None,
        "options": _options(table, len(seats)),
        "rematch": _rematch(table),
        "finished_at": milliseconds(table.finished_at),
    }
    if since is None or with_chat:
        payload["chat"] = chat_lines(table)
    if since is None:
        payload["notes"] = _notes(table, mine)
        payload["help"] = _help(table)
    return payload


def all_moves(table: Table, viewer: Any, seats: Sequence[Seat] | None = None) -> dict[str, Any]:
    """Every listed move of the viewer's seat with its label; None where it is not asked."""
    seats = services.seats_of(table) if seats is None else seats
    mine = seat_of(seats, viewer)
    match, _ = _match(table, seats)
    pending = [] if match is None or table.is_over else sorted(match.keys)
    found = _moves(table, match, mine, pending, limit=None)
    return {"ply": table.ply, "moves": found}


def past_payload(
    table: Table,
    viewer: Any,
    ply: int,
    *,
    everything: bool = False,
    seats: Sequence[Seat] | None = None,
) -> dict[str, Any]:
    """``table`` as ``viewer`` could see it right after row ``ply`` (0: the set-up), as JSON.

    Whoever took a seat over sees it from that row on, and before as a spectator. ``everything``: as all
    may see it once the game is over. Raises NotPlaying (before the start), NoSuchPly, NotFinished,
    CannotGoOn.
    """
    seats = services.seats_of(table) if seats is None else seats
    match = services.match_at(table, len(seats), ply)
    if everything and not table.is_over:
        raise NotFinished("Everything is shown when the game is over.")
    mine = seat_of(seats, viewer)
    me = mine.index if mine is not None and ply >= mine.since else None
    opened = everything or match.outcome is not None
    game = match.game
    return {
        "ply": ply,
        "last": table.ply,
        "you": me,
        "view": game.reveal(match.state) if opened else game.view(match.state, me),
        "pending": sorted(match.keys),
        "standings": game.standing(match.state) or [None] * len(seats),
        "summary": _msg(game.summary(match.state), table.game),
        "progress": round(game.progress(match.state), 4),
        "outcome": _outcome(table) if match.outcome is not None else None,
        "open": opened,
    }


def _match(table: Table, seats: Sequence[Seat]) -> tuple[AnyMatch | None, Msg | None]:
    """The match of a table that has begun; or, where the rules of today cannot read it, why."""
    if table.seed is None:
        return None, None
    try:
        return match_of(table, len(seats)), None
    except CannotGoOn as error:
        return None, error.msg


def chat_lines(table: Table) -> list[dict[str, Any]]:
    """The last messages at ``table``, the oldest first."""
    newest = table.chat.order_by("-id")[:CHAT_LINES]
    return [message_data(message) for message in reversed(newest)]


def seat_of(seats: Iterable[Seat], viewer: Any) -> Seat | None:
    """Where ``viewer`` sits; None for spectators, and for those whose account has been closed. One
    who left keeps the seat until somebody else has taken it over."""
    if viewer is None or viewer.pk is None:
        return None
    mine = next((seat for seat in seats if seat.user_id == viewer.pk), None)
    return mine if mine is not None and mine.user.is_active else None


def _seats(
    table: Table,
    seats: Sequence[Seat],
    mine: Seat | None,
    match: AnyMatch | None,
    pending: Sequence[int],
    may: dict[str, Any],
) -> list[dict[str, Any]]:
    standing = [] if match is None else match.game.standing(match.state)
    moment = clock.now()
    return [
        {
            "index": seat.index,
            "kind": seat.kind,
            "name": seat.name,
            "you": seat is mine,
            "host": seat.user_id is not None and seat.user_id == table.host_id,
            "zombie": seat.zombie,
            "pending": seat.index in pending,
            "standing": standing[seat.index] if standing else None,
            "asked_since": milliseconds(seat.asked_since) if seat.index in pending else None,
            "overdue": seat.overdue_since is not None,
            "grace_until": milliseconds(seat.expires_at) if seat.overdue_since else None,
            "clock": _clock(seat, moment),
            "may_set_aside": seat.index in may["set_aside"],
            "may_claim": seat.index in may["claim"],
            "may_return": may["return"] and seat is mine,
            "may_take_over": seat.index in may["take_over"],
            "result": None if seat.rank is None else {"rank": seat.rank, "score": seat.score},
        }
        for seat in seats
    ]


def _next_at(table: Table, seats: Sequence[Seat], pending: Sequence[int]) -> int | None:
    """When the next clock runs out, a bot's too, or somebody may be set aside: who waits longer than
    that may ask again."""
    moments = [seat.expires_at for seat in seats if seat.expires_at]
    patient = [services.patient_until(table, seat, pending) for seat in seats]
    moments += [until for until in patient if until is not None and until > clock.now()]
    return milliseconds(min(moments, default=None))


def _clock(seat: Seat, moment: datetime) -> dict[str, Any] | None:
    if seat.automatic or seat.bank is None:
        return None
    running = seat.expires_at is not None and seat.overdue_since is None
    return {
        "bank": clock.left(seat, moment) if not running else seat.bank,
        "expires_at": milliseconds(seat.expires_at) if running else None,
        "running": running,
    }


def _view(table: Table, match: AnyMatch | None, me: int | None) -> dict[str, Any] | None:
    if match is None:
        return None
    if table.is_over:
        return match.game.reveal(match.state)
    return match.game.view(match.state, me)


def _moves(
    table: Table,
    match: AnyMatch | None,
    mine: Seat | None,
    pending: Sequence[int],
    limit: int | None = LABELLED,
) -> dict[str, Any] | None:
    if match is None or mine is None or mine.zombie or mine.index not in pending:
        return None
    moves: Moves[Any] = match.moves(mine.index)
    total = len(moves.items)
    shown = moves.items if limit is None else moves.items[:limit]
    label = match.game.label
    reasons: dict[Msg, int] = {}  # each once, with its place
    for _, why in moves.refused:
        reasons.setdefault(why, len(reasons))
    return {
        "items": [
            {
                "action": _builtins(action),
                "label": _msg(label(match.state, mine.index, action), table.game),
            }
            for action in shown
        ],
        "complete": moves.complete and total == len(shown),
        "examples": not moves.complete,
        "total": total,
        "reasons": [_msg(why, table.game) for why in reasons],
        "refused": {thing: reasons[why] for thing, why in moves.refused},
        "prompt": _msg(moves.prompt, table.game),
    }


def _may_undo(table: Table, match: AnyMatch | None, mine: Seat | None) -> bool:
    if match is None or mine is None or mine.zombie or table.is_over or table.migrated:
        return False
    return match.undoable(mine.index) is not None


def _outcome(table: Table) -> dict[str, Any] | None:
    if table.outcome is None:
        return None
    return {**table.outcome, "text": translated(table.outcome["text"], table.game)}


def _log(
    table: Table, mine: Seat | None, since: int | None
) -> tuple[list[dict[str, Any]], list[int]]:
    """The rows after ``since``, none later than the table's state; and those up to ``since`` that have
    been taken back by them, which a reader must strike now."""
    first = 0 if since is None else since + 1
    if first > table.ply:
        return [], []
    rows = Ply.objects.filter(table_id=table.pk, number__range=(first, table.ply))
    log, undone = [], []
    for number, kind, seat, origin, lines, action, undone_by, at in rows.values_list(
        "number", "kind", "seat", "origin", "lines", "action", "undone_by", "at"
    ):
        log.append(
            {
                "ply": number,
                "kind": kind,
                "seat": seat,
                "origin": origin,
                "at": milliseconds(at),
                "lines": [
                    {**translated(line["msg"], table.game), "heading": line.get("heading", False)}
                    for line in lines
                    if _may_read(line.get("to"), number, mine)
                ],
                "undone": undone_by is not None,
            }
        )
        if kind == UNDO and action["row"] < first:
            undone.append(action["row"])
    return log, undone


def _may_read(to: list[int] | None, ply: int, mine: Seat | None) -> bool:
    """A line for everybody; or one for this seat, written since its person sits there."""
    return to is None or (mine is not None and mine.index in to and ply >= mine.since)


def _may(
    table: Table,
    seats: Sequence[Seat],
    mine: Seat | None,
    viewer: Any,
    pending: Sequence[int],
    *,
    playable: bool,
) -> dict[str, Any]:
    """What the viewer can do with the table itself, for its buttons; the services decide again."""
    open_, playing = table.status == Table.OPEN, table.status == Table.PLAYING and playable
    let_in = mine is None and (not table.accounts_only or _has_account(viewer))
    host = viewer is not None and viewer.pk is not None and table.host_id == viewer.pk
    free = any(seat.kind == Seat.OPEN for seat in seats)
    taken = sum(seat.kind != Seat.OPEN for seat in seats)
    gone = [seat.index for seat in seats if seat.zombie]
    decides = playing and mine is not None and not mine.zombie
    moment = clock.now()
    late = [
        seat
        for seat in seats
        if decides and seat is not mine and services.may_be_set_aside(table, seat, pending, moment)
    ]
    return {
        "join": open_ and free and let_in,
        "leave": mine is not None and not mine.zombie and (open_ or playing),
        "start": open_ and host and services.may_start(table, taken),
        "fill": open_ and host and free,
        "return": playing and mine is not None and mine.zombie,
        "take_over": gone if playing and table.may_take_over and let_in else [],
        "set_aside": [seat.index for seat in late],
        "claim": [seat.index for seat in late if services.may_be_claimed(table, seat, len(seats))],
        "say": mine is not None,
        "rematch": table.is_over and mine is not None,
    }


def _has_account(viewer: Any) -> bool:
    return viewer is not None and viewer.pk is not None and not viewer.is_guest


def _conditions(table: Table) -> dict[str, Any] | None:
    """On what an open table waits; None once it has begun."""
    if table.seed is not None:
        return None
    return {
        "starts": table.starts,
        "least": table.least,
        "accounts_only": table.accounts_only,
        "until": milliseconds(services.open_until(table)),
    }


def _options(table: Table, seats: int) -> list[dict[str, Any]]:
    return [
        {
            **option,
            "title": translated_text(option["title"], table.game),
            "label": translated_text(option["label"], table.game),
        }
        for option in _options_asked(table.game, msgspec.json.encode(table.options), seats)
    ]


@lru_cache(maxsize=512)
def _options_asked(slug: str, chosen: bytes, seats: int) -> list[dict[str, Any]]:
    """The options that are asked, as JSON; kept, since a table's never change. None of them where the
    rules of today know them no longer."""
    game = get_game(slug)
    try:
        options = read_options(game.options_type, msgspec.json.decode(chosen))
    except BadOptions:
        return []
    changed = {field.name for field, _, _ in differing(options)}
    return [
        {
            "name": field.name,
            "title": field.title,
            "label": dict(_texts(field.choices))[str(getattr(options, field.name))],
            "changed": field.name in changed,
        }
        for field in asked(options, seats)
    ]


def _rematch(table: Table) -> str | None:
    if not table.is_over:
        return None
    again = Table.objects.filter(rematch_of=table).first()
    return None if again is None else again.get_absolute_url()


def _notes(table: Table, mine: Seat | None) -> dict[str, Any] | None:
    """What the viewer has noted; None for those who do not sit here (any more)."""
    if mine is None:
        return None
    note = SeatNote.objects.filter(table=table, user_id=mine.user_id).first()
    if note is None:
        return {"text": "", "marks": None, "version": 0}
    return {"text": note.text, "marks": note.marks, "version": note.version}


def _help(table: Table) -> dict[str, Any]:
    """Where the rules stand: the page, the revision this table began with, and whether there is a
    newer one."""
    now, pinned = hooks.help_revision(table.game), table.help_revision
    url = f"/wiki/{table.game}/"
    return {
        "url": url,
        "revision": pinned,
        "pinned_url": url if pinned is None else f"{url}?rev={pinned}",
        "newer": pinned is not None and now != pinned,
    }


def _msg(msg: Msg | None, slug: str) -> dict[str, Any] | None:
    return None if msg is None else translated(msg.data(), slug)


def _builtins(action: Any) -> Any:
    return msgspec.to_builtins(action)


def _texts(choices: Iterable[tuple[Any, str]]) -> list[tuple[str, str]]:
    return [(str(value), label) for value, label in choices]


# -- games ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class GameFacts:
    """What a shelf or a help page says about a game."""

    slug: str
    name: str
    seats: tuple[int, ...]
    seats_words: str  # "2 players", "3 to 5 players"
    minutes: int
    complexity: int  # 1 to 5
    designer: str
    cover_url: str
    hides: bool  # some of it is secret to some until the end


def game_facts(slug: str) -> GameFacts:
    """Facts of one game. Raises UnknownGame."""
    meta = get_game(slug).meta
    return GameFacts(
        slug=slug,
        name=meta.name,
        seats=meta.seats,
        seats_words=_players(meta.seats),
        minutes=meta.minutes,
        complexity=meta.complexity,
        designer=meta.designer,
        cover_url=cover_url(slug),
        hides=meta.hidden,
    )


def all_facts() -> list[GameFacts]:
    """Facts of every game, by name."""
    return sorted(
        (game_facts(slug) for slug in all_games()), key=lambda facts: facts.name.casefold()
    )


def cover_url(slug: str) -> str:
    """The game's cover, or the house's binding for one without."""
    brought = has_file(slug, "cover.svg")
    return static(f"games/{slug}/cover.svg" if brought else "portal/cover-house.svg")


def _players(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return f"{seats[0]} player{'' if seats[0] == 1 else 's'}"
    if list(seats) == list(range(seats[0], seats[-1] + 1)):
        joint = "or" if len(seats) == 2 else "to"
        return f"{seats[0]} {joint} {seats[-1]} players"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]} players"


# -- lists of tables --------------------------------------------------------------------------


@dataclass(frozen=True)
class TableRow:
    """A table in a list, for one person."""

    public_id: str
    url: str
    slug: str
    name: str
    cover_url: str
    title_names: str  # "with Bob, Cy and Dunya", "Noor waits"
    seats_taken: int
    seats_total: int
    seat_kinds: list[str]
    pace_words: str
    option_words: list[str]  # what differs from the default, and on what it waits
    waiting_for: str  # "Choose a card"; empty where the person is asked nothing
    deadline: datetime | None
    low: bool  # little time left
    is_member: bool
    may_join: bool
    status: str
    result: str  # "Cy wins with 68."; empty while it goes on


def waiting_tables(user: Any) -> list[TableRow]:
    """Tables that wait for ``user``, to move or to start them, the soonest deadline first, those without
    one last."""
    if user is None or user.pk is None:
        return []
    asked = _rows_of(user).filter(status__in=[Table.PLAYING, Table.OPEN]).order_by("pk")
    rows = [row for row in (_row(table, user) for table in asked) if row.waiting_for]
    return sorted(rows, key=_soonest)


def waiting_count(user: Any) -> int:
    """How many tables wait for ``user``."""
    return len(_waiting_ids(user))


def next_waiting(user: Any, after: str = "") -> tuple[int, str | None]:
    """How many tables other than ``after`` wait for ``user``, and the address of the next one: the soonest
    deadline first, going round from ``after``. None where none waits."""
    ids = _waiting_ids(user)
    here = plain_id(after)
    place = ids.index(here) + 1 if here in ids else 0
    others = [table_id for table_id in ids[place:] + ids[:place] if table_id != here]
    return len(others), reverse("table", args=[others[0]]) if others else None


def _waiting_ids(user: Any) -> list[str]:
    """Ids of the tables that wait for ``user``, in the order of ``waiting_tables``; read from the seats
    alone, so that any page may ask."""
    if user is None or user.pk is None:
        return []
    free = Seat.objects.filter(table=OuterRef("table"), kind=Seat.OPEN)
    to_move = Q(
        asked_since__isnull=False, table__status=Table.PLAYING, table__stopped_at=None, zombie=False
    )
    to_start = Q(~Exists(free), table__status=Table.OPEN, table__host=user)
    asked = Seat.objects.filter(to_move | to_start, user=user)
    soonest = F("expires_at").asc(nulls_last=True)
    found = asked.order_by(soonest, "table_id").values_list(
        "table__public_id", "table__game", "table__version"
    )
    return [
        table_id
        for table_id, slug, version in found
        if version == get_game(slug).version or _goes_on(table_id)
    ]


def _goes_on(table_id: str) -> bool:
    """Whether a table of older rules than today's can still be read by them."""
    table = services.find_table(table_id)
    return table.seed is None or _match(table, services.seats_of(table))[0] is not None


def open_tables(
    user: Any, slug: str | None = None, *, start: int = 0, count: int = OPEN_LISTED
) -> list[TableRow]:
    """Listed tables one can sit down at, of one game or of all, the newest first: ``count`` of them
    from the one at ``start``."""
    tables = with_seats(_listed_open(slug).order_by("-created_at", "-pk"))
    return [_row(table, user) for table in tables[start : start + count]]


def open_count(slug: str | None = None) -> int:
    """How many tables ``open_tables`` has in all."""
    return _listed_open(slug).count()


def _listed_open(slug: str | None) -> QuerySet[Table]:
    free = Seat.objects.filter(table=OuterRef("pk"), kind=Seat.OPEN)
    listed = Table.objects.filter(Exists(free), status=Table.OPEN, visibility=Table.LISTED)
    return listed if slug is None else listed.filter(game=slug)


def my_tables(user: Any) -> list[TableRow]:
    """All tables of ``user``: those that wait, the soonest deadline first; the other running ones,
    the open ones, and the finished ones, the newest first."""
    if user is None or user.pk is None:
        return []
    order = {Table.PLAYING: 1, Table.OPEN: 2}
    rows = [_row(table, user) for table in _rows_of(user).order_by("-created_at")[:200]]
    return sorted(
        rows, key=lambda row: (0 if row.waiting_for else order.get(row.status, 3), *_soonest(row))
    )


def tables_of(user: Any, viewer: Any) -> list[TableRow]:
    """Finished and running listed tables of ``user``, for their page as ``viewer`` sees it."""
    listed = _rows_of(user).filter(visibility=Table.LISTED, seed__isnull=False)
    return [_row(table, viewer) for table in listed.order_by("-created_at")[:50]]


def _soonest(row: TableRow) -> tuple[bool, float]:
    return (row.deadline is None, 0.0 if row.deadline is None else row.deadline.timestamp())


def _rows_of(user: Any) -> QuerySet[Table]:
    return with_seats(Table.objects.filter(seats__user=user))


def with_seats(tables: QuerySet[Table]) -> QuerySet[Table]:
    """``tables``, which bring their seats and the people there."""
    seats = Seat.objects.select_related("user").order_by("index")
    return tables.prefetch_related(Prefetch("seats", queryset=seats))


def _row(table: Table, user: Any) -> TableRow:
    seats = list(table.seats.all())
    mine = seat_of(seats, user)
    game = get_game(table.game)
    asked = _asked(table, seats, mine)
    deadline = mine.expires_at if mine is not None and asked else None
    low = deadline is not None and deadline - clock.now() < LOW[table.pace_info.kind]
    taken = [seat for seat in seats if seat.kind != Seat.OPEN]
    return TableRow(
        public_id=table.public_id,
        url=table.get_absolute_url(),
        slug=table.game,
        name=game.meta.name,
        cover_url=cover_url(table.game),
        title_names=_title_names(table, seats, mine),
        seats_taken=len(taken),
        seats_total=len(seats),
        seat_kinds=[seat.kind for seat in seats],
        pace_words=table.pace_info.words,
        option_words=[*_option_words(game, table), *_condition_words(table)],
        waiting_for=asked,
        deadline=deadline,
        low=low,
        is_member=mine is not None,
        may_join=table.status == Table.OPEN
        and mine is None
        and len(taken) < len(seats)
        and (not table.accounts_only or _has_account(user)),
        status=table.status,
        result=_result(table, seats, mine),
    )


def _result(table: Table, seats: Sequence[Seat], mine: Seat | None) -> str:
    if table.status == Table.EXPIRED:
        return "Closed: nobody began it in time"
    if table.outcome is None:
        return ""
    text = Msg.from_data(translated(table.outcome["text"], table.game))
    return text.plain([seat.name for seat in seats], None if mine is None else mine.index)


def _condition_words(table: Table) -> list[str]:
    """On what an open table waits, where that is not the usual."""
    if table.status != Table.OPEN:
        return []
    words = ["begins when its host says so"] if table.starts == Table.HOST else []
    fewest = services.fewest(table)
    words += [f"{fewest} players at least"] if fewest > min(get_game(table.game).meta.seats) else []
    return words + (["for people with an account"] if table.accounts_only else [])


def _asked(table: Table, seats: Sequence[Seat], mine: Seat | None) -> str:
    """What ``mine`` is asked, in words; empty where it is not its turn."""
    if table.status == Table.OPEN and mine is not None and mine.user_id == table.host_id:
        return "" if any(seat.kind == Seat.OPEN for seat in seats) else "Start the game"
    if table.status != Table.PLAYING or mine is None or mine.zombie:
        return ""
    try:
        match = match_of(table, len(seats))
    except CannotGoOn:  # the table's page says so
        return ""
    if mine.index not in match.keys:
        return ""
    prompt = match.moves(mine.index).prompt
    if prompt is None:
        return "Your turn"
    words = Msg.from_data(translated(prompt.data(), table.game))
    return words.plain([seat.name for seat in seats], mine.index).rstrip(".")


def _title_names(table: Table, seats: Sequence[Seat], mine: Seat | None) -> str:
    people = [seat.name for seat in seats if seat.kind == Seat.PERSON and seat is not mine]
    bots = sum(seat.kind == Seat.BOT for seat in seats)
    if bots:
        people.append("a bot" if bots == 1 else f"{bots} bots")
    if table.status != Table.OPEN or mine is not None:
        return f"with {_listed(people)}" if people else ""
    if not people:  # their accounts are no more
        return "nobody sits there yet"
    return f"{_listed(people)} {'waits' if len(people) == 1 else 'wait'}"


def _listed(names: Sequence[str]) -> str:
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def _option_words(game: Game[Any, Any, Any], table: Table) -> list[str]:
    try:
        options = read_options(game.options_type, table.options)
    except BadOptions:  # of older rules
        return []
    words = []
    for field, value, label in differing(options):
        title = translated_text(field.title, table.game)
        title = title[:1].lower() + title[1:]
        if isinstance(value, bool):
            words.append(title if value else f"no {title}")
        else:
            words.append(f"{title}: {translated_text(label, table.game)}")
    return words
