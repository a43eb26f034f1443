"""Which ES modules a page needs: on a slow line a browser that hears of them one after the other, as one
imports the next, asks for the last ones seconds late."""

import posixpath
import re
from functools import cache
from pathlib import Path

from django.contrib.staticfiles.finders import find
from django.templatetags.static import static

IMPORT = re.compile(r"""^(?:import|export)\s[^"';]*?["'](\.[^"']+)["']""", re.MULTILINE)


def module_urls(*names: str) -> list[str]:
    """Addresses of these static files and of all that they import, each once. What is not there is left
    out: whoever imports it says so."""
    found: dict[str, None] = {}
    for name in names:
        for module in _modules(name):
            try:
                found[static(module)] = None
            except ValueError:  # newer than the collected files
                continue
    return list(found)


@cache
def _modules(start: str) -> tuple[str, ...]:
    """Names of a static file and of all modules that it imports, the nearest first."""
    names = [start]
    for name in names:  # it grows meanwhile
        folder = posixpath.dirname(name)
        found = [
            posixpath.normpath(posixpath.join(folder, relative)) for relative in _imports(name)
        ]
        names += [one for one in dict.fromkeys(found) if one not in names]
    return tuple(name for name in names if _file(name))


def _imports(name: str) -> list[str]:
    path = _file(name)
    return IMPORT.findall(path.read_text(encoding="utf-8", errors="replace")) if path else []


def _file(name: str) -> Path | None:
    found = find(name)  # of nothing it is [None]
    return Path(found) if isinstance(found, str) else None
