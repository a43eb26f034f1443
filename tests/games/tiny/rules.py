"""Higher: a tiny game that has what Hearts and Nibble have not, so that the engine is tested on it.

Each round all seats secretly choose one of their two cards (simultaneous, hidden). The highest card
takes a point; ties take nothing. Then the round's first seat may count its blessings as often as it
likes (a turn of several steps), or throw a die for a point on a six (chance), and says done. Solo: a
game against the bank, which always shows 5.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec

from games.engine import Game, IllegalMove, Meta, Moves, Msg, Outcome, Rng, Step

ROUNDS = 3


class Choose(msgspec.Struct, frozen=True, tag="choose"):
    card: int


class Count(msgspec.Struct, frozen=True, tag="count"):
    pass


class Throw(msgspec.Struct, frozen=True, tag="throw"):
    pass


class Done(msgspec.Struct, frozen=True, tag="done"):
    pass


class TinyOptions(msgspec.Struct):
    high: Annotated[
        Literal[9, 6],
        msgspec.Meta(title="Highest card", extra_json_schema={"labels": {"9": "nine"}}),
    ] = 9
    throws: bool = True


class TinyState(msgspec.Struct):
    options: TinyOptions
    hands: list[list[int]]
    chosen: list[int | None]
    points: list[int]
    round: int = 1
    counted: int = 0
    thrown: bool = False
    ending: bool = False  # the round's first seat ends the round


class Tiny(Game[TinyState, Choose | Count | Throw | Done, TinyOptions]):
    slug = "tiny"
    version = 1
    meta = Meta(name="Higher", seats=(1, 2, 3), minutes=1, complexity=1, hidden=True, max_plies=200)
    state_type = TinyState
    action_type = Choose | Count | Throw | Done
    options_type = TinyOptions

    def setup(self, seats: int, options: TinyOptions, rng: Rng) -> TinyState:
        state = TinyState(options, [[] for _ in range(seats)], [None] * seats, [0] * seats)
        deal(state, rng)
        return state

    def seat_count(self, state: TinyState) -> int:
        return len(state.hands)

    def first(self, state: TinyState) -> int:
        return (state.round - 1) % len(state.hands)

    def pending(self, state: TinyState) -> dict[int, str]:
        if state.round > ROUNDS:
            return {}
        if state.ending:
            return {self.first(state): f"end:{state.round}:{state.counted}:{state.thrown}"}
        return {
            seat: f"choose:{state.round}" for seat, card in enumerate(state.chosen) if card is None
        }

    def moves(self, state: TinyState, seat: int) -> Moves[Any]:
        if state.ending:
            more = [] if state.counted >= 3 else [Count()]
            throw = [Throw()] if state.options.throws and not state.thrown else []
            return Moves([Done(), *more, *throw], prompt=Msg("Count, throw or say done."))
        return Moves(
            [Choose(card) for card in sorted(set(state.hands[seat]))], prompt=Msg("Choose a card.")
        )

    def check(self, state: TinyState, seat: int, action: Any) -> None:
        if isinstance(action, Choose) and action.card not in state.hands[seat]:
            raise IllegalMove("not_held", Msg("You do not hold {number}.", number=action.card))
        super().check(state, seat, action)

    def apply(self, state: TinyState, seat: int, action: Any, step: Step) -> None:
        if isinstance(action, Choose):
            state.chosen[seat] = action.card
            step.log(Msg("{seat} has chosen.", you="You have chosen.", seat=seat))
            step.log(Msg("You chose {number}.", number=action.card), to=[seat])
            if None not in state.chosen:
                show(state, step)
        elif isinstance(action, Count):
            state.counted += 1
            step.log(Msg("{seat} counts.", seat=seat))
        elif isinstance(action, Throw):
            state.thrown = True
            eyes = step.rng.die()
            state.points[seat] += eyes == 6
            step.log(Msg("{seat} throws {number}.", seat=seat, number=eyes))
        else:
            state.round += 1
            state.ending = False
            state.chosen = [None] * len(state.hands)
            deal(state, step.rng)
            step.barrier()

    def view(self, state: TinyState, seat: int | None) -> dict[str, Any]:
        return {
            "hand": [] if seat is None else state.hands[seat],
            "mine": None if seat is None else state.chosen[seat],
            "chosen": [card is not None for card in state.chosen],
            "shown": state.chosen if state.ending else None,
            "points": state.points,
            "round": state.round,
        }

    def reveal(self, state: TinyState) -> dict[str, Any]:
        return {**self.view(state, None), "hands": state.hands}

    def outcome(self, state: TinyState) -> Outcome | None:
        if state.round <= ROUNDS:
            return None
        ranks = [1 + sum(other > mine for other in state.points) for mine in state.points]
        won = state.points[0] >= 2 if len(state.points) == 1 else None
        text = Msg("The game is over.").data()
        return Outcome(ranks=ranks, scores=list(state.points), reason="rounds", text=text, won=won)

    def value(self, state: TinyState, seat: int) -> float:
        card = state.chosen[seat]
        return state.points[seat] + (card or 0) / 20

    def resample(self, state: TinyState, seat: int | None, rng: Rng) -> TinyState:
        other = msgspec.convert(msgspec.to_builtins(state), TinyState)
        for place, hand in enumerate(other.hands):
            if place == seat:
                continue
            shown = state.chosen[place] if state.ending else None
            new = [rng.die(state.options.high) for _ in hand]
            if shown is not None:
                new[0] = shown
            other.hands[place] = sorted(new)
            if other.chosen[place] is not None:
                other.chosen[place] = new[0]
        return other

    def label(self, state: TinyState, seat: int, action: Any) -> Msg:
        if isinstance(action, Choose):
            return Msg("Choose {number}", number=action.card)
        return Msg({Count: "Count", Throw: "Throw", Done: "Done"}[type(action)])


def deal(state: TinyState, rng: Rng) -> None:
    state.counted, state.thrown = 0, False
    for seat in range(len(state.hands)):
        state.hands[seat] = sorted(rng.die(state.options.high) for _ in range(2))


def show(state: TinyState, step: Step) -> None:
    """Turn all cards over: a barrier, since it resolves the choices."""
    state.ending = True
    cards = [card or 0 for card in state.chosen]
    best = max([*cards, 5] if len(cards) == 1 else cards)
    winners = [seat for seat, card in enumerate(cards) if card == best]
    if len(winners) == 1:
        state.points[winners[0]] += 1
        step.log(Msg("{seat} takes the point.", seat=winners[0]))
