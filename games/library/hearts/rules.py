"""Hearts for four, as the help page tells it.

Source: wiki page Gamehelphearts, revision of 2019-06-12. Where it is silent:

* A hand of hearts and the queen alone may break the ban on points in the first trick; then any
  of its cards will do, the queen too, and a heart played so breaks hearts.
* With only hearts left, a heart may be led though hearts are not broken. With only the queen of
  spades and hearts left, the queen must be led; the option ``lead_when_only_queen`` frees it.
* Any card may be passed. Without a hold hand the order of passing begins again at left.
* "Reaches zero" means zero or less; equal scores share a place.

Units: scores are points left, counting down from the option ``start_score``. Cards are rank and
suit, ``QS``; seats are 0 to 3 clockwise, "left" is the next seat to play.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations
from typing import Any

from games.engine import (
    Game,
    IllegalMove,
    LazyMoves,
    Line,
    Meta,
    Moves,
    Msg,
    Outcome,
    Rng,
    Step,
    private_copy,
)
from games.engine.cards import PACK, Card, suit
from games.library.hearts import scoring, standing, worlds
from games.library.hearts.material import (
    BY_QUIET,
    BY_RANK,
    BY_SUIT,
    FIRST_CARD,
    HAND_SIZE,
    PASS_SIZE,
    POINTS,
    QUEEN,
    SEATS,
    STRENGTH,
    TRICKS,
)
from games.library.hearts.state import (
    Action,
    Choose,
    HeartsOptions,
    HeartsState,
    Pass,
    Play,
    direction,
    exchanged,
    giver,
    receiver,
    trick_number,
)

PLAYS = {card: Play(card) for card in PACK}
CHOICES = (Choose("others"), Choose("self"))
TRIPLES = tuple(combinations(range(HAND_SIZE), PASS_SIZE))  # the lowest three places come first

FOLLOW = {
    "C": Msg("Follow clubs."),
    "D": Msg("Follow diamonds."),
    "S": Msg("Follow spades."),
    "H": Msg("Follow hearts."),
}
DISCARD = {
    "C": Msg("You have no clubs: play any card."),
    "D": Msg("You have no diamonds: play any card."),
    "S": Msg("You have no spades: play any card."),
    "H": Msg("You have no hearts: play any card."),
}
DISCARD_NO_POINTS = Msg("You have no clubs: play any card without points.")
LEAD_FIRST = Msg("Lead the two of clubs.")
LEAD = Msg("Lead any card.")
LEAD_NO_HEART = Msg("Lead any card but hearts.")
LEAD_QUEEN = Msg("Lead the queen of spades.")

MUST_FOLLOW = {
    "C": Msg("You must follow clubs."),
    "D": Msg("You must follow diamonds."),
    "S": Msg("You must follow spades."),
    "H": Msg("You must follow hearts."),
}
FIRST_CARD_LEADS = Msg("The two of clubs leads the first trick.")
NO_POINTS = Msg("No hearts and no queen of spades on the first trick.")
UNBROKEN = Msg("Hearts are not broken yet.")

MOON_PROMPT = Msg("You have shot the moon: choose what it does.")

PLAYED = {  # by (leads, breaks hearts): the line, and that of the person
    (False, False): ("{seat} plays {card}.", "You play {card}."),
    (True, False): ("{seat} leads {card}.", "You lead {card}."),
    (False, True): (
        "{seat} plays {card}. Hearts are broken.",
        "You play {card}. Hearts are broken.",
    ),
    (True, True): (
        "{seat} leads {card}. Hearts are broken.",
        "You lead {card}. Hearts are broken.",
    ),
}

PASS_HEADINGS = {
    "left": "Hand {hand}, pass to the left",
    "across": "Hand {hand}, pass across",
    "right": "Hand {hand}, pass to the right",
    "hold": "Hand {hand}, no passing",
}
PASS_PROMPTS = {
    "left": "Choose three cards for {seat_to}, on your left.",
    "across": "Choose three cards for {seat_to}, across the table.",
    "right": "Choose three cards for {seat_to}, on your right.",
}


class Hearts(Game[HeartsState, Action, HeartsOptions]):
    """Take no points: hearts cost 1 each, the queen of spades 13; or take them all."""

    slug = "hearts"
    version = 1
    meta = Meta(
        name="Hearts",
        seats=(SEATS,),
        minutes=40,
        complexity=2,
        designer="traditional",
        provenance=(
            "Rules from the help page Gamehelphearts of 2019-06-12; the other ways to score a moon,"
            " to lead from the queen and hearts and to show tricks are ours or common variants."
        ),
        hidden=True,
    )
    state_type = HeartsState
    action_type = Action
    options_type = HeartsOptions

    def setup(self, seats: int, options: HeartsOptions, rng: Rng) -> HeartsState:
        state = HeartsState(options=options, scores=[options.start_score] * SEATS, hands=[])
        deal(state, rng)
        return state

    def seat_count(self, state: HeartsState) -> int:
        return SEATS

    def pending(self, state: HeartsState) -> dict[int, str]:
        if state.phase == "play":
            key = f"play:{state.hand_number}:{len(state.leaders)}:{len(state.trick)}"
            return {state.turn: key}
        if state.phase == "pass":
            key = f"pass:{state.hand_number}"
            return {seat: key for seat, cards in enumerate(state.passes) if not cards}
        if state.phase == "choose_moon":
            return {state.turn: f"choose_moon:{state.hand_number}"}
        return {}

    def moves(self, state: HeartsState, seat: int) -> Moves[Action]:
        if state.phase == "play":
            hand = state.hands[seat]
            cards, prompt, refusal = playable(state, hand)
            return Moves(
                [PLAYS[card] for card in cards],
                refused=() if refusal is None else Refused(hand, cards, refusal[1]),
                prompt=prompt,
            )
        if state.phase == "pass":
            return passes(state, seat)
        return Moves(CHOICES, prompt=MOON_PROMPT)

    def check(self, state: HeartsState, seat: int, action: Action) -> None:
        if isinstance(action, Play):
            check_play(state, seat, action.card)
        elif isinstance(action, Pass):
            check_pass(state, seat, action.cards)
        else:
            check_choice(state, action.choice)

    def apply(self, state: HeartsState, seat: int, action: Action, step: Step) -> None:
        if isinstance(action, Play):
            play(state, seat, action.card, step)
        elif isinstance(action, Pass):
            choose_pass(state, seat, action.cards, step)
        else:
            choose_moon(state, seat, action.choice, step)

    def view(self, state: HeartsState, seat: int | None) -> dict[str, Any]:
        """Lists by seat: ``scores``, ``has_passed``, ``points`` (taken in this hand),
        ``hand_sizes``, each hand's ``changes`` in ``results``, ``taken`` (only where the option
        shows it). Cards of a trick are ``{"seat", "card"}`` in order of play, the led one first.
        ``hand``, ``passes_to``, ``chosen``, ``given``, ``received`` and ``received_from`` are the
        viewer's own and empty or None for a spectator; the last three come with the exchange.
        """
        options = state.options
        passed_to = None if seat is None else receiver(state, seat)
        view: dict[str, Any] = {
            "phase": state.phase,
            "start_score": options.start_score,
            "scores": state.scores,
            "hand_number": state.hand_number,
            "direction": direction(options, state.hand_number),
            "has_passed": [bool(cards) for cards in state.passes],
            "turn": state.turn if state.phase in ("play", "choose_moon") else None,
            "trick_number": trick_number(state),
            "trick": in_order(state.leaders[-1], state.trick) if state.trick else [],
            "last_trick": last_trick(state),
            "hearts_broken": state.hearts_broken,
            "points": state.points,
            "hand_sizes": [len(hand) for hand in state.hands],
            "results": [
                {"changes": changes, "shooter": scoring.moon_of(changes)}
                for changes in state.changes
            ],
            "hand": [] if seat is None else shown(state.hands[seat]),
            "passes_to": passed_to if passed_to != seat else None,
            "chosen": [] if seat is None else shown(state.passes[seat]),
            "given": [],
            "received": [],
            "received_from": None,
        }
        if seat is not None and exchanged(state):
            view["given"] = shown(state.passes[seat])
            view["received"] = shown(state.passes[giver(state, seat)])
            view["received_from"] = giver(state, seat)
        if options.show_taken_cards == "all":
            view["taken"] = taken(state)
        return view

    def reveal(self, state: HeartsState) -> dict[str, Any]:
        return self.view(state, None) | {
            "hands": [shown(hand) for hand in state.hands],
            "passes": [shown(cards) for cards in state.passes],
            "taken": taken(state),
        }

    def outcome(self, state: HeartsState) -> Outcome | None:
        return scoring.ended(state.scores) if state.phase == "over" else None

    def forfeit(self, state: HeartsState, seat: int) -> Outcome:
        return scoring.given_up(state.scores, seat)

    def value(self, state: HeartsState, seat: int) -> float:
        return standing.value(state, seat)

    def ideas(self, state: HeartsState, seat: int) -> Sequence[Action]:
        if state.phase == "pass":
            return standing.pass_ideas(state.hands[seat])
        return self.moves(state, seat).items

    def resample(self, state: HeartsState, seat: int | None, rng: Rng) -> HeartsState:
        world = private_copy(self, state)
        worlds.redeal(world, seat, rng)
        return world

    def progress(self, state: HeartsState) -> float:
        start = state.options.start_score
        return (start - max(0, min(state.scores))) / start

    def opening(self, state: HeartsState) -> list[Line]:
        return [Line(msg.data(), heading=True) for msg in deal_headings(state)]

    def summary(self, state: HeartsState) -> Msg:
        return summary(state)

    def standing(self, state: HeartsState) -> list[int]:
        return state.scores

    def label(self, state: HeartsState, seat: int, action: Action) -> Msg:
        if isinstance(action, Play):
            return Msg("Play {card}", card=action.card)
        if isinstance(action, Pass):
            return Msg("Pass {cards}", cards=shown(action.cards))
        if action.choice == "self":
            return Msg("Gain 26 points")
        return Msg("Let the others lose 26 each")


class Refused(Sequence[tuple[str, Msg]]):
    """The cards of ``hand`` that may not be played now, each with the reason; made when asked."""

    __slots__ = ("_barred", "_cards", "_hand", "_reason")

    def __init__(self, hand: list[Card], cards: list[Card], reason: Msg) -> None:
        self._hand, self._cards, self._reason = hand, cards, reason

    def __len__(self) -> int:
        return len(self._hand) - len(self._cards)

    def __getitem__(self, index: Any) -> Any:
        return [(card, self._reason) for card in self._hand if card not in self._cards][index]


# -- dealing and passing ---------------------------------------------------------------------


def deal(state: HeartsState, rng: Rng) -> None:
    """Begin the hand ``state.hand_number``: thirteen cards each, nothing taken, hearts unbroken."""
    pack = rng.shuffled(PACK)
    state.hands = [
        sorted(pack[first : first + HAND_SIZE], key=BY_QUIET.__getitem__)
        for first in range(0, len(pack), HAND_SIZE)
    ]
    state.passes = [[] for _ in range(SEATS)]
    state.points = [0] * SEATS
    state.leaders, state.trick, state.won = [], [], []
    state.hearts_broken = False
    if direction(state.options, state.hand_number) == "hold":
        start_play(state)
    else:
        state.phase = "pass"


def deal_headings(state: HeartsState) -> list[Msg]:
    """What the log says when a hand has been dealt."""
    way = direction(state.options, state.hand_number)
    headings = [Msg(PASS_HEADINGS[way], hand=state.hand_number)]
    if state.phase == "play":
        headings.append(Msg("Trick {trick}", trick=1))
    return headings


def passes(state: HeartsState, seat: int) -> Moves[Action]:
    """All 286 choices of three cards, the three lowest first."""
    hand = sorted(state.hands[seat], key=BY_RANK.__getitem__)
    prompt = Msg(
        PASS_PROMPTS[direction(state.options, state.hand_number)], seat_to=receiver(state, seat)
    )

    def make(index: int) -> Action:
        return Pass([hand[place] for place in TRIPLES[index]])

    return Moves(LazyMoves(len(TRIPLES), make), prompt=prompt)


def check_pass(state: HeartsState, seat: int, cards: list[Card]) -> None:
    """Raise ``wrong_count`` or ``not_your_cards``; ``illegal_move`` when nobody passes now."""
    if state.phase != "pass":
        raise IllegalMove("illegal_move", "Cards are not passed now.")
    if len(cards) != PASS_SIZE or len(set(cards)) != PASS_SIZE:
        raise IllegalMove("wrong_count", "Choose exactly three different cards.")
    if not set(cards) <= set(state.hands[seat]):
        raise IllegalMove("not_your_cards", "You can pass only cards of your own hand.")


def choose_pass(state: HeartsState, seat: int, cards: list[Card], step: Step) -> None:
    """Lay three cards aside; the last of the four choices lets all of them change places."""
    state.passes[seat] = list(cards)
    step.log(Msg("{seat} has chosen.", you="You have chosen.", seat=seat))
    if all(state.passes):
        exchange(state, step)


def exchange(state: HeartsState, step: Step) -> None:
    """All passed cards change hands at once; nobody saw what comes before giving."""
    for seat, cards in enumerate(state.passes):
        to = receiver(state, seat)
        step.log(
            Msg(
                "{seat} passes {cards} to {seat_to}.",
                you="You pass {cards} to {seat_to}.",
                seat=seat,
                cards=shown(cards),
                seat_to=to,
            ),
            to=[seat],
        )
        step.log(
            Msg(
                "{seat} is given {cards} by {seat_from}.",
                you="You are given {cards} by {seat_from}.",
                seat=to,
                cards=shown(cards),
                seat_from=seat,
            ),
            to=[to],
        )
    for seat, hand in enumerate(state.hands):
        for card in state.passes[seat]:
            hand.remove(card)
        hand.extend(state.passes[giver(state, seat)])
    for hand in state.hands:
        hand.sort(key=BY_QUIET.__getitem__)
    step.barrier()
    start_play(state)
    step.heading(Msg("Trick {trick}", trick=1))


def start_play(state: HeartsState) -> None:
    """The holder of the two of clubs is to lead it."""
    state.phase = "play"
    state.turn = next(seat for seat, hand in enumerate(state.hands) if FIRST_CARD in hand)
    state.leaders = [state.turn]


# -- tricks ----------------------------------------------------------------------------------


def playable(
    state: HeartsState, hand: list[Card]
) -> tuple[list[Card], Msg, tuple[str, Msg] | None]:
    """What ``hand`` may play to this trick, in its own order and never nothing; the prompt; and the
    code and the reason by which its other cards are refused, if any are."""
    trick = state.trick
    if trick:
        led = trick[0][-1]
        following = [card for card in hand if card[-1] == led]
        if following:
            return following, FOLLOW[led], ("must_follow_suit", MUST_FOLLOW[led])
        if not state.won and not state.options.points_on_first_trick:
            harmless = [card for card in hand if card not in POINTS]
            if harmless:
                return harmless, DISCARD_NO_POINTS, ("no_points_on_first_trick", NO_POINTS)
        return hand, DISCARD[led], None
    if not state.won:
        return [FIRST_CARD], LEAD_FIRST, ("must_lead_two_of_clubs", FIRST_CARD_LEADS)
    if state.hearts_broken:
        return hand, LEAD, None
    calm = [card for card in hand if card[-1] != "H"]
    if not calm or (calm == [QUEEN] and state.options.lead_when_only_queen == "free"):
        return hand, LEAD, None
    prompt = LEAD_QUEEN if calm == [QUEEN] else LEAD_NO_HEART
    return calm, prompt, ("hearts_not_broken", UNBROKEN)


def check_play(state: HeartsState, seat: int, card: Card) -> None:
    """Raise ``not_in_hand`` or the code of the rule that refuses the card."""
    if state.phase != "play":
        raise IllegalMove("illegal_move", "Cards are not played now.")
    hand = state.hands[seat]
    if card not in hand:
        raise IllegalMove("not_in_hand", "That card is not in your hand.")
    cards, _, refusal = playable(state, hand)
    if refusal is not None and card not in cards:
        raise IllegalMove(*refusal)


def play(state: HeartsState, seat: int, card: Card, step: Step) -> None:
    """Put a card down; the fourth one decides the trick."""
    state.hands[seat].remove(card)
    trick = state.trick
    trick.append(card)
    breaks = not state.hearts_broken and (
        card[-1] == "H" or (card == QUEEN and state.options.queen_breaks_hearts)
    )
    if breaks:
        state.hearts_broken = True
    step.lines.append(play_line(seat, card, len(trick) == 1, breaks))
    step.barrier()
    if len(trick) < SEATS:
        state.turn = (seat + 1) % SEATS
    else:
        take_trick(state, step)


def take_trick(state: HeartsState, step: Step) -> None:
    """The highest card of the suit led takes all four, and its player leads next."""
    trick = state.trick
    led = trick[0][-1]
    best = max(STRENGTH[card] for card in trick if card[-1] == led)
    leader = state.leaders[-1]
    for place, card in enumerate(trick):
        if card[-1] == led and STRENGTH[card] == best:
            winner = (leader + place) % SEATS
    points = sum(POINTS[card] for card in trick if card in POINTS)
    state.points[winner] += points
    state.won += trick
    state.last_trick, state.last_leader, state.trick = trick, leader, []
    state.leaders.append(winner)
    state.turn = winner
    step.lines.append(take_line(winner, points))
    if len(state.leaders) <= TRICKS:
        step.lines.append(trick_heading(len(state.leaders)))
    else:
        end_hand(state, step)


@cache
def play_line(seat: int, card: Card, leads: bool, breaks: bool) -> Line:
    """The log line of one card; there are few, so each is made once."""
    text, you = PLAYED[leads, breaks]
    return Line(Msg(text, you=you, seat=seat, card=card).data())


@cache
def take_line(seat: int, points: int) -> Line:
    """The log line of a trick that is complete."""
    if points == 1:
        msg = Msg("{seat} takes the trick: 1 point.", you="You take the trick: 1 point.", seat=seat)
    else:
        msg = Msg(
            "{seat} takes the trick: {points} points.",
            you="You take the trick: {points} points.",
            seat=seat,
            points=points,
        )
    return Line(msg.data())


@cache
def trick_heading(number: int) -> Line:
    """The heading under which the log tells trick ``number`` of a hand."""
    return Line(Msg("Trick {trick}", trick=number).data(), heading=True)


# -- the end of a hand -----------------------------------------------------------------------


def end_hand(state: HeartsState, step: Step) -> None:
    """Score the hand, unless the one who shot the moon has to choose first."""
    step.heading(Msg("Hand {hand}, result", hand=state.hand_number))
    shooter = scoring.shooter(state.points)
    if shooter is not None:
        step.log(Msg("{seat} shoots the moon!", you="You shoot the moon!", seat=shooter))
        if state.options.moon == "shooter_chooses":
            state.phase, state.turn = "choose_moon", shooter
            return
    next_hand(state, "self" if state.options.moon == "shooter_gains_26" else "others", step)


def check_choice(state: HeartsState, choice: str) -> None:
    """Raise ``bad_choice``; ``illegal_move`` when there is no moon to choose for."""
    if state.phase != "choose_moon":
        raise IllegalMove("illegal_move", "There is nothing to choose now.")
    if choice not in ("others", "self"):
        raise IllegalMove("bad_choice", "Choose whether the others lose 26 or you gain 26.")


def choose_moon(state: HeartsState, seat: int, choice: str, step: Step) -> None:
    """The shooter says what the moon does."""
    if choice == "self":
        step.log(Msg("{seat} chooses to gain 26.", you="You choose to gain 26.", seat=seat))
    else:
        step.log(
            Msg(
                "{seat} chooses that the others lose 26 each.",
                you="You choose that the others lose 26 each.",
                seat=seat,
            )
        )
    next_hand(state, choice, step)


def next_hand(state: HeartsState, choice: str, step: Step) -> None:
    """Settle the scores; deal again unless the game is over."""
    scoring.settle(state, choice, step)
    if state.phase != "over":
        state.hand_number += 1
        deal(state, step.rng)
        for heading in deal_headings(state):
            step.heading(heading)


# -- what people see -------------------------------------------------------------------------


def shown(cards: Sequence[Card]) -> list[Card]:
    """Cards in the order in which a hand is held."""
    return sorted(cards, key=BY_SUIT.__getitem__)


def in_order(leader: int, cards: list[Card]) -> list[dict[str, Any]]:
    """The cards of a trick with who played them, in order of play."""
    return [{"seat": (leader + n) % SEATS, "card": card} for n, card in enumerate(cards)]


def last_trick(state: HeartsState) -> dict[str, Any] | None:
    """The last complete trick, also that of the hand before until a new one is complete."""
    cards = state.last_trick
    if not cards:
        return None
    led = suit(cards[0])
    best = max((card for card in cards if suit(card) == led), key=STRENGTH.__getitem__)
    return {
        "cards": in_order(state.last_leader, cards),
        "winner": (state.last_leader + cards.index(best)) % SEATS,
        "points": sum(POINTS.get(card, 0) for card in cards),
    }


def taken(state: HeartsState) -> list[list[Card]]:
    """By seat, the cards of the tricks it has taken in this hand, in order of play."""
    piles: list[list[Card]] = [[] for _ in range(SEATS)]
    for number, winner in enumerate(state.leaders[1:]):
        piles[winner] += state.won[SEATS * number : SEATS * (number + 1)]
    return piles


def summary(state: HeartsState) -> Msg:
    """Where in the game we are."""
    hand = state.hand_number
    if state.phase == "play":
        text = "Hand {hand}, trick {trick} of 13; hearts are not broken"
        if state.hearts_broken:
            text = "Hand {hand}, trick {trick} of 13; hearts are broken"
        return Msg(text, hand=hand, trick=trick_number(state))
    if state.phase == "pass":
        return chosen_so_far(state)
    if state.phase == "choose_moon":
        return Msg("Hand {hand}; {seat} has shot the moon", hand=hand, seat=state.turn)
    empty = scoring.used_up(state.scores)
    if len(empty) == 1:
        return Msg("Hand {hand} of {hand}; {seat} reached zero", hand=hand, seat=empty[0])
    if len(empty) == 2:
        return Msg(
            "Hand {hand} of {hand}; {seat} and {seat_2} reached zero",
            hand=hand,
            seat=empty[0],
            seat_2=empty[1],
        )
    return Msg("Hand {hand} of {hand}; {seats} reached zero", hand=hand, seats=empty)


def chosen_so_far(state: HeartsState) -> Msg:
    """Who has laid three cards aside."""
    hand = state.hand_number
    chosen = [seat for seat, cards in enumerate(state.passes) if cards]
    if not chosen:
        return Msg("Hand {hand}; nobody has chosen yet", hand=hand)
    if len(chosen) == 1:
        return Msg("Hand {hand}; {seat} has chosen", hand=hand, seat=chosen[0])
    if len(chosen) == 2:
        return Msg(
            "Hand {hand}; {seat} and {seat_2} have chosen",
            hand=hand,
            seat=chosen[0],
            seat_2=chosen[1],
        )
    return Msg(
        "Hand {hand}; {seat}, {seat_2} and {seat_3} have chosen",
        hand=hand,
        seat=chosen[0],
        seat_2=chosen[1],
        seat_3=chosen[2],
    )
