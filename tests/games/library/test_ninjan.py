"""Ninjan: what a recorded game cannot show. The deck, laws of the table, sentences, secrets, bots."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations, pairwise, permutations
from pathlib import Path
from typing import Any

import pytest

from games.engine import IllegalMove, Match, Msg, Rng, choose, option_fields, seed_from_int
from games.engine.options import read_options
from games.engine.registry import get_game
from games.library.ninjan.claims import best_pile, in_order, legal_piles, total
from games.library.ninjan.material import BEATS, DECK, SUIT_NAMES, VALUE
from games.library.ninjan.rules import automatic, ended
from games.library.ninjan.state import Choose, NinjanOptions, NinjanState, Play, Played
from games.library.ninjan.thinking import Quick

NINJAN = get_game("ninjan")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "ninjan.json"
BY_HAND = {"auto_last_card": False, "auto_single_pile": False}


def start(seats: int, seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    return Match.start(NINJAN, seats, read_options(NinjanOptions, options), seed_from_int(seed))


def at_random(seats: int, seed: int, **options: Any) -> Iterator[NinjanState]:
    """The positions of a game of random moves."""
    match, rng = start(seats, seed, **options), Rng(seed_from_int(seed))
    yield match.state
    while match.outcome is None:
        seat = next(iter(match.pending()))
        match.act(seat, rng.choice(match.moves(seat).items))
        yield match.state


def at(piles: list[list[str]], cards: list[str], **fields: Any) -> NinjanState:
    """A round being resolved: ``cards`` by seat, in the order of claims, and one card left each."""
    seats = len(cards)
    spare = [card for card in DECK if card not in cards and not any(card in p for p in piles)]
    given: dict[str, Any] = {
        "captured": [[] for _ in cards],
        "hands": [[card] for card in spare[:seats]],
    } | fields
    return NinjanState(
        piles=piles,
        out=[],
        phase="resolve",
        selected=[None] * seats,
        queue=[Played(seat, card) for seat, card in enumerate(cards)],
        **given,
    )


# -- the deck and the deal ---------------------------------------------------------------------


@pytest.mark.skipif(not SPEC.exists(), reason="the specification is not on this machine")
def test_the_deck_and_the_options_are_those_of_the_specification() -> None:
    spec = json.loads(SPEC.read_text())
    assert {card["id"]: card["value"] for card in spec["cards"]} == VALUE
    assert [spec["totals"]["cards"], spec["totals"]["deck_value_sum"]] == [48, sum(VALUE.values())]
    beats = {suit["id"]: suit["beats"] for suit in spec["suits"]}
    assert {SUIT_NAMES[suit]: SUIT_NAMES[other] for suit, other in BEATS.items()} == beats
    defaults = {field.name: field.default for field in option_fields(NinjanOptions)}
    for name in ("auto_last_card", "auto_single_pile"):
        assert defaults[name] == spec["options"][name]["default"]
    # for all seats or none: who sits where is drawn at the beginning, so one's own is a wish of the board
    assert (defaults["auto_best_pile"], spec["options"]["auto_best_pile"]["default"]) == (False, [])
    assert set(defaults) == set(spec["options"])


@pytest.mark.parametrize(("seats", "out"), [(2, 27), (3, 18), (4, 9), (5, 0)])
def test_nine_cards_each_three_piles_and_the_rest_is_out(seats: int, out: int) -> None:
    state = start(seats).state
    assert [len(hand) for hand in state.hands] == [9] * seats
    assert [len(pile) for pile in state.piles] == [1, 1, 1]
    assert len(state.out) == out
    assert NINJAN.view(state, 0)["out_count"] == out


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("options", [{}, BY_HAND])
def test_no_card_is_lost_or_made(seats: int, options: dict[str, bool]) -> None:
    last = None
    for state in at_random(seats, seats, **options):
        cards = [card for pile in [*state.hands, *state.captured, *state.piles] for card in pile]
        cards += state.out
        if state.phase == "resolve":
            cards += [one.card for one in state.queue[state.resolved :]]
        assert sorted(cards) == sorted(DECK)
        assert sum(VALUE[card] for card in cards) == 102
        assert all(state.piles)
        assert len(state.piles) == 3
        last = state
    assert last is not None
    assert not any(last.hands)
    assert sum(map(len, [*last.captured, *last.piles])) == 9 * seats + 3
    assert len(last.gains) == 9
    assert [sum(gains) for gains in zip(*last.gains, strict=True)] == ended(last).scores


# -- the order and the claims ------------------------------------------------------------------


def test_equal_values_are_sorted_by_suit_whoever_played_them() -> None:
    for value in sorted(set(VALUE.values())):
        three = [f"r{value}", f"s{value}", f"p{value}"]
        assert all(in_order(cards) == three for cards in permutations(three))
        for one, other in combinations(three, 2):
            first, second = (one, other) if BEATS[one[0]] == other[0] else (other, one)
            assert in_order([one, other]) == in_order([other, one]) == [first, second]


def test_two_pairs_and_a_pair_between_other_values() -> None:
    assert in_order(["r2", "p2", "r5", "p5"]) == ["p5", "r5", "p2", "r2"]
    assert in_order(["r3", "p2", "r2", "p1", "s-1"]) == ["r3", "p2", "r2", "p1", "s-1"]
    assert in_order(["s1", "r4", "p4", "s4", "p1"]) == ["r4", "s4", "p4", "s1", "p1"]


def test_a_card_claims_what_its_suit_beats_and_else_goes_anywhere() -> None:
    for card in DECK:
        for other in DECK:
            if other == card:
                continue
            legal = legal_piles([[other], ["r1"], ["r2"]], card)
            if BEATS[card[0]] == other[0]:
                assert 0 in legal
            elif BEATS[card[0]] == "r":
                assert legal == [1, 2]
            else:
                assert legal == [0, 1, 2]


def test_the_best_pile_is_the_first_of_the_greatest() -> None:
    assert best_pile([["s-3"], ["s-1"], ["r9"]], [0, 1]) == 1
    assert best_pile([["s4"], ["p1", "s3"], ["s4"]], [0, 1, 2]) == 0


# -- what is automatic -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "card", "piles", "expected"),
    [
        ({}, "r8", [["s3"], ["p1"], ["p2"]], 0),
        ({"auto_single_pile": False}, "r8", [["s3"], ["p1"], ["p2"]], None),
        ({}, "r8", [["s3"], ["s1"], ["p2"]], None),
        (
            {"auto_single_pile": False, "auto_best_pile": True},
            "r8",
            [["s3"], ["p1"], ["p2"]],
            None,
        ),
        ({"auto_best_pile": True}, "r8", [["s1"], ["s3"], ["p2"]], 1),
        ({"auto_best_pile": True}, "r8", [["p1"], ["p3"], ["p2"]], None),  # nothing to claim
    ],
)
def test_which_claims_happen_by_themselves(
    options: dict[str, bool], card: str, piles: list[list[str]], expected: int | None
) -> None:
    state = at(piles, [card, "p9"], options=read_options(NinjanOptions, options))
    assert automatic(state) == expected


@pytest.mark.parametrize("best", [False, True])
def test_only_real_choices_are_asked(best: bool) -> None:
    """One step runs to the next choice; without the options every card is played by hand."""
    for state in at_random(5, 3, auto_best_pile=best):
        if state.phase == "resolve":
            card = state.queue[state.resolved].card
            assert len(legal_piles(state.piles, card)) > 1
            if best:
                assert all(BEATS[card[0]] != pile[-1][0] for pile in state.piles)
        elif state.phase == "select_card":
            assert state.round < 9
    assert sum(1 for _ in at_random(5, 3, **BY_HAND)) == 1 + 2 * 9 * 5


# -- sentences ---------------------------------------------------------------------------------


def refusal(state: NinjanState, seat: int, action: Play | Choose) -> tuple[str, str]:
    with pytest.raises(IllegalMove) as caught:
        NINJAN.check(state, seat, action)
    return caught.value.code, str(caught.value)


def test_refusals_say_why() -> None:
    state = at([["s3"], ["s1"], ["p2"]], ["r8", "p9"])
    reason = "Your rock must claim a pile with scissors on top."
    assert refusal(state, 0, Choose(2)) == ("must_claim", reason)
    assert refusal(state, 0, Choose(3)) == ("no_such_pile", "There are three piles.")
    assert refusal(state, 0, Play("r1")) == ("illegal_move", "Choose a pile first.")
    moves = NINJAN.moves(state, 0)
    assert dict(moves.refused) == {
        "pile:2": Msg(reason),
        state.hands[0][0]: Msg("Choose a pile first."),
    }
    assert moves.prompt is not None
    assert moves.prompt.plain() == "Claim a pile with rock 8."
    assert NINJAN.label(state, 0, Choose(0)).plain() == "Claim pile 1: scissors 3"
    chosen = start(2).state
    later = "Piles are claimed once everybody has chosen a card."
    assert refusal(chosen, 0, Choose(0)) == ("illegal_move", later)
    other = chosen.hands[1][0]
    unknown = "That card is not in your hand."
    for card in (other, chosen.out[0], "r0", ""):
        assert refusal(chosen, 0, Play(card)) == ("not_in_hand", unknown)


def test_the_log_tells_what_was_claimed_and_what_it_counts() -> None:
    state = at([["p9", "s-5"], ["s2"], ["r1"]], ["r7", "p9"])
    match = Match.at(NINJAN, 2, state.options, seed_from_int(1), state)
    row = match.act(0, Choose(0))
    said = [Msg.from_data(line.msg).plain(["Ada", "Bob"]) for line in row.lines]
    assert said[0] == "Ada claims pile 1 with rock 7: paper 9, scissors -5 (4 points)."
    laid = at([["p9"], ["p2"], ["p1"]], ["r7", "s9"])
    match = Match.at(NINJAN, 2, laid.options, seed_from_int(1), laid)
    row = match.act(0, Choose(1))
    said = [Msg.from_data(line.msg).plain(["Ada", "Bob"], 0) for line in row.lines]
    assert said[0] == "You claim nothing and lay rock 7 on pile 2."


def test_a_choice_in_secret_is_told_without_the_card() -> None:
    match = start(3)
    card = match.state.hands[1][4]
    row = match.act(1, Play(card))
    told = json.dumps([line.msg for line in row.lines])
    assert "has chosen" in told
    assert card not in told
    for viewer in (0, 2, None):
        view = NINJAN.view(match.state, viewer)
        assert view["selected"] is None
        assert view["has_selected"] == [False, True, False]
        assert card not in json.dumps(view)
    assert NINJAN.view(match.state, 1)["selected"] == card


# -- worlds, standing, bots --------------------------------------------------------------------


def test_another_world_deals_the_unseen_cards_anew() -> None:
    match = start(3, 5)
    for seat in (0, 1):
        match.act(seat, match.moves(seat).items[3])
    state = match.state
    seen_elsewhere = set()
    for seed in range(30):
        world = NINJAN.resample(state, 0, Rng(seed_from_int(seed)))
        assert world.hands[0] == state.hands[0]
        assert world.selected[0] == state.selected[0]
        assert world.selected[1] in world.hands[1]
        assert world.selected[2] is None
        cards = [card for pile in [*world.hands, world.out, *world.piles] for card in pile]
        assert sorted(cards) == sorted(DECK)
        seen_elsewhere.add(world.selected[1])
    assert len(seen_elsewhere) > 5


def test_the_standing_counts_points_ahead_and_piles_in_reach() -> None:
    fields = {"captured": [["r5"], ["s3"]], "hands": [["r1"], ["p1"]]}
    state = at([["s4", "s6"], ["s1"], ["p2"]], ["r8", "p9"], **fields)
    assert NINJAN.value(state, 0) == pytest.approx(5 - 3 + 0.1 * 11)
    assert NINJAN.value(state, 1) == pytest.approx(3 - 5)


def test_quick_games_keep_the_rules() -> None:
    """A bot's short form of a game, given the same cards, has the points and piles of the game itself."""
    for seats in (2, 5):
        quick = Quick(start(seats, 4).state, Rng(seed_from_int(1)))
        states = list(at_random(seats, 4, **BY_HAND))
        for before, after in pairwise(states):
            if before.phase == "resolve":
                one = after.queue[before.resolved]
                quick.claim(one.seat, one.card, one.pile)
        end = states[-1]
        assert quick.points == ended(end).scores
        assert quick.sums == [total(pile) for pile in end.piles]
        assert quick.tops == [pile[-1][0] for pile in end.piles]


def test_bots_play_to_the_last_claim() -> None:
    """Also where a pile is to be chosen and no hand has a card left."""
    state = at([["s6"], ["s9", "s10"], ["p2"]], ["r8", "p9"], hands=[[], []], round=9)
    match = Match.at(NINJAN, 2, state.options, seed_from_int(2), state)
    assert choose(match, 0, 2) == Choose(1)


def test_a_bot_takes_the_pile_with_ten_and_leaves_the_one_with_less_than_nothing() -> None:
    state = at([["s-6"], ["s9", "s10"], ["p2"]], ["r8", "p9"])
    match = Match.at(NINJAN, 2, state.options, seed_from_int(2), state)
    assert choose(match, 0, 2) == Choose(1)
