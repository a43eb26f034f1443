"""Where socket services run: a few threads of their own, whose database connections stay open.

``CONN_MAX_AGE`` is 0 for requests, each of which has its own thread; here a connection a move would
cost more than the move.
"""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import ParamSpec, TypeVar

from django.db import connections

P = ParamSpec("P")
T = TypeVar("T")

THREADS = 4
_pool = ThreadPoolExecutor(THREADS, thread_name_prefix="table-sockets")


async def in_thread(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """``work`` done on one of the sockets' threads."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_pool, partial(_run, partial(work, *args, **kwargs)))


def _run(work: Callable[[], T]) -> T:
    for connection in connections.all(initialized_only=True):
        if connection.errors_occurred and not connection.in_atomic_block:
            if not connection.is_usable():
                connection.close()  # it opens again when it is next used
            connection.errors_occurred = False
    return work()
