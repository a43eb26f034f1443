"""The channel layer over Redis, made to outlive it.

``channels_redis`` raises where Redis is away, and waits where it is silent; a socket that opens in that
time would fail, one that is open would hang. Here nobody waits for longer than ``PATIENCE``. What a process
wants to hear is kept; one task holds the connection on which it is told, notices by itself when nobody
answers, and subscribes anew when Redis is back. What was published meanwhile is lost, and the
lookout finds what it told.
"""

import asyncio
import logging
from contextlib import suppress
from typing import Any

from channels_redis.pubsub import (
    RedisPubSubChannelLayer,
    RedisPubSubLoopLayer,
    RedisSingleShardConnection,
)
from channels_redis.utils import _wrap_close, decode_hosts
from redis import asyncio as aioredis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PATIENCE = 2.0  # seconds for any answer; of silence before Redis is asked whether it lives
PAUSE = 1.0  # seconds between two tries while it is away
AWAY = (OSError, RedisError, TimeoutError)  # what is raised while Redis is away


class PatientLayer(RedisPubSubChannelLayer):
    """``CHANNEL_LAYERS["default"]``: one connection to publish and one to listen for each event loop.

    ``send`` and ``group_send`` raise one of ``AWAY`` when the message is lost; the rest never does.
    """

    def _get_layer(self) -> RedisPubSubLoopLayer:
        loop = asyncio.get_running_loop()
        if loop not in self._layers:
            layer = RedisPubSubLoopLayer(*self._args, **self._kwargs, channel_layer=self)
            layer._shards = [
                PatientLine(host, layer) for host in decode_hosts(self._kwargs["hosts"])
            ]
            self._layers[loop] = layer
            _wrap_close(self, loop)
        return self._layers[loop]


class PatientLine(RedisSingleShardConnection):
    """The line to one Redis. Waits end by ``asyncio.timeout``: ``wait_for`` may swallow that its task is
    cancelled (Python 3.11), and then a socket that is gone would go on saying that somebody is here."""

    def __init__(self, host: dict[str, Any], layer: RedisPubSubLoopLayer) -> None:
        super().__init__(host, layer)
        self.wanted: set[str] = set()  # channels somebody here listens to
        self.up = False  # whether the listening connection stands
        self.tried = asyncio.Event()  # whether it has been tried once
        self.away_until = 0.0  # time of the loop before which publishing is not tried again
        self.publishing = asyncio.Lock()
        self.client: aioredis.Redis | None = None
        self.pubsub: Any = None
        self.listener: asyncio.Task[None] | None = None

    async def publish(self, channel: str, message: bytes) -> None:
        """Raises one of ``AWAY``, at once where that was found out just now."""
        loop = asyncio.get_running_loop()
        async with self.publishing:
            listener_knows = self.tried.is_set() and not self.up
            if listener_knows or loop.time() < self.away_until:
                raise ConnectionError("Redis is away.")
            try:
                async with asyncio.timeout(PATIENCE):
                    await self._redis_client().publish(channel, message)
            except AWAY:
                self.away_until = loop.time() + PAUSE
                raise

    async def subscribe(self, channel: str) -> None:
        self.wanted.add(channel)
        if self.listener is None or self.listener.done():
            self.listener = asyncio.create_task(self._listen())
        if self.up:
            await self._tell(self.pubsub.subscribe, channel)
        else:
            with suppress(TimeoutError):  # the listener subscribes when it can
                async with asyncio.timeout(PATIENCE):
                    await self.tried.wait()

    async def unsubscribe(self, channel: str) -> None:
        self.wanted.discard(channel)
        if self.up:
            await self._tell(self.pubsub.unsubscribe, channel)

    async def flush(self) -> None:
        if self.listener is not None:
            self.listener.cancel()
            with suppress(asyncio.CancelledError):
                await self.listener
        if self.client is not None:
            await self.client.aclose(close_connection_pool=True)
        self.client = self.listener = None
        self.wanted.clear()

    def _redis_client(self) -> aioredis.Redis:
        if self.client is None:
            options = {k: v for k, v in self.host.items() if k != "address"}
            self.client = aioredis.Redis.from_url(
                self.host["address"],
                **options,
                socket_timeout=PATIENCE,
                socket_connect_timeout=PATIENCE,
                retry=Retry(NoBackoff(), 0),
            )
        return self.client

    async def _tell(self, order: Any, channel: str) -> None:
        """Subscribe or unsubscribe; a line that is found broken here the listener finds broken too."""
        try:
            async with asyncio.timeout(PATIENCE):
                await order(channel)
        except AWAY as error:
            logger.info("subscription waits: channel=%s error=%r", channel, error)
            self.up = False

    async def _listen(self) -> None:
        told = False  # whether the log has that Redis is away
        while True:
            try:
                await self._connect()
                if told:
                    logger.warning("Redis is back: hints arrive again")
                    told = False
                await self._receive()
            except AWAY as error:
                if not told:
                    logger.warning("Redis is away, hints are lost until it is back: %r", error)
                    told = True
            except Exception:
                logger.exception("the line to Redis broke, it is opened again")
            finally:
                self.up = False
                self.tried.set()
                if self.pubsub is not None:
                    await self.pubsub.aclose()
                    self.pubsub = None
            await asyncio.sleep(PAUSE)

    async def _connect(self) -> None:
        self.pubsub = self._redis_client().pubsub()
        names = sorted(self.wanted)
        async with asyncio.timeout(PATIENCE):
            await self.pubsub.connect()
            if names:
                await self.pubsub.subscribe(*names)
            self.up = True
            if more := sorted(self.wanted.difference(names)):  # wanted while that was under way
                await self.pubsub.subscribe(*more)
        self.tried.set()

    async def _receive(self) -> None:
        """Hand on what arrives. Raises one of ``AWAY`` when the line is broken or nobody answers."""
        asked = False  # whether a question waits for its answer
        while self.up:
            message = await self.pubsub.get_message(timeout=PATIENCE)
            if message is None and asked:
                raise TimeoutError("no answer")
            if message is None:
                async with asyncio.timeout(PATIENCE):
                    await self.pubsub.ping()
            elif message["type"] == "message":
                self._receive_message(message)
            asked = message is None
        raise ConnectionError("a subscription failed")
