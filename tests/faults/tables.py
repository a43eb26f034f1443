"""What is done with a site's tables from inside, by the site's own settings: opening them for players,
and comparing the logs with what players were told.

``python -m tests.faults.tables`` reads works from stdin, a line ``["audit", {...}]`` each, and prints what
comes of each as a line of JSON.
"""

from __future__ import annotations

import io
import json
import sys
from collections import Counter
from typing import Any

import django

django.setup()

import msgspec  # noqa: E402
from django.conf import settings  # noqa: E402
from django.contrib.auth import get_user_model  # noqa: E402
from django.core.management import CommandError, call_command  # noqa: E402
from django.db import connection, transaction  # noqa: E402
from django.test import Client  # noqa: E402

from games import services  # noqa: E402
from games.engine import get_game  # noqa: E402
from games.models import Ply, Table  # noqa: E402
from games.services.reading import lock_table  # noqa: E402
from games.tasks import play_due  # noqa: E402


def open_table(names: list[str], game: str, bots: int = 0, **how: Any) -> dict[str, Any]:
    """Seat people of these ``names`` and ``bots`` at a new table, which begins: its id, and (user,
    cookie) of each person."""
    people = [get_user_model().objects.get_or_create(username=name)[0] for name in names]
    seats = ["open"] * (len(people) - 1) + ["bot"] * bots
    table = services.open_table(player=people[0], game=game, seats=seats, **how)
    for person in people[1:]:
        services.join(table_id=table.public_id, player=person)
    return {
        "table": table.public_id,
        "people": [(person.pk, cookie_of(person)) for person in people],
    }


def leave(table: str, user: int) -> None:
    """A person gets up from a running table."""
    services.leave(table_id=table, player=get_user_model().objects.get(pk=user))


def call_workers(table: str, times: int) -> None:
    """Hand the task that plays for bots to the workers so many times."""
    for _ in range(times):
        play_due.delay(table)


def cookie_of(person: Any) -> str:
    client = Client()
    client.force_login(person)
    name = settings.SESSION_COOKIE_NAME
    return f"{name}={client.cookies[name].value}"


def audit(
    acknowledged: list[dict[str, Any]], refused: list[tuple[str, int, str]]
) -> dict[str, list[str]]:
    """What is wrong with the tables, beside what players were told (``Ledger.data``).

    ``lost``: acknowledged, but the row is not there, or is another. ``twice``: a key in two rows.
    ``ghosts``: refused for good, and yet in the log. ``broken``: the log does not lead to the position
    that is kept.
    """
    rows: dict[tuple[str, int, str], list[Ply]] = {}
    for row in Ply.objects.filter(key__isnull=False).select_related("table"):
        rows.setdefault((row.table.public_id, row.user_id, row.key), []).append(row)
    found: dict[str, list[str]] = {"lost": [], "twice": [], "ghosts": [], "broken": []}
    for one in acknowledged:
        where = one["table"], one["user"], one["key"]
        if not any(_is_row(row, one) for row in rows.get(where, [])):
            found["lost"].append(_words(where))
    found["twice"] = [_words(where) for where, same in rows.items() if len(same) > 1]
    found["ghosts"] = [_words(where) for where in map(tuple, refused) if where in rows]
    begun = Table.objects.exclude(status=Table.OPEN)
    for table_id in list(begun.values_list("public_id", flat=True)):
        if gap := _gap(table_id):
            found["broken"].append(f"{table_id}: {gap}")
    return found


def _is_row(row: Ply, told: dict[str, Any]) -> bool:
    """Whether ``row`` is the one that was acknowledged."""
    if row.number != told["ply"]:
        return False
    if told["action"] is None:
        return row.kind == "undo"
    kind = get_game(row.table.game).action_type
    return bool(msgspec.convert(row.action, kind) == msgspec.convert(told["action"], kind))


@transaction.atomic
def _gap(table_id: str) -> str:
    """What is wrong with the log of a table; empty where nothing is. Bots may play on meanwhile."""
    table = lock_table(table_id)
    numbers = Counter(table.plies.values_list("number", flat=True))
    if set(numbers) != set(range(table.ply + 1)) or max(numbers.values()) > 1:
        return "the numbers of its rows have gaps"
    try:
        call_command("verify", table.public_id, stdout=io.StringIO())
    except CommandError as error:
        return str(error)
    return ""


def _words(where: tuple[Any, ...]) -> str:
    return " ".join(map(str, where))


WORKS = {work.__name__: work for work in (open_table, leave, call_workers, audit)}

if __name__ == "__main__":
    for line in sys.stdin:
        work, given = json.loads(line)
        print(json.dumps(WORKS[work](**given)), flush=True)  # noqa: T201
        connection.close()  # it may not outlive what the next test does
