"""Where pages are made: each request from its beginning to its end on one of a few threads.

Django's own handler gives each request a thread that is made for it, hops between that and the event
loop, and leaves a database connection behind. Here the event loop reads the body, hands the request to a
thread and sends what comes back; the threads stay, and what they opened stays with them.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from typing import IO, Any

from django.conf import settings
from django.core import signals
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler, get_script_prefix
from django.core.handlers.base import BaseHandler
from django.http import FileResponse, HttpResponseBase
from django.urls import set_script_prefix

logger = logging.getLogger(__name__)

Message = dict[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

LIGHT = ("/healthz", settings.STATIC_URL)  # do not wait for pages: threads of their own answer
LIGHT_THREADS = 2
UNREAD_SECONDS = 60.0  # that one may leave a part of an answer unread that is made as it is sent


class Gone(Exception):
    """Nobody listens to the answer any more."""


class ThreadedHandler(ASGIHandler):
    """Django's ASGI handler with all of a request's middlewares and its view on one thread."""

    def __init__(self, threads: int) -> None:
        BaseHandler.__init__(self)
        self.load_middleware(is_async=False)
        self.pages = ThreadPoolExecutor(threads, thread_name_prefix="pages")
        self.light = ThreadPoolExecutor(LIGHT_THREADS, thread_name_prefix="light")

    async def __call__(self, scope: dict[str, Any], receive: Receive, send: Send) -> None:
        try:
            body = await self.read_body(receive)
        except RequestAborted:
            return
        line = Line(asyncio.create_task(self.listen_for_disconnect(receive)), send)
        pool = self.light if scope["path"].startswith(LIGHT) else self.pages
        work = pool.submit(self.answer, scope, body, line)

        def left(_gone: asyncio.Task[None]) -> None:
            if work.cancel():  # no thread had come to it yet
                body.close()

        line.gone.add_done_callback(left)
        try:
            response = await asyncio.wrap_future(work)
            if not response.streaming:
                await self.send_response(response, send)
        except asyncio.CancelledError:
            if not line.gone.done():
                raise
        except Gone:
            logger.info("nobody waits for the rest of %s", scope["path"])
        finally:
            line.gone.remove_done_callback(left)
            line.gone.cancel()

    def answer(self, scope: dict[str, Any], body: IO[bytes], line: "Line") -> HttpResponseBase:
        """On a thread: the response, made and closed. One that streams is sent as well, since what
        makes its parts may ask the database; Gone where nobody takes them."""
        set_script_prefix(get_script_prefix(scope))
        signals.request_started.send(sender=self.__class__, scope=scope)
        request, response = self.create_request(scope, body)
        if request is None:
            body.close()
        else:
            response = self.get_response(request)
        response._handler_class = self.__class__
        try:
            if response.streaming:
                self.stream(response, line)
        finally:
            response.close()
        return response

    def stream(self, response: HttpResponseBase, line: "Line") -> None:
        if isinstance(response, FileResponse):
            response.block_size = self.chunk_size
        headers = [(name.encode("ascii"), text.encode("latin1")) for name, text in response.items()]
        for cookie in response.cookies.values():
            headers.append((b"Set-Cookie", cookie.output(header="").strip().encode("ascii")))
        status = response.status_code
        line.say({"type": "http.response.start", "status": status, "headers": headers})
        for part in response:
            line.say({"type": "http.response.body", "body": part, "more_body": True})
        line.say({"type": "http.response.body"})


class Line:
    """The way from a thread to the one who asked; ``gone`` is done when they have left."""

    def __init__(self, gone: asyncio.Task[None], send: Send) -> None:
        self.gone = gone
        self.send = send
        self.loop = asyncio.get_running_loop()

    def say(self, message: Message) -> None:
        """Send ``message`` from a thread, and wait until it is on its way. Raises Gone."""
        if self.gone.done():
            raise Gone
        sending = asyncio.run_coroutine_threadsafe(self.send(message), self.loop)
        try:
            sending.result(UNREAD_SECONDS)
        except TimeoutError:
            sending.cancel()
            raise Gone from None
