"""No payload tells anybody what they may not know, for every game and every kind of payload."""

import msgspec
import pytest
from django.contrib.auth.models import AnonymousUser

from games import selectors, services
from games.engine import Rng, all_games, seed_from_int
from games.models import Seat, Table
from tests.games.conftest import Game

pytestmark = pytest.mark.django_db

PLIES, EVERY = 44, 4
SLUGS = [*sorted(all_games()), "tiny"]


def payloads(table, viewer):
    """Every kind of payload that ``viewer`` can get, as one text."""
    kinds = [
        selectors.table_payload(table, viewer),
        selectors.table_payload(table, viewer, max(0, table.ply - 3)),
        selectors.table_payload(table, viewer, table.ply, with_chat=True),
        selectors.all_moves(table, viewer),
    ]
    return msgspec.json.encode(kinds)


def resampled(table, seat, rng):
    """``table`` with another state that looks the same to ``seat``; not saved."""
    match = services.match_of(table, table.seats.count())
    match.state = match.game.resample(match.state, seat, rng)
    other = Table.objects.get(pk=table.pk)
    other.snapshot = msgspec.json.encode(match.snapshot()).decode()
    return other


@pytest.fixture
def begun(play, person):
    """A table of persons only, of a game with its usual seats."""

    def begin(slug):
        count = max(all_games()[slug].meta.seats)
        return play(*[f"P{n}" for n in range(count)], game=slug, pace="live-15")

    return begin


@pytest.mark.parametrize("slug", SLUGS)
def test_what_one_cannot_see_changes_no_byte(slug, tiny, begun, time, person):
    game, rng = begun(slug), Rng(seed_from_int(5))
    eve = person("Eve")
    for n in range(PLIES):
        if game.table.is_over:
            break
        if n % EVERY == 0:
            assert_blind(game, [None, AnonymousUser(), eve, *game.people.values()], rng)
        match = services.match_of(game.table, game.table.seats.count())
        seat = rng.choice(sorted(match.keys))
        items = match.moves(seat).items
        action = msgspec.to_builtins(items[rng.below(len(items))])
        game.act(game.at(seat), action)


def assert_blind(game: Game, viewers, rng):
    table = game.table
    for viewer in viewers:
        seat = Seat.objects.filter(table=table, user=viewer).first() if viewer_pk(viewer) else None
        index = None if seat is None else seat.index
        for _ in range(3):
            other = resampled(table, index, rng)
            assert payloads(other, viewer) == payloads(table, viewer), f"ply {table.ply}, {viewer}"


def viewer_pk(viewer):
    return getattr(viewer, "pk", None)


def test_one_who_left_sees_the_seat_and_after_a_take_over_nothing(tiny, begun, time, person):
    game, rng = begun("tiny"), Rng(seed_from_int(6))
    game.choose("P0")
    services.leave(table_id=game.id, player=game.people["P0"])
    assert_blind(game, list(game.people.values()), rng)
    index = game.seat("P0").index
    eve = person("Eve")
    services.take_over(table_id=game.id, player=eve, seat=index)
    former = game.people.pop("P0")
    assert_blind(game, [former, eve, *game.people.values()], rng)


def test_no_row_of_the_log_tells_its_action_and_no_line_goes_astray(tiny, begun, time, person):
    game = begun("tiny")
    game.choose("P0")
    index = game.seat("P0").index
    for name in ("P0", "P1", "P2"):
        log = selectors.table_payload(game.table, game.people[name])["log"]
        assert set(log[1]) == {"ply", "kind", "seat", "origin", "at", "lines", "undone"}
        private = [line for line in log[1]["lines"] if line["text"] == "You chose {number}."]
        assert bool(private) == (game.seat(name).index == index)


def test_the_seed_is_told_at_the_end_and_not_before(tiny, begun, person):
    game = begun("tiny")
    seed = bytes(game.table.seed).hex()
    for viewer in (None, *game.people.values()):
        assert seed not in payloads(game.table, viewer).decode()
    Table.objects.update(absence=Table.FORFEIT)
    services.leave(table_id=game.id, player=game.people["P0"])
    payload = selectors.table_payload(game.table, person("Eve"))
    assert payload["seed"] == seed
    assert payload["view"]["hands"]
