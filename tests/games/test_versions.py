"""Tables that were begun by other rules than today's."""

import logging
from datetime import timedelta

import msgspec
import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from games import door, listing, selectors, services, tasks
from games.engine import IllegalMove
from games.errors import CannotGoOn
from games.models import Table
from tests.games.conftest import rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def newer(tiny, monkeypatch):
    """The rules are of version 2 from now on; with ``migrates`` they know the older states."""

    def change(*, migrates):
        monkeypatch.setattr(type(tiny), "version", 2)
        if migrates:

            def migrate(self, data, from_version):
                assert from_version == 1
                return msgspec.convert(data, self.state_type)

            monkeypatch.setattr(type(tiny), "migrate", migrate)

    return change


@pytest.fixture
def login(person):
    def open_browser(name):
        client = Client()
        client.force_login(person(name))
        return client

    return open_browser


def test_a_state_is_brought_up_to_newer_rules_and_the_game_goes_on(play, newer):
    game = play("Ada", "Bob")
    game.choose("Ada")
    newer(migrates=True)
    game.choose("Bob")
    assert (game.table.version, game.table.migrated) == (2, True)
    payload = selectors.table_payload(game.table, game.people["Ada"])
    assert payload["stopped"] is None
    assert payload["view"]["hand"]


def test_nothing_is_taken_back_across_or_after_a_change_of_rules(play, newer):
    game = play("Ada", "Bob")
    game.choose("Ada")
    newer(migrates=True)
    assert selectors.table_payload(game.table, game.people["Ada"])["undo"] is False
    with pytest.raises(IllegalMove):
        services.undo(table_id=game.id, player=game.people["Ada"], key="u1")
    game.choose("Bob")
    name = game.at(0)
    game.act(name, {"type": "count"})
    assert selectors.table_payload(game.table, game.people[name])["undo"] is False
    with pytest.raises(IllegalMove) as refused:
        services.undo(table_id=game.id, player=game.people[name], key="u2")
    assert refused.value.code == "nothing_to_undo"
    with pytest.raises(CommandError, match="rules changed"):
        call_command("verify", game.id)


def test_a_table_that_cannot_go_on_says_so_and_keeps_its_log(play, newer, login):
    game = play("Ada", "Bob", pace="1d")
    game.choose("Ada")
    newer(migrates=False)
    response = login("Ada").get(game.table.get_absolute_url())
    assert response.status_code == 200
    payload = selectors.table_payload(game.table, game.people["Ada"])
    assert "cannot go on" in payload["stopped"]["text"]
    assert (payload["status"], payload["view"], payload["moves"]) == ("playing", None, None)
    assert (payload["undo"], payload["pending"], payload["may"]["leave"]) == (False, [], False)
    lines = [line["text"] for row in payload["log"] for line in row["lines"]]
    assert "You chose {number}." in lines
    assert payload["options"]
    assert selectors.all_moves(game.table, game.people["Bob"])["moves"] is None


def test_what_is_done_there_is_refused_in_words(play, newer, login):
    game = play("Ada", "Bob")
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    newer(migrates=False)
    with pytest.raises(CannotGoOn):
        game.act("Ada", action)
    with pytest.raises(CannotGoOn):
        services.leave(table_id=game.id, player=game.people["Ada"])
    answer = login("Ada").post(reverse("leave_table", args=[game.id]))
    assert answer.status_code == 409
    assert "cannot go on" in answer.content.decode()


def test_lists_show_it_and_it_waits_for_nobody(play, newer, person):
    game = play("Ada", "Bob")
    Table.objects.update(options={"wings": True})
    newer(migrates=False)
    (row,) = listing.my_tables(person("Ada"))
    assert (row.public_id, row.waiting_for, row.option_words) == (game.id, "", [])
    assert listing.waiting_count(person("Ada")) == 0
    assert selectors.table_payload(game.table, None)["options"] == []


def test_a_finished_table_keeps_result_and_log(play, newer):
    game = play("Ada", "Bob")
    services.leave(table_id=game.id, player=game.people["Bob"])
    newer(migrates=False)
    payload = selectors.table_payload(game.table, game.people["Ada"])
    assert payload["status"] == "finished"
    assert payload["outcome"]["ranks"][game.seat("Ada").index] == 1
    assert payload["seats"][game.seat("Bob").index]["result"]["rank"] == 2
    assert payload["log"][-1]["kind"] == "leave"
    assert payload["stopped"]
    assert payload["may"]["rematch"]


def test_the_sweep_says_it_once_and_goes_round_it(play, newer, time, caplog):
    stopped = play("Ada", "Bob", "Cy", pace="live-5")
    newer(migrates=False)
    time.move(minutes=6)
    with caplog.at_level(logging.INFO):
        for _ in range(3):
            assert tasks.sweep() == 0
            time.move(seconds=1)
        door.state(table_id=stopped.id, viewer=None, since=None, chat=False)
        assert tasks.try_stopped() == 0
    assert caplog.text.count(stopped.id) == 1
    assert stopped.table.stopped_at is not None


def test_once_the_rules_can_read_it_the_table_goes_on_and_nobodys_time_ran_out(play, newer, time):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    newer(migrates=False)
    time.move(minutes=6)
    tasks.sweep()
    time.move(days=3)
    newer(migrates=True)
    assert tasks.sweep() == 0
    assert tasks.try_stopped() == 1
    assert tasks.try_stopped() == 0
    assert game.table.stopped_at is None
    assert rows(game.table)[1:] == [(1, "system", "clock")]
    assert game.seat("Ada").expires_at == time.moment + timedelta(minutes=1)
    game.choose("Ada")


@pytest.mark.parametrize("how", ["read", "move"])
def test_it_goes_on_with_the_next_who_looks_or_moves(play, newer, time, how):
    game = play("Ada", "Bob", "Cy", pace="live-5")
    action = {"type": "choose", "card": game.hand("Ada")[0]}
    newer(migrates=False)
    time.move(minutes=6)
    tasks.sweep()
    newer(migrates=True)
    if how == "read":
        look = {"viewer": game.people["Ada"], "since": None, "chat": False}
        assert door.state(table_id=game.id, **look)["stopped"] is None
    else:
        game.act("Ada", action)
    assert game.table.stopped_at is None
    assert not game.seat("Ada").zombie


def test_a_deserted_table_that_cannot_go_on_is_said_once(play, newer, time, caplog):
    game = play("Ada", bots=1, absence="zombie")
    services.leave(table_id=game.id, player=game.people["Ada"])
    newer(migrates=False)
    time.move(days=2)
    for _ in range(3):
        assert tasks.close_deserted() == 0
    assert caplog.text.count(game.id) == 1
