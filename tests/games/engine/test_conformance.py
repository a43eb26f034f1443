"""What must hold for any game; a new folder gets all of it for free."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest

from games.engine import Match, Rng, pairwise, private_copy, seed_from_int
from games.engine.errors import IllegalMove
from games.engine.game import Game
from games.engine.match import Row

Anygame = Game[Any, Any, Any]
LOOKS = 12  # places of each game where the costly questions are asked


def setups(game: Anygame) -> Iterator[tuple[int, Any, int]]:
    """(seats, options, seed) for every seat count and pairwise option set."""
    seed = 0
    for seats in game.meta.seats:
        for options in pairwise(game.options_type):
            seed += 1
            yield seats, options, seed


def through_json(kind: Any, value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value), type=kind)


def random_game(
    game: Anygame, seats: int, options: Any, seed: int
) -> Iterator[tuple[Match[Any, Any, Any], list[Row], Rng]]:
    """Each position of one random game, the last one finished."""
    match = Match.start(game, seats, options, seed_from_int(seed))
    rows: list[Row] = []
    rng = Rng(seed_from_int(seed)).child("test")
    while True:
        yield match, rows, rng
        if match.outcome is not None:
            return
        assert len(rows) < game.meta.max_plies, "the game does not end"
        seat = rng.choice(sorted(match.pending()))
        items = match.moves(seat).items
        rows.append(match.act(seat, items[rng.below(len(items))]))


def test_random_games_end_for_all_seats_and_options(game: Anygame) -> None:
    for seats, options, seed in setups(game):
        for match, rows, _ in random_game(game, seats, options, seed):
            assert through_json(game.state_type, match.state) == match.state
            assert game.seat_count(match.state) == seats
            assert bool(match.pending()) != (match.outcome is not None)
            for seat in match.pending():
                moves = match.moves(seat)
                assert moves.items, "somebody is asked and has no answer"
                first = moves.items[0]
                assert through_json(game.action_type, first) == first
                game.check(match.state, seat, first)
                assert game.label(match.state, seat, first).plain(["A", "B", "C", "D", "E", "F"])
            if rows:
                assert json.loads(msgspec.json.encode(rows[-1].lines)) is not None
        assert match.outcome is not None
        assert sorted(match.outcome.ranks)[0] == 1 or match.outcome.won is False
        assert len(match.outcome.ranks) == seats
        assert match.outcome.scores == [] or len(match.outcome.scores) == seats


def test_every_listed_move_passes_the_check(game: Anygame) -> None:
    for seats, options, seed in setups(game):
        for match, rows, rng in random_game(game, seats, options, seed):
            if rows and rng.below(8):
                continue
            for seat in match.pending():
                items = match.moves(seat).items
                for index in {rng.below(len(items)) for _ in range(12)}:
                    game.check(match.state, seat, items[index])
                    game.apply(
                        private_copy(game, match.state), seat, items[index], step_for(match, rng)
                    )


def step_for(match: Match[Any, Any, Any], rng: Rng) -> Any:
    from games.engine import Step

    return Step(Rng(match.seed, match.rng_position))


def test_the_log_alone_gives_the_same_game(game: Anygame) -> None:
    for seats, options, seed in setups(game):
        for match, rows, rng in random_game(game, seats, options, seed):
            seat = rng.below(seats)
            if match.undoable(seat) is not None and rng.below(3) == 0:
                rows.append(match.undo(seat, rows))
        read = [through_json(Row, row) for row in rows]
        again = Match.restore(game, seats, options, seed_from_int(seed), read)
        assert again.digest() == match.digest()
        assert again.snapshot() == match.snapshot()


def test_a_snapshot_goes_on_like_the_match(game: Anygame) -> None:
    seats, options, seed = next(setups(game))
    for match, _, _ in random_game(game, seats, options, seed):
        from games.engine import Snapshot

        taken = through_json(Snapshot, match.snapshot())
        again = Match.resume(game, seats, options, match.seed, taken)
        assert again.digest() == match.digest()
        assert again.snapshot() == match.snapshot()


def seen(game: Anygame, state: Any, seat: int | None) -> bytes:
    """All that the engine says of ``state`` to this viewer."""
    pending = game.pending(state)
    told: dict[str, Any] = {
        "view": game.view(state, seat),
        "pending": sorted(pending),
        "summary": (summary := game.summary(state)) and summary.data(),
        "standing": game.standing(state),
        "progress": game.progress(state),
    }
    if seat is not None and seat in pending:
        moves = game.moves(state, seat)
        told["key"] = pending[seat]
        told["moves"] = [msgspec.to_builtins(item) for item in moves.items]
        told["labels"] = [game.label(state, seat, item).data() for item in moves.items[:20]]
        told["refused"] = [(thing, reason.data()) for thing, reason in moves.refused]
        told["prompt"] = moves.prompt and moves.prompt.data()
    return msgspec.json.encode(told)


def test_nobody_sees_what_is_hidden(game: Anygame) -> None:
    differed = False
    for seats, options, seed in setups(game):
        for match, rows, rng in random_game(game, seats, options, seed):
            if rows and match.outcome is None and rng.below(6):
                continue
            for viewer in [*range(seats), None]:
                true = seen(game, match.state, viewer)
                other = game.resample(private_copy(game, match.state), viewer, rng)
                differed |= other != match.state
                assert seen(game, other, viewer) == true, f"seat {viewer} at ply {match.ply}"
    assert differed == game.meta.hidden, "resample must change exactly what is hidden"


def test_verdicts_do_not_depend_on_secrets(game: Anygame) -> None:
    for seats, options, seed in setups(game):
        for match, rows, rng in random_game(game, seats, options, seed):
            if rows and rng.below(8):
                continue
            for seat in match.pending():
                other = game.resample(private_copy(game, match.state), seat, rng)
                for tried in foreign_actions(game, match, seats):
                    assert verdict(game, match.state, seat, tried) == verdict(
                        game, other, seat, tried
                    )


def foreign_actions(game: Anygame, match: Match[Any, Any, Any], seats: int) -> list[Any]:
    """Actions of other seats and of other worlds: mostly illegal here."""
    found = []
    for number in range(2):
        world = Match.start(game, seats, match.options, seed_from_int(1000 + number))
        for seat in world.pending():
            found += list(world.moves(seat).items[:6])
    return found


def verdict(game: Anygame, state: Any, seat: int, action: Any) -> tuple[str, str] | None:
    try:
        game.check(state, seat, action)
    except IllegalMove as error:
        return error.code, str(error)
    return None


def test_views_and_questions_change_nothing(game: Anygame) -> None:
    seats, options, seed = next(setups(game))
    for match, _, rng in random_game(game, seats, options, seed):
        before = msgspec.json.encode(match.state)
        for viewer in [*range(seats), None]:
            seen(game, match.state, viewer)
            game.resample(match.state, viewer, rng)
        game.reveal(match.state)
        for seat in range(seats):
            game.value(match.state, seat)
            game.forfeit(match.state, seat)
        assert msgspec.json.encode(match.state) == before


def test_seats_that_are_not_asked_cannot_act(game: Anygame) -> None:
    seats, options, seed = next(setups(game))
    for match, _, _ in random_game(game, seats, options, seed):
        for seat in set(range(seats)) - set(match.pending()):
            for tried in foreign_actions(game, match, seats)[:2]:
                with pytest.raises(IllegalMove) as refused:
                    match.act(seat, tried)
                assert refused.value.code in {"not_your_turn", "finished"}


def test_views_are_json(game: Anygame) -> None:
    seats, options, seed = next(setups(game))
    for match, _, _ in random_game(game, seats, options, seed):
        for viewer in [*range(seats), None]:
            json.loads(json.dumps(game.view(match.state, viewer)))
        json.loads(json.dumps(game.reveal(match.state)))


def test_nonsense_is_no_action(game: Anygame) -> None:
    seats, options, seed = next(setups(game))
    match = Match.start(game, seats, options, seed_from_int(seed))
    for nonsense in (None, 7, "play", [], {}, {"type": "no such thing"}, {"type": 3}):
        with pytest.raises(IllegalMove) as refused:
            match.read_action(nonsense)
        assert refused.value.code == "malformed_action"
