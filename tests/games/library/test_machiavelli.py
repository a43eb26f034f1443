"""Machiavelli: what a recorded game cannot show. Groups, plays that are listed, the solver, bots."""

from __future__ import annotations

import json
from collections import Counter
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from games.engine import IllegalMove, Match, Msg, Rng, choose, read_options, seed_from_int
from games.engine.registry import get_game
from games.library.machiavelli import thinking
from games.library.machiavelli.groups import arranged, fault
from games.library.machiavelli.listing import completing, easy_plays, greedy, loans, missing
from games.library.machiavelli.material import (
    IN_ORDER,
    KIND,
    PACKS_BY_SEATS,
    RANKS,
    SUITS,
    packs,
)
from games.library.machiavelli.rules import (
    Commit,
    Draw,
    MachiavelliOptions,
    MachiavelliState,
    moved_cards,
)
from games.library.machiavelli.solver import Solver, Unknown

MACHIAVELLI = get_game("machiavelli")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "machiavelli.json"
MODES = ("low_or_high", "low", "both_ends")


def cards(text: str, taken: Counter[str] | None = None) -> list[str]:
    """``5C 5C 6C`` as ids: each next copy of the same card."""
    taken = Counter() if taken is None else taken
    found = []
    for kind in text.split():
        taken[kind] += 1
        found.append(f"{kind}.{taken[kind]}")
    return found


def laid(table: str, hand: str) -> tuple[list[list[str]], list[str]]:
    """Table (groups parted by a stroke) and hand, no card twice."""
    taken: Counter[str] = Counter()
    return [cards(group, taken) for group in table.split("/") if group], cards(hand, taken)


def possible(table: str, hand: str, mode: Any = "low_or_high", limit: int = 13) -> list[int]:
    groups, own = laid(table, hand)
    return Solver([card for group in groups for card in group], own, mode, limit).counts()


def start(seats: int = 2, seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    chosen = read_options(MachiavelliOptions, options)
    return Match.start(MACHIAVELLI, seats, chosen, seed_from_int(seed))


# -- groups ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("group", "why"),
    [
        ("5C 5D 5H", None),
        ("5C 5D 5H 5S", None),
        ("5C 5D", "needs a third card"),
        ("5C", "needs two more cards"),
        ("", "is empty"),
        ("5C 5D 5D", "holds the same card twice"),
        ("5C 5D 5H 5S 5S", "holds the same card twice"),
        ("5C 6C 7C", None),
        ("8C 5C 7C 6C", None),
        ("5C 6C", "needs a third card"),
        ("5C 6C 8C", "has a gap in its run"),
        ("5C 6C 7D", "is neither of one rank nor of one suit"),
        ("5C 6C 6C 7C", "holds the same card twice"),
        ("AC 2C 3C", None),
        ("AC 3C 4C", "has a gap in its run"),
        ("KC AC 2C", "joins king, ace and two"),
        ("QC KC AC 2C", "joins king, ace and two"),
        ("AC AD AH", None),
        ("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC", None),
    ],
)
def test_a_group_or_why_not(group: str, why: str | None) -> None:
    assert {fault(cards(group), mode) for mode in MODES} == {why}


@pytest.mark.parametrize(
    ("group", "by_mode"),
    [
        ("QC KC AC", (None, "has an ace above the king", None)),
        (
            "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC",
            ("holds the same card twice", "holds the same card twice", None),
        ),
    ],
)
def test_aces_by_option(group: str, by_mode: tuple[str | None, ...]) -> None:
    assert tuple(fault(cards(group), mode) for mode in MODES) == by_mode


def test_runs_are_laid_from_low_to_high_and_sets_by_suit() -> None:
    assert arranged(cards("AC KC QC JC")) == cards("JC QC KC AC")
    assert arranged(cards("3C AC 2C")) == cards("AC 2C 3C")
    assert arranged(cards("5S 5C 5H")) == cards("5C 5H 5S")
    both = cards("AC AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC")
    assert arranged(both) == [both[0], *both[2:], both[1]]


