"""How static files are stored: under hashed names, compressed, kept by browsers for good."""

import logging
from collections.abc import Callable
from re import Match
from typing import Any

from whitenoise.storage import CompressedManifestStaticFilesStorage

from games.finders import LIBRARY

logger = logging.getLogger(__name__)


class StaticStorage(CompressedManifestStaticFilesStorage):
    """Rewrites the relative imports of ES modules too, so that a board finds the hashed kit."""

    support_js_module_import_aggregation = True

    def url_converter(
        self, name: str, hashed_files: dict[str, Any], template: str | None = None
    ) -> Callable[[Match[str]], str]:
        """As Django's, but a comment imports nothing: types are named there by
        ``{import("./other.js").Type}``, in circles if need be."""
        convert = super().url_converter(name, hashed_files, template)

        def converter(match: Match[str]) -> str:
            if name.endswith(".js") and "import" in match[0] and in_comment(match):
                return match[0]
            try:
                return convert(match)
            except ValueError as error:  # it names a file that is not there
                if not of_a_game(name):
                    raise
                logger.error("left as it stands: file=%s error=%s", name, error)
                return match[0]

        return converter


def of_a_game(name: str) -> bool:
    """Does a folder of the library bring this file? Such a one harms only its own game."""
    parts = name.split("/")
    return len(parts) > 2 and parts[0] == "games" and (LIBRARY / parts[1]).is_dir()


def in_comment(match: Match[str]) -> bool:
    """Does the line of ``match`` begin as a comment, or as the inside of one?"""
    line = match.string[match.string.rfind("\n", 0, match.start()) + 1 : match.start()]
    return line.lstrip().startswith(("*", "/*", "//"))
