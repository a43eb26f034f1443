"""Sockets whose hint was lost come to know what happened all the same."""

import logging

import pytest
from django.db import OperationalError

from games import services
from games.models import Table
from games.realtime import consumers, lookout
from games.realtime.threads import in_thread
from games.services import hints

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def no_hints(monkeypatch):
    """Every hint is lost, and one looks often."""
    monkeypatch.setattr(hints._voice, "say", lambda group, message: None)
    monkeypatch.setattr(lookout, "EVERY", 0.05)


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


async def test_everybody_sees_a_move_whose_hint_was_lost(game, dial):
    bob, eve = await dial(game, game.people["Bob"]), await dial(game)
    await in_thread(game.choose, "Ada")
    for socket in (bob, eve):
        assert (await socket.state(1))["log"][-1]["kind"] == "act"


async def test_everybody_hears_a_message_whose_hint_was_lost(game, dial):
    bob = await dial(game, game.people["Bob"])
    await in_thread(
        services.say, table_id=game.id, player=game.people["Ada"], text="Hello", key="k"
    )
    frame = await bob.next("state")
    assert [message["text"] for message in frame["chat"]] == ["Hello"]
    await in_thread(game.choose, "Ada")
    assert "chat" not in await bob.state(1)  # it has been heard


async def test_a_waiting_room_sees_the_start_whose_hint_was_lost(tiny, person, dial):
    def opened():
        return services.open_table(player=person("Ada"), game="tiny", seats=["open"])

    table = await in_thread(opened)
    socket = await dial(table.public_id, await in_thread(person, "Ada"))
    bob = await in_thread(person, "Bob")
    await in_thread(services.join, table_id=table.public_id, player=bob)
    assert (await socket.next("state"))["status"] == Table.PLAYING


async def test_one_look_serves_all_sockets_and_tables(game, play, dial, monkeypatch):
    other = await in_thread(play, "Dunya", "Eve", pace="live-15")
    asked = []
    look = lookout.positions
    monkeypatch.setattr(lookout, "positions", lambda ids: asked.append(set(ids)) or look(ids))
    for table in (game, game, other):
        await dial(table)
    socket = await dial(other)
    await in_thread(other.choose, "Dunya")
    await socket.state(1)
    assert asked[-1] == {game.id, other.id}


async def test_the_look_ends_with_the_last_socket(game, dial):
    socket = await dial(game)
    task = lookout.lookout().task
    assert not task.done()
    await socket.close()
    assert lookout.lookout().task is None
    assert task.cancelling()


async def test_a_database_that_was_away_is_looked_at_again(game, dial, monkeypatch, caplog):
    socket = await dial(game)
    read, away = consumers.door.state, [OperationalError("gone")] * 2

    def fails_twice(**how):
        if away:
            raise away.pop()
        return read(**how)

    monkeypatch.setattr(consumers.door, "state", fails_twice)
    with caplog.at_level(logging.WARNING):
        await in_thread(game.choose, "Ada")
        await socket.state(1)
    assert caplog.text.count(f"table not read: table={game.id} ply=0") == 1


async def test_a_lookout_says_once_that_the_database_is_away(game, dial, monkeypatch, caplog):
    read, away = lookout.positions, [OperationalError("gone")] * 3

    def fails_thrice(ids):
        if away:
            raise away.pop()
        return read(ids)

    monkeypatch.setattr(lookout, "positions", fails_thrice)
    socket = await dial(game)
    await in_thread(game.choose, "Ada")
    await socket.state(1)
    assert caplog.text.count("the database does not answer") == 1
    assert caplog.text.count("the database answers again") == 1