def test_the_packs_are_those_of_the_specification() -> None:
    if not SPEC.exists():
        pytest.skip("the specification is not here")
    spec = json.loads(SPEC.read_text())
    assert sorted({KIND[card] for card in packs(1)}) == sorted(spec["one_deck"])
    for count, total in spec["totals"]["cards"].items():
        assert len(set(packs(int(count)))) == total
    assert {str(seats): count for seats, count in PACKS_BY_SEATS.items()} == spec[
        "decks_by_players"
    ]
    for name, option in spec["options"].items():
        for value in option["values"]:
            read_options(MachiavelliOptions, {name: value})
        assert getattr(MachiavelliOptions(), name) == option["default"]


# -- the table -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seats", "options", "stock"),
    [
        (2, {}, 74),
        (3, {}, 59),
        (4, {}, 44),
        (5, {}, 29),
        (6, {}, 66),
        (6, {"decks": 2}, 14),
        (2, {"decks": 4, "hand_size": 13}, 182),
    ],
)
def test_the_deal(seats: int, options: dict[str, Any], stock: int) -> None:
    match = start(seats, **options)
    state = match.state
    size = options.get("hand_size", 15)
    assert [len(hand) for hand in state.hands] == [size] * seats
    assert len(state.stock) == stock
    assert state.table == []
    assert len({card for pile in [state.stock, *state.hands] for card in pile}) == (
        stock + size * seats
    )


def test_who_begins_is_drawn_by_lot() -> None:
    assert {start(3, seed).state.turn for seed in range(30)} == {0, 1, 2}


@pytest.mark.parametrize("seats", [2, 5, 6])
def test_no_card_is_lost_or_made(seats: int) -> None:
    match = start(seats, seed=seats)
    everything = sorted(card for pile in [match.state.stock, *match.state.hands] for card in pile)
    rng = Rng(seed_from_int(9))
    while match.outcome is None:
        (seat,) = match.pending()
        items = match.moves(seat).items
        match.act(seat, items[-1 - rng.below(min(3, len(items)))])
        state = match.state
        piles = [state.stock, *state.hands, *state.table]
        assert sorted(card for pile in piles for card in pile) == everything
        assert all(fault(group, "low_or_high") is None for group in state.table)


