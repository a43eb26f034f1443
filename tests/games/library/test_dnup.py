"""dnup: what a recorded game cannot show. The deck, whoever begins, laws of the table, secrets, bots."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from games.engine import Match, Rng, choose, private_copy, seed_from_int
from games.engine.options import option_fields, read_options
from games.engine.registry import get_game
from games.library.dnup.material import CARDS, DEAL, NAMES, STAR, deck
from games.library.dnup.rules import deal
from games.library.dnup.state import DnupOptions, DnupState, Laid, Play, Rotate

DNUP = get_game("dnup")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "dnup.json"
RULEBOOK = DnupOptions(ruleset="rulebook")


def start(seats: int, seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    return Match.start(DNUP, seats, read_options(DnupOptions, options), seed_from_int(seed))


def at_random(seats: int, seed: int, limit: int = 400, **options: Any) -> Iterator[DnupState]:
    """The positions of a game of random moves, at most ``limit``."""
    match, rng = start(seats, seed, **options), Rng(seed_from_int(seed))
    for _ in range(limit):
        yield match.state
        if match.outcome is not None:
            return
        seat = next(iter(match.pending()))
        match.act(seat, rng.choice(match.moves(seat).items))


# -- the deck and the deal ---------------------------------------------------------------------


@pytest.mark.skipif(not SPEC.exists(), reason="the specification is not on this machine")
def test_the_deck_is_that_of_the_specification():
    spec = json.loads(SPEC.read_text())
    assert [(card["a"], card["b"], card["min_players"]) for card in spec["cards"]] == list(CARDS)
    assert [card["id"] for card in spec["cards"]] == [NAMES[n] for n in range(1, 41)]
    assert [card["id"] for card in spec["cards"] if card["star"]] == [NAMES[STAR]]


@pytest.mark.skipif(not SPEC.exists(), reason="the specification is not on this machine")
def test_the_options_are_those_of_the_specification():
    fields = {field.name: field for field in option_fields(DnupOptions)}
    spec = json.loads(SPEC.read_text())["options"]
    assert set(fields) == set(spec)
    for name, option in spec.items():
        numbers = range(option["min"], option["max"] + 1) if "min" in option else ()
        offered = [value for value, _ in fields[name].choices]
        assert set(offered) == {*option.get("values", ()), *numbers}
        assert offered[0] == option["default"]


def test_the_deck_grows_with_the_players():
    assert [len(deck(seats)) for seats in (2, 3, 4, 5)] == [26, 30, 36, 40]
    faces = Counter(value for first, second, _ in CARDS for value in (first, second))
    assert [faces[value] for value in range(1, 11)] == [10, 10, 10, 9, 9, 9, 8, 7, 5, 3]
    assert CARDS[STAR - 1] == (1, 5, 2)


@pytest.mark.parametrize(
    ("seats", "each", "aside", "all_each"),
    [(2, 7, 12, 13), (3, 7, 9, 10), (4, 6, 12, 9), (5, 6, 10, 8)],
)
def test_hands_are_dealt_by_the_rules_chosen(seats: int, each: int, aside: int, all_each: int):
    view = DNUP.view(start(seats).state, 0)
    assert (view["hand_sizes"], view["aside"]) == ([each] * seats, aside)
    assert view["hand_limit"] == each
    view = DNUP.view(start(seats, ruleset="rulebook").state, 0)
    assert (view["hand_sizes"], view["aside"]) == ([all_each] * seats, 0)
    assert view["hand_limit"] is None


def test_cards_are_dealt_either_way_up():
    stands = [
        card > 0 for seed in range(20) for hand in start(5, seed).state.hands for card in hand
    ]
    assert 200 < sum(stands) < 400


def holder_of_star(state: DnupState) -> int | None:
    hands = state.hands
    return next((seat for seat, hand in enumerate(hands) if STAR in map(abs, hand)), None)


def test_the_starred_card_begins_or_else_somebody_is_drawn():
    drawn = set()
    for seed in range(40):
        state = start(2, seed).state
        holder = holder_of_star(state)
        if holder is None:
            drawn.add(state.turn)
        else:
            assert state.turn == holder
    assert drawn == {0, 1}


def test_in_later_rounds_the_next_one_begins_without_the_starred_card():
    for seed in range(40):
        state = DnupState(points=[0] * 5, hands=[[] for _ in range(5)], round=2, starter=4)
        deal(state, Rng(seed_from_int(seed)))
        if holder_of_star(state) is None:
            break
    assert holder_of_star(state) is None
    assert state.turn == 0


def test_a_duel_begins_with_one_turn_in_the_second_area():
    match = start(2, ruleset="rulebook")
    first = match.state.starter
    told = []
    for _ in range(5):
        (seat,) = match.pending()
        told.append((seat, match.state.area))
        match.act(seat, Rotate())
    assert told == [(first, 2), (1 - first, 1), (1 - first, 2), (first, 1), (first, 2)]


def test_the_first_turn_of_two_in_a_duel_can_be_taken_back():
    match = start(2, ruleset="rulebook")
    first = match.state.starter
    rows = [match.act(first, Rotate()), match.act(1 - first, Rotate())]
    before = match.digest()
    rows.append(match.act(1 - first, Rotate()))
    assert match.undoable(1 - first) is None  # another has acted, or it is another's turn
    match = Match.restore(DNUP, 2, RULEBOOK, match.seed, rows[:2])
    assert match.digest() == before
    assert match.undoable(1 - first) == 2
    match.undo(1 - first, rows[:2])
    assert match.pending() == {1 - first: "action:1:1"}


# -- laws of the table ---------------------------------------------------------------------------


@pytest.mark.parametrize("scope", ["same_size", "same_or_smaller"])
@pytest.mark.parametrize("rules", ["help", "rulebook"])
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_laws(seats: int, rules: str, scope: str):
    """No card is lost or made, sets on the table have different sizes, and each shows one value."""
    for state in at_random(seats, seats, limit=120, ruleset=rules, beat_scope=scope):
        cards = [card for pile in (*state.hands, state.aside, state.discard) for card in pile]
        cards += [card for laid in state.sets for card in laid.cards]
        assert sorted(map(abs, cards)) == deck(seats)
        dealt = DEAL[seats] * seats if rules == "help" else len(deck(seats))
        assert len(cards) - len(state.aside) == dealt
        assert len({len(laid.cards) for laid in state.sets}) == len(state.sets)
        view = DNUP.view(state, None)
        assert all({card["up"] for card in one["cards"]} == {one["value"]} for one in view["sets"])
        assert state.phase == "over" or state.hands[state.turn]
        assert all(
            abs(held) in map(abs, state.hands[seat])
            for seat, numbers in enumerate(state.known)
            for held in numbers
        )


def test_a_game_ends_at_the_target_and_one_seat_has_reached_it():
    for points in (2, 5, 8):
        *_, last = at_random(3, 3, limit=4000, target_points=points)
        outcome = DNUP.outcome(last)
        assert outcome is not None
        assert [score >= points for score in outcome.scores].count(True) == 1
        assert outcome.ranks[outcome.scores.index(max(outcome.scores))] == 1


def test_ranks_are_points_then_few_cards():
    state = DnupState(points=[4, 1, 1, 1], hands=[[], [2, 3], [5], [6]], phase="over")
    outcome = DNUP.outcome(state)
    assert outcome is not None
    assert outcome.ranks == [1, 4, 2, 2]


# -- secrets -------------------------------------------------------------------------------------


def test_a_card_seen_going_back_stays_where_it_went():
    state = DnupState(
        points=[0, 0, 0],
        hands=[[-14, 3, 5], [16, 6, 36], [11, 35, 10]],
        sets=[Laid(1, [-7])],
        aside=[1, 2, 4, 8, 9],
    )
    match = Match.at(DNUP, 3, DnupOptions(), seed_from_int(1), state)
    match.act(0, Play([NAMES[14]]))
    assert match.state.known == [[], [7], []]
    worlds = [
        DNUP.resample(private_copy(DNUP, match.state), 2, Rng(seed_from_int(n))) for n in range(30)
    ]
    assert all(world.hands[1][3] == 7 for world in worlds)
    assert all(world.hands[2] == [11, 35, 10] for world in worlds)
    assert len({world.hands[0][0] for world in worlds}) > 3
    assert {world.hands[0][0] > 0 for world in worlds} == {True, False}
    match.act(1, Rotate())
    other = DNUP.resample(private_copy(DNUP, match.state), 2, Rng(seed_from_int(1)))
    assert other.hands[1][3] == -7


def test_the_starred_card_stays_with_whoever_began():
    for seed in range(12):
        state = start(4, seed).state
        world = DNUP.resample(private_copy(DNUP, state), None, Rng(seed_from_int(seed)))
        others = [DNUP.resample(state, None, Rng(seed_from_int(n))) for n in range(12)]
        places = [[STAR in map(abs, pile) for pile in (*s.hands, s.aside)] for s in (state, world)]
        assert places[0] == places[1]
        stands = {
            card
            for other in others
            for pile in (*other.hands, other.aside)
            for card in pile
            if abs(card) == STAR
        }
        assert stands == {STAR, -STAR}  # where it is all know, but not how it stands


# -- bots ------------------------------------------------------------------------------------------


def test_to_turn_the_hand_is_the_quietest_move():
    """Then sets, single cards added, sets taken."""
    state = DnupState(
        points=[0, 0, 0],
        hands=[[26, 20, 3], [5, 16], [6, 36]],
        sets=[Laid(1, [-2]), Laid(2, [21, 22])],
    )
    match = Match.at(DNUP, 3, DnupOptions(), seed_from_int(1), state)
    kinds = [type(action).__name__ for action in match.moves(0).items]
    assert kinds == ["Rotate", "Add", "Take", "Take"]
    state.sets.pop(0)
    kinds = [type(action).__name__ for action in match.moves(0).items]
    assert kinds == ["Rotate", "Play", "Play", "Play", "Take"]


def test_a_position_is_better_with_fewer_cards_and_values_and_best_with_points():
    def worth(points: int, hand: list[int]) -> float:
        return DNUP.value(DnupState(points=[points, 0, 0], hands=[hand, [5], [6]]), 0)

    assert worth(0, [3, 4]) > worth(0, [3, 4, 6])
    assert worth(0, [3, 4, 6]) > worth(0, [3, 4, 17])
    assert worth(1, [3, 4, 17, 21, 24, 20, 14]) > worth(0, [3])


def test_a_thinking_bot_goes_out_when_it_can():
    hands = [[21, 22], [5, 16, 6], [36, 11, 35]]
    match = Match.at(
        DNUP, 3, DnupOptions(), seed_from_int(1), DnupState(points=[0, 0, 0], hands=hands)
    )
    assert choose(match, 0, 2) == Play([NAMES[21], NAMES[22]])


def test_all_sets_of_a_hand_of_one_value_are_offered():
    """Ten cards that show 1: some are alike, and one name stands for them."""
    ones = [n for n, (first, _, _) in enumerate(CARDS, 1) if first == 1]
    match = Match.at(
        DNUP,
        4,
        RULEBOOK,
        seed_from_int(1),
        DnupState(points=[0] * 4, hands=[ones, [21], [22], [23]], options=RULEBOOK),
    )
    items = match.moves(0).items
    plays = [action for action in items if isinstance(action, Play)]
    alike = Counter(CARDS[n - 1][:2] for n in ones)
    count = 1
    for number in alike.values():
        count *= number + 1
    assert len(plays) == count - 1
