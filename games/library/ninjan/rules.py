"""Ninjan, for two to five players: a card chosen in secret claims a pile that its suit beats.

Source: wiki page Gamehelpninjan, revision of 2025-07-11; for the deck, the cards out of the game and the
order of equal values an older revision of that page and the public implementation. Where they are silent:

* Values count for the order of claims and for points, never for what a card may claim.
* A card that can claim must, a pile below zero too; one that cannot is laid on any pile.
* What a card does changes the piles for the later ones of the same round.
* The last round is played to its last card, though nothing may be left to win: all cards lie open then.
* Equal highest scores share the victory. Piles left at the end belong to nobody.
* The three options save clicks. What is automatic happens in the step before it, up to the next choice.

Units: scores are the sums of captured values and may be negative. Seats count from 0, rounds from 1,
piles from 0 (people read 1 to 3). Cards are written as ``material`` has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from games.engine import Game, IllegalMove, Line, Meta, Moves, Msg, Outcome, Rng, Step, private_copy
from games.library.ninjan import standing, thinking, worlds
from games.library.ninjan.claims import best_pile, claimable, in_order, legal_piles, total
from games.library.ninjan.material import (
    BEATS,
    BY_QUIET,
    DECK,
    HAND_SIZE,
    PILES,
    SEATS,
    SUIT_NAMES,
    VALUE,
)
from games.library.ninjan.state import (
    Action,
    Choose,
    NinjanOptions,
    NinjanState,
    Play,
    Played,
)

PLAYS = {card: Play(card) for card in DECK}
CHOICES = [Choose(pile) for pile in range(PILES)]

SELECT_PROMPT = Msg("Choose a card in secret.")
NO_CHOICE_YET = Msg("Piles are claimed once everybody has chosen a card.")
PILE_FIRST = Msg("Choose a pile first.")


class Ninjan(Game[NinjanState, Action, NinjanOptions]):
    """Rock, scissors, paper with values: the highest card claims first."""

    slug = "ninjan"
    version = 1
    meta = Meta(
        name="Ninjan",
        seats=SEATS,
        minutes=4,
        complexity=1,
        designer="6jizo",
        provenance=(
            "Rules from the help page Gamehelpninjan of 2025-07-11. The 48 cards and the order of equal"
            " values come from an older revision of that page and a public implementation. The options"
            " that play by themselves and the full last round are ours."
        ),
        hidden=True,
        max_plies=100,
    )
    state_type = NinjanState
    action_type = Action
    options_type = NinjanOptions

    def setup(self, seats: int, options: NinjanOptions, rng: Rng) -> NinjanState:
        deck = rng.shuffled(DECK)
        dealt = HAND_SIZE * seats
        return NinjanState(
            options=options,
            hands=[
                sorted(deck[first : first + HAND_SIZE], key=BY_QUIET.__getitem__)
                for first in range(0, dealt, HAND_SIZE)
            ],
            piles=[[card] for card in deck[dealt : dealt + PILES]],
            captured=[[] for _ in range(seats)],
            out=sorted(deck[dealt + PILES :], key=BY_QUIET.__getitem__),
            selected=[None] * seats,
        )

    def seat_count(self, state: NinjanState) -> int:
        return len(state.hands)

    def pending(self, state: NinjanState) -> dict[int, str]:
        if state.phase == "select_card":
            key = f"select_card:{state.round}"
            return {seat: key for seat, card in enumerate(state.selected) if card is None}
        if state.phase == "resolve":
            key = f"resolve:{state.round}:{state.resolved}"
            return {state.queue[state.resolved].seat: key}
        return {}

    def moves(self, state: NinjanState, seat: int) -> Moves[Action]:
        """``refused`` names cards of the hand by their ids and piles as ``pile:0``."""
        if state.phase == "select_card":
            return Moves(
                [PLAYS[card] for card in state.hands[seat]],
                refused=[(f"pile:{pile}", NO_CHOICE_YET) for pile in range(PILES)],
                prompt=SELECT_PROMPT,
            )
        card = state.queue[state.resolved].card
        legal = legal_piles(state.piles, card)
        reason = must_claim(card)
        return Moves(
            [CHOICES[pile] for pile in legal],
            refused=[
                *((f"pile:{pile}", reason) for pile in range(PILES) if pile not in legal),
                *((held, PILE_FIRST) for held in state.hands[seat]),
            ],
            prompt=pile_prompt(card, bool(claimable(state.piles, card))),
        )

    def check(self, state: NinjanState, seat: int, action: Action) -> None:
        """Raise ``not_in_hand``, ``no_such_pile`` or ``must_claim``; ``illegal_move`` out of its time."""
        if isinstance(action, Play):
            if state.phase != "select_card":
                raise IllegalMove("illegal_move", PILE_FIRST)
            if action.card not in state.hands[seat]:
                raise IllegalMove("not_in_hand", "That card is not in your hand.")
            return
        if state.phase != "resolve":
            raise IllegalMove("illegal_move", NO_CHOICE_YET)
        if not 0 <= action.pile < PILES:
            raise IllegalMove("no_such_pile", "There are three piles.")
        card = state.queue[state.resolved].card
        if action.pile not in legal_piles(state.piles, card):
            raise IllegalMove("must_claim", must_claim(card))

    def apply(self, state: NinjanState, seat: int, action: Action, step: Step) -> None:
        if isinstance(action, Play):
            state.selected[seat] = action.card
            step.lines.append(chosen_line(seat))
            if None in state.selected:
                return
            reveal(state, step)
        else:
            resolve(state, action.pile, step)
        go_on(state, step)

    def view(self, state: NinjanState, seat: int | None) -> dict[str, Any]:
        """By seat: ``has_selected``, ``hand_sizes``, ``captured``, ``scores`` and each round's ``gains``.
        ``queue`` has the cards of ``queue_round`` in the order of claims, the first ``resolved`` of them
        with the ``pile`` where they lie and the cards ``taken``. ``legal`` are the piles that the next of
        them (``turn`` owns it) may go to; ``claims``: it takes what lies there. ``hand`` and ``selected``
        are the viewer's own.
        """
        resolving = state.phase == "resolve"
        card = state.queue[state.resolved].card if resolving else None
        return {
            "phase": state.phase,
            "round": state.round,
            "rounds": HAND_SIZE,
            "turn": state.queue[state.resolved].seat if resolving else None,
            "legal": legal_piles(state.piles, card) if card else [],
            "claims": bool(card and claimable(state.piles, card)),
            "piles": state.piles,
            "sums": [total(pile) for pile in state.piles],
            "queue": [
                {"seat": one.seat, "card": one.card, "pile": one.pile, "taken": one.taken}
                for one in state.queue
            ],
            "queue_round": queue_round(state),
            "resolved": state.resolved,
            "has_selected": [card is not None for card in state.selected],
            "hand_sizes": [len(hand) for hand in state.hands],
            "captured": state.captured,
            "scores": scores(state),
            "gains": state.gains,
            "out_count": len(state.out),
            "hand": [] if seat is None else state.hands[seat],
            "selected": None if seat is None else state.selected[seat],
        }

    def reveal(self, state: NinjanState) -> dict[str, Any]:
        return self.view(state, None) | {"hands": state.hands, "out": state.out}

    def outcome(self, state: NinjanState) -> Outcome | None:
        return ended(state) if state.phase == "over" else None

    def value(self, state: NinjanState, seat: int) -> float:
        return standing.value(state, seat)

    def think(self, worlds: Iterator[NinjanState], seat: int, rng: Rng) -> Action:
        return thinking.think(worlds, seat, rng)

    def resample(self, state: NinjanState, seat: int | None, rng: Rng) -> NinjanState:
        world = private_copy(self, state)
        worlds.redeal(world, seat, rng)
        return world

    def progress(self, state: NinjanState) -> float:
        if state.phase == "over":
            return 1.0
        inside = state.resolved / len(state.queue) if state.phase == "resolve" else 0.0
        return (state.round - 1 + inside) / HAND_SIZE

    def opening(self, state: NinjanState) -> list[Line]:
        return [
            round_heading(1),
            Line(
                Msg(
                    "The piles begin with {things}.",
                    things=[named(card) for pile in state.piles for card in pile],
                ).data()
            ),
        ]

    def summary(self, state: NinjanState) -> Msg:
        return summary(state)

    def standing(self, state: NinjanState) -> list[int]:
        return scores(state)

    def label(self, state: NinjanState, seat: int, action: Action) -> Msg:
        if isinstance(action, Play):
            return Msg("Play {thing}", thing=named(action.card))
        card = state.queue[state.resolved].card
        cards = state.piles[action.pile]
        if claimable(state.piles, card):
            return Msg(
                "Claim pile {pile}: {things}",
                pile=action.pile + 1,
                things=[named(other) for other in cards],
            )
        return Msg(
            "Lay {thing} on pile {pile}, on {other}",
            thing=named(card),
            pile=action.pile + 1,
            other=named(cards[-1]),
        )


# -- a round ---------------------------------------------------------------------------------


def reveal(state: NinjanState, step: Step) -> None:
    """Everybody's card leaves the hand and is put into the order of claims."""
    owners = {card: seat for seat, card in enumerate(state.selected) if card is not None}
    for card, seat in owners.items():
        state.hands[seat].remove(card)
    state.queue = [Played(owners[card], card) for card in in_order(list(owners))]
    state.resolved = 0
    state.selected = [None] * len(state.hands)
    state.phase = "resolve"
    step.lines.extend(order_line(one.seat, one.card) for one in state.queue)
    step.barrier()