def test_nobody_can_finish_in_the_first_turn_of_fifteen_cards() -> None:
    match = start()
    state = match.state
    (seat,) = match.pending()
    state.hands[seat] = sorted(cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC 5D 5H"))
    whole = [cards("AC 2C 3C 4C"), ["5C.1", "5D.1", "5H.1"], cards("6C 7C 8C 9C 10C JC QC KC")]
    with pytest.raises(IllegalMove, match="15 cards: at most 13") as refusal:
        MACHIAVELLI.check(state, seat, Commit(whole))
    assert refusal.value.code == "too_many_cards"


def test_a_refusal_names_the_group_and_its_fault() -> None:
    match = start()
    state, (seat,) = match.state, match.pending()
    state.hands[seat] = cards("6C 7C 8C 6D 6H")
    with pytest.raises(IllegalMove) as refusal:
        MACHIAVELLI.check(state, seat, Commit([cards("6C 7C 8C"), cards("6D 6H")]))
    assert refusal.value.code == "bad_group:1"
    assert str(refusal.value) == "Group 2 (6 of diamonds, 6 of hearts) needs a third card."


def test_a_card_of_another_and_one_of_the_stock_are_refused_alike() -> None:
    match = start(seed=4)
    state, (seat,) = match.state, match.pending()
    said = []
    for card in (state.hands[1 - seat][0], state.stock[0]):
        with pytest.raises(IllegalMove) as refusal:
            MACHIAVELLI.check(state, seat, Commit([[card]]))
        words = str(refusal.value).partition(" the ")[0]
        said.append((refusal.value.code, words))
    assert said == [("not_in_hand", "You do not hold")] * 2


@pytest.mark.parametrize(
    ("table", "hand", "after", "moved"),
    [
        ("4C 5C 6C", "7C", "4C 5C 6C 7C", ""),
        ("4C 5C 6C/8C 9C 10C JC", "7C", "4C 5C 6C 7C 8C 9C 10C JC", "4C 5C 6C"),
        ("9S 9H 9D 9C", "7S 8S", "9H 9D 9C/7S 8S 9S", "9S"),
        ("9S 9H 9D 9C", "7S 8S", "7S 8S 9S/9H 9D 9C", "9S"),
        ("4C 5C 6C 7C 8C", "6C", "4C 5C 6C/6C 7C 8C", "7C 8C"),
        ("AC AD AH", "AD AS AS", "AD AH AS/AC AD AS", "AC"),
        ("5C 5D 5H/6C 6D 6H/7C 7D 7H", "8C", "5C 6C 7C 8C/5D 6D 7D/5H 6H 7H", "6C 7C 5D 7D 5H 6H"),
    ],
)
def test_cards_in_another_group_have_moved(table: str, hand: str, after: str, moved: str) -> None:
    before, own = laid(table, hand)
    taken: Counter[str] = Counter()
    groups = [cards(group, taken) for group in after.split("/")]
    assert moved_cards(before, groups, set(own)) == cards(moved)


def test_only_the_drawer_learns_the_card() -> None:
    match = start(seed=2)
    (seat,) = match.pending()
    row = match.act(seat, Draw())
    lines, card = row.lines, match.state.drawn[seat]
    assert row.barrier
    private = [line for line in lines if line.to == [seat]]
    assert [Msg.from_data(line.msg).params for line in private] == [{"card": card}]
    assert MACHIAVELLI.view(match.state, seat)["drawn"] == card
    for other in (1 - seat, None):
        assert MACHIAVELLI.view(match.state, other)["drawn"] is None
    assert card not in json.dumps([line.msg for line in lines if line.to is None])


def test_whoever_looks_all_that_they_cannot_see_may_be_otherwise() -> None:
    state = start(4, seed=2).state
    for viewer in (None, 0, 2, 3):
        worlds = [MACHIAVELLI.resample(state, viewer, Rng(seed_from_int(n))) for n in (7, 8, 9)]
        for seat, hand in enumerate(state.hands):
            assert {hand == world.hands[seat] for world in worlds} == {seat == viewer}
        assert all(world.stock != state.stock for world in worlds)


# -- listing ---------------------------------------------------------------------------------


def most_at_once(table: str, hand: str, mode: Any = "low_or_high") -> int:
    groups, own = laid(table, hand)
    plays = [*easy_plays(groups, own, mode, 13), *loans(groups, own, mode)]
    for play in plays:
        after = play.table(groups)
        assert all(fault(group, mode) is None for group in after)
        assert sorted(card for group in after for card in group) == sorted(
            [*(card for group in groups for card in group), *play.cards]
        )
        assert set(play.cards) <= set(own)
    return max((len(play.cards) for play in plays), default=0)


@pytest.mark.parametrize(
    ("table", "hand", "count"),
    [
        ("", "5C 5D 5H 9S", 3),
        ("", "5C 6C 7C 8C 9S", 4),
        ("5C 5D 5H", "5S", 1),
        ("5C 5D 5H", "5C", 0),
        ("5C 6C 7C", "4C", 1),
        ("5C 6C 7C", "8C", 1),
        ("QC KC AC", "JC", 1),
        ("QC KC AC", "2C", 0),
        ("2C 3C 4C", "AC", 1),
        ("JC QC KC", "AC", 1),
        ("9S 9H 9D 9C", "7S 8S", 2),
        ("9S 9H 9D", "7S 8S", 0),
        ("4C 5C 6C 7C", "7D 7H", 2),
        ("4C 5C 6C", "6D 6H", 0),
        ("4C 5C 6C 7C 8C 9C 10C", "7D 7H", 2),
        ("4C 5C 6C 7C 8C 9C", "7D 7H", 0),
        ("4C 5C 6C 7C 8C", "6C", 1),
        ("4C 5C 6C 7C", "6C", 0),
        ("AH 2H 3H 4H", "QH KH", 2),
    ],
)
def test_easy_plays_and_loans(table: str, hand: str, count: int) -> None:
    assert most_at_once(table, hand) == count


def test_aces_in_listed_plays_go_by_the_option() -> None:
    assert most_at_once("JC QC KC", "AC", "low") == 0
    assert most_at_once("AH 2H 3H 4H", "QH KH", "low") == 0
    whole = "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC"
    assert [most_at_once(whole, "AC", mode) for mode in MODES] == [0, 0, 1]
    assert missing(arranged(cards("AC 2C 3C")), "low_or_high") == ["4C"]
    assert completing("AC.1", "KC.1", "low_or_high") == ["QC"]
    assert completing("AC.1", "KC.1", "low") == []


def test_moves_are_draw_and_plays_that_check_allows() -> None:
    for seed in range(5):
        match = start(seed=seed)
        while match.outcome is None:
            (seat,) = match.pending()
            items = match.moves(seat).items
            assert items[0] == Draw()
            for item in [*items, *MACHIAVELLI.ideas(match.state, seat)]:
                MACHIAVELLI.check(match.state, seat, item)
            match.act(seat, items[-1])


# -- the solver ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "hand", "counts"),
    [
        ("5C 5D 5H 5S/6C 7C 8C", "4C", [0, 1]),  # example 1
        ("5C 5D 5H/6C 6D 6H/7C 7D 7H", "8C", [0, 1]),  # 2
        ("6C 6D 6H/7C 7D 7H", "8C", [0]),  # 3
        ("4C 5C 6C", "3C 7C 8C", [0, 1, 2, 3]),  # 5
        ("4C 5C 6C 7C 8C", "6C", [0, 1]),  # 8
        ("3C 4C 5C 6C", "3C 4C", [0]),
        ("9S 9H 9D 9C", "7S 8S", [0, 2]),  # 9
        ("9S 9H 9D", "7S 8S", [0]),
        ("AH 2H 3H 4H", "QH KH", [0, 2]),  # 10
        ("10H JH QH KH", "AH", [0, 1]),  # 11
        ("", "7C 7D 7H 7S 7C 7D", [0, 3, 4, 6]),  # 12
        ("", "7C 7C 7D 7D", [0]),  # 13
        ("AC 2C 3C", "AC QC KC", [0, 3]),  # 14
        ("5C", "6C", []),
    ],
)
def test_the_solver_on_the_worked_examples(table: str, hand: str, counts: list[int]) -> None:
    assert possible(table, hand) == counts


