"""Static files of the games: each folder of the library brings its own look."""

import re
from collections.abc import Iterator
from pathlib import Path

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

LIBRARY = Path(__file__).resolve().parent / "library"
SERVED = ("board.js", "board.css", "art.svg", "cover.svg")
SYMBOL = re.compile(r"shortcodes/[a-z0-9-]+\.svg")  # pictures of the game's shortcodes


def has_file(slug: str, name: str) -> bool:
    """Does the folder ``slug`` bring the static file ``name``, one of ``SERVED`` or a ``SYMBOL``?"""
    served = name in SERVED or SYMBOL.fullmatch(name) is not None
    return served and (LIBRARY / slug / name).is_file()


def files_of(folder: Path) -> Iterator[str]:
    """The names of the static files that a folder of the library brings."""
    yield from (name for name in SERVED if (folder / name).is_file())
    for path in sorted(folder.glob("shortcodes/*.svg")):
        if has_file(folder.name, name := f"shortcodes/{path.name}"):
            yield name


class LibraryFinder(BaseFinder):
    """Finds ``games/<slug>/<file>`` in ``games/library/<slug>/``: what ``has_file`` knows only."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.storage = LibraryStorage(LIBRARY)

    def check(self, **kwargs: object) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False) -> str | list[str] | None:
        parts = Path(path).parts
        found = None
        if len(parts) >= 3 and parts[0] == "games" and parts[1] != "..":
            name = "/".join(parts[2:])
            found = str(LIBRARY / parts[1] / name) if has_file(parts[1], name) else None
        if find_all:
            return [found] if found else []
        return found

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, FileSystemStorage]]:
        for folder in sorted(LIBRARY.iterdir()):
            for name in files_of(folder):
                yield f"{folder.name}/{name}", self.storage


class LibraryStorage(FileSystemStorage):
    """The library's folder, its files shown below ``games/``."""

    prefix = "games"
