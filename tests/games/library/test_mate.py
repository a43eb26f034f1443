"""Mate: what a recorded game cannot show. The figures, whole enumerations, words, the search."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.engine import Match, Msg, Rng, choose, option_fields, read_options, seed_from_int
from games.engine.cards import PACK
from games.engine.registry import get_game
from games.library.mate import material, searching
from games.library.mate.answering import beats, replies
from games.library.mate.material import CARDS, WEIGHT
from games.library.mate.state import MateOptions, MateState, Play, Trick

MATE = get_game("mate")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "mate.json"
NAMES = ["Ada", "Bob"]
PRIVILEGES = ("suit", "king", "figure")


def start(seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    return Match.start(MATE, 2, read_options(MateOptions, options), seed_from_int(seed))


def at(hands: tuple[str, str], **fields: Any) -> Match[Any, Any, Any]:
    held = [hand.split() for hand in hands]
    half = len(CARDS) // 2
    state = MateState(
        hands=held,
        **{"dealt": [list(CARDS[:half]), list(CARDS[half:])], "first": 0, "leader": 0} | fields,
    )
    return Match.at(MATE, 2, state.options, seed_from_int(1), state)


def told(lines: list[Any], viewer: int | None = None) -> list[str]:
    return [Msg.from_data(line.msg).plain(NAMES, viewer) for line in lines]


# -- the cards -------------------------------------------------------------------------------


@pytest.mark.skipif(not SPEC.exists(), reason="the specification is not here")
def test_the_figures_are_those_of_the_specification() -> None:
    spec = json.loads(SPEC.read_text())
    ranks = [(rank, strength, weight) for rank, strength, weight, *_ in material.RANKS]
    assert ranks == [(rank["id"], rank["strength"], rank["weight"]) for rank in spec["ranks"]]
    suits = [(suit, strength) for suit, strength, _ in material.SUITS]
    assert suits == [(suit["id"], suit["strength"]) for suit in spec["suits"]]
    assert sorted(CARDS) == sorted(card["id"] for card in spec["cards"])
    totals = spec["totals"]
    assert (len(CARDS), material.HAND_SIZE) == (totals["cards"], totals["hand_size"])
    assert totals["hands"] == material.HANDS
    options = {field.name: field for field in option_fields(MateOptions)}
    assert set(options) == set(spec["options"])
    for name, described in spec["options"].items():
        assert [value for value, _ in options[name].choices] == described["values"]
        assert options[name].default == described["default"]


def test_twenty_cards_of_the_pack_are_dealt() -> None:
    assert set(CARDS) < set(PACK)
    leaders = set()
    for seed in range(12):
        state = start(seed).state
        assert [len(hand) for hand in state.hands] == [10, 10]
        assert sorted(state.hands[0] + state.hands[1]) == sorted(CARDS)
        assert state.dealt == state.hands
        leaders.add(state.first)
    assert leaders == {0, 1}


def test_of_two_cards_that_match_exactly_one_takes_the_trick() -> None:
    for led, reply in product(CARDS, repeat=2):
        if led != reply and (led[-1] == reply[-1] or led[:-1] == reply[:-1]):
            assert beats(reply, led) != beats(led, reply)


def test_a_match_has_the_leaders_and_the_cards_of_two_rounds() -> None:
    for seed in range(4):
        match = start(seed)
        seen: list[tuple[int, int, list[list[str]]]] = []
        while match.outcome is None:
            state = match.state
            if len(seen) < state.hand_number:
                seen.append((state.hand_number, state.leader, state.dealt))
            seat = min(match.pending())
            match.act(seat, choose(match, seat, 1))
        first = seen[0][1]
        assert [leader for _, leader, _ in seen] == [first, 1 - first, 1 - first, first]
        assert seen[1][2] == seen[0][2][::-1]
        assert seen[3][2] == seen[2][2][::-1]
        assert seen[2][2] not in (seen[0][2], seen[1][2])


def test_black_against_red_knows_no_mate_in_whatever_order() -> None:
    """Worked example 8, by full enumeration."""
    black, red = frozenset(CARDS[:10]), frozenset(CARDS[10:])
    seen, front = {(black, red)}, [(black, red)]
    while front:
        own, other = front.pop()
        for led in own:
            answers = replies(led, sorted(other), "suit")
            assert answers, f"{led} mates {sorted(other)}"
            for reply in answers:
                assert not beats(reply, led)
                after = (own - {led}, other - {reply})
                if after not in seen:
                    seen.add(after)
                    front.append(after)
    assert (frozenset(), frozenset()) in seen
    assert len(seen) > 5_000


# -- words -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hands", "fields", "prompt", "refused"),
    [
        (("", "7C KD QD"), {"led": "KC"}, "Follow clubs.", "You must follow clubs."),
        (
            ("", "KD QD"),
            {"led": "KC"},
            "You have no clubs: answer with a king.",
            "You have no clubs: you must answer with a king.",
        ),
        (
            ("", "KD 7C QD"),
            {"led": "KC", "options": MateOptions(privilege="king")},
            "Answer with a king.",
            "To a king you must answer with a king.",
        ),
    ],
)
def test_prompts_and_reasons(
    hands: tuple[str, str], fields: dict[str, Any], prompt: str, refused: str
) -> None:
    match = at(hands, phase="follow", **fields)
    moves = match.moves(1)
    assert moves.prompt is not None
    assert moves.prompt.plain(NAMES) == prompt
    assert dict(moves.refused)["QD"].plain(NAMES) == refused


def test_what_the_free_move_allows_comes_last_and_is_not_refused() -> None:
    match = at(
        ("", "AC 7C KS KD QD"),
        led="KC",
        phase="follow",
        options=MateOptions(free_move=True),
    )
    moves = match.moves(1)
    assert moves.items == [
        Play("7C"),
        Play("AC"),
        Play("KD", free_move=True),
        Play("KS", free_move=True),
    ]
    assert [card for card, _ in moves.refused] == ["QD"]
    labels = [MATE.label(match.state, 1, play).plain(NAMES) for play in moves.items]
    assert labels[0] == "Play 7 of clubs"
    assert labels[-1] == "Free move: King of spades"
    assert MATE.summary(match.state).plain(NAMES) == "Hand 1 of 4, trick 1; the free move is left"
    row = match.act(1, moves.items[-1])
    assert told(row.lines) == [
        "Bob uses the free move of this hand.",
        "Bob plays King of spades; Ada takes the trick.",
    ]
    assert MATE.summary(match.state).plain(NAMES) == "Hand 1 of 4, trick 2; the free move is used"


def test_the_quietest_answer_is_the_weakest_card_not_the_lightest() -> None:
    match = at(("KC", "AC 10C QC 7C KD"), leader=0)
    match.act(0, Play("KC"))
    assert [play.card for play in match.moves(1).items] == ["7C", "QC", "10C", "AC"]
    match = at(("KC", "KS KH KD"), leader=0)
    match.act(0, Play("KC"))
    assert [play.card for play in match.moves(1).items] == ["KD", "KH", "KS"]


def test_the_quietest_lead_is_the_lightest_card_of_the_weakest_suit() -> None:
    match = at(("AC QS 7D QD KH", "AD 10D 7S 7H 10H"))
    assert [play.card for play in match.moves(0).items] == ["QD", "QS", "KH", "7D", "AC"]
    assert match.moves(0).prompt.plain() == "Lead any card; a mate scores its weight × 1."


def test_a_hand_in_words() -> None:
    match = at(("KC 7S", "7C QH"))
    assert told(MATE.opening(match.state)) == ["Hand 1: newly dealt"]
    lines = match.act(0, Play("KC")).lines + match.act(1, Play("7C")).lines
    assert told(lines, 0) == [
        "Trick 1: you lead King of clubs.",
        "Bob plays 7 of clubs; you take the trick.",
    ]
    assert told(match.act(0, Play("7S")).lines) == [
        "Trick 2: Ada leads 7 of spades.",
        "Bob has no spades and no seven: mate.",
        "Ada scores 7 × 2 = 14.",
        "Hand 2: the same cards, exchanged",
    ]


def test_a_match_ends_in_words() -> None:
    match = at(("AC", "7D"), hand_number=4, scores=[3, 40])
    match.act(0, Play("AC"))
    assert match.outcome is not None
    assert Msg.from_data(match.outcome.text).plain(NAMES) == "Bob wins by 40 to 14."
    assert MATE.summary(match.state).plain() == "All 4 hands are played"
    given_up = MATE.forfeit(match.state, 1)
    assert (given_up.ranks, given_up.scores, given_up.reason) == ([1, 2], [14, 40], "forfeit")


# -- the view --------------------------------------------------------------------------------


def test_everybody_sees_everything() -> None:
    match = start(5)
    for _ in range(9):
        views = [MATE.view(match.state, viewer) for viewer in (0, 1, None)]
        assert views[0] == views[1] == views[2]
        assert views[0]["hands"] == match.state.hands
        seat = min(match.pending())
        match.act(seat, match.moves(seat).items[0])


def test_the_view_tells_what_answers_each_card() -> None:
    match = at(("KC 7S AH", "7C AC QH"))
    assert MATE.view(match.state, None)["replies"] == {
        "KC": ["7C", "AC"],
        "7S": ["7C"],
        "AH": ["QH"],
    }
    match.act(0, Play("7S"))
    assert MATE.view(match.state, None)["replies"] == {"7S": ["7C"]}


def test_the_last_trick_stays_in_view_when_the_next_hand_begins() -> None:
    match = at(("KC", "QH"))
    match.act(0, Play("KC"))
    assert match.state.hand_number == 2
    shown = MATE.view(match.state, None)
    assert shown["tricks"] == []
    assert shown["last_trick"] == {"leader": 0, "led": "KC", "reply": None, "winner": 0}


# -- bots ------------------------------------------------------------------------------------


def brute(mine: list[str], theirs: list[str], options: MateOptions, free: bool) -> int:
    """The points by which the hand ends for its leader, both playing best."""
    trick = material.HAND_SIZE + 1 - len(mine)
    top = -999
    for led in mine:
        legal = replies(led, theirs, options.privilege)
        if not legal:
            top = max(top, WEIGHT[led[:-1]] * trick)
            continue
        rest = [card for card in mine if card != led]
        worst = 999
        for reply in theirs:
            spare = reply not in legal
            if spare and not (free and (reply[-1] == led[-1] or reply[:-1] == led[:-1])):
                continue
            left = [card for card in theirs if card != reply]
            if beats(reply, led):
                value = -brute(left, rest, options, free and not spare)
            else:
                value = brute(rest, left, options, free and not spare)
            worst = min(worst, value)
        top = max(top, worst)
    return 0 if not mine else top


def test_a_position_is_worth_the_lead_and_the_best_mates_at_hand() -> None:
    """Ada's ace would mate at once, her king too; Bob's ten would, were he to lead."""
    tricks = [Trick(leader=0, led="7S", reply="7H", winner=0)] * 2
    state = at(("AC KC 7D", "10S QH 7H"), tricks=tricks, scores=[20, 5]).state
    assert MATE.value(state, 0) == 15 + 3 * 11 - 3 * 10
    assert MATE.value(state, 1) == -MATE.value(state, 0)


def test_progress_goes_by_hands_and_their_tricks() -> None:
    state = at(("AC", "7D"), hand_number=3).state
    assert MATE.progress(state) == 0.5
    state.tricks = [Trick(leader=0, led="7S", reply="7H", winner=0)] * 5
    assert MATE.progress(state) == 0.625
    state.phase = "over"
    assert MATE.progress(state) == 1


def test_the_search_finds_what_trying_everything_finds() -> None:
    rng = Rng(seed_from_int(4))
    for number in range(60):
        options = MateOptions(privilege=PRIVILEGES[number % 3], free_move=number % 2 == 1)  # type: ignore[arg-type]
        cards = rng.shuffled(CARDS)
        mine, theirs = cards[:4], cards[4:8]
        state = MateState(hands=[mine, theirs], dealt=[[], []], first=0, leader=0, options=options)
        search = searching.Search(state, 0)
        found = max(search.weigh(search.choices(), 4))
        assert found == brute(mine, theirs, options, options.free_move), (mine, theirs, options)


def test_the_search_waits_for_the_better_mate() -> None:
    """Worked example 9: at once the ace is worth 11, two tricks later 33, and there is more."""
    match = at(
        ("AC AS AH AD 10C KC QC 7C 10S KS", "QS 7S 10H KH QH 7H 10D KD QD 7D"),
    )
    while match.state.hand_number == 1:
        seat = min(match.pending())
        match.act(seat, choose(match, seat, 2))
    assert match.state.scores[0] > 33


def test_in_the_last_hand_a_bot_takes_what_wins_the_match() -> None:
    """The queen mates for 3 now; waiting for a heavier mate would give the lead away."""
    match = at(("QC 7D", "AD 10H"), hand_number=4, scores=[10, 12])
    assert choose(match, 0, 2) == Play("QC")


def test_a_thought_is_bounded() -> None:
    state = start(2).state
    search = searching.Search(state, state.leader, bound=50)
    with pytest.raises(searching.TooFar):
        search.weigh(search.choices(), 10)
    assert search.left == -1


def test_bots_that_think_beat_chance() -> None:
    won = 0
    for seed in range(2):
        match = start(100 + seed)
        clever = seed % 2
        while match.outcome is None:
            seat = min(match.pending())
            match.act(seat, choose(match, seat, 2 if seat == clever else 1))
        won += match.outcome.ranks[clever] == 1
    assert won == 2


def test_a_state_goes_through_json() -> None:
    match = start(3, privilege="figure", free_move=True)
    while match.state.hand_number < 3:
        seat = min(match.pending())
        match.act(seat, choose(match, seat, 1))
    again = msgspec.json.decode(msgspec.json.encode(match.state), type=MateState)
    assert again == match.state
