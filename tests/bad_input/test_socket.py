"""Bad input at the door for sockets: refused in words, nothing lost, nothing told, others go on."""

import asyncio

import pytest
from channels.layers import get_channel_layer
from django.test import Client

from games import services
from games.models import Ply
from games.realtime import allowance, consumers
from games.realtime.threads import in_thread
from tests.bad_input.frames import ACTIONS, FRAMES
from tests.games.realtime.conftest import Socket, session_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


def choice(game, name):
    return {"type": "choose", "card": game.hand(name)[0]}


async def assert_refused(socket, code, **frame):
    """The frame is refused with ``code``, a sentence and its key."""
    await socket.send(**frame)
    refused = await socket.next("refused", "ack", "checked")
    assert (refused["on"], refused.get("code"), refused["key"]) == ("refused", code, frame["key"])
    assert refused["reason"].endswith((".", "?"))


@pytest.fixture
def unhurried(monkeypatch):
    """No frame comes too fast."""
    monkeypatch.setattr(allowance, "BURST", 10_000)


# -- frames that are none ---------------------------------------------------------------------------


async def test_every_bad_frame_is_refused_and_the_socket_stays(game, dial, unhurried):
    socket = await dial(game, game.people["Ada"])
    for name, text in FRAMES.items():
        await socket.text(text)
        refused = await socket.next("refused", "ack", "state", "closed")
        assert (refused["on"], refused.get("code")) == ("refused", "malformed_frame"), name
        assert refused["reason"].endswith("."), name
    await socket.bytes(b'{"do": "sync"}')
    assert (await socket.next("refused", "state"))["code"] == "malformed_frame"
    await socket.send(do="sync", ply=0)
    assert (await socket.next("state"))["ply"] == 0


async def test_every_bad_action_is_refused_and_changes_nothing(game, dial, unhurried):
    socket = await dial(game, game.people["Ada"])
    for name, action in ACTIONS.items():
        for do in ("act", "check"):
            await assert_refused(socket, "malformed_action", do=do, key=name, ply=0, action=action)
    await assert_refused(
        socket, "not_held", do="act", key="big", ply=0, action={"type": "choose", "card": 10**29}
    )
    assert await in_thread(lambda: game.table.ply) == 0


async def test_what_a_frame_adds_is_passed_over(game, dial):
    """No frame names its seat or person: the session does."""
    socket = await dial(game, game.people["Ada"])
    other = (await in_thread(game.seat, "Bob")).index
    action = {**await in_thread(choice, game, "Ada"), "seat": other}
    await socket.send(do="act", key="k", ply=0, action=action, seat=other, player="Bob")
    assert (await socket.next("ack", "refused"))["on"] == "ack"
    row = await in_thread(Ply.objects.get, number=1)
    assert row.seat == (await in_thread(game.seat, "Ada")).index
    assert "seat" not in row.action


# -- the wrong person, time, table --------------------------------------------------------------------


async def test_spectators_and_strangers_may_do_nothing(game, dial, person):
    eve = await in_thread(person, "Eve")
    for who in (None, eve):
        socket = await dial(game, who)
        action = await in_thread(choice, game, "Ada")
        for frame in (
            {"do": "act", "ply": 0, "action": action},
            {"do": "check", "ply": 0, "action": action},
            {"do": "undo"},
            {"do": "say", "text": "psst"},
            {"do": "note", "text": "mine"},
        ):
            await assert_refused(socket, "not_seated", key="k", **frame)
    assert await in_thread(lambda: (game.table.ply, game.table.chat.count())) == (0, 0)


async def test_a_table_that_has_not_begun_takes_no_moves(tiny, person, dial):
    ada = await in_thread(person, "Ada")
    table = await in_thread(
        lambda: services.open_table(player=ada, game="tiny", seats=["open", "open"])
    )
    socket = await dial(table.public_id, ada, sync=None)
    action = {"type": "choose", "card": 1}
    await assert_refused(socket, "not_playing", do="act", key="k", ply=0, action=action)
    await assert_refused(socket, "not_playing", do="check", key="k", ply=0, action=action)
    await assert_refused(socket, "not_playing", do="undo", key="k")


async def test_a_table_that_is_over_takes_no_moves_but_words(play, dial):
    game = await in_thread(play, "Ada", "Bob")
    action = await in_thread(choice, game, "Ada")
    await in_thread(services.leave, table_id=game.id, player=game.people["Bob"])
    socket = await dial(game, game.people["Ada"])
    await assert_refused(socket, "finished", do="act", key="k", ply=1, action=action)
    await assert_refused(socket, "finished", do="undo", key="k")
    await socket.send(do="say", key="s", text="Thank you.")
    assert (await socket.next("ack", "refused"))["on"] == "ack"
    assert await in_thread(lambda: game.table.ply) == 1


async def test_a_choice_for_an_older_question_is_stale(game, dial):
    for name in ("Ada", "Bob", "Cy"):
        await in_thread(game.choose, name)
    asked, first = await in_thread(lambda: (game.table.ply, game.at(0)))
    socket = await dial(game, game.people[first])
    done = {"type": "done"}
    await assert_refused(socket, "stale_view", do="act", key="k", ply=asked - 1, action=done)
    await socket.send(do="act", key="k", ply=asked, action=done)
    assert (await socket.next("ack", "refused"))["ply"] == asked + 1


