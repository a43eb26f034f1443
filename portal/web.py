"""One web process: ``python -m portal.web HOST:PORT``, or on a socket its parent has bound: ``... FD``."""

import asyncio
import re
import socket
import sys
from typing import Any

import uvicorn
from django.core.exceptions import ImproperlyConfigured
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WS_MAX_SIZE = 64 * 1024  # bytes; above our own 16 KiB, so that we refuse in words
UNREAD_SECONDS = 60.0  # that anybody may leave what they are sent unread
HEAD_SECONDS = (
    30.0  # from a connection, or the first byte of a later request, to the end of its headers
)
HEAD_MOST = 256 * 1024  # bytes of a request line and its headers


class Page(AutoHTTPProtocol):
    """A connection that ends also where no request comes of it, and where nobody reads the answer: uvicorn
    would wait for either for ever, and keep all headers that come."""

    late: asyncio.TimerHandle | None = None
    head = 0  # bytes that came of headers that have not ended
    unread: asyncio.TimerHandle | None = None
    left = 0  # bytes that waited to be read when that timer was set
    answered: Any = None  # the request that is being answered; ``cycle`` is the one that came last

    def connection_made(self, transport: asyncio.Transport) -> None:
        super().connection_made(transport)
        self.late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if not self._awaits_headers():
            self.head = 0
            self._cancel_late()
            return
        self.head += len(data)
        if self.head > HEAD_MOST and not self.transport.is_closing():
            self.send_400_response("The headers of this request are too long.")
        elif self.late is None:
            self.late = self.loop.call_later(HEAD_SECONDS, self._give_up)

    def _start_asgi_task(self, cycle: Any, app: Any) -> None:
        self.answered = cycle
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_late()
        self._cancel_unread()
        if self.answered is not None:  # uvicorn tells only the last, and an earlier one writes on
            self.answered.disconnected = True
            self.answered.message_event.set()
        super().connection_lost(exc)

    def _awaits_headers(self) -> bool:
        became_a_socket = self.transport.get_protocol() is not self
        return not became_a_socket and (self.cycle is None or self.cycle.response_complete)

    def _give_up(self) -> None:
        self.late = None
        if self._awaits_headers():
            self.transport.abort()

    def _cancel_late(self) -> None:
        if self.late is not None:
            self.late.cancel()
            self.late = None

    def _watch(self) -> None:
        """Look later whether some of what waits to be read has been."""
        self._cancel_unread()
        self.left = self.transport.get_write_buffer_size()
        if self.left:
            self.unread = self.loop.call_later(UNREAD_SECONDS, self._look)

    def _look(self) -> None:
        waits = self.flow.write_paused or self.transport.is_closing()  # for nothing else
        if waits and self.transport.get_write_buffer_size() >= self.left:
            self.transport.abort()
        else:
            self._watch()

    def _cancel_unread(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None


class Socket(WebSocketsSansIOProtocol):
    """A socket that ends also where nobody reads, and where its headers are too long for ``websockets`` (8 KiB
    a line, 128 lines): uvicorn would wait for ever, and keep the refusal to itself."""

    unread: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self.conn.handshake_exc is not None and not self.handshake_initiated:
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.unread = self.loop.call_later(UNREAD_SECONDS, self.transport.abort)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_unread()

    def keepalive_timeout(self) -> None:
        super().keepalive_timeout()
        self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_unread()
        super().connection_lost(exc)

    def _cancel_unread(self) -> None:
        if self.unread is not None:
            self.unread.cancel()
            self.unread = None


def main(door: str) -> None:
    config = uvicorn.Config(
        "portal.asgi:application",
        loop="auto",  # uvloop where it is installed
        http=Page,
        ws=Socket,
        ws_max_size=WS_MAX_SIZE,
        ws_per_message_deflate=False,
        lifespan="off",
        access_log=False,
        server_header=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
    )
    if door.isdecimal():
        uvicorn.Server(config).run(sockets=[socket.socket(fileno=int(door))])
        return
    host, _, port = door.rpartition(":")
    config.host, config.port = host.strip("[]"), int(port)
    uvicorn.Server(config).run()


if __name__ == "__main__":
    if len(sys.argv) != 2 or not re.fullmatch(r"\d+|.+:\d+", sys.argv[1]):
        sys.exit("It is called as: python -m portal.web HOST:PORT")
    try:
        main(sys.argv[1])
    except ImproperlyConfigured as error:  # one line, as of manage.py
        sys.exit(f"Settings: {error}")