def go_on(state: NinjanState, step: Step) -> None:
    """Resolve what leaves no choice, round after round, up to the next decision or the end."""
    while state.phase == "resolve":
        if state.resolved == len(state.queue):
            end_round(state, step)
            continue
        pile = automatic(state)
        if pile is None:
            return
        resolve(state, pile, step)


def automatic(state: NinjanState) -> int | None:
    """The pile that the next card claims by itself, by the options; None: its player chooses."""
    one = state.queue[state.resolved]
    piles = claimable(state.piles, one.card)
    if len(piles) == 1 and state.options.auto_single_pile:
        return piles[0]
    if len(piles) > 1 and state.options.auto_best_pile:
        return best_pile(state.piles, piles)
    return None


def resolve(state: NinjanState, pile: int, step: Step) -> None:
    """The next card of the queue claims ``pile``, or is laid on it where it can claim nothing."""
    one = state.queue[state.resolved]
    claims = bool(claimable(state.piles, one.card))
    one.pile = pile
    if claims:
        one.taken = state.piles[pile]
        state.captured[one.seat] += one.taken
        state.piles[pile] = [one.card]
        step.log(claim_text(one))
    else:
        state.piles[pile].append(one.card)
        step.lines.append(place_line(one.seat, one.card, pile))
    state.resolved += 1


