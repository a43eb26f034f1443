"""Celery's beat, made safe to start more than once: only the holder of a lock sends."""

import logging
import secrets
import time
from typing import Any

import redis
from celery.beat import Scheduler
from django.conf import settings

from portal.valkey import patience

logger = logging.getLogger(__name__)

LOCK = "parlour:beat"
LOCK_SECONDS = 5  # so long after a crash another beat takes over
RENEW_SECONDS = 1
ANSWER_SECONDS = 2.0  # how long Redis may take to answer
OTHER_HOLDS_SECONDS = 1.0  # how long one that does not hold the lock waits before it asks again

SET_BACK_SECONDS = 2.0  # less is how clocks are kept right

RENEW = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('pexpire', KEYS[1], ARGV[2])"
RELEASE = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])"


class OneBeat(Scheduler):
    """Of all beats that share a Redis, the one that sends. The others wait to take over."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.redis = redis.from_url(
            settings.REDIS_URL, **patience(settings.REDIS_URL, ANSWER_SECONDS)
        )
        self.token = secrets.token_hex(16)
        self.renewed = float("-inf")  # monotonic time
        self.looked = time.time()
        self.told = False  # whether the log has that Redis is away
        super().__init__(*args, **kwargs)

    def setup_schedule(self) -> None:
        self.install_default_entries(self.data)
        self.merge_inplace(self.app.conf.beat_schedule)

    def tick(self, *args: Any, **kwargs: Any) -> float:
        """Send what is due; returns the seconds until the next look."""
        try:
            mine = self.holds_lock()
        except redis.RedisError as error:
            if not self.told:
                logger.warning("beat waits for Redis: %s", error)
            self.told = True
            return OTHER_HOLDS_SECONDS
        self.told = False
        if not mine:
            return OTHER_HOLDS_SECONDS
        self.follow_the_clock()
        return float(super().tick(*args, **kwargs))

    def follow_the_clock(self) -> None:
        """Where the clock was set back, count anew from now: nothing would be due until it is as
        late again."""
        before, self.looked = self.looked, time.time()
        if self.looked < before - SET_BACK_SECONDS:
            logger.warning("clock was set back: by=%.0f s", before - self.looked)
            for entry in self.schedule.values():
                entry.last_run_at = entry.default_now()
            self._heap = None

    def holds_lock(self) -> bool:
        now = time.monotonic()
        if now - self.renewed < RENEW_SECONDS:
            return True
        milliseconds = LOCK_SECONDS * 1000
        if self.redis.eval(RENEW, 1, LOCK, self.token, milliseconds) or self.redis.set(
            LOCK, self.token, nx=True, px=milliseconds
        ):
            self.renewed = now
            return True
        self.renewed = float("-inf")
        return False

    def close(self) -> None:
        super().close()
        self.renewed = float("-inf")
        try:
            self.redis.eval(RELEASE, 1, LOCK, self.token)
        except redis.RedisError:
            logger.info("beat ends without Redis; its lock runs out in %s s", LOCK_SECONDS)