async def test_a_table_that_is_not_there_is_said_and_the_socket_closed(db):
    for table_id in ("XXXXXXXX", "☃", "٣٤٥٦٧٨٩٢", "A" * 3000, "..", " "):
        socket = Socket(table_id)
        assert await socket.open(), table_id
        assert (await socket.next("refused"))["code"] == "table_not_found", table_id
        assert (await socket.next())["on"] == "closed", table_id
        assert socket.closed == consumers.TABLE_NOT_FOUND, table_id
        await socket.close()


async def test_no_socket_is_at_an_address_with_a_nul(db):
    assert not await Socket("a\0b").open()


# -- too much -----------------------------------------------------------------------------------------


async def test_a_flood_is_told_once_to_slow_down_and_hinders_nobody(game, dial, monkeypatch):
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"])
    now = [allowance.monotonic()]
    monkeypatch.setattr(allowance, "monotonic", lambda: now[0])
    for _ in range(100):
        await ada.send(do="moves", key="m")
    assert (await ada.next("refused"))["code"] == "slow_down"
    while not ada.line.input_queue.empty():
        await asyncio.sleep(0)
    action = await in_thread(choice, game, "Bob")
    await bob.send(do="act", key="b", ply=0, action=action)
    assert (await bob.next("ack", "refused"))["ply"] == 1
    now[0] += 1
    action = await in_thread(choice, game, "Ada")
    await ada.send(do="act", key="a", ply=0, action=action)
    found = await ada.next("refused", "ack")  # of the other seventy nothing is said
    assert (found["on"], found["key"]) == ("ack", "a")


async def test_a_person_holds_a_bounded_number_of_sockets(game, dial, monkeypatch):
    monkeypatch.setattr(allowance, "PERSON_SOCKETS", 2)
    cookie = await in_thread(session_of, game.people["Ada"])
    held = [Socket(game.id, cookie) for _ in range(2)]
    for socket in held:
        assert await socket.open()
    more = Socket(game.id, cookie)
    assert await more.open()
    assert (await more.next("refused"))["code"] == "too_many_sockets"
    assert (await more.next())["on"] == "closed"
    assert more.closed == consumers.TOO_MANY
    await more.close()
    await dial(game, game.people["Bob"])  # others are let in
    await held[0].close()
    again = Socket(game.id, cookie)
    assert await again.open()
    await again.send(do="sync", ply=0)
    assert (await again.next("state", "refused"))["on"] == "state"
    for socket in (*held, again):
        await socket.close()
    assert not [
        name for name in consumers._crowd._open if name == f"person {game.people['Ada'].pk}"
    ]


async def test_an_address_holds_a_bounded_number_of_sockets(game, dial, monkeypatch):
    monkeypatch.setattr(allowance, "ADDRESS_SOCKETS", 1)
    first = Socket(game.id, address="2001:db8::1")
    second = Socket(game.id, address="2001:db8::2")  # the same network
    other = Socket(game.id, address="2001:db8:1::1")
    assert await first.open()
    assert await second.open()
    assert (await second.next("refused"))["code"] == "too_many_sockets"
    assert await other.open()
    await other.send(do="sync", ply=0)
    assert (await other.next("state", "refused"))["on"] == "state"
    for socket in (first, second, other):
        await socket.close()


async def test_addresses_that_a_proxy_writes_as_version_6_are_no_network(game, monkeypatch):
    monkeypatch.setattr(allowance, "ADDRESS_SOCKETS", 1)
    sockets = [Socket(game.id, address=f"::ffff:192.0.2.{number}") for number in (7, 8)]
    for socket in sockets:
        assert await socket.open()
        await socket.send(do="sync", ply=0)
        assert (await socket.next("state", "refused"))["on"] == "state"
    for socket in sockets:
        await socket.close()


async def test_a_socket_that_could_not_be_opened_is_not_counted(game, monkeypatch):
    async def away(*_):
        raise ConnectionError("no Redis")

    monkeypatch.setattr(get_channel_layer(), "group_add", away)
    socket = Socket(game.id, address="192.0.2.7")
    await socket.open()
    await socket.close()
    assert "address 192.0.2.7" not in consumers._crowd._open


# -- other sites ----------------------------------------------------------------------------------------


async def test_a_page_of_another_site_gets_no_socket(game):
    cookie = await in_thread(session_of, game.people["Ada"])
    for origin in (
        None,
        b"",
        b"null",
        b"http://evil.example",
        b"http://localhost.evil.example",
        b"http://evil.example/localhost",
        b"http://localhost@evil.example",
        b"http://localhost:9000",
        b"http://localhost/",
        b"http://[::1",
        b"ws://localhost",
        b"file://",
        b"\xff\xfe",
    ):
        assert not await Socket(game.id, cookie, origin=origin).open(), origin


