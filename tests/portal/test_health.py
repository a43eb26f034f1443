"""``/healthz`` says which part is down, and 503 as soon as one is."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from portal import health, tasks

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_heartbeat_yet():
    with health.redis_client() as client:
        client.delete(health.HEARTBEAT)
    yield
    with health.redis_client() as client:
        client.delete(health.HEARTBEAT)


def test_all_is_well_after_a_heartbeat(client):
    tasks.heartbeat()
    tasks.heartbeat()  # twice does no harm
    response = client.get("/healthz")
    assert response.status_code == 200
    found = response.json()
    assert (found["ok"], found["database"], found["redis"], found["worker"]) == (
        True,
        "ok",
        "ok",
        "ok",
    )
    assert 0 <= found["worker_heartbeat_age"] < 10
    assert "no-store" in response["Cache-Control"]


@pytest.mark.parametrize("age", [None, 45])
def test_a_worker_not_heard_of_is_down(client, age):
    if age:
        health.beat_heart(timezone.now() - timedelta(seconds=age))
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["worker"] == "down"
    assert response.json()["database"] == response.json()["redis"] == "ok"


def test_redis_that_does_not_answer_is_told(client, settings, tmp_path):
    settings.REDIS_URL = f"unix://{tmp_path}/none.sock"
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["redis"] == response.json()["worker"] == "down"
    assert response.json()["database"] == "ok"


def test_a_database_that_does_not_answer_is_told(client, monkeypatch):
    class Gone:
        def cursor(self):
            raise OperationalError("gone")

    tasks.heartbeat()
    monkeypatch.setattr(health, "connection", Gone())
    response = client.get("/healthz")
    assert response.status_code == 503
    assert response.json()["database"] == "down"
    assert response.json()["redis"] == "ok"


def test_only_reading_is_allowed(client):
    assert client.post("/healthz").status_code == 405
