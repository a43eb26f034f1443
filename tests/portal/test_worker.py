"""A worker outlives its broker."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
import redis
from django.conf import settings

from portal.valkey import valkey_answers, valkey_command

ROOT = Path(__file__).parents[2]
PATIENCE = 40  # seconds, on a busy machine


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end
        time.sleep(0.1)


def start_valkey(folder: Path) -> subprocess.Popen[bytes]:
    found = subprocess.Popen(valkey_command(socket=folder / "v.sock", data_dir=folder))
    until(lambda: valkey_answers(folder / "v.sock"))
    return found


def send(url: str, countdown: int) -> None:
    """Ask the worker behind ``url`` to look after a table that does not exist."""
    code = (
        "import django; django.setup(); from games.tasks import play_due; "
        f"play_due.apply_async(('NONE',), countdown={countdown})"
    )
    env = os.environ | {"REDIS_URL": url, "DJANGO_SETTINGS_MODULE": "portal.settings"}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True)


@pytest.mark.waits
def test_a_worker_with_work_in_hand_outlives_a_broker_that_is_killed(tmp_path: Path) -> None:
    url = f"unix://{tmp_path / 'v.sock'}"
    valkey = start_valkey(tmp_path)
    command = [
        "-m",
        "celery",
        "--quiet",
        "-A",
        "portal",
        "worker",
        "--pool",
        "solo",
        "--loglevel",
        "WARNING",
    ]
    env = os.environ | {
        "REDIS_URL": url,
        "DJANGO_SETTINGS_MODULE": "portal.settings",
        "PARLOUR_DATA": str(tmp_path),
    }
    with (tmp_path / "worker.log").open("w") as log:
        worker = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=env, stdout=log, stderr=log
        )
    client = redis.Redis(unix_socket_path=str(tmp_path / "v.sock"))
    queue = settings.CELERY_TASK_DEFAULT_QUEUE
    try:
        send(url, countdown=600)
        until(lambda: bool(client.hlen("unacked")) and not client.llen(queue))
        valkey.kill()
        valkey.wait()
        until(lambda: "broker" in (tmp_path / "worker.log").read_text())
        time.sleep(1)
        valkey = start_valkey(tmp_path)
        client.flushall()
        send(url, countdown=0)
        until(lambda: not client.llen(queue))
        assert worker.poll() is None
    finally:
        for process in (worker, valkey):
            process.send_signal(signal.SIGKILL)
            process.wait()
