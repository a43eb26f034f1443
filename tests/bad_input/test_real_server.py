"""What only the web server itself can show: sizes beyond its bound, strange lines, other sites' sockets."""

import json
import re
import socket
import urllib.request
from urllib.parse import urlencode

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.site import Site, Visitor


@pytest.fixture
def table(site: Site) -> str:
    """Address of the socket of a running table."""
    page = Visitor(site).form("/games/nibble/play-now/")
    found = json.loads(re.search(r'"table-payload"[^>]*>(.*?)</script>', page, re.DOTALL)[1])
    return f"{site.url.replace('http', 'ws', 1)}/ws/tables/{found['id']}"


def said(site: Site, line: bytes) -> bytes:
    """The status line and all that the server answers to ``line``."""
    with socket.create_connection(("127.0.0.1", site.port), timeout=30) as visitor:
        visitor.sendall(line)
        found = b""
        while part := visitor.recv(65536):
            found += part
    return found


def test_a_frame_is_refused_in_words_up_to_a_bound_and_closes_the_socket_above(site, table):
    with connect(table, origin=site.url) as line:
        for size in (20 * 1024, 60 * 1024):
            line.send(json.dumps({"do": "say", "key": "k", "text": "x" * size}))
            assert json.loads(line.recv(10))["code"] == "malformed_frame"
        line.send(b"\x00\x01")
        assert json.loads(line.recv(10))["code"] == "malformed_frame"
        line.send("x" * 66 * 1024)
        with pytest.raises(ConnectionClosed) as closed:
            line.recv(10)
        assert closed.value.rcvd.code == 1009
    with connect(table, origin=site.url) as again:
        again.send('{"do": "sync", "ply": 0}')
        assert json.loads(again.recv(10))["on"] == "state"


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example"])
def test_a_page_of_another_site_is_turned_away(table, origin):
    with pytest.raises(InvalidStatus) as refused, connect(table, origin=origin):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize(
    "headers",
    [{"Cookie": "a=" + "a" * 9000}, {f"X-{number}": "a" for number in range(200)}],
    ids=["long", "many"],
)
def test_a_socket_with_headers_too_long_is_refused_at_once(site, table, headers):
    with (
        pytest.raises(InvalidStatus) as refused,
        connect(table, origin=site.url, additional_headers=headers),
    ):
        pass
    assert refused.value.response.status_code == 431


@pytest.mark.parametrize(
    "path", ["/", "/ws/nothing", "/ws/tables/a/b", "/ws/wiki/%00", "/ws/tables/%00"]
)
def test_a_socket_to_an_address_of_none_is_not_found(site, path):
    address = site.url.replace("http", "ws", 1) + path
    with pytest.raises(InvalidStatus) as refused, connect(address, origin=site.url):
        pass
    assert refused.value.response.status_code == 404


@pytest.mark.parametrize(
    "line",
    [
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=" + b"a" * 300_000,
        b"GET /?q=" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n",
        b"BREW / HTTP/1.1\r\nHost: localhost\r\n\r\n",
        "GET /tables/٣/ HTTP/1.1\r\nHost: localhost\r\n\r\n".encode(),
        b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: a=\x01\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
        b"\x00\x01\x02\r\n\r\n",
    ],
)
def test_what_is_no_request_is_answered_with_400(site, line):
    assert said(site, line).startswith(b"HTTP/1.1 400 ")


@pytest.mark.parametrize(
    "path",
    [
        b"/static/../manage.py",
        b"/static/%2e%2e/%2e%2e/manage.py",
        b"/static/games/hearts/%2e%2e/hearts/rules.py",
        b"/static//etc/passwd",
        b"/static/..%2f..%2fsecret_key",
        b"/secret_key",
        b"//evil.example/",
    ],
)
def test_no_path_leads_out_of_what_is_served(site, path):
    answer = said(
        site, b"GET " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    )
    assert answer.startswith(b"HTTP/1.1 404 ")
    assert b"There is nothing here" in answer


def test_log_in_is_counted_by_the_address_of_version_4_that_a_proxy_writes_as_6(site):
    """Who guesses from one address keeps nobody at another from logging in."""
    page = f"{site.url}/accounts/login/"

    def is_stopped(address: str, name: str) -> bool:
        browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
        headers = {"X-Forwarded-For": f"::ffff:{address}"}
        form = browser.open(urllib.request.Request(page, headers=headers)).read().decode()
        token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', form)[1]
        sent = {"csrfmiddlewaretoken": token, "login": name, "password": "a guess"}
        request = urllib.request.Request(page, urlencode(sent).encode(), headers)
        return "Too many tries" in browser.open(request).read().decode()

    tries = [is_stopped("192.0.2.7", f"nobody{number}") for number in range(12)]
    assert (tries[0], tries[-1]) == (False, True)
    assert not is_stopped("192.0.2.8", "nobody")