def test_the_solver_on_examples_four_six_and_seven() -> None:
    assert possible("3C 4C 5C 6C/QH QD QS", "5C 7C 8C QC JH KH")[-1] == 6
    assert possible("AC 2C 3C", "4C 5C 6C 7C 8C 9C 10C JC QC KC")[-1] == 10
    hand = "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC 5D 5H"
    assert possible("", hand)[-1] == 13
    assert possible("", hand, limit=15)[-1] == 15


def test_the_solver_goes_by_the_ace_option() -> None:
    assert possible("AH 2H 3H 4H", "QH KH", "low") == [0]
    assert possible("10H JH QH KH", "AH", "low") == [0]
    assert possible("AC 2C 3C", "AC QC KC", "both_ends") == [0, 3]


def test_a_run_of_fourteen_is_cut_where_it_may_not_be() -> None:
    hand = cards("AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC AC")
    for mode in ("low_or_high", "both_ends"):
        solver = Solver([], hand, mode, 14)
        assert solver.counts()[-1] == 14
        groups = solver.arrange(14)
        assert all(fault(group, mode) is None for group in groups)
        assert sum(map(len, groups)) == 14


def test_the_solver_gives_up_rather_than_say_a_wrong_number() -> None:
    solver = Solver([], packs(2)[:80], "low_or_high", 13, bound=300)
    with pytest.raises(Unknown):
        solver.counts()
    assert solver.visited > 300


