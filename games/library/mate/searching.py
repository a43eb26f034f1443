"""How a bot finds its card: it looks through the rest of the hand, deeper and deeper.

Both hands lie open, so this is alpha-beta over whole tricks. Cards are bits, and a position is what
the leader holds, what the other holds, and whether the free move is left; the number of the trick
follows from that. Bounded by the number of leads tried, not by time.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.engine.cards import Card
from games.engine.rng import Rng
from games.library.mate.answering import PRIVILEGED, beats
from games.library.mate.material import CARDS, HAND_SIZE, HANDS, PLACE, WEIGHT
from games.library.mate.state import MateState, Play

BOUND = 60_000  # leads tried: some tenths of a second
WON = 1_000  # worth of winning the match in its last hand, above all points

BIT = tuple(1 << place for place in range(len(CARDS)))
POINTS = tuple(WEIGHT[card[:-1]] for card in CARDS)
SUIT = tuple(
    sum(bit for bit, card in zip(BIT, CARDS, strict=True) if card[-1] == led[-1]) for led in CARDS
)
RANK = tuple(
    sum(bit for bit, card in zip(BIT, CARDS, strict=True) if card[:-1] == led[:-1]) for led in CARDS
)
BEATS = tuple(
    sum(
        bit
        for bit, card in zip(BIT, CARDS, strict=True)
        if card != led and (card[-1] == led[-1] or card[:-1] == led[:-1]) and beats(card, led)
    )
    for led in CARDS
)
MATCHING = tuple(suit | rank for suit, rank in zip(SUIT, RANK, strict=True))
"""By the place of the card led: the cards of its suit, of its rank, those that take the trick, and
those of its suit or its rank."""

INFINITE = 10 * WON
NOTHING, EXACT, AT_LEAST, AT_MOST = range(4)


class TooFar(Exception):
    """More leads were tried than the bound allows."""


def best(state: MateState, seat: int, rng: Rng) -> Play:
    """The card that leads to the best end of this hand that was found within the bound."""
    search = Search(state, seat)
    choices = rng.shuffled(search.choices())  # the first of equals is taken
    try:
        for depth in range(1, len(state.hands[seat]) + 1):
            worth = search.weigh(choices, depth)
            order = sorted(range(len(choices)), key=lambda place: -worth[place])
            choices = [choices[place] for place in order]
    except TooFar:
        pass
    return choices[0]


class Search:
    """The rest of one hand, as ``seat``, who is asked now, sees it."""

    def __init__(self, state: MateState, seat: int, bound: int = BOUND) -> None:
        self.left = bound
        self.mine, self.theirs = bits(state.hands[seat]), bits(state.hands[1 - seat])
        self.led = None if state.led is None else PLACE[state.led]
        self.free = state.options.free_move and not state.free_move_used
        self.margin = state.scores[seat] - state.scores[1 - seat]
        self.last = state.hand_number == HANDS
        privileged = PRIVILEGED[state.options.privilege]
        self.rank_first = tuple(card[:-1] in privileged for card in CARDS)
        self.known: dict[tuple[int, int, bool, int], tuple[int, int]] = {}

    def choices(self) -> list[Play]:
        """What may be played now."""
        if self.led is None:
            return [Play(CARDS[place]) for place in places(self.mine)]
        legal, free = self.replies(self.led, self.mine, self.free)
        return [
            *(Play(CARDS[place]) for place in places(legal)),
            *(Play(CARDS[place], free_move=True) for place in places(free)),
        ]

    def weigh(self, choices: list[Play], depth: int) -> list[int]:
        """What each choice is worth, looking ``depth`` tricks ahead; of one that is not better than
        one before it, no more than that. Raises ``TooFar``."""
        self.known.clear()
        highest = -INFINITE
        worth = []
        for play in choices:
            place = PLACE[play.card]
            rest = self.mine ^ BIT[place]
            if self.led is None:
                value = self.led_to(
                    place, self.mine, self.theirs, self.free, self.margin, depth, highest, INFINITE
                )
            elif BEATS[self.led] & BIT[place]:
                free = self.free and not play.free_move
                value = self.solve(
                    rest, self.theirs, free, self.margin, depth - 1, highest, INFINITE
                )
            else:
                free = self.free and not play.free_move
                value = -self.solve(
                    self.theirs, rest, free, -self.margin, depth - 1, -INFINITE, -highest
                )
            highest = max(highest, value)
            worth.append(value)
        return worth

    def solve(
        self, mine: int, theirs: int, free: bool, margin: int, depth: int, low: int, high: int
    ) -> int:
        """What the position is worth to its leader, who is ``margin`` ahead in the match; below
        ``low`` or above ``high`` only that it is."""
        if depth <= 0 or not mine:
            return self.guess(mine, theirs, margin)
        key = (mine, theirs, free, margin)
        kind, value = self.known.get(key, (NOTHING, 0))
        if (
            kind == EXACT
            or (kind == AT_LEAST and value >= high)
            or (kind == AT_MOST and value <= low)
        ):
            return value
        top, floor = -INFINITE, low
        for place in places(mine):
            value = self.led_to(place, mine, theirs, free, margin, depth, floor, high)
            if value > top:
                top = value
                floor = max(floor, top)
                if top >= high:
                    break
        self.known[key] = (AT_LEAST if top >= high else AT_MOST if top <= low else EXACT, top)
        return top

    def led_to(
        self,
        place: int,
        mine: int,
        theirs: int,
        free: bool,
        margin: int,
        depth: int,
        low: int,
        high: int,
    ) -> int:
        """What it is worth to the leader to lead the card at ``place``, the other answering best."""
        self.left -= 1
        if self.left < 0:
            raise TooFar
        legal, spare = self.replies(place, theirs, free)
        if not legal:
            return self.worth(margin, POINTS[place] * (HAND_SIZE + 1 - mine.bit_count()))
        rest = mine ^ BIT[place]
        least = INFINITE
        for reply in places(legal | spare):
            bit = BIT[reply]
            left = free and not spare & bit
            if BEATS[place] & bit:
                value = -self.solve(
                    theirs ^ bit, rest, left, -margin, depth - 1, -min(high, least), -low
                )
            else:
                value = self.solve(
                    rest, theirs ^ bit, left, margin, depth - 1, low, min(high, least)
                )
            if value < least:
                least = value
                if least <= low:
                    break
        return least

    def replies(self, led: int, hand: int, free: bool) -> tuple[int, int]:
        """The cards that answer, and those that do only by the free move, if it is left."""
        suit, rank = hand & SUIT[led], hand & RANK[led]
        legal = (rank or suit) if self.rank_first[led] else (suit or rank)
        return legal, (suit | rank) ^ legal if free else 0

    def guess(self, mine: int, theirs: int, margin: int) -> int:
        """The worth where the search ends: the best mate at hand, or half of what the other threatens."""
        trick = HAND_SIZE + 1 - mine.bit_count()
        own = max((POINTS[p] for p in places(mine) if not theirs & MATCHING[p]), default=0)
        if own:
            return self.worth(margin, own * trick)
        threat = max((POINTS[p] for p in places(theirs) if not mine & MATCHING[p]), default=0)
        return self.worth(margin, -threat * trick // 2)

    def worth(self, margin: int, points: int) -> int:
        """Of an end of the hand by ``points``; in the last hand winning the match comes first."""
        if not self.last:
            return points
        total = margin + points
        return points + WON * ((total > 0) - (total < 0))


def bits(hand: list[Card]) -> int:
    """A hand as a number."""
    return sum(BIT[PLACE[card]] for card in hand)


def places(hand: int) -> Iterator[int]:
    """The places of the cards of a hand, in the order shown."""
    while hand:
        low = hand & -hand
        yield low.bit_length() - 1
        hand ^= low
