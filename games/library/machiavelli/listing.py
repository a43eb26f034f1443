"""Plays that are found without searching: what fits the table as it lies, and what one loan makes fit.

A play is a whole new table. For the list of moves, for bots, and where the solver gives up.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import msgspec

from games.engine.cards import Card
from games.library.machiavelli.groups import arranged, ends, is_set, without
from games.library.machiavelli.material import (
    ACE,
    ACE_HIGH,
    KIND,
    KING,
    LEAST_IN_GROUP,
    MOST_IN_SET,
    RANK,
    SUIT,
)
from games.library.machiavelli.state import AceMode


class Play(msgspec.Struct, frozen=True):
    """Cards of the hand, the groups of the table that they replace (by place), and by which."""

    cards: list[Card]
    gone: list[int]
    groups: list[list[Card]]

    def table(self, before: list[list[Card]]) -> list[list[Card]]:
        """The table after this play: what grew lies where it lay, what is new comes last."""
        new = list(self.groups)
        out = []
        for place, group in enumerate(before):
            if place not in self.gone:
                out.append(group)
            elif new:
                out.append(new.pop(0))
        return out + new


def easy_plays(table: list[list[Card]], hand: list[Card], mode: AceMode, limit: int) -> list[Play]:
    """Sets and runs inside the hand, and single cards that a group takes, fewest cards first.

    Of identical cards the first stands for all. ``limit``: most cards a play may have.
    """
    kinds = one_of_each(hand)
    plays = [*additions(table, kinds, mode), *hand_sets(kinds), *hand_runs(kinds, mode)]
    return sorted((play for play in plays if len(play.cards) <= limit), key=size)


def size(play: Play) -> int:
    return len(play.cards)


def one_of_each(hand: list[Card]) -> dict[str, Card]:
    """Kind -> the first card of this kind."""
    kinds: dict[str, Card] = {}
    for card in hand:
        kinds.setdefault(KIND[card], card)
    return kinds


def additions(table: list[list[Card]], kinds: dict[str, Card], mode: AceMode) -> Iterator[Play]:
    """Single cards: the suit that a set of three lacks, the next card of a run."""
    for place, group in enumerate(table):
        for kind in missing(group, mode):
            if kind in kinds:
                card = kinds[kind]
                yield Play([card], [place], [arranged([*group, card])])


def missing(group: list[Card], mode: AceMode) -> list[str]:
    """The kinds that make an arranged group longer by one."""
    if is_set(group):
        if len(group) == MOST_IN_SET:
            return []
        suits = {SUIT[card] for card in group}
        rank = KIND[group[0]][:-1]
        return [rank + suit for suit in "CDHS" if suit not in suits]
    low, high = ends(group)
    suit = SUIT[group[0]]
    found = []
    if low > ACE and (low > ACE + 1 or mode == "both_ends" or high < ACE_HIGH):
        found.append(NAMES[low - 1] + suit)
    if high < KING or (high == KING and mode != "low" and (low > ACE or mode == "both_ends")):
        found.append(NAMES[high + 1] + suit)
    return found


NAMES = ("", "A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
"""By rank, the ace as 1 and as 14."""


def hand_sets(kinds: dict[str, Card]) -> Iterator[Play]:
    """Sets of three and four that lie in the hand."""
    for rank in NAMES[ACE:ACE_HIGH]:
        cards = [kinds[rank + suit] for suit in "CDHS" if rank + suit in kinds]
        for count in range(LEAST_IN_GROUP, len(cards) + 1):
            for chosen in combinations(cards, count):
                yield Play(list(chosen), [], [list(chosen)])


def hand_runs(kinds: dict[str, Card], mode: AceMode) -> Iterator[Play]:
    """Runs of three and more that lie in the hand, parts of longer ones too."""
    highest = KING if mode == "low" else ACE_HIGH
    for suit in "CDHS":
        for low in range(ACE, highest - 1):
            cards: list[Card] = []
            for rank in range(low, min(highest, low + KING - 1) + 1):
                card = kinds.get(NAMES[rank] + suit)
                if card is None:
                    break
                cards.append(card)
                if len(cards) >= LEAST_IN_GROUP:
                    yield Play(list(cards), [], [list(cards)])


# -- one loan --------------------------------------------------------------------------------


def loans(table: list[list[Card]], hand: list[Card], mode: AceMode) -> Iterator[Play]:
    """Two cards of the hand and one that a group of the table can spare; a run that splits around a
    second copy of one of its cards.
    """
    kinds = one_of_each(hand)
    yield from splits(table, kinds)
    pairs: dict[str, tuple[Card, Card]] = {}
    for one, other in combinations(kinds.values(), 2):
        for kind in completing(one, other, mode):
            pairs.setdefault(kind, (one, other))
    for place, group in enumerate(table):
        for at, card in enumerate(group):
            pair = pairs.get(KIND[card])
            rest = pair and without(group, at)
            if pair and rest:
                yield Play(list(pair), [place], [*rest, arranged([*pair, card])])


def completing(one: Card, other: Card, mode: AceMode) -> list[str]:
    """The kinds that make a group of two cards of different kinds."""
    if RANK[one] == RANK[other]:
        suits = (SUIT[one], SUIT[other])
        return [KIND[one][:-1] + suit for suit in "CDHS" if suit not in suits]
    if SUIT[one] != SUIT[other]:
        return []
    found = []
    ranks = {RANK[one], RANK[other]}
    if mode != "low" and ACE in ranks and max(ranks) >= KING - 1:
        ranks = {max(ranks), ACE_HIGH}
    low, high = min(ranks), max(ranks)
    if high - low == 2:
        found = [low + 1]
    elif high - low == 1:
        highest = KING if mode == "low" else ACE_HIGH
        found = [rank for rank in (low - 1, high + 1) if ACE <= rank <= highest]
    return [NAMES[rank] + SUIT[one] for rank in found]


def splits(table: list[list[Card]], kinds: dict[str, Card]) -> Iterator[Play]:
    """A second 6 cuts 4 5 6 7 8 into 4 5 6 and 6 7 8."""
    for place, group in enumerate(table):
        if is_set(group):
            continue
        for at in range(LEAST_IN_GROUP - 1, len(group) - LEAST_IN_GROUP + 1):
            card = kinds.get(KIND[group[at]])
            if card is not None:
                yield Play([card], [place], [group[: at + 1], [card, *group[at + 1 :]]])


def greedy(
    table: list[list[Card]], hand: list[Card], mode: AceMode, limit: int
) -> tuple[list[list[Card]], list[Card]]:
    """Play after play, the one with the most cards each time: (the new table, the cards played)."""
    hand = list(hand)
    played: list[Card] = []
    while len(played) < limit:
        plays = easy_plays(table, hand, mode, limit - len(played))
        plays += [play for play in loans(table, hand, mode) if size(play) <= limit - len(played)]
        if not plays:
            break
        play = max(plays, key=size)
        table = play.table(table)
        played += play.cards
        hand = [card for card in hand if card not in play.cards]
    return table, played
