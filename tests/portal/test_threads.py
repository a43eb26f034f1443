"""Each request on one thread from its beginning to its end, and what that must not break."""

import asyncio
import io
import threading
from collections.abc import Iterator

import pytest
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.db import connection
from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import path

from portal import threads, visitor
from portal.health import healthz
from portal.threads import ThreadedHandler

SECONDS = 20.0  # that anything here may take on a slow machine


class Held:
    """A view that waits until it may go on, and what it saw."""

    def __init__(self) -> None:
        self.entered, self.release = threading.Semaphore(0), threading.Event()
        self.bodies: list[bytes] = []

    def view(self, request: HttpRequest) -> HttpResponse:
        self.bodies.append(request.body)
        self.entered.release()
        assert self.release.wait(SECONDS)
        return HttpResponse("held")


class Parts:
    """An answer in parts; each waits until it may be made."""

    def __init__(self) -> None:
        self.may_go_on, self.ended = threading.Semaphore(0), threading.Event()
        self.made = 0

    def __iter__(self) -> Iterator[bytes]:
        try:
            while self.made < 1000:
                self.made += 1
                yield b"part %d " % self.made
                assert self.may_go_on.acquire(timeout=SECONDS)
        finally:
            self.ended.set()


held, parts = Held(), Parts()


def where(request: HttpRequest) -> HttpResponse:
    seen = (threading.get_ident(), visitor.address.get(), request.get_host(), request.scheme)
    return HttpResponse(" ".join(map(str, seen)))


def database(request: HttpRequest) -> HttpResponse:
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    return HttpResponse(str(id(connection.connection)))


def broken(request: HttpRequest) -> HttpResponse:
    raise ValueError("a defect")


def streamed(request: HttpRequest) -> StreamingHttpResponse:
    answer = StreamingHttpResponse(iter(parts), headers={"X-Kind": "stream"})
    answer.set_cookie("taste", "plum")
    return answer


def file(request: HttpRequest) -> FileResponse:
    return FileResponse(io.BytesIO(b"x" * 100_000), filename="x.bin")


urlpatterns = [
    path("held/", lambda request: held.view(request)),
    path("where/", where),
    path("database/", database),
    path("broken/", broken),
    path("streamed/", streamed),
    path("file/", file),
    path("healthz", healthz),
]
handler500 = "portal.errors.failed"


@pytest.fixture(autouse=True)
def these_addresses(settings, monkeypatch) -> Iterator[None]:
    global held, parts
    settings.ROOT_URLCONF = __name__
    settings.ALLOWED_HOSTS = ["here"]
    held, parts = Held(), Parts()
    yield
    held.release.set()


@pytest.fixture
def handler() -> Iterator[ThreadedHandler]:
    made = ThreadedHandler(1)
    yield made
    held.release.set()
    made.pages.shutdown()
    made.light.shutdown()


async def ask(handler: ThreadedHandler, path: str, body: bytes = b"") -> ApplicationCommunicator:
    scope = {
        "type": "http",
        "method": "GET",
        "path": path,
        "query_string": b"",
        "scheme": "http",
        "client": ("192.0.2.7", 1),
        "server": ("here", 80),
        "headers": [(b"host", b"here"), (b"content-length", str(len(body)).encode())],
    }
    visitor = ApplicationCommunicator(handler, scope)
    await visitor.send_input({"type": "http.request", "body": body})
    return visitor


async def answer(visitor: ApplicationCommunicator) -> tuple[int, bytes]:
    start = await visitor.receive_output(SECONDS)
    body, more = b"", True
    while more:
        message = await visitor.receive_output(SECONDS)
        body += message.get("body", b"")
        more = message.get("more_body", False)
    await visitor.wait(SECONDS)
    return start["status"], body


async def entered(one: Held) -> None:
    assert await asyncio.to_thread(one.entered.acquire, timeout=SECONDS)


async def test_a_request_is_on_one_thread_from_its_signals_to_its_view(handler) -> None:
    seen: list[int] = []

    def note(**_: object) -> None:
        seen.append(threading.get_ident())

    request_started.connect(note)
    request_finished.connect(note)
    try:
        status, text = await answer(await ask(handler, "/where/"))
    finally:
        request_started.disconnect(note)
        request_finished.disconnect(note)
    thread, address, host, scheme = text.decode().split()
    assert (status, address, host, scheme) == (200, "192.0.2.7", "here", "http")
    assert seen == [int(thread), int(thread)]
    assert int(thread) != threading.get_ident()
    assert visitor.address.get() == ""


