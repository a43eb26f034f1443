"""dnup, for two to five players: cards with two values, of which the hand decides which one counts.

Source: wiki page Gamehelpdnup, revision of 2026-04-03 (``ruleset`` "help"); for the cards, who begins,
what becomes of the set of a player who is out, and all of ``ruleset`` "rulebook": the publisher's
pages and a public implementation. Where they are silent or differ:

* The page names a hand limit without a number: as many as were dealt. It limits taking alone.
* The page calls more cards stronger, yet compares sets of one size only; so does the table, unless
  the option ``beat_scope`` lets a set that is laid or grows beat all smaller ones too. What may be
  laid does not change by it.
* Two players by the page: the round ends with the first empty hand, 2 points and 1.
* Nobody was dealt the starred card: the first round's starter is drawn, later the next one begins.
* A round is void after 100 actions a player; points already given stay. The third void round ends
  the game as it stands.
* A duel is the published form for two: two areas, two turns in a row, but one turn, in area 2, for
  whoever begins the round.

Units: points count up to the option ``target_points``; in a duel they are rounds won, up to two.
Seats go clockwise. Cards are written as ``material`` has it: negative is turned round.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from games.engine import Game, IllegalMove, Line, Meta, Moves, Msg, Outcome, Rng, Step, private_copy
from games.library.dnup import standing, worlds
from games.library.dnup.material import (
    ACTIONS_A_PLAYER,
    FIRST_OUT,
    NAMES,
    SEATS,
    SECOND_OUT,
    STAR,
    UP,
    VOID_ROUNDS,
    deck,
)
from games.library.dnup.sets import (
    beaten,
    blocking,
    by_value,
    choices,
    face,
    faces,
    find,
    named,
    twins,
    words,
)
from games.library.dnup.state import (
    Action,
    Add,
    DnupOptions,
    DnupState,
    Laid,
    Last,
    Play,
    Rotate,
    Round,
    Take,
    dealt,
    hand_limit,
    is_duel,
    target,
)

PROMPTS = {  # by whether a set can be played, a card added, a set taken
    (True, True, True): Msg("Play a set, add a card, take a set, or turn your hand round."),
    (True, True, False): Msg("Play a set, add a card, or turn your hand round."),
    (True, False, True): Msg("Play a set, take a set, or turn your hand round."),
    (True, False, False): Msg("Play a set, or turn your hand round."),
    (False, True, True): Msg("Add a card, take a set, or turn your hand round."),
    (False, True, False): Msg("Add a card, or turn your hand round."),
    (False, False, True): Msg("Take a set, or turn your hand round."),
    (False, False, False): Msg("You can only turn your hand round."),
}


class Dnup(Game[DnupState, Action, DnupOptions]):
    """Be the first or second to empty your hand, with cards that change value when they turn."""

    slug = "dnup"
    version = 1
    meta = Meta(
        name="dnup",
        seats=SEATS,
        minutes=20,
        complexity=2,
        designer="Kei Kajino",
        provenance=(
            "Rules from the help page Gamehelpdnup of 2026-04-03, and as an option the published rules"
            " of 2026. The 40 pairs of values come from one public transcription of the deck. The"
            " number of the hand limit and the end of a round that does not end are ours."
        ),
        hidden=True,
    )
    state_type = DnupState
    action_type = Action
    options_type = DnupOptions

    def setup(self, seats: int, options: DnupOptions, rng: Rng) -> DnupState:
        state = DnupState(options=options, points=[0] * seats, hands=[[] for _ in range(seats)])
        deal(state, rng)
        return state

    def seat_count(self, state: DnupState) -> int:
        return len(state.points)

    def pending(self, state: DnupState) -> dict[int, str]:
        if state.phase == "over":
            return {}
        return {state.turn: f"action:{state.round}:{state.actions}"}

    def moves(self, state: DnupState, seat: int) -> Moves[Action]:
        ways = plays(state, seat), adds(state, seat), takes(state, seat)
        prompt = PROMPTS[bool(ways[0]), bool(ways[1]), bool(ways[2])]
        if is_duel(state):
            prompt = Msg("{prompt} This is area {area}.", area=state.area, prompt=prompt)
        return Moves(
            [Rotate(), *ways[0], *ways[1], *ways[2]], refused=refused(state, seat), prompt=prompt
        )

    def check(self, state: DnupState, seat: int, action: Action) -> None:
        """Raise the first reason that forbids it; to turn one's hand is always allowed."""
        if isinstance(action, Play):
            check_play(state, seat, action.cards)
        elif isinstance(action, Add):
            check_add(state, seat, action)
        elif isinstance(action, Take):
            check_take(state, seat, action)

    def apply(self, state: DnupState, seat: int, action: Action, step: Step) -> None:
        state.came[seat] = []
        if isinstance(action, Play):
            play(state, seat, action.cards, step)
        elif isinstance(action, Add):
            add(state, seat, action, step)
        elif isinstance(action, Take):
            take(state, seat, action, step)
        else:
            rotate(state, seat, step)
        state.actions += 1
        finish_turn(state, seat, step)

    def view(self, state: DnupState, seat: int | None) -> dict[str, Any]:
        """A card is ``{"id", "up", "down"}``: its name, the value it shows, the one it hides.

        By seat: ``points`` (in a duel rounds won), ``hand_sizes``, the ``gains`` of each round in
        ``rounds``. ``sets`` lie as they were laid; ``out`` are the seats without cards, the first
        one first; ``star_holder`` was dealt the card ``starred`` (None: nobody was). ``hand`` is the viewer's, ``came``
        those of its cards that it has got since its turn before.
        """
        duel = is_duel(state)
        return {
            "phase": state.phase,
            "ruleset": state.options.ruleset,
            "beat_scope": state.options.beat_scope,
            "duel": duel,
            "target": target(state),
            "hand_limit": hand_limit(state),
            "round": state.round,
            "actions": state.actions,
            "turn": state.turn if state.phase == "action" else None,
            "area": state.area,
            "starter": state.starter,
            "starred": NAMES[STAR],
            "star_holder": None if STAR in map(abs, state.aside) else state.starter,
            "points": state.points,
            "out": state.out,
            "hand_sizes": [len(hand) for hand in state.hands],
            "hand": [] if seat is None else shown(state.hands[seat]),
            "came": [] if seat is None else [NAMES[card] for card in state.came[seat]],
            "sets": [
                {
                    "owner": laid.owner,
                    "area": laid.area,
                    "value": laid.value,
                    "cards": shown(laid.cards),
                }
                for laid in state.sets
            ],
            "discard": shown(state.discard),
            "aside": len(state.aside),
            "last": None if state.last is None else last_shown(state.did[state.last]),
            "did": [last_shown(last) for last in state.did],
            "rounds": [{"gains": one.gains, "void": one.void} for one in state.rounds],
        }

    def reveal(self, state: DnupState) -> dict[str, Any]:
        return self.view(state, None) | {
            "hands": [shown(hand) for hand in state.hands],
            "aside_cards": shown(state.aside),
        }

    def outcome(self, state: DnupState) -> Outcome | None:
        return ended(state) if state.phase == "over" else None

    def value(self, state: DnupState, seat: int) -> float:
        return standing.value(state, seat)

    def resample(self, state: DnupState, seat: int | None, rng: Rng) -> DnupState:
        world = private_copy(self, state)
        worlds.redeal(world, seat, rng)
        return world

    def progress(self, state: DnupState) -> float:
        if state.phase == "over":
            return 1.0
        return min(1.0, max(state.points) / target(state))

    def opening(self, state: DnupState) -> list[Line]:
        return [
            Line(Msg("Round {round}", round=state.round).data(), heading=True),
            Line(who_begins(state).data()),
        ]

    def summary(self, state: DnupState) -> Msg:
        if state.phase == "over":
            return Msg("Round {round} was the last", round=len(state.rounds))
        if state.out:
            return Msg("Round {round}; {seat} is out", round=state.round, seat=state.out[0])
        return Msg("Round {round}", round=state.round)

    def standing(self, state: DnupState) -> list[int]:
        return state.points

    def label(self, state: DnupState, seat: int, action: Action) -> Msg:
        if isinstance(action, Play):
            cards = held(state, seat, action.cards)
            return Msg(
                "Play {set}: {faces}", set=words(len(cards), UP[cards[0]]), faces=faces(cards)
            )
        if isinstance(action, Add):
            card = held(state, seat, [action.card])[0]
            laid = lying(state, action.seat, action.area)
            return Msg(
                "Add {face} to {set} of {seat}", face=face(card), set=named(laid), seat=action.seat
            )
        if isinstance(action, Take):
            laid = lying(state, action.seat, action.area)
            return Msg("Take {set} from {seat}", set=named(laid), seat=action.seat)
        return Msg("Turn your hand round")


