"""Frames twice, together, late, and lines that are half dead, at the server's door."""

import asyncio
import random
import socket
from contextlib import suppress

import pytest
from uvicorn import Config
from uvicorn.server import ServerState

from games.realtime import consumers
from games.realtime.threads import in_thread
from games.services import hints
from portal.web import Page
from portal.web import Socket as Line
from tests.games.conftest import nudged, person, play, rows, time, tiny
from tests.games.realtime.conftest import dial, let_go

__all__ = ["dial", "let_go", "nudged", "person", "play", "time", "tiny"]

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


def choice(game, name, at=0):
    return {"type": "choose", "card": game.hand(name)[at]}


async def test_a_move_sent_five_times_at_once_over_two_lines_is_taken_once(game, dial):
    lines = [await dial(game, game.people["Ada"]) for _ in range(2)]
    action = await in_thread(choice, game, "Ada")
    order = {"do": "act", "key": "same", "ply": 0, "action": action}
    await asyncio.gather(*(lines[at % 2].send(**order) for at in range(5)))
    answers = [await lines[at % 2].next("ack", "refused") for at in range(5)]
    assert answers == [{"on": "ack", "key": "same", "ply": 1}] * 5
    table = await in_thread(lambda: game.table)
    assert await in_thread(rows, table) == [(0, "start", "player"), (1, "act", "player")]


async def test_an_undo_that_overtakes_its_move_is_refused_and_the_move_stands(game, dial):
    line = await dial(game, game.people["Ada"])
    action = await in_thread(choice, game, "Ada")
    await line.send(do="undo", key="undo")
    await line.send(do="act", key="move", ply=0, action=action)
    refused, taken = [await line.next("ack", "refused") for _ in range(2)]
    assert (refused["key"], refused["code"]) == ("undo", "nothing_to_undo")
    assert (taken["key"], taken["ply"]) == ("move", 1)
    await line.send(do="undo", key="undo")  # sent again, it is taken: now there is something
    assert (await line.next("ack", "refused"))["ply"] == 2


async def test_a_move_that_arrives_after_its_undo_is_not_taken_again(game, dial):
    line = await dial(game, game.people["Ada"])
    order = {"do": "act", "key": "move", "ply": 0, "action": await in_thread(choice, game, "Ada")}
    await line.send(**order)
    await line.next("ack")
    await line.send(do="undo", key="undo")
    await line.next("ack")
    await line.send(**order)  # a copy that was late
    assert await line.next("ack", "refused") == {"on": "ack", "key": "move", "ply": 1}
    assert await in_thread(lambda: game.table.ply) == 2


@pytest.mark.parametrize("seed", range(3))
async def test_orders_in_any_order_and_number_leave_one_row_for_each_key(game, dial, seed):
    chance = random.Random(seed)
    orders = {}
    for name in game.people:
        action = await in_thread(choice, game, name)
        orders[name] = {"do": "act", "key": f"{name}-1", "ply": 0, "action": action}
    lines = {name: [await dial(game, who) for _ in range(2)] for name, who in game.people.items()}
    sent = [name for name in orders for _ in range(4)]
    chance.shuffle(sent)
    await asyncio.gather(*(chance.choice(lines[name]).send(**orders[name]) for name in sent))
    plies = {}
    for name, both in lines.items():
        for line in both:
            await line.send(do="moves", key="last")
            while (frame := await line.next("ack", "moves"))["key"] != "last":
                plies.setdefault(name, set()).add(frame["ply"])
    assert sorted(map(sorted, plies.values())) == [[1], [2], [3]]
    assert await in_thread(lambda: game.table.plies.exclude(key=None).count()) == 3


async def test_a_storm_of_hints_reads_the_table_as_often_as_it_changed(game, dial, monkeypatch):
    line = await dial(game, game.people["Bob"])
    await in_thread(game.choose, "Ada")
    await line.state(1)
    read = []
    state = consumers.door.state
    monkeypatch.setattr(consumers.door, "state", lambda **how: read.append(how) or state(**how))
    for _ in range(200):
        hints._voice.say(hints.group_of(game.id), {"type": "table.changed", "ply": 1})
    await in_thread(game.choose, "Cy")
    assert (await line.state(2))["ply"] == 2
    assert len(read) == 1


class Server:
    """One end of a real line: uvicorn's protocol for sockets, as ``portal.web`` has it, before an
    application that says as much as it can."""

    def __init__(self, interval: float) -> None:
        self.sent = 0
        self.ended = asyncio.Event()
        self.config = Config(
            self.talk,
            ws=Line,
            lifespan="off",
            interface="asgi3",
            log_level="error",
            ws_ping_interval=interval,
            ws_ping_timeout=interval,
        )
        self.config.load()

    async def talk(self, scope, receive, send):
        await receive()
        await send({"type": "websocket.accept"})
        listening = asyncio.create_task(self.listen(receive))
        try:
            while not self.ended.is_set():
                await send({"type": "websocket.send", "text": "x" * 10_000})
                self.sent += 1
                await asyncio.sleep(0)
        except OSError:
            await listening
        listening.cancel()

    async def listen(self, receive):
        while (await receive())["type"] != "websocket.disconnect":
            pass
        self.ended.set()

    async def open(self) -> tuple[asyncio.Server, socket.socket]:
        loop = asyncio.get_running_loop()
        state = ServerState()
        server = await loop.create_server(
            lambda: Line(self.config, state, {}, loop), "127.0.0.1", 0
        )
        client = socket.create_connection(server.sockets[0].getsockname())
        client.sendall(
            b"GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
        )
        return server, client


