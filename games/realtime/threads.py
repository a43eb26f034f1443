"""Where socket services run: a few threads of their own, whose database connections stay open.

On PostgreSQL pages give their connection back to the pool after each request (``CONN_MAX_AGE`` is 0); here
a connection a move would cost more than the move.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connections

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
AWAY_SECONDS = (
    1.0  # in which a database that did not answer is not asked by threads without a connection
)
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="table-sockets")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work`` done on one of the sockets' threads."""
    loop = asyncio.get_running_loop()
    told = copy_context().run  # who reads
    return await loop.run_in_executor(_pool, told, _run, partial(work, *args, **kwargs))


class _Absence:
    """A database that was not there a moment ago is not waited for again by everybody in turn."""

    until = 0.0  # monotonic time


def _run(work: Callable[[], T]) -> T:
    """``work``, done again at once where it met a connection that had died since it was last used:
    all that sockets ask for may be asked for twice."""
    old = [one for one in connections.all(initialized_only=True) if one.connection is not None]
    if not old and time.monotonic() < _Absence.until:
        raise OperationalError("The database was away a moment ago.")
    try:
        return work()
    except (InterfaceError, OperationalError) as error:
        dead = [one for one in old if not one.is_usable()]  # Django may have closed it already
        if dead:
            logger.info("the database was away, asked again: %s", error)
            for one in dead:
                one.close()  # it opens again when it is next used
            return _run(work)
        if not old:
            _Absence.until = time.monotonic() + AWAY_SECONDS
        raise
