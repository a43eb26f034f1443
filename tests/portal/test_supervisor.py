"""Children that end by themselves are started again, and all end in the end."""

import signal
import sys
import threading

import pytest

from portal import supervisor
from portal.supervisor import Child, Supervisor
from tests.site import wait_until

SLEEP = [sys.executable, "-c", "import time; time.sleep(60)"]


@pytest.fixture
def kept():
    """A supervisor that keeps one sleeping child, on a thread."""
    said: list[str] = []
    keeper = Supervisor(env={}, tell=said.append)
    keeper.said = said
    keeper.start("sleeper", SLEEP)
    thread = threading.Thread(target=keeper.keep)
    thread.start()
    yield keeper
    keeper.told_to_stop.set()
    thread.join()
    keeper.stop(["sleeper"])


def test_a_child_that_is_killed_starts_again(kept):
    first = kept.children["sleeper"].process
    first.kill()
    wait_until(lambda: kept.children["sleeper"].process not in (None, first), "another start")
    assert kept.said == ["The sleeper ended by itself (signal SIGKILL); it starts again at once."]
    assert kept.children["sleeper"].process.poll() is None


def test_all_children_end_on_stop(kept):
    process = kept.children["sleeper"].process
    kept.told_to_stop.set()
    kept.stop(["sleeper"])
    assert process.poll() is not None
    assert kept.children == {}


@pytest.mark.parametrize(
    ("end", "waits"),
    [("pass", [0, 1, 2, 4, 8, 16, 30, 30]), ("os.kill(os.getpid(), 9)", [0, 1, 1, 1])],
)
def test_one_that_ends_each_time_waits_longer_each_time(monkeypatch, end, waits):
    moment = 100.0
    monkeypatch.setattr(supervisor.time, "monotonic", lambda: moment)
    child = Child([sys.executable, "-c", f"import os; {end}"], {}, (), signal.SIGTERM)
    for wait in waits:
        child.start()
        child.process.wait()
        assert child.bury() == wait
        moment = child.due
    child.start()
    child.process.wait()
    moment += supervisor.STEADY_SECONDS
    assert child.bury() == 0
