"""Abandon All Artichokes: what a recorded game cannot show. Counts, chance, what is known, bots."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.engine import Match, Rng, choose, read_options, seed_from_int
from games.engine.registry import get_game
from games.library.abandonallartichokes import garden, worlds
from games.library.abandonallartichokes.material import (
    ARTICHOKE,
    COMPOSTED,
    COPIES,
    NAMES,
    NEEDS,
    REFRESHES,
    VEGETABLES,
)
from games.library.abandonallartichokes.rules import (
    ArtichokesOptions,
    ArtichokesState,
    Done,
    Harvest,
    Pick,
    Play,
)

GAME = get_game("abandonallartichokes")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "abandonallartichokes.json"


def start(seats: int = 2, seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    chosen = read_options(ArtichokesOptions, options)
    return Match.start(GAME, seats, chosen, seed_from_int(seed))


def at(seats: int = 2, seed: int = 1, **fields: Any) -> Match[Any, Any, Any]:
    """A table where seat 0 plays, with these ``fields`` of the state and one artichoke elsewhere."""
    options = read_options(ArtichokesOptions, fields.pop("options", {}))
    fields = {
        "hands": [[ARTICHOKE] for _ in range(seats)],
        "decks": [[ARTICHOKE] for _ in range(seats)],
        "discards": [[] for _ in range(seats)],
        "stack": [],
        "phase": "play",
    } | fields
    state = ArtichokesState(options=options, **fields)
    return Match.at(GAME, seats, options, seed_from_int(seed), state)


def play_on(match: Match[Any, Any, Any], rng: Rng, plies: int = 10_000) -> None:
    """Random moves to the end, or so many."""
    for _ in range(plies):
        if match.outcome is not None:
            return
        asked = sorted(match.pending())
        seat = asked[rng.below(len(asked))]
        items = match.moves(seat).items
        match.act(seat, items[rng.below(len(items))])


# -- the cards -----------------------------------------------------------------------------------


def test_cards_are_those_of_the_specification() -> None:
    if not SPEC.exists():
        pytest.skip("the specification is not beside the repository")
    types = {card["id"]: card for card in json.loads(SPEC.read_text())["card_types"]}
    assert set(types) == set(NAMES)
    assert {card for card, of in types.items() if of["after_play"] == "compost"} == COMPOSTED
    needed = {card: of["requires"].get("own_artichokes_min") for card, of in types.items()}
    assert {card: count for card, count in needed.items() if count} == NEEDS
    assert {types[card]["count"] for card in VEGETABLES} == {COPIES}


@pytest.mark.parametrize("rhubarb", [False, True])
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_no_card_is_lost_or_made(seats: int, rhubarb: bool) -> None:
    match = start(seats, seed=seats, rhubarb=rhubarb)
    rng = Rng(seed_from_int(9))
    kinds = len(VEGETABLES) + rhubarb
    while match.outcome is None:
        play_on(match, rng, 1)
        state = match.state
        piles = [*state.hands, *state.decks, *state.discards, state.row, state.stack, state.compost]
        cards = [card for pile in (*piles, state.revealed) for card in pile]
        cards += [state.in_play] if state.in_play else []
        assert cards.count(ARTICHOKE) == 10 * seats
        assert len(cards) == 10 * seats + COPIES * kinds


# -- the garden ----------------------------------------------------------------------------------


def test_a_row_of_one_kind_is_laid_anew_twenty_times_at_most() -> None:
    match = at(stack=["corn"] * 20)
    too_many, new = garden.fill(match.state, Rng(seed_from_int(1)))
    assert too_many == ["corn"] * REFRESHES
    assert len(match.state.row) == len(new) == 5
    assert len(match.state.stack) == 15


def test_three_of_a_kind_may_lie_in_the_row() -> None:
    match = at(stack=["leek", "leek", "corn", "corn", "corn"])
    assert garden.fill(match.state, Rng(seed_from_int(1)))[0] == []


def test_every_row_that_is_set_up_has_three_of_a_kind_at_most() -> None:
    for seed in range(300):
        row = start(seed=seed).state.row
        assert len(row) == 5
        assert max(row.count(card) for card in row) <= 3


# -- chance --------------------------------------------------------------------------------------


def test_beet_draws_every_card_of_both_hands() -> None:
    drawn = set()
    for seed in range(60):
        hands = [["beet", "corn", "leek"], ["onion", "peas"]]
        match = at(seed=seed, hands=hands)
        match.act(0, Play("beet"))
        drawn.add(tuple(match.state.now.deeds[-1].shown))
    assert drawn == {(mine, theirs) for mine in ("corn", "leek") for theirs in ("onion", "peas")}


def test_any_seat_may_begin() -> None:
    assert {start(4, seed=seed).state.turn for seed in range(40)} == {0, 1, 2, 3}


# -- what is known -------------------------------------------------------------------------------


def same_worlds(match: Match[Any, Any, Any], viewer: int | None) -> list[ArtichokesState]:
    rng = Rng(seed_from_int(4))
    return [GAME.resample(match.state, viewer, rng) for _ in range(30)]


def test_a_card_put_on_the_deck_stays_for_those_who_saw_it() -> None:
    match = at(
        hands=[["corn", "pepper", ARTICHOKE], ["leek", "beet"]],
        decks=[["onion", "peas"], [ARTICHOKE]],
        discards=[["carrot", "beet"], []],
        row=["broccoli"],
    )
    match.act(0, Play("corn"))
    match.act(0, Pick("broccoli"))
    match.act(0, Play("pepper"))
    match.act(0, Pick("carrot"))
    for viewer, below in ((0, {"carrot"}), (1, None), (None, None)):
        tops = {world.decks[0][-1] for world in same_worlds(match, viewer)}
        assert {world.decks[0][-2] for world in same_worlds(match, viewer)} == {"broccoli"}
        assert tops == below if below else len(tops) > 1
    match.act(0, Done())
    assert match.state.known[0] == []


def test_what_a_player_owns_stays_that_players() -> None:
    match = start(3, seed=2, show_artichoke_counts=True)
    play_on(match, Rng(seed_from_int(2)), 40)
    assert match.outcome is None
    counts = GAME.view(match.state, 0)["artichokes"]
    for world in same_worlds(match, 0):
        assert GAME.view(world, 0)["artichokes"] == counts
        assert world.hands[0] == match.state.hands[0]
        assert sorted(world.decks[0]) == sorted(match.state.decks[0])


def test_an_open_choice_is_one_of_the_hand() -> None:
    match = at(3, hands=[["eggplant", ARTICHOKE], ["leek", "beet"], ["corn"]])
    match.act(0, Play("eggplant"))
    match.act(1, match.moves(1).items[0])
    for world in same_worlds(match, 0):
        assert set(world.passes[1]) <= set(world.hands[1])
        assert len(world.passes[1]) == 2


def test_nothing_is_hidden_when_it_is_over() -> None:
    match = at(hands=[["corn"], [ARTICHOKE]], decks=[[], [ARTICHOKE]])
    match.act(0, Done())
    world = msgspec.convert(msgspec.to_builtins(match.state), ArtichokesState)
    worlds.redeal(world, None, Rng(seed_from_int(1)))
    assert world == match.state
    assert GAME.reveal(match.state)["hands"] == [["corn"], [ARTICHOKE]]


# -- options -------------------------------------------------------------------------------------


def test_the_only_opponent_is_asked_for_where_nothing_is_automatic() -> None:
    for auto in (True, False):
        match = at(hands=[["onion", ARTICHOKE], [ARTICHOKE]], options={"auto_target": auto})
        match.act(0, Play("onion"))
        assert match.state.phase == ("play" if auto else "onion_target")


def test_artichokes_are_counted_only_where_the_option_says_so() -> None:
    assert GAME.standing(start().state) == []
    assert GAME.standing(start(show_artichoke_counts=True).state) == [10, 10]
    assert GAME.view(start().state, 0)["artichokes"] == []


def test_rhubarb_is_in_the_garden_only_where_the_option_says_so() -> None:
    for rhubarb in (False, True):
        state = start(rhubarb=rhubarb).state
        assert (state.row + state.stack).count("rhubarb") == COPIES * rhubarb


# -- bots ----------------------------------------------------------------------------------------


def test_a_bot_that_can_win_at_once_does() -> None:
    """Leaving the artichoke to the opponent makes the next hand clean."""
    match = at(hands=[["onion", ARTICHOKE], [ARTICHOKE] * 5], decks=[["corn"] * 5, [ARTICHOKE] * 5])
    while match.outcome is None:
        match.act(0, choose(match, 0, 2))
    assert match.outcome.ranks == [1, 2]


def test_a_bot_harvests_before_it_plays() -> None:
    match = start(seed=3)
    seat = match.state.turn
    action = choose(match, seat, 2)
    assert isinstance(action, Harvest)
    assert action.card in match.state.row
