"""``GET /healthz``: does the database answer, does Redis, does a worker live."""

import logging
from datetime import datetime
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.http import HttpRequest, JsonResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from portal.valkey import patience

logger = logging.getLogger(__name__)

HEARTBEAT = "parlour:worker-heartbeat"  # in Redis: when a worker last ran the task, ISO 8601, UTC
ANSWER_SECONDS = 1.0  # how long Redis may take to answer
HEARTBEAT_LIMIT = 30.0  # seconds; the task comes every five


def beat_heart(now: datetime) -> None:
    with redis_client() as client:
        client.set(HEARTBEAT, now.isoformat())


def redis_client() -> redis.Redis:
    url = settings.REDIS_URL
    return redis.from_url(url, decode_responses=True, **patience(url, ANSWER_SECONDS))


def health() -> dict[str, Any]:
    """What ``/healthz`` says; ``ok`` is False as soon as one part is down."""
    parts: dict[str, Any] = {"database": database_answers()}
    try:
        with redis_client() as client:
            heard = client.get(HEARTBEAT)
        parts["redis"] = True
    except redis.RedisError as error:
        logger.warning("healthz: Redis does not answer: %s", error)
        heard = None
        parts["redis"] = False
    age = (timezone.now() - datetime.fromisoformat(heard)).total_seconds() if heard else None
    parts["worker"] = age is not None and abs(age) < HEARTBEAT_LIMIT
    return {
        "ok": all(parts.values()),
        **{name: "ok" if up else "down" for name, up in parts.items()},
        "worker_heartbeat": heard,
        "worker_heartbeat_age": None if age is None else round(age, 1),
    }


def database_answers() -> bool:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
            return cursor.fetchone() == (1,)
    except DatabaseError as error:
        logger.warning("healthz: the database does not answer: %s", error)
        return False


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    found = health()
    answer = JsonResponse(found, status=200 if found["ok"] else 503)
    answer._has_been_logged = True  # it is what was asked for, and asked for often
    return answer
