"""``kill -9`` of every part, at the worst moments: what was acknowledged stays, once, and play goes on."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.faults.client import more_moves, playing, until
from tests.site import ROOT, Site, command_line, descendants, wait_until

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

FALLBACK = 15.0  # seconds in which a page knows what nobody told it, on a machine that is busy


async def test_players_go_on_when_the_web_server_is_killed(fault_site, seat, ledger):
    players = seat("Ada", "Bob").players(fault_site.url, ledger)
    async with playing(players):
        await more_moves(ledger)
        first = fault_site.part("portal.web")
        os.kill(first, signal.SIGKILL)
        page = await asyncio.to_thread(urllib.request.urlopen, f"{fault_site.url}/about/")
        assert page.status == 200  # it waited at the door
        await more_moves(ledger)
    assert fault_site.part("portal.web") not in (0, first)
    assert ledger.lines >= 4


@pytest.mark.parametrize("place", ["before commit", "before hint"])
async def test_a_move_is_taken_once_whenever_its_server_is_killed(
    fault_site, seat, ledger, tmp_path, place
):
    mover, other = seat("Ada", "Bob").players(fault_site.url, ledger)
    async with mover.connected(), other.connected():
        await until(lambda: mover.state and other.state, "both states")
    if other.due:
        mover, other = other, mover
    async with other.connected():
        with second_web_server(fault_site, place, tmp_path / "held") as mover.url:
            async with playing([mover]):
                await until((tmp_path / "held").exists, "the move to be held")
        assert mover.unsent is not None
        assert mover.answers == []
        if place == "before hint":  # nobody could tell; the other comes to see it all the same
            await until(lambda: other.state["ply"] == 1, "the move", FALLBACK)
        mover.url, key = fault_site.url, mover.unsent["key"]
        async with mover.connected():
            for _ in range(2):
                await mover.write(mover.unsent)
            await until(lambda: len(mover.answers) == 2, "two answers")
        assert mover.answers == [(key, 1), (key, 1)]
        await until(lambda: other.state["ply"] == 1, "the move", FALLBACK)


@pytest.mark.parametrize("place", ["thinking", "locked"])
async def test_a_zombie_moves_once_though_its_worker_is_killed(
    fault_site, seat, inside, ledger, tmp_path, place
):
    ada, bob = seat("Ada", "Bob", absence="zombie").players(fault_site.url, ledger)
    async with ada.connected(), bob.connected():
        await until(lambda: ada.state and bob.state, "both states")
    asked, other = (ada, bob) if ada.due else (bob, ada)
    with stopped(fault_site, " worker "):
        worker = ["celery", "--quiet", "-A", "tests.faults.held", "worker", "--concurrency", "1"]
        with held(fault_site, place, worker, tmp_path / "held"):
            inside("leave", table=asked.table, user=asked.user)
            await until((tmp_path / "held").exists, "the worker to be held")
    async with other.connected():
        await until(lambda: other.state["moves"], "the zombie's move", FALLBACK)
    origins = [row["origin"] for row in other.state["log"]]  # since the row that this line knew
    assert origins in (["player", "zombie"], ["zombie"])


async def test_every_part_comes_again(fault_site, seat, ledger):
    parts = ["portal.web", " worker ", " beat "]
    if not fault_site.env.get("REDIS_URL"):
        parts.append("valkey-server")
    killed = {part: fault_site.part(part) for part in parts}
    players = seat("Ada", bots=1).players(fault_site.url, ledger)
    async with playing(players):
        await more_moves(ledger)
        for pid in killed.values():
            os.kill(pid, signal.SIGKILL)
        await more_moves(ledger)
    for part, pid in killed.items():
        wait_until(lambda part=part, pid=pid: fault_site.part(part) not in (0, pid), part)
    wait_until(lambda: fault_site.health() == 200, "everything to answer")


@pytest.mark.parametrize("everything", [False, True], ids=["supervisor", "everything"])
async def test_the_site_starts_again_when_it_was_killed(fault_site, seat, ledger, everything):
    running = descendants(fault_site.process.pid)
    players = seat("Ada", "Bob").players(fault_site.url, ledger)
    async with playing(players):
        await more_moves(ledger)
        for pid in (fault_site.process.pid, *(running if everything else ())):
            with suppress(ProcessLookupError):  # some end with the supervisor
                os.kill(pid, signal.SIGKILL)
        fault_site.process.wait()
        fault_site.start()  # while the children of the first still end, where only it was killed
        await more_moves(ledger)
    wait_until(lambda: not any(map(command_line, running)), "the old children to end")
    fault_site.wait_until_open()


async def test_two_workers_two_beats_and_tasks_that_come_again_play_each_seat_once(
    fault_site, seat, inside, ledger, tmp_path
):
    (ada,) = seat("Ada", bots=3, game="hearts").players(fault_site.url, ledger)
    before, second = fault_site.log.stat().st_size, tmp_path / "second"
    worker = ["celery", "--quiet", "-A", "portal", "worker", "--beat", "--concurrency", "1"]
    with second.open("wb") as said, started(fault_site, worker, stdout=said, stderr=said):
        async with playing([ada]):
            for _ in range(8):
                await more_moves(ledger, 1)
                inside("call_workers", table=ada.table, times=4)
    told = second.read_text() + fault_site.log.read_text()[before:]
    assert "Traceback" not in told  # whoever came second found nothing left to do


@contextmanager
def second_web_server(site: Site, place: str, file: Path) -> Iterator[str]:
    """The URL of a web server beside the site's own, that stops at ``place``; see ``held``."""
    with socket.create_server(("127.0.0.1", 0)) as door:
        command = ["tests.faults.held", str(door.fileno())]
        with held(site, place, command, file, pass_fds=[door.fileno()]):
            yield f"http://127.0.0.1:{door.getsockname()[1]}"


@contextmanager
def held(site: Site, place: str, command: list[str], file: Path, **how: Any) -> Iterator[None]:
    """A process of the site's that stops at ``place`` and then makes ``file``; killed at the end."""
    with started(site, command, {"HOLD": place, "HELD": str(file)}, **how):
        yield


@contextmanager
def started(
    site: Site, command: list[str], env: dict[str, str] | None = None, **how: Any
) -> Iterator[None]:
    """A process by the settings of the site; killed at the end, with all that it started."""
    process = subprocess.Popen(
        [sys.executable, "-m", *command],
        cwd=ROOT,
        env={**site.env, **(env or {})},
        start_new_session=True,
        **how,
    )
    try:
        yield
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@contextmanager
def stopped(site: Site, part: str) -> Iterator[None]:
    """While a part of the site stands still."""
    group = site.part(part)
    os.killpg(group, signal.SIGSTOP)
    try:
        yield
    finally:
        os.killpg(group, signal.SIGCONT)