# -- a round ---------------------------------------------------------------------------------


def deal(state: DnupState, rng: Rng) -> None:
    """Begin the round ``state.round``: cards either way up, an empty table, and a starter."""
    seats = len(state.points)
    count = dealt(seats, state.options)
    cards = [worlds.either_way(card, rng) for card in rng.shuffled(deck(seats))]
    state.hands = [cards[first : first + count] for first in range(0, count * seats, count)]
    state.aside = cards[count * seats :]
    state.sets, state.discard, state.out = [], [], []
    state.known = [[] for _ in range(seats)]
    state.gains = [0] * seats
    state.actions = 0
    state.did, state.last = [None] * seats, None
    state.came = [[] for _ in range(seats)]
    holder = next((s for s, hand in enumerate(state.hands) if STAR in map(abs, hand)), None)
    if holder is not None:
        state.starter = holder
    elif state.round == 1:
        state.starter = rng.below(seats)
    else:
        state.starter = (state.starter + 1) % seats
    state.turn = state.starter
    state.area = 2 if is_duel(state) else 1


def who_begins(state: DnupState) -> Msg:
    if STAR not in map(abs, state.aside):
        return Msg(
            "{seat} has the starred card and begins.",
            you="You have the starred card and begin.",
            seat=state.starter,
        )
    return Msg(
        "Nobody was dealt the starred card: {seat} begins.",
        you="Nobody was dealt the starred card: you begin.",
        seat=state.starter,
    )


