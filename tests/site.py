"""A whole site for tests: ``manage.py serve`` in a process of its own."""

import fcntl
import http.client
import json
import os
import re
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar
from urllib.parse import urlencode, urlsplit, urlunsplit

from tests.own_redis import OwnRedis

T = TypeVar("T")
ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 90.0
STOP_SECONDS = 30.0
DATABASE = "parlour.sqlite3"
# Runs what comes line by line as JSON, each in one transaction with the settings of the environment; answers with
# the error, or nothing.
INSIDE = """
import contextlib, json, sys, traceback, django
django.setup()
from django.db import connections, transaction
for line in sys.stdin:
    said = ""
    try:
        with contextlib.redirect_stdout(sys.stderr), transaction.atomic():
            exec(json.loads(line), {})
    except Exception:
        said = traceback.format_exc()
    connections.close_all()
    print(json.dumps(said), flush=True)
"""
BRING_UP = "from portal.management.commands.serve import bring_up_to_date; bring_up_to_date()"


def wait_until(true: Callable[[], object], what: str, *, seconds: float = START_SECONDS) -> None:
    """Look again and again until ``true()``; fails with ``what`` when time is up."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise AssertionError(f"Waited {seconds:.0f} s in vain for {what}.")
        time.sleep(0.05)


def becomes(read: Callable[[], T], value: T, *, seconds: float = 15.0) -> None:
    """Read again and again until it is ``value``: for what a page does a moment after a key or a click."""
    end = time.monotonic() + seconds
    while (found := read()) != value and time.monotonic() < end:
        time.sleep(0.05)
    assert found == value


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def descendants(pid: int, *, deep: bool = True) -> dict[int, str]:
    """The processes that ``pid`` started (``deep``: and those that they started), by /proc: pid ->
    command line."""
    started: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):  # it has just ended
            continue
        started.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found = list(started.get(pid, []))
    for one in found if deep else []:
        found.extend(started.get(one, []))
    return {one: command_line(one) for one in found}


def command_line(pid: int) -> str:
    """Empty where it has ended."""
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode()
    except (FileNotFoundError, ProcessLookupError):
        return ""


# Tests write faster than people, and all from one address.
UNLIMITED = {
    "GUESTS_PER_HOUR": "0",
    "WIKI_EDITS_PER_MINUTE": "0",
    "WIKI_EDITS_PER_HOUR": "0",
    "WIKI_NEW_PAGES_PER_HOUR": "0",
    "WIKI_RENAMES_PER_HOUR": "0",
    "WIKI_UPLOADS_PER_HOUR": "0",
    "WIKI_GUEST_EDITS_PER_ADDRESS": "0",
    "WIKI_OUTSIDE_LINKS": "-1",
    "WIKI_OUTSIDE_HOSTS": "-1",
}


class Site:
    """A running site. ``url`` has no slash at its end; what it says on stderr is in ``log``.

    On SQLite its first start finds the database and the static files of ``prepared``, made once for a whole
    run of tests where ``share`` is set; with ``fresh`` it begins with nothing.
    """

    share: Path | None = None  # where ``prepared`` may keep its folder

    def __init__(self, data: Path, *, fresh: bool = False, **env: str) -> None:
        self.data = data
        self.fresh = fresh
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = data / "stderr.txt"
        self.database = OwnDatabase.from_environment()
        self.redis: OwnRedis | None = None
        self.shares_redis = "REDIS_URL" in env
        self.inside: subprocess.Popen[str] | None = None
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "portal.settings",
            "PARLOUR_DATA": str(data),
            "HOST": "127.0.0.1",
            "PORT": str(self.port),
            "PARLOUR_BOT_DELAY": "0.05",
            **UNLIMITED,
            **({"DATABASE_URL": self.database.url} if self.database else {}),
            **env,
        }

    def manage(self, *arguments: str) -> str:
        """What ``manage.py`` says to these arguments; raises CalledProcessError."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.run(
            command, cwd=ROOT, env=self.env, check=True, capture_output=True, text=True
        ).stdout

    def run(self, code: str) -> None:
        """Run Python with the site's settings in one transaction, in a process that is kept for the next time, since most
        of the time goes into its start. Raises AssertionError with what it says."""
        if self.inside is None:
            with self.log.open("ab") as log:
                self.inside = subprocess.Popen(
                    [sys.executable, "-c", INSIDE],
                    cwd=ROOT,
                    env=self.env,
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    text=True,
                )
        assert self.inside.stdin is not None
        assert self.inside.stdout is not None
        self.inside.stdin.write(json.dumps(code) + "\n")
        self.inside.stdin.flush()
        answer = self.inside.stdout.readline()
        assert answer, f"It ended:\n{self.log.read_text()}"
        if error := json.loads(answer):
            raise AssertionError(error)

    def health(self) -> int:
        """The status of ``/healthz``; 0 while nobody answers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", "/healthz")
            return connection.getresponse().status
        except OSError:
            return 0
        finally:
            connection.close()

    def __enter__(self) -> Self:
        if self.database:
            self.database.create()
        if not self.shares_redis and (own := OwnRedis.from_environment()):
            self.redis, self.env["REDIS_URL"] = own, own.url
        try:
            self.start()
            self.wait_until_open()
        except BaseException:
            self.close()
            raise
        return self

    def start(self) -> None:
        """Start the process; also again, after it was killed."""
        on_sqlite = not self.env.get("DATABASE_URL")
        if on_sqlite and not self.fresh and self.share and not (self.data / DATABASE).exists():
            shutil.copytree(prepared(self.share), self.data, dirs_exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, str(ROOT / "manage.py"), "serve"],
                cwd=self.data,  # it does not matter where one stands
                env=self.env,
                stdout=log,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def wait_until_open(self) -> None:
        wait_until(lambda: self.process.poll() is not None or self.health() == 200, "the site")
        if self.process.poll() is not None:
            raise AssertionError(f"The site did not start:\n{self.log.read_text()}")

    def part(self, words: str) -> int:
        """The process, one that the site's supervisor started, whose command line has these
        ``words``; 0 where there is none just now."""
        started = descendants(self.process.pid, deep=False)
        return next((pid for pid, line in started.items() if words in line), 0)

    def close(self) -> None:
        """End it at once, with all that it started: nobody needs what an orderly end takes seconds
        for. Where no /proc tells what it started, in order."""
        if self.inside:
            self.inside.communicate()  # the end of what it reads is its own end
        if self.process.poll() is None:
            if started := descendants(self.process.pid):
                for pid in (self.process.pid, *started):
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGKILL)
            else:
                self.process.send_signal(signal.SIGINT)
            try:
                self.process.wait(STOP_SECONDS)
            finally:
                self.process.kill()
        if self.database:
            self.database.drop()
        if self.redis:
            self.redis.give_back()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def read_token(page: str) -> str:
    """What the forms of a page send to show that they are the site's own."""
    found = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', page)
    assert found, page
    return found[1]


