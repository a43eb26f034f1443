"""The runtime on the tiny game: turns of several steps, secret simultaneous choices, chance."""

from __future__ import annotations

from typing import Any

import pytest

from games.engine import IllegalMove, Match, Moves, Msg, Row, choose, seed_from_int
from tests.games.engine.conftest import every_game
from tests.games.tiny.rules import Choose, Count, Done, Throw, TinyOptions


@pytest.fixture
def match() -> Match[Any, Any, Any]:
    return Match.start(every_game()["tiny"], 3, TinyOptions(), seed_from_int(7))


def pick(match: Match[Any, Any, Any], seat: int) -> Choose:
    return Choose(match.state.hands[seat][0])


def test_two_who_choose_at_once_do_not_make_each_other_stale(match: Match[Any, Any, Any]) -> None:
    match.act(1, pick(match, 1))
    assert match.asked_at[0] == 0
    assert match.asked_at[2] == 0


def test_a_resolved_choice_asks_anew(match: Match[Any, Any, Any]) -> None:
    for seat in (2, 0, 1):
        match.act(seat, pick(match, seat))
    assert match.asked_at[0] == match.ply == 3


def test_an_unresolved_choice_is_taken_back_whatever_others_did(
    match: Match[Any, Any, Any],
) -> None:
    rows = [match.act(0, pick(match, 0)), match.act(1, pick(match, 1))]
    rows.append(match.undo(0, rows))
    assert sorted(match.pending()) == [0, 2]
    assert match.state.chosen[1] is not None
    assert match.undoable(1) == 2
    assert match.asked_at == [3, 0, 0]
    rows.append(match.undo(1, rows))
    assert sorted(match.pending()) == [0, 1, 2]


def test_a_resolved_choice_stays(match: Match[Any, Any, Any]) -> None:
    for seat in range(3):
        match.act(seat, pick(match, seat))
    assert [match.undoable(seat) for seat in range(3)] == [None, None, None]


def test_who_chooses_last_sees_the_others_and_cannot_take_that_back(
    match: Match[Any, Any, Any],
) -> None:
    rows = [match.act(seat, pick(match, seat)) for seat in (1, 2, 0)]
    assert 0 in match.pending()
    assert match.undoable(0) is None
    assert [row.barrier for row in rows] == [False, False, True]


def resolved(match: Match[Any, Any, Any]) -> list[Row]:
    return [match.act(seat, pick(match, seat)) for seat in range(3)]


def test_undo_goes_back_inside_a_turn_step_by_step(match: Match[Any, Any, Any]) -> None:
    rows = resolved(match)
    rows += [match.act(0, Count()), match.act(0, Count())]
    rows.append(match.undo(0, rows))
    assert match.state.counted == 1
    assert match.undoable(0) == 4
    rows.append(match.undo(0, rows))
    assert match.state.counted == 0
    assert match.undoable(0) is None
    assert match.ply == 7


def test_undo_stops_at_a_draw(match: Match[Any, Any, Any]) -> None:
    rows = resolved(match)
    rows += [match.act(0, Count()), match.act(0, Throw())]
    assert rows[-1].barrier
    with pytest.raises(IllegalMove, match="Nothing of yours"):
        match.undo(0, rows)


def test_undo_then_the_same_again_gives_the_same_game(match: Match[Any, Any, Any]) -> None:
    rows = resolved(match)
    rows.append(match.act(0, Count()))
    before = match.digest()
    rows.append(match.undo(0, rows))
    rows.append(match.act(0, Count()))
    assert match.digest() == before


def test_a_refused_action_changes_nothing(match: Match[Any, Any, Any]) -> None:
    before = match.snapshot()
    with pytest.raises(IllegalMove):
        match.act(0, Choose(99))
    assert match.snapshot() == before


