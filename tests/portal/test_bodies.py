"""Bodies of requests that are too large, or that a full disk cannot keep."""

import errno
import json

import pytest
from asgiref.testing import ApplicationCommunicator

from portal import bodies
from portal.bodies import BoundedBodies

PATIENCE = 30  # seconds for a part of an answer, on a machine that is busy


async def kept(scope, receive, send) -> None:
    """Keeps the whole body, as Django does, and tells how long it was."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message["body"])
        more = message["more_body"]
    await bodies.answer(send, 200, str(size))


async def full(scope, receive, send) -> None:
    await receive()
    raise OSError(errno.ENOSPC, "No space left on device")


async def ask(
    app,
    *parts: bytes,
    length: int | None = None,
    accept: bytes = b"text/html",
    path: str = "/wiki/files/upload/",
) -> tuple[int, str]:
    headers = [(b"accept", accept)]
    if length is not None:
        headers.append((b"content-length", str(length).encode()))
    scope = {"type": "http", "path": path, "headers": headers}
    visitor = ApplicationCommunicator(BoundedBodies(app), scope)
    for number, part in enumerate(parts, 1):
        more = number < len(parts)
        await visitor.send_input({"type": "http.request", "body": part, "more_body": more})
    start = await visitor.receive_output(PATIENCE)
    page = await visitor.receive_output(PATIENCE)
    return start["status"], page["body"].decode()


@pytest.fixture(autouse=True)
def small(monkeypatch) -> None:
    monkeypatch.setattr(bodies, "MOST", 10)


async def test_body_within_the_bound_passes() -> None:
    assert await ask(kept, b"12345", b"67890", length=10) == (200, "10")


async def test_body_that_says_it_is_too_large_is_refused_in_words() -> None:
    status, page = await ask(kept, b"12345", b"678901", length=11)
    assert status == 413
    assert "nothing of it is saved" in page
    assert '<a href="/">' in page


async def test_who_asks_for_json_is_refused_in_json() -> None:
    status, text = await ask(kept, b"12345", b"678901", length=11, accept=b"application/json")
    assert (status, json.loads(text)["code"]) == (413, "too_large")
    status, text = await ask(full, b"1", accept=b"application/json")
    assert (status, json.loads(text)["code"]) == (507, "disk_full")


async def test_the_api_is_refused_in_its_own_shape() -> None:
    for app, sent, code in ((kept, b"x" * 11, "too_large"), (full, b"1", "disk_full")):
        _status, text = await ask(app, sent, length=len(sent), path="/api/wiki/v1/pages")
        error = json.loads(text)["error"]
        assert error["code"] == code
        assert error["message"]


@pytest.mark.parametrize(
    ("referer", "way"),
    [
        (b"http://here/wiki/files/upload/?a=1&b=2", 'href="/wiki/files/upload/?a=1&amp;b=2"'),
        (b'http://here/"><b>/', 'href="/&quot;&gt;&lt;b&gt;/"'),
        (b"http://elsewhere/wiki/", ""),
        (b"http://here//elsewhere/", ""),
        (b"http://[", ""),
        (b"", ""),
    ],
)
async def test_page_leads_back_to_the_form(referer: bytes, way: str) -> None:
    headers = [(b"host", b"here"), (b"referer", referer), (b"content-length", b"11")]
    scope = {"type": "http", "path": "/wiki/files/upload/", "headers": headers}
    visitor = ApplicationCommunicator(BoundedBodies(kept), scope)
    await visitor.send_input({"type": "http.request", "body": b"12345678901", "more_body": False})
    start, page = await visitor.receive_output(PATIENCE), await visitor.receive_output()
    text = page["body"].decode()
    assert ("Back to the form" in text) == bool(way)
    assert way in text
    sent = dict(start["headers"])
    assert sent[b"x-frame-options"] == b"DENY"
    assert b"default-src 'self'" in sent[b"content-security-policy"]


@pytest.mark.parametrize("parts", [(b"12345", b"678901", b"more"), (b"12345", b"678901")])
async def test_body_that_turns_out_too_large_is_refused_too(parts: tuple[bytes, ...]) -> None:
    status, _page = await ask(kept, *parts)
    assert status == 413


@pytest.mark.parametrize("parts", [(b"1",), (b"1", b"2")])
async def test_full_disk_is_told(parts: tuple[bytes, ...]) -> None:
    status, page = await ask(full, *parts)
    assert status == 507
    assert "no room left" in page


async def test_other_errors_rise() -> None:
    async def broken(scope, receive, send) -> None:
        raise OSError(errno.EIO, "Input/output error")

    visitor = ApplicationCommunicator(BoundedBodies(broken), {"type": "http", "headers": []})
    await visitor.send_input({"type": "http.request", "body": b"1", "more_body": False})
    with pytest.raises(OSError, match="Input/output"):
        await visitor.wait(PATIENCE)


async def test_a_body_that_does_not_come_is_not_waited_for(monkeypatch) -> None:
    monkeypatch.setattr(bodies, "SECONDS", 0.05)
    for length, status in ((10, 408), (11, 413)):  # and likewise one that is thrown away
        scope = {"type": "http", "path": "/", "headers": [(b"content-length", b"%d" % length)]}
        visitor = ApplicationCommunicator(BoundedBodies(kept), scope)
        await visitor.send_input({"type": "http.request", "body": b"1", "more_body": True})
        start = await visitor.receive_output(PATIENCE)
        assert start["status"] == status
        assert (b"connection", b"close") in start["headers"]
        page = await visitor.receive_output(PATIENCE)
        assert b"nothing of it is saved" in page["body"]