def finish_turn(state: DnupState, seat: int, step: Step) -> None:
    """Who has no cards left is out; then the round is over, or somebody is next."""
    if not state.hands[seat]:
        go_out(state, seat, step)
    if state.phase == "over":
        return
    if round_is_over(state):
        next_round(state, step, void=False)
    elif state.actions >= ACTIONS_A_PLAYER * len(state.points):
        step.log(
            Msg("The round has not ended in {count} actions: it is void.", count=state.actions)
        )
        next_round(state, step, void=True)
    else:
        next_turn(state, step)


def go_out(state: DnupState, seat: int, step: Step) -> None:
    """The first one out gets 2 points, the second 1, at once; two players by the page get both. In
    a duel the round is won."""
    state.out.append(seat)
    if is_duel(state):
        step.log(
            Msg(
                "{seat} has no card left and wins the round.",
                you="You have no card left and win the round.",
                seat=seat,
            )
        )
        award(state, seat, 1, step)
        return
    if len(state.out) == 1:
        step.log(
            Msg("{seat} is out first: 2 points.", you="You are out first: 2 points.", seat=seat)
        )
        award(state, seat, FIRST_OUT, step)
        if len(state.points) > 2 or state.phase == "over":
            return
        seat = 1 - seat
        state.out.append(seat)
    step.log(Msg("{seat} is second: 1 point.", you="You are second: 1 point.", seat=seat))
    award(state, seat, SECOND_OUT, step)


def award(state: DnupState, seat: int, points: int, step: Step) -> None:
    """Give points; whoever has reached the target has won."""
    state.points[seat] += points
    state.gains[seat] += points
    if state.points[seat] >= target(state):
        state.rounds.append(Round(state.gains))
        end_game(state, step)


