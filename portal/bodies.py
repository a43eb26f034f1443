"""What a request may bring, bounded before any of it is kept.

Django keeps the whole body, in memory or on disk, before a view can say what it thinks of it. What is
far beyond anything a form here takes is read to its end and thrown away, so that the browser listens
to the answer; a disk that is full while a body is kept is told as well, and a body that does not come is
not waited for.
"""

import asyncio
import errno
import html
import json
import re
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit, urlunsplit

from games import door
from games.engine import GameError
from wiki.api.refusals import ROOT, told

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]

MOST = 64 << 20  # bytes of a body
DISCARDED = 1 << 30  # bytes that are read before the connection is given up
SECONDS = 60.0  # that any body may take, and one more for each
SLOWEST = 20_000  # bytes of it
TOO_LARGE = (
    "That is more than this site takes in one go, so nothing of it is saved. A picture can have at "
    "most 8 MB."
)
NO_ROOM = "There is no room left on this site, so nothing is saved. Please try again later."
TOO_SLOW = "What you sent did not arrive in time, so nothing of it is saved. Please try again."
PAGE = """<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{0} – Parlour</title>
<link rel="stylesheet" href="/static/portal/tokens.css"><link rel="stylesheet" href="/static/portal/base.css"></head>
<body>
<header class="site-head"><div><a class="brand" href="/">Parlour</a></div></header>
<main class="narrow stack"><h1>{0}</h1>
<p>{1}</p>
<p class="row">{2}<a href="/">Tables and games</a></p></main>
</body>
</html>
"""
BACK = '<a class="button" href="{}">Back to the form</a>'
HEADERS = [  # the usual ones come from Django, which never sees these requests
    (b"connection", b"close"),
    (b"content-security-policy", b"default-src 'self'; frame-ancestors 'none'; base-uri 'none'"),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cache-control", b"no-store"),
]


class TooLarge(Exception):
    """A body without a declared length went beyond ``MOST``."""


class TooSlow(Exception):
    """A body did not come in the time it may take."""


class BoundedBodies:
    """An ASGI application that answers 408, 413 and 507 in words, and leaves the rest to ``app``."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        if declared(scope) > MOST:
            await discard(receive)
            await refuse(scope, send, 413, "too_large", "Too large", TOO_LARGE)
            return
        taken, ended, started = 0, False, False
        began = asyncio.get_running_loop().time()

        async def bounded() -> Message:
            nonlocal taken, ended
            if ended:  # whoever asks again wants to know whether anybody still listens
                return await receive()
            message = await in_time(receive, began, taken)
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
            await refuse(scope, send, 413, "too_large", "Too large", TOO_LARGE)
        except TooSlow:
            await refuse(scope, send, 408, "too_slow", "Too slow", TOO_SLOW)
        except OSError as error:
            if started or error.errno not in (errno.ENOSPC, errno.EDQUOT):
                raise
            if not ended:
                await discard(receive)
            await refuse(scope, send, 507, "disk_full", "No room", NO_ROOM)


def declared(scope: dict[str, Any]) -> int:
    """The length that the request says its body has; 0 where it says none."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length[:20]) if length.isdigit() else 0


async def discard(receive: Receive) -> None:
    size, began = 0, asyncio.get_running_loop().time()
    with suppress(TooSlow):
        while size < DISCARDED:
            message = await in_time(receive, began, size)
            size += len(message.get("body", b""))
            if not message.get("more_body"):
                return


async def in_time(receive: Receive, began: float, taken: int) -> Message:
    """The next part of a body that began to come then, ``taken`` bytes of which are here. Raises TooSlow."""
    try:
        async with asyncio.timeout_at(began + SECONDS + taken / SLOWEST):
            return await receive()
    except TimeoutError:
        raise TooSlow from None


async def refuse(
    scope: dict[str, Any], send: Send, status: int, code: str, title: str, sentence: str
) -> None:
    """Say ``sentence``: as a frame to whoever asks for JSON or brought it, as a page to others; below
    /api/ in that API's own shape."""
    if scope["path"].startswith(ROOT):
        await answer(send, status, told(code, sentence), b"application/json")
    elif wants_json(scope):
        frame = door.refusal(GameError(code, sentence))
        await answer(send, status, json.dumps(frame), b"application/json")
    else:
        headers = dict(scope["headers"])
        way = came_from(*(headers.get(one, b"").decode("latin-1") for one in (b"referer", b"host")))
        back = BACK.format(html.escape(way)) if way else ""
        await answer(send, status, PAGE.format(title, html.escape(sentence), back))


def came_from(referer: str, host: str) -> str:
    """The address, on the site ``host``, of the page that sent the request; empty where it is not told."""
    try:
        found = urlsplit(referer)
    except ValueError:  # no address at all
        return ""
    if not host or found.netloc != host or not re.match(r"/(?![/\\])", found.path):
        return ""
    return urlunsplit(("", "", found.path, found.query, ""))


def wants_json(scope: dict[str, Any]) -> bool:
    """As ``door.wants_json``, of a request that Django has not seen."""
    headers = dict(scope["headers"])
    kinds = (headers.get(name, b"") for name in (b"accept", b"content-type"))
    return any(kind.startswith(b"application/json") for kind in kinds)


async def answer(
    send: Send, status: int, text: str, kind: bytes = b"text/html; charset=utf-8"
) -> None:
    body = text.encode()
    length = (b"content-length", str(len(body)).encode())
    headers = [(b"content-type", kind), length, *HEADERS]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
