"""What is a group: a set of one rank, or a run of one suit."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import Card
from games.library.machiavelli.material import (
    ACE,
    ACE_HIGH,
    IN_ORDER,
    KIND,
    KING,
    LEAST_IN_GROUP,
    MOST_IN_SET,
    RANK,
    SUIT,
)
from games.library.machiavelli.state import AceMode

EMPTY = "is empty"
TWO_MORE = "needs two more cards"
ONE_MORE = "needs a third card"
TWICE = "holds the same card twice"
GAP = "has a gap in its run"
AROUND = "joins king, ace and two"
ACE_ABOVE = "has an ace above the king"
MIXED = "is neither of one rank nor of one suit"


def fault(group: Sequence[Card], mode: AceMode) -> str | None:
    """Why ``group`` is none, as the end of a sentence; None where it is one."""
    size = len(group)
    if size < LEAST_IN_GROUP:
        return (EMPTY, TWO_MORE, ONE_MORE)[size]
    if len({RANK[card] for card in group}) == 1:
        distinct = len({SUIT[card] for card in group}) == size
        return None if distinct and size <= MOST_IN_SET else TWICE
    if len({SUIT[card] for card in group}) > 1:
        return MIXED
    return run_fault(sorted(RANK[card] for card in group), mode)


def run_fault(ranks: list[int], mode: AceMode) -> str | None:
    """As ``fault``, of ``ranks`` of one suit in rising order, the ace as 1."""
    if len(set(ranks)) < len(ranks):
        whole = ranks == [ACE, *range(ACE, KING + 1)]
        return None if whole and mode == "both_ends" else TWICE
    if consecutive(ranks):
        return None
    if ranks[0] != ACE:
        return GAP
    if consecutive([*ranks[1:], ACE_HIGH]):
        return ACE_ABOVE if mode == "low" else None
    return AROUND if ranks[1] == ACE + 1 and ranks[-1] == KING else GAP


def consecutive(ranks: list[int]) -> bool:
    """Do these ranks, rising and different, follow one another?"""
    return ranks[-1] - ranks[0] == len(ranks) - 1


def is_set(group: Sequence[Card]) -> bool:
    """Of a valid group: is it one of one rank?"""
    return RANK[group[0]] == RANK[group[1]]


def arranged(group: Sequence[Card]) -> list[Card]:
    """A valid group as it is laid: a set by suit, a run from low to high."""
    cards = sorted(group, key=IN_ORDER.__getitem__)
    if KIND[cards[0]] == KIND[cards[1]]:  # a run with an ace at both ends
        return [cards[0], *cards[2:], cards[1]]
    if RANK[cards[0]] == ACE and RANK[cards[1]] > ACE + 1:  # an ace above the king
        return [*cards[1:], cards[0]]
    return cards


def ends(run: Sequence[Card]) -> tuple[int, int]:
    """The lowest and the highest rank of an arranged run; an ace above the king is 14."""
    low = RANK[run[0]]
    return low, low + len(run) - 1


def without(group: list[Card], place: int) -> list[list[Card]] | None:
    """What stays of an arranged group when the card at ``place`` is taken: one or two groups, or
    None where something would not be a group any more.
    """
    left, right = group[:place], group[place + 1 :]
    if is_set(group):
        return [left + right] if len(group) > LEAST_IN_GROUP else None
    parts = [part for part in (left, right) if part]
    return parts if all(len(part) >= LEAST_IN_GROUP for part in parts) else None
