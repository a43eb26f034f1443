"""Messages, options, registry."""

from __future__ import annotations

from itertools import combinations

import pytest

from games.engine import (
    BadOptions,
    Msg,
    UnknownGame,
    get_game,
    option_fields,
    pairwise,
    read_options,
)
from games.engine.options import differing
from tests.games.engine.conftest import every_game
from tests.games.tiny.rules import TinyOptions


def test_a_message_names_people_and_cards() -> None:
    msg = Msg("{seat} plays {card}.", you="You play {card}.", seat=1, card="QS")
    assert msg.plain(["Ada", "Bob"]) == "Bob plays Queen of spades."
    assert msg.plain(["Ada", "Bob"], viewer=1) == "You play Queen of spades."
    assert msg.plain() == "Seat 2 plays Queen of spades."


def test_a_message_survives_json_with_messages_inside() -> None:
    msg = Msg(
        "Take {colours} and {cards}.", colours=[Msg("green"), Msg("red")], cards=["2C", "10H"]
    )
    assert Msg.from_data(msg.data()) == msg
    assert msg.plain() == "Take green, red and 2 of clubs, 10 of hearts."


def test_a_message_speaks_to_both_people_in_it() -> None:
    msg = Msg(
        "{seat} gives {seat_to} a card.",
        you="You give {seat_to} a card.",
        to_you="{seat} gives you a card.",
        seat=0,
        seat_to=2,
    )
    names = ["Ada", "Bob", "Cy"]
    assert [msg.plain(names, viewer) for viewer in (0, 1, 2)] == [
        "You give Cy a card.",
        "Ada gives Cy a card.",
        "Ada gives you a card.",
    ]
    assert Msg.from_data(msg.data()) == msg


def test_braces_that_name_nothing_stay() -> None:
    assert Msg("a {b} c").plain() == "a {b} c"


def test_options_are_described_for_a_form() -> None:
    high, throws = option_fields(TinyOptions)
    assert high.title == "Highest card"
    assert high.choices == [(9, "nine"), (6, "6")]
    assert throws.choices == [(True, "yes"), (False, "no")]


@pytest.mark.parametrize(
    "data",
    [{"high": 7}, {"high": "9"}, {"throws": "yes"}, {"depth": 1}, [], None, {"throws": None}],
)
def test_options_that_are_none_are_refused(data: object) -> None:
    with pytest.raises(BadOptions) as refused:
        read_options(TinyOptions, data)
    assert refused.value.code == "bad_options"


def test_what_is_left_out_has_its_default() -> None:
    assert read_options(TinyOptions, {"throws": False}) == TinyOptions(9, False)
    assert [(f.name, v, label) for f, v, label in differing(TinyOptions(6))] == [("high", 6, "6")]


@pytest.mark.parametrize("slug", list(every_game()))
def test_pairwise_holds_every_pair(slug: str) -> None:
    game = every_game()[slug]
    fields = option_fields(game.options_type)
    rows = [
        [count, *(getattr(options, field.name) for field in fields)]
        for count, options in pairwise(game.options_type, game.meta.seats)
    ]
    columns = [game.meta.seats, *([value for value, _ in field.choices] for field in fields)]
    assert {row[0] for row in rows} == set(game.meta.seats)
    for (i, one), (j, two) in combinations(enumerate(columns), 2):
        assert {(row[i], row[j]) for row in rows} == {(a, b) for a in one for b in two}


def test_an_unknown_game_is_refused_in_words() -> None:
    with pytest.raises(UnknownGame, match="no game called chess"):
        get_game("chess")
