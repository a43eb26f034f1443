"""Databases of one Redis, shared out among the processes and sites of a test run.

Two sites in one database would do each other's tasks and count each other's heartbeats; and emptying a
cache empties a whole database. So each takes a numbered one of its own. Who has which stands in database 0,
for a while only, so that a run that was killed gives back what it took.
"""

import os
import secrets
from typing import Self
from urllib.parse import urlsplit, urlunsplit

import redis

SERVER = "PARLOUR_TEST_REDIS"  # the URL as it was given, kept for those who take another one
HOLDER = "PARLOUR_TEST_REDIS_HOLDER"  # the test process whose database ``REDIS_URL`` is now
NUMBERS = range(1, 16)
SECONDS = 1200
RELEASE = "return redis.call('get', KEYS[1]) == ARGV[1] and redis.call('del', KEYS[1])"


class OwnRedis:
    """A database of the Redis at ``server``; ``url`` is its own."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.token = secrets.token_hex(8)
        self.register = redis.from_url(with_number(server, 0))
        for number in NUMBERS:
            self.key = f"parlour-test-database-{number}"
            if self.register.set(self.key, self.token, nx=True, ex=SECONDS):
                self.url = with_number(server, number)
                self.empty()
                return
        raise AssertionError("All numbered databases of the tests' Redis are taken.")

    @classmethod
    def from_environment(cls) -> Self | None:
        """One of the Redis that the tests were given; None where they have an embedded Valkey."""
        server = os.environ.get(SERVER) or os.environ.get("REDIS_URL", "")
        if not server.startswith(("redis://", "rediss://")):
            return None
        os.environ[SERVER] = server
        return cls(server)

    @classmethod
    def for_this_process(cls) -> Self | None:
        """One for a process of the tests, put into ``REDIS_URL``; None for its children, which share
        it, and where there is no Redis to share out."""
        me = os.environ.get("PYTEST_XDIST_WORKER", "main")
        if os.environ.get(HOLDER) == me or not (own := cls.from_environment()):
            return None
        os.environ[HOLDER], os.environ["REDIS_URL"] = me, own.url
        return own

    def empty(self) -> None:
        with redis.from_url(self.url) as client:
            client.flushdb()

    def give_back(self) -> None:
        self.empty()
        self.register.eval(RELEASE, 1, self.key, self.token)
        self.register.close()


def with_number(url: str, number: int) -> str:
    parts = urlsplit(url)
    return urlunsplit(parts._replace(path=f"/{number}"))