async def test_pages_of_trusted_origins_get_a_socket_as_their_forms_are_taken(game, settings):
    settings.CSRF_TRUSTED_ORIGINS = ["https://parlour.example", "https://*.play.example:8443"]
    for origin, taken in (
        (b"https://parlour.example", True),
        (b"https://eu.play.example:8443", True),
        (b"http://parlour.example", False),
        (b"https://eu.parlour.example", False),
        (b"https://eu.play.example", False),
    ):
        socket = Socket(game.id, origin=origin)
        assert await socket.open() == taken, origin
        if taken:
            await socket.close()


# -- people who are people no more -----------------------------------------------------------------------


async def test_who_logs_out_in_one_browser_keeps_the_sockets_of_another(game, dial):
    here, there = [await in_thread(session_of, game.people["Ada"]) for _ in range(2)]
    sockets = [Socket(game.id, cookie) for cookie in (here, there)]
    for socket in sockets:
        assert await socket.open()
    browser = Client()
    browser.cookies["sessionid"] = here.decode().split("=")[1]
    await in_thread(browser.post, "/accounts/logout/")
    assert (await sockets[0].next())["on"] == "closed"
    assert sockets[0].closed == consumers.LOGGED_OUT
    await sockets[1].send(do="sync")
    assert (await sockets[1].next("state", "closed"))["you"] is not None
    for socket in sockets:
        await socket.close()


async def test_a_heartbeat_that_fails_is_not_the_last(game, dial, monkeypatch):
    monkeypatch.setattr(consumers, "HEARTBEAT", 0.02)
    tries = []

    def answers(key, user):
        tries.append(key)
        if len(tries) == 1:
            raise OSError("the database is away")
        return False

    monkeypatch.setattr(consumers, "still_logged_in", answers)
    socket = await dial(game, game.people["Ada"])
    while (await socket.next("closed", "presence"))["on"] != "closed":
        pass
    assert (socket.closed, len(tries)) == (consumers.LOGGED_OUT, 2)


# -- keys -------------------------------------------------------------------------------------------------


async def test_a_key_stands_for_one_order(game, dial):
    socket = await dial(game, game.people["Ada"])
    mine = await in_thread(game.hand, "Ada")
    first, second = [{"type": "choose", "card": card} for card in (mine[0], mine[0] + 100)]
    await socket.send(do="act", key="k", ply=0, action=first)
    assert (await socket.next("ack", "refused"))["ply"] == 1
    for frame in (
        {"do": "act", "ply": 0, "action": second},
        {"do": "act", "ply": 1, "action": {"type": "nonsense"}},
        {"do": "undo"},
    ):
        await assert_refused(socket, "key_used", key="k", **frame)
    await socket.send(do="act", key="k", ply=1, action={**first, "more": 1})
    assert await socket.next("ack", "refused") == {"on": "ack", "key": "k", "ply": 1}
    await socket.send(do="undo", key="u")
    assert (await socket.next("ack", "refused"))["ply"] == 2
    await assert_refused(socket, "key_used", do="act", key="u", ply=2, action=first)
    assert await in_thread(lambda: game.table.ply) == 2
    await socket.send(do="say", key="k", text="hello")
    assert (await socket.next("ack", "refused"))["on"] == "ack"
    await assert_refused(socket, "key_used", do="say", key="k", text="goodbye")
    await socket.send(do="say", key="k", text=" hello ")
    assert (await socket.next("ack", "refused"))["on"] == "ack"
    assert await in_thread(lambda: game.table.chat.count()) == 1


async def test_what_is_said_is_plain_and_bounded(game, dial, unhurried, time):
    socket = await dial(game, game.people["Ada"])
    invisible = ["", "   ", "\u200d\u200d", "\u3164", "\u2800 \u2800", "\u0301\u0301", "\ufe0f"]
    for text in ["x" * 501, *invisible, "\u202e", "\0"]:
        await assert_refused(socket, "bad_text", do="say", key="k", text=text)
    said = {
        "<script>alert(1)</script>": "<script>alert(1)</script>",
        "https://example.org/?a=b": "https://example.org/?a=b",
        "a\u202eb\u2066c\u200bd\u0007e": "a b c d e",
        "two\nlines\tand\0more": "two lines and more",
        "Z" + "\u0300\u0301\u0302\u0303\u0304\u0305" * 20 + "algo": "Z\u0300\u0301\u0302\u0303algo",
        "👩\u200d🚀 שָׁלוֹם Việt": "👩\u200d🚀 שָׁלוֹם Việt",
        "x" * 500: "x" * 500,
    }
    for number, (text, shown) in enumerate(said.items()):
        time.move(minutes=1)
        await socket.send(do="say", key=f"s{number}", text=text)
        assert (await socket.next("chat"))["message"]["text"] == shown
        await socket.next("chat")  # that to all
    for number in range(4):
        await socket.send(do="say", key=f"t{number}", text="again")
        assert (await socket.next("ack", "refused"))["on"] == "ack"
    await assert_refused(socket, "slow_down", do="say", key="t5", text="again")
    time.move(seconds=11)
    await socket.send(do="say", key="t5", text="again")
    assert (await socket.next("ack", "refused"))["on"] == "ack"
