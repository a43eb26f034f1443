"""One web process: ``python -m portal.web HOST:PORT``, or on a socket its parent has bound: ``... FD``."""

import asyncio
import socket
import sys

import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

WS_MAX_SIZE = 64 * 1024  # bytes; above our own 16 KiB, so that we refuse in words
UNREAD_SECONDS = 60.0  # that a socket may leave what it is sent unread


class Socket(WebSocketsSansIOProtocol):
    """A socket that ends also where nobody reads: uvicorn would wait until all is sent."""

    unread: asyncio.TimerHandle | None = None

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
    main(sys.argv[1])
