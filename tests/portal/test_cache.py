"""The cache serves also while Redis is away, from memory."""

import logging
import time

import pytest
from django.core.cache import caches

from portal.cache import PatientCache
from portal.valkey import patience

pytestmark = pytest.mark.stores


@pytest.fixture
def away(settings, tmp_path, monkeypatch):
    """A cache whose Redis is not there."""
    monkeypatch.setattr(PatientCache, "away_until", 0.0)
    url = f"unix://{tmp_path}/none.sock"
    backend = "portal.cache.PatientCache"
    settings.CACHES = {
        "default": {"BACKEND": backend, "LOCATION": url, "OPTIONS": patience(url, 1.0)}
    }
    yield caches["default"]
    caches["default"].memory.clear()


def test_what_is_kept_while_redis_is_away_is_found(away, caplog):
    with caplog.at_level(logging.WARNING):
        assert away.add("lock", True, timeout=10)
        assert not away.add("lock", True, timeout=10)
        away.set("tries", [1, 2])
        assert away.get("tries") == [1, 2]
        away.delete("lock")
        assert away.add("lock", True)
    told = [record for record in caplog.records if "memory serves" in record.message]
    assert len(told) == 1  # for five seconds nobody asks again


def test_redis_is_asked_again(away, settings, monkeypatch):
    away.set("here", "memory")
    monkeypatch.setattr(PatientCache, "away_until", time.monotonic() - 1)
    url = settings.REDIS_URL
    settings.CACHES = {
        "default": {
            "BACKEND": "portal.cache.PatientCache",
            "LOCATION": url,
            "OPTIONS": patience(url, 1.0),
        }
    }
    assert caches["default"].get("here") is None
    caches["default"].set("here", "Redis", timeout=5)
    assert caches["default"].get("here") == "Redis"
