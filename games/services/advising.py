"""Hints: what a game's own search finds for somebody who asks. A worker searches, never a request.

Who asks gets the answer, or is told to ask again in a moment; the first question calls the worker. What
it found is kept in the cache for this question of this seat alone. Only at tables without time limit:
elsewhere people play against each other's skill.
"""

from __future__ import annotations

from typing import Any

from django.core.cache import cache

from games.engine import IllegalMove, all_games
from games.errors import NoHints
from games.models import Table
from games.services import hints
from games.services.reading import find_table, person_at, seats_of
from games.services.writing import match_of

SEARCHED_SECONDS = 60  # before a worker that has not answered is called again
KEPT_SECONDS = 3600
SEARCHING: dict[str, Any] = {"ready": False, "text": None}


def gives_hints(table: Table) -> bool:
    """May those who sit at this table ask for hints?"""
    game = all_games().get(table.game)
    return game is not None and game.advises and table.pace_info.bank is None


def ask_hint(*, table_id: str, player: Any) -> dict[str, Any]:
    """``{"ply", "ready", "text"}``: what was found for the question that ``player`` is asked now (a
    ``Msg.data()``, None where nothing is to be said); not ``ready`` where a worker still searches.

    Raises TableNotFound, NotSeated, NoHints, NotPlaying, IllegalMove where nothing is asked of them.
    """
    table = find_table(table_id)
    seat = person_at(table, player)
    if not gives_hints(table):
        raise NoHints
    if seat.index not in _asked(table):
        raise IllegalMove("not_your_turn", "Hints are for those whose turn it is.")
    key = _key(table, seat.index)
    if cache.add(key, SEARCHING, SEARCHED_SECONDS):
        hints.call_adviser(table.public_id, table.ply, seat.index)
    found = cache.get(key) or SEARCHING
    return {"ply": table.ply, **found}


def find_hint(*, table_id: str, ply: int, seat: int) -> bool:
    """Search for the seat that is asked something at ``ply``; for workers. False where the table has gone
    on since."""
    table = find_table(table_id)
    if table.ply != ply or table.is_over or not gives_hints(table):
        return False
    match = match_of(table, len(seats_of(table)))
    if seat not in match.pending():
        return False
    advice = match.game.advice(match.state, seat)
    cache.set(
        _key(table, seat),
        {"ready": True, "text": None if advice is None else advice.data()},
        KEPT_SECONDS,
    )
    return True


def _asked(table: Table) -> dict[int, str]:
    if table.is_over:
        return {}
    return match_of(table, len(seats_of(table))).pending()


def _key(table: Table, seat: int) -> str:
    return f"hint:{table.public_id}:{table.ply}:{seat}"
