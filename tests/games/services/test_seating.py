"""Opening, sitting down, starting, playing again, through the services."""

import pytest

from games import hooks, listing, selectors, services
from games.engine import BadOptions, GameError, UnknownGame, all_games, seed_hash
from games.errors import AccountNeeded, NotOpen, NotSeated, NotYourTable, SeatTaken, TooManyTables
from games.models import Seat, Table
from games.services import seating

pytestmark = pytest.mark.django_db


def test_an_open_table_waits_for_people(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "bot"], pace="1d")
    assert table.status == Table.OPEN
    assert [seat.kind for seat in table.seats.all()] == ["person", "open", "bot"]
    assert table.seed is None
    assert len(table.public_id) == 8
    assert not set(table.public_id) & set("01ILOU")


def test_the_last_who_sits_down_starts_the_game(tiny, person, nudged):
    table = services.open_table(
        player=person("Ada"), game="tiny", seats=["open", "open"], pace="1d"
    )
    services.join(table_id=table.public_id, player=person("Bob"))
    table.refresh_from_db()
    assert table.status == Table.OPEN
    services.join(table_id=table.public_id, player=person("Cy"))
    table.refresh_from_db()
    assert table.status == Table.PLAYING
    assert seed_hash(bytes(table.seed)) == table.seed_hash
    assert sorted(seat.user.username for seat in table.seats.all()) == ["Ada", "Bob", "Cy"]
    assert table.plies.get().number == 0


def test_sitting_down_twice_takes_one_chair(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    for _ in range(2):
        services.join(table_id=table.public_id, player=person("Bob"))
    assert table.seats.filter(kind=Seat.OPEN).count() == 1


def test_a_taken_chair_is_refused(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    services.join(table_id=table.public_id, player=person("Bob"), seat=2)
    with pytest.raises(SeatTaken):
        services.join(table_id=table.public_id, player=person("Cy"), seat=2)


def test_nobody_sits_down_at_a_table_that_has_begun(play, person):
    game = play("Ada", "Bob")
    with pytest.raises(NotOpen) as refused:
        services.join(table_id=game.id, player=person("Cy"))
    assert refused.value.status == 409


def test_seats_are_mixed_by_the_seed(tiny, person, nudged, monkeypatch):
    orders = set()
    for number in range(12):
        monkeypatch.setattr(seating.secrets, "token_bytes", lambda n, b=number: bytes([b]) * n)
        table = services.open_table(player=person("Ada"), game="tiny", seats=["bot", "bot"])
        orders.add(tuple(seat.kind for seat in table.seats.order_by("index")))
    assert len(orders) == 3


def test_getting_up_frees_the_chair_and_hands_the_table_on(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    services.join(table_id=table.public_id, player=person("Bob"))
    services.get_up(table_id=table.public_id, player=person("Ada"))
    table.refresh_from_db()
    assert table.host == person("Bob")
    assert table.seats.filter(kind=Seat.OPEN).count() == 2
    assert services.get_up(table_id=table.public_id, player=person("Bob")) is None
    assert not Table.objects.exists()


def test_only_those_who_sit_get_up(tiny, person):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    with pytest.raises(NotSeated):
        services.get_up(table_id=table.public_id, player=person("Bob"))


def test_bots_fill_the_free_chairs(tiny, person, nudged):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "bot"])
    with pytest.raises(NotYourTable):
        services.fill_with_bots(table_id=table.public_id, player=person("Bob"))
    services.fill_with_bots(table_id=table.public_id, player=person("Ada"))
    table.refresh_from_db()
    assert table.status == Table.PLAYING
    names = [seat.name for seat in table.seats.all() if seat.kind == Seat.BOT]
    assert len(set(names)) == 2
    with pytest.raises(NotOpen):
        services.fill_with_bots(table_id=table.public_id, player=person("Ada"))


def test_a_table_starts_with_fewer_where_the_game_allows(tiny, person, nudged):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])
    services.join(table_id=table.public_id, player=person("Bob"))
    with pytest.raises(NotYourTable):
        services.start(table_id=table.public_id, player=person("Bob"))
    services.start(table_id=table.public_id, player=person("Ada"))
    table.refresh_from_db()
    assert (table.status, table.seats.count()) == (Table.PLAYING, 2)


def test_hearts_does_not_start_with_three(person, nudged):
    table = services.open_table(player=person("Ada"), game="hearts", seats=["bot", "bot", "open"])
    with pytest.raises(services.BadTable):
        services.start(table_id=table.public_id, player=person("Ada"))


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_play_now_is_one_person_against_bots_without_limit(slug, person, nudged):
    table = services.play_now(player=person("Ada"), game=slug)
    assert (table.status, table.pace, table.bank) == (Table.PLAYING, "none", None)
    kinds = sorted(seat.kind for seat in table.seats.all())
    assert kinds == ["bot"] * (len(kinds) - 1) + ["person"]
    assert {seat.bot_level for seat in table.seats.filter(kind=Seat.BOT)} == {2}