def test_the_solver_agrees_with_brute_force() -> None:
    """On 1,000 small deals, with and without cards on the table, and its groups are groups."""
    rng, worth = Rng(seed_from_int(77)), 0
    for _ in range(1000):
        mode = MODES[rng.below(3)]
        must, may = small_deal(rng)
        solver = Solver(must, may, mode, len(may))
        counts = solver.counts()
        assert counts == by_brute_force(must, may, mode), (mode, must, may)
        worth += len(counts) > 1
        for count in counts[-2:]:
            groups = solver.arrange(count)
            used = [card for group in groups for card in group]
            assert all(fault(group, mode) is None for group in groups)
            assert len(set(used)) == len(used) == len(must) + count
            assert set(must) <= set(used) <= {*must, *may}
    assert worth > 300  # deals in which something can be played


def small_deal(rng: Rng) -> tuple[list[str], list[str]]:
    """Up to 10 cards of few ranks and suits: (those on the table, those of the hand)."""
    low, width = rng.below(13), 2 + rng.below(4)
    ranks = {RANKS[(low + step) % 13] for step in range(width)}
    suits, copies = SUITS[: 1 + rng.below(4)], 1 + rng.below(3)
    pool = [card for card in packs(copies) if KIND[card][:-1] in ranks and KIND[card][-1] in suits]
    dealt = rng.shuffled(pool)[: 3 + rng.below(8)]
    cut = rng.below(len(dealt)) if rng.below(2) else 0
    return dealt[:cut], dealt[cut:]


def by_brute_force(must: list[str], may: list[str], mode: Any) -> list[int]:
    """The same answer by trying every choice of groups."""
    have = Counter(KIND[card] for card in must + may)
    least = Counter(KIND[card] for card in must)
    kinds = sorted(have)
    groups = [tuple(group[kind] for kind in kinds) for group in possible_groups(have, mode)]
    found: set[int] = set()
    seen: set[tuple[tuple[int, ...], int]] = set()

    def add(used: tuple[int, ...], first: int) -> None:
        if (used, first) in seen:
            return
        seen.add((used, first))
        if all(count >= least[kind] for count, kind in zip(used, kinds, strict=True)):
            found.add(sum(used) - len(must))
        for place in range(first, len(groups)):
            more = tuple(a + b for a, b in zip(used, groups[place], strict=True))
            if all(count <= have[kind] for count, kind in zip(more, kinds, strict=True)):
                add(more, place)

    add((0,) * len(kinds), 0)
    return sorted(found)


def possible_groups(have: Counter[str], mode: Any) -> list[Counter[str]]:
    groups = []
    for rank in RANKS:
        of_rank = [rank + suit for suit in SUITS if rank + suit in have]
        groups += [Counter(group) for size in (3, 4) for group in combinations(of_rank, size)]
    line = RANKS if mode == "low" else (*RANKS, "A")
    for suit in SUITS:
        for low, high in combinations(range(len(line) + 1), 2):
            run = Counter(rank + suit for rank in line[low:high])
            longest = 14 if mode == "both_ends" else 13
            if 3 <= high - low <= longest and all(have[kind] >= n for kind, n in run.items()):
                groups.append(run)
    return groups


# -- bots ------------------------------------------------------------------------------------


def test_a_bot_finds_what_only_a_search_finds() -> None:
    table, hand = laid("3C 4C 5C 6C/QH QD QS", "5C 7C 8C QC JH KH")
    groups = thinking.best_table(table, hand, "low_or_high", 13)
    assert groups is not None
    assert {card for group in groups for card in group} >= set(hand)
    table, hand = laid("5C 5D 5H/6C 6D 6H/7C 7D 7H", "8C")
    assert greedy(table, hand, "low_or_high", 13)[1] == []
    assert thinking.best_table(table, hand, "low_or_high", 13) is not None


