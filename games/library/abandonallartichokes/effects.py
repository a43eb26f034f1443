"""What the cards do: when each may be played, how it begins, how its choices resolve it.

A card leaves the hand, uses the artichokes it needs at once, lies in play while it resolves, and goes
to its place last, so that it lies on top of what it discarded.
"""

from __future__ import annotations

from collections.abc import Callable

from games.engine import Msg, Step
from games.library.abandonallartichokes import garden
from games.library.abandonallartichokes.material import (
    ARTICHOKE,
    COMPOSTED,
    NEEDS,
    PASS_SIZE,
    PEAS_SIZE,
    USES,
    Card,
    named,
)
from games.library.abandonallartichokes.state import ArtichokesState, Deed, opponents, types
from games.library.abandonallartichokes.turns import clean_up, has_cards, put_on_top, top_card

# -- when a card may be played -----------------------------------------------------------------

Reason = tuple[str, Msg]

NEEDS_MORE = {
    1: Msg("You need an artichoke in your hand for that."),
    2: Msg("You need 2 artichokes in your hand for that."),
    3: Msg("You need 3 artichokes in your hand for that."),
}


def why_not(state: ArtichokesState, seat: int, card: Card) -> Reason | None:
    """Code and sentence that forbid ``seat`` to play a ``card`` of its hand now; None: it may."""
    needed = NEEDS.get(card, 0)
    if card == "carrot" and state.played:
        return "carrot_first", Msg("Carrot must be the only card you play in a turn.")
    if needed and state.hands[seat].count(ARTICHOKE) < needed:
        return "needs_artichokes", NEEDS_MORE[needed]
    condition = CONDITIONS.get(card)
    return condition(state, seat) if condition else None


def artichoke_stays(state: ArtichokesState, seat: int) -> Reason | None:
    return "artichoke", Msg("Artichokes do nothing: get rid of them with other cards.")


def beet_needs(state: ArtichokesState, seat: int) -> Reason | None:
    if len(state.hands[seat]) < 2:
        return "needs_another_card", Msg("Beet needs another card in your hand.")
    if not beet_targets(state, seat):
        return "no_opponent", Msg("No opponent has a card in hand.")
    return None


def corn_needs(state: ArtichokesState, seat: int) -> Reason | None:
    return None if state.row else ("empty_row", Msg("The garden row is empty."))


def leek_needs(state: ArtichokesState, seat: int) -> Reason | None:
    if leek_targets(state, seat):
        return None
    return "no_opponent", Msg("No opponent has a card in the deck or the discard pile.")


def peas_need(state: ArtichokesState, seat: int) -> Reason | None:
    if len(state.stack) >= PEAS_SIZE:
        return None
    return "stack_too_small", Msg("Peas need 2 cards in the garden stack.")


def pepper_needs(state: ArtichokesState, seat: int) -> Reason | None:
    return None if state.discards[seat] else ("no_discards", Msg("Your discard pile is empty."))


def potato_needs(state: ArtichokesState, seat: int) -> Reason | None:
    if has_cards(state, seat):
        return None
    return "no_cards", Msg("You have no card in your deck or your discard pile.")


def rhubarb_needs(state: ArtichokesState, seat: int) -> Reason | None:
    return None if state.row or state.stack else ("empty_garden", Msg("The garden is empty."))


CONDITIONS: dict[Card, Callable[[ArtichokesState, int], Reason | None]] = {
    "artichoke": artichoke_stays,
    "beet": beet_needs,
    "corn": corn_needs,
    "leek": leek_needs,
    "peas": peas_need,
    "pepper": pepper_needs,
    "potato": potato_needs,
    "rhubarb": rhubarb_needs,
}


def beet_targets(state: ArtichokesState, seat: int) -> list[int]:
    return [other for other in opponents(state, seat) if state.hands[other]]


def leek_targets(state: ArtichokesState, seat: int) -> list[int]:
    return [other for other in opponents(state, seat) if has_cards(state, other)]


TARGETS: dict[str, Callable[[ArtichokesState, int], list[int]]] = {
    "beet_target": beet_targets,
    "leek_target": leek_targets,
    "onion_target": opponents,
    "peas_target": opponents,
}


def playable(state: ArtichokesState, seat: int) -> list[Card]:
    """The types of the hand that may be played now, in hand order."""
    return [card for card in types(state.hands[seat]) if why_not(state, seat, card) is None]


# -- playing a card ----------------------------------------------------------------------------


