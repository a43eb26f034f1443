"""Verso: what a recorded game cannot show. The deck, piles, backs that nobody may know, levels, bots."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.engine import IllegalMove, Match, Msg, Rng, Row, choose, seed_from_int
from games.engine.match import UNDO
from games.engine.registry import get_game
from games.library.verso.material import COLOURS, DECK, FACES, JOKER
from games.library.verso.rules import level, solo_verdict, verdict
from games.library.verso.series import all_series, check_series, leaving, series_points
from games.library.verso.state import Card, Draw, Series, VersoOptions, VersoState, turned
from games.library.verso.worlds import matching, whole

VERSO = get_game("verso")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "verso.json"


def start(seats: int, seed: int = 1) -> Match[Any, Any, Any]:
    return Match.start(VERSO, seats, VersoOptions(), seed_from_int(seed))


def random_game(seats: int, seed: int) -> tuple[Match[Any, Any, Any], list[Row]]:
    match, rows = start(seats, seed), []
    while match.outcome is None:
        seat = next(iter(match.pending()))
        rows.append(match.act(seat, choose(match, seat, 1)))
    return match, rows


# -- the deck: example 14 ------------------------------------------------------------------------


def test_each_card_is_as_the_publisher_tells() -> None:
    assert len(set(DECK)) == 90
    for card in DECK:
        front, back = card[:2], card[3:5]
        assert front[0] != back[0]
        assert int(card[2]) + int(card[5]) == 4
        if JOKER in card:
            assert front[1] != back[1]
        else:
            assert (int(front[1]) - int(back[1])) % 6 in (1, 5)


def test_faces_are_spread_evenly() -> None:
    faces = [side for card in DECK for side in (card[:3], card[3:])]
    by_name = Counter(face[:2] for face in faces)
    assert {by_name[name] for name in FACES if name[1] != JOKER} == {9}
    assert {by_name[colour + JOKER] for colour in COLOURS} == {6}
    assert Counter(face[2] for face in faces) == {"1": 90, "3": 90}
    assert set(Counter(faces).values()) <= {3, 4, 5}  # so a face alone never tells the card


@pytest.mark.skipif(not SPEC.exists(), reason="the component data are not beside the repository")
def test_the_deck_is_that_of_the_data() -> None:
    def written(side: dict[str, Any]) -> str:
        value = JOKER if side["value"] == "joker" else side["value"]
        return f"{side['colour'][0].upper()}{value}{side['points']}"

    cards = json.loads(SPEC.read_text())["cards"]
    assert [written(card["a"]) + written(card["b"]) for card in cards] == list(DECK)


# -- setting up: example 11 ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "size"),
    [(1, 35), (2, 30), (3, 45), (4, 60), (5, 75), (6, 90), (7, 90), (8, 90)],
)
def test_the_pile_has_fifteen_cards_for_each(seats: int, size: int) -> None:
    state = start(seats).state
    assert len(state.pile) == size
    assert sorted(map(whole, state.pile + state.left_out)) == sorted(DECK)
    assert state.tableaus == [[] for _ in range(seats)]


def test_either_face_may_lie_up() -> None:
    ups = Counter(card in DECK for seed in range(5) for card in start(6, seed).state.pile)
    assert 150 < ups[True] < 300


# -- laws over random games -------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [1, 2, 5, 8])
def test_no_card_is_lost_and_no_face_lies_twice(seats: int) -> None:
    match = start(seats, 20 + seats)
    while True:
        state = match.state
        cards = [*state.pile, *state.left_out, *lying(state)]
        assert sorted(map(whole, cards)) == sorted(DECK)
        for tableau in state.tableaus:
            faces = [card[:2] for card in tableau]
            assert faces == sorted(set(faces), key=list(FACES).index)
        if match.outcome is not None:
            break
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, 1))
    assert state.pile == []


def test_listed_series_are_those_that_pass_the_check() -> None:
    """Every set of cards of a tableau, with every number for its joker."""
    tableau = ["B11G23?", "B23O31?", "B31G23?", "B51O43?", "BJ1G13?", "O23B11?", "OJ3B31?"]
    names = [card[:2] for card in tableau]
    legal = set()
    for bits in range(1 << len(names)):
        cards = tuple(name for place, name in enumerate(names) if bits >> place & 1)
        for value in (None, *range(8)):
            try:
                check_series(tableau, Series(cards, value))
            except IllegalMove:
                continue
            legal.add((frozenset(cards), value))
    listed = all_series(tableau)
    assert {(frozenset(each.cards), each.joker_as) for each in listed} == legal
    assert len(listed) == len(legal)


def test_the_two_highest_leave() -> None:
    assert leaving(Series(("B3", "BJ", "B1", "B2"), 4)) == ["B3", "BJ"]
    assert leaving(Series(("BJ", "B4", "B3"), 2)) == ["B3", "B4"]
    assert series_points(["B33G21?", "BJ1G13?", "B41G31?"], Series(("B3", "BJ"), 4)) == 4


# -- backs that nobody may know ----------------------------------------------------------------------


def backs_swapped(state: VersoState) -> VersoState:
    """``state`` with other cards wherever a back is unknown, as unlike it as can be: for each such place
    a card that has the face, but not the back, where there is one."""
    best, most = state, -1
    for seed in range(12):
        other = VERSO.resample(state, None, Rng(seed_from_int(seed)))
        pairs = zip(lying(state), lying(other), strict=True)
        changed = sum(mine != theirs for mine, theirs in pairs)
        if changed > most:
            best, most = other, changed
    best.answers = list(state.answers)
    return best


def told(match: Match[Any, Any, Any], state: VersoState, seat: int | None) -> bytes:
    """All that is said of a position, as bytes."""
    said: list[Any] = [VERSO.view(state, seat), VERSO.standing(state), VERSO.progress(state)]
    summary = VERSO.summary(state)
    said.append(summary and summary.data())
    for asked, key in VERSO.pending(state).items():
        moves = VERSO.moves(state, asked)
        said += [key, moves.items, [why.data() for _, why in moves.refused]]
        said += [VERSO.label(state, asked, item).data() for item in moves.items]
    return msgspec.json.encode(said)


@pytest.mark.parametrize("seats", [1, 3, 8])
def test_no_unseen_back_is_told(seats: int) -> None:
    """Every position of a game, for everybody who looks: other backs, the same words."""
    match, differed = start(seats, 40 + seats), 0
    while match.outcome is None:
        other = backs_swapped(match.state)
        differed += other.tableaus != match.state.tableaus
        for viewer in (None, *range(seats)):
            assert told(match, other, viewer) == told(match, match.state, viewer)
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, 1))
    assert differed > 5


@pytest.mark.parametrize("seats", [2, 3, 6])
def test_a_view_has_a_back_only_after_it_was_shown(seats: int) -> None:
    """Every back in a view lay open before, at the same handle: on the pile or in a tableau."""
    match = start(seats, 60 + seats)
    shown: set[tuple[int, str, int]] = set()
    backs = 0
    while match.outcome is None:
        view = VERSO.view(match.state, 0)
        shown |= {(card["id"], card["face"], card["points"]) for card in open_cards(view)}
        known = {(card["id"], *card["back"]) for card in open_cards(view) if card["back"]}
        assert known <= shown
        backs = max(backs, len(known))
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, 1))
    assert backs > 5


def open_cards(view: dict[str, Any]) -> list[dict[str, Any]]:
    """Every card of a view, and the top of the pile."""
    piles = [view["discards"], *view["tableaus"], [view["top"]] if view["top"] else []]
    return [card for pile in piles for card in pile]


def lying(state: VersoState) -> list[Card]:
    """The cards off the pile."""
    return [card for pile in (state.discards, *state.tableaus) for card in pile]


def test_a_finished_table_shows_every_face() -> None:
    match, _ = random_game(3, 4)
    open_view = VERSO.reveal(match.state)
    assert all(card["back"] for card in [*open_cards(open_view), *open_view["left_out"]])
    assert len(open_cards(open_view)) + len(open_view["left_out"]) == len(DECK)
    top = VERSO.reveal(start(3).state)["top"]
    assert top["back"] is not None


def test_handles_follow_the_pile_and_not_the_deck() -> None:
    """A handle is the number of cards the pile had: the same whatever cards there are."""
    for seed in (1, 2):
        match, _ = random_game(3, seed)
        handles = [int(card[7:]) for card in lying(match.state)]
        assert sorted(handles) == list(range(1, 46))
    state = start(3).state
    assert VERSO.view(state, None)["top"]["id"] == len(state.pile) == 45


@pytest.mark.parametrize("seed", [3, 4])
def test_the_log_names_a_face_only_when_it_shows(seed: int) -> None:
    """A row names what it takes, turns or scores, and nothing of the next card or of another back."""
    match, rows = random_game(4, seed)
    again = start(4, seed)
    for row in rows:
        before = VERSO.view(again.state, None)
        assert row.seat is not None
        again.act(row.seat, again.read_action(row.action))
        after = VERSO.view(again.state, None)
        visible = {card["face"] for view in (before, after) for card in open_cards(view)}
        for line in row.lines:
            assert faces_named(line.msg) <= visible
    assert again.digest() == match.digest()


def faces_named(data: Any) -> set[str]:
    """The faces in a line of the log."""
    by_text = {json.dumps(msg.data()): name for name, msg in FACES.items()}
    found = set()
    if isinstance(data, dict):
        if json.dumps(data) in by_text:
            return {by_text[json.dumps(data)]}
        for part in data.values():
            found |= faces_named(part)
    elif isinstance(data, list):
        for part in data:
            found |= faces_named(part)
    return found


def test_other_worlds_keep_what_was_seen_and_change_what_was_not() -> None:
    match = start(3, 9)
    for _ in range(20):
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, 1))
    state = match.state
    mine = lying(state)
    backs: dict[int, set[Card]] = {place: set() for place in range(len(mine))}
    for seed in range(30):
        other = VERSO.resample(state, None, Rng(seed_from_int(seed)))
        cards = lying(other)
        every = [*cards, *other.pile, *other.left_out]
        assert sorted(map(whole, every)) == sorted(DECK)
        assert len(other.pile) == len(state.pile)
        for place, (card, true) in enumerate(zip(cards, mine, strict=True)):
            assert card[:3] + card[6:] == true[:3] + true[6:]
            backs[place].add(card[3:6])
    unseen = [backs[place] for place, card in enumerate(mine) if card[6] == "?"]
    assert all(len(backs[place]) == 1 for place, card in enumerate(mine) if card[6] == "!")
    assert unseen
    assert all(len(each) > 1 for each in unseen)


def test_a_matching_is_found_where_the_first_choice_gets_stuck() -> None:
    """Three places, three cards, one way to share them out."""
    free = ["B11G23", "B11O23", "G63O11"]
    for seed in range(20):
        found = matching(["G23", "B11", "O11"], free, Rng(seed_from_int(seed)))
        assert found == ["G23B11", "B11O23", "O11G63"]


def test_an_open_answer_of_another_seat_is_drawn_anew() -> None:
    """In the final series others know that one has answered, and not what."""
    match = final_position()
    match.act(0, Series(("B1", "B2")))
    seen = {
        msgspec.json.encode(VERSO.resample(match.state, 1, Rng(seed_from_int(seed))).answers[0])
        for seed in range(20)
    }
    assert len(seen) > 1
    own = VERSO.resample(match.state, 0, Rng(seed_from_int(1)))
    assert own.answers[0] == Series(("B1", "B2"))


def final_position() -> Match[Any, Any, Any]:
    state = VersoState(
        pile=[],
        tableaus=[["B11G23?3", "B23O31?2", "B31G23?1"], ["O53G61?4", "O61G13?5"]],
        scores=[3, 3],
        answers=[None, None],
    )
    return Match.at(VERSO, 2, VersoOptions(), seed_from_int(1), state)


# -- barriers ------------------------------------------------------------------------------------------


def test_nothing_of_a_turn_can_be_taken_back_but_an_open_answer() -> None:
    match, rows = start(2, 5), []
    while not match.state.answers:
        seat = next(iter(match.pending()))
        rows.append(match.act(seat, choose(match, seat, 1)))
        assert rows[-1].barrier
        assert match.undoable(seat) is None
    rows.append(match.act(0, choose(match, 0, 0)))
    assert match.undoable(0) == rows[-1].number
    assert match.undo(0, rows).kind == UNDO


# -- the end ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("score", "reached"),
    [
        (0, 0),
        (34, 0),
        (35, 1),
        (39, 1),
        (40, 2),
        (45, 3),
        (50, 4),
        (55, 5),
        (59, 5),
        (60, 6),
        (90, 6),
    ],
)
def test_levels_of_a_game_alone(score: int, reached: int) -> None:
    assert level(score) == reached
    assert str(score) in solo_verdict(score).plain()


def test_the_result_is_told_in_a_sentence() -> None:
    assert verdict([3, 9, 4]).plain(["Ada", "Bob", "Cy"]) == "Bob wins with 9 points."
    assert verdict([9, 9, 4]) == Msg(
        "{seats} share the first place with {points} points.", seats=[0, 1], points=9
    )
    assert "first level begins at 35" in solo_verdict(34).plain()


# -- bots --------------------------------------------------------------------------------------------------


def test_a_bot_scores_what_is_worth_most_in_the_end() -> None:
    match = final_position()
    assert choose(match, 0, 2) == Series(("B1", "B2", "B3"))
    assert choose(match, 1, 2) == Series(("O5", "O6"))


def test_a_bot_completes_a_square() -> None:
    tableau = [
        "B11G23?",
        "B23O31?",
        "B41G33?",
        "G11O23?",
        "G31B43?",
        "G53B61?",
        "O11B23?",
        "O33G21?",
    ]
    rest = [card for card in DECK if card not in map(whole, tableau)]
    pile = [*rest[:10], next(turned(card)[:6] for card in rest if card[3:5] == "O5")]
    state = VersoState(pile=pile, left_out=[], tableaus=[tableau, []], scores=[0, 0])
    assert choose(Match.at(VERSO, 2, VersoOptions(), seed_from_int(2), state), 0, 2) == Draw(False)


def test_thinking_bots_beat_random_ones() -> None:
    """Four games are few, but chance alone wins three of them once in three times, all of them once in 16."""
    won = 0
    for seed in range(4):
        match, me = start(2, seed), seed % 2
        while match.outcome is None:
            seat = next(iter(match.pending()))
            match.act(seat, choose(match, seat, 2 if seat == me else 1))
        won += match.outcome.ranks[me] == 1
    assert won == 4


def test_pairs_of_scores_are_told_apart_by_rank() -> None:
    match, _ = random_game(8, 2)
    assert match.outcome is not None
    ordered = sorted(zip(match.outcome.ranks, match.outcome.scores, strict=True))
    assert all(worse[1] <= better[1] for better, worse in pairwise(ordered))