def end_round(state: NinjanState, step: Step) -> None:
    """Go on to the next round; after the ninth the game is over. Last cards may play by themselves."""
    gains = [0] * len(state.hands)
    for one in state.queue:
        gains[one.seat] = total(one.taken)
    state.gains.append(gains)
    if not state.hands[0]:
        state.phase = "over"
        step.log(Msg.from_data(ended(state).text))
        return
    state.round += 1
    state.phase = "select_card"
    step.lines.append(round_heading(state.round))
    if len(state.hands[0]) == 1 and state.options.auto_last_card:
        state.selected = [hand[0] for hand in state.hands]
        reveal(state, step)


# -- scores ----------------------------------------------------------------------------------


def scores(state: NinjanState) -> list[int]:
    """By seat, the sum of what it has captured."""
    return [total(cards) for cards in state.captured]


def ended(state: NinjanState) -> Outcome:
    """The highest score wins; equal ones share a place."""
    points = scores(state)
    ranks = [1 + sum(other > mine for other in points) for mine in points]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    best = max(points)
    if len(winners) == 1:
        text = Msg(
            "{seat} wins with {points} points.",
            you="You win with {points} points.",
            seat=winners[0],
            points=best,
        )
        reason = "highest_score"
    else:
        text = Msg("{seats} share the victory with {points} points.", seats=winners, points=best)
        reason = "shared"
    return Outcome(ranks=ranks, scores=points, reason=reason, text=text.data())


