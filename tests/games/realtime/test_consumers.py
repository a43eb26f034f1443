"""The socket of a table: frames to services and back."""

from datetime import timedelta

import pytest
from channels.layers import get_channel_layer
from django.contrib.auth import get_user_model
from django.test import Client

from games import door, services
from games.models import Table
from games.realtime import consumers
from games.realtime.threads import in_thread
from games.services import absence, hints
from portal.asgi import application
from tests.games.realtime.conftest import Socket, session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


def choice(game, name):
    return {"type": "choose", "card": game.hand(name)[0]}


async def test_a_sync_answers_with_what_the_person_may_see(game, dial):
    socket = await dial(game, game.people["Ada"], sync=None)
    await socket.send(do="sync", key="k")
    frame = await socket.next("state")
    index = (await in_thread(game.seat, "Ada")).index
    assert (frame["you"], frame["key"], frame["status"]) == (index, "k", "playing")
    assert len(frame["view"]["hand"]) == 2
    assert frame["chat"] == []


async def test_a_spectator_sees_what_is_open(game, dial):
    socket = await dial(game, sync=None)
    await socket.send(do="sync")
    frame = await socket.next("state")
    assert (frame["you"], frame["view"]["hand"], frame["moves"]) == (None, [], None)


async def test_a_move_is_acknowledged_and_told_to_all(game, dial):
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"])
    eve = await dial(game)
    action = await in_thread(choice, game, "Ada")
    await ada.send(do="act", key="k1", ply=0, action=action)
    assert await ada.next("ack", "refused") == {"on": "ack", "key": "k1", "ply": 1}
    frames = [await socket.state(1) for socket in (ada, bob, eve)]
    texts = [[line["text"] for row in frame["log"] for line in row["lines"]] for frame in frames]
    assert "You chose {number}." in texts[0]
    assert texts[1] == texts[2] == ["{seat} has chosen."]
    assert [frame["log_from"] for frame in frames] == [0, 0, 0]


async def test_a_resent_move_is_acknowledged_again(game, dial):
    socket = await dial(game, game.people["Ada"])
    action = await in_thread(choice, game, "Ada")
    for _ in range(2):
        await socket.send(do="act", key="same", ply=0, action=action)
        assert (await socket.next("ack", "refused"))["ply"] == 1
    again = await dial(game, game.people["Ada"], sync=1)
    await again.send(do="act", key="same", ply=0, action=action)
    assert (await again.next("ack", "refused"))["ply"] == 1


async def test_what_the_rules_refuse_is_said_in_words(game, dial):
    socket = await dial(game, game.people["Ada"])
    await socket.send(do="act", key="k", ply=0, action={"type": "choose", "card": 99})
    frame = await socket.next("refused")
    assert (frame["code"], frame["key"]) == ("not_held", "k")
    assert frame["reason"] == "You do not hold 99."
    assert frame["msg"]["params"] == {"number": 99}


async def test_a_choice_is_taken_back_and_the_row_struck(game, dial):
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"])
    await ada.send(do="act", key="k1", ply=0, action=await in_thread(choice, game, "Ada"))
    await bob.state(1)
    await ada.send(do="undo", key="k2")
    assert (await ada.next("refused", "ack")) == {"on": "ack", "key": "k1", "ply": 1}
    assert (await ada.next("refused", "ack")) == {"on": "ack", "key": "k2", "ply": 2}
    frame = await bob.state(2)
    assert frame["undone"] == [1]
    assert [row["kind"] for row in frame["log"]] == ["undo"]


async def test_a_note_is_kept_and_shown_to_its_writer_alone(game, dial):
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"], sync=None)
    await ada.send(do="note", key="n", text="Bob bluffs", version=0)
    assert await ada.next("ack") == {"on": "ack", "key": "n", "version": 1}
    await ada.send(do="note", key="m", text="or not", version=0)
    assert (await ada.next("refused"))["code"] == "note_changed"
    await ada.send(do="sync")
    assert (await ada.next("state"))["notes"] == {"text": "Bob bluffs", "marks": None, "version": 1}
    await bob.send(do="sync")
    assert (await bob.next("state"))["notes"]["text"] == ""


async def test_moves_come_in_full_when_asked_for(play, dial):
    game = await in_thread(play, "Ada", "Bob", "Cy", "Dunya", game="hearts")
    socket = await dial(game, game.people["Ada"], sync=None)
    await socket.send(do="sync")
    moves = (await socket.next("state"))["moves"]
    assert (len(moves["items"]), moves["total"], moves["complete"]) == (60, 286, False)
    await socket.send(do="moves", key="m")
    frame = await socket.next("moves", "refused")
    assert (frame["key"], len(frame["moves"]["items"]), frame["moves"]["complete"]) == (
        "m",
        286,
        True,
    )


