"""Redis silent, killed, started again, emptied: play goes on, and then all comes back by itself."""

import asyncio
import json
import os
import signal
import time
import urllib.error
import urllib.request
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode

import pytest

from tests.faults.client import until
from tests.faults.test_kills import more_moves, playing
from tests.faults.valkey import Valkey
from tests.site import Site

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults of a poor site"),
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="its Redis is its own: once is enough"),
]

PAUSE = 8.0  # seconds of silence: more than any part of the site waits for an answer
HANGING = 8.0  # seconds after which a page hangs, on a machine that is busy


@pytest.fixture(scope="session")
def fault_site(poor_site: Site) -> Site:
    return poor_site


def page(site: Site, path: str) -> tuple[int, str]:
    try:
        with urllib.request.urlopen(site.url + path, timeout=HANGING) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def health(site: Site) -> dict[str, Any]:
    return json.loads(page(site, "/healthz")[1])


def log_in(site: Site) -> int:
    """The status of an attempt to log in, which is counted in the cache."""
    jar = CookieJar()
    opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(jar))
    opener.open(f"{site.url}/accounts/login/", timeout=HANGING)
    token = next(cookie.value for cookie in jar if cookie.name == "csrftoken")
    form = {"login": "nobody", "password": "wrong", "csrfmiddlewaretoken": token}
    sent = opener.open(f"{site.url}/accounts/login/", urlencode(form).encode(), timeout=HANGING)
    assert "do not fit together" in sent.read().decode()
    return int(sent.status)


def act_by_http(site: Site, player: Any, key: str) -> dict[str, Any]:
    """The answer to a first legal move of ``player`` by plain HTTP."""
    move = player.state["moves"]["items"][0]["action"]
    body = json.dumps({"key": key, "ply": player.state["ply"], "action": move}).encode()
    cookies = f"{player.cookie}; csrftoken={'a' * 32}"
    headers = {"Cookie": cookies, "X-CSRFToken": "a" * 32, "Content-Type": "application/json"}
    request = urllib.request.Request(f"{site.url}/tables/{player.table}/act", body, headers)
    with urllib.request.urlopen(request, timeout=HANGING) as answer:
        return dict(json.load(answer))


async def test_a_redis_that_is_silent_holds_up_nobody(fault_site, valkey, seat, ledger):
    couple = seat("Ada", "Bob").players(fault_site.url, ledger)
    alone = seat("Cy", bots=1).players(fault_site.url, ledger)
    guest, other = seat("Dunya", "Eve").players(fault_site.url, ledger)
    async with playing(couple + alone):
        await more_moves(ledger, 8)
        lines = ledger.lines
        valkey.send(signal.SIGSTOP)
        end = time.monotonic() + PAUSE
        try:
            async with guest.connected(), other.connected():  # sockets open in that time
                await until(lambda: guest.state and other.state, "states", HANGING)
                mover, watcher = (guest, other) if guest.due else (other, guest)
                answer = await asyncio.to_thread(act_by_http, fault_site, mover, "by-http")
                assert (answer["on"], answer["ply"]) == ("ack", 1)
                await until(lambda: watcher.state["ply"] == 1, "the move", HANGING)
            before = alone[0].count  # each a move of the bot's too, which no worker is told of
            await until(lambda: alone[0].count > before + 1, "moves beside a bot")
            for path in ("/", "/wiki/hearts/", "/games/", f"/tables/{guest.table}/"):
                assert (await asyncio.to_thread(page, fault_site, path))[0] == 200
            assert await asyncio.to_thread(log_in, fault_site) == 200
            found = await asyncio.to_thread(health, fault_site)
            assert (found["ok"], found["redis"], found["database"]) == (False, "down", "ok")
            while time.monotonic() < end:
                await more_moves(ledger, 2)
        finally:
            valkey.send(signal.SIGCONT)
        await comes_back(fault_site, valkey, couple[0].table)
        await more_moves(ledger)
        assert ledger.lines == lines + 2  # of those who came in meanwhile


async def comes_back(site: Site, valkey: Valkey, table: str) -> None:
    """Wait until hints are heard, and a worker does what a beat sends."""
    since = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime())
    await until(lambda: valkey.listeners(table), "hints to be heard again")
    await until(lambda: (health(site)["worker_heartbeat"] or "") > since, "a heartbeat")
    assert health(site)["ok"]


async def test_a_redis_that_is_killed_and_emptied_comes_back(fault_site, valkey, seat, ledger):
    players = seat("Ada", "Bob").players(fault_site.url, ledger)
    players += seat("Cy", bots=1).players(fault_site.url, ledger)
    async with playing(players):
        await more_moves(ledger, 8)
        lines = ledger.lines
        valkey.kill()
        await more_moves(ledger, 8)
        assert (await asyncio.to_thread(health, fault_site))["redis"] == "down"
        valkey.start()
        await comes_back(fault_site, valkey, players[0].table)
        valkey.client.flushall()
        await more_moves(ledger, 8)
        await comes_back(fault_site, valkey, players[0].table)
        assert ledger.lines == lines
