"""Small readers of the environment that refuse nonsense."""

import hashlib
import os
import tempfile
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


def env_ints(name: str, *, default: tuple[int, ...]) -> tuple[int, ...]:
    """As many whole numbers, parted by commas, as ``default`` has; a single one stands for all."""
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
    return found


def env_float(name: str, *, default: float) -> float:
    value = os.environ.get(name, "")
    try:
        return float(value) if value else default
    except ValueError:
        raise ImproperlyConfigured(f"{name} must be a number, not {value!r}.") from None


def env_list(name: str, *, default: list[str]) -> list[str]:
    value = os.environ.get(name, "")
    return [part.strip() for part in value.split(",") if part.strip()] if value else default


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
