"""Random ``kill -9`` under play: what was acknowledged must be in the log, once.

A whole site on a data folder of its own; people at several tables of Hearts and Nibble, some beside bots, who
play on by socket, come again when the line breaks and send again what was not acknowledged. The victim of each
kill is the web server, a process of the worker, the beat, Valkey (where it is ours) or the supervisor with all of
them. After a kill comes the next: sometimes at once, else as soon as a few more moves were acknowledged. At the
end every log is compared with what the players were told, and played again to the position that is kept. With
``DATABASE_URL`` and ``REDIS_URL`` it runs on those servers. Exit status 1 when anything was lost.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tests.faults.client import Ledger, Seated, until
from tests.site import Site, descendants

WEB, WORKER, BEAT, VALKEY, ALL = "web", "worker", "beat", "Valkey", "supervisor"
WORDS = {WEB: "portal.web", WORKER: " worker ", BEAT: " beat ", VALKEY: "valkey-server"}
WEIGHTS = {WEB: 40, WORKER: 20, BEAT: 10, VALKEY: 20, ALL: 10}  # of 100 kills
MOVES = 5  # acknowledged between two kills
AT_ONCE = 0.2  # how often a kill does not wait for them
MOMENT = 0.4  # seconds, at most, before a kill
PATIENCE = 120.0  # seconds in which the site must have come back
PLACES: list[dict[str, Any]] = [  # tables that are played at all the time
    {"game": "hearts", "people": 4},
    {"game": "hearts", "people": 2, "bots": 2},
    {"game": "nibble", "people": 2},
    {"game": "nibble", "people": 1, "bots": 1},
]


class NoMoves(Exception):
    """The site did not come back."""


@dataclass
class Loop:
    """A site under play and under fire."""

    site: Site
    chance: random.Random
    ledger: Ledger = field(default_factory=Ledger)
    kills: Counter[str] = field(default_factory=Counter)
    restarts: int = 0  # of the whole site
    failed_starts: int = 0  # the site ended though nobody had killed it
    place_of: dict[str, int] = field(default_factory=dict)  # by table
    stuck: list[str] = field(default_factory=list)  # games of places that did not go on
    thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    async def run(self, kills: int, seconds: float) -> None:
        """Until there were so many kills, or so much time has passed."""
        end = time.monotonic() + seconds
        works = [self._keep_site(), *(self._keep_place(n) for n in range(len(PLACES)))]
        tasks = [asyncio.create_task(work) for work in works]
        try:
            await self._moves(MOVES, tasks)
            while self.kills.total() < kills and time.monotonic() < end:
                await asyncio.sleep(self.chance.uniform(0, MOMENT))
                self._kill()
                if self.chance.random() >= AT_ONCE:
                    await self._moves(MOVES, tasks)
            await self._go_on(tasks)
        except NoMoves:
            self.stuck = ["all: no move was acknowledged any more"]
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)

    async def _keep_site(self) -> None:
        """Start the site again when it ended."""
        while True:
            code = self.site.process.poll()
            if code is not None:
                self.failed_starts += code != -signal.SIGKILL
                self.restarts += 1
                self.site.start()
            await asyncio.sleep(0.1)

    async def _keep_place(self, number: int) -> None:
        """Let people play at a place: one table after the other."""
        place = dict(PLACES[number])
        names = [f"Player {number}.{n}" for n in range(place.pop("people"))]
        while True:
            opened = Seated.of(await self.inside("open_table", names, pace="live-15", **place))
            self.place_of[opened.table] = number
            players = opened.players(self.site.url, self.ledger)
            await asyncio.gather(*(player.play() for player in players))

    async def inside(self, work: str, *given: Any, **how: Any) -> Any:
        """Do one of the works of ``tests.faults.tables``, on the one thread that has the database."""
        from tests.faults import tables  # the site's settings are known by now

        done = partial(getattr(tables, work), *given, **how)
        return await asyncio.get_running_loop().run_in_executor(self.thread, done)

    async def _moves(self, count: int, tasks: list[asyncio.Task[None]]) -> None:
        """Wait for more moves, while all ``tasks`` run."""
        goal = len(self.ledger.acknowledged) + count

        def reached() -> bool:
            for task in tasks:
                if task.done():
                    task.result()  # raises what has ended it
            return len(self.ledger.acknowledged) >= goal

        try:
            await until(reached, "moves to be acknowledged", seconds=PATIENCE)
        except AssertionError as error:
            raise NoMoves from error

    async def _go_on(self, tasks: list[asyncio.Task[None]]) -> None:
        """After the last kill each place must see moves again."""
        mark, end = len(self.ledger.acknowledged), time.monotonic() + PATIENCE
        going: set[int] = set()
        while len(going) < len(PLACES) and time.monotonic() < end:
            await self._moves(1, tasks)
            going = {self.place_of[one.table] for one in self.ledger.acknowledged[mark:]}
        self.stuck = [str(PLACES[number]) for number in range(len(PLACES)) if number not in going]

    def _kill(self) -> None:
        """Kill one part, if it runs just now."""
        kinds = [kind for kind in WEIGHTS if kind != VALKEY or not self.site.env.get("REDIS_URL")]
        kind = self.chance.choices(kinds, [WEIGHTS[kind] for kind in kinds])[0]
        pids = self._pids(kind)
        if not pids:
            return
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.chance.choice(pids), signal.SIGKILL)
            self.kills[kind] += 1

    def _pids(self, kind: str) -> list[int]:
        if kind == ALL:
            return [self.site.process.pid] if self.site.process.poll() is None else []
        running = descendants(self.site.process.pid)
        return [pid for pid, line in running.items() if WORDS[kind] in line]


async def measure(site: Site, *, kills: int, seconds: float, seed: int) -> dict[str, Any]:
    """Play and kill, then look what became of it."""
    began = time.monotonic()
    loop = Loop(site, random.Random(seed))
    await loop.run(kills, seconds)
    spent = time.monotonic() - began
    ledger = loop.ledger
    wrong = await loop.inside("audit", **ledger.data())
    log = site.log.read_text(errors="replace")
    return {
        "kills": loop.kills.total(),
        "killed": dict(loop.kills),
        "acknowledged": len(ledger.acknowledged),
        "lost": len(wrong["lost"]),
        "twice": len(wrong["twice"]),
        "changed": len(ledger.changed),
        "ghosts": len(wrong["ghosts"]),
        "broken": len(wrong["broken"]),
        "stuck": len(loop.stuck),
        "tables": len(loop.place_of),
        "sockets": ledger.lines,
        "refused": dict(ledger.codes),
        "restarts": loop.restarts,
        "failed_starts": loop.failed_starts,
        "tracebacks": log.count("Traceback (most recent call last)"),
        "seconds": round(spent, 1),
        "wrong": [f"{kind}: {what}" for kind, found in wrong.items() for what in found]
        + [f"stuck: {what}" for what in loop.stuck]
        + [f"changed: {key}" for key in ledger.changed],
    }


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seconds", type=float, default=900, help="stop after so long in any case")
    parser.add_argument("--seed", type=int, default=2026, help="of the victims")
    parser.add_argument("--log", type=Path, help="keep what the site says in this file")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        Site(Path(folder)) as site,
    ):
        os.environ.update(site.env)
        report = asyncio.run(
            measure(site, kills=given.kills, seconds=given.seconds, seed=given.seed)
        )
        if given.log:
            shutil.copy(site.log, given.log)
    if given.json:
        print(json.dumps(report))  # noqa: T201
    else:
        for name, value in report.items():
            print(f"{name}: {value}")  # noqa: T201
    return 1 if report["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