def test_few_cards_of_ones_own_and_many_of_the_others_are_good() -> None:
    def worth(*sizes: int) -> float:
        state = start(len(sizes)).state
        state.hands = [packs(2)[:size] for size in sizes]
        return MACHIAVELLI.value(state, 0)

    assert worth(3, 5, 9) > worth(4, 5, 9) > worth(4, 3, 9)
    assert worth(3, 5, 9) == worth(3, 5, 7)  # the smallest of the others counts
    assert worth(0, 5, 9) > max(worth(size, 9, 9) for size in range(3, 16))


def test_a_bot_does_not_exchange_identical_cards_for_nothing() -> None:
    before = [["JD.1", "JH.1", "JS.1"], ["JD.2", "JH.2", "JS.2"]]
    exchanged = [["JC.1", "JD.1", "JH.1", "JS.2"], ["JD.2", "JH.2", "JS.1"]]
    assert thinking.settled(before, exchanged) == [
        ["JC.1", "JD.1", "JH.1", "JS.1"],
        ["JD.2", "JH.2", "JS.2"],
    ]
    rng = Rng(seed_from_int(5))
    for _ in range(20):
        dealt = rng.shuffled(packs(2))[:40]
        solver = Solver([], dealt, "low_or_high", 30)
        groups = solver.arrange(solver.counts()[-1])
        cards_in = sorted(card for group in groups for card in group)
        before = [sorted(rng.shuffled(cards_in)[:20])]
        after = thinking.settled(before, groups)
        assert sorted(card for group in after for card in group) == cards_in
        assert [[KIND[card] for card in group] for group in after] == [
            [KIND[card] for card in group] for group in groups
        ]


def test_a_bot_plays_on_where_the_search_gives_up() -> None:
    table, hand = laid("5C 5D 5H", "5S 9C 2D")
    groups = thinking.best_table(table, hand, "low_or_high", 13, bound=1)
    assert groups == [["5C.1", "5D.1", "5H.1", "5S.1"]]
    assert thinking.best_table([], cards("5C 9C"), "low_or_high", 13, bound=1) is None


def test_a_bot_that_thinks_plays_legally_to_the_end_and_quickly() -> None:
    match = start(seed=11)
    while match.outcome is None:
        (seat,) = match.pending()
        match.act(seat, choose(match, seat, 2))
    assert match.outcome.reason in ("empty_hand", "stock_empty")


def test_hands_and_their_order_tell_nothing_of_age() -> None:
    match = start(seed=3)
    for _ in range(6):
        (seat,) = match.pending()
        match.act(seat, Draw())
    state: MachiavelliState = match.state
    assert all(hand == sorted(hand, key=IN_ORDER.__getitem__) for hand in state.hands)


# -- hints -----------------------------------------------------------------------------------


def advice(state: MachiavelliState) -> str:
    said = MACHIAVELLI.advice(state, 0)
    assert said is not None
    return said.plain()


@pytest.mark.parametrize(
    ("table", "hand", "words"),
    [
        ("5C 5D 5H/6C 6D 6H/7C 7D 7H", "8C KS", "One of your cards can be played now"),
        ("6C 6D 6H/7C 7D 7H", "8C", "Nothing can be played now"),
        ("3C 4C 5C 6C/QH QD QS", "5C 7C 8C QC JH KH", "6 of your cards can be played now"),
    ],
)
def test_a_hint_says_how_many_cards_can_be_played(table: str, hand: str, words: str) -> None:
    state = start(seed=6).state
    state.table, state.hands[0] = laid(table, hand)
    state.turn = 0
    said = advice(state)
    assert said.startswith(words)
    for seed in range(3):  # and it tells nothing of what others hold
        other = MACHIAVELLI.resample(state, 0, Rng(seed_from_int(seed)))
        assert advice(other) == said


def test_a_hint_that_cannot_be_found_out_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "HINT_BOUND", 1)
    state = start(seed=6).state
    state.turn = 0
    state.table, state.hands[0] = laid("6C 6D 6H", "8C KS 6S")
    assert "At least 1" in advice(state)
    state.table, state.hands[0] = laid("6C 6D 6H", "8C KS")
    assert "too full" in advice(state)
