"""Tables in the middle of a game, for the tests of leaks.

A table has a *twin* for each viewer: everything that is secret to that viewer is something else there
(the state is another one that looks the same, the seed another seed, the actions of the log, other
people's private lines and notes are marks), and everything else is equal. What the viewer is told must be
the same at both, to the byte.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import msgspec
from django.contrib.auth import get_user_model
from django.test import Client

from games import services
from games.engine import GameError, Rng, all_games, get_game, seed_from_int
from games.models import Ply, Seat, SeatNote, Table
from tests.games.conftest import Game, Hands
from tests.games.engine.fuzz import broken, leaves

SLUGS = [*sorted(slug for slug, game in all_games().items() if game.meta.hidden), "tiny"]
MARK = "PLANTED-SECRET"
TORN = 5  # broken actions that each viewer tries
ROWS = 5  # played before people come and go, and again after it
ROLES = ("person who plays", "person who left", "former person of a seat", "bot", "guest who plays")
STRANGERS = ("spectator with an account", "guest who looks on", "signed-out person")
VIEWERS = (*ROLES[:3], "newcomer to a seat", ROLES[4], *STRANGERS)


@dataclass
class Viewer:
    """Somebody who looks at the table. ``seat`` is what they may see, from row ``since`` on."""

    role: str
    user: Any = None
    seat: int | None = None
    since: int = 0
    client: Client = field(default_factory=Client)

    def seat_at(self, ply: int) -> int | None:
        return self.seat if ply >= self.since else None


@dataclass
class Scene:
    """A table in the middle of a game, and everybody who may look at it."""

    game: Game
    viewers: list[Viewer]
    rng: Rng

    @property
    def table(self) -> Table:
        return self.game.table

    def match(self) -> Any:
        return services.match_of(self.table, self.table.seats.count())


# -- a table in the middle of a game ---------------------------------------------------------


def begin(slug: str, play: Any, person: Any, time: Hands) -> Scene:
    """A running table of a game with the people of ``roles_of``, a seat of whose was taken over."""
    roles = roles_of(slug)
    names = [role for role in roles if role != "bot"]
    for name in (ROLES[4], STRANGERS[1]):
        get_user_model().objects.create(username=name, is_guest=True)
    bots = len(roles) - len(names)
    game = play(*names, game=slug, bots=bots, pace="1d", absence=Table.ZOMBIE)
    rng = Rng(seed_from_int(5)).child(slug)
    go_on(game, rng, time, ROWS)
    for name in names:
        services.save_note(
            table_id=game.id, player=game.people[name], text=f"{MARK} note of {name}"
        )
        services.say(table_id=game.id, player=game.people[name], text=f"I am the {name}.")
    viewers = {name: Viewer(name, person(name), game.seat(name).index) for name in names}
    change_people(game, viewers, person)
    go_on(game, rng, time, ROWS)
    for role in STRANGERS[:2]:
        viewers[role] = Viewer(role, person(role))
    viewers[STRANGERS[2]] = Viewer(STRANGERS[2])
    for viewer in viewers.values():
        if viewer.user is not None:
            viewer.client.force_login(viewer.user)
    return Scene(game, list(viewers.values()), rng)


def roles_of(slug: str) -> tuple[str, ...]:
    """Who sits at the table of a game: as many of ``ROLES`` as it has seats, a guest at a table of three."""
    seats = get_game(slug).meta.seats
    count = max((n for n in seats if n <= len(ROLES)), default=min(seats))
    return (ROLES[4], *ROLES[1:3]) if count == 3 else ROLES[:count]


def change_people(game: Game, viewers: dict[str, Viewer], person: Any) -> None:
    """One leaves; another leaves, and a newcomer takes that seat over."""
    for name in ROLES[1:3]:
        if name in viewers and game.table.status == Table.PLAYING:
            services.leave(table_id=game.id, player=game.people[name])
    if ROLES[2] in viewers:
        former, newcomer = viewers[ROLES[2]], person(VIEWERS[3])
        row = services.take_over(table_id=game.id, player=newcomer, seat=former.seat)
        viewers[VIEWERS[3]] = Viewer(VIEWERS[3], newcomer, former.seat, since=row.number)
        game.people[VIEWERS[3]] = newcomer
        former.seat = None


def go_on(game: Game, rng: Rng, time: Hands, rows: int) -> None:
    """Play at random, the engine moving for bots and for those who left; stop before the end."""
    until = game.table.ply + rows
    while game.table.ply < until:
        table = game.table
        match = services.match_of(table, table.seats.count())
        if table.is_over:
            raise AssertionError(f"{table.game} is over after {table.ply} rows: play fewer")
        seat = rng.choice(sorted(match.keys))
        chair = Seat.objects.get(table=table, index=seat)
        if chair.automatic:
            time.move(seconds=5)
            services.enforce(table_id=game.id)
            continue
        items = match.moves(seat).items
        action = msgspec.to_builtins(items[rng.below(len(items))])
        name = next(name for name, user in game.people.items() if user.pk == chair.user_id)
        game.act(name, action)


# -- its twin --------------------------------------------------------------------------------


@contextmanager
def twin(scene: Scene, viewer: Viewer) -> Iterator[None]:
    """Inside, all that is secret to ``viewer`` is something else in the database."""
    table, match = scene.table, scene.match()
    rows = list(Ply.objects.filter(table=table, number__gt=0))
    notes = list(SeatNote.objects.filter(table=table).exclude(user=viewer.user))
    match.state = other_state(scene, match, viewer.seat)
    Table.objects.filter(pk=table.pk).update(
        snapshot=msgspec.json.encode(match.snapshot()).decode(),
        seed=bytes(reversed(bytes(table.seed))),
    )
    for row in rows:
        change_row(Ply.objects.get(pk=row.pk), viewer.seat_at(row.number))
    for note in notes:
        SeatNote.objects.filter(pk=note.pk).update(text=f"other {MARK}")
    try:
        yield
    finally:
        table.save(update_fields=["snapshot", "seed"])
        for kept in [*rows, *notes]:
            kept.save()


def change_row(row: Ply, seat: int | None) -> None:
    """Put marks in place of what ``seat`` may not read of a row of the log."""
    if row.kind == "act":
        row.action, row.rng = {"type": MARK, "row": row.number}, row.rng + 7
    row.key = row.key and f"{MARK}-{row.number}"
    for line in row.lines:
        if line.get("to") is not None and seat not in line["to"]:
            line["msg"] = {"text": MARK, "params": {}}
    row.save()


def other_state(scene: Scene, match: Any, seat: int | None) -> Any:
    """Another state that looks the same to ``seat``; itself where there is none (all is known)."""
    for _ in range(20):
        state = match.game.resample(match.state, seat, scene.rng)
        if state != match.state:
            return state
    return match.state


# -- what to try ------------------------------------------------------------------------------


def tried(scene: Scene, viewer: Viewer) -> list[Any]:
    """Actions to ask about: legal ones of the viewer's seat, others' actions, and broken ones that name
    what lies hidden."""
    match = scene.match()
    legal, foreign = [], []
    for seat in match.keys:
        items = [msgspec.to_builtins(item) for item in match.moves(seat).items[:2]]
        (legal if seat == viewer.seat else foreign).extend(items)
    rng = Rng(seed_from_int(9)).child(viewer.role)
    known = leaves(msgspec.to_builtins(match.state), [])
    torn = [broken(rng.choice(legal or foreign), known, rng) for _ in range(TORN)]
    return [action for action in [*legal, *foreign[:2], *torn] if is_frame(action)]


def is_frame(action: Any) -> bool:
    """Whether it is JSON that fits into a frame (NaN and the endless do not)."""
    try:
        return len(msgspec.json.encode(action)) < 8000
    except (msgspec.MsgspecError, OverflowError, RecursionError, UnicodeEncodeError):
        return False


def takes(scene: Scene, viewer: Viewer, action: Any) -> bool:
    """Whether the rules would take it, so that asking would change the table."""
    match = scene.match()
    try:
        match.check(-1 if viewer.seat is None else viewer.seat, match.read_action(action))
    except GameError:
        return False
    return True
