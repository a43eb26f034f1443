"""How a bot chooses: many quick games from here to the end, each in a world that looks the same to it.

In a quick game everybody plays the better of two cards drawn from the hand, judged by what it would claim
with the piles as they lie, claims the greatest pile, and lays a card that claims nothing anywhere.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.engine import Rng
from games.library.ninjan.claims import in_order, legal_piles, total
from games.library.ninjan.material import BEATS, PILES, VALUE
from games.library.ninjan.state import Action, Choose, NinjanState, Play

WORK = 6_000  # cards played in all the quick games of one thought, about
FIRST = 10.0  # points that the first place is worth, shared by those who have it


class Quick:
    """A game reduced to what counts for its result."""

    __slots__ = ("hands", "points", "rng", "sums", "tops")

    def __init__(self, state: NinjanState, rng: Rng) -> None:
        self.tops = [pile[-1][0] for pile in state.piles]
        self.sums = [total(pile) for pile in state.piles]
        self.points = [total(cards) for cards in state.captured]
        self.hands = [list(hand) for hand in state.hands]
        self.rng = rng

    def claim(self, seat: int, card: str, pile: int | None = None) -> None:
        """Resolve ``card``: at ``pile``, or else at the greatest one it can claim, or anywhere."""
        beaten, sums = BEATS[card[0]], self.sums
        piles = [place for place in range(PILES) if self.tops[place] == beaten]
        if pile is None:
            pile = max(piles, key=sums.__getitem__) if piles else self.rng.below(PILES)
        if piles:
            self.points[seat] += sums[pile]
            sums[pile] = VALUE[card]
        else:
            sums[pile] += VALUE[card]
        self.tops[pile] = card[0]

    def play_round(self, cards: list[str]) -> None:
        """The cards of all seats, by seat, leave the hands and claim."""
        owners = {card: seat for seat, card in enumerate(cards)}
        for hand, card in zip(self.hands, cards, strict=True):
            hand.remove(card)
        for card in in_order(cards):
            self.claim(owners[card], card)

    def pick(self, seat: int) -> str:
        """The better of two cards drawn from a hand."""
        hand, below = self.hands[seat], self.rng.below
        one, other = hand[below(len(hand))], hand[below(len(hand))]
        return one if self.promise(one) >= self.promise(other) else other

    def promise(self, card: str) -> int:
        """What ``card`` would claim if it were alone; 0 where it claims nothing."""
        beaten = BEATS[card[0]]
        found = [worth for top, worth in zip(self.tops, self.sums, strict=True) if top == beaten]
        return max(found, default=0)

    def play_on(self) -> None:
        """Play to the end."""
        while self.hands[0]:
            self.play_round([self.pick(seat) for seat in range(len(self.hands))])

    def result(self, seat: int) -> float:
        """Points ahead of the best other seat, and the worth of the place."""
        mine = self.points[seat]
        best = max(points for other, points in enumerate(self.points) if other != seat)
        return mine - best + (FIRST if mine > best else FIRST / 2 if mine == best else 0.0)


def think(worlds: Iterator[NinjanState], seat: int, rng: Rng) -> Action:
    """The action that does best on average."""
    world = next(worlds)
    actions: list[Action]
    if world.phase == "select_card":
        actions = [Play(card) for card in world.hands[seat]]
    else:
        one = world.queue[world.resolved]
        actions = [Choose(pile) for pile in legal_piles(world.piles, one.card)]
    cards = sum(map(len, world.hands)) + len(world.hands)
    worth = [0.0] * len(actions)
    for _ in range(max(1, WORK // (cards * len(actions)))):
        picks = guesses(world, rng)
        for n, action in enumerate(actions):
            quick = Quick(world, rng)
            begin(quick, world, seat, action, picks)
            quick.play_on()
            worth[n] += quick.result(seat)
        world = next(worlds)
    return actions[worth.index(max(worth))]


def guesses(world: NinjanState, rng: Rng) -> list[str]:
    """By seat, a card that it may select now; nothing while cards are being resolved."""
    if world.phase != "select_card":
        return []
    quick = Quick(world, rng)
    return [quick.pick(seat) for seat in range(len(world.hands))]


def begin(quick: Quick, world: NinjanState, seat: int, action: Action, picks: list[str]) -> None:
    """Take ``action`` in a quick game and finish the round; the others play their ``picks``."""
    if isinstance(action, Play):
        quick.play_round(
            [action.card if other == seat else card for other, card in enumerate(picks)]
        )
        return
    waiting = world.queue[world.resolved :]
    quick.claim(seat, waiting[0].card, action.pile)
    for one in waiting[1:]:
        quick.claim(one.seat, one.card)
