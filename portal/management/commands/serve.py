"""``manage.py serve``: the whole product under one command."""

import errno
import hashlib
import os
import signal
import socket
import sys
import urllib.error
import urllib.request
from argparse import ArgumentParser
from contextlib import ExitStack, closing
from pathlib import Path
from typing import Any

import redis
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import Error as DatabaseError
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import load_backend

from portal.management.commands.load_help import LoadHelpFailed
from portal.supervisor import ChildEnded, Supervisor
from portal.valkey import (
    ValkeyTaken,
    no_retry,
    take_data_folder,
    valkey_answers,
    valkey_command,
)

WEB, WORKER, BEAT, VALKEY = "web server", "worker", "beat", "Valkey"
UP_TO_DATE = 0x5061726C  # the lock of who brings a database up to date, a number of our own
OTHERS_SECONDS = 900.0  # that another machine may take for that
START_SECONDS = 60.0  # for a child to answer on a slow machine


class Command(BaseCommand):
    help = (
        "Serves everything: web and sockets, Celery worker and beat, and Valkey unless REDIS_URL "
        "is set. Before that it brings database, static files and help pages up to date."
    )
    requires_system_checks = ()
    requires_migrations_checks = False

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--host", default=settings.HOST, help="address to listen on (HOST)")
        parser.add_argument("--port", type=int, default=settings.PORT, help="port (PORT)")
        parser.add_argument(
            "--concurrency", type=int, default=2, help="processes of the Celery worker"
        )

    def handle(self, *, host: str, port: int, concurrency: int, **options: Any) -> None:
        supervisor = Supervisor(env=environment(), tell=self.stderr.write)
        with ExitStack() as held:
            door = held.enter_context(listening_socket(host, port))
            check_database()
            embedded = not os.environ.get("REDIS_URL")
            if embedded:
                try:
                    held.enter_context(take_data_folder(settings.DATA_DIR, settings.VALKEY_SOCKET))
                except ValkeyTaken as error:
                    raise CommandError(str(error)) from None
            else:
                check_redis()
            supervisor.listen()
            try:
                url = f"http://{url_host(host)}:{port}"
                # Valkey is the first, since whatever is loaded tells of itself there.
                if (
                    (not embedded or start_valkey(supervisor))
                    and self.bring_up_to_date(supervisor)
                    and start_web(supervisor, door, url)
                ):
                    self.stdout.write(f"Parlour is open on {url} (Ctrl-C closes it).")
                    self.stdout.flush()
                    start_celery(supervisor, concurrency)
                    supervisor.keep()
            except ChildEnded as error:
                raise CommandError(f"{error} Everything else is stopped.") from None
            finally:
                door.close()  # nobody waits at a door that is not opened again
                supervisor.stop([WEB, WORKER, BEAT], [VALKEY])
        self.stdout.write("Parlour is closed.")

    def bring_up_to_date(self, supervisor: Supervisor) -> bool:
        """False when told to stop while another machine of this site does the same. Raises ChildEnded, and
        CommandError where database or folder cannot be written."""
        with closing(own_connection()) as connection:
            if not supervisor.wait(lambda: is_first(connection), seconds=OTHERS_SECONDS):
                return False
            try:
                bring_up_to_date()
            except LoadHelpFailed as error:  # the wiki is older than the text; it still works
                self.stderr.write(f"{error} The site opens without it.")
            except (OperationalError, OSError) as error:
                reason = " ".join(str(error).split())
                raise CommandError(f"The site cannot be brought up to date: {reason}") from None
        return True


def environment() -> dict[str, str]:
    """What children start with: they find our modules from whatever folder this was started in. Celery
    would run Django's checks in worker and beat and tell nobody what they say."""
    path = [str(settings.BASE_DIR), os.environ.get("PYTHONPATH", "")]
    found = {"PYTHONPATH": os.pathsep.join(filter(None, path)), "CELERY_SKIP_CHECKS": "1"}
    return {**os.environ, **found}


def listening_socket(host: str, port: int) -> socket.socket:
    """A socket bound to the door, before anything else is done. Raises CommandError."""
    if not 0 < port < 65536:
        raise CommandError(f"PORT must be from 1 to 65535, not {port}.")
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=512)
    except socket.gaierror as error:
        raise CommandError(
            f"HOST {host} is no address of this machine: {error.strerror}."
        ) from None
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            reason = f"Port {port} on {host} is in use; set PORT to another."
        else:
            reason = f"Cannot listen on {host}, port {port}: {os.strerror(error.errno or 0)}."
        raise CommandError(reason) from None


