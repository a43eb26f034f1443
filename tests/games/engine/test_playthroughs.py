"""Every recorded game of the library is played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from games.engine.playthrough import PlaythroughError, run_playthrough, write_playthrough
from games.engine.registry import all_games
from tests.games.engine.conftest import every_game
from tests.games.engine.walks import walks

LIBRARY = Path(__file__).parents[3] / "games" / "library"
FILES = sorted(LIBRARY.glob("*/playthroughs/*"))  # one of another name would be no test


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parts[-3]}-{path.stem}")
def test_playthrough(path: Path) -> None:
    assert path.suffix == ".txt"
    run_playthrough(all_games()[path.parts[-3]], path.read_text())


def test_every_game_has_a_playthrough() -> None:
    assert {path.parts[-3] for path in FILES} == set(all_games())


def tiny(text: str) -> tuple[object, object]:
    return run_playthrough(every_game()["tiny"], text)


HEAD = "seed: 7\nseats: 2\n\n"


def test_what_is_not_so_is_told_with_its_line() -> None:
    for text, told in [
        ('> 0 {"type": "choose", "card": 99}', "line 4: refused (not_held)"),
        ('! not_held 0 {"type": "done"}', "line 4: refused with illegal_move, not not_held"),
        ("round: 2", "line 4: round is 1, not 2"),
        ("> 0 {", "line 4: no JSON"),
        ("what is this", "line 4: cannot be read"),
        ("> x {}", "line 4: a seat is a number"),
    ]:
        with pytest.raises(PlaythroughError) as refused:
            tiny(HEAD + text)
        assert str(refused.value).startswith(told)


def test_a_part_of_the_view_is_named_by_its_path() -> None:
    tiny(HEAD + "points.1: 0\nview.0.chosen.0: false\npoints.9: null\nround.deep: null")


@pytest.mark.parametrize("slug", list(every_game()))
def test_writer_and_reader_agree(slug: str) -> None:
    game = every_game()[slug]
    for walk in walks(game)[:4]:
        fields = [field for field in game.view(walk.end.state, None) if "." not in field]
        text = write_playthrough(walk.end, walk.rows, fields=fields)
        again, _ = run_playthrough(game, text)
        assert again.digest() == walk.end.digest()
