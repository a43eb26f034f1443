"""Telling sockets and workers that a table has changed, after the commit.

A hint says "table t is at ply n" and nothing else. Losing one costs a moment, never correctness:
readers enforce overdue clocks, and the sweep finds what is due. So a channel layer or a broker
that is down is logged and the commit stands; nobody waits for either.
"""

import asyncio
import logging
import os
import queue
import threading
from collections.abc import Callable
from functools import partial
from typing import Any

from celery import current_app
from channels.layers import get_channel_layer
from django.conf import settings
from django.db import transaction
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

LAYER_TIMEOUT = 5  # seconds


class _Voice:
    """An event loop on a thread of its own, so that any thread may use the channel layer and one
    connection serves them all. One for each process, made when first needed (after a fork)."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._process = 0

    def say(self, group: str, message: dict[str, Any]) -> None:
        """Send ``message`` to ``group`` without waiting for it."""
        asyncio.run_coroutine_threadsafe(_send(group, message), self._running())

    def _running(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None or self._process != os.getpid():
                self._loop, self._process = asyncio.new_event_loop(), os.getpid()
                threading.Thread(
                    target=self._loop.run_forever, name="table-hints", daemon=True
                ).start()
            return self._loop


class _Caller:
    """A thread that calls workers, since a broker that is silent would hold up the move. A table whose
    call still waits is not called for again. One for each process, made when first needed."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process = 0

    def call(self, table: str, work: Callable[[], None]) -> None:
        """Do ``work``, which calls a worker to ``table``, without waiting for it."""
        with self._lock:
            if self._process != os.getpid():
                self._process = os.getpid()
                self._waiting: set[str] = set()
                self._works: queue.SimpleQueue[tuple[str, Callable[[], None]]] = queue.SimpleQueue()
                threading.Thread(target=self._run, name="table-calls", daemon=True).start()
            if table not in self._waiting:
                self._waiting.add(table)
                self._works.put((table, work))

    def _run(self) -> None:
        while True:
            table, work = self._works.get()
            with self._lock:
                self._waiting.discard(table)
            work()


_voice = _Voice()
_caller = _Caller()


async def _send(group: str, message: dict[str, Any]) -> None:
    try:
        layer = get_channel_layer()
        await asyncio.wait_for(layer.group_send(group, message), LAYER_TIMEOUT)
    except (OSError, RedisError, TimeoutError) as error:
        name = group.replace(".", "=", 1)  # "table=..." or "person=..."
        logger.warning("hint lost: %s ply=%s error=%r", name, message.get("ply"), error)


def group_of(public_id: str) -> str:
    """The channel layer's group of everybody who looks at a table."""
    return f"table.{public_id}"


def hint(public_id: str, ply: int, *, automatic: bool = False) -> None:
    """After the commit: tell the sockets of table ``public_id`` that it is at ``ply``.

    ``automatic``: a bot or a zombie is asked something, so a worker shall play for it soon.
    """
    transaction.on_commit(
        partial(_voice.say, group_of(public_id), {"type": "table.changed", "ply": ply})
    )
    if automatic:
        transaction.on_commit(partial(_nudge, public_id, ply))


def chat_hint(public_id: str, message: dict[str, Any]) -> None:
    """After the commit: hand a chat message, which everybody at the table may read, to the sockets."""
    transaction.on_commit(
        partial(_voice.say, group_of(public_id), {"type": "table.chat", "message": message})
    )


def tell(group: str, message: dict[str, Any]) -> None:
    """After the commit: hand ``message`` to the sockets of ``group``, of whatever part of the site."""
    transaction.on_commit(partial(_voice.say, group, message))


def session_hint(group: str, session: str | None = None) -> None:
    """After the commit: tell the sockets of a person, which make up ``group``, that the session of
    this digest has ended; None: all of them may have."""
    message = {"type": "session.ended", "session": session}
    transaction.on_commit(partial(_voice.say, group, message))


def call_adviser(public_id: str, ply: int, seat: int) -> None:
    """Let a worker search for what ``seat`` asked at ``ply`` (``services.find_hint``)."""
    _caller.call(f"{public_id} {seat}", partial(_call_adviser, public_id, ply, seat))


def _call_adviser(public_id: str, ply: int, seat: int) -> None:
    try:
        current_app.send_task("games.tasks.advise", (public_id, ply, seat), retry=False)
    except (OSError, OperationalError, RedisError) as error:
        logger.warning("advice lost: table=%s ply=%s error=%r", public_id, ply, error)
    except Exception:  # the thread goes on for the other tables
        logger.exception("advice lost: table=%s ply=%s", public_id, ply)


def _nudge(public_id: str, ply: int) -> None:
    _caller.call(public_id, partial(_call_worker, public_id, ply))


def _call_worker(public_id: str, ply: int) -> None:
    try:
        current_app.send_task(
            "games.tasks.play_due", (public_id,), countdown=settings.BOT_DELAY, retry=False
        )
    except (OSError, OperationalError, RedisError) as error:
        logger.warning("nudge lost: table=%s ply=%s error=%r", public_id, ply, error)
    except Exception:  # the thread goes on for the other tables
        logger.exception("nudge lost: table=%s ply=%s", public_id, ply)
