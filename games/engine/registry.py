"""The games that are there: every folder of the library with a ``rules.py`` that can be read."""

from __future__ import annotations

import importlib
import importlib.util
import logging
import pkgutil
from functools import cache
from typing import Any, NamedTuple

from games.engine.errors import BrokenGame, UnknownGame
from games.engine.game import Game, Meta

logger = logging.getLogger(__name__)

LIBRARY = "games.library"


class Library(NamedTuple):
    games: dict[str, Game[Any, Any, Any]]  # in the order of their slugs
    broken: dict[str, Exception]  # slug -> why its rules cannot be read


def all_games() -> dict[str, Game[Any, Any, Any]]:
    """Slug -> game, in the order of their slugs. A folder whose rules cannot be read is left out, and the
    log says why."""
    return read_library().games


def broken_games() -> dict[str, Exception]:
    """Slug -> why the rules in this folder cannot be read."""
    return read_library().broken


@cache
def read_library() -> Library:
    """Every folder of the library, read once."""
    package = importlib.import_module(LIBRARY)
    found = Library({}, {})
    for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
        if not entry.ispkg:
            continue
        try:
            if importlib.util.find_spec(f"{LIBRARY}.{entry.name}.rules"):
                found.games[entry.name] = load_game(f"{LIBRARY}.{entry.name}")
        except Exception as error:
            found.broken[entry.name] = error
            logger.exception("game left out, its rules cannot be read: game=%s", entry.name)
    return found


def get_game(slug: str) -> Game[Any, Any, Any]:
    """The game of this slug. Raises ``UnknownGame``, of a folder that cannot be read ``BrokenGame``."""
    try:
        return all_games()[slug]
    except KeyError:
        raise (BrokenGame if slug in broken_games() else UnknownGame)(slug) from None


def game_name(slug: str) -> str:
    """What the game is called; of one that is not there, what is known of that."""
    game = all_games().get(slug)
    return slug.capitalize() if game is None else game.meta.name


def load_game(package: str) -> Game[Any, Any, Any]:
    """The one ``Game`` defined in ``package.rules``; its slug is the folder's name."""
    rules = importlib.import_module(f"{package}.rules")
    found = [
        thing
        for thing in vars(rules).values()
        if isinstance(thing, type)
        and issubclass(thing, Game)
        and thing.__module__ == rules.__name__
    ]
    if len(found) != 1 or found[0].slug != package.rpartition(".")[2]:
        raise ImportError(f"{package}.rules must define one Game whose slug is the folder's name.")
    game: Game[Any, Any, Any] = found[0]()
    for name in ("version", "meta", "state_type", "action_type", "options_type"):
        if not hasattr(game, name):
            raise ImportError(f"The game of {package}.rules has no {name}.")
    if not isinstance(game.meta, Meta) or not game.meta.seats:
        raise ImportError(f"The meta of {package}.rules must be a Meta, with the seats it is for.")
    return game