@pytest.mark.parametrize(("unread", "ping"), [(0.3, 60.0), (60.0, 0.2)])
async def test_a_line_that_nobody_reads_ends_and_costs_little(monkeypatch, unread, ping):
    monkeypatch.setattr("portal.web.UNREAD_SECONDS", unread)
    side = Server(ping)
    server, client = await side.open()
    await asyncio.wait_for(side.ended.wait(), 60)  # though the client is there, and its socket open
    assert side.sent * 10_000 < 16 * 2**20  # what the kernel takes, and a little
    client.close()
    server.close()


@pytest.fixture
async def doors():
    """Opens the web server's door for HTTP before an application, and tells where it is."""
    opened = []

    async def open_door(app):
        config = Config(app, lifespan="off", interface="asgi3", log_level="error")
        config.load()
        loop, state = asyncio.get_running_loop(), ServerState()
        open_door.connections = state.connections
        opened.append(
            await loop.create_server(lambda: Page(config, state, {}, loop), "127.0.0.1", 0)
        )
        return opened[-1].sockets[0].getsockname()

    yield open_door
    for server in opened:
        server.close()


GET = b"GET / HTTP/1.1\r\nHost: x\r\n"


async def hello(scope, receive, send):
    headers = [(b"content-length", b"5")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": b"hello"})


@pytest.mark.parametrize(
    ("before", "begun"), [(b"", b""), (b"", GET), (GET + b"\r\n", GET)]
)  # one that idles after an answer is ended by uvicorn itself
async def test_a_request_that_does_not_come_is_not_waited_for(monkeypatch, doors, before, begun):
    monkeypatch.setattr("portal.web.HEAD_SECONDS", 0.1)
    reader, writer = await asyncio.open_connection(*await doors(hello))
    if before:
        writer.write(before)
        await asyncio.wait_for(reader.readuntil(b"hello"), 60)
    writer.write(begun)
    with suppress(ConnectionResetError):
        assert await asyncio.wait_for(reader.read(), 60) == b""  # the server ends it
    writer.close()


async def test_an_answer_that_is_long_in_the_making_is_not_late(monkeypatch, doors):
    monkeypatch.setattr("portal.web.HEAD_SECONDS", 0.05)

    async def slow(scope, receive, send):
        await asyncio.sleep(0.2)
        await hello(scope, receive, send)

    reader, writer = await asyncio.open_connection(*await doors(slow))
    writer.write(GET + b"\r\n")
    assert (await asyncio.wait_for(reader.readuntil(b"hello"), 60)).startswith(b"HTTP/1.1 200")
    writer.close()


@pytest.mark.parametrize("kept", [b"", b"Connection: close\r\n"])
async def test_an_answer_that_nobody_reads_ends_and_one_read_slowly_does_not(doors, kept):
    async def long(scope, receive, send):
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"x" * 2**25})

    reader, writer = await asyncio.open_connection(*await doors(long), limit=2**10)
    writer.write(GET + kept + b"\r\n")
    await asyncio.wait_for(reader.readexactly(1000), 60)
    (page,) = doors.connections
    for _ in range(3):
        before = page.left
        assert before > 0
        await asyncio.wait_for(reader.readexactly(2**23), 60)
        page._look()  # as after a minute
        assert page.unread is not None
        assert page.left < before
    async with asyncio.timeout(60):
        while page in doors.connections:  # what the kernel can take is soon taken
            page._look()
            await asyncio.sleep(0.01)
    writer.close()


async def test_who_leaves_a_row_of_requests_is_no_error(doors, caplog):
    left, here = asyncio.Event(), asyncio.Event()

    async def app(scope, receive, send):
        await receive()
        here.set()
        assert (await receive())["type"] == "http.disconnect"
        left.set()
        await hello(scope, receive, send)

    _reader, writer = await asyncio.open_connection(*await doors(app))
    writer.write((GET + b"\r\n") * 3)
    await asyncio.wait_for(here.wait(), 60)
    writer.transport.abort()
    await asyncio.wait_for(left.wait(), 60)
    await asyncio.sleep(0)
    assert not caplog.records


async def test_one_whose_line_went_dead_is_no_longer_present(game, dial, monkeypatch):
    monkeypatch.setattr(consumers, "HEARTBEAT", 0.05)
    monkeypatch.setattr(consumers, "FORGOTTEN", 0.5)
    ada = await dial(game, game.people["Ada"])
    bob = await dial(game, game.people["Bob"])
    both = sorted([(await in_thread(game.seat, name)).index for name in ("Ada", "Bob")])
    while (await ada.next("presence"))["seats"] != both:
        pass
    bob.line.future.cancel()  # its process is killed: nobody says goodbye
    alone = [(await in_thread(game.seat, "Ada")).index]
    while (await ada.next("presence"))["seats"] != alone:
        pass