async def test_check_answers_without_moving(game, dial):
    socket = await dial(game, game.people["Ada"])
    await socket.send(do="check", key="c", ply=0, action=await in_thread(choice, game, "Ada"))
    frame = await socket.next("checked", "refused")
    assert (frame["on"], frame["key"]) == ("checked", "c")
    await socket.send(do="check", key="c", ply=0, action={"type": "choose", "card": 99})
    assert (await socket.next("checked", "refused"))["code"] == "not_held"
    assert await in_thread(lambda: game.table.ply) == 0


async def test_what_is_said_reaches_all(game, dial):
    ada = await dial(game, game.people["Ada"])
    eve = await dial(game)
    await ada.send(do="say", key="s", text="hello")
    assert (await ada.next("ack"))["key"] == "s"
    for socket in (eve, ada):
        message = (await socket.next("chat"))["message"]
        assert (message["name"], message["text"]) == ("Ada", "hello")


async def test_who_looks_on_is_told(game, dial):
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"])
    seats = sorted([(await in_thread(game.seat, name)).index for name in ("Ada", "Bob")])
    for socket in (ada, bob):
        while (await socket.next("presence"))["seats"] != seats:
            pass
    await bob.close()
    assert (await ada.next("presence"))["seats"] == [(await in_thread(game.seat, "Ada")).index]


async def test_a_refused_frame_is_known_by_its_key(game, dial):
    socket = await dial(game, game.people["Ada"])
    await socket.text('{"do": "act", "key": "mine", "ply": "zero", "action": {}}')
    assert (await socket.next("refused"))["key"] == "mine"


@pytest.fixture
def play_for_others(monkeypatch, settings):
    """Readers of a table look at it all the time; once this is called, they play for who is late."""
    settings.BOT_DELAY = 0.05
    monkeypatch.setattr(consumers, "LATER", 0.1)
    monkeypatch.setattr(consumers, "READER_SLACK", timedelta(0))
    monkeypatch.setattr(absence, "READER_SLACK", timedelta(days=1))
    return lambda: monkeypatch.setattr(absence, "READER_SLACK", timedelta(0))


async def test_an_open_page_keeps_its_table_going_without_a_worker(play, dial, play_for_others):
    game = await in_thread(play, "Ada", bots=1)
    socket = await dial(game, game.people["Ada"])
    play_for_others()
    frame = await socket.state(1)
    assert frame["log"][0]["origin"] == "bot"


async def test_an_open_page_keeps_its_table_going_without_hints_too(
    play, dial, monkeypatch, play_for_others
):
    monkeypatch.setattr(hints._voice, "say", lambda group, message: None)
    game = await in_thread(play, "Ada", bots=1)
    socket = await dial(game, game.people["Ada"])

    async def gone(*_):
        raise ConnectionError("no Redis")

    monkeypatch.setattr(get_channel_layer(), "send", gone)
    play_for_others()
    frame = await socket.state(1)
    assert frame["log"][0]["origin"] == "bot"


async def test_the_waiting_room_hears_who_sits_down(tiny, person, dial):
    def opened():
        return services.open_table(player=person("Ada"), game="tiny", seats=["open", "open"])

    table = await in_thread(opened)
    socket = await dial(table.public_id, await in_thread(person, "Ada"))
    bob = await in_thread(person, "Bob")
    await in_thread(services.join, table_id=table.public_id, player=bob)
    frame = await socket.next("state")
    assert [seat["name"] for seat in frame["seats"]] == ["Ada", "Bob", "Free seat"]
    cy = await in_thread(person, "Cy")
    await in_thread(services.join, table_id=table.public_id, player=cy)
    assert (await socket.next("state"))["status"] == Table.PLAYING


async def test_a_lost_hint_costs_a_moment_and_nothing_else(game, dial, monkeypatch):
    monkeypatch.setattr(hints._voice, "say", lambda group, message: None)
    socket = await dial(game, game.people["Bob"])
    await in_thread(game.choose, "Ada")
    await socket.send(do="sync", ply=0)
    assert (await socket.next("state"))["ply"] == 1


async def test_a_move_and_its_telling_cost_few_queries(game, django_assert_max_num_queries):
    action = await in_thread(choice, game, "Ada")

    def counted():
        with django_assert_max_num_queries(7):  # two to open and commit
            game_row = services.act(
                table_id=game.id, player=game.people["Ada"], ply=0, key="k", action=action
            )
        with django_assert_max_num_queries(3):
            door.state(table_id=game.id, viewer=game.people["Bob"], since=0, chat=False)
        return game_row.number

    assert await in_thread(counted) == 1