def round_is_over(state: DnupState) -> bool:
    return len(state.out) >= (1 if is_duel(state) else 2)


def next_round(state: DnupState, step: Step, *, void: bool) -> None:
    """Deal again, unless this was the third void round."""
    state.rounds.append(Round(state.gains, void))
    if void and sum(one.void for one in state.rounds) >= VOID_ROUNDS:
        end_game(state, step)
        return
    state.round += 1
    deal(state, step.rng)
    step.heading(Msg("Round {round}", round=state.round))
    step.log(who_begins(state))


def end_game(state: DnupState, step: Step) -> None:
    state.phase = "over"
    step.log(Msg.from_data(ended(state).text))


def next_turn(state: DnupState, step: Step) -> None:
    """The next one who holds cards is to act; sets that have lain for a round are discarded."""
    if is_duel(state):
        if state.area == 1:
            state.area = 2
        else:
            state.turn, state.area = 1 - state.turn, 1
        discard_own(state, state.turn, state.area, step)
        return
    seats = len(state.points)
    for ahead in range(1, seats + 1):
        seat = (state.turn + ahead) % seats
        discard_own(state, seat, 1, step)
        if seat not in state.out:
            state.turn = seat
            return


def discard_own(state: DnupState, seat: int, area: int, step: Step) -> None:
    """The set that nobody has beaten or taken goes to the discard pile as its owner's turn comes."""
    laid = find(state, seat, area)
    if laid is not None:
        state.sets.remove(laid)
        state.discard += laid.cards
        step.log(
            Msg("{seat} discards {set}.", you="You discard {set}.", seat=seat, set=named(laid))
        )


# -- what may be done ------------------------------------------------------------------------


def plays(state: DnupState, seat: int) -> list[Action]:
    """Every set of own cards that may be laid, from the lowest value on."""
    return [
        Play([NAMES[card] for card in cards])
        for value, group in by_value(state.hands[seat])
        for cards in choices(group)
        if blocking(state, len(cards), value) is None
    ]


def adds(state: DnupState, seat: int) -> list[Action]:
    """Every own card that may be added to a set; of cards that are alike the first."""
    groups = dict(by_value(state.hands[seat]))
    found: list[Action] = []
    for laid in state.sets:
        if laid.owner == seat or blocking(state, len(laid.cards) + 1, laid.value):
            continue
        cards = groups.get(laid.value, [])
        alike = twins(cards)
        found += [Add(NAMES[card], laid.owner, laid.area) for card in cards if card not in alike]
    return found


def takes(state: DnupState, seat: int) -> list[Action]:
    """Every set that may be taken."""
    limit = hand_limit(state)
    held_now = len(state.hands[seat])
    return [
        Take(laid.owner, laid.area)
        for laid in state.sets
        if laid.owner != seat and (limit is None or held_now + len(laid.cards) <= limit)
    ]


def refused(state: DnupState, seat: int) -> list[tuple[str, Msg]]:
    """Why not, by what a board asks about: ``play:SIZE:VALUE`` for sets of own cards,
    ``add:OWNER:AREA`` and ``take:OWNER:AREA`` for the sets of others."""
    groups = by_value(state.hands[seat])
    values = dict(groups)
    reasons = []
    for value, cards in groups:
        for size in range(1, len(cards) + 1):
            if laid := blocking(state, size, value):
                reasons.append((f"play:{size}:{value}", too_low(laid)))
    for laid in state.sets:
        if laid.owner == seat:
            continue
        place = f"{laid.owner}:{laid.area}"
        if laid.value not in values:
            reasons.append(
                (f"add:{place}", Msg("You have no card that shows {value}.", value=laid.value))
            )
        elif other := blocking(state, len(laid.cards) + 1, laid.value):
            reasons.append((f"add:{place}", too_low(other)))
        if reason := over_limit(state, seat, laid):
            reasons.append((f"take:{place}", reason))
    return reasons


def too_low(laid: Laid) -> Msg:
    """Why a set of this size cannot be laid."""
    return Msg(
        "It must be higher than {set} of {seat}.",
        you="It must be higher than {set} of yours.",
        set=named(laid),
        seat=laid.owner,
    )


