"""Verso for one to eight, as the help page tells it.

Source: wiki page Gamehelpverso; publisher's text and a news item of Board Game Arena for what stands on a
card. The list of the 90 cards is our own, see ``material``. Where the sources are silent or differ:

* Seven or eight players share the 90 cards: the box holds 15 each for six only.
* A square that the two discards of one's own series make scores like any other.
* A square scores again once it was broken and is there anew; no series is needed in between (a news
  item asks for one, the help page does not).
* A card that is turned over and equals another one leaves at once: both are one change of the tableau, and a
  square that would stand only between them scores nothing.
* For an equal card the help page asks to turn the top card over first; a news item would let one take and lose it.
* The left neighbour turns a card before the right one; with two players the other one turns a single card.
* Both faces of a card that was turned over are known to everybody from then on.
* The final series is chosen by all at once and shown when everybody has answered; it costs no card.
* Ties are shared.

Units: scores are points. A tableau lies by colour and value, so the order of its cards tells nothing. Cards in actions
are named by what they show: no two cards of a tableau show the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine.errors import IllegalMove
from games.engine.game import Game, Line, Meta, Moves, Outcome, Step
from games.engine.messages import Msg
from games.engine.rng import Rng
from games.library.verso.judging import ideas, worth
from games.library.verso.material import (
    CARDS_A_PLAYER,
    COLOUR_NAMES,
    DECK,
    FACES,
    JOKER,
    LEVELS,
    SOLO_CARDS,
    SQUARE_POINTS,
)
from games.library.verso.series import (
    all_series,
    check_series,
    in_order,
    leaving,
    named,
    series_points,
)
from games.library.verso.showing import shown, shown_answer, shown_top
from games.library.verso.state import (
    Card,
    Draw,
    Last,
    Pass,
    Series,
    VersoOptions,
    VersoState,
    face,
    handle,
    holds,
    is_square,
    lay,
    neighbours,
    points,
    taken,
    turned,
)
from games.library.verso.worlds import another_world


class Verso(Game[VersoState, Draw | Series | Pass, VersoOptions]):
    """The rules of Verso."""

    slug = "verso"
    version = 1
    meta = Meta(
        name="Verso",
        seats=tuple(range(1, 9)),
        minutes=25,
        complexity=2,
        provenance="Rules: help page Gamehelpverso. What holds of a card: the publisher's text. Which 90 cards"
        " there are: our own design that meets all of it. Drawings, names and refusals: our own.",
        hidden=True,
        max_plies=160,
    )
    state_type = VersoState
    action_type = Draw | Series | Pass
    options_type = VersoOptions

    def setup(self, seats: int, options: VersoOptions, rng: Rng) -> VersoState:
        cards = [turned(card)[:6] if rng.below(2) else card for card in rng.shuffled(DECK)]
        size = SOLO_CARDS if seats == 1 else min(CARDS_A_PLAYER * seats, len(DECK))
        return VersoState(
            pile=cards[:size],
            left_out=cards[size:],
            tableaus=[[] for _ in range(seats)],
            scores=[0] * seats,
            size=size,
            active=rng.below(seats),
        )

    def pending(self, state: VersoState) -> dict[int, str]:
        if state.over:
            return {}
        if state.answers:
            return {
                seat: "final_series" for seat, answer in enumerate(state.answers) if answer is None
            }
        return {state.active: f"turn:{state.turn}"}

    def moves(self, state: VersoState, seat: int) -> Moves[Draw | Series | Pass]:
        series = all_series(state.tableaus[seat])
        refused = useless(state.tableaus[seat], series)
        if state.answers:
            prompt = Msg(
                "Score one last series, or none." if series else "You have no series to score."
            )
            return Moves([Pass(), *series], refused=refused, prompt=prompt)
        top = state.pile[-1]
        if holds(state.tableaus[seat], face(top)):
            refused.append(("draw", already_there(top)))
            prompt = Msg("Turn the top card over, or score a series.")
            return Moves([Draw(True), *series], refused=refused, prompt=prompt)
        prompt = Msg("Take the top card, turn it over first, or score a series.")
        return Moves([Draw(False), Draw(True), *series], refused=refused, prompt=prompt)

    def check(self, state: VersoState, seat: int, action: Draw | Series | Pass) -> None:
        if isinstance(action, Series):
            check_series(state.tableaus[seat], action)
        elif isinstance(action, Pass):
            if not state.answers:
                raise IllegalMove(
                    "no_pass", "Take a card or score a series: one may pass only at the end."
                )
        elif state.answers:
            raise IllegalMove("pile_empty", "The pile is empty.")
        elif not action.flip and holds(state.tableaus[seat], face(state.pile[-1])):
            raise IllegalMove("equal_card", already_there(state.pile[-1]))

    def apply(self, state: VersoState, seat: int, action: Draw | Series | Pass, step: Step) -> None:
        if state.answers:
            assert not isinstance(action, Draw)  # ``check`` has seen to it
            answer(state, seat, action, step)
            return
        step.barrier()  # the next face of the pile, a back or the opponent's card is seen
        state.last = Last(seat=seat, gained=[0] * len(state.scores))
        if isinstance(action, Draw):
            draw(state, seat, action.flip, step)
        elif isinstance(action, Series):
            score_series(state, seat, action, step)
        if len(state.tableaus) == 1 and state.pile:
            opponent_card(state, step)
        state.turn += 1
        state.active = (seat + 1) % len(state.tableaus)
        if not state.pile:
            state.answers = [None] * len(state.tableaus)
            step.heading(Msg("Final series"))

    def view(self, state: VersoState, seat: int | None) -> dict[str, Any]:
        """All but the hidden faces. A card is ``{"face", "points", "id", "back"}``, where ``id`` is
        its handle and ``back`` is null until its other face has been seen."""
        last = state.last
        return {
            "phase": "over" if state.over else "final" if state.answers else "turn",
            "active": None if state.over or state.answers else state.active,
            "turn": state.turn,
            "pile": len(state.pile),
            "size": state.size,
            "top": shown_top(state.pile),
            "tableaus": [[shown(card) for card in tableau] for tableau in state.tableaus],
            "squares": [is_square(tableau) for tableau in state.tableaus],
            "scores": state.scores,
            "discards": [shown(card) for card in state.discards],
            "answered": [given is not None for given in state.answers],
            "answers": [
                shown_answer(given) if state.over or who == seat else None
                for who, given in enumerate(state.answers)
            ],
            "last": {
                "seat": last.seat,
                "kind": last.kind,
                "ids": last.handles,
                "gained": last.gained,
                "opponent": last.opponent,
            },
            "levels": [list(pair) for pair in LEVELS] if len(state.scores) == 1 else [],
            "level": level(state.scores[0]) if len(state.scores) == 1 else None,
            "left_out": [],
        }

    def reveal(self, state: VersoState) -> dict[str, Any]:
        """With every back, that of the top card too, and the cards that were left out."""
        view = self.view(state, None)
        view["top"] = shown_top(state.pile, open_=True)
        view["tableaus"] = [[shown(card, open_=True) for card in each] for each in state.tableaus]
        view["discards"] = [shown(card, open_=True) for card in state.discards]
        view["left_out"] = [shown(card, open_=True) for card in state.left_out]
        return view

    def outcome(self, state: VersoState) -> Outcome | None:
        if not state.over:
            return None
        scores = state.scores
        if len(scores) == 1:
            return Outcome(
                ranks=[1], scores=scores, reason="pile_empty", text=solo_verdict(scores[0]).data()
            )
        return Outcome(
            ranks=[1 + sum(other > score for other in scores) for score in scores],
            scores=scores,
            reason="pile_empty",
            text=verdict(scores).data(),
        )

    def seat_count(self, state: VersoState) -> int:
        return len(state.tableaus)

    def value(self, state: VersoState, seat: int) -> float:
        return worth(state, seat)

    def ideas(self, state: VersoState, seat: int) -> Sequence[Draw | Series | Pass]:
        return ideas(self.moves(state, seat).items, state.tableaus[seat])

    def resample(self, state: VersoState, seat: int | None, rng: Rng) -> VersoState:
        return another_world(state, seat, rng)

    def progress(self, state: VersoState) -> float:
        return 1.0 if state.over else 1 - (len(state.pile) + 1) / (state.size + 1)

    def opening(self, state: VersoState) -> list[Line]:
        top = state.pile[-1]
        return [
            Line(Msg("{seat} begins.", you="You begin.", seat=state.active).data()),
            Line(
                Msg(
                    "The pile has {count} cards and shows {thing}.",
                    count=state.size,
                    thing=FACES[face(top)],
                ).data()
            ),
        ]

    def summary(self, state: VersoState) -> Msg:
        if state.answers:
            return Msg("Final series")
        return Msg("{left} of {all} cards in the pile", left=len(state.pile), all=state.size)

    def standing(self, state: VersoState) -> list[int]:
        return state.scores

    def label(self, state: VersoState, seat: int, action: Draw | Series | Pass) -> Msg:
        if isinstance(action, Pass):
            return Msg("Score no series")
        if isinstance(action, Draw):
            top = FACES[face(state.pile[-1])]
            return Msg(
                "Turn {thing} over and take it" if action.flip else "Take {thing}", thing=top
            )
        return Msg(
            "Score {things}: {points} points",
            things=[named(name, action) for name in in_order(action)],
            points=series_points(state.tableaus[seat], action),
        )


def already_there(top: Card) -> Msg:
    """Why the top card cannot be taken as it is."""
    return Msg("You have {thing} already: turn the top card over first.", thing=FACES[face(top)])


def useless(tableau: list[Card], series: list[Series]) -> list[tuple[str, Msg]]:
    """(face, reason) of the cards that are in no series."""
    useful = {name for each in series for name in each.cards}
    return [
        (face(card), Msg("No card of its colour goes next to it in a series."))
        for card in tableau
        if face(card) not in useful
    ]


def draw(state: VersoState, seat: int, flip: bool, step: Step) -> None:
    """Take the top card; where it was turned over and is there already, it is discarded."""
    tableau, card = state.tableaus[seat], taken(state.pile)
    state.last.kind = "flip" if flip else "draw"
    state.last.handles.append(handle(card))
    if not flip:
        step.log(
            Msg(
                "{seat} takes {thing} ({points}).",
                you="You take {thing} ({points}).",
                seat=seat,
                thing=FACES[face(card)],
                points=points(card),
            )
        )
    else:
        before, card = card, turned(card)
        gone = holds(tableau, face(card))
        step.log(turn_line(seat, before, card, gone))
        if gone:
            state.discards.append(card)
            return
    had_square = is_square(tableau)
    lay(tableau, card)
    score_square(state, seat, had_square, step)


def turn_line(seat: int, before: Card, after: Card, gone: bool) -> Msg:
    """How the top card was turned over."""
    thing, other = FACES[face(before)], FACES[face(after)]
    if gone:
        return Msg(
            "{seat} turns {thing} over. It is {other}, which is there already, and is discarded.",
            you="You turn {thing} over. It is {other}, which you have already, and is discarded.",
            seat=seat,
            thing=thing,
            other=other,
        )
    return Msg(
        "{seat} turns {thing} over and takes {other} ({points}).",
        you="You turn {thing} over and take {other} ({points}).",
        points=points(after),
        seat=seat,
        thing=thing,
        other=other,
    )


def score_series(state: VersoState, seat: int, series: Series, step: Step) -> None:
    """Score, discard two, look for a square; then the neighbours turn a card each."""
    tableau = state.tableaus[seat]
    state.last.kind = "series"
    state.last.handles += [handle(card) for card in tableau if face(card) in series.cards]
    gain(state, seat, series_points(tableau, series))
    step.log(series_line(state, seat, series))
    had_square = is_square(tableau)
    for name in leaving(series):
        card = next(card for card in tableau if face(card) == name)
        tableau.remove(card)
        state.discards.append(card)
    score_square(state, seat, had_square, step)
    for neighbour in neighbours(seat, len(state.tableaus)):
        turn_highest(state, neighbour, series.cards[0][0], step)


def series_line(state: VersoState, seat: int, series: Series) -> Msg:
    """That ``seat`` scores ``series``, which lies in its tableau."""
    return Msg(
        "{seat} scores {things}: {points} points.",
        you="You score {things}: {points} points.",
        seat=seat,
        things=[named(name, series) for name in in_order(series)],
        points=series_points(state.tableaus[seat], series),
    )


def gain(state: VersoState, seat: int, count: int) -> None:
    """Add ``count`` points to the score of ``seat``."""
    state.scores[seat] += count
    state.last.gained[seat] += count


def score_square(state: VersoState, seat: int, had_square: bool, step: Step) -> None:
    """After one change of a tableau: a square that was not there before scores, whoever's turn it is."""
    if not had_square and is_square(state.tableaus[seat]):
        gain(state, seat, SQUARE_POINTS)
        step.log(
            Msg(
                "{seat} has a square: {points} points.",
                you="You have a square: {points} points.",
                seat=seat,
                points=SQUARE_POINTS,
            )
        )


