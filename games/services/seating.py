"""From the empty chairs to the first question: open, sit down, get up, start, play again."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from games import hooks
from games.engine import (
    Game,
    GameError,
    Match,
    Msg,
    Rng,
    all_games,
    asked,
    get_game,
    read_options,
    seed_hash,
)
from games.engine.rng import SEED_BYTES
from games.errors import (
    AccountNeeded,
    CannotGoOn,
    NotOpen,
    NotPlaying,
    NotSeated,
    NotYourTable,
    SeatTaken,
    TooManyTables,
)
from games.models import Ply, Seat, Table
from games.paces import PACES, UNHURRIED
from games.services import clock
from games.services.absence import make_way
from games.services.hints import hint
from games.services.reading import lock_table

BOT_NAMES = ("Ida", "Otto", "Mina", "Hugo", "Vera", "Emil", "Nora", "Karl")
BOT_LEVEL = 2
OPEN_LIMIT = 10  # tables one person may hold open at a time
ALONE_LIMIT = 30  # games against bots alone that one person may have under way
OPEN_AGE = timedelta(days=14)  # an open table nobody starts expires then
UNLISTED_AGE = timedelta(days=180)  # one whose link somebody may still have
EXPIRED_AGE = timedelta(days=30)  # so long its people are told of it


class BadTable(GameError):
    """A table that cannot be opened like that."""

    status = 422

    def __init__(self, msg: Msg | str) -> None:
        super().__init__("bad_table", msg)


def default_absence(seats: int) -> str:
    """What happens to one who leaves, unless the table says otherwise."""
    return Table.FORFEIT if seats == 2 else Table.ZOMBIE


@transaction.atomic
def open_table(
    *,
    player: Any,
    game: str,
    seats: Sequence[str],
    options: dict[str, Any] | None = None,
    pace: str = UNHURRIED,
    absence: str | None = None,
    unlisted: bool = False,
    may_take_over: bool = True,
    starts: str = Table.FULL,
    least: int | None = None,
    accounts_only: bool = False,
) -> Table:
    """Open a table of ``game`` at which ``player`` sits down first.

    ``seats`` says who sits on the other chairs, ``"open"`` or ``"bot"`` each, so their number is one
    less than the seats. Where none is open the game starts at once; see ``_make_room`` for how many of
    those there may be. Otherwise it ``starts`` with the last who sits down (``full``), or when the
    ``host`` says so, in both cases not with fewer than ``least``. Raises UnknownGame, BadOptions, BadTable,
    TooManyTables, AccountNeeded (a guest keeps guests out).
    """
    rules = get_game(game)
    count = len(seats) + 1
    _must_be_known(rules, seats, pace=pace, absence=absence, starts=starts, least=least)
    if accounts_only and player.is_guest:
        raise AccountNeeded("Guests cannot keep guests out. Sign up first.")
    _must_have_room(player, waiting=Seat.OPEN in seats)
    chosen = _sensible(rules, read_options(rules.options_type, options or {}), count)
    table = Table.objects.create(
        game=rules.slug,
        version=rules.version,
        options=msgspec.to_builtins(chosen),
        pace=pace,
        bank=PACES[pace].bank,
        increment=PACES[pace].increment,
        cap=PACES[pace].cap,
        absence=absence or default_absence(count),
        visibility=Table.UNLISTED if unlisted else Table.LISTED,
        may_take_over=may_take_over,
        starts=starts,
        least=least,
        accounts_only=accounts_only,
        host=player,
        created_at=clock.now(),
    )
    name = player.get_username()
    chairs = [Seat(table=table, index=0, kind=Seat.PERSON, user=player, kept_name=name)]
    for index, kind in enumerate(seats, 1):
        chairs.append(Seat(table=table, index=index, kind=kind))
    _name_bots(chairs)
    Seat.objects.bulk_create(chairs)
    if Seat.OPEN not in seats:
        _start(table)
    return table


def play_now(*, player: Any, game: str) -> Table:
    """``player`` against bots, with the usual options and without time limit, begun at once."""
    counts = get_game(game).meta.seats
    count = min((count for count in counts if count > 1), default=min(counts))
    return open_table(player=player, game=game, seats=[Seat.BOT] * (count - 1))


@transaction.atomic
def join(*, table_id: str, player: Any, seat: int | None = None) -> Table:
    """Sit down on ``seat``, or the first free chair; where that was the last one, the game starts (or
    its host starts it).

    Sitting down twice does nothing. Raises TableNotFound, NotOpen, AccountNeeded, SeatTaken.
    """
    table = lock_table(table_id)
    chairs = list(table.seats.all())
    if any(chair.user_id == player.pk for chair in chairs):
        return table
    _must_be_open(table)
    if table.accounts_only and player.is_guest:
        raise AccountNeeded
    free = [chair for chair in chairs if chair.kind == Seat.OPEN and seat in (None, chair.index)]
    if not free:
        raise SeatTaken
    chair = free[0]
    chair.kind, chair.user, chair.kept_name = Seat.PERSON, player, player.get_username()
    chair.save(update_fields=["kind", "user", "kept_name"])
    if table.host_id is None:  # whose account is no more
        table.host = player
        table.save(update_fields=["host"])
    if table.starts == Table.FULL and not any(chair.kind == Seat.OPEN for chair in chairs):
        _start(table)
    else:
        hint(table.public_id, table.ply)
    return table


@transaction.atomic
def get_up(*, table_id: str, player: Any) -> Table | None:
    """Leave a table that has not begun. The next person becomes its host; without one it goes, and
    None is returned. Raises TableNotFound, NotOpen, NotSeated."""
    table = lock_table(table_id)
    _must_be_open(table)
    chair = table.seats.filter(user=player).first()
    if chair is None:
        raise NotSeated
    chair.kind, chair.user, chair.kept_name = Seat.OPEN, None, ""
    chair.save(update_fields=["kind", "user", "kept_name"])
    hint(table.public_id, table.ply)
    others = table.seats.filter(kind=Seat.PERSON).order_by("index")
    if not (heir := others.first()):
        table.delete()
        return None
    if table.host_id == player.pk:
        table.host = heir.user
        table.save(update_fields=["host"])
    return table


@transaction.atomic
def start(*, table_id: str, player: Any) -> Table:
    """Begin with those who sit there; free chairs go, where the game can be played with the rest.

    Raises TableNotFound, NotOpen, NotYourTable, BadTable (too few).
    """
    table = lock_table(table_id)
    _must_be_open(table)
    _must_be_host(table, player)
    taken = table.seats.exclude(kind=Seat.OPEN).count()
    if not may_start(table, taken):
        raise BadTable("Too few people sit here. Wait for others, or fill the table with bots.")
    table.seats.filter(kind=Seat.OPEN).delete()
    _start(table)
    return table


def may_start(table: Table, taken: int) -> bool:
    """Whether the game can begin with so many; never where its rules cannot be read."""
    game = all_games().get(table.game)
    return game is not None and taken in game.meta.seats and taken >= fewest(table)


def fewest(table: Table) -> int:
    """With fewer than these the game does not begin."""
    game = all_games().get(table.game)
    return max(table.least or 0, 1 if game is None else min(game.meta.seats))


def open_until(table: Table) -> datetime:
    """When an open ``table`` expires."""
    return table.created_at + (UNLISTED_AGE if table.visibility == Table.UNLISTED else OPEN_AGE)


@transaction.atomic
def fill_with_bots(*, table_id: str, player: Any) -> Table:
    """Put a bot on every free chair and begin. Raises TableNotFound, NotOpen, NotYourTable,
    TooManyTables."""
    table = lock_table(table_id)
    _must_be_open(table)
    _must_be_host(table, player)
    chairs = list(table.seats.all())
    if sum(chair.kind == Seat.PERSON for chair in chairs) == 1:
        _make_room(player)
    for chair in chairs:
        if chair.kind == Seat.OPEN:
            chair.kind = Seat.BOT
    _name_bots(chairs)
    Seat.objects.bulk_update(chairs, ["kind", "kept_name", "bot_level"])
    _start(table)
    return table


@transaction.atomic
def rematch(*, table_id: str, player: Any) -> Table:
    """The same table again. The first who asks opens it, with chairs for the people and the same
    bots; the others sit down there. Where it has begun already they are only shown to it.

    Raises TableNotFound, NotPlaying (not over yet), NotSeated.
    """
    table = lock_table(table_id)
    if not table.is_over:
        raise NotPlaying("This game is not over yet.")
    chairs = list(table.seats.order_by("index"))
    mine = next((chair for chair in chairs if chair.user_id == player.pk), None)
    if mine is None:
        raise NotSeated
    if again := Table.objects.filter(rematch_of=table).first():
        return (
            join(table_id=again.public_id, player=player) if again.status == Table.OPEN else again
        )
    others = [Seat.BOT if chair.automatic else Seat.OPEN for chair in chairs if chair is not mine]
    again = open_table(
        player=player,
        game=table.game,
        seats=others,
        options=table.options,
        pace=table.pace,
        absence=table.absence,
        unlisted=table.visibility == Table.UNLISTED,
        may_take_over=table.may_take_over,
        starts=table.starts,
        least=table.least,
        accounts_only=table.accounts_only,
    )
    again.rematch_of = table
    again.save(update_fields=["rematch_of"])
    hint(table.public_id, table.ply)
    return again


@transaction.atomic
def close_old_tables() -> int:
    """Let open tables that nobody began in time expire, and those go that expired long ago; return how
    many expired. Their people find it in their list meanwhile. Twice does no harm."""
    moment = clock.now()
    Table.objects.filter(status=Table.EXPIRED, finished_at__lt=moment - EXPIRED_AGE).delete()
    old = Table.objects.filter(status=Table.OPEN).filter(
        Q(visibility=Table.LISTED, created_at__lt=moment - OPEN_AGE)
        | Q(visibility=Table.UNLISTED, created_at__lt=moment - UNLISTED_AGE)
    )
    ids = list(old.values_list("public_id", flat=True))
    still = Table.objects.filter(public_id__in=ids, status=Table.OPEN)
    still.update(status=Table.EXPIRED, finished_at=moment)
    for table_id in ids:
        hint(table_id, 0)
    return len(ids)


def _start(table: Table) -> None:
    """Draw the seed, mix the seats, deal, and run the first clocks. The table is locked or new."""
    seed = secrets.token_bytes(SEED_BYTES)
    chairs = list(table.seats.select_related("user").order_by("index"))
    Rng(seed).child("seats").shuffle(chairs)
    game = get_game(table.game)
    options = read_options(game.options_type, table.options)
    match = Match.start(game, len(chairs), options, seed)
    moment = clock.now()
    table.seats.all().delete()
    seated = [
        Seat(
            table=table,
            index=index,
            kind=chair.kind,
            user=chair.user,
            kept_name=chair.kept_name,
            bot_level=chair.bot_level,
            bank=table.bank if chair.kind == Seat.PERSON else None,
        )
        for index, chair in enumerate(chairs)
    ]
    for seat in seated:
        if seat.index in match.keys:
            clock.ask(seat, 0, moment)
            clock.run(seat, moment)
    Seat.objects.bulk_create(seated)
    Ply.objects.create(
        table=table,
        number=0,
        kind="start",
        origin=Ply.PLAYER,
        lines=msgspec.to_builtins(game.opening(match.state)),
        rng=match.rng_position,
        at=moment,
    )
    table.seed, table.seed_hash = seed, seed_hash(seed)
    table.version = game.version
    table.snapshot = msgspec.json.encode(match.snapshot()).decode()
    table.status, table.started_at, table.moved_at = Table.PLAYING, moment, moment
    page = hooks.help_page(table.game)
    table.help_revision = page.revision if page else None
    table.save()
    hint(table.public_id, 0, automatic=any(seat.automatic and seat.expires_at for seat in seated))


def _must_be_known(
    rules: Game[Any, Any, Any],
    seats: Sequence[str],
    *,
    pace: str,
    absence: str | None,
    starts: str,
    least: int | None,
) -> None:
    """Raise ``BadTable`` for what nobody offers."""
    count = len(seats) + 1
    if count not in rules.meta.seats or any(seat not in (Seat.OPEN, Seat.BOT) for seat in seats):
        raise BadTable("This game is not played with those seats.")
    if pace not in PACES:
        raise BadTable("There is no such pace.")
    if absence not in (None, "", Table.ZOMBIE, Table.FORFEIT, Table.ASK):
        raise BadTable("There is no such rule for those who leave.")
    if starts not in (Table.FULL, Table.HOST):
        raise BadTable("There is no such way to start.")
    if least is not None and (least not in rules.meta.seats or least > count):
        raise BadTable("This game cannot begin with that number of players.")


def _must_have_room(player: Any, *, waiting: bool) -> None:
    """Raise ``TooManyTables`` where ``player`` has as many as one may have: open ones (``waiting`` for
    others), or games against bots, see ``_make_room``."""
    if not waiting:
        _make_room(player)
    elif Table.objects.filter(host=player, status=Table.OPEN).count() >= OPEN_LIMIT:
        raise TooManyTables(OPEN_LIMIT)


def _make_room(player: Any) -> None:
    """See that ``player`` has not too many games against bots alone before another begins.

    An account is told, and chooses itself what to finish. A guest came for one click: the game left
    untouched for longest ends. Games with other people do not count. Raises TooManyTables.
    """
    others = Seat.objects.filter(table=OuterRef("pk"), kind=Seat.PERSON).exclude(user=player)
    alone = Table.objects.filter(
        ~Exists(others), status=Table.PLAYING, seats__user=player, seats__zombie=False
    )
    waiting = list(alone.order_by("moved_at").values_list("public_id", flat=True))
    if len(waiting) < ALONE_LIMIT:
        return
    for table_id in waiting if player.is_guest else ():
        try:
            make_way(table_id=table_id)
        except CannotGoOn:  # its rules are gone: the next one, then
            continue
        return
    raise TooManyTables(
        ALONE_LIMIT, "You have {count} games against bots under way: finish or leave one first."
    )


def _must_be_open(table: Table) -> None:
    if table.status == Table.EXPIRED:
        raise NotOpen("Nobody began this table in time: it is closed. Open it again.")
    if table.status != Table.OPEN:
        raise NotOpen


def _must_be_host(table: Table, player: Any) -> None:
    if player is None or player.pk is None or table.host_id != player.pk:
        raise NotYourTable


def _name_bots(chairs: Sequence[Seat]) -> None:
    used = {chair.kept_name for chair in chairs if chair.kept_name}
    names = (f"Bot {name}" for name in BOT_NAMES if f"Bot {name}" not in used)
    for chair in chairs:
        if chair.kind == Seat.BOT and not chair.kept_name:
            chair.kept_name, chair.bot_level = next(names), BOT_LEVEL


def _sensible(rules: Game[Any, Any, Any], options: Any, seats: int) -> Any:
    """``options`` where those that are not asked have their defaults."""
    chosen = {field.name: getattr(options, field.name) for field in asked(options, seats)}
    return read_options(rules.options_type, chosen)