@pytest.mark.parametrize(
    ("how", "error"),
    [
        ({"game": "whist"}, UnknownGame),
        ({"seats": ["open"] * 9}, services.BadTable),
        ({"seats": ["throne"]}, services.BadTable),
        ({"pace": "hasty"}, services.BadTable),
        ({"absence": "shrug"}, services.BadTable),
        ({"options": {"high": 7}}, BadOptions),
        ({"options": {"wings": True}}, BadOptions),
    ],
)
def test_a_table_that_cannot_be_is_not_opened(tiny, person, how, error):
    with pytest.raises(error):
        services.open_table(**{"player": person("Ada"), "game": "tiny", "seats": ["open"], **how})
    assert not Table.objects.exists()


def test_nobody_holds_more_than_ten_open_tables(tiny, person):
    for _ in range(seating.OPEN_LIMIT):
        services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    with pytest.raises(TooManyTables) as refused:
        services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    assert refused.value.status == 429
    services.play_now(player=person("Ada"), game="tiny")


@pytest.fixture
def few(monkeypatch):
    """Three games against bots are the limit."""
    monkeypatch.setattr(seating, "ALONE_LIMIT", 3)


def test_an_account_has_so_many_games_against_bots_and_not_more(few, tiny, person, nudged):
    ada = person("Ada")
    tables = [services.play_now(player=ada, game="tiny") for _ in range(3)]
    with pytest.raises(TooManyTables) as refused:
        services.play_now(player=ada, game="tiny")
    assert "3 games against bots" in str(refused.value)
    waiting = services.open_table(player=ada, game="tiny", seats=["open"])
    with pytest.raises(TooManyTables):
        services.fill_with_bots(table_id=waiting.public_id, player=ada)
    services.join(table_id=waiting.public_id, player=person("Bob"))  # with people: no limit
    services.leave(table_id=tables[1].public_id, player=ada)
    services.play_now(player=ada, game="tiny")


def test_a_guests_oldest_game_against_bots_makes_way(few, play, person, nudged, time):
    guest = person("Guest")
    guest.is_guest = True
    guest.save()
    tables = []
    for _ in range(3):
        tables.append(services.play_now(player=guest, game="tiny"))
        time.move(minutes=1)
    with_bob = play("Guest", "Bob")
    touched = tables.pop(0)
    card = services.match_of(touched, 2).state.hands[touched.seats.get(user=guest).index][0]
    action = {"type": "choose", "card": card}
    services.act(table_id=touched.public_id, player=guest, ply=0, key="k", action=action)
    time.move(minutes=1)
    newest = services.play_now(player=guest, game="tiny")
    states = [Table.objects.get(pk=one.pk).status for one in (touched, *tables, newest)]
    assert states == ["playing", "abandoned", "playing", "playing"]
    assert with_bob.table.status == Table.PLAYING
    last = tables[0].plies.order_by("number").last()
    assert (last.kind, last.origin) == ("system", "clock")
    assert "is closed" in last.lines[0]["msg"]["text"]


def test_a_guests_game_of_older_rules_is_passed_over(few, tiny, person, nudged, monkeypatch):
    guest = person("Guest")
    guest.is_guest = True
    guest.save()
    old = services.play_now(player=guest, game="tiny")
    Table.objects.update(version=7)
    tables = [services.play_now(player=guest, game="tiny") for _ in range(3)]
    assert Table.objects.get(pk=old.pk).status == Table.PLAYING
    assert Table.objects.get(pk=tables[0].pk).status == Table.ABANDONED


def test_two_who_sit_lose_when_they_leave_and_more_are_played_for(tiny, person):
    for seats, rule in ((["open"], Table.FORFEIT), (["open", "open"], Table.ZOMBIE)):
        table = services.open_table(player=person("Ada"), game="tiny", seats=seats)
        assert table.absence == rule


def test_the_help_revision_in_force_is_kept(tiny, person, nudged, monkeypatch):
    page = hooks.HelpPage("/wiki/tiny/", 17)
    monkeypatch.setattr(hooks, "_help_page", lambda slug: page if slug == "tiny" else None)
    table = services.play_now(player=person("Ada"), game="tiny")
    monkeypatch.setattr(hooks, "_help_page", lambda slug: page._replace(revision=18))
    assert Table.objects.get(pk=table.pk).help_revision == 17


