"""The two reads that every request makes: a table, and its seats with the people there; and where
tables are.

The two are written out in SQL: the ORM spends several times longer on composing these statements anew than the
database on running them, and together that was more than half of a move. Both run on SQLite and
PostgreSQL; the columns come from the models.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.contrib.auth import get_user_model
from django.db import connection, transaction
from django.db.models import Max

from games.errors import NotSeated, TableNotFound
from games.ids import plain_id
from games.models import Seat, Table

_TABLE = f'SELECT * FROM "{Table._meta.db_table}" WHERE public_id = %s'


def find_table(table_id: str) -> Table:
    """The table of this id, as it is now. Raises ``TableNotFound``."""
    return _table(_TABLE, table_id)


def game_of(table_id: str) -> str:
    """The slug of what is played at a table; empty where there is none."""
    found = Table.objects.filter(public_id=plain_id(table_id)).values_list("game", flat=True)
    return found.first() or ""


def lock_table(table_id: str, *, skip_locked: bool = False) -> Table:
    """The table of this id, locked until the transaction ends. Raises ``TableNotFound``, also where
    ``skip_locked`` and somebody else holds it. (SQLite: the transaction has locked everything.)"""
    if not connection.in_atomic_block:
        raise transaction.TransactionManagementError("A table is locked inside a transaction.")
    lock = " FOR UPDATE" if connection.features.has_select_for_update else ""
    if lock and skip_locked and connection.features.has_select_for_update_skip_locked:
        lock = " FOR UPDATE SKIP LOCKED"
    return _table(_TABLE + lock, table_id)


def positions(table_ids: Iterable[str]) -> dict[str, tuple[int, str, int]]:
    """Where tables are now: public id -> (ply, status, id of the last message, or 0); those that are
    gone are left out."""
    found = Table.objects.filter(public_id__in=list(table_ids)).annotate(said=Max("chat__id"))
    rows = found.values_list("public_id", "ply", "status", "said")
    return {public_id: (ply, status, said or 0) for public_id, ply, status, said in rows}


def seats_of(table: Table) -> list[Seat]:
    """The seats of ``table`` in their order, now. Of their people only name and standing are read;
    the rest is looked up where somebody asks for it."""
    people = get_user_model()
    found = list(Seat.objects.raw(_seats_sql(people), [table.pk]))
    for seat in found:
        seat.table = table
        if seat.user_id is not None:
            values = (seat.user_id, seat.person_name, bool(seat.person_active))
            seat.user = people.from_db(connection.alias, ("id", "username", "is_active"), values)
    return found


def person_at(table: Table, player: Any) -> Seat:
    """The seat of ``player`` at ``table``, whether it has begun, goes on or is over. Raises ``NotSeated``,
    also where the account has been closed."""
    seat = None
    if player is not None and player.pk:
        seat = table.seats.filter(user=player, user__is_active=True).first()
    if seat is None:
        raise NotSeated
    return seat


def _table(sql: str, table_id: str) -> Table:
    public_id = plain_id(table_id)
    # what is no letter and no digit is no id; a NUL PostgreSQL would not even be asked about
    found = list(Table.objects.raw(sql, [public_id])) if public_id.isalnum() else []
    if not found:
        raise TableNotFound
    return found[0]


def _seats_sql(people: Any) -> str:
    return (
        "SELECT seat.*, person.username AS person_name, person.is_active AS person_active "
        f'FROM "{Seat._meta.db_table}" seat '
        f'LEFT JOIN "{people._meta.db_table}" person ON person.id = seat.user_id '
        'WHERE seat.table_id = %s ORDER BY seat."index"'
    )
