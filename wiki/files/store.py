"""Where pictures lie: ``files/`` and ``thumbs/`` of the media folder, by the SHA-256 of their bytes.

No name that somebody typed is ever part of a path. A file is written beside its place and moved
there whole, so that no reader meets half of one.
"""

import contextlib
import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from wiki.errors import WikiError
from wiki.files.pictures import thumbnail

WIDTHS = (120, 240, 320, 480, 640, 960, 1280)  # of thumbnails, in pixels
SHA256 = re.compile(r"[0-9a-f]{64}")
STORED = re.compile(r"[0-9a-f]{64}(-[0-9]+)?\.[a-z]+")
HALF, WHOLE = 3600, 86400  # seconds after which half a file, or one of no picture, is left over
FULL = (errno.ENOSPC, errno.EDQUOT)


def disk_full() -> WikiError:
    return WikiError(
        "disk_full",
        "There is no room left for pictures on this site. Nothing is saved; what you wrote is still "
        "here. Please try again later.",
        status=507,
    )


def original(sha256: str, kind: str) -> Path:
    return Path(settings.MEDIA_ROOT) / "files" / sha256[:2] / f"{sha256}.{kind}"


def digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def put(data: bytes, kind: str) -> str:
    """Keep ``data`` and return its SHA-256. Raises WikiError ``disk_full``; then nothing is left
    behind."""
    sha256 = digest(data)
    write(original(sha256, kind), data)
    return sha256


def write(path: Path, data: bytes) -> None:
    if path.exists():
        with contextlib.suppress(OSError):
            os.utime(path)  # somebody wants it: it is not left over
        return
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        number, beside = tempfile.mkstemp(dir=path.parent)
        try:
            with os.fdopen(number, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            Path(beside).replace(path)
        except OSError:
            with contextlib.suppress(OSError):
                Path(beside).unlink()
            raise
    except OSError as error:
        if error.errno in FULL:
            raise disk_full() from error
        raise


def left_over(now: float) -> Iterator[Path]:
    """Files that no picture is: what a killed upload left half written ``HALF`` seconds ago or
    earlier."""
    for folder in ("files", "thumbs"):
        for path in (Path(settings.MEDIA_ROOT) / folder).glob("*/*"):
            if not STORED.fullmatch(path.name) and aged(path, now, HALF):
                yield path


def unclaimed(now: float) -> Iterator[tuple[str, Path]]:
    """Pictures in full size that were put here ``WHOLE`` seconds ago or earlier, with their SHA-256."""
    for path in (Path(settings.MEDIA_ROOT) / "files").glob("*/*"):
        if STORED.fullmatch(path.name) and aged(path, now, WHOLE):
            yield path.stem, path


def aged(path: Path, now: float, seconds: int) -> bool:
    """Whether ``path`` is there and was not written, or asked for by an upload, for so long."""
    try:
        return now - path.stat().st_mtime > seconds
    except FileNotFoundError:
        return False


def read(sha256: str, kind: str) -> bytes:
    """The bytes of a picture. Raises WikiError ``no_file`` where they are gone from the disk."""
    try:
        return original(sha256, kind).read_bytes()
    except FileNotFoundError as error:
        raise no_file() from error


def no_file() -> WikiError:
    return WikiError("no_file", "There is no picture at this address.", status=404)


def read_thumbnail(sha256: str, kind: str, width: int) -> bytes:
    """The picture ``width`` pixels wide, one of ``WIDTHS``; made when it is asked for first.

    Where it cannot be kept it is made each time. Raises WikiError ``no_file``.
    """
    path = Path(settings.MEDIA_ROOT) / "thumbs" / sha256[:2] / f"{sha256}-{width}.{kind}"
    try:
        return path.read_bytes()
    except FileNotFoundError:
        made = thumbnail(read(sha256, kind), kind, width)
    with contextlib.suppress(WikiError):
        write(path, made)
    return made
