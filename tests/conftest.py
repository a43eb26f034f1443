"""What all tests share: an embedded Valkey, and for browser tests a whole site and Chromium."""

import gc
import os
import random
import shutil
import subprocess
from collections.abc import Generator, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
import pytest_django
from django.conf import settings
from django.core.management.commands import flush
from hypothesis import HealthCheck
from hypothesis import settings as hypothesis_settings

from portal.valkey import valkey_answers, valkey_command
from tests.chromium import ARGUMENTS, Contexts, find_chromium
from tests.site import Site, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

# How fast an example is made or run says only what else the machine does.
BUILD = bool(os.environ.get("CI"))
# A build looks at the same examples each time; elsewhere each run looks at others.
hypothesis_settings.register_profile(
    "parlour",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
    derandomize=BUILD,
)
hypothesis_settings.load_profile("parlour")

WAITING = ("faults", "portal")  # the folders of tests that wait, as script/test knows them
WHOLE = {"site", "fault_site", "chromium_browser"}  # fixtures of processes beside the test's own
LONGEST_NAME = 60  # characters of a parameter in the name of a test
VALKEY = pytest.StashKey[subprocess.Popen]()


def pytest_configure(config: pytest.Config) -> None:
    """Each process of the tests has its own Valkey, in its own data folder."""
    if os.environ.get("REDIS_URL"):
        return
    command = valkey_command(socket=settings.VALKEY_SOCKET, data_dir=settings.DATA_DIR)
    config.stash[VALKEY] = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    wait_until(lambda: valkey_answers(settings.VALKEY_SOCKET), "the Valkey of the tests")


def pytest_unconfigure(config: pytest.Config) -> None:
    if VALKEY in config.stash:
        config.stash[VALKEY].kill()
        config.stash[VALKEY].wait()
    if settings.OWN_REDIS:
        settings.OWN_REDIS.give_back()
    shutil.rmtree(settings.DATA_DIR, ignore_errors=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--stores-only",
        action="store_true",
        help="only tests that touch database or Redis: the others need not run on another one too",
    )


def pytest_make_parametrize_id(val: object) -> str | None:
    """Long texts name a test by their beginning: names go from process to process many times."""
    if isinstance(val, str | bytes) and len(val) > LONGEST_NAME:
        return f"{val[:LONGEST_NAME]!r} and so on, {len(val)} in all"
    return None


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None]:
    """What is there when all tests are found stays to the end, and the collector of garbage need
    not look at it again and again."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Tests of a module that need the whole site run in one process, one after the other. Each process
    has one site for all of its modules. A build, whose machine does other things too, tries a test of
    several processes once more when it fails, and names it at its end; elsewhere it fails at once."""
    for item in items:
        fixtures = getattr(item, "fixturenames", ())
        if "site" in fixtures:
            item.add_marker(pytest.mark.xdist_group(f"site {item.path.stem}"))
        if "chromium_browser" in fixtures:
            item.add_marker(pytest.mark.browser)
        if BUILD and WHOLE.intersection(fixtures):
            item.add_marker(pytest.mark.flaky(reruns=1))
        if item.get_closest_marker("waits") and item.path.parent.name not in WAITING:
            raise pytest.UsageError(f"{item.nodeid}: script/test looks for it in {WAITING} only.")
    if config.getoption("stores_only"):
        config.hook.pytest_deselected(items=[item for item in items if not touches_stores(item)])
        items[:] = [item for item in items if touches_stores(item)]


def touches_stores(item: pytest.Item) -> bool:
    """Whether the test uses a database or Redis, by its fixtures or marks."""
    marks = {mark.name for mark in item.iter_markers()}
    fixtures = set(getattr(item, "fixturenames", ()))
    return bool(marks & {"django_db", "stores"} or fixtures & {"db", "site", "fault_site"})


@pytest.fixture(scope="session", autouse=True)
def _sites_share_their_beginning(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """All processes of one run take the first state of their sites from one place; ``PARLOUR_TEST_SHARE``
    names one for several runs."""
    own = tmp_path_factory.getbasetemp()
    shared = own.parent if hasattr(request.config, "workerinput") else own
    Site.share = Path(os.environ.get("PARLOUR_TEST_SHARE") or shared)


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: pytest_django.DjangoDbBlocker
) -> Iterator[None]:
    """After a test with transactions of its own the database is emptied, and Django would work out again what
    content types, permissions and groups there are: it takes back those that followed the migrations."""
    from django.contrib.auth.models import Group, Permission
    from django.contrib.contenttypes.models import ContentType

    models = (ContentType, Permission, Group, Group.permissions.through)
    with django_db_blocker.unblock():
        kept = [(model, list(model.objects.all())) for model in models]

    def put_back(verbosity: int, interactive: bool, db: str, **_: Any) -> None:
        for model, rows in kept:
            model.objects.using(db).bulk_create(rows)
        ContentType.objects.clear_cache()

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(flush, "emit_post_migrate_signal", put_back)
        yield


@pytest.fixture(autouse=True)
def _known_deals(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables that a test opens in its own process are dealt alike in every run. (Those of a whole
    site are not: what is tested there holds for every deal, or is laid out.)"""
    from games.services import seating

    deals = random.Random(f"{request.path.name} {request.node.name}")
    monkeypatch.setattr(seating, "secrets", SimpleNamespace(token_bytes=deals.randbytes))


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A whole site as ``manage.py serve`` runs it, on a port and in a data folder of its own."""
    with Site(tmp_path_factory.mktemp("site")) as running:
        yield running


@pytest.fixture(scope="module")
def chromium_browser() -> "Iterator[Browser]":
    """A Chromium. Lives for one module: while it runs, the thread has an event loop, in which tests of
    coroutines could not start theirs."""
    path = find_chromium()
    if path is None:
        pytest.skip("no Chromium on this machine")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=15_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def chromium(chromium_browser: "Browser") -> Iterator[Contexts]:
    """The browser to open contexts in, for one test."""
    contexts = Contexts(chromium_browser)
    yield contexts
    contexts.close()


@pytest.fixture(scope="session")
def shots() -> Path:
    """Where what is seen of pages goes, and pictures if ``SHOTS`` asks for them; else ``shots/``."""
    folder = Path(os.environ.get("SHOTS") or settings.BASE_DIR / "shots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder
