"""What views and consumers share: looking at a table, and telling a refusal."""

from typing import Any

from django.http import HttpRequest

from games import selectors, services
from games.engine import GameError
from games.models import Seat, Table
from games.translation import translated


def current_table(table_id: str) -> tuple[Table, list[Seat]]:
    """The table and its seats as they are now; a clock that is overdue is enforced first, also where no
    worker runs. Raises TableNotFound."""
    table = services.find_table(table_id)
    seats = services.seats_of(table)
    due = table.stopped_at is not None or services.overdue(seats)
    if table.status == Table.PLAYING and due:
        services.enforce(table_id=table.public_id)
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


def past(table: Table, viewer: Any, ply: int, *, everything: bool) -> dict[str, Any]:
    """The frame ``{"on": "past", ...}`` for one person; see ``selectors.past_payload``."""
    return {"on": "past", **selectors.past_payload(table, viewer, ply, everything=everything)}


def refusal(error: GameError, key: str | None = None, slug: str = "") -> dict[str, Any]:
    """The frame ``{"on": "refused", ...}``: a stable code, the sentence, and the sentence as a text
    with parameters (seats, cards) for those who show names and cards themselves."""
    return {
        "on": "refused",
        "key": key,
        "code": error.code,
        "reason": str(error),
        "msg": translated(error.msg.data(), slug),
    }


def wants_json(request: HttpRequest) -> bool:
    """Whether answers to this request are JSON: it says so, or it brings JSON itself."""
    kinds = (request.headers.get(name, "") for name in ("Accept", "Content-Type"))
    return any(kind.startswith("application/json") for kind in kinds)