@pytest.mark.django_db(transaction=True)
async def test_a_thread_keeps_its_connection_where_there_is_no_pool(handler) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("the pool keeps it")
    first, second = [await answer(await ask(handler, "/database/")) for _ in range(2)]
    assert first == second
    assert first[0] == 200


async def test_a_defect_is_answered_and_the_thread_goes_on(handler) -> None:
    assert (await answer(await ask(handler, "/broken/")))[0] == 500
    assert (await answer(await ask(handler, "/where/")))[0] == 200


async def test_health_is_answered_while_every_thread_is_busy(handler, monkeypatch) -> None:
    monkeypatch.setattr("portal.health.health", lambda: {"ok": True})
    busy = await ask(handler, "/held/")
    await entered(held)
    waiting = await ask(handler, "/where/")
    assert await answer(await ask(handler, "/healthz")) == (200, b'{"ok": true}')
    assert await waiting.receive_nothing()
    held.release.set()
    assert await answer(busy) == (200, b"held")
    assert (await answer(waiting))[0] == 200


async def test_who_leaves_before_a_thread_is_free_costs_none(handler) -> None:
    busy = await ask(handler, "/held/", b"1")
    await entered(held)
    left = await ask(handler, "/held/", b"2")
    stays = await ask(handler, "/held/", b"3")
    await left.send_input({"type": "http.disconnect"})
    await left.wait(SECONDS)
    held.release.set()
    assert await answer(busy) == await answer(stays) == (200, b"held")
    assert held.bodies == [b"1", b"3"]


async def test_who_leaves_while_the_page_is_made_disturbs_nobody(handler) -> None:
    left = await ask(handler, "/held/")
    await entered(held)
    await left.send_input({"type": "http.disconnect"})
    held.release.set()
    await left.wait(SECONDS)
    assert (await answer(await ask(handler, "/where/")))[0] == 200


async def test_a_body_that_breaks_off_reaches_no_view(handler) -> None:
    visitor = ApplicationCommunicator(handler, {"type": "http", "path": "/held/"})
    await visitor.send_input({"type": "http.request", "body": b"half", "more_body": True})
    await visitor.send_input({"type": "http.disconnect"})
    await visitor.wait(SECONDS)
    assert held.bodies == []


async def test_an_answer_in_parts_is_sent_as_it_is_made(handler) -> None:
    visitor = await ask(handler, "/streamed/")
    start = await visitor.receive_output(SECONDS)
    assert (b"X-Kind", b"stream") in start["headers"]
    assert any(name == b"Set-Cookie" and b"plum" in text for name, text in start["headers"])
    for number in (1, 2, 3):
        part = await visitor.receive_output(SECONDS)
        assert part == {
            "type": "http.response.body",
            "body": b"part %d " % number,
            "more_body": True,
        }
        assert parts.made == number
        parts.may_go_on.release()
    await visitor.send_input({"type": "http.disconnect"})
    parts.may_go_on.release(1000)
    await visitor.wait(SECONDS)
    assert parts.ended.is_set()
    assert parts.made < 1000


async def test_an_answer_that_nobody_reads_frees_its_thread(handler, monkeypatch) -> None:
    monkeypatch.setattr(threads, "UNREAD_SECONDS", 0.05)
    parts.may_go_on.release(1000)
    never = asyncio.Event()
    taken: list[str] = []

    async def unread(message: threads.Message) -> None:
        taken.append(message["type"])
        if message["type"] == "http.response.body":
            await never.wait()

    async def app(scope, receive, send) -> None:
        await handler(scope, receive, unread)

    visitor = ApplicationCommunicator(app, (await ask(handler, "/streamed/")).scope)
    await visitor.send_input({"type": "http.request", "body": b""})
    await visitor.wait(SECONDS)
    assert parts.ended.is_set()
    assert taken == ["http.response.start", "http.response.body"]
    assert (await answer(await ask(handler, "/where/")))[0] == 200


async def test_a_file_is_sent_whole(handler) -> None:
    assert await answer(await ask(handler, "/file/")) == (200, b"x" * 100_000)