def play(state: ArtichokesState, seat: int, card: Card, step: Step) -> None:
    """Begin to resolve a card: the artichokes it uses leave the hand, then it acts or asks."""
    hand = state.hands[seat]
    hand.remove(card)
    state.in_play = card
    state.played += 1
    deed = Deed("play", card)
    state.now.deeds.append(deed)
    used = USES.get(card, 0)
    for _ in range(used):
        hand.remove(ARTICHOKE)
    if card == "corn":
        state.discards[seat].append(ARTICHOKE)
    else:
        state.compost += [ARTICHOKE] * used
    tell_play(seat, card, used, step)
    BEGIN[card](state, seat, step)


def tell_play(seat: int, card: Card, used: int, step: Step) -> None:
    thing = named(card)
    if not used:
        step.log(Msg("{seat} plays {thing}.", you="You play {thing}.", seat=seat, thing=thing))
    elif card == "corn":
        step.log(
            Msg(
                "{seat} plays {thing} and discards an artichoke.",
                you="You play {thing} and discard an artichoke.",
                seat=seat,
                thing=thing,
            )
        )
    elif used == 1:
        step.log(
            Msg(
                "{seat} plays {thing} and composts an artichoke.",
                you="You play {thing} and compost an artichoke.",
                seat=seat,
                thing=thing,
            )
        )
    else:
        step.log(
            Msg(
                "{seat} plays {thing} and composts {count} artichokes.",
                you="You play {thing} and compost {count} artichokes.",
                seat=seat,
                thing=thing,
                count=used,
            )
        )


def finish(state: ArtichokesState, step: Step) -> None:
    """The card in play goes to its place; the turn goes on, or ends."""
    seat, card = state.turn, state.in_play
    if card in COMPOSTED:
        state.compost.append(card)
    elif card == "onion":
        assert state.seat_to is not None
        state.discards[state.seat_to].append(card)
    else:
        state.discards[seat].append(card)
    state.in_play, state.seat_to, state.revealed = "", None, []
    state.phase = "play"
    if card == "carrot":
        clean_up(state, step)
    else:
        end_if_idle(state, step)


def end_if_idle(state: ArtichokesState, step: Step) -> None:
    """End the turn where the option says so and nothing can be played."""
    if state.options.auto_end_turn and not playable(state, state.turn):
        clean_up(state, step)


def aim(state: ArtichokesState, phase: str, step: Step) -> None:
    """Ask at whom the card is aimed; the only opponent is chosen by itself where the option says so."""
    state.phase = phase  # type: ignore[assignment]
    targets = TARGETS[phase](state, state.turn)
    if state.options.auto_target and len(targets) == 1:
        target(state, state.turn, targets[0], step)


def target(state: ArtichokesState, seat: int, other: int, step: Step) -> None:
    state.now.deeds[-1].seat_to = other
    if state.phase == "beet_target":
        beet(state, seat, other, step)
    elif state.phase == "leek_target":
        leek(state, seat, other, step)
    elif state.phase == "onion_target":
        onion(state, seat, other, step)
    else:
        give_peas(state, seat, other, step)


# -- beet, broccoli, carrot --------------------------------------------------------------------


def begin_beet(state: ArtichokesState, seat: int, step: Step) -> None:
    aim(state, "beet_target", step)


def beet(state: ArtichokesState, seat: int, other: int, step: Step) -> None:
    """A card of each hand is drawn blindly: two artichokes are composted, others change hands."""
    hand, their_hand = state.hands[seat], state.hands[other]
    mine = hand.pop(step.rng.below(len(hand)))
    theirs = their_hand.pop(step.rng.below(len(their_hand)))
    step.barrier()
    deed = state.now.deeds[-1]
    deed.shown = [mine, theirs]
    step.log(
        Msg(
            "{seat} reveals {thing}, {seat_to} reveals {other_thing}.",
            you="You reveal {thing}, {seat_to} reveals {other_thing}.",
            to_you="{seat} reveals {thing}, you reveal {other_thing}.",
            seat=seat,
            seat_to=other,
            thing=named(mine),
            other_thing=named(theirs),
        )
    )
    if mine == theirs == ARTICHOKE:
        deed.result = "compost"
        state.compost += [mine, theirs]
        step.log(Msg("Both artichokes go to the compost."))
    else:
        deed.result = "swap"
        hand.append(theirs)
        their_hand.append(mine)
        step.log(Msg("The two cards change hands."))
    finish(state, step)


def begin_plain(state: ArtichokesState, seat: int, step: Step) -> None:
    """Broccoli and carrot do nothing but compost artichokes."""
    state.now.deeds[-1].result = "compost"
    finish(state, step)


# -- corn, pepper ------------------------------------------------------------------------------


def begin_corn(state: ArtichokesState, seat: int, step: Step) -> None:
    state.phase = "corn_card"


