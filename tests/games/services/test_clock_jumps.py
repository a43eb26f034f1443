"""The server's clock is set back and forth while tables are played at.

Forward counts as time that passed. Back: everybody has in hand what they had at the last row, and bots go on.
"""

import pytest

from games import door, services, tasks
from games.models import Table
from games.services import clock
from tests.games.conftest import rows

pytestmark = pytest.mark.django_db

HOURS = [1, 24]
MINUTE = 60_000  # ms


def in_hand(game, name):
    """ms on the clock of ``name``, as the page shows it."""
    state = door.state(table_id=game.id, viewer=game.people[name], since=0, chat=False)
    seat = state["seats"][state["you"]]
    ends = seat["clock"]["expires_at"]
    return seat["clock"]["bank"] if ends is None else ends - state["now"]


@pytest.mark.parametrize("hours", HOURS)
def test_nobody_gains_or_loses_time_when_the_clock_is_set_back(play, time, hours):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    time.move(minutes=1)
    game.choose("Ada")
    time.move(minutes=1)
    time.move(hours=-hours)
    assert tasks.sweep() == 0
    assert in_hand(game, "Bob") == 4 * MINUTE  # as it was at the last row
    time.move(minutes=3)
    game.choose("Bob")
    assert in_hand(game, "Bob") <= game.table.cap
    time.move(minutes=1, seconds=2)
    assert tasks.sweep() == 1
    assert rows(game.table)[-1][1:] == ("time-out", "clock")
    assert game.seat("Cy").zombie
    assert not game.seat("Bob").zombie


@pytest.mark.parametrize("hours", HOURS)
def test_bots_go_on_when_the_clock_is_set_back(play, time, hours):
    play("Ada", bots=2)
    time.move(hours=-hours)
    assert tasks.sweep() == 0
    assert tasks.follow_the_clock() == 1
    assert tasks.follow_the_clock() == 0
    time.move(seconds=1)
    assert tasks.sweep() == 2


def test_a_reader_follows_the_clock_where_no_worker_runs(play, time):
    game = play("Ada", bots=1)
    time.move(hours=-1)
    door.current_table(game.id)
    time.move(seconds=3)
    door.current_table(game.id)
    assert rows(game.table)[-1][2] == "bot"


@pytest.mark.parametrize("hours", HOURS)
def test_a_clock_set_forward_counts_as_time_that_passed(play, time, hours):
    quick = play("Ada", "Bob", "Cy", pace="live-5")
    slow = play("Dunya", "Eve", pace="1d")
    time.move(hours=hours)
    assert tasks.sweep() == 3
    assert {kind for _, kind, _ in rows(quick.table)[1:]} == {"time-out"}
    assert len(rows(slow.table)) == 1
    time.move(hours=-hours)
    for name in ("Ada", "Bob", "Cy"):  # the clock is right again: they take their seats, with time
        services.come_back(table_id=quick.id, player=quick.people[name])
    assert in_hand(quick, "Ada") == MINUTE
    assert tasks.sweep() == 0
    assert in_hand(slow, "Eve") <= slow.table.bank


def test_who_may_be_set_aside_is_not_sooner_or_later_so(play, time):
    game = play("Ada", "Bob", "Cy", pace="none")
    time.move(hours=-24)
    door.current_table(game.id)
    time.move(hours=24, seconds=1)
    index = game.seat("Bob").index
    services.set_aside(table_id=game.id, player=game.people["Ada"], seat=index)
    assert game.seat("Bob").zombie


def test_a_deserted_table_ends_after_its_grace_all_the_same(play, time):
    game = play("Ada", bots=1, absence="zombie", pace="live-5")
    services.leave(table_id=game.id, player=game.people["Ada"])
    time.move(hours=-24)
    assert tasks.follow_the_clock() == 1
    assert tasks.close_deserted() == 0
    time.move(minutes=11)
    assert tasks.close_deserted() == 1
    assert game.table.status == Table.ABANDONED


def test_machines_whose_clocks_differ_a_little_change_nothing(play, time):
    game = play("Ada", "Bob", pace="live-5")
    before = game.seat("Ada").expires_at
    time.move(seconds=-3)
    game.choose("Bob")
    assert game.seat("Ada").expires_at == before
    assert clock.set_back(game.table, time()) == clock.SKEW * 0
