"""A site that is shot at: shared by the tests of faults, which leave it running and whole."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.faults.client import Ledger, Seated
from tests.faults.valkey import Valkey
from tests.site import ROOT, Site


@pytest.fixture(scope="session")
def fault_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with Site(tmp_path_factory.mktemp("faults")) as running:
        yield running


@pytest.fixture(scope="session")
def valkey(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Valkey]:
    running = Valkey(tmp_path_factory.mktemp("valkey"))
    yield running
    running.kill()


@pytest.fixture(scope="session")
def poor_site(tmp_path_factory: pytest.TempPathFactory, valkey: Valkey) -> Iterator[Site]:
    """A site on a Valkey, and where one may mount on a small disk, that tests take away from it."""
    folder = tmp_path_factory.mktemp("poor")
    small = ["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", str(folder)]
    mounted = shutil.which("mount") and subprocess.run(small, capture_output=True).returncode == 0
    try:
        with Site(folder, REDIS_URL=valkey.url) as running:
            yield running
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)


@pytest.fixture(scope="module")
def inside(fault_site: Site) -> Iterator[Callable[..., Any]]:
    """One of the works of ``tests.faults.tables``, done by the settings of the site."""
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.faults.tables"],
        cwd=ROOT,
        env=fault_site.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdin is not None
    assert process.stdout is not None

    def work(name: str, **given: Any) -> Any:
        print(json.dumps([name, given]), file=process.stdin, flush=True)
        return json.loads(process.stdout.readline())

    yield work
    process.stdin.close()
    process.wait()


@pytest.fixture
def seat(inside: Callable[..., Any]) -> Callable[..., Seated]:
    """Opens a table for people of these names, which begins."""

    def opened(*names: str, game: str = "nibble", **how: Any) -> Seated:
        return Seated.of(inside("open_table", names=names, game=game, pace="none", **how))

    return opened


@pytest.fixture
def ledger(inside: Callable[..., Any]) -> Iterator[Ledger]:
    """What the players of a test were told; afterwards the logs must hold all of it, once."""
    kept = Ledger()
    yield kept
    assert inside("audit", **kept.data()) == {"lost": [], "twice": [], "ghosts": [], "broken": []}
    assert kept.changed == []
