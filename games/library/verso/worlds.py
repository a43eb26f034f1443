"""Other backs, another pile and other final choices that look the same to a viewer.

A card of which both faces were seen stays. Every other face that shows (tableaus, discards, the top of the pile) gets
a card that has this face with these points: a random matching, where a card moves on when another face
has no other left. What remains makes the pile, either side up, and the cards that were left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.engine.rng import Rng
from games.library.verso.material import DECK
from games.library.verso.series import all_series
from games.library.verso.state import Card, Pass, Series, VersoState, seen, turned


def another_world(state: VersoState, seat: int | None, rng: Rng) -> VersoState:
    """A copy of ``state`` with what ``seat`` (None: a spectator) cannot know drawn anew."""
    places = [*state.tableaus, state.discards]
    known = {whole(card) for pile in places for card in pile if seen(card)}
    free = [card for card in DECK if card not in known]
    faces = [card for pile in places for card in pile if not seen(card)] + state.pile[-1:]
    found = matching([card[:3] for card in faces], free, rng)
    drawn = iter(found)
    redrawn = [[card if seen(card) else next(drawn) + card[6:] for card in pile] for pile in places]
    used = {whole(card) for card in found}
    rest = [
        turned(card)[:6] if rng.below(2) else card
        for card in rng.shuffled([card for card in free if card not in used])
    ]
    answers = list(state.answers)
    for who, given in enumerate(answers):
        if given is not None and who != seat and not state.over:
            choices: list[Series | Pass] = [Pass(), *all_series(state.tableaus[who])]
            answers[who] = rng.choice(choices)
    hidden = max(0, len(state.pile) - 1)
    return VersoState(
        pile=rest[:hidden] + list(drawn),
        left_out=rest[hidden:],
        tableaus=redrawn[:-1],
        discards=redrawn[-1],
        scores=list(state.scores),
        size=state.size,
        active=state.active,
        turn=state.turn,
        answers=answers,
        over=state.over,
        last=state.last,
    )


def whole(card: Card) -> Card:
    """The card as the deck writes it, whichever side is up."""
    return card[:6] if card[:6] in _DECK else turned(card)[:6]


_DECK = frozenset(DECK)


def matching(faces: Sequence[str], free: Sequence[Card], rng: Rng) -> list[Card]:
    """For each of ``faces`` (``B21``) a different card of ``free``, that face up.

    There is one: the true cards.
    """
    with_face: dict[str, list[Card]] = {}
    for card in rng.shuffled(free):
        with_face.setdefault(card[:3], []).append(card)
        with_face.setdefault(card[3:], []).append(card)
    holder: dict[Card, int] = {}
    for place in rng.shuffled(range(len(faces))):
        give(place, faces, with_face, holder, set())
    found = [""] * len(faces)
    for card, place in holder.items():
        found[place] = card if card[:3] == faces[place] else turned(card)[:6]
    return found


def give(
    place: int,
    faces: Sequence[str],
    with_face: dict[str, list[Card]],
    holder: dict[Card, int],
    asked: set[Card],
) -> bool:
    """Find a card for ``place``, moving others on where needed; False where there is none."""
    cards = with_face[faces[place]]
    for card in cards:
        if card not in holder:
            holder[card] = place
            return True
    for card in cards:
        if card not in asked:
            asked.add(card)
            if give(holder[card], faces, with_face, holder, asked):
                holder[card] = place
                return True
    return False
