"""The engine and the games import nothing that knows the time, chance, the network or Django."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

GAMES = Path(__file__).parents[3] / "games"
FILES = sorted([*GAMES.glob("engine/*.py"), *GAMES.glob("library/**/*.py")])
PURE = {
    "__future__", "abc", "bisect", "collections", "dataclasses", "enum", "functools", "games",
    "hashlib", "heapq", "importlib", "itertools", "json", "logging", "math", "msgspec", "operator", "pkgutil",
    "re", "struct", "typing",
}  # fmt: skip
CALLS = {"open", "exec", "eval", "input", "print", "hash", "id"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(GAMES)))
def test_pure(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module or ""]
        else:
            names = []
        for name in names:
            top, _, rest = name.partition(".")
            assert top in PURE, f"line {node.lineno}: imports {name}"
            inner = rest.partition(".")[0]
            assert top != "games" or inner in {"engine", "library"}, f"line {node.lineno}: {name}"
            if inner == "library":
                slug = path.relative_to(GAMES).parts[1]
                assert name.split(".")[2] == slug, f"line {node.lineno}: {name} is another game"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "hash" and path.name == "messages.py":
                continue  # Msg.__hash__ decides nothing
            assert node.func.id not in CALLS, f"line {node.lineno}: calls {node.func.id}"
