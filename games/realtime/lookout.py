"""Looking after tables whose hint was lost.

A hint may be lost: the process that committed was killed before it told, or Redis was away. So each
process that has sockets asks the database every few seconds, once for all its tables, where they
are; a socket whose client is behind is told to look again. That costs one indexed query, whatever
the number of sockets.
"""

import asyncio
import logging
from typing import Protocol
from weakref import WeakKeyDictionary

from django.db import DatabaseError, InterfaceError

from games.realtime.threads import in_thread
from games.services.reading import positions

logger = logging.getLogger(__name__)

EVERY = 3.0  # seconds between two looks


class Onlooker(Protocol):
    """A socket at a table."""

    table_id: str
    sent: int | None  # ply of the last state the client has; None: it has asked for none yet
    status: str  # of the table in that state
    heard: int  # id of the last message the client has

    def look_again(self, *, chat: bool = False) -> None:
        """Read the table and send what has become of it (``chat``: and what was said), soon."""


class Lookout:
    """The sockets of one event loop, and the task that looks after them while there are any."""

    def __init__(self) -> None:
        self.onlookers: set[Onlooker] = set()
        self.task: asyncio.Task[None] | None = None

    def add(self, onlooker: Onlooker) -> None:
        self.onlookers.add(onlooker)
        if self.task is None or self.task.done():
            self.task = asyncio.create_task(self._keep_looking())

    def remove(self, onlooker: Onlooker) -> None:
        self.onlookers.discard(onlooker)
        if not self.onlookers and self.task is not None:
            self.task.cancel()
            self.task = None

    async def _keep_looking(self) -> None:
        told = False  # whether the log has that the database is away
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self._look()
                if told:
                    logger.warning("lookout: the database answers again")
                    told = False
            except (DatabaseError, InterfaceError) as error:
                if not told:
                    logger.warning("lookout: the database does not answer: %s", error)
                    told = True
            except Exception:  # those who look on still need it
                logger.exception("lookout: the look failed")

    async def _look(self) -> None:
        found = await in_thread(positions, {one.table_id for one in self.onlookers})
        for onlooker in list(self.onlookers):
            if onlooker.sent is None or onlooker.table_id not in found:
                continue
            ply, status, said = found[onlooker.table_id]
            if said > onlooker.heard:
                onlooker.look_again(chat=True)
            elif ply > onlooker.sent or status != onlooker.status:
                onlooker.look_again()


_lookouts: WeakKeyDictionary[asyncio.AbstractEventLoop, Lookout] = WeakKeyDictionary()


def lookout() -> Lookout:
    """That of the running event loop."""
    return _lookouts.setdefault(asyncio.get_running_loop(), Lookout())
