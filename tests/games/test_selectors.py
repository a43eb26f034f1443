"""Lists of tables and facts, for lobby and help pages."""

import pytest
from django.db.transaction import TransactionManagementError

from games import facts, listing, selectors, services
from games.errors import TableNotFound
from games.models import Table
from games.services.reading import lock_table

pytestmark = pytest.mark.django_db


def test_tables_that_wait_come_by_deadline(play, time, person):
    slow = play("Ada", "Bob", pace="7d")
    soon = play("Ada", "Bob", pace="12h")
    unhurried = play("Ada", "Bob", pace="none")
    answered = play("Ada", "Bob", pace="1d")
    answered.choose("Ada")
    rows = listing.waiting_tables(person("Ada"))
    assert [row.public_id for row in rows] == [soon.id, slow.id, unhurried.id]
    assert rows[0].waiting_for == "Choose a card"
    assert rows[0].title_names == "with Bob"
    assert listing.waiting_count(person("Ada")) == 3
    assert listing.waiting_count(person("Bob")) == 4
    assert listing.waiting_tables(None) == []


def test_little_time_left_is_marked(play, time, person):
    play("Ada", "Bob", pace="12h")
    assert not listing.waiting_tables(person("Ada"))[0].low
    time.move(hours=35, minutes=10)
    assert listing.waiting_tables(person("Ada"))[0].low


def test_a_seat_one_left_waits_for_nobody(play, person):
    game = play("Ada", "Bob", "Cy")
    services.leave(table_id=game.id, player=game.people["Ada"])
    assert listing.waiting_count(person("Ada")) == 0
    assert [row.public_id for row in listing.my_tables(person("Ada"))] == [game.id]


def test_open_tables_are_listed_for_those_who_may_sit_down(tiny, person):
    options = {"high": 6, "throws": False}
    table = services.open_table(
        player=person("Ada"), game="tiny", seats=["open", "bot"], pace="1d", options=options
    )
    services.open_table(player=person("Bob"), game="tiny", seats=["open"], unlisted=True)
    (row,) = listing.open_tables(person("Cy"))
    assert (row.public_id, row.url) == (table.public_id, f"/tables/{table.public_id}/")
    assert (row.seats_taken, row.seats_total) == (2, 3)
    assert row.title_names == "Ada and a bot wait"
    assert row.pace_words == "about one move a day"
    assert row.option_words == ["highest card: 6", "no throws"]
    assert (row.may_join, row.is_member) == (True, False)
    assert listing.open_tables(person("Ada"))[0].may_join is False
    assert listing.open_tables(None, "hearts") == []
    assert len(listing.open_tables(None, "tiny")) == 1


def test_a_person_alone_waits_in_the_singular(tiny, person):
    services.open_table(player=person("Noor"), game="tiny", seats=["open"])
    assert listing.open_tables(None)[0].title_names == "Noor waits"


def test_my_tables_end_with_those_that_are_over(play, tiny, person):
    over = play("Ada", "Bob")
    services.leave(table_id=over.id, player=over.people["Bob"])
    opened = services.open_table(player=person("Ada"), game="tiny", seats=["open"])
    running = play("Ada", "Bob")
    running.choose("Ada")
    asked = play("Ada", "Bob")
    rows = listing.my_tables(person("Ada"))
    expected = [asked.id, running.id, opened.public_id, over.id]
    assert [row.public_id for row in rows] == expected
    assert rows[-1].result == "Bob gives up."
    assert rows[-1].status == Table.FINISHED


def test_facts_of_the_games():
    shelf = {one.slug: one for one in facts.all_facts()}
    assert shelf["hearts"].seats == (4,)
    assert shelf["hearts"].seats_words == "4 players"
    assert shelf["nibble"].cover_url.endswith("games/nibble/cover.svg")
    assert facts.game_facts("hearts").name == "Hearts"


def test_a_seat_counts_in_words():
    assert facts._players((1,)) == "1 player"
    assert facts._players((2, 3, 4)) == "2 to 4 players"
    assert facts._players((2, 3)) == "2 or 3 players"
    assert facts._players((2, 4)) == "2 or 4 players"


def test_each_reason_is_told_once(play):
    game = play("Ada", "Bob", game="nibble")
    (asked,) = services.match_of(game.table, 2).keys
    mover = game.at(asked)
    moves = selectors.table_payload(game.table, game.people[mover])["moves"]
    texts = [reason["text"] for reason in moves["reasons"]]
    assert len(texts) == len(set(texts)) < len(moves["refused"])
    assert set(moves["refused"].values()) == set(range(len(texts)))


def test_a_state_after_the_last_row_reads_no_log(play, django_assert_num_queries):
    game = play("Ada", "Bob")
    table, ada = game.table, game.people["Ada"]
    with django_assert_num_queries(1):
        assert selectors.table_payload(table, ada, table.ply)["log"] == []


def test_the_people_at_a_table_are_read_with_their_seats(play, django_assert_num_queries):
    table = play("Ada", "Bob", bots=1).table
    with django_assert_num_queries(1):
        seats = services.seats_of(table)
        assert sorted(seat.name for seat in seats if seat.user) == ["Ada", "Bob"]
        assert [seat.index for seat in seats] == [0, 1, 2]
        assert all(seat.user.is_active for seat in seats if seat.user)
    assert not any(seat.user.is_guest for seat in seats if seat.user)  # looked up when asked for


def test_a_table_is_locked_only_inside_a_transaction(play):
    table_id = play("Ada", "Bob").id
    assert lock_table(table_id).public_id == table_id
    assert lock_table(table_id.lower(), skip_locked=True).public_id == table_id
    with pytest.raises(TableNotFound):
        lock_table("XXXXXXXX")


@pytest.mark.django_db(transaction=True)
def test_outside_a_transaction_no_table_is_locked(play):
    table_id = play("Ada", "Bob").id
    with pytest.raises(TransactionManagementError):
        lock_table(table_id)
