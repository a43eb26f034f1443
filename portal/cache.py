"""The cache: in Redis, and as long as that is away in the memory of each process."""

import logging
import time
from collections.abc import Callable
from typing import Any

from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

AWAY_SECONDS = 5.0  # before Redis is asked again


def _patient(name: str) -> Callable[..., Any]:
    def method(self: "PatientCache", *args: Any, **kwargs: Any) -> Any:
        if time.monotonic() >= PatientCache.away_until:
            try:
                return getattr(RedisCache, name)(self, *args, **kwargs)
            except (OSError, RedisError) as error:
                PatientCache.away_until = time.monotonic() + AWAY_SECONDS
                logger.warning("cache: Redis is away, memory serves: %r", error)
        return getattr(self.memory, name)(*args, **kwargs)

    return method


class PatientCache(RedisCache):
    """What is kept here (how often somebody tried to log in) may be forgotten, but must neither fail
    a page nor hold it up. While Redis is away each process counts by itself."""

    away_until = 0.0  # monotonic time; for all threads, as each request has a cache of its own

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(server, params)
        self.memory = LocMemCache("while-redis-is-away", params)

    add = _patient("add")
    clear = _patient("clear")
    delete = _patient("delete")
    delete_many = _patient("delete_many")
    get = _patient("get")
    get_many = _patient("get_many")
    has_key = _patient("has_key")
    incr = _patient("incr")
    set = _patient("set")
    set_many = _patient("set_many")
    touch = _patient("touch")
