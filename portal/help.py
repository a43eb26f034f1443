"""The help texts that games bring: ``games/library/<slug>/help.md`` and its front matter."""

import logging
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from games.engine.registry import get_game
from games.finders import LIBRARY

logger = logging.getLogger(__name__)

FENCE = "---"


class BadFrontMatter(Exception):
    """A help.md whose head cannot be read; says which line."""


@dataclass(frozen=True)
class Help:
    """A shipped help page. ``tagline`` stands under its title."""

    slug: str
    title: str
    text: str
    aliases: list[str]
    language: str
    summary: str
    tagline: str


@cache
def shipped_help(slug: str) -> Help | None:
    """The help text of a game; None for one without. Raises UnknownGame, BadFrontMatter."""
    path = LIBRARY / slug / "help.md"
    name = get_game(slug).meta.name
    if not path.is_file():
        return None
    head, text = read_front_matter(path)
    return Help(
        slug=slug,
        title=head.get("title", name),
        text=text,
        aliases=[part.strip() for part in head.get("aliases", "").split(",") if part.strip()],
        language=head.get("language", "en"),
        summary=head.get("summary", ""),
        tagline=head.get("tagline", ""),
    )


@cache
def readable_help(slug: str) -> Help | None:
    """As ``shipped_help``; also None where the text cannot be read, which the log says once."""
    try:
        return shipped_help(slug)
    except BadFrontMatter:
        logger.exception("help text left out: game=%s", slug)
        return None


def read_front_matter(path: Path) -> tuple[dict[str, str], str]:
    """The ``key: value`` lines between two ``---`` at the top, and the text below them.

    Raises BadFrontMatter.
    """
    where = f"{path.parent.name}/{path.name}"
    try:
        lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    except (UnicodeDecodeError, OSError) as error:
        raise BadFrontMatter(f"{where}: {error}") from error
    if not lines or lines[0].strip() != FENCE:
        return {}, "".join(lines)
    head = {}
    for number, line in enumerate(lines[1:], 2):
        if line.strip() == FENCE:
            return head, "".join(lines[number:]).lstrip("\n")
        key, colon, value = line.partition(":")
        if not colon:
            raise BadFrontMatter(f"{where}, line {number}: this is no 'key: value'.")
        head[key.strip()] = value.strip()
    raise BadFrontMatter(f"{where}: the front matter has no end.")
