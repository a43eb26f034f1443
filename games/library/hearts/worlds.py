"""Other deals that look the same to a viewer.

Every card played counts as known, also where tricks lie face down: the log names each card. Unplayed
cards are dealt anew among the hands the viewer does not see, except that

* a card the viewer passed stays with its receiver,
* the two of clubs stays with the seat that must lead it,
* a seat gets no card that it would have had to play earlier: one of a suit it did not follow, one
  without points where it put points on the first trick, one that is no heart where it led a heart
  before hearts were broken.

What the other seats chose to pass is drawn from what they could have passed.
"""

from __future__ import annotations

from games.engine import Rng
from games.engine.cards import PACK, Card
from games.library.hearts.material import (
    BY_QUIET,
    FIRST_CARD,
    PASS_SIZE,
    POINTS,
    QUEEN,
    SEATS,
)
from games.library.hearts.state import HeartsState, exchanged, receiver

OF_SUIT = {kind: {card for card in PACK if card[-1] == kind} for kind in "CDSH"}
HARMLESS = set(PACK) - set(POINTS)


def redeal(state: HeartsState, seat: int | None, rng: Rng) -> None:
    """Change what ``seat`` (None: a spectator) cannot see in ``state``, and nothing else."""
    hidden = [other for other in range(SEATS) if other != seat]
    pool = sorted(
        (card for other in hidden for card in state.hands[other]), key=BY_QUIET.__getitem__
    )
    room = [0] * SEATS
    for other in hidden:
        room[other] = len(state.hands[other])
    known: list[list[Card]] = [[] for _ in range(SEATS)]
    for other, card in fixed(state, seat):
        known[other].append(card)
        pool.remove(card)
        room[other] -= 1
    dealt = spread(pool, room, ruled_out(state), rng)
    for other in hidden:
        state.hands[other] = sorted(known[other] + dealt[other], key=BY_QUIET.__getitem__)
    redraw_passes(state, seat, rng)


def fixed(state: HeartsState, seat: int | None) -> list[tuple[int, Card]]:
    """(holder, card) of the unplayed cards that ``seat`` can place in other hands."""
    places = []
    if state.phase == "play" and not state.won and not state.trick and state.turn != seat:
        places.append((state.turn, FIRST_CARD))
    if seat is not None and exchanged(state):
        holder = receiver(state, seat)
        places += [
            (holder, card)
            for card in state.passes[seat]
            if card in state.hands[holder] and (holder, card) not in places
        ]
    return places


def ruled_out(state: HeartsState) -> list[set[Card]]:
    """By seat, the cards that its own play has shown it not to hold."""
    out: list[set[Card]] = [set() for _ in range(SEATS)]
    options, broken = state.options, False
    played = state.won + state.trick
    for number, leader in enumerate(state.leaders):
        cards = played[SEATS * number : SEATS * (number + 1)]
        for place, card in enumerate(cards):
            seat = (leader + place) % SEATS
            led, kind = cards[0][-1], card[-1]
            if place == 0 and kind == "H" and not broken:
                keeps = {QUEEN} if options.lead_when_only_queen == "free" else set()
                out[seat] |= set(PACK) - OF_SUIT["H"] - keeps
            if kind != led:
                out[seat] |= OF_SUIT[led]
                if number == 0 and card in POINTS and not options.points_on_first_trick:
                    out[seat] |= HARMLESS
            broken |= kind == "H" or (card == QUEEN and options.queen_breaks_hearts)
    return out


def spread(
    pool: list[Card], room: list[int], barred: list[set[Card]], rng: Rng
) -> list[list[Card]]:
    """Deal ``pool`` at random into ``room[seat]`` places a seat, no seat a card barred to it.

    Cards with the fewest possible holders go first. Where such a card finds all of them full, others
    move on: the true deal shows that a way exists.
    """
    hands: list[list[Card]] = [[] for _ in range(SEATS)]
    free = list(room)
    holders = {
        card: [seat for seat in range(SEATS) if room[seat] and card not in barred[seat]]
        for card in pool
    }
    for card in sorted(rng.shuffled(pool), key=lambda card: len(holders[card])):
        places = [seat for seat in holders[card] for _ in range(free[seat])]
        if places:
            seat = rng.choice(places)
        else:
            seat = next(seat for seat in holders[card] if make_room(seat, hands, free, holders, []))
        hands[seat].append(card)
        free[seat] -= 1
    return hands


def make_room(
    seat: int,
    hands: list[list[Card]],
    free: list[int],
    holders: dict[Card, list[int]],
    asked: list[int],
) -> bool:
    """Move cards on until ``seat`` has a free place; False where that cannot be done."""
    if free[seat]:
        return True
    asked.append(seat)
    for card in hands[seat]:
        for other in holders[card]:
            if other not in asked and make_room(other, hands, free, holders, asked):
                hands[seat].remove(card)
                hands[other].append(card)
                free[seat] += 1
                free[other] -= 1
                return True
    return False


def redraw_passes(state: HeartsState, seat: int | None, rng: Rng) -> None:
    """Choose anew what others pass or passed, as far as ``seat`` does not know it."""
    played = state.won + state.trick
    for other in range(SEATS):
        if other == seat or not state.passes[other]:
            continue
        if state.phase == "pass":
            state.passes[other] = rng.sample(state.hands[other], PASS_SIZE)
        elif (holder := receiver(state, other)) != seat:
            held = [
                card
                for place, card in enumerate(played)
                if (state.leaders[place // SEATS] + place) % SEATS == holder
            ]
            state.passes[other] = rng.sample(
                sorted(held + state.hands[holder], key=BY_QUIET.__getitem__), PASS_SIZE
            )