async def test_the_others_are_told_whom_the_game_plays_for(play, dial, time):
    game = await in_thread(play, "Ada", "Bob", "Cy", pace="none")
    bob = await dial(game, game.people["Bob"])
    cy = await dial(game, game.people["Cy"])
    time.move(days=1)
    index = (await in_thread(game.seat, "Ada")).index
    await in_thread(services.set_aside, table_id=game.id, player=game.people["Bob"], seat=index)
    for socket in (bob, cy):
        frame = await socket.state(1)
        assert (frame["log"][-1]["kind"], frame["seats"][index]["zombie"]) == ("system", True)


async def test_the_others_are_told_of_an_account_that_is_removed(game, dial):
    bob = await dial(game, game.people["Bob"])
    index = (await in_thread(game.seat, "Ada")).index
    await in_thread(game.people["Ada"].delete)
    await in_thread(services.enforce, table_id=game.id)
    frame = await bob.state(1)
    assert (frame["log"][-1]["kind"], frame["seats"][index]["zombie"]) == ("leave", True)


async def test_an_open_socket_of_a_closed_account_is_a_spectators(game, dial):
    ada = await dial(game, game.people["Ada"])
    action = await in_thread(choice, game, "Ada")
    people = get_user_model().objects.filter(username="Ada")
    await in_thread(people.update, is_active=False)
    await ada.send(do="act", key="k", ply=0, action=action)
    assert (await ada.next("refused", "ack"))["code"] == "not_seated"
    await ada.send(do="sync")
    frame = await ada.next("state")
    assert (frame["you"], frame["view"]["hand"], frame["moves"]) == (None, [], None)


async def test_one_sees_ones_own_move_and_message_though_hints_are_lost(game, dial, monkeypatch):
    monkeypatch.setattr(hints._voice, "say", lambda group, message: None)
    socket = await dial(game, game.people["Ada"])
    action = await in_thread(choice, game, "Ada")
    await socket.send(do="act", key="k1", ply=0, action=action)
    assert (await socket.state(1))["log"][0]["ply"] == 1
    await socket.send(do="undo", key="k2")
    assert (await socket.state(2))["undone"] == [1]
    await socket.send(do="say", key="k3", text="hello")
    assert (await socket.next("chat"))["message"]["text"] == "hello"


async def test_who_logs_out_keeps_no_socket(game, dial):
    cookie = await in_thread(session_of, game.people["Ada"])
    other = await dial(game, game.people["Ada"])  # in another browser
    socket = Socket(game.id, cookie)
    assert await socket.open()
    await socket.send(do="sync")
    assert (await socket.next("state"))["you"] is not None
    browser = Client()
    name, value = cookie.decode().split("=")
    browser.cookies[name] = value
    await in_thread(browser.post, "/accounts/logout/")
    assert (await socket.next())["on"] == "closed"
    assert socket.closed == consumers.LOGGED_OUT
    again = Socket(game.id, cookie)
    assert await again.open()
    await again.send(do="sync")
    frame = await again.next("state")
    assert (frame["you"], frame["view"]["hand"]) == (None, [])
    await other.send(do="sync")
    assert (await other.next("state", "closed"))["you"] is not None
    for line in (socket, again):
        await line.close()


async def test_a_session_that_has_ended_otherwise_is_noticed(game, dial, monkeypatch):
    monkeypatch.setattr(consumers, "HEARTBEAT", 0.05)
    socket = await dial(game, game.people["Ada"])

    def new_password():
        game.people["Ada"].set_password("another one")
        game.people["Ada"].save()

    await in_thread(new_password)
    assert (await socket.next())["on"] == "closed"
    assert socket.closed == consumers.LOGGED_OUT


@pytest.mark.parametrize("gone_at", ["websocket.accept", "websocket.send", "websocket.close"])
async def test_who_is_gone_before_they_are_answered_is_no_fault(gone_at, caplog):
    """As phones go; the log, at whose errors somebody is called, says nothing of it."""
    events = iter(("websocket.connect", "websocket.disconnect"))
    told = []

    async def receive():
        return {"type": next(events), "code": 1006}

    async def send(message):
        told.append(message["type"])
        if message["type"] == gone_at:
            raise ConnectionResetError

    await application(Socket("NQSUCHTB").line.scope, receive, send)
    assert told[-1] == gone_at  # and nothing after it
    assert [record for record in caplog.records if record.levelname != "DEBUG"] == []
