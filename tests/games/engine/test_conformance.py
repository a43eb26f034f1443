"""What must hold for any game; a new folder gets all of it for free."""

from __future__ import annotations

import json
import math
import re
from typing import Any

import msgspec
import pytest

from games.engine import LazyMoves, Match, Msg, Outcome, Rng, Snapshot, Step, choose, private_copy
from games.engine.errors import IllegalMove
from games.engine.game import Line
from games.engine.match import Row
from tests.games.engine import fuzz
from tests.games.engine.walks import Anygame, Place, asked, places, undoable, walks

NAMES = ["Ada", "Bob", "Cy", "Dunya", "Eve", "Finn", "Gül", "Hari"]
SHOWN = 60  # moves of a list that a table shows
WORLDS = 2  # states that look the same, for each question
HINTS = 4  # positions in which one asks for a hint, which may take seconds
FEW = 5  # seen less often than that, nothing is concluded
BACKSLIDE = 0.5  # progress may be found to be less than was thought, but not by more


def through_json(kind: Any, value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def worlds(game: Anygame, place: Place, viewer: int | None, rng: Rng) -> list[Any]:
    state = place.match.state
    return [game.resample(private_copy(game, state), viewer, rng) for _ in range(WORLDS)]


# -- games go on and end ---------------------------------------------------------------------


def test_random_games_end_for_all_seats(game: Anygame) -> None:
    ended = set()
    for walk in walks(game):
        if walk.end.outcome is None:
            assert len(walk.rows) < game.meta.max_plies, f"{walk} does not end"
            continue
        ended.add(walk.seats)
        assert walk.end.pending() == {}
    assert ended == set(game.meta.seats)


def test_somebody_is_asked_or_it_is_over(game: Anygame) -> None:
    for walk in walks(game):
        for place in walk.places:
            pending, outcome = game.pending(place.match.state), game.outcome(place.match.state)
            assert bool(pending) != (outcome is not None), f"{place}"
            assert set(pending) <= set(range(walk.seats))
            assert all(isinstance(key, str) and key for key in pending.values())
            assert game.seat_count(place.match.state) == walk.seats


def test_games_end_where_nobody_answers(game: Anygame) -> None:
    """The first of ``moves`` is what is played for people who left: it must lead to the end."""
    for seats in game.meta.seats:
        match = Match.start(game, seats, game.options_type(), bytes(32))
        while match.outcome is None:
            assert match.ply < game.meta.max_plies, f"{seats} quiet seats play for ever"
            for seat in list(match.pending()):
                if seat in match.pending():
                    match.act(seat, match.moves(seat).items[0])


def test_states_survive_json(game: Anygame) -> None:
    for walk in walks(game):
        for place in walk.places:
            assert through_json(game.state_type, place.match.state) == place.match.state, f"{place}"


def test_outcomes_rank_every_seat(game: Anygame) -> None:
    for walk in walks(game):
        if walk.end.outcome is not None:
            assert_ranks(walk.end.outcome, walk.seats)
    for place in places(game):
        if place.match.outcome is None:
            for seat in range(place.match.seats):
                outcome = game.forfeit(place.match.state, seat)
                assert_ranks(outcome, place.match.seats)
                assert outcome.ranks[seat] == max(outcome.ranks)
                assert not outcome.won


def assert_ranks(outcome: Outcome, seats: int) -> None:
    """1 is first, ties share a rank, and a rank counts those before it: 1 2 2 4."""
    ranks = outcome.ranks
    assert len(ranks) == seats
    assert ranks == [1 + sum(other < rank for other in ranks) for rank in ranks]
    assert outcome.scores == [] or len(outcome.scores) == seats
    assert outcome.won is None or seats == 1
    assert outcome.reason
    assert_text(outcome.text, seats)
    assert through_json(Outcome, outcome) == outcome


def test_progress_goes_from_nothing_to_all(game: Anygame) -> None:
    for walk in walks(game):
        highest = 0.0
        for place in walk.places:
            progress = game.progress(place.match.state)
            assert 0 <= progress <= 1, f"{place}"
            assert progress >= highest - BACKSLIDE, f"{place}: from {highest} to {progress}"
            highest = max(highest, progress)


# -- the log ---------------------------------------------------------------------------------


def test_the_log_alone_gives_the_same_game(game: Anygame) -> None:
    for walk in walks(game):
        read = [through_json(Row, row) for row in walk.rows]
        again = Match.restore(game, walk.seats, walk.options, walk.end.seed, read)
        assert again.digest() == walk.end.digest(), f"{walk}"
        assert again.snapshot() == walk.end.snapshot()


def test_a_snapshot_goes_on_like_the_match(game: Anygame) -> None:
    for place in places(game):
        match = place.match
        taken = through_json(Snapshot, match.snapshot())
        again = Match.resume(game, match.seats, match.options, match.seed, taken)
        assert again.digest() == match.digest()
        assert again.snapshot() == match.snapshot()


def test_undo_then_the_same_again_gives_the_same_game(game: Anygame) -> None:
    for place, seat in undoable(game):
        rows, match = place.rows, place.fresh()
        number = match.undoable(seat)
        assert number is not None
        action = rows[number - 1].action
        rows.append(match.undo(seat, rows))
        assert seat in match.pending(), f"{place}: seat {seat} is not asked again"
        rows.append(match.act(seat, match.read_action(action)))
        assert match.digest() == place.match.digest(), f"{place}: seat {seat}"
        assert match.pending() == place.match.pending()
        again = Match.restore(game, match.seats, match.options, match.seed, rows)
        assert again.snapshot() == match.snapshot()


def test_lines_are_whole_and_name_seats(game: Anygame) -> None:
    for walk in walks(game):
        for line in game.opening(walk.places[0].match.state):
            assert_line(line, walk.seats)
        for row in walk.rows:
            for line in row.lines:
                assert_line(line, walk.seats)


def assert_line(line: Line, seats: int) -> None:
    assert_text(line.msg, seats)
    if line.to is not None:
        assert line.to
        assert set(line.to) <= set(range(seats))
        assert len(set(line.to)) == len(line.to)


def assert_text(data: dict[str, Any], seats: int) -> None:
    """Every brace is filled, for everybody who reads it; seats are seats of this game."""
    assert json.loads(json.dumps(data)) == data
    msg = Msg.from_data(data)
    for name, value in msg.params.items():
        for part in value if isinstance(value, list) else [value]:
            if name.startswith("seat") and isinstance(part, int):
                assert 0 <= part < seats, f"{msg!r} names seat {part}"
            if isinstance(part, Msg):
                assert_text(part.data(), seats)
    assert msg.you is None or "seat" in msg.params, f"{msg!r}: who is you?"
    assert msg.to_you is None or "seat_to" in msg.params, f"{msg!r}: who is you?"
    for text in (msg.text, msg.you or "", msg.to_you or ""):
        assert set(re.findall(r"\{(\w+)\}", text)) <= set(msg.params), f"{text} {msg.params}"
    for viewer in (None, *range(seats)):
        assert msg.plain(NAMES, viewer).strip()


# -- moves -----------------------------------------------------------------------------------


def test_every_asked_seat_has_moves_that_do(game: Anygame) -> None:
    for place, seat in asked(game):
        match, rng = place.match, place.rng("moves")
        moves = match.moves(seat)
        assert len(moves.items) > 0, f"{place}: seat {seat} is asked and has no answer"
        shown = list(moves.items[:SHOWN])
        assert len({msgspec.json.encode(item) for item in shown}) == len(shown), "a move twice"
        tried = {rng.below(len(moves.items)) for _ in range(8)} | {0}
        ideas = game.ideas(match.state, seat)
        for action in [moves.items[i] for i in tried] + [ideas[rng.below(len(ideas))]]:
            assert through_json(game.action_type, action) == action
            assert match.read_action(msgspec.to_builtins(action)) == action
            game.check(match.state, seat, action)
            assert_text(game.label(match.state, seat, action).data(), match.seats)
            state = private_copy(game, match.state)
            game.apply(state, seat, action, Step(Rng(match.seed, match.rng_position)))
            assert bool(game.pending(state)) != (game.outcome(state) is not None)
        for action in shown:
            assert_text(game.label(match.state, seat, action).data(), match.seats)


def test_lists_of_moves_are_lists(game: Anygame) -> None:
    for place, seat in asked(game, 12):
        items = place.match.moves(seat).items
        count = len(items)
        assert items[0] == items[-count]
        assert items[count - 1] == items[-1] == items[count - 1 : count][0]
        assert list(items[:3]) == [items[i] for i in range(min(3, count))]
        if isinstance(items, LazyMoves):
            with pytest.raises(IndexError):
                items[count]


def test_reasons_and_prompts_are_texts(game: Anygame) -> None:
    for place, seat in asked(game):
        moves = place.match.moves(seat)
        for thing, reason in moves.refused:
            assert isinstance(thing, str)
            assert thing
            assert_text(reason.data(), place.match.seats)
        if moves.prompt is not None:
            assert_text(moves.prompt.data(), place.match.seats)


def test_bots_choose_legal_moves_and_the_same_ones_again(game: Anygame) -> None:
    for place, seat in asked(game, 6):
        for level in (0, 1, 2):
            chosen = choose(place.match, seat, level)
            place.match.check(seat, chosen)
            assert choose(place.fresh(), seat, level) == chosen


def test_seats_that_are_not_asked_cannot_act(game: Anygame) -> None:
    for place in places(game, 20):
        for seat in set(range(place.match.seats)) - set(place.match.pending()):
            for other, asked_seat in asked(game, 3):
                action = other.match.moves(asked_seat).items[0]
                with pytest.raises(IllegalMove) as refused:
                    place.match.act(seat, action)
                assert refused.value.code in {"not_your_turn", "finished"}


# -- bad input -------------------------------------------------------------------------------


def test_nonsense_is_no_action(game: Anygame) -> None:
    match = walks(game)[0].places[0].match
    for nonsense in [*fuzz.NONSENSE, fuzz.deep(900), {"type": "no such thing"}, {"type": 3}]:
        with pytest.raises(IllegalMove) as refused:
            match.read_action(nonsense)
        assert refused.value.code == "malformed_action"


def test_broken_actions_are_refused_in_words_and_change_nothing(game: Anygame) -> None:
    """Wrong types, huge numbers, what others hold, the same twice, nothing at all, deep lists."""
    for place, seat in asked(game):
        before = place.match.snapshot()
        for data in fuzz.actions(place, seat, place.rng("fuzz"), 24):
            match = place.fresh()
            try:
                match.act(seat, match.read_action(data))
            except IllegalMove as error:
                assert_refusal(error, match.seats)
                assert match.snapshot() == before, f"{place}: {data} was refused and changed things"
            else:
                assert through_json(game.state_type, match.state) == match.state


def assert_refusal(error: IllegalMove, seats: int) -> None:
    assert re.fullmatch(r"[a-z][a-z0-9_]*(:\d+)?", error.code), error.code
    assert_text(error.msg.data(), seats)
    assert (
        str(error)[0].isupper() or error.code == "malformed_action" or not str(error)[0].isalpha()
    )


# -- secrets ---------------------------------------------------------------------------------


def seen(game: Anygame, state: Any, seat: int | None) -> bytes:
    """All that the engine says of ``state`` to this viewer."""
    pending = game.pending(state)
    told: dict[str, Any] = {
        "view": game.view(state, seat),
        "pending": list(pending),
        "summary": (summary := game.summary(state)) and summary.data(),
        "standing": game.standing(state),
        "progress": game.progress(state),
        "outcome": game.outcome(state),
    }
    if seat is not None and seat in pending:
        moves, ideas = game.moves(state, seat), game.ideas(state, seat)
        told["key"] = pending[seat]
        told["complete"] = moves.complete
        told["moves"] = [msgspec.to_builtins(item) for item in moves.items]
        told["labels"] = [game.label(state, seat, item).data() for item in moves.items[:SHOWN]]
        told["refused"] = [(thing, reason.data()) for thing, reason in moves.refused]
        told["prompt"] = moves.prompt and moves.prompt.data()
        told["ideas"] = [msgspec.to_builtins(item) for item in ideas]
    return msgspec.json.encode(told)


def test_nobody_sees_what_is_hidden(game: Anygame) -> None:
    differed = False
    for place in places(game):
        state, rng = place.match.state, place.rng("worlds")
        for viewer in place.viewers:
            true = seen(game, state, viewer)
            for other in worlds(game, place, viewer, rng):
                differed |= other != state
                assert seen(game, other, viewer) == true, f"{place}: seat {viewer}"
    assert differed == game.meta.hidden, (
        "Meta.hidden, and resample never differs: it must change what is hidden"
        if game.meta.hidden
        else "resample changes a state in which nothing is hidden"
    )


def test_what_one_seat_hides_is_resampled_for_the_others(game: Anygame) -> None:
    """A resample that changes less for a seat than for a spectator would prove little."""
    changed = {"spectator": 0, "seat": 0}  # views of other seats
    for place in places(game):
        state, rng = place.match.state, place.rng("others")
        for viewer in place.viewers if place.match.seats > 1 else []:
            for other in worlds(game, place, viewer, rng):
                changed["spectator" if viewer is None else "seat"] += sum(
                    game.view(other, seat) != game.view(state, seat)
                    for seat in range(place.match.seats)
                    if seat != viewer
                )
    assert changed["seat"] or changed["spectator"] < FEW, changed


def test_verdicts_do_not_depend_on_secrets(game: Anygame) -> None:
    """Also for actions that name what others hold: the same code and the same sentence."""
    for place, seat in asked(game):
        rng = place.rng("verdicts")
        others = worlds(game, place, seat, rng)
        for data in fuzz.actions(place, seat, rng, 24):
            try:
                action = place.match.read_action(data)
            except IllegalMove:
                continue
            true = verdict(game, place.match.state, seat, action)
            for other in others:
                assert verdict(game, other, seat, action) == true, f"{place}: seat {seat}, {data}"


def verdict(game: Anygame, state: Any, seat: int, action: Any) -> tuple[str, str] | None:
    """Code and sentence of a refusal; the label of what may be done."""
    try:
        game.check(state, seat, action)
    except IllegalMove as error:
        return error.code, str(error)
    return "", game.label(state, seat, action).plain(NAMES, seat)


def test_hints_do_not_depend_on_secrets(game: Anygame) -> None:
    """The same sentence in every world that looks the same to who asks; asking changes nothing."""
    if not game.advises:
        return
    for place, seat in asked(game, HINTS):
        state, rng = place.match.state, place.rng("hints")
        before = msgspec.json.encode(state)
        said = advice(game, state, seat)
        for other in worlds(game, place, seat, rng):
            assert advice(game, other, seat) == said, f"{place}: seat {seat}"
        assert msgspec.json.encode(state) == before, f"{place}: seat {seat}"


def advice(game: Anygame, state: Any, seat: int) -> Any:
    """The hint for ``seat`` as data; a text that can be shown."""
    said = game.advice(state, seat)
    if said is not None:
        assert_text(said.data(), game.seat_count(state))
    return said and said.data()


def test_what_can_be_taken_back_has_shown_nothing(game: Anygame) -> None:
    """Worlds that looked the same to a seat before its move still do after it; or it is a barrier."""
    for place, seat in asked(game):
        rng = place.rng("shown")
        items = place.match.moves(seat).items
        for action in (items[0], items[rng.below(len(items))]):
            match = place.fresh()
            row = match.act(seat, action)
            if match.undoable(seat) is None:
                continue
            true = seen(game, match.state, seat), readable(row.lines, seat)
            for state in worlds(game, place, seat, rng):
                step = Step(Rng(match.seed, place.match.rng_position))
                game.apply(state, seat, action, step)
                told = seen(game, state, seat), readable(step.lines, seat)
                assert told == true, f"{place}: {action} shows seat {seat} something"


def readable(lines: list[Line], viewer: int) -> list[Any]:
    return [line.msg for line in lines if line.to is None or viewer in line.to]


# -- questions -------------------------------------------------------------------------------


def test_questions_change_nothing(game: Anygame) -> None:
    for place in places(game, 30):
        state, rng = place.match.state, place.rng("questions")
        before = msgspec.json.encode(state)
        for viewer in place.viewers:
            seen(game, state, viewer)
            game.resample(state, viewer, rng)
        game.reveal(state)
        for seat in range(place.match.seats):
            assert math.isfinite(game.value(state, seat)), f"{place}: worth of seat {seat}"
            game.forfeit(state, seat)
        assert msgspec.json.encode(state) == before, f"{place}"


def test_views_are_json(game: Anygame) -> None:
    for place in places(game):
        state = place.match.state
        for view in [*(game.view(state, viewer) for viewer in place.viewers), game.reveal(state)]:
            assert_json(view, "view")


def assert_json(value: Any, where: str) -> None:
    """Texts, numbers that are numbers, lists, and objects with text keys; tuples do, structs do not:
    a page puts its first view into itself by the JSON of the standard library."""
    if isinstance(value, dict):
        for key, part in value.items():
            assert isinstance(key, str), f"{where}: the key {key!r} is no text"
            assert_json(part, f"{where}.{key}")
    elif isinstance(value, list | tuple):
        for index, part in enumerate(value):
            assert_json(part, f"{where}.{index}")
    elif isinstance(value, float):
        assert math.isfinite(value), where
    else:
        assert value is None or isinstance(value, str | int | bool), f"{where}: {value!r}"


def test_public_numbers_are_for_all_or_none(game: Anygame) -> None:
    for place in places(game):
        assert len(game.standing(place.match.state)) in {0, place.match.seats}
        if (summary := game.summary(place.match.state)) is not None:
            assert_text(summary.data(), place.match.seats)
