"""``manage.py playout`` as people call it."""

from __future__ import annotations

import json
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.engine import all_games, get_game, pairwise


def playout(*arguments: str) -> str:
    out = StringIO()
    call_command("playout", *arguments, stdout=out)
    return out.getvalue()


@pytest.mark.parametrize("slug", list(all_games()))
def test_it_goes_through_all_seats_and_options(slug: str) -> None:
    report = json.loads(playout(slug, "--games", "6", "--json"))
    game = get_game(slug)
    assert report["setups"] == len(list(pairwise(game.options_type, game.meta.seats)))
    assert sum(report["outcomes"].values()) == report["games"] == 6
    assert report["shortest"] * 6 <= report["plies"] <= report["longest"] * 6
    assert report["moves_per_s"] > 0


def test_the_same_seed_plays_the_same_games() -> None:
    one, two, other = (
        json.loads(playout("nibble", "--games", "3", "--seed", seed, "--json"))
        for seed in ("5", "5", "6")
    )
    for report in (one, two, other):
        del report["moves_per_s"]
    assert one == two
    assert one != other


def test_seats_and_options_can_be_chosen() -> None:
    options = '{"early_majority": false}'
    told = playout("nibble", "--games", "2", "--seats", "2", "--options", options)
    assert told.startswith("Nibble: 2 games over 1 setups")
    assert "early_majority" not in told


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["chess"], "no game called chess"),
        (["hearts", "--seats", "3"], "Hearts is played by 4, not by 3"),
        (["hearts", "--options", "{"], "--options is no JSON"),
        (["hearts", "--options", '{"depth": 3}'], "no option depth"),
        (["hearts", "--options", '{"start_score": 50}'], "An option cannot be that"),
        (["hearts", "--games", "0"], "at least 1"),
        (["hearts", "--seed", "-1"], "must not be negative"),
    ],
)
def test_nonsense_is_told_in_words(arguments: list[str], told: str) -> None:
    with pytest.raises(CommandError, match=told):
        playout(*arguments)
