"""The catalogues of the games: whole, true to their keys, and of nothing that nobody says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games import translation
from games.engine import all_games
from games.engine.errors import IllegalMove
from games.engine.options import option_fields
from tests.games.engine.walks import Anygame, walks

FIELD = re.compile(r"\{(\w+)\}")
GAMES = Path(translation.__file__).parent
CATALOGUES = [
    (slug, path)
    for slug in all_games()
    for path in sorted((translation.LIBRARY / slug / "locale").glob("*.json"))
]
every_catalogue = pytest.mark.parametrize(
    ("slug", "path"), CATALOGUES, ids=[f"{slug}-{path.stem}" for slug, path in CATALOGUES]
)


def test_there_are_catalogues() -> None:
    assert {("hearts", "de"), ("nibble", "de")} <= {(slug, path.stem) for slug, path in CATALOGUES}


@pytest.mark.parametrize(
    "path",
    [*(path for _, path in CATALOGUES), *sorted(translation.SHARED.glob("*.json"))],
    ids=lambda path: str(path.relative_to(GAMES)),
)
def test_a_catalogue_keeps_the_parameters(path: Path) -> None:
    for key, text in translation.read_catalogue(path).items():
        if text:
            assert sorted(set(FIELD.findall(text))) == sorted(set(FIELD.findall(key))), key
            assert text.count("{") == text.count("}") == len(FIELD.findall(text)), text
            assert (key[-1] in ".?!") == (text[-1] in ".?!"), text


@every_catalogue
def test_a_catalogue_has_no_text_that_the_game_does_not(slug: str, path: Path) -> None:
    assert set(translation.read_catalogue(path)) - strings(slug) == set()


@every_catalogue
def test_a_catalogue_has_every_text_of_the_game(slug: str, path: Path) -> None:
    """One that is not translated yet stands there as an empty text: then it is told in English."""
    wanted = said(all_games()[slug]) | literals(slug) | options(all_games()[slug])
    shared = translation.SHARED / path.name
    everywhere = set(translation.read_catalogue(shared)) if shared.is_file() else set()
    assert wanted - set(translation.read_catalogue(path)) - everywhere == set()


@pytest.mark.parametrize(
    "path", sorted(translation.SHARED.glob("*.json")), ids=lambda path: path.stem
)
def test_what_is_said_everywhere_is_said_somewhere(path: Path) -> None:
    files = [*GAMES.glob("engine/*.py"), *GAMES.glob("services/*.py"), GAMES / "errors.py"]
    code = [ast.parse(file.read_text()) for file in files]
    assert set(translation.read_catalogue(path)) - constants(code) == set()


@cache
def trees(slug: str) -> list[ast.Module]:
    return [ast.parse(file.read_text()) for file in (translation.LIBRARY / slug).glob("*.py")]


def strings(slug: str) -> set[str]:
    """Every string in the game's code."""
    return constants(trees(slug))


def constants(code: list[ast.Module]) -> set[str]:
    nodes = (node for tree in code for node in ast.walk(tree))
    return {
        node.value for node in nodes if isinstance(node, ast.Constant) and type(node.value) is str
    }


def literals(slug: str) -> set[str]:
    """The texts that the code writes out where it makes a text, or a refusal."""
    found = set()
    for node in (node for tree in trees(slug) for node in ast.walk(tree)):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id == "Msg":
            parts = [
                *node.args[:1],
                *(one.value for one in node.keywords if one.arg in {"you", "to_you"}),
            ]
        elif node.func.id == "IllegalMove":
            parts = node.args[1:2]
        else:
            continue
        found |= {part.value for part in parts if isinstance(part, ast.Constant) and part.value}
    return found


def options(game: Anygame) -> set[str]:
    """The words of the form for a new table."""
    found = set()
    for field in option_fields(game.options_type):
        found |= {field.title, field.description, *(label for _, label in field.choices)}
    return found - {"", "yes", "no"}


def said(game: Anygame) -> set[str]:
    """Whatever is said in random games: log, questions, reasons, moves in words, views, results."""
    found: set[str] = set()
    for walk in walks(game)[:12]:
        for line in game.opening(walk.places[0].match.state):
            found |= set(texts(line.msg))
        for row in walk.rows:
            for line in row.lines:
                found |= set(texts(line.msg))
        for place in walk.places[:: max(1, len(walk.places) // 40)] + walk.places[-1:]:
            match = place.match
            found |= set(texts(game.summary(match.state)))
            for seat in (None, *range(match.seats)):
                found |= set(texts(game.view(match.state, seat)))
            for seat in match.pending():
                moves = match.moves(seat)
                found |= set(texts(moves.prompt))
                for _, reason in moves.refused:
                    found |= set(texts(reason))
                for action in moves.items[:5]:
                    found |= set(texts(game.label(match.state, seat, action)))
                    found |= refusals(game, match.state, seat, action)
            if (outcome := match.outcome) is not None:
                found |= set(texts(outcome.text)) | set(texts(game.reveal(match.state)))
            else:
                found |= set(texts(game.forfeit(match.state, 0).text))
    return found


def refusals(game: Anygame, state: Any, seat: int, action: Any) -> set[str]:
    """What is said of a move that does, to the seats that are not asked for it."""
    found: set[str] = set()
    for other in game.pending(state):
        if other != seat:
            try:
                game.check(state, other, action)
            except IllegalMove as refused:
                found |= set(texts(refused.msg))
    return found


def texts(value: Any) -> Iterator[str]:
    """Every text inside of ``value``, be it a Msg or JSON."""
    if hasattr(value, "data"):
        value = value.data()
    elif isinstance(value, msgspec.Struct):
        value = msgspec.to_builtins(value)
    if isinstance(value, list | tuple):
        for part in value:
            yield from texts(part)
    elif isinstance(value, dict):
        if isinstance(value.get("params"), dict):
            yield from (value[name] for name in ("text", "you", "to_you") if name in value)
            yield from texts(value["params"])
        else:
            yield from texts(list(value.values()))
