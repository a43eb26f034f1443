"""A player at a socket who knows of no server but what it says: keeps what is not acknowledged, comes
again when the line breaks, sends it again, and writes down what was acknowledged."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import WebSocketException

PATIENCE = 8.0  # seconds without an answer, before the line is given up: as a page does
BACK_OFF = (0.05, 0.4)  # seconds before another try, at random between these
PAUSE = (0.05, 0.2)  # seconds one thinks: a socket may send ten frames a second for long
AGAIN = 0.05  # how often one sends what is acknowledged already once more
UNDO = 0.05  # how often one takes a move back, where that can be
LATER = "slow_down", "unavailable", "server_error"  # refusals after which one sends it again


@dataclass
class Acknowledged:
    """What the server said is stored. ``action``: None for an undo."""

    table: str
    user: int
    key: str
    ply: int
    action: dict[str, Any] | None


@dataclass
class Ledger:
    """What all players were told."""

    acknowledged: list[Acknowledged] = field(default_factory=list)
    refused: list[tuple[str, int, str]] = field(default_factory=list)  # (table, user, key)
    codes: Counter[str] = field(default_factory=Counter)  # of refusals
    changed: list[str] = field(default_factory=list)  # keys acknowledged again with another ply
    lines: int = 0  # sockets opened

    def data(self) -> dict[str, Any]:
        return {
            "acknowledged": [asdict(one) for one in self.acknowledged],
            "refused": self.refused,
        }


class Player:
    """One person at one table of a site; ``play`` until the game is over."""

    def __init__(self, url: str, table: str, user: int, cookie: str, ledger: Ledger) -> None:
        self.url, self.table, self.user, self.cookie = url, table, user, cookie
        self.ledger = ledger
        self.state: dict[str, Any] | None = None
        self.unsent: dict[str, Any] | None = None  # the order that is not acknowledged
        self.last: Acknowledged | None = None  # the order that was acknowledged last
        self.answers: list[tuple[str, int]] = []  # (key, ply) of every acknowledgement
        self.told = asyncio.Condition()  # notified at each frame
        self.chance = random.Random(f"{table}-{user}")
        self.count = 0
        self.line: ClientConnection | None = None

    @property
    def over(self) -> bool:
        return self.state is not None and self.state["status"] in ("finished", "abandoned")

    async def play(self) -> None:
        """Play on, over any number of lines, until the game is over."""
        await self._stay(self._play)

    async def watch(self) -> None:
        """Hear what happens, over any number of lines, until the game is over."""
        await self._stay(self._listen)

    async def _stay(self, work: Callable[[ClientConnection], Awaitable[None]]) -> None:
        while not self.over:
            try:
                async with self.connected() as line:
                    await work(line)
            except (OSError, WebSocketException):  # the server is away; TimeoutError is an OSError
                await asyncio.sleep(self.chance.uniform(*BACK_OFF))

    async def _play(self, line: ClientConnection) -> None:
        if self.unsent:
            await self.write(self.unsent)
        while not self.over and line.close_code is None:
            await self._move()

    async def _listen(self, line: ClientConnection) -> None:
        async with self.told:
            while not self.over and line.close_code is None:
                await self.told.wait()

    @asynccontextmanager
    async def connected(self) -> AsyncIterator[ClientConnection]:
        """A line on which one has asked for the state, and hears what the server says."""
        async with connect(
            f"{self.url.replace('http', 'ws', 1)}/ws/tables/{self.table}",
            additional_headers={"Cookie": self.cookie},
            origin=self.url,  # type: ignore[arg-type]
            max_size=2**22,
            open_timeout=30,
            close_timeout=1,
            ping_interval=None,
        ) as line:
            self.line = line
            self.ledger.lines += 1
            reading = asyncio.create_task(self._read(line))
            try:
                await self.sync()
                yield line
            finally:
                self.line = None
                reading.cancel()
                await asyncio.gather(reading, return_exceptions=True)

    async def write(self, frame: dict[str, Any]) -> None:
        assert self.line is not None
        await self.line.send(json.dumps(frame))

    async def sync(self) -> None:
        known = {} if self.state is None else {"ply": self.state["ply"]}
        await self.write({"do": "sync", **known})

    async def _read(self, line: ClientConnection) -> None:
        try:
            async for text in line:
                self.hear(json.loads(text))
                async with self.told:
                    self.told.notify_all()
        finally:
            async with self.told:
                self.told.notify_all()

    def hear(self, frame: dict[str, Any]) -> None:
        match frame["on"]:
            case "state":
                if self.state is None or frame["ply"] >= self.state["ply"]:
                    self.state = frame
            case "ack":
                self._acknowledged(frame["key"], frame["ply"])
            case "refused":
                self._refused(frame["key"], frame["code"])

    def _acknowledged(self, key: str, ply: int) -> None:
        self.answers.append((key, ply))
        if self.unsent and self.unsent["key"] == key:
            self.last = Acknowledged(self.table, self.user, key, ply, self.unsent.get("action"))
            self.ledger.acknowledged.append(self.last)
            self.unsent = None
        elif self.last and self.last.key == key and self.last.ply != ply:
            self.ledger.changed.append(key)

    def _refused(self, key: str | None, code: str) -> None:
        self.ledger.codes[code] += 1
        if self.unsent and self.unsent["key"] == key and code not in LATER:
            self.ledger.refused.append((self.table, self.user, self.unsent["key"]))
            self.unsent = None

    async def _move(self) -> None:
        """Send the next order, where one is due, and wait for what comes of it."""
        await asyncio.sleep(self.chance.uniform(*PAUSE))
        if self.unsent is None:
            self.unsent = self._order()
            if self.unsent is None:
                await self._wait(lambda: self.due or self.over, PATIENCE)
                return
            await self.write(self.unsent)
        if not await self._wait(lambda: self.unsent is None, PATIENCE):
            raise TimeoutError("no answer")
        if self.last and self.chance.random() < AGAIN:
            action = {} if self.last.action is None else {"action": self.last.action}
            kind = "undo" if self.last.action is None else "act"
            await self.write({"do": kind, "key": self.last.key, "ply": self.last.ply, **action})

    @property
    def due(self) -> bool:
        """Whether one is asked something by a state that shows one's own last order."""
        seen = self.last is None or (self.state is not None and self.state["ply"] >= self.last.ply)
        return bool(
            seen and self.state and self.state["moves"] and self.state["status"] == "playing"
        )

    def _order(self) -> dict[str, Any] | None:
        if not self.due or self.state is None:
            return None
        self.count += 1
        key = f"{self.user}-{self.count}"
        if self.state["undo"] and self.chance.random() < UNDO:
            return {"do": "undo", "key": key}
        items = self.state["moves"]["items"]
        action = self.chance.choice(items)["action"]
        return {"do": "act", "key": key, "ply": self.state["ply"], "action": action}

    async def _wait(self, true: Callable[[], object], seconds: float) -> bool:
        """Whether ``true()`` comes to hold while the line does; raises OSError where the line breaks."""
        line = self.line
        try:
            async with asyncio.timeout(seconds), self.told:
                while not true():
                    if line is None or line.close_code is not None:
                        raise ConnectionError("the line broke")
                    await self.told.wait()
        except TimeoutError:
            return bool(true())
        return True


@dataclass
class Seated:
    """A table that was opened for players, and how they come in: (user, cookie)."""

    table: str
    people: list[tuple[int, str]]

    @classmethod
    def of(cls, data: dict[str, Any]) -> Self:
        return cls(data["table"], [(user, cookie) for user, cookie in data["people"]])

    def players(self, url: str, ledger: Ledger) -> list[Player]:
        return [Player(url, self.table, user, cookie, ledger) for user, cookie in self.people]


async def until(true: Callable[[], object], what: str, seconds: float = 60.0) -> None:
    """Wait until ``true()``; fails with ``what`` when time is up."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"Waited {seconds:.0f} s in vain for {what}.")
        await asyncio.sleep(0.02)


async def more_moves(ledger: Ledger, count: int = 4) -> None:
    """Wait until so many more orders are acknowledged."""
    goal = len(ledger.acknowledged) + count
    await until(lambda: len(ledger.acknowledged) >= goal, f"{count} moves")


@asynccontextmanager
async def playing(players: list[Player]) -> AsyncIterator[None]:
    """While they all play."""
    tasks = [asyncio.create_task(player.play()) for player in players]
    try:
        yield
        for task in tasks:
            if task.done():
                task.result()
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
