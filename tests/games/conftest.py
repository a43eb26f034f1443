"""What tests of tables share: people, a clock that one moves by hand, a small game, quick tables."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from games import services
from games.engine import all_games
from games.models import Seat, Table
from games.services import clock, hints
from tests.games.tiny.rules import Tiny

START = datetime(2026, 11, 2, 12, 0, tzinfo=UTC)


class Hands:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.moment = START

    def __call__(self) -> datetime:
        return self.moment

    def move(self, **span: float) -> None:
        """Let time pass: ``seconds=3``, ``hours=1`` ..."""
        self.moment += timedelta(**span)


class Game:
    """A table and the people at it, by name; what they do goes through the services."""

    def __init__(self, table: Table, people: dict[str, Any]) -> None:
        self.id = table.public_id
        self.people = people
        self.count = 0

    @property
    def table(self) -> Table:
        return Table.objects.get(public_id=self.id)

    def seat(self, name: str) -> Seat:
        """Where ``name`` sits, fresh from the database."""
        return Seat.objects.get(table__public_id=self.id, user=self.people[name])

    def at(self, index: int) -> str:
        """Who sits at ``index``."""
        return next(name for name in self.people if self.seat(name).index == index)

    def act(
        self, name: str, action: dict[str, Any], *, ply: int | None = None, key: str = ""
    ) -> Any:
        """``name`` takes ``action``, looking at the table's last ply unless told otherwise."""
        self.count += 1
        return services.act(
            table_id=self.id,
            player=self.people[name],
            ply=self.table.ply if ply is None else ply,
            key=key or f"key-{self.count}",
            action=action,
        )

    def hand(self, name: str) -> list[int]:
        """The cards of ``name`` (tiny)."""
        return list(
            services.match_of(self.table, self.table.seats.count()).state.hands[
                self.seat(name).index
            ]
        )

    def choose(self, name: str, **how: Any) -> Any:
        """``name`` chooses their first card (tiny)."""
        return self.act(name, {"type": "choose", "card": self.hand(name)[0]}, **how)


@pytest.fixture
def time(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """The services' clock, standing at ``START``."""
    hands = Hands()
    monkeypatch.setattr(clock, "now", hands)
    return hands


@pytest.fixture
def nudged(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Ids of the tables for which a worker was called; none is."""
    tables: list[str] = []
    monkeypatch.setattr(hints, "_nudge", lambda table_id, ply: tables.append(table_id))
    monkeypatch.setattr(hints, "call_adviser", lambda table_id, ply, seat: tables.append(table_id))
    return tables


@pytest.fixture
def tiny() -> Iterator[Tiny]:
    """The small game of the engine's tests, among the library's."""
    game = Tiny()
    all_games()["tiny"] = game
    yield game
    del all_games()["tiny"]


@pytest.fixture
def person(db: None) -> Callable[[str], Any]:
    """Makes a person of a name, or finds them again."""

    def make(name: str) -> Any:
        found, _ = get_user_model().objects.get_or_create(username=name)
        return found

    return make


@pytest.fixture
def play(tiny: Tiny, person: Callable[[str], Any], nudged: list[str]) -> Callable[..., Game]:
    """Seats the named people (and ``bots``) at a new table, which begins."""

    def begin(*names: str, game: str = "tiny", bots: int = 0, **how: Any) -> Game:
        people = {name: person(name) for name in names}
        others = ["open"] * (len(names) - 1) + ["bot"] * bots
        table = services.open_table(player=people[names[0]], game=game, seats=others, **how)
        for name in names[1:]:
            services.join(table_id=table.public_id, player=people[name])
        return Game(table, people)

    return begin


def rows(table: Table) -> Sequence[tuple[int, str, str]]:
    """(number, kind, origin) of the log."""
    return list(table.plies.order_by("number").values_list("number", "kind", "origin"))


def at_once(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do each of ``works`` on a thread of its own; their results, or the first error."""

    def closing(work: Callable[[], Any]) -> Any:
        try:
            return work()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return [found.result() for found in [pool.submit(closing, work) for work in works]]