# -- what people read ------------------------------------------------------------------------


@cache
def named(card: str) -> Msg:
    """A card in words: "rock 8"."""
    return Msg(f"{SUIT_NAMES[card[0]]} {{number}}", number=VALUE[card])


@cache
def must_claim(card: str) -> Msg:
    """Why a pile cannot be chosen for ``card``."""
    return Msg(
        f"Your {SUIT_NAMES[card[0]]} must claim a pile with {SUIT_NAMES[BEATS[card[0]]]} on top."
    )


@cache
def pile_prompt(card: str, claims: bool) -> Msg:
    if claims:
        return Msg("Claim a pile with {thing}.", thing=named(card))
    return Msg("Lay {thing} on any pile.", thing=named(card))


@cache
def round_heading(number: int) -> Line:
    return Line(Msg("Round {round}", round=number).data(), heading=True)


@cache
def chosen_line(seat: int) -> Line:
    return Line(Msg("{seat} has chosen.", you="You have chosen.", seat=seat).data())


@cache
def order_line(seat: int, card: str) -> Line:
    """A card that is shown; the lines stand in the order of claims."""
    return Line(
        Msg("{seat} shows {thing}.", you="You show {thing}.", seat=seat, thing=named(card)).data()
    )


@cache
def place_line(seat: int, card: str, pile: int) -> Line:
    return Line(
        Msg(
            "{seat} claims nothing and lays {thing} on pile {pile}.",
            you="You claim nothing and lay {thing} on pile {pile}.",
            seat=seat,
            thing=named(card),
            pile=pile + 1,
        ).data()
    )


def claim_text(one: Played) -> Msg:
    """What a card took, and what that counts."""
    assert one.pile is not None
    points = total(one.taken)
    tail = "{points} point" if points in (1, -1) else "{points} points"
    return Msg(
        f"{{seat}} claims pile {{pile}} with {{thing}}: {{things}} ({tail}).",
        you=f"You claim pile {{pile}} with {{thing}}: {{things}} ({tail}).",
        seat=one.seat,
        pile=one.pile + 1,
        thing=named(one.card),
        things=[named(card) for card in one.taken],
        points=points,
    )


def queue_round(state: NinjanState) -> int:
    """The round that ``queue`` belongs to; 0 before the first cards are shown."""
    return len(state.gains) + (state.phase == "resolve")


def summary(state: NinjanState) -> Msg:
    """Where in the game we are."""
    if state.phase == "over":
        return Msg("Over after {count} rounds", count=HAND_SIZE)
    if state.phase == "resolve":
        return Msg(
            "Round {round} of {rounds}, claim {claim} of {count}",
            round=state.round,
            rounds=HAND_SIZE,
            claim=state.resolved + 1,
            count=len(state.queue),
        )
    chosen = [seat for seat, card in enumerate(state.selected) if card is not None]
    if not chosen:
        return Msg(
            "Round {round} of {rounds}; nobody has chosen yet", round=state.round, rounds=HAND_SIZE
        )
    return Msg(
        "Round {round} of {rounds}; {count} of {all} have chosen",
        round=state.round,
        rounds=HAND_SIZE,
        count=len(chosen),
        all=len(state.hands),
    )
