"""Hints: a worker finds them, for one seat and one question, at tables without time limit."""

import pytest
from django.core.cache import cache
from django.test import Client

from games import services, tasks
from games.engine import IllegalMove, Msg
from games.errors import NoHints, NotSeated

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def empty_cache():
    cache.clear()


@pytest.fixture
def wise(tiny, monkeypatch):
    """The small game gives hints: how many cards the seat that asks holds."""
    monkeypatch.setattr(type(tiny), "advises", True)
    monkeypatch.setattr(
        type(tiny),
        "advice",
        lambda self, state, seat: Msg("You hold {count}.", count=len(state.hands[seat])),
    )
    return tiny


def ask(game, name):
    return services.ask_hint(table_id=game.id, player=game.people[name])


def test_a_hint_is_found_by_a_worker_and_kept_for_its_question(wise, play, time, nudged):
    game = play("Ada", "Bob", pace="none")
    seat = game.seat("Ada").index
    count = len(nudged)
    assert ask(game, "Ada") == {"ply": 0, "ready": False, "text": None}
    assert ask(game, "Ada")["ready"] is False
    assert nudged[count:] == [game.id]  # called once, however often one asks
    assert tasks.advise(game.id, 0, seat)
    assert tasks.advise(game.id, 0, seat)  # twice does no harm
    found = ask(game, "Ada")
    assert found["ready"]
    assert found["text"]["text"] == "You hold {count}."
    assert ask(game, "Bob")["ready"] is False  # each has their own

    game.choose("Ada")
    assert not tasks.advise(game.id, 0, seat)  # too late: the table has gone on
    with pytest.raises(IllegalMove):
        ask(game, "Ada")  # who is asked nothing
    assert ask(game, "Bob")["ready"] is False


def test_no_hints_against_time_or_where_the_game_has_none(wise, play, time, person, monkeypatch):
    with pytest.raises(NoHints):
        ask(play("Ada", "Bob", pace="live-5"), "Ada")
    game = play("Ada", "Bob", pace="none")
    with pytest.raises(NotSeated):
        services.ask_hint(table_id=game.id, player=person("Cy"))
    monkeypatch.setattr(type(wise), "advises", False)
    with pytest.raises(NoHints):
        ask(game, "Ada")
    assert not tasks.advise(game.id, 0, game.seat("Ada").index)


def test_the_door_of_hints(wise, play, time):
    game = play("Ada", "Bob", pace="none")
    client = Client()
    assert client.get(f"/tables/{game.id}/hint").json()["code"] == "not_seated"
    client.force_login(game.people["Ada"])
    assert client.get(f"/tables/{game.id}/hint").json() == {
        "on": "hint",
        "ply": 0,
        "ready": False,
        "text": None,
    }
    assert (
        f'data-hint="/tables/{game.id}/hint"' in client.get(f"/tables/{game.id}/").content.decode()
    )
    other = play("Ada", "Bob", pace="live-5")
    refused = client.get(f"/tables/{other.id}/hint")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_hints")
    assert "data-hint" not in client.get(f"/tables/{other.id}/").content.decode()
