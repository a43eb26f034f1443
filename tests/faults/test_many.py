"""Two hundred sockets come again at once, and the site takes it calmly."""

import asyncio
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.faults.client import more_moves, playing, until

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

TABLES, TABS = 10, 10  # of two people each
MEMORY = 250_000  # kB the web server may take with all of them
THREADS = 20  # and threads: their number does not grow with the sockets
PATIENCE = 150.0  # seconds, on a machine that is busy


async def test_two_hundred_sockets_come_again_at_once(fault_site, seat, ledger):
    log = fault_site.log.stat().st_size
    tables = [seat(f"A{number}", f"B{number}") for number in range(TABLES)]
    players = [
        player for table in tables * TABS for player in table.players(fault_site.url, ledger)
    ]
    others = seat("Ada", "Bob").players(fault_site.url, ledger)
    tasks = [asyncio.create_task(player.watch()) for player in players]
    try:
        async with playing(others):
            await until(lambda: all(player.state for player in players), "200 states", PATIENCE)
            await more_moves(ledger)
            for player in players:
                player.state = None
            os.kill(fault_site.part("portal.web"), signal.SIGKILL)
            await more_moves(ledger)  # at another table, meanwhile
            await until(
                lambda: all(player.state for player in players), "200 states again", PATIENCE
            )
            await more_moves(ledger)
        assert not [task for task in tasks if task.done()]
        assert {player.state["status"] for player in players} == {"playing"}
        web = status(fault_site.part("portal.web"))
        assert int(web["VmRSS"].split()[0]) < MEMORY
        assert int(web["Threads"]) < THREADS
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    with fault_site.log.open() as file:
        file.seek(log)
        told = [line for line in file if "Traceback" in line or " ERROR " in line]
    assert told == []


def status(pid: int) -> dict[str, str]:
    """What the kernel says of a process, by name."""
    lines = Path(f"/proc/{pid}/status").read_text().splitlines()
    return {name: value.strip() for name, _, value in (line.partition(":") for line in lines)}
