"""The conformance tests find what they are for: games with one fault each fail the right one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.engine import IllegalMove, LazyMoves, Moves, Msg, Outcome
from tests.games.engine import test_conformance as conformance
from tests.games.tiny.rules import Choose, Count, Throw, Tiny


class ShowsHands(Tiny):
    def view(self, state: Any, seat: int | None) -> Any:
        return {**super().view(state, seat), "sums": [sum(hand) for hand in state.hands]}


class TellsInTheSummary(Tiny):
    def summary(self, state: Any) -> Msg:
        return Msg("{best} is the best card", best=max(map(max, state.hands)))


class OrdersMovesByOthers(Tiny):
    def moves(self, state: Any, seat: int) -> Moves[Any]:
        found = super().moves(state, seat)
        turned = not state.ending and sum(map(sum, state.hands)) % 2
        return Moves(found.items[::-1] if turned else found.items, prompt=found.prompt)


class RefusesByWhoHolds(Tiny):
    def check(self, state: Any, seat: int, action: Any) -> None:
        for other, hand in enumerate(state.hands):
            if isinstance(action, Choose) and other != seat and action.card in hand:
                raise IllegalMove("held_by_other", "Somebody else has that card.")
        super().check(state, seat, action)


class CannotTellChange(Tiny):
    def resample(self, state: Any, seat: int | None, rng: Any) -> Any:
        return state


class KeepsHandsInWorlds(Tiny):
    def resample(self, state: Any, seat: int | None, rng: Any) -> Any:
        return super().resample(state, seat, rng) if seat is None else state


class HintsAtHands(Tiny):
    advises = True

    def advice(self, state: Any, seat: int) -> Msg:
        return Msg("Others hold {number}.", number=sum(map(sum, state.hands)))


class PeeksWithoutBarrier(Tiny):
    def view(self, state: Any, seat: int | None) -> Any:
        peek = state.hands[-1][0] if state.counted and seat == self.first(state) else None
        return {**super().view(state, seat), "peek": peek}


class WhispersToAll(Tiny):
    def apply(self, state: Any, seat: int, action: Any, step: Any) -> None:
        if isinstance(action, Count):
            step.log(Msg("{seat} saw {number}.", seat=seat, number=state.hands[-1][0]))
        super().apply(state, seat, action, step)


class BreaksOnHugeCards(Tiny):
    def check(self, state: Any, seat: int, action: Any) -> None:
        if isinstance(action, Choose):
            [0] * 99_999_999_999_999_999_999 if action.card > 2**62 else [0][min(action.card, 0)]
        super().check(state, seat, action)


class ChangesWhenAsked(Tiny):
    def view(self, state: Any, seat: int | None) -> Any:
        state.points[0] += 1
        return super().view(state, seat)


class NeverEnds(Tiny):
    def moves(self, state: Any, seat: int) -> Moves[Any]:
        found = super().moves(state, seat)
        return Moves([Count(), *found.items]) if state.ending else found


class RemembersTheOrder(Tiny):
    """The order of simultaneous choices stays in the state."""

    def apply(self, state: Any, seat: int, action: Any, step: Any) -> None:
        if isinstance(action, Choose):
            state.counted = 10 * state.counted + seat
        super().apply(state, seat, action, step)


class CountsProgressTwice(Tiny):
    def progress(self, state: Any) -> float:
        return state.round / 3


class RanksFromTwo(Tiny):
    def outcome(self, state: Any) -> Outcome | None:
        found = super().outcome(state)
        if found is None or found.won is not None:
            return found
        return Outcome(ranks=[rank + 1 for rank in found.ranks], reason="end", text=found.text)


class LeavesABrace(Tiny):
    def label(self, state: Any, seat: int, action: Any) -> Msg:
        return Msg("Choose {card}", number=1)


class NumbersItsSeats(Tiny):
    def view(self, state: Any, seat: int | None) -> Any:
        return {**super().view(state, seat), "by_seat": dict(enumerate(state.points))}


class ViewsAStruct(Tiny):
    def view(self, state: Any, seat: int | None) -> Any:
        return {**super().view(state, seat), "last": self.moves(state, 0).items[:1]}


class OffersTwice(Tiny):
    def moves(self, state: Any, seat: int) -> Moves[Any]:
        found = super().moves(state, seat)
        return Moves([*found.items, found.items[0]])


class MiscountsMoves(Tiny):
    def moves(self, state: Any, seat: int) -> Moves[Any]:
        items = super().moves(state, seat).items
        return Moves(LazyMoves(len(items) + 1, items.__getitem__))


class ForgetsADraw(Tiny):
    """Chance that is not the table's: the log does not give the same game."""

    thrown = 0

    def apply(self, state: Any, seat: int, action: Any, step: Any) -> None:
        super().apply(state, seat, action, step)
        if isinstance(action, Throw):
            type(self).thrown += 1
            state.points[seat] += self.thrown


FAULTS: list[tuple[type[Tiny], Callable[[Any], None]]] = [
    (ShowsHands, conformance.test_nobody_sees_what_is_hidden),
    (TellsInTheSummary, conformance.test_nobody_sees_what_is_hidden),
    (OrdersMovesByOthers, conformance.test_nobody_sees_what_is_hidden),
    (CannotTellChange, conformance.test_nobody_sees_what_is_hidden),
    (KeepsHandsInWorlds, conformance.test_what_one_seat_hides_is_resampled_for_the_others),
    (RefusesByWhoHolds, conformance.test_verdicts_do_not_depend_on_secrets),
    (HintsAtHands, conformance.test_hints_do_not_depend_on_secrets),
    (PeeksWithoutBarrier, conformance.test_what_can_be_taken_back_has_shown_nothing),
    (WhispersToAll, conformance.test_what_can_be_taken_back_has_shown_nothing),
    (BreaksOnHugeCards, conformance.test_broken_actions_are_refused_in_words_and_change_nothing),
    (ChangesWhenAsked, conformance.test_questions_change_nothing),
    (NeverEnds, conformance.test_games_end_where_nobody_answers),
    (RemembersTheOrder, conformance.test_undo_then_the_same_again_gives_the_same_game),
    (CountsProgressTwice, conformance.test_progress_goes_from_nothing_to_all),
    (RanksFromTwo, conformance.test_outcomes_rank_every_seat),
    (LeavesABrace, conformance.test_every_asked_seat_has_moves_that_do),
    (NumbersItsSeats, conformance.test_views_are_json),
    (ViewsAStruct, conformance.test_views_are_json),
    (OffersTwice, conformance.test_every_asked_seat_has_moves_that_do),
    (MiscountsMoves, conformance.test_lists_of_moves_are_lists),
    (ForgetsADraw, conformance.test_the_log_alone_gives_the_same_game),
]


@pytest.mark.parametrize(("faulty", "test"), FAULTS, ids=[kind.__name__ for kind, _ in FAULTS])
def test_a_fault_is_found(faulty: type[Tiny], test: Callable[[Any], None]) -> None:
    with pytest.raises((AssertionError, IndexError, MemoryError, OverflowError, IllegalMove)):
        test(faulty())


def test_the_faults_lie_in_the_games() -> None:
    sound = Tiny()
    for test in {test for _, test in FAULTS}:
        test(sound)