def test_the_same_table_again_is_one_table_for_all(play):
    game = play("Ada", "Bob", pace="live-5")
    services.leave(table_id=game.id, player=game.people["Bob"])
    again = services.rematch(table_id=game.id, player=game.people["Ada"])
    assert (again.status, again.pace, again.seats.count()) == (Table.OPEN, "live-5", 2)
    same = services.rematch(table_id=game.id, player=game.people["Bob"])
    assert same.pk == again.pk
    again.refresh_from_db()
    assert again.status == Table.PLAYING
    shown = services.rematch(table_id=game.id, player=game.people["Ada"])
    assert shown.pk == again.pk


def test_no_rematch_before_the_end_or_for_others(play, person):
    game = play("Ada", "Bob")
    with pytest.raises(GameError):
        services.rematch(table_id=game.id, player=game.people["Ada"])
    services.leave(table_id=game.id, player=game.people["Bob"])
    with pytest.raises(NotSeated):
        services.rematch(table_id=game.id, player=person("Eve"))


def test_old_open_tables_expire_and_twice_does_no_harm(tiny, person, time):
    ada = person("Ada")
    old = services.open_table(player=ada, game="tiny", seats=["open"])
    link = services.open_table(player=ada, game="tiny", seats=["open"], unlisted=True)
    time.move(days=13)
    young = services.open_table(player=ada, game="tiny", seats=["open"])
    time.move(days=2)
    assert services.close_old_tables() == 1
    assert services.close_old_tables() == 0
    by_status = dict(Table.objects.values_list("pk", "status"))
    assert by_status == {old.pk: "expired", link.pk: "open", young.pk: "open"}
    time.move(days=166)
    assert services.close_old_tables() == 2  # old went, 30 days after
    assert dict(Table.objects.values_list("pk", "status")) == {
        link.pk: "expired",
        young.pk: "expired",
    }


def test_nothing_begins_at_an_expired_table_but_it_is_opened_again(tiny, person, time):
    ada = person("Ada")
    table = services.open_table(
        player=ada, game="tiny", seats=["open", "bot"], starts="host", least=2, accounts_only=True
    )
    time.move(days=15)
    services.close_old_tables()
    for work in (services.start, services.fill_with_bots, services.join):
        with pytest.raises(NotOpen, match="in time"):
            work(table_id=table.public_id, player=person("Bob"))
    again = services.rematch(table_id=table.public_id, player=ada)
    assert [seat.kind for seat in again.seats.all()] == ["person", "open", "bot"]
    assert (again.starts, again.least, again.accounts_only) == ("host", 2, True)
    assert services.rematch(table_id=table.public_id, player=ada) == again


def test_the_host_may_be_the_one_who_starts(tiny, person, nudged):
    table = services.open_table(
        player=person("Ada"), game="tiny", seats=["open", "open"], starts="host", least=2
    )
    where = {"table_id": table.public_id}
    with pytest.raises(services.BadTable):  # one could play, but two are wanted
        services.start(**where, player=person("Ada"))
    for name in ("Bob", "Cy"):
        assert services.join(**where, player=person(name)).status == Table.OPEN
    assert selectors.table_payload(services.find_table(table.public_id), person("Ada"))["may"][
        "start"
    ]
    with pytest.raises(NotYourTable):
        services.start(**where, player=person("Bob"))
    assert services.start(**where, player=person("Ada")).status == Table.PLAYING


@pytest.mark.parametrize(
    ("starts", "least"), [("never", None), ("host", 0), ("full", 3), ("full", 9)]
)
def test_conditions_that_cannot_be_are_refused(starts, least, tiny, person):
    with pytest.raises(services.BadTable):
        services.open_table(
            player=person("Ada"), game="tiny", seats=["open"], starts=starts, least=least
        )


def test_guests_stay_out_where_an_account_is_asked_for(tiny, person):
    guest = person("Guest")
    guest.is_guest = True
    guest.save()
    with pytest.raises(AccountNeeded):
        services.open_table(player=guest, game="tiny", seats=["open"], accounts_only=True)
    table = services.open_table(
        player=person("Ada"), game="tiny", seats=["open"], accounts_only=True
    )
    with pytest.raises(AccountNeeded) as refused:
        services.join(table_id=table.public_id, player=guest)
    assert (refused.value.code, refused.value.status) == ("account_needed", 403)
    for viewer, may in ((guest, False), (None, False), (person("Bob"), True)):
        assert selectors.table_payload(table, viewer)["may"]["join"] is may
        assert listing.open_tables(viewer)[0].may_join is may
    assert services.join(table_id=table.public_id, player=person("Bob")).status == Table.PLAYING
