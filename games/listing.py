"""Lists of tables: those that wait for somebody, those one can join, those somebody played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Count,
    Exists,
    F,
    OuterRef,
    Prefetch,
    Q,
    QuerySet,
    Window,
    prefetch_related_objects,
)
from django.urls import reverse

from games import services
from games.engine import (
    BadOptions,
    Msg,
    UnknownGame,
    all_games,
    differing,
    game_name,
    get_game,
    read_options,
)
from games.errors import CannotGoOn
from games.facts import cover_url
from games.ids import plain_id
from games.models import Seat, Table
from games.selectors import has_account, seat_of, the_match
from games.services import clock
from games.services.writing import match_of
from games.translation import Told, told, translated_text
from portal.prepared import Prepared

OPEN_LISTED = 50  # tables on a page of open ones
FIRST_OPEN = 10  # beside a page
LOW = {"live": timedelta(minutes=1), "slow": timedelta(hours=1), "none": timedelta(0)}


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
        if (game := all_games().get(slug)) and (version == game.version or _goes_on(table_id))
    ]


def _goes_on(table_id: str) -> bool:
    """Whether a table of older rules than today's can still be read by them."""
    table = services.find_table(table_id)
    return table.seed is None or the_match(table, services.seats_of(table))[0] is not None


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


def first_open(user: Any, slug: str, count: int) -> tuple[list[TableRow], int]:
    """The first ``count`` of ``open_tables`` of a game, up to ``FIRST_OPEN``, and how many there are in
    all."""
    tables = _newest_open(slug)[:count]
    prefetch_related_objects(tables, _seats())
    return [_row(table, user) for table in tables], tables[0].in_all if tables else 0


def _listed_open(slug: str | None) -> QuerySet[Table]:
    free = Seat.objects.filter(table=OuterRef("pk"), kind=Seat.OPEN)
    listed = Table.objects.filter(
        Exists(free), status=Table.OPEN, visibility=Table.LISTED, game__in=list(all_games())
    )
    return listed if slug is None else listed.filter(game=slug)


_newest_open = Prepared(
    lambda slug: (
        _listed_open(slug)
        .annotate(in_all=Window(Count("pk")))
        .order_by("-created_at", "-pk")[:FIRST_OPEN]
    )
)


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
    return tables.prefetch_related(_seats())


def _seats() -> Prefetch:
    return Prefetch("seats", queryset=Seat.objects.select_related("user").order_by("index"))


def _row(table: Table, user: Any) -> TableRow:
    seats = list(table.seats.all())
    mine = seat_of(seats, user)
    asked = _asked(table, seats, mine)
    deadline = mine.expires_at if mine is not None and asked else None
    low = deadline is not None and deadline - clock.now() < LOW[table.pace_info.kind]
    taken = [seat for seat in seats if seat.kind != Seat.OPEN]
    return TableRow(
        public_id=table.public_id,
        url=table.get_absolute_url(),
        slug=table.game,
        name=game_name(table.game),
        cover_url=cover_url(table.game),
        title_names=_title_names(table, seats, mine),
        seats_taken=len(taken),
        seats_total=len(seats),
        seat_kinds=[seat.kind for seat in seats],
        pace_words=table.pace_info.words,
        option_words=[*_option_words(table), *_condition_words(table)],
        waiting_for=asked,
        deadline=deadline,
        low=low,
        is_member=mine is not None,
        may_join=table.status == Table.OPEN
        and mine is None
        and len(taken) < len(seats)
        and table.game in all_games()
        and (not table.accounts_only or has_account(user)),
        status=table.status,
        result=_result(table, seats, mine),
    )


def _result(table: Table, seats: Sequence[Seat], mine: Seat | None) -> str:
    if table.status == Table.EXPIRED:
        return "Closed: nobody began it in time"
    if table.outcome is None:
        return ""
    text = Msg.from_data(table.outcome["text"])
    names = [seat.name for seat in seats]
    return told(text, table.game, names, None if mine is None else mine.index)


def _condition_words(table: Table) -> list[str]:
    """On what an open table waits, where that is not the usual."""
    if table.status != Table.OPEN:
        return []
    words = ["begins when its host says so"] if table.starts == Table.HOST else []
    fewest = services.fewest(table)
    game = all_games().get(table.game)
    usual = fewest if game is None else min(game.meta.seats)
    words += [f"{fewest} players at least"] if fewest > usual else []
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
    words = told(prompt, table.game, [seat.name for seat in seats], mine.index)
    return Told(words.rstrip("."), words.lang)


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


def _option_words(table: Table) -> list[str]:
    try:
        options = read_options(get_game(table.game).options_type, table.options)
    except (UnknownGame, BadOptions):  # of other rules than today's
        return []
    words = []
    for field, value, label in differing(options):
        words.append(_option(field.title, value, label, table.game))
    return words


def _option(title: str, value: object, label: str, slug: str) -> str:
    """An option in words, wholly in one language."""
    ours, theirs = translated_text(title, slug), translated_text(label, slug)
    if ours.lang and ours.lang == theirs.lang:  # nouns keep their capitals
        return Told(ours if value is True else f"{ours}: {theirs}", ours.lang)
    title = title[:1].lower() + title[1:]
    if isinstance(value, bool):
        return title if value else f"no {title}"
    return f"{title}: {label}"