def test_forfeit_ends_the_game_against_the_seat(match: Match[Any, Any, Any]) -> None:
    row = match.note("leave", 1, {"effect": "forfeit"})
    assert match.outcome is not None
    assert match.outcome.ranks[1] == 3
    assert match.pending() == {}
    again = Match.restore(match.game, 3, match.options, match.seed, [row])
    assert again.digest() == match.digest()
    with pytest.raises(IllegalMove, match="The game is over"):
        match.act(0, pick(match, 0))


@pytest.mark.parametrize(
    ("kind", "reason", "words"),
    [
        ("leave", "forfeit", "Bob gives up."),
        ("time-out", "time", "Bob ran out of time and loses."),
        ("system", "time", "Bob ran out of time and loses."),
    ],
)
def test_a_forfeit_says_why(
    match: Match[Any, Any, Any], kind: str, reason: str, words: str
) -> None:
    row = match.note(kind, 1, {"effect": "forfeit"})
    assert match.outcome is not None
    assert match.outcome.reason == reason
    assert Msg.from_data(match.outcome.text).plain(["Ada", "Bob", "Cy"]) == words
    again = Match.restore(match.game, 3, match.options, match.seed, [row])
    assert again.outcome == match.outcome


def test_a_zombie_row_leaves_the_state_alone(match: Match[Any, Any, Any]) -> None:
    before = match.digest()
    match.note("time-out", 1, {"effect": "zombie"})
    assert match.digest() == before
    assert match.ply == 1


def test_who_gives_up_a_solo_game_loses_it() -> None:
    match = Match.start(every_game()["tiny"], 1, TinyOptions(), seed_from_int(7))
    match.note("leave", 0, {"effect": "forfeit"})
    assert match.outcome is not None
    assert match.outcome.won is False


@pytest.mark.parametrize("level", [0, 1, 2])
def test_bots_play_a_game_to_its_end(match: Match[Any, Any, Any], level: int) -> None:
    while match.outcome is None:
        seat = min(match.pending())
        match.act(seat, choose(match, seat, level))
    assert match.state.round == 4


def test_bots_choose_the_same_from_the_same_position(match: Match[Any, Any, Any]) -> None:
    assert choose(match, 1, 2) == choose(match, 1, 2)
    assert match.rng_position == Match.start(match.game, 3, match.options, match.seed).rng_position


def test_one_example_is_not_the_only_move(match: Match[Any, Any, Any]) -> None:
    class Draft(type(match.game)):  # type: ignore[misc]
        """Lists one card as an example and knows of both."""

        def moves(self, state: Any, seat: int) -> Moves[Any]:
            found = super().moves(state, seat)
            return found if state.ending else Moves(found.items[:1], complete=False)

        def ideas(self, state: Any, seat: int) -> Any:
            return super().moves(state, seat).items

    match.game = Draft()
    low, high = match.state.hands[0]
    assert low < high
    assert [choose(match, 0, level) for level in (0, 1, 2)] == [
        Choose(low),
        Choose(low),
        Choose(high),
    ]


def test_a_game_may_think_in_worlds_that_look_the_same(match: Match[Any, Any, Any]) -> None:
    class Thinker(type(match.game)):  # type: ignore[misc]
        def think(self, worlds: Any, seat: int, rng: Any) -> Any:
            seen = [next(worlds).hands for _ in range(20)]
            assert all(hands[seat] == match.state.hands[seat] for hands in seen)
            assert len({str(hands) for hands in seen}) > 1
            return Choose(seen[0][seat][0])

    match.game = Thinker()
    assert choose(match, 0, 2) == pick(match, 0)


def test_a_greedy_bot_sees_no_more_than_its_seat(match: Match[Any, Any, Any]) -> None:
    from games.engine import Rng

    chosen = choose(match, 0, 2)
    for number in range(20):
        match.state = match.game.resample(match.state, 0, Rng(seed_from_int(number)))
        assert choose(match, 0, 2) == chosen


def test_done_is_an_action(match: Match[Any, Any, Any]) -> None:
    rows = resolved(match)
    rows.append(match.act(0, Done()))
    assert match.state.round == 2
    assert rows[-1].barrier
