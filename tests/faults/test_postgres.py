"""PostgreSQL shut down and started again under play: refusals in words, and then it goes on by itself."""

import asyncio
import os
import pwd
import shutil
import subprocess
import tempfile
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from email.message import Message
from pathlib import Path

import dj_database_url
import psycopg
import pytest
from django.conf import settings
from django.db.utils import load_backend
from psycopg_pool import ConnectionPool

from portal import postgres
from portal.management.commands import serve
from tests.faults.client import until
from tests.faults.test_kills import more_moves, playing
from tests.site import Site, free_port, wait_until

POSTGRES = "postgres"


def programs() -> Path | None:
    """The folder of PostgreSQL's programs, the newest; None where a server of one's own cannot be
    started (root may not run one, and needs a user who may)."""
    if os.getuid() == 0 and (not shutil.which("setpriv") or POSTGRES not in names_of_users()):
        return None
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    named = shutil.which("pg_ctl")
    return found[-1].parent if found else Path(named).parent if named else None


def names_of_users() -> set[str]:
    return {user.pw_name for user in pwd.getpwall()}


pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults of PostgreSQL"),
    pytest.mark.skipif(programs() is None, reason="no PostgreSQL to start here"),
    pytest.mark.skipif(
        "DATABASE_URL" in os.environ, reason="its server is its own: once is enough"
    ),
]


class Cluster:
    """A PostgreSQL server of one's own, on this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder / "data", free_port()
        self.as_user: list[str] = []
        if os.getuid() == 0:
            self.as_user = [
                "setpriv",
                f"--reuid={POSTGRES}",
                f"--regid={POSTGRES}",
                "--clear-groups",
            ]
            shutil.chown(folder, POSTGRES, POSTGRES)
        self.url = f"postgres://{POSTGRES}@127.0.0.1:{self.port}/postgres"
        self._run("initdb", "-D", self.folder, "-A", "trust", "-U", POSTGRES, "--no-sync")
        self.start()

    def start(self) -> None:
        options = f"-p {self.port} -h 127.0.0.1 -k {self.folder} -F"
        self._run(
            "pg_ctl", "-D", self.folder, "-w", "-l", self.folder / "log", "-o", options, "start"
        )

    def stop(self, mode: str = "immediate") -> None:
        self._run("pg_ctl", "-D", self.folder, "-w", "-m", mode, "stop")

    def _run(self, program: str, *arguments: object) -> None:
        folder = programs()
        assert folder is not None
        command = [*self.as_user, str(folder / program), *map(str, arguments)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd="/")


@pytest.fixture(scope="session")
def cluster() -> Iterator[Cluster]:
    with tempfile.TemporaryDirectory(prefix="parlour-cluster-") as folder:  # pytest's are root's
        running = Cluster(Path(folder))
        yield running
        if (running.folder / "postmaster.pid").exists():
            running.stop()


@pytest.fixture(scope="session")
def fault_site(tmp_path_factory: pytest.TempPathFactory, cluster: Cluster) -> Iterator[Site]:
    """A site on that server (instead of the other tests' site)."""
    with Site(tmp_path_factory.mktemp("postgres"), DATABASE_URL=cluster.url) as running:
        yield running


async def test_a_database_that_is_restarted_loses_nothing_and_needs_no_reload(
    fault_site, cluster, seat, ledger
):
    players = seat("Ada", "Bob").players(fault_site.url, ledger)
    players += seat("Cy", bots=1).players(fault_site.url, ledger)
    async with playing(players):
        await more_moves(ledger, 8)
        lines = ledger.lines
        await asyncio.to_thread(cluster.stop)
        await until(lambda: ledger.codes["unavailable"], "a refusal", 30)
        status, headers, text = await asyncio.to_thread(page, f"{fault_site.url}/")
        assert (status, headers["Retry-After"]) == (503, "5")
        assert "cannot reach its tables just now" in text
        assert await asyncio.to_thread(fault_site.health) == 503
        await asyncio.to_thread(cluster.start)
        await more_moves(ledger, 8)
        assert ledger.lines <= lines + ledger.codes["unavailable"]  # those came again by themselves
        await until(lambda: fault_site.health() == 200, "all parts", 60)
        await asyncio.to_thread(cluster.stop, "fast")
        await asyncio.to_thread(cluster.start)
        await more_moves(ledger, 8)
    status, _, _ = await asyncio.to_thread(page, f"{fault_site.url}/")
    assert status == 200


def test_connections_that_died_are_not_tried_one_after_the_other(cluster, monkeypatch):
    monkeypatch.setattr(ConnectionPool, "check_connection", postgres.check_alone)  # comes back
    postgres.register()
    wrapper = load_backend(settings.POSTGRESQL).DatabaseWrapper(
        dj_database_url.parse(cluster.url)
        | {"OPTIONS": {"pool": {"max_size": 8}}, "CONN_HEALTH_CHECKS": True, "TIME_ZONE": None},
        "short-lived",
    )
    with wrapper.pool as pool:
        for held in [pool.getconn() for _ in range(8)]:
            pool.putconn(held)
        with psycopg.connect(cluster.url, autocommit=True) as other:
            other.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ANY(%s)",
                [[held.info.backend_pid for held in pool._pool]],
            )
        for _ in range(3):
            with pool.connection() as found:
                assert found.execute("SELECT 1").fetchone() == (1,)
        assert pool.get_stats()["connections_lost"] == 1


def test_machines_that_start_together_bring_the_database_up_to_date_one_by_one(
    cluster, monkeypatch, django_db_blocker
):
    monkeypatch.setitem(settings.DATABASES, "default", dj_database_url.parse(cluster.url))
    opened = closing(serve.own_connection()), closing(serve.own_connection())
    with django_db_blocker.unblock(), opened[0] as one, opened[1] as other:
        assert serve.is_first(one)
        assert not serve.is_first(other)
        one.close()
        wait_until(lambda: serve.is_first(other), "the server to see that the first one left")


def page(url: str) -> tuple[int, Message, str]:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status, answer.headers, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.headers, error.read().decode()
