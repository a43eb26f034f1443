"""Static files of the games: each folder of the library brings its own look."""

from collections.abc import Iterator
from pathlib import Path

from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

LIBRARY = Path(__file__).resolve().parent / "library"
SERVED = ("board.js", "board.css", "art.svg", "cover.svg")


def has_file(slug: str, name: str) -> bool:
    """Does the game ``slug`` bring the static file ``name``, one of ``SERVED``?"""
    return name in SERVED and (LIBRARY / slug / name).is_file()


class LibraryFinder(BaseFinder):
    """Finds ``games/<slug>/<file>`` in ``games/library/<slug>/``: what ``SERVED`` names only."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        self.storage = LibraryStorage(LIBRARY)

    def check(self, **kwargs: object) -> list[CheckMessage]:
        return []

    def find(self, path: str, find_all: bool = False) -> str | list[str] | None:
        parts = Path(path).parts
        found = None
        if len(parts) == 3 and parts[0] == "games" and parts[1] != "..":
            found = str(LIBRARY.joinpath(*parts[1:])) if has_file(*parts[1:]) else None
        if find_all:
            return [found] if found else []
        return found

    def list(self, ignore_patterns: object) -> Iterator[tuple[str, FileSystemStorage]]:
        for folder in sorted(LIBRARY.iterdir()):
            for name in SERVED:
                if (folder / name).is_file():
                    yield f"{folder.name}/{name}", self.storage


class LibraryStorage(FileSystemStorage):
    """The library's folder, its files shown below ``games/``."""

    prefix = "games"
