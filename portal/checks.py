"""``manage.py check`` names the folders of the library that are left out, whole or in part."""

from typing import Any

from django.core.checks import CheckMessage, Warning

from games import translation
from games.engine import all_games, broken_games
from portal import shortcodes
from portal.help import BadFrontMatter, shipped_help

TAG = "library"


def library(**_: Any) -> list[CheckMessage]:
    """Warnings, since a folder that is broken keeps nothing else from working."""
    found: list[CheckMessage] = [
        Warning(
            f"The game {slug} is left out: its rules cannot be read: {error!r}", id="library.W001"
        )
        for slug, error in broken_games().items()
    ]
    found += [
        Warning(f"The shortcodes of {folder} are left out: {error}", id="library.W002")
        for folder, error in shortcodes.broken.items()
    ]
    for slug in all_games():
        for path in sorted((translation.LIBRARY / slug / "locale").glob("*.json")):
            try:
                translation.read_catalogue(path)
            except translation.BadCatalogue as error:
                found.append(Warning(f"A catalogue is left out: {error}", id="library.W004"))
        try:
            shipped_help(slug)
        except BadFrontMatter as error:
            found.append(
                Warning(f"The help text of {slug} is left out: {error}", id="library.W003")
            )
    return found
