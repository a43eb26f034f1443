"""What can be read of one table.

``table_payload`` is the one builder of what a person may see of a table. Pages, sockets and HTTP
send what it returns and nothing else; no state, no action of the log and no seed goes around it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec

from games import hooks, services
from games.engine import (
    BadOptions,
    Moves,
    Msg,
    all_games,
    asked,
    differing,
    game_name,
    read_options,
)
from games.engine.match import UNDO
from games.errors import CannotGoOn, NotFinished, RulesAway
from games.models import Ply, Seat, SeatNote, Table
from games.services import clock
from games.services.clock import milliseconds
from games.services.talking import message_data
from games.services.writing import AnyMatch, match_of
from games.translation import language_of, translated, translated_text

LABELLED = 60  # moves in a state; the rest on request
CHAT_LINES = 100  # messages with a page


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
    match, stopped = the_match(table, seats)
    pending = [] if match is None or table.is_over else sorted(match.keys)
    may = _may(table, seats, mine, viewer, pending, playable=match is not None)
    log, undone = _log(table, mine if me is not None else None, since)
    payload: dict[str, Any] = {
        "id": table.public_id,
        "game": table.game,
        "name": game_name(table.game),
        "language": language_of(table.game),
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
        "summary": None if match is None else _msg(match.game.summary(match.state), table.game),
        "progress": 0.0 if match is None else round(match.game.progress(match.state), 4),
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
    match, _ = the_match(table, seats)
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
        "view": translated(
            game.reveal(match.state) if opened else game.view(match.state, me), table.game
        ),
        "pending": sorted(match.keys),
        "standings": game.standing(match.state) or [None] * len(seats),
        "summary": _msg(game.summary(match.state), table.game),
        "progress": round(game.progress(match.state), 4),
        "outcome": _outcome(table) if match.outcome is not None else None,
        "open": opened,
    }


def the_match(table: Table, seats: Sequence[Seat]) -> tuple[AnyMatch | None, Msg | None]:
    """The match of a table that has begun; or, where the rules of today cannot read it (or there are
    none), why."""
    if table.game not in all_games():
        return None, RulesAway().msg
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
    game, state = match.game, match.state
    found = game.reveal(state) if table.is_over else game.view(state, me)
    return translated(found, table.game)


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
    there = table.game in all_games()
    let_in = mine is None and (not table.accounts_only or has_account(viewer))
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
        "join": open_ and free and let_in and there,
        "leave": mine is not None and not mine.zombie and (open_ or playing),
        "start": open_ and host and services.may_start(table, taken),
        "fill": open_ and host and free and there,
        "return": playing and mine is not None and mine.zombie,
        "take_over": gone if playing and table.may_take_over and let_in else [],
        "set_aside": [seat.index for seat in late],
        "claim": [seat.index for seat in late if services.may_be_claimed(table, seat, len(seats))],
        "say": mine is not None,
        "rematch": table.is_over and mine is not None and there,
    }


def has_account(viewer: Any) -> bool:
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
    """The options that are asked; none of them where the rules of today know them no longer."""
    game = all_games().get(table.game)
    if game is None:
        return []
    return [
        {
            **option,
            "title": str(translated_text(option["title"], table.game)),
            "label": str(translated_text(option["label"], table.game)),
        }
        for option in _options_asked(game.options_type, msgspec.json.encode(table.options), seats)
    ]


@lru_cache(maxsize=512)
def _options_asked(kind: type[msgspec.Struct], chosen: bytes, seats: int) -> list[dict[str, Any]]:
    """The options that are asked; kept, since a table's never change."""
    try:
        options = read_options(kind, msgspec.json.decode(chosen))
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
    page, pinned = hooks.help_page(table.game), table.help_revision
    url = page.url if page else f"/wiki/{table.game}/"
    return {
        "url": url,
        "revision": pinned,
        "pinned_url": url if pinned is None else f"{url}?rev={pinned}",
        "newer": pinned is not None and (page is None or page.revision != pinned),
    }


def _msg(msg: Msg | None, slug: str) -> dict[str, Any] | None:
    return None if msg is None else translated(msg.data(), slug)


def _builtins(action: Any) -> Any:
    return msgspec.to_builtins(action)


def _texts(choices: Iterable[tuple[Any, str]]) -> list[tuple[str, str]]:
    return [(str(value), label) for value, label in choices]