def over_limit(state: DnupState, seat: int, laid: Laid) -> Msg | None:
    limit = hand_limit(state)
    count = len(state.hands[seat]) + len(laid.cards)
    if limit is None or count <= limit:
        return None
    return Msg("You would hold {count} cards; the hand limit is {limit}.", count=count, limit=limit)


def check_play(state: DnupState, seat: int, names: list[str]) -> None:
    """Raise ``no_cards``, ``not_your_cards``, ``same_card_twice``, ``different_values`` or ``too_low``."""
    if not names:
        raise IllegalMove("no_cards", "A set has at least one card.")
    cards = held(state, seat, names)
    if len(set(cards)) != len(cards):
        raise IllegalMove("same_card_twice", "Each card can be played once.")
    if len({UP[card] for card in cards}) != 1:
        raise IllegalMove("different_values", "All cards of a set show the same value.")
    if laid := blocking(state, len(cards), UP[cards[0]]):
        raise IllegalMove("too_low", too_low(laid))


def check_add(state: DnupState, seat: int, action: Add) -> None:
    """Raise ``not_your_cards``, ``own_set``, ``no_set``, ``wrong_value`` or ``too_low``."""
    card = held(state, seat, [action.card])[0]
    if action.seat == seat:
        raise IllegalMove("own_set", "You can add only to the sets of others.")
    laid = lying(state, action.seat, action.area)
    if UP[card] != laid.value:
        raise IllegalMove(
            "wrong_value",
            Msg("Only a card that shows {value} fits there.", value=laid.value),
        )
    if other := blocking(state, len(laid.cards) + 1, laid.value):
        raise IllegalMove("too_low", too_low(other))


def check_take(state: DnupState, seat: int, action: Take) -> None:
    """Raise ``own_set``, ``no_set`` or ``hand_limit``."""
    if action.seat == seat:
        raise IllegalMove("own_set", "You can take only the sets of others.")
    laid = lying(state, action.seat, action.area)
    if reason := over_limit(state, seat, laid):
        raise IllegalMove("hand_limit", reason)


def held(state: DnupState, seat: int, names: Sequence[str]) -> list[int]:
    """The cards of ``seat`` with these names, as they stand. Raises ``not_your_cards``."""
    hand = {NAMES[card]: card for card in state.hands[seat]}
    if not all(name in hand for name in names):
        raise IllegalMove("not_your_cards", "You can use only cards of your own hand.")
    return [hand[name] for name in names]


def lying(state: DnupState, owner: int, area: int) -> Laid:
    """The set that lies there. Raises ``no_set``."""
    laid = find(state, owner, area)
    if laid is None:
        raise IllegalMove("no_set", "No set lies there.")
    return laid


# -- what it does ----------------------------------------------------------------------------


def play(state: DnupState, seat: int, names: list[str], step: Step) -> None:
    cards = held(state, seat, names)
    leave_hand(state, seat, cards)
    laid = Laid(seat, cards, state.area)
    state.sets.append(laid)
    step.log(
        Msg(
            "{seat} plays {set}: {faces}.",
            you="You play {set}: {faces}.",
            seat=seat,
            set=named(laid),
            faces=faces(cards),
        )
    )
    note(state, Last(seat, "play", cards, seat, state.area))
    send_back(state, seat, laid, step)


def add(state: DnupState, seat: int, action: Add, step: Step) -> None:
    """The set grows by one card and stays its owner's."""
    card = held(state, seat, [action.card])[0]
    leave_hand(state, seat, [card])
    laid = lying(state, action.seat, action.area)
    laid.cards.append(card)
    step.log(
        Msg(
            "{seat} adds {face} to the set of {seat_to}: now {set}.",
            you="You add {face} to the set of {seat_to}: now {set}.",
            to_you="{seat} adds {face} to your set: now {set}.",
            seat=seat,
            seat_to=action.seat,
            face=face(card),
            set=named(laid),
        )
    )
    note(state, Last(seat, "add", [card], action.seat, action.area))
    send_back(state, seat, laid, step)


