"""What a request may bring, bounded before any of it is kept.

Django keeps the whole body, in memory or on disk, before a view can say what it thinks of it. What is
far beyond anything a form here takes is read to its end and thrown away, so that the browser listens
to the answer; a disk that is full while a body is kept is told as well.
"""

import errno
import html
from collections.abc import Awaitable, Callable
from typing import Any

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

MOST = 64 << 20  # bytes of a body
DISCARDED = 1 << 30  # bytes that are read before the connection is given up
TOO_LARGE = (
    "That is more than this site takes in one go, so nothing of it is saved. Go back: your browser "
    "still has what you wrote. A picture can have at most 8 MB."
)
NO_ROOM = "There is no room left on this site, so nothing is saved. Please try again later."
PAGE = (
    '<!doctype html><html lang="en"><meta charset="utf-8"><title>{0}</title><h1>{0}</h1><p>{1}</p>'
)


class TooLarge(Exception):
    """A body without a declared length went beyond ``MOST``."""


class BoundedBodies:
    """An ASGI application that answers 413 and 507 in words, and leaves the rest to ``app``."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if declared(scope) > MOST:
            await discard(receive)
            await answer(send, 413, "Too large", TOO_LARGE)
            return
        taken, ended, started = 0, False, False

        async def bounded() -> Message:
            nonlocal taken, ended
            message = await receive()
            ended = not message.get("more_body")
            taken += len(message.get("body", b""))
            if taken > MOST:
                raise TooLarge
            return message

        async def noted(message: Message) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self.app(scope, bounded, noted)
        except TooLarge:
            if not ended:
                await discard(receive)
            await answer(send, 413, "Too large", TOO_LARGE)
        except OSError as error:
            if started or error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            if not ended:
                await discard(receive)
            await answer(send, 507, "No room", NO_ROOM)


def declared(scope: dict[str, Any]) -> int:
    """The length that the request says its body has; 0 where it says none."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length[:20]) if length.isdigit() else 0


async def discard(receive: Receive) -> None:
    size = 0
    while size < DISCARDED:
        message = await receive()
        size += len(message.get("body", b""))
        if not message.get("more_body"):
            return


async def answer(send: Send, status: int, title: str, sentence: str) -> None:
    body = PAGE.format(title, html.escape(sentence)).encode()
    headers = [
        (b"content-type", b"text/html; charset=utf-8"),
        (b"content-length", str(len(body)).encode()),
        (b"connection", b"close"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
