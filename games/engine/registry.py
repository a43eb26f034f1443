"""The games that are there: every folder of the library with a ``rules.py``."""

from __future__ import annotations

import importlib
import importlib.util
import pkgutil
from functools import cache
from typing import Any

from games.engine.errors import UnknownGame
from games.engine.game import Game

LIBRARY = "games.library"


@cache
def all_games() -> dict[str, Game[Any, Any, Any]]:
    """Slug -> game, in the order of their slugs."""
    package = importlib.import_module(LIBRARY)
    found = {}
    for entry in sorted(pkgutil.iter_modules(package.__path__), key=lambda entry: entry.name):
        if entry.ispkg and importlib.util.find_spec(f"{LIBRARY}.{entry.name}.rules"):
            found[entry.name] = load_game(f"{LIBRARY}.{entry.name}")
    return found


def get_game(slug: str) -> Game[Any, Any, Any]:
    """The game of this slug. Raises ``UnknownGame``."""
    try:
        return all_games()[slug]
    except KeyError:
        raise UnknownGame(slug) from None


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
    return game