def take(state: DnupState, seat: int, action: Take, step: Step) -> None:
    laid = lying(state, action.seat, action.area)
    state.sets.remove(laid)
    turned = [-card for card in laid.cards]
    enter_hand(state, seat, turned)
    step.log(
        Msg(
            "{seat} takes {set} from {seat_to}; turned round: {faces}.",
            you="You take {set} from {seat_to}; turned round: {faces}.",
            to_you="{seat} takes {set} from you; turned round: {faces}.",
            seat=seat,
            seat_to=action.seat,
            set=named(laid),
            faces=faces(turned),
        )
    )
    note(state, Last(seat, "take", turned, action.seat, action.area))


def rotate(state: DnupState, seat: int, step: Step) -> None:
    state.hands[seat] = [-card for card in state.hands[seat]]
    step.log(Msg("{seat} turns the hand round.", you="You turn your hand round.", seat=seat))
    note(state, Last(seat, "rotate"))


def send_back(state: DnupState, seat: int, winner: Laid, step: Step) -> None:
    """What ``seat`` has beaten goes back to its owners' hands, turned round; of a player who is out, to
    the discard pile."""
    for laid in beaten(state, winner):
        owner = laid.owner
        state.sets.remove(laid)
        if (last := state.did[seat]) is not None:
            last.beaten.append(owner)
        if owner in state.out:
            state.discard += laid.cards
            step.log(
                Msg(
                    "{set} of {seat}, who is out, goes to the discard pile.",
                    set=named(laid),
                    seat=owner,
                )
            )
            continue
        turned = [-card for card in laid.cards]
        enter_hand(state, owner, turned)
        step.log(
            Msg(
                "{seat} takes {set} back; turned round: {faces}.",
                you="You take {set} back; turned round: {faces}.",
                seat=owner,
                set=named(laid),
                faces=faces(turned),
            )
        )


def note(state: DnupState, last: Last) -> None:
    state.did[last.seat], state.last = last, last.seat


def leave_hand(state: DnupState, seat: int, cards: list[int]) -> None:
    for card in cards:
        state.hands[seat].remove(card)
        if abs(card) in state.known[seat]:
            state.known[seat].remove(abs(card))


def enter_hand(state: DnupState, seat: int, cards: list[int]) -> None:
    """All have seen these cards and know who holds them now."""
    state.hands[seat] += cards
    numbers = [abs(card) for card in cards]
    state.known[seat] += numbers
    state.came[seat] += numbers


# -- the end, and what people see --------------------------------------------------------------


def ended(state: DnupState) -> Outcome:
    """Most points first, then fewest cards in hand."""
    worth = [(-points, len(hand)) for points, hand in zip(state.points, state.hands, strict=True)]
    ranks = [1 + sum(other < mine for other in worth) for mine in worth]
    winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
    if state.points[winners[0]] < target(state):
        text = Msg("The third void round ends the game.")
        reason = "void_rounds"
    elif is_duel(state):
        text = Msg(
            "{seat} has won two rounds and the game.",
            you="You have won two rounds and the game.",
            seat=winners[0],
        )
        reason = "rounds"
    else:
        text = Msg(
            "{seat} has {points} points and wins.",
            you="You have {points} points and win.",
            seat=winners[0],
            points=state.points[winners[0]],
        )
        reason = "target"
    return Outcome(ranks=ranks, scores=list(state.points), reason=reason, text=text.data())


def shown(cards: Sequence[int]) -> list[dict[str, Any]]:
    return [{"id": NAMES[card], "up": UP[card], "down": UP[-card]} for card in cards]


def last_shown(last: Last | None) -> dict[str, Any] | None:
    """``kind``: "play", "add", "take" or "rotate"; ``cards`` are those that were moved, as they stood after it."""
    if last is None:
        return None
    return {
        "seat": last.seat,
        "kind": last.kind,
        "cards": [NAMES[card] for card in last.cards],
        "owner": last.owner,
        "area": last.area,
        "beaten": last.beaten,
    }