def corn(state: ArtichokesState, seat: int, card: Card, step: Step) -> None:
    """A card of the row goes on top of one's deck."""
    state.row.remove(card)
    put_on_top(state, seat, card, seen=True)
    deed = state.now.deeds[-1]
    deed.shown, deed.result = [card], "deck"
    step.log(
        Msg(
            "{seat} puts {thing} from the garden row on the deck.",
            you="You put {thing} from the garden row on your deck.",
            seat=seat,
            thing=named(card),
        )
    )
    finish(state, step)


def begin_pepper(state: ArtichokesState, seat: int, step: Step) -> None:
    state.phase = "pepper_card"


def pepper(state: ArtichokesState, seat: int, card: Card, step: Step) -> None:
    """A card of one's discard pile goes on top of one's deck; the others see only that it did."""
    state.discards[seat].remove(card)
    put_on_top(state, seat, card, seen=False)
    state.now.deeds[-1].result = "deck"
    others = opponents(state, seat)
    step.log(
        Msg("You put {thing} from your discard pile on your deck.", thing=named(card)), to=[seat]
    )
    step.log(Msg("{seat} puts a card of the discard pile on the deck.", seat=seat), to=others)
    finish(state, step)


# -- eggplant ----------------------------------------------------------------------------------


def begin_eggplant(state: ArtichokesState, seat: int, step: Step) -> None:
    """Everybody who holds cards chooses two at the same time."""
    state.phase = "eggplant_pass"
    if not any(state.hands):
        exchange(state, step)


def asked_to_pass(state: ArtichokesState) -> list[int]:
    return [seat for seat, hand in enumerate(state.hands) if hand and not state.passes[seat]]


def pass_size(state: ArtichokesState, seat: int) -> int:
    """Two cards, or all of a smaller hand."""
    return min(PASS_SIZE, len(state.hands[seat]))


def choose_pass(state: ArtichokesState, seat: int, cards: list[Card], step: Step) -> None:
    state.passes[seat] = list(cards)
    step.log(Msg("{seat} has chosen.", you="You have chosen.", seat=seat))
    if not asked_to_pass(state):
        exchange(state, step)


def exchange(state: ArtichokesState, step: Step) -> None:
    """All passed cards go to the left at once."""
    count = len(state.hands)
    for seat, cards in enumerate(state.passes):
        for card in cards:
            state.hands[seat].remove(card)
    for seat, cards in enumerate(state.passes):
        if cards:
            to = (seat + 1) % count
            state.hands[to] += cards
            tell_passed(seat, to, cards, count, step)
    state.passes = [[] for _ in range(count)]
    state.now.deeds[-1].result = "share"
    step.barrier()
    finish(state, step)


def tell_passed(seat: int, to: int, cards: list[Card], count: int, step: Step) -> None:
    """Giver and receiver read which cards, the others how many."""
    step.log(
        Msg(
            "{seat} passes {things} to {seat_to}.",
            you="You pass {things} to {seat_to}.",
            to_you="{seat} passes you {things}.",
            seat=seat,
            seat_to=to,
            things=[named(card) for card in cards],
        ),
        to=[seat, to],
    )
    others = [other for other in range(count) if other not in (seat, to)]
    if others:
        step.log(
            Msg("{seat} passes {seat_to} cards: {count}.", seat=seat, seat_to=to, count=len(cards)),
            to=others,
        )


# -- leek, potato ------------------------------------------------------------------------------


def begin_leek(state: ArtichokesState, seat: int, step: Step) -> None:
    aim(state, "leek_target", step)


def leek(state: ArtichokesState, seat: int, other: int, step: Step) -> None:
    """The top card of an opponent's deck is revealed."""
    card = top_card(state, other, step.rng)
    step.barrier()
    state.revealed, state.seat_to = [card], other
    state.phase = "leek_take"
    state.now.deeds[-1].shown = [card]
    step.log(
        Msg(
            "The top card of {seat_to} is {thing}.",
            to_you="Your top card is {thing}.",
            seat_to=other,
            thing=named(card),
        )
    )


def end_leek(state: ArtichokesState, seat: int, taken: bool, step: Step) -> None:
    """The revealed card goes into one's hand or on its owner's discard pile."""
    other, card = state.seat_to, state.revealed[0]
    assert other is not None
    deed = state.now.deeds[-1]
    if taken:
        deed.result = "take"
        state.hands[seat].append(card)
        step.log(
            Msg("{seat} takes {thing}.", you="You take {thing}.", seat=seat, thing=named(card))
        )
    else:
        deed.result = "leave"
        state.discards[other].append(card)
        step.log(
            Msg(
                "{seat} leaves {thing} to {seat_to}, who discards it.",
                you="You leave {thing} to {seat_to}, who discards it.",
                to_you="{seat} leaves you {thing}; you discard it.",
                seat=seat,
                seat_to=other,
                thing=named(card),
            )
        )
    finish(state, step)


