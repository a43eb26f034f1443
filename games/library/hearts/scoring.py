"""What a hand costs, what a moon does, and how the game ends.

Source: Gamehelphearts, revision of 2019-06-12. It says "reach zero": exactly zero counts, and so
does less. Where scores are equal it is silent: the place is shared.
"""

from __future__ import annotations

from games.engine import Msg, Outcome, Step
from games.library.hearts.material import ALL_POINTS, LAST_HAND_AT, SEATS
from games.library.hearts.state import HeartsState


def shooter(points: list[int]) -> int | None:
    """Who took all thirteen hearts and the queen in a hand, if anybody."""
    return points.index(ALL_POINTS) if ALL_POINTS in points else None


def score_changes(points: list[int], choice: str) -> list[int]:
    """By seat, what a hand adds to the score. ``choice`` is a moon's: ``others`` or ``self``."""
    moon = shooter(points)
    if moon is None:
        return [-count for count in points]
    if choice == "self":
        return [ALL_POINTS if seat == moon else 0 for seat in range(SEATS)]
    return [0 if seat == moon else -ALL_POINTS for seat in range(SEATS)]


def moon_of(changes: list[int]) -> int | None:
    """Who shot the moon in a hand that changed the scores so, if anybody."""
    if ALL_POINTS in changes:
        return changes.index(ALL_POINTS)
    return changes.index(0) if changes.count(-ALL_POINTS) == SEATS - 1 else None


def settle(state: HeartsState, choice: str, step: Step) -> None:
    """Write the hand's points into the scores and into the log; end the game if one is used up."""
    changes = score_changes(state.points, choice)
    state.changes.append(changes)
    state.scores = [score + change for score, change in zip(state.scores, changes, strict=True)]
    empty = used_up(state.scores)
    for seat, change in enumerate(changes):
        step.log(_settled(seat, change, state.scores[seat], last=empty[-1:] == [seat]))
    if empty:
        state.phase = "over"
        step.log(result(state.scores))


def _settled(seat: int, change: int, score: int, *, last: bool) -> Msg:
    if change > 0:
        return Msg(
            "{seat} gains {points} and stands at {score}.",
            you="You gain {points} and stand at {score}.",
            seat=seat,
            points=change,
            score=score,
        )
    if change == 0:
        return Msg("{seat} stays at {score}.", you="You stay at {score}.", seat=seat, score=score)
    if last:
        return Msg(
            "{seat} loses {points} and stands at {score}. The game ends.",
            you="You lose {points} and stand at {score}. The game ends.",
            seat=seat,
            points=-change,
            score=score,
        )
    return Msg(
        "{seat} loses {points} and stands at {score}.",
        you="You lose {points} and stand at {score}.",
        seat=seat,
        points=-change,
        score=score,
    )


def used_up(scores: list[int]) -> list[int]:
    """The seats that have no points left; any at all end the game."""
    return [seat for seat, score in enumerate(scores) if score <= LAST_HAND_AT]


def ranking(scores: list[int]) -> list[int]:
    """By seat, 1 for the highest score; equal scores share the place."""
    return [1 + sum(other > score for other in scores) for score in scores]


def result(scores: list[int]) -> Msg:
    """Who has won, in a sentence."""
    best = max(scores)
    first = [seat for seat, score in enumerate(scores) if score == best]
    if len(first) == 1:
        return Msg(
            "{seat} wins with {score}.", you="You win with {score}.", seat=first[0], score=best
        )
    if len(first) == 2:
        return Msg(
            "{seat} and {seat_2} share first place with {score}.",
            you="You and {seat_2} share first place with {score}.",
            seat=first[0],
            seat_2=first[1],
            score=best,
        )
    if len(first) == 3:
        return Msg(
            "{seat}, {seat_2} and {seat_3} share first place with {score}.",
            you="You, {seat_2} and {seat_3} share first place with {score}.",
            seat=first[0],
            seat_2=first[1],
            seat_3=first[2],
            score=best,
        )
    return Msg("All four share first place with {score}.", score=best)


def ended(scores: list[int]) -> Outcome:
    """The outcome of a game that was played to its end."""
    return Outcome(
        ranks=ranking(scores), scores=list(scores), reason="played", text=result(scores).data()
    )


def given_up(scores: list[int], seat: int) -> Outcome:
    """The outcome when ``seat`` gives up: it is last, the others rank by their scores."""
    others = [score for other, score in enumerate(scores) if other != seat]
    ranks = [1 + sum(better > score for better in others) for score in scores]
    ranks[seat] = SEATS
    return Outcome(
        ranks=ranks,
        scores=list(scores),
        reason="forfeit",
        text=Msg("{seat} gives up.", you="You give up.", seat=seat).data(),
    )
