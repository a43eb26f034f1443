"""Mate for two, as the help page tells it.

Source: wiki page Gamehelpmate, four revisions of 2024-02-02 that differ only in wording. Where it is
silent:

* Who leads the first hand is drawn; the second and third hand are led by the other player, the
  fourth by the first again (public implementation Fearinn/mate and public descriptions). So the
  same ten cards have the lead in both hands of a round.
* The hands exchanged are the ten cards dealt, those that were played included.
* A hand in which all ten leads were answered scores nothing for either.
* Equal totals are a draw. All four hands are played, also when the lead is out of reach.
* Setting cards aside before a hand ("foreplacing") and the pack with doubled cards belong to older
  rules whose details could not be confirmed: they are left out.

The options ``privilege`` and ``free_move`` are those of the public implementation.

Units: scores are points; a mate scores the weight of the card led times the number of the trick in
its hand, 1 to 10. Cards are rank and suit, ``KC``; seats are 0 and 1.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import asdict

from games.engine import Game, IllegalMove, Line, Meta, Moves, Msg, Outcome, Rng, Step
from games.engine.cards import Card
from games.library.mate import searching
from games.library.mate.answering import beats, demand, free_replies, replies
from games.library.mate.material import (
    BY_STRENGTH,
    BY_WEIGHT,
    CARDS,
    HAND_SIZE,
    HANDS,
    PLACE,
    RANK_NAMES,
    SEATS,
    SUIT_WORDS,
    WEIGHT,
)
from games.library.mate.state import (
    Mate,
    MateOptions,
    MateState,
    Play,
    Trick,
    trick_number,
    turn,
)


class MateGame(Game[MateState, Play, MateOptions]):
    """Lead a card that the other cannot answer, as late and as heavy as you dare."""

    slug = "mate"
    version = 1
    meta = Meta(
        name="Mate",
        seats=(SEATS,),
        minutes=15,
        complexity=2,
        designer="G. Capellen (1915)",
        provenance=(
            "Cards, weights and rules from the help page of 2024-02-02 and public descriptions of"
            " the chapter in Sid Sackson's A Gamut of Games; who leads and both options from the"
            " public implementation Fearinn/mate; drawing the first leader is ours."
        ),
    )
    state_type = MateState
    action_type = Play
    options_type = MateOptions

    def setup(self, seats: int, options: MateOptions, rng: Rng) -> MateState:
        hands = deal(rng)
        first = rng.below(SEATS)
        dealt = [list(hand) for hand in hands]
        return MateState(hands=hands, dealt=dealt, first=first, leader=first, options=options)

    def seat_count(self, state: MateState) -> int:
        return SEATS

    def pending(self, state: MateState) -> dict[int, str]:
        seat = turn(state)
        if seat is None:
            return {}
        return {seat: f"{state.phase}:{state.hand_number}:{trick_number(state)}"}

    def moves(self, state: MateState, seat: int) -> Moves[Play]:
        hand = state.hands[seat]
        if state.led is None:
            prompt = Msg(
                "Lead any card; a mate scores its weight × {trick}.", trick=trick_number(state)
            )
            return Moves(
                [Play(card) for card in sorted(hand, key=BY_WEIGHT.__getitem__)], prompt=prompt
            )
        legal, free = answers(state, seat)
        _, reason, prompt = demand(state.led, legal, state.options.privilege)
        return Moves(
            [
                *(Play(card) for card in sorted(legal, key=BY_STRENGTH.__getitem__)),
                *(Play(card, free_move=True) for card in sorted(free, key=BY_STRENGTH.__getitem__)),
            ],
            refused=[(card, reason) for card in hand if card not in legal and card not in free],
            prompt=prompt,
        )

    def check(self, state: MateState, seat: int, action: Play) -> None:
        if action.card not in state.hands[seat]:
            raise IllegalMove("not_in_hand", "That card is not in your hand.")
        if state.led is None:
            if action.free_move:
                raise IllegalMove("free_move_when_leading", "Any card may be led without it.")
        else:
            check_answer(state, seat, action, state.led)

    def apply(self, state: MateState, seat: int, action: Play, step: Step) -> None:
        state.hands[seat].remove(action.card)
        if state.led is None:
            lead(state, seat, action.card, step)
        else:
            answer(state, seat, action, state.led, step)

    def view(self, state: MateState, seat: int | None) -> dict[str, Any]:
        """All is open. By seat: ``hands``, ``dealt``, ``scores``. ``trick`` has the card led, if
        any; ``tricks`` those of this hand, ``last_trick`` the newest one, be it of the hand before.
        ``replies`` has for each card that lies or may be led the cards that answer it: none is mate.
        ``free_move`` is whether it is left, None without the option. ``results`` are by hand, None
        where nobody was mated.
        """
        options = state.options
        decided = state.tricks or state.previous
        leads = (
            [] if state.phase == "over" else [state.led] if state.led else state.hands[state.leader]
        )
        return {
            "phase": state.phase,
            "privilege": options.privilege,
            "free_move": not state.free_move_used if options.free_move else None,
            "hand_number": state.hand_number,
            "trick_number": trick_number(state),
            "first": state.first,
            "leader": state.leader,
            "turn": turn(state),
            "hands": state.hands,
            "dealt": state.dealt,
            "trick": [] if state.led is None else [{"seat": state.leader, "card": state.led}],
            "tricks": [asdict(trick) for trick in state.tricks],
            "last_trick": asdict(decided[-1]) if decided else None,
            "replies": {
                card: replies(card, state.hands[1 - state.leader], options.privilege)
                for card in leads
            },
            "results": [mate and asdict(mate) for mate in state.results],
            "scores": state.scores,
        }

    def outcome(self, state: MateState) -> Outcome | None:
        return ended(state.scores) if state.phase == "over" else None

    def forfeit(self, state: MateState, seat: int) -> Outcome:
        return Outcome(
            ranks=[2 if place == seat else 1 for place in range(SEATS)],
            scores=state.scores,
            reason="forfeit",
            text=Msg("{seat} gives up.", you="You give up.", seat=seat).data(),
        )

    def value(self, state: MateState, seat: int) -> float:
        lead = state.scores[seat] - state.scores[1 - seat]
        return lead + threat(state, seat) - threat(state, 1 - seat)

    def think(self, worlds: Iterator[MateState], seat: int, rng: Rng) -> Play:
        return searching.best(next(worlds), seat, rng)

    def progress(self, state: MateState) -> float:
        if state.phase == "over":
            return 1.0
        return (state.hand_number - 1 + len(state.tricks) / HAND_SIZE) / HANDS

    def opening(self, state: MateState) -> list[Line]:
        return [Line(hand_heading(state.hand_number).data(), heading=True)]

    def summary(self, state: MateState) -> Msg:
        if state.phase == "over":
            return Msg("All {count} hands are played", count=HANDS)
        where: dict[str, Any] = {
            "hand": state.hand_number,
            "hands": HANDS,
            "trick": trick_number(state),
        }
        if not state.options.free_move:
            return Msg("Hand {hand} of {hands}, trick {trick}", **where)
        if state.free_move_used:
            return Msg("Hand {hand} of {hands}, trick {trick}; the free move is used", **where)
        return Msg("Hand {hand} of {hands}, trick {trick}; the free move is left", **where)

    def standing(self, state: MateState) -> list[int]:
        return state.scores

    def label(self, state: MateState, seat: int, action: Play) -> Msg:
        if action.free_move:
            return Msg("Free move: {card}", card=action.card)
        if state.led is None:
            return Msg("Lead {card}", card=action.card)
        return Msg("Play {card}", card=action.card)


# -- dealing ---------------------------------------------------------------------------------


def deal(rng: Rng) -> list[list[Card]]:
    """Ten cards for each, in the order shown."""
    pack = rng.shuffled(CARDS)
    halves = pack[:HAND_SIZE], pack[HAND_SIZE:]
    return [sorted(half, key=PLACE.__getitem__) for half in halves]


def next_hand(state: MateState, step: Step) -> None:
    """End the hand; deal the next one, or exchange the ten cards each was dealt, or end the game."""
    state.led = None
    state.phase = "over" if state.hand_number == HANDS else "lead"
    if state.phase == "over":
        step.log(Msg.from_data(ended(state.scores).text))
        return
    state.previous, state.tricks = state.tricks, []
    state.hand_number += 1
    state.dealt = state.dealt[::-1] if state.hand_number % 2 == 0 else deal(step.rng)
    state.hands = [list(hand) for hand in state.dealt]
    state.leader = state.first if state.hand_number == HANDS else 1 - state.first
    state.free_move_used = False
    step.heading(hand_heading(state.hand_number))


def hand_heading(number: int) -> Msg:
    """What the log says when a hand begins."""
    if number % 2 == 0:
        return Msg("Hand {hand}: the same cards, exchanged", hand=number)
    return Msg("Hand {hand}: newly dealt", hand=number)


# -- leading ---------------------------------------------------------------------------------


def lead(state: MateState, seat: int, card: Card, step: Step) -> None:
    """Put down the first card of a trick; where nothing can answer it, that is mate."""
    trick = trick_number(state)
    step.log(
        Msg(
            "Trick {trick}: {seat} leads {card}.",
            you="Trick {trick}: you lead {card}.",
            trick=trick,
            seat=seat,
            card=card,
        )
    )
    if replies(card, state.hands[1 - seat], state.options.privilege):
        state.led, state.phase = card, "follow"
    else:
        mate(state, seat, card, trick, step)


def mate(state: MateState, seat: int, card: Card, trick: int, step: Step) -> None:
    """Score weight times trick for ``seat``, whose ``card`` cannot be answered."""
    weight = WEIGHT[card[:-1]]
    points = weight * trick
    step.log(
        Msg(
            "{seat} has no {suit} and no {rank}: mate.",
            you="You have no {suit} and no {rank}: mate.",
            seat=1 - seat,
            suit=SUIT_WORDS[card[-1]],
            rank=RANK_NAMES[card[:-1]],
        )
    )
    step.log(
        Msg(
            "{seat} scores {weight} × {trick} = {points}.",
            you="You score {weight} × {trick} = {points}.",
            seat=seat,
            weight=weight,
            trick=trick,
            points=points,
        )
    )
    state.tricks.append(Trick(leader=seat, led=card, winner=seat))
    state.results.append(Mate(seat=seat, card=card, trick=trick, points=points))
    state.scores[seat] += points
    next_hand(state, step)


def threat(state: MateState, seat: int) -> int:
    """The points of the best mate that ``seat`` could lead to now, 0 where there is none."""
    other, privilege = state.hands[1 - seat], state.options.privilege
    weights = [
        WEIGHT[card[:-1]] for card in state.hands[seat] if not replies(card, other, privilege)
    ]
    return max(weights, default=0) * trick_number(state)


# -- answering -------------------------------------------------------------------------------


def answers(state: MateState, seat: int) -> tuple[list[Card], list[Card]]:
    """The cards that may answer the lead, never none, and those that may by the free move."""
    assert state.led is not None
    hand = state.hands[seat]
    legal = replies(state.led, hand, state.options.privilege)
    if not state.options.free_move or state.free_move_used:
        return legal, []
    return legal, free_replies(state.led, hand, legal)


def check_answer(state: MateState, seat: int, action: Play, led: Card) -> None:
    """Raise the code of the rule by which ``action`` does not answer ``led``."""
    hand, options = state.hands[seat], state.options
    legal = replies(led, hand, options.privilege)
    code, reason, _ = demand(led, legal, options.privilege)
    matching = [*legal, *free_replies(led, hand, legal)]
    if action.card not in matching:
        raise IllegalMove(code, reason)
    if action.free_move:
        if not options.free_move:
            raise IllegalMove("no_free_move", "This table plays without the free move.")
        if state.free_move_used:
            raise IllegalMove("free_move_used", "The free move of this hand is used.")
        if action.card in legal:
            raise IllegalMove("free_move_not_needed", "That card needs no free move.")
    elif action.card not in legal:
        if options.free_move and not state.free_move_used:
            raise IllegalMove("needs_free_move", "That card needs the free move of this hand.")
        raise IllegalMove(code, reason)


def answer(state: MateState, seat: int, action: Play, led: Card, step: Step) -> None:
    """Decide the trick; who takes it leads the next one, while there are cards."""
    if action.free_move:
        state.free_move_used = True
        step.log(
            Msg(
                "{seat} uses the free move of this hand.",
                you="You use the free move of this hand.",
                seat=seat,
            )
        )
    leader = state.leader
    if beats(action.card, led):
        state.leader = seat
        msg = Msg(
            "{seat} plays {card} and takes the trick.",
            you="You play {card} and take the trick.",
            seat=seat,
            card=action.card,
        )
    else:
        msg = Msg(
            "{seat} plays {card}; {seat_to} takes the trick.",
            you="You play {card}; {seat_to} takes the trick.",
            to_you="{seat} plays {card}; you take the trick.",
            seat=seat,
            card=action.card,
            seat_to=leader,
        )
    step.log(msg)
    state.tricks.append(Trick(leader=leader, led=led, reply=action.card, winner=state.leader))
    state.led, state.phase = None, "lead"
    if not state.hands[seat]:
        step.log(Msg("Every lead was answered: nobody scores."))
        state.results.append(None)
        next_hand(state, step)


# -- the end ---------------------------------------------------------------------------------


def ended(scores: list[int]) -> Outcome:
    """The greater total wins; equal totals are a draw."""
    if scores[0] == scores[1]:
        text = Msg("A draw: {points} points each.", points=scores[0])
        return Outcome(ranks=[1, 1], scores=scores, reason="draw", text=text.data())
    winner = scores.index(max(scores))
    text = Msg(
        "{seat} wins by {points} to {other}.",
        you="You win by {points} to {other}.",
        seat=winner,
        points=scores[winner],
        other=scores[1 - winner],
    )
    ranks = [1 if seat == winner else 2 for seat in range(SEATS)]
    return Outcome(ranks=ranks, scores=scores, reason="points", text=text.data())