def begin_potato(state: ArtichokesState, seat: int, step: Step) -> None:
    """One's own top card is revealed: an artichoke is composted, another card is discarded."""
    card = top_card(state, seat, step.rng)
    step.barrier()
    deed = state.now.deeds[-1]
    deed.shown = [card]
    if card == ARTICHOKE:
        deed.result = "compost"
        state.compost.append(card)
        step.log(
            Msg(
                "{seat} reveals {thing} and composts it.",
                you="You reveal {thing} and compost it.",
                seat=seat,
                thing=named(card),
            )
        )
    else:
        deed.result = "discard"
        state.discards[seat].append(card)
        step.log(
            Msg(
                "{seat} reveals {thing} and discards it.",
                you="You reveal {thing} and discard it.",
                seat=seat,
                thing=named(card),
            )
        )
    finish(state, step)


# -- onion, peas -------------------------------------------------------------------------------


def begin_onion(state: ArtichokesState, seat: int, step: Step) -> None:
    aim(state, "onion_target", step)


def onion(state: ArtichokesState, seat: int, other: int, step: Step) -> None:
    """The onion itself goes on an opponent's discard pile."""
    state.seat_to = other
    state.now.deeds[-1].result = "compost"
    step.log(
        Msg(
            "The onion goes on the discard pile of {seat_to}.",
            to_you="The onion goes on your discard pile.",
            seat_to=other,
        )
    )
    finish(state, step)


def begin_peas(state: ArtichokesState, seat: int, step: Step) -> None:
    """Two cards of the garden stack are revealed."""
    state.revealed = [state.stack.pop() for _ in range(PEAS_SIZE)]
    step.barrier()
    state.phase = "peas_keep"
    state.now.deeds[-1].shown = list(state.revealed)
    step.log(
        Msg(
            "The garden stack gives {things}.",
            things=[named(card) for card in state.revealed],
        )
    )


def keep_peas(state: ArtichokesState, seat: int, card: Card, step: Step) -> None:
    """One of the two goes on one's own discard pile; the other is left to give."""
    state.revealed.remove(card)
    state.discards[seat].append(card)
    state.now.deeds[-1].shown = [card, state.revealed[0]]
    step.log(
        Msg(
            "{seat} puts {thing} on the own discard pile.",
            you="You put {thing} on your discard pile.",
            seat=seat,
            thing=named(card),
        )
    )
    aim(state, "peas_target", step)


def give_peas(state: ArtichokesState, seat: int, other: int, step: Step) -> None:
    """The other one goes on an opponent's discard pile."""
    card = state.revealed.pop()
    state.discards[other].append(card)
    state.now.deeds[-1].result = "share"
    step.log(
        Msg(
            "{seat_to} gets {thing} on the discard pile.",
            to_you="You get {thing} on your discard pile.",
            seat_to=other,
            thing=named(card),
        )
    )
    finish(state, step)


# -- rhubarb -----------------------------------------------------------------------------------


def begin_rhubarb(state: ArtichokesState, seat: int, step: Step) -> None:
    """The garden row is laid anew, and one more card harvested."""
    step.barrier()
    garden.lay_anew(state, step)
    state.phase = "rhubarb_harvest"


def harvest(state: ArtichokesState, seat: int, card: Card, step: Step) -> None:
    """A card of the row goes into the hand, at the beginning of the turn or by rhubarb."""
    state.row.remove(card)
    state.hands[seat].append(card)
    step.log(
        Msg("{seat} harvests {thing}.", you="You harvest {thing}.", seat=seat, thing=named(card))
    )
    if state.phase == "rhubarb_harvest":
        deed = state.now.deeds[-1]
        deed.shown, deed.result = [card], "take"
        finish(state, step)
        return
    state.now.deeds.append(Deed("harvest", card))
    state.phase = "play"
    end_if_idle(state, step)


BEGIN: dict[Card, Callable[[ArtichokesState, int, Step], None]] = {
    "beet": begin_beet,
    "broccoli": begin_plain,
    "carrot": begin_plain,
    "corn": begin_corn,
    "eggplant": begin_eggplant,
    "leek": begin_leek,
    "onion": begin_onion,
    "peas": begin_peas,
    "pepper": begin_pepper,
    "potato": begin_potato,
    "rhubarb": begin_rhubarb,
}