def highest(tableau: list[Card], colour: str) -> Card | None:
    """The card of ``colour`` with the highest value; the joker only where it is alone."""
    own = [card for card in tableau if card[0] == colour]
    numbers = [card for card in own if card[1] != JOKER]
    return max(numbers or own, key=face, default=None)


def turn_highest(state: VersoState, seat: int, colour: str, step: Step) -> None:
    """``seat`` turns its highest card of ``colour`` over, if it has one; an equal card is discarded."""
    tableau = state.tableaus[seat]
    card = highest(tableau, colour)
    if card is None:
        step.log(
            Msg(
                "{seat} has no {colour} card to turn over.",
                you="You have no {colour} card to turn over.",
                seat=seat,
                colour=COLOUR_NAMES[colour],
            )
        )
        return
    had_square = is_square(tableau)
    tableau.remove(card)
    after = turned(card)
    gone = holds(tableau, face(after))
    state.last.handles.append(handle(after))
    step.log(turned_line(seat, card, after, gone))
    if gone:
        state.discards.append(after)
    else:
        lay(tableau, after)
    score_square(state, seat, had_square, step)


def turned_line(seat: int, before: Card, after: Card, gone: bool) -> Msg:
    """How a card of a tableau was turned over."""
    thing, other = FACES[face(before)], FACES[face(after)]
    if gone:
        return Msg(
            "{seat} must turn {thing} over. It is {other}, which is there already, and is discarded.",
            you="You must turn {thing} over. It is {other}, which you have already, and is discarded.",
            seat=seat,
            thing=thing,
            other=other,
        )
    return Msg(
        "{seat} must turn {thing} over: it becomes {other}.",
        you="You must turn {thing} over: it becomes {other}.",
        seat=seat,
        thing=thing,
        other=other,
    )


