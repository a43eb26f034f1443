"""What views and consumers share: looking at a table, telling a refusal, and what went wrong."""

import logging
import sqlite3
from typing import Any

from django.db import DatabaseError, InterfaceError, OperationalError
from django.http import HttpRequest

from games import selectors, services
from games.engine import GameError, Msg
from games.errors import DiskFull, ServerError, Unavailable
from games.models import Seat, Table
from games.translation import translated

logger = logging.getLogger(__name__)

PG_DISK_FULL = "53100"  # an SQLSTATE


def current_table(table_id: str) -> tuple[Table, list[Seat]]:
    """The table and its seats as they are now; a clock that is overdue is enforced first, also where no
    worker runs. Raises TableNotFound."""
    table = services.find_table(table_id)
    seats = services.seats_of(table)
    due = table.stopped_at is not None or services.overdue(seats)
    if table.status == Table.PLAYING and due:
        try:
            services.enforce(table_id=table.public_id)
        except Exception as error:  # noqa: BLE001 - told; one may look without that, also at broken rules
            if services.complaints.due(table.public_id):
                failure(error, table=table.public_id, ply=table.ply, doing="enforce")
        table = services.find_table(table_id)
        seats = services.seats_of(table)
    return table, seats


def state(*, table_id: str, viewer: Any, since: int | None, chat: bool) -> dict[str, Any]:
    """The frame ``{"on": "state", ...}`` for one person. Raises TableNotFound."""
    table, seats = current_table(table_id)
    payload = selectors.table_payload(table, viewer, since, with_chat=chat, seats=seats)
    return {"on": "state", **payload}


def moves(*, table_id: str, viewer: Any) -> dict[str, Any]:
    """The frame ``{"on": "moves", ...}`` for one person. Raises TableNotFound."""
    table, seats = current_table(table_id)
    return {"on": "moves", **selectors.all_moves(table, viewer, seats)}


def hint(*, table_id: str, viewer: Any) -> dict[str, Any]:
    """The frame ``{"on": "hint", ...}`` for one person; see ``services.ask_hint``."""
    found = services.ask_hint(table_id=table_id, player=viewer)
    text = found["text"] and translated(found["text"], services.game_of(table_id))
    return {"on": "hint", **found, "text": text}


def past(table: Table, viewer: Any, ply: int, *, everything: bool) -> dict[str, Any]:
    """The frame ``{"on": "past", ...}`` for one person; see ``selectors.past_payload``."""
    return {"on": "past", **selectors.past_payload(table, viewer, ply, everything=everything)}


def checked(label: Msg, key: str | None, slug: str) -> dict[str, Any]:
    """The frame ``{"on": "checked", ...}``: the action would do, and is ``label`` in the words of the
    game ``slug``."""
    return {"on": "checked", "key": key, "label": translated(label.data(), slug)}


def refusal(error: GameError, key: str | None = None, slug: str = "") -> dict[str, Any]:
    """The frame ``{"on": "refused", ...}``: a stable code, the sentence, and the sentence as a text
    with parameters (seats, cards) for those who show names and cards themselves. ``slug``: of the game
    whose rules may be speaking."""
    msg = translated(error.msg.data(), slug)
    return {
        "on": "refused",
        "key": key,
        "code": error.code,
        "reason": Msg.from_data(msg).plain(),
        "msg": msg,
    }


def failure(error: Exception, **where: Any) -> GameError:
    """What to tell somebody whose request failed by no fault of theirs. The log gets the reason, with
    ``where`` (``table``, ``ply`` ...), and for a defect the traceback."""
    found = _unavailable(error) or ServerError()
    place = " ".join(f"{name}={value}" for name, value in where.items())
    if isinstance(found, ServerError):
        logger.error("%s: %s", found.code, place, exc_info=error)
    else:
        logger.warning("%s: %s error=%s", found.code, place, error)
    return found


def _unavailable(error: BaseException) -> GameError | None:
    """The refusal where the database could not do what was asked; None where we asked nonsense."""
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF  # without the details
    if code == sqlite3.SQLITE_FULL or getattr(cause, "sqlstate", None) == PG_DISK_FULL:
        return DiskFull()
    if code == sqlite3.SQLITE_ERROR or not isinstance(error, InterfaceError | OperationalError):
        return None
    return Unavailable()


def wants_json(request: HttpRequest) -> bool:
    """Whether answers to this request are JSON: it says so, or it brings JSON itself."""
    kinds = (request.headers.get(name, "") for name in ("Accept", "Content-Type"))
    return any(kind.startswith("application/json") for kind in kinds)
