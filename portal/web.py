"""One web process on a socket its parent has bound: ``python -m portal.web FD``."""

import socket
import sys

import uvicorn

WS_MAX_SIZE = 64 * 1024  # bytes; above our own 16 KiB, so that we refuse in words


def main(fd: int) -> None:
    config = uvicorn.Config(
        "portal.asgi:application",
        loop="auto",  # uvloop where it is installed
        ws="websockets-sansio",
        ws_max_size=WS_MAX_SIZE,
        ws_per_message_deflate=False,
        lifespan="off",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=fd)])


if __name__ == "__main__":
    main(int(sys.argv[1]))