class Visitor:
    """A browser without a window: cookies, the form's token, JSON."""

    def __init__(self, site: Site) -> None:
        self.url = site.url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.token = read_token(self.get("/tables/new/?game=nibble"))

    def get(self, path: str) -> str:
        return self.opener.open(self.url + path).read().decode()

    def post(self, path: str, data: bytes, kind: str) -> str:
        headers = {"X-CSRFToken": self.token, "Content-Type": kind}
        request = urllib.request.Request(self.url + path, data, headers)
        return self.opener.open(request).read().decode()

    def form(self, path: str) -> str:
        return self.post(path, urlencode({}).encode(), "application/x-www-form-urlencoded")


def prepared(share: Path) -> Path:
    """A folder below ``share`` with what a first start makes: the database and the static files. Made by
    the first process that asks; the others wait for it."""
    folder = share / "prepared"
    with (share / "prepared.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            made = share / "being-prepared"
            made.mkdir()
            subprocess.run(
                [sys.executable, "manage.py", "shell", "-c", BRING_UP],
                cwd=ROOT,
                env={
                    **os.environ,
                    "DJANGO_SETTINGS_MODULE": "portal.settings",
                    "PARLOUR_DATA": str(made),
                    "DATABASE_URL": "",
                },
                check=True,
                capture_output=True,
            )
            for entry in made.iterdir():
                if entry.name not in (DATABASE, "static"):
                    shutil.rmtree(entry) if entry.is_dir() else entry.unlink()
            made.rename(folder)
    return folder


class OwnDatabase:
    """A PostgreSQL database made for one site, on the server of ``DATABASE_URL``."""

    def __init__(self, server: str) -> None:
        self.server = server
        self.name = f"parlour_site_{secrets.token_hex(4)}"
        self.url = urlunsplit(urlsplit(server)._replace(path=f"/{self.name}"))

    @classmethod
    def from_environment(cls) -> Self | None:
        url = os.environ.get("DATABASE_URL", "")
        return cls(url) if url.startswith("postgres") else None

    def create(self) -> None:
        self._run(f'CREATE DATABASE "{self.name}"')

    def drop(self) -> None:
        self._run(f'DROP DATABASE IF EXISTS "{self.name}" WITH (FORCE)')

    def _run(self, sql: str) -> None:
        import psycopg

        with psycopg.connect(self.server, autocommit=True) as connection:
            connection.execute(sql)