def url_host(host: str) -> str:
    """``host`` as it stands in a URL one can open on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    return f"[{host}]" if ":" in host else host


def check_database() -> None:
    """Raises CommandError when the database does not let us in."""
    with closing(own_connection()) as connection:
        try:
            connection.ensure_connection()
        except DatabaseError as error:
            reason = " ".join(str(error).split())
            raise CommandError(f"The database of DATABASE_URL does not answer: {reason}") from None


def own_connection() -> BaseDatabaseWrapper:
    """A connection besides Django's, to be closed. Uses no pool: that one would try for ten seconds and
    then hide the reason."""
    wanted = dict(settings.DATABASES["default"])
    wanted["OPTIONS"] = {k: v for k, v in wanted.get("OPTIONS", {}).items() if k != "pool"}
    if wanted["ENGINE"] == settings.POSTGRESQL:
        wanted["OPTIONS"]["connect_timeout"] = 5
    wanted = {
        "AUTOCOMMIT": True,
        "TIME_ZONE": None,
        "CONN_HEALTH_CHECKS": False,
        "ATOMIC_REQUESTS": False,
        "TEST": {},
        **dict.fromkeys(("NAME", "USER", "PASSWORD", "HOST", "PORT"), ""),
        **wanted,
    }
    found: BaseDatabaseWrapper = load_backend(wanted["ENGINE"]).DatabaseWrapper(wanted, "own")
    return found


def is_first(connection: BaseDatabaseWrapper) -> bool:
    """Whether no other machine brings the database up to date just now; then none does until
    ``connection`` is closed. On SQLite there is but one machine."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [UP_TO_DATE])
        return bool(cursor.fetchone()[0])


def check_redis() -> None:
    client = redis.from_url(settings.REDIS_URL, socket_connect_timeout=5, retry=no_retry())
    try:
        client.ping()
    except redis.RedisError as error:
        raise CommandError(f"The Redis of REDIS_URL does not answer: {error}") from None
    finally:
        client.close()


def bring_up_to_date() -> None:
    """Migrate, collect static files if one changed, load the games' help pages, index for the search
    what is not."""
    call_command("migrate", interactive=False, verbosity=0, skip_checks=True)
    stamp = settings.STATIC_ROOT / "collected"
    wanted = static_digest()
    if not stamp.exists() or stamp.read_text() != wanted:
        call_command("collectstatic", interactive=False, verbosity=0, skip_checks=True)
        stamp.write_text(wanted)
    call_command("load_help", verbosity=0)
    call_command("reindex_wiki", missing=True, verbosity=0)


def static_digest() -> str:
    """A digest of names, sizes and times of all static files: another one when one changed."""
    digest = hashlib.sha256(str(settings.STORAGES["staticfiles"]["BACKEND"]).encode())
    for finder in get_finders():
        for name, storage in finder.list([]):
            found = Path(storage.path(name)).stat()
            digest.update(f"{name}:{found.st_size}:{found.st_mtime_ns}\n".encode())
    return digest.hexdigest()


def answers(url: str) -> bool:
    """Does anybody answer with HTTP, whatever it is?"""
    try:
        with urllib.request.urlopen(url, timeout=START_SECONDS):
            return True
    except urllib.error.HTTPError:
        return True
    except OSError:
        return False


def start_valkey(supervisor: Supervisor) -> bool:
    """Start the embedded Valkey; False when told to stop before it answers. Raises ChildEnded."""
    socket_path = settings.VALKEY_SOCKET
    supervisor.start(VALKEY, valkey_command(socket=socket_path, data_dir=settings.DATA_DIR))
    return supervisor.wait(lambda: valkey_answers(socket_path), seconds=START_SECONDS)


def start_web(supervisor: Supervisor, door: socket.socket, url: str) -> bool:
    """Start the web server on ``door``; False when told to stop before it answers on ``url``.

    Raises ChildEnded. ``door`` stays open here: should the web server die, those who come meanwhile
    wait for the next one. Where this process is killed, the web server ends at once, so that the port
    is free for another start.
    """
    command = [sys.executable, "-m", "portal.web", str(door.fileno())]
    supervisor.start(WEB, command, pass_fds=[door.fileno()], orphaned=signal.SIGKILL)
    return supervisor.wait(lambda: answers(f"{url}/about/"), seconds=START_SECONDS)


def start_celery(supervisor: Supervisor, concurrency: int) -> None:
    quiet = "ignore:You're running the worker with superuser privileges"
    celery = [sys.executable, "-W", quiet, "-m", "celery", "--quiet", "-A", "portal"]
    supervisor.start(
        WORKER,
        [
            *celery,
            "worker",
            *("--loglevel", "WARNING", "--concurrency", str(concurrency)),
            *("--hostname", f"parlour-{os.getpid()}@%h"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
    )
    supervisor.start(BEAT, [*celery, "beat", "--loglevel", "WARNING", "--pidfile="])
