"""Every game of the library, and the tiny one, meets the same tests."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from games.engine.game import Game
from games.engine.registry import all_games, load_game


@cache
def every_game() -> dict[str, Game[Any, Any, Any]]:
    return {**all_games(), "tiny": load_game("tests.games.tiny")}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """The tests of a game run in one process, which keeps its random games (``walks``)."""
    if "game" in metafunc.fixturenames:
        games = [
            pytest.param(game, id=slug, marks=pytest.mark.xdist_group(f"random {slug}"))
            for slug, game in every_game().items()
        ]
        metafunc.parametrize("game", games)
