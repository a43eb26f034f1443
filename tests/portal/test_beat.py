"""Of all beats that share a Redis, one sends."""

import time
from datetime import timedelta

import pytest
import redis
from django.conf import settings

from portal.beat import LOCK, OTHER_HOLDS_SECONDS, OneBeat
from portal.celery import app
from portal.valkey import patience

pytestmark = pytest.mark.stores


@pytest.fixture
def beats(monkeypatch):
    client = redis.from_url(settings.REDIS_URL)
    client.delete(LOCK)
    sent = []
    monkeypatch.setattr(
        OneBeat, "apply_entry", lambda self, entry, producer=None: sent.append(self)
    )
    schedule = {"now": {"task": "portal.tasks.heartbeat", "schedule": 0.001}}
    usual, app.conf.beat_schedule = app.conf.beat_schedule, schedule
    first, second = OneBeat(app), OneBeat(app)
    yield first, second, sent
    app.conf.beat_schedule = usual
    client.delete(LOCK)


def tick(beat: OneBeat, times: int = 20) -> float:
    """Ticks with at least a millisecond between them: so often something is due."""
    for _ in range(times):
        waits = beat.tick()
        time.sleep(0.002)
    return waits


def test_the_second_beat_waits_and_takes_over_when_the_first_ends(beats):
    first, second, sent = beats
    tick(first)
    assert tick(second) == OTHER_HOLDS_SECONDS
    assert set(sent) == {first}
    first.close()
    tick(second)
    assert set(sent) == {first, second}
    assert tick(first) == OTHER_HOLDS_SECONDS


def test_a_beat_whose_lock_ran_out_stops_sending(beats):
    first, second, sent = beats
    tick(first)
    first.redis.delete(LOCK)  # as if it had slept too long
    tick(second)
    first.renewed = float("-inf")
    before = len([beat for beat in sent if beat is first])
    assert tick(first) == OTHER_HOLDS_SECONDS
    assert len([beat for beat in sent if beat is first]) == before


def test_without_redis_a_beat_waits_and_says_so_once(beats, tmp_path, caplog):
    first, _, sent = beats
    none = f"unix://{tmp_path}/none.sock"
    there, first.redis = first.redis, redis.from_url(none, **patience(none, 1.0))
    assert tick(first, 3) == OTHER_HOLDS_SECONDS
    assert sent == []
    assert caplog.text.count("beat waits for Redis") == 1
    first.redis = there
    tick(first)
    assert first in sent


def test_a_beat_sends_on_when_the_clock_is_set_back(beats):
    first, _, sent = beats
    tick(first)
    first.looked += 3600  # as if it had been an hour later until now
    for entry in first.schedule.values():
        entry.last_run_at += timedelta(hours=1)
    first._heap = None
    before = len(sent)
    tick(first)
    assert len(sent) > before


def test_a_beat_outlives_a_redis_that_is_silent(beats, monkeypatch):
    first, _, sent = beats

    def silent(*arguments):
        raise redis.TimeoutError("Timeout reading from socket")

    monkeypatch.setattr(first.redis, "eval", silent)
    assert first.tick() == OTHER_HOLDS_SECONDS
    first.close()
    assert sent == []
