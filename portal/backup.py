"""A whole site in one file: database, media, secret key.

The file is a tar archive: ``about.json``, then ``database.sqlite3`` or ``database.dump`` (of ``pg_dump``),
``secret_key`` where the data folder holds it, and ``media/``. It is made while the site runs: the database as
it was at one moment, then the media, which are never changed once they are written.
"""

import io
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
import tempfile
import zlib
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone

FORMAT = 1
ABOUT, SECRET, MEDIA = "about.json", "secret_key", "media"
DATABASES = {"sqlite": "database.sqlite3", "postgresql": "database.dump"}  # by vendor


class BackupFailed(Exception):
    """Nothing was written, or nothing put back; the text is for whoever asked."""


def back_up(target: Path) -> dict[str, Any]:
    """Write the whole site to ``target``, which only its owner may read; what ``about.json`` says."""
    if target.exists():
        raise BackupFailed(f"{target} exists already; name another file.")
    about = {
        "format": FORMAT,
        "made": timezone.now().isoformat(timespec="seconds"),
        "database": connection.vendor,
        "secret_key": (settings.DATA_DIR / SECRET).exists() and "SECRET_KEY" not in os.environ,
    }
    part = target.with_name(f"{target.name}.part")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=".parlour-backup-") as folder:
            database = Path(folder) / DATABASES[connection.vendor]
            _copy_database(database)
            with os.fdopen(
                os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb"
            ) as file:
                _write(file, about, database)
                file.flush()
                os.fsync(file.fileno())
        part.rename(target)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailed(f"{target} could not be written: {error}") from error
    finally:
        part.unlink(missing_ok=True)
    return about


def _write(file: Any, about: dict[str, Any], database: Path) -> None:
    with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
        told = json.dumps(about).encode()
        entry = tarfile.TarInfo(ABOUT)
        entry.size = len(told)
        archive.addfile(entry, io.BytesIO(told))
        archive.add(database, database.name)
        if about["secret_key"]:
            archive.add(settings.DATA_DIR / SECRET, SECRET)
        if settings.MEDIA_ROOT.exists():
            archive.add(settings.MEDIA_ROOT, MEDIA)


def _copy_database(target: Path) -> None:
    if connection.vendor == "postgresql":
        _run_postgres("pg_dump", "--format=custom", "--no-owner", f"--file={target}")
        return
    with sqlite3.connect(settings.DATABASES["default"]["NAME"]) as source:
        copy = sqlite3.connect(target)
        source.backup(copy)
        copy.close()


def put_back(source: Path) -> dict[str, Any]:
    """Put the site of the file ``source`` into this data folder and its database, which must be empty.
    What ``about.json`` says."""
    try:
        with (
            tempfile.TemporaryDirectory(dir=settings.DATA_DIR, prefix=".restore-") as folder,
            tarfile.open(source, "r:gz") as archive,
        ):
            archive.extractall(folder, filter="data")  # nothing outside, no links, no devices
            about = _read_about(Path(folder))
            _must_be_empty()
            _put_database(Path(folder) / DATABASES[about["database"]])
            _put_files(Path(folder))
    except (OSError, EOFError, zlib.error, tarfile.TarError, sqlite3.Error) as error:
        raise BackupFailed(f"{source} could not be put back: {error}") from error
    return about


def _read_about(folder: Path) -> dict[str, Any]:
    try:
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text())
    except (OSError, ValueError) as error:
        raise BackupFailed("That is no backup of Parlour.") from error
    if not isinstance(about, dict) or about.get("format") != FORMAT:
        raise BackupFailed(
            "That backup is of another version of Parlour; put it back with that one."
        )
    if about["database"] != connection.vendor:
        raise BackupFailed(
            f"That backup is of a {about['database']} database, and DATABASE_URL names a "
            f"{connection.vendor} one. docs/operations.md says how to move from one to the other."
        )
    return about


def _must_be_empty() -> None:
    if connection.introspection.table_names():
        raise BackupFailed("The database is not empty. A backup is put back into an empty one.")
    if settings.MEDIA_ROOT.exists() and any(settings.MEDIA_ROOT.iterdir()):
        raise BackupFailed(f"{settings.MEDIA_ROOT} is not empty. Move it away first.")


def _put_database(found: Path) -> None:
    if connection.vendor == "postgresql":
        given = ("--no-owner", "--exit-on-error", "--single-transaction", str(found))
        _run_postgres("pg_restore", *given)
        return
    connection.close()
    target = Path(settings.DATABASES["default"]["NAME"])
    for old in ("", "-wal", "-shm"):  # empty, made by looking whether it is
        target.with_name(target.name + old).unlink(missing_ok=True)
    shutil.move(found, target)


def _put_files(folder: Path) -> None:
    if (folder / SECRET).exists():
        (settings.DATA_DIR / SECRET).unlink(missing_ok=True)
        shutil.move(folder / SECRET, settings.DATA_DIR / SECRET)
    if (folder / MEDIA).exists():
        settings.MEDIA_ROOT.mkdir(parents=True, exist_ok=True)
        for found in (folder / MEDIA).iterdir():
            shutil.move(found, settings.MEDIA_ROOT / found.name)


def _run_postgres(program: str, *arguments: str) -> None:
    """Run a program of PostgreSQL's on the database; ``pg_restore`` has to be told that it is one."""
    wanted = settings.DATABASES["default"]
    names = {"HOST": "PGHOST", "PORT": "PGPORT", "USER": "PGUSER", "PASSWORD": "PGPASSWORD"}
    env = {variable: str(wanted[name]) for name, variable in names.items() if wanted.get(name)}
    command = [program, *arguments, f"--dbname={wanted['NAME']}"]
    try:
        subprocess.run(command, env=os.environ | env, check=True, capture_output=True, text=True)
    except FileNotFoundError:
        raise BackupFailed(f"{program} is not installed here; it comes with PostgreSQL.") from None
    except subprocess.CalledProcessError as error:
        raise BackupFailed(f"{program}: {' '.join(error.stderr.split())}") from error
