"""Which cards answer a lead, and which of two cards takes the trick."""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.cards import Card
from games.engine.messages import Msg
from games.library.mate.material import ONE_OF_RANK, RANK_STRENGTH, SUIT_STRENGTH, SUIT_WORDS

PRIVILEGED = {"suit": (), "king": ("K",), "figure": ("K", "Q")}
"""Ranks that must be answered by rank first, by option."""


def replies(led: Card, hand: Sequence[Card], privilege: str) -> list[Card]:
    """The cards of ``hand`` that may answer ``led``, in its order; none: mated."""
    same_rank = [card for card in hand if card[:-1] == led[:-1]]
    if same_rank and led[:-1] in PRIVILEGED[privilege]:
        return same_rank
    return [card for card in hand if card[-1] == led[-1]] or same_rank


def free_replies(led: Card, hand: Sequence[Card], legal: Sequence[Card]) -> list[Card]:
    """The cards that match suit or rank and yet may not answer, except by the free move."""
    return [
        card
        for card in hand
        if (card[-1] == led[-1] or card[:-1] == led[:-1]) and card not in legal
    ]


def beats(reply: Card, led: Card) -> bool:
    """Whether ``reply``, of the suit or the rank of ``led``, takes the trick."""
    if reply[-1] == led[-1]:
        return RANK_STRENGTH[reply[:-1]] > RANK_STRENGTH[led[:-1]]
    return SUIT_STRENGTH[reply[-1]] > SUIT_STRENGTH[led[-1]]


def demand(led: Card, legal: Sequence[Card], privilege: str) -> tuple[str, Msg, Msg]:
    """What ``led`` asks of who has ``legal`` to answer it: the code of a refusal, its sentence, and
    the prompt."""
    rank, suit = ONE_OF_RANK[led[:-1]], SUIT_WORDS[led[-1]]
    if legal[0][-1] == led[-1]:
        return (
            "must_follow_suit",
            Msg("You must follow {suit}.", suit=suit),
            Msg("Follow {suit}.", suit=suit),
        )
    if led[:-1] in PRIVILEGED[privilege]:
        return (
            "must_match_rank",
            Msg("To {rank} you must answer with {rank}.", rank=rank),
            Msg("Answer with {rank}.", rank=rank),
        )
    return (
        "must_match_rank",
        Msg("You have no {suit}: you must answer with {rank}.", suit=suit, rank=rank),
        Msg("You have no {suit}: answer with {rank}.", suit=suit, rank=rank),
    )
