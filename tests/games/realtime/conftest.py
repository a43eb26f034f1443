"""Sockets for tests: the whole door, from the origin check to the threads of the services."""

import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any

import msgspec
import pytest
import pytest_asyncio
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.db import connections
from django.test import Client

from games.realtime import threads
from portal.asgi import application

WAIT = 30  # seconds for a frame, on a machine that is busy


class Socket:
    """A socket at a table, as a web server hands it to the application."""

    def __init__(
        self,
        table_id: str,
        cookie: bytes = b"",
        origin: bytes | None = b"http://localhost",
        address: str = "127.0.0.1",
    ) -> None:
        path = f"/ws/tables/{table_id}"
        headers = [(b"host", b"localhost"), (b"cookie", cookie)]
        if origin is not None:
            headers.append((b"origin", origin))
        scope = {
            "type": "websocket",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": [address, 50000],
            "subprotocols": [],
        }
        self.line = ApplicationCommunicator(application, scope)
        self.closed: int | None = None  # the code with which the server closed it

    async def open(self) -> bool:
        """Whether the server takes the connection."""
        await self.line.send_input({"type": "websocket.connect"})
        return (await self.line.receive_output(WAIT))["type"] == "websocket.accept"

    async def send(self, **frame: Any) -> None:
        await self.text(msgspec.json.encode(frame).decode())

    async def text(self, text: str) -> None:
        await self.line.send_input({"type": "websocket.receive", "text": text})

    async def bytes(self, data: bytes) -> None:
        await self.line.send_input({"type": "websocket.receive", "bytes": data})

    async def close(self) -> None:
        if not self.line.future.done():
            await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
            await self.line.wait(WAIT)

    async def next(self, *kinds: str) -> dict[str, Any]:
        """The next frame of one of ``kinds``; others are passed over."""
        while True:
            output = await self.line.receive_output(WAIT)
            if output["type"] == "websocket.close":
                self.closed = output["code"]
                return {"on": "closed"}
            frame = msgspec.json.decode(output["text"])
            if frame["on"] in kinds:
                return frame

    async def state(self, ply: int) -> dict[str, Any]:
        """The first state at ``ply`` or later."""
        while True:
            frame = await self.next("state")
            if frame["ply"] >= ply:
                return frame


@pytest.fixture(scope="session", autouse=True)
def let_go() -> Iterator[None]:
    """At the end the sockets' threads close their connections, so that the database can go."""
    yield
    together = threading.Barrier(threads.THREADS)

    def close() -> None:
        together.wait(WAIT)
        connections.close_all()

    for done in [threads._pool.submit(close) for _ in range(threads.THREADS)]:
        done.result()


@pytest_asyncio.fixture
async def dial() -> AsyncIterator[Callable[..., Awaitable[Socket]]]:
    """Opens the socket of a table for a person (None: somebody who is not logged in)."""
    sockets: list[Socket] = []

    async def open_socket(game: Any, player: Any = None, sync: int | None = 0) -> Socket:
        cookie = b"" if player is None else await threads.in_thread(session_of, player)
        socket = Socket(game if isinstance(game, str) else game.id, cookie)
        sockets.append(socket)
        assert await socket.open()
        if sync is not None:
            await socket.send(do="sync", ply=sync)
            await socket.next("state")
        return socket

    yield open_socket
    for socket in sockets:
        await socket.close()


def session_of(player: Any) -> bytes:
    """The cookie of a browser in which ``player`` is logged in."""
    client = Client()
    client.force_login(player)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies['sessionid'].value}".encode()
