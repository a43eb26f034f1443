"""Doing again what the database took back because two did it at once: they waited for each other, or
took the same name."""

import logging
from collections.abc import Callable
from typing import TypeVar

from django.db import IntegrityError, OperationalError, connection

logger = logging.getLogger(__name__)

TIMES = 4
# Codes of PostgreSQL: a deadlock, one that cannot be put in order, a name that was taken just now.
# SQLite has one writer at a time.
AT_ONCE = {"40P01", "40001", "23505"}
T = TypeVar("T")


def again(work: Callable[[], T]) -> T:
    """What ``work`` answers, which is a whole transaction, or several, and changes nothing else. It is
    called again where the database had to take it back for the sake of others."""
    for time in range(1, TIMES + 1):
        try:
            return work()
        except (OperationalError, IntegrityError) as error:
            code = getattr(error.__cause__, "sqlstate", None)
            if code not in AT_ONCE or time == TIMES or connection.in_atomic_block:
                raise
            logger.info("taken back by the database, done again: code=%s time=%s", code, time)
    raise AssertionError
