"""Small readers of the environment that refuse nonsense."""

import hashlib
import math
import os
import secrets
import tempfile
from contextlib import suppress
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

YES, NO = {"1", "true", "yes", "on"}, {"0", "false", "no", "off", ""}


def env_bool(name: str, *, default: bool) -> bool:
    value = os.environ.get(name)
    if value is None:
        return default
    if value.lower() in YES | NO:
        return value.lower() in YES
    raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")


def env_int(name: str, *, default: int, least: int | None = None) -> int:
    value = os.environ.get(name, "")
    try:
        found = int(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a whole number, not {value!r}.") from None
    if least is not None and found < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {found}.")
    return found


def env_ints(name: str, *, default: tuple[int, ...], least: int) -> tuple[int, ...]:
    """As many whole numbers, parted by commas, as ``default`` has; a single one stands for all. None is
    below ``least``."""
    value = os.environ.get(name, "")
    try:
        found = tuple(int(part) for part in value.split(",")) if value else default
    except ValueError:
        found = ()
    if len(found) == 1:
        found *= len(default)
    if len(found) != len(default):
        raise ImproperlyConfigured(
            f"{name} must be {len(default)} whole numbers parted by commas, not {value!r}."
        )
    if min(found) < least:
        raise ImproperlyConfigured(f"{name} must be at least {least}, not {min(found)}.")
    return found


def env_float(name: str, *, default: float, least: float) -> float:
    value = os.environ.get(name, "")
    try:
        found = float(value) if value else default
    except ValueError:
        found = math.nan
    if not math.isfinite(found):
        raise ImproperlyConfigured(f"{name} must be a number, not {value!r}.")
    if found < least:
        raise ImproperlyConfigured(f"{name} must be at least {least:g}, not {found:g}.")
    return found


def env_list(name: str, *, default: list[str]) -> list[str]:
    value = os.environ.get(name, "")
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


def own_folder(name: str, *, default: Path) -> Path:
    """A folder that is there, or is made. Raises ImproperlyConfigured where it cannot be."""
    folder = Path(os.environ.get(name) or default).resolve()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = "is a file" if isinstance(error, FileExistsError) else f"fails: {error.strerror}"
        raise ImproperlyConfigured(f"{name} must be a folder, and {folder} {reason}.") from None
    if not os.access(folder, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name} must be a folder one may write to, not {folder}.")
    return folder


def kept_secret(path: Path) -> str:
    """The secret in the file ``path``, which is made with one where it is missing: whole at once, since
    another process may read it at that moment, and a disk may be full."""
    if not path.exists():
        with tempfile.NamedTemporaryFile("w", dir=path.parent, prefix=".secret-") as file:
            file.write(secrets.token_urlsafe(64))
            file.flush()
            os.fsync(file.fileno())
            with suppress(FileExistsError):  # another process was the first
                os.link(file.name, path)
    return path.read_text().strip()


SOCKET_PATH_LIMIT = 100  # bytes; the kernel takes 107 on Linux, 103 on macOS


def socket_folder(data_dir: Path) -> Path:
    """Where the sockets of ``data_dir`` lie: in it, or where its path is too long for a socket,
    in a private folder below the system's temporary one, the same at each start.

    Raises ImproperlyConfigured when that folder belongs to somebody else.
    """
    if len(os.fsencode(data_dir / "valkey.sock")) <= SOCKET_PATH_LIMIT:
        return data_dir
    digest = hashlib.sha256(os.fsencode(data_dir)).hexdigest()[:16]
    folder = Path(tempfile.gettempdir()) / f"parlour-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    found = folder.lstat()
    if found.st_uid != os.getuid() or found.st_mode & 0o077 or folder.is_symlink():
        raise ImproperlyConfigured(f"{folder} must be a folder of your own (mode 700).")
    return folder