def opponent_card(state: VersoState, step: Step) -> None:
    """Alone: the top card is turned over. Where its value grows, the highest card of the colour that
    shows is turned over too. Then it is discarded."""
    before = taken(state.pile)
    after = turned(before)
    state.last.opponent = [face(before), face(after)]
    step.log(
        Msg(
            "The opponent's card turns from {thing} to {other}.",
            thing=FACES[face(before)],
            other=FACES[face(after)],
        )
    )
    if JOKER not in (before[1], after[1]) and after[1] > before[1]:
        turn_highest(state, 0, after[0], step)
    state.discards.append(after)


def answer(state: VersoState, seat: int, action: Series | Pass, step: Step) -> None:
    """Keep the final choice; when it was the last, all are shown and scored. No card leaves or turns."""
    state.answers[seat] = action
    if None in state.answers:
        return
    state.last = Last(seat=-1, kind="final", gained=[0] * len(state.scores))
    for who, given in enumerate(state.answers):
        if isinstance(given, Series):
            gain(state, who, series_points(state.tableaus[who], given))
            state.last.handles += [
                handle(card) for card in state.tableaus[who] if face(card) in given.cards
            ]
            step.log(series_line(state, who, given))
        else:
            step.log(
                Msg("{seat} scores no final series.", you="You score no final series.", seat=who)
            )
    state.over = True


def level(score: int) -> int:
    """The level that a solo score reaches, 0 to 6."""
    return next((reached for at_least, reached in LEVELS if score >= at_least), 0)


def solo_verdict(score: int) -> Msg:
    """A finished solo game in one sentence."""
    if level(score) == 0:
        return Msg(
            "{points} points: the first level begins at {least}.", points=score, least=LEVELS[-1][0]
        )
    return Msg(
        "{points} points: level {level} of {all}.",
        points=score,
        level=level(score),
        all=len(LEVELS),
    )


def verdict(scores: list[int]) -> Msg:
    """A finished game of several in one sentence."""
    best = max(scores)
    winners = [seat for seat, score in enumerate(scores) if score == best]
    if len(winners) > 1:
        return Msg(
            "{seats} share the first place with {points} points.", seats=winners, points=best
        )
    return Msg(
        "{seat} wins with {points} points.",
        you="You win with {points} points.",
        seat=winners[0],
        points=best,
    )
