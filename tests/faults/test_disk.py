"""A disk without room, and a database that somebody else holds: refused in words, nothing lost; then it goes
on by itself."""

import asyncio
import json
import os
import re
import sqlite3
import threading
import urllib.error
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

import pytest

from tests.faults.client import until
from tests.faults.test_kills import more_moves, playing
from tests.site import Site, Visitor, read_token

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults of a poor site"),
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="the disk is another machine's here"),
]


@pytest.fixture(scope="session")
def fault_site(poor_site: Site) -> Site:
    if not os.path.ismount(poor_site.data):
        pytest.skip("may not mount a small disk here")
    return poor_site


@contextmanager
def no_room(site: Site) -> Iterator[None]:
    """While the disk of ``site`` is full to the last byte, and stays so."""
    ballast = site.data / "ballast"
    stop = threading.Event()

    def fill() -> None:
        with ballast.open("ab", buffering=0) as file:
            while not stop.wait(0.02):
                for size in (2**20, 4096, 1):
                    try:
                        while True:
                            file.write(b"\0" * size)
                    except OSError:
                        continue

    filling = threading.Thread(target=fill)
    filling.start()
    try:
        yield
    finally:
        stop.set()
        filling.join()
        ballast.unlink()


def edit(visitor: Visitor, text: str) -> tuple[int, str]:
    """Save ``text`` as the help page of Hearts, as a guest: status and page."""
    page = visitor.get("/wiki/hearts/edit/")
    visitor.token = read_token(page)
    hidden = re.findall(r'type="hidden" name="(base|section|title)" value="([^"]*)"', page)
    sent = {**dict(hidden), "text": text, "summary": "Tried", "action": "guest"}
    try:
        kind = "application/x-www-form-urlencoded"
        return 200, visitor.post("/wiki/hearts/edit/", urlencode(sent).encode(), kind)
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


async def test_without_room_nothing_is_lost_and_with_room_it_goes_on(fault_site, seat, ledger):
    players = seat("Ada", "Bob").players(fault_site.url, ledger)
    visitor = await asyncio.to_thread(Visitor, fault_site)
    async with playing(players):
        await more_moves(ledger, 4)
        with no_room(fault_site):
            await until(lambda: ledger.codes["disk_full"], "a refusal", 30)
            taken = len(ledger.acknowledged)
            assert "Hearts" in await asyncio.to_thread(visitor.get, "/wiki/hearts/")
            state = await asyncio.to_thread(visitor.get, f"/tables/{players[0].table}/state")
            assert json.loads(state)["on"] == "state"
            status, page = await asyncio.to_thread(edit, visitor, "My <careful> words\nof hours")
            assert (status, "no room left" in page) == (507, True)
            assert "My &lt;careful&gt; words\nof hours</textarea>" in page
        await until(lambda: len(ledger.acknowledged) > taken + 4, "moves", 30)
    status, page = await asyncio.to_thread(edit, visitor, "My <careful> words\nof hours")
    assert status == 200
    assert fault_site.process.poll() is None


async def test_a_database_that_is_held_is_waited_for_and_then_refused(fault_site, seat, ledger):
    ada, bob = seat("Ada", "Bob").players(fault_site.url, ledger)
    async with ada.connected(), bob.connected():
        await until(lambda: ada.state and bob.state, "both states")
        mover = ada if ada.due else bob
        move = mover.state["moves"]["items"][0]["action"]
        order = {"do": "act", "key": "k", "ply": mover.state["ply"], "action": move}
        holder = sqlite3.connect(fault_site.data / "parlour.sqlite3", isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        try:
            mover.unsent = order
            await mover.write(order)
            await until(lambda: mover.ledger.codes["unavailable"], "the refusal", 40)
        finally:
            holder.execute("ROLLBACK")
            holder.close()
        await mover.write(order)
        await until(lambda: mover.unsent is None, "the acknowledgement", 40)
        await until(lambda: bob.state["ply"] == ada.state["ply"] == 1, "both states")
