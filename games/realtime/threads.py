"""Where socket services run: a few threads of their own, whose database connections stay open.

``CONN_MAX_AGE`` is 0 for requests, each of which has its own thread; here a connection a move would
cost more than the move.
"""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import InterfaceError, OperationalError, connections

logger = logging.getLogger(__name__)

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="table-sockets")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work`` done on one of the sockets' threads."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, partial(_run, partial(work, *args, **kwargs)))


def _run(work: Callable[[], T]) -> T:
    """``work``, done again at once where it met a connection that had died since it was last used:
    all that sockets ask for may be asked for twice."""
    old = [one for one in connections.all(initialized_only=True) if one.connection is not None]
    try:
        return work()
    except (InterfaceError, OperationalError) as error:
        dead = [one for one in old if not one.is_usable()]  # Django may have closed it already
        if not dead:
            raise
        for one in dead:
            one.close()  # it opens again when it is next used
        logger.info("the database was away, asked again: %s", error)
        return work()
