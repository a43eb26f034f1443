"""Nibble: what a recorded game cannot show. Boards of other shapes, counts alone, laws, bots."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.engine import IllegalMove, Match, Msg, Rng, Step, choose, option_fields, seed_from_int
from games.engine.registry import get_game
from games.library.nibble.dealing import full_board
from games.library.nibble.geometry import HEXAGON, Cell, Geometry, hexagon, square
from games.library.nibble.judging import together
from games.library.nibble.material import COLOURS, VARIANTS, VariantName
from games.library.nibble.rules import NibbleOptions, NibbleState, Take
from games.library.nibble.winning import (
    decided,
    may_win_at_once,
    open_colours,
    open_threes,
    strong_threes,
    whole_colours,
)
from tests.games.engine.walks import DEPTH

NIBBLE = get_game("nibble")
NINE = VARIANTS["nine"]
EACH_BOARD = pytest.mark.parametrize("variant", list(VARIANTS))
IN_ORDER = list(range(1, 10))
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "nibble.json"


HEX13 = VARIANTS["hex13"].geometry
GLYPH_OF_ITS_OWN = {11}  # the one of the specification looks like that of yellow


def colours_at(geometry: Geometry, text: str, row: int = 0, column: int = 0) -> list[int]:
    """``AB/B.`` as a board, its top left cell at (row, column)."""
    board = [0] * len(geometry.cells)
    for down, line in enumerate(text.split("/")):
        for right, letter in enumerate(line):
            if letter != ".":
                board[geometry.index[row + down, column + right]] = ord(letter) - ord("A") + 1
    return board


def position(board: list[int], **changes: Any) -> NibbleState:
    fields: dict[str, Any] = {
        "variant": "nine",
        "early_majority": False,
        "board": board,
        "table": IN_ORDER,
        "collections": [[], []],
    }
    return NibbleState(**(fields | changes))


def counts(**held: int) -> list[int]:
    """Counts from ``c4=7``: seven blocks of colour 4."""
    return [held.get(f"c{colour}", 0) for colour in range(10)]


def cells_of(geometry: Geometry, indexes: list[int]) -> set[Cell]:
    return {geometry.cells[index] for index in indexes}


# -- what may be taken ----------------------------------------------------------------------------

SMALL_BOARDS = [
    ("ABC/BCA/CAB", {(0, 0), (0, 2), (2, 0), (2, 2)}),
    ("ABAB", {(0, 0), (0, 3)}),
    ("AB/B.", {(0, 1), (1, 0)}),
    ("AB/BA", {(0, 0), (0, 1), (1, 0), (1, 1)}),
    (".A./BCB/.A.", {(0, 1), (1, 0), (1, 2), (2, 1)}),
    ("AB.../BACAB/...BA", {(0, 0), (0, 1), (1, 0), (1, 4), (2, 3), (2, 4)}),
    ("A", {(0, 0)}),
]


@pytest.mark.parametrize(("text", "takeable"), SMALL_BOARDS)
@pytest.mark.parametrize("corner", [(0, 0), (3, 2), (6, 4)])
def test_small_boards_anywhere_on_the_board(text: str, takeable: set[Cell], corner: Cell) -> None:
    row, column = corner
    geometry = NINE.geometry
    occupied = geometry.occupied(colours_at(geometry, text, row, column))
    found = cells_of(geometry, geometry.takeable(occupied))
    assert found == {(row + down, column + right) for down, right in takeable}


def test_a_ring_loses_one_block_but_not_two() -> None:
    """A hole never comes up in play; the rule holds there as well."""
    board = colours_at(NINE.geometry, "ABA/B.B/ABA", 3, 3)
    state = position(board)
    NIBBLE.check(state, 0, Take(((3, 3),)))
    for other in ((3, 5), (5, 3), (5, 5)):
        with pytest.raises(IllegalMove) as refusal:
            NIBBLE.check(state, 0, Take(((3, 3), other)))
        assert refusal.value.code == "splits"


def test_hexagon_starts_with_its_six_corners() -> None:
    assert len(HEX13.cells) == 169
    assert [len(row) for row in HEX13.rows] == [
        8,
        9,
        10,
        11,
        12,
        13,
        14,
        15,
        14,
        13,
        12,
        11,
        10,
        9,
        8,
    ]
    corners = {(7, 0), (0, 7), (-7, 7), (-7, 0), (0, -7), (7, -7)}
    assert cells_of(HEX13, HEX13.takeable(HEX13.full)) == corners


def test_hexagon_opens_from_its_corners() -> None:
    without = HEX13.full & ~HEX13.bits[HEX13.index[7, 0]]
    now, before = HEX13.takeable(without), HEX13.takeable(HEX13.full)
    assert cells_of(HEX13, now) - cells_of(HEX13, before) == {(7, -1), (6, 1)}


def test_hexagon_line_is_taken_from_its_ends() -> None:
    line = HEX13.mask([HEX13.index[q, 0] for q in (-1, 0, 1)])
    assert cells_of(HEX13, HEX13.takeable(line)) == {(-1, 0), (1, 0)}
    assert not HEX13.exposed(line) & HEX13.bits[HEX13.index[0, 0]]


def test_hexagon_needs_three_free_sides_in_a_row() -> None:
    centre, east, south_west = (HEX13.index[cell] for cell in ((0, 0), (1, 0), (-1, 1)))
    assert HEX13.exposed(HEX13.mask([centre, east, south_west])) & HEX13.bits[centre]
    west = HEX13.index[-1, 0]
    assert not HEX13.exposed(HEX13.mask([centre, east, west])) & HEX13.bits[centre]


def slow_takeable(geometry: Geometry, left: set[int]) -> list[int]:
    """The rule once more, cell by cell, with sets."""
    around = {
        index: [geometry.index.get((a + da, b + db)) for da, db in DIRECTIONS[geometry.needed]]
        for index, (a, b) in enumerate(geometry.cells)
    }
    found = []
    for index in sorted(left):
        free = [beside not in left for beside in around[index]]
        exposed = any(
            all(free[(first + step) % len(free)] for step in range(geometry.needed))
            for first in range(len(free))
        )
        if not exposed:
            continue
        rest = left - {index}
        reached = fresh = set(list(rest)[:1])
        while fresh:
            fresh = {n for cell in fresh for n in around[cell] if n in rest} - reached
            reached = reached | fresh
        if reached == rest:
            found.append(index)
    return found


DIRECTIONS = {
    2: ((-1, 0), (0, 1), (1, 0), (0, -1)),
    3: ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)),
}


@pytest.mark.parametrize("geometry", [square(9), square(13), hexagon(5)], ids=["9", "13", "hex"])
def test_masks_and_sets_agree_and_a_block_can_always_be_taken(geometry: Geometry) -> None:
    rng = Rng(seed_from_int(11))
    left = set(range(len(geometry.cells)))
    while left:
        found = geometry.takeable(geometry.mask(left))
        assert found == slow_takeable(geometry, left)
        left.remove(rng.choice(found))


def test_order_within_a_turn_does_no_harm() -> None:
    """A set goes in every order or in none: when all are exposed and the rest hangs together."""
    geometry = NINE.geometry
    several, refused = 0, 0
    for seed in range(12):
        rng = Rng(seed_from_int(seed))
        match = Match.start(NIBBLE, 2, NibbleOptions(), seed_from_int(seed))
        while match.pending():
            state = match.state
            occupied = geometry.occupied(state.board)
            exposed = geometry.exposed(occupied)
            for colour in set(state.board) - {0}:
                group = [
                    index
                    for index, bit in enumerate(geometry.bits)
                    if exposed & bit and state.board[index] == colour
                ][:4]
                if len(group) < 2:
                    continue
                whole = geometry.stays_whole(occupied, geometry.mask(group))
                several, refused = several + 1, refused + (not whole)
                for order in permutations(geometry.cells[index] for index in group):
                    assert taken(state, Take(order)) == whole
            seat = next(iter(match.pending()))
            match.act(seat, rng.choice(match.moves(seat).items))
    assert several > 500
    assert refused > 20


def taken(state: NibbleState, action: Take) -> bool:
    try:
        NIBBLE.check(state, 0, action)
    except IllegalMove:
        return False
    return True


@EACH_BOARD
def test_bots_ideas_are_all_allowed(variant: VariantName) -> None:
    match = Match.start(NIBBLE, 2, NibbleOptions(variant=variant), seed_from_int(5))
    rng = Rng(seed_from_int(6))
    largest = 0
    while match.pending():
        seat = next(iter(match.pending()))
        ideas = NIBBLE.ideas(match.state, seat)
        assert len(set(ideas)) == len(ideas)
        for idea in ideas:
            match.check(seat, idea)
            largest = max(largest, len(idea.cells))
        match.act(seat, rng.choice(ideas))
    assert largest > 2


def test_what_goes_together_leaves_out_the_link() -> None:
    board = colours_at(NINE.geometry, "AB/BA")
    assert together(NINE, board) == {1: [0], 2: [1]}


# -- setting up -----------------------------------------------------------------------------------


@EACH_BOARD
def test_full_board_has_its_quotas_and_no_equal_neighbours(variant: VariantName) -> None:
    geometry, colours = VARIANTS[variant].geometry, VARIANTS[variant].colours
    boards = [full_board(geometry.near, colours, Rng(seed_from_int(seed))) for seed in range(3)]
    for board in boards:
        assert {board.count(colour) for colour in range(1, colours + 1)} == {colours}
        assert len(board) == colours * colours
        assert not [
            cell for cell, near in enumerate(geometry.near) for n in near if board[cell] == board[n]
        ]
    assert boards[0] != boards[1] != boards[2]
    assert boards[0] == full_board(geometry.near, colours, Rng(seed_from_int(0)))


def test_every_colour_comes_to_every_cell() -> None:
    """A rough look at evenness: each colour is in the corner and in the middle now and then."""
    boards = [full_board(NINE.geometry.near, 9, Rng(seed_from_int(seed))) for seed in range(180)]
    for cell in (0, 40):
        seen = [board[cell] for board in boards]
        assert min(seen.count(colour) for colour in IN_ORDER) >= 6  # 20 each on average
        assert max(seen.count(colour) for colour in IN_ORDER) <= 40


def test_colour_table_is_drawn_or_fixed() -> None:
    drawn = {
        tuple(NIBBLE.setup(2, NibbleOptions(), Rng(seed_from_int(seed))).table)
        for seed in range(20)
    }
    assert len(drawn) == 20
    assert all(sorted(table) == IN_ORDER for table in drawn)
    fixed = NIBBLE.setup(2, NibbleOptions(colour_order="fixed"), Rng(seed_from_int(1)))
    assert fixed.table == IN_ORDER


def test_all_three_boards_are_offered() -> None:
    fields = {field.name: field for field in option_fields(NibbleOptions)}
    assert [value for value, _ in fields["variant"].choices] == ["nine", "thirteen", "hex13"]
    assert fields["variant"].default == "nine"
    assert [value for value, _ in fields["colour_order"].choices] == ["random", "fixed"]
    assert [value for value, _ in fields["early_majority"].choices] == [True, False]
    assert set(VARIANTS) == {"nine", "thirteen", "hex13"}
    for variant in VARIANTS.values():
        assert len(variant.geometry.cells) == variant.cells <= NIBBLE.meta.max_plies


@EACH_BOARD
def test_material_is_that_of_the_specification(variant: VariantName) -> None:
    if not SPEC.exists():
        pytest.skip("the specification is not beside this copy")
    spec = json.loads(SPEC.read_text(encoding="utf-8"))
    told = next(told for told in spec["variants"] if told["id"] == variant)
    board = VARIANTS[variant]
    names = {colour["id"]: colour["name"] for colour in spec["colours"]}
    for colour in range(1, board.colours + 1):
        assert COLOURS[colour][0] == names[colour]
        if colour not in GLYPH_OF_ITS_OWN:
            assert COLOURS[colour][1] == spec["colour_glyphs"]["values"][colour - 1]
    assert len(board.geometry.cells) == board.cells == told["cells"]
    assert board.geometry.needed == told["exposed_sides_needed"]
    assert (board.colours, board.blocks) == (told["colours"], told["blocks_per_colour"])
    assert board.neighbour_blocks == told["adjacent_blocks"]
    assert board.majority_blocks == told["majority_blocks"]
    assert board.majority_colours == told["majority_colours"]


def test_directions_of_the_hexagon_are_those_of_the_specification() -> None:
    if not SPEC.exists():
        pytest.skip("the specification is not beside this copy")
    told = json.loads(SPEC.read_text(encoding="utf-8"))["directions"]["hexagon"]
    assert [(one["dq"], one["dr"]) for one in told] == list(HEXAGON)


def test_no_two_glyphs_are_alike() -> None:
    glyphs = [glyph for _, glyph in COLOURS]
    assert len(set(glyphs)) == len(glyphs) == 14


def test_boards_of_the_specification_open_at_their_corners() -> None:
    if not SPEC.exists():
        pytest.skip("the specification is not beside this copy")
    spec = json.loads(SPEC.read_text(encoding="utf-8"))
    for fixture in spec["fixtures"]:
        geometry = VARIANTS[fixture["variant"]].geometry
        board = [colour for row in fixture["rows"] for colour in row]
        assert [len(row) for row in fixture["rows"]] == [len(row) for row in geometry.rows]
        assert len(geometry.takeable(geometry.occupied(board))) == (
            6 if geometry.shape == "hexagon" else 4
        )


# -- winning --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("mine", "reason"),
    [
        (counts(c4=7, c5=8, c6=7), "three_neighbours"),
        (counts(c8=7, c9=7, c1=7), None),
        (counts(c1=7, c2=6, c3=7), None),
        (counts(c1=7, c2=7, c4=7), None),
        (counts(c4=9), "all_of_colour"),
        (counts(c4=8), None),
        (counts(c1=7, c2=7, c3=7, c9=9), "all_of_colour"),
    ],
)
def test_instant_wins(mine: list[int], reason: str | None) -> None:
    end = decided(NINE, IN_ORDER, [counts(), mine], 1, board_empty=False, early_majority=False)
    assert end == (None if reason is None else (1, reason))
    assert bool(whole_colours(NINE, mine)) == (reason == "all_of_colour")


def test_neighbours_follow_the_colour_table() -> None:
    held = counts(c4=7, c5=8, c6=7)
    assert strong_threes(NINE, [1, 6, 4, 5, 2, 3, 7, 8, 9], held) == [[6, 4, 5]]
    assert strong_threes(NINE, [6, 1, 4, 5, 2, 3, 7, 8, 9], held) == []
    assert strong_threes(NINE, [6, 1, 2, 3, 7, 8, 9, 4, 5], held) == []


@pytest.mark.parametrize("variant", ["thirteen", "hex13"])
def test_what_wins_with_thirteen_colours(variant: VariantName) -> None:
    board, row = VARIANTS[variant], list(range(1, 14))

    def after(mine: dict[int, int], theirs: dict[int, int], **how: bool) -> tuple[int, str] | None:
        held = [[one.get(colour, 0) for colour in range(14)] for one in (mine, theirs)]
        return decided(
            board, row, held, 0, **({"board_empty": False, "early_majority": True} | how)
        )

    assert after({3: 13}, {}) == (0, "all_of_colour")
    assert after({3: 12}, {}) is None
    assert after({3: 10, 4: 11, 5: 10}, {}) == (0, "three_neighbours")
    assert after({3: 10, 4: 9, 5: 10}, {}) is None
    assert after({12: 10, 13: 10, 1: 10}, {}) is None
    ahead = dict.fromkeys(range(1, 14), 4) | dict.fromkeys(range(1, 14, 2), 7)
    assert after(ahead, {}) == (0, "early_majority")
    assert after(ahead, {}, early_majority=False) is None
    assert after(ahead | {2: 0}, {}) is None  # all purple blocks are still open to the other
    assert after(ahead | {1: 6}, {}) is None  # six majorities are not enough
    spread = dict.fromkeys(range(1, 14), 4) | dict.fromkeys(range(7, 14), 7)
    assert after(spread, {}) == (0, "early_majority")
    assert after(spread | {2: 3, 3: 3, 4: 3}, {}) is None  # ten of each of these still are
    assert after(ahead, {}, board_empty=True, early_majority=False) == (0, "majority")
    assert after(ahead | {1: 6}, {}, board_empty=True) == (1, "majority")


@pytest.mark.parametrize(
    ("opponent", "possible"),
    [
        ([3, 3, 1, 3, 3, 3, 1, 1, 3], False),
        ([3, 3, 2, 1, 2, 3, 3, 3, 3], True),
        ([0, 3, 3, 3, 3, 3, 3, 3, 3], True),
        ([3, 3, 3, 3, 3, 3, 3, 3, 3], False),
    ],
)
def test_whether_an_instant_win_is_left(opponent: list[int], possible: bool) -> None:
    assert may_win_at_once(NINE, IN_ORDER, [0, *opponent]) is possible


def test_which_instant_wins_are_left() -> None:
    assert open_threes(NINE, IN_ORDER, [0, 3, 3, 2, 1, 2, 3, 3, 3, 3]) == [[3, 4, 5]]
    assert open_colours(NINE, [0, 0, 3, 3, 3, 3, 3, 3, 3, 3]) == [1]


def test_majority_ends_early_only_where_nothing_can_change_it() -> None:
    ahead = counts(c1=5, c2=5, c3=5, c4=5, c5=5, c6=3, c7=3, c8=3, c9=3)
    behind = counts(c1=2, c2=2, c3=2, c4=2, c5=2, c6=3, c7=3, c8=3, c9=3)

    def after(mine: list[int], early: bool = True) -> tuple[int, str] | None:
        return decided(NINE, IN_ORDER, [mine, behind], 0, board_empty=False, early_majority=early)

    assert after(ahead) == (0, "early_majority")
    assert after(ahead, early=False) is None
    assert after([*ahead[:6], 0, *ahead[7:]]) is None  # all of blue is still open to the other
    assert after([*ahead[:7], 2, 2, 2]) is None  # and so are three neighbours here
    assert after([0, 4, *ahead[2:]]) is None  # four majorities are not enough


@pytest.mark.parametrize(
    ("variant", "level", "games"),
    [("nine", 1, 12), ("nine", 2, 6), ("thirteen", 1, 6), ("hex13", 1, 6)],
)
def test_early_end_never_changes_the_winner(variant: VariantName, level: int, games: int) -> None:
    shortened = 0
    for seed in range(games):
        early = Match.start(NIBBLE, 2, NibbleOptions(variant=variant), seed_from_int(seed))
        options = NibbleOptions(variant=variant, early_majority=False)
        full = Match.start(NIBBLE, 2, options, seed_from_int(seed))
        while full.pending():
            seat = next(iter(full.pending()))
            action = choose(full, seat, level)
            full.act(seat, action)
            if early.outcome is None:
                early.act(seat, action)
        assert early.outcome is not None
        assert full.outcome is not None
        assert early.outcome.ranks == full.outcome.ranks
        shortened += early.ply < full.ply
        assert full.outcome.reason != "early_majority"
    assert shortened > 2


# -- what is shown --------------------------------------------------------------------------------


def test_everybody_sees_everything() -> None:
    match = Match.start(NIBBLE, 2, NibbleOptions(), seed_from_int(9))
    while match.pending():
        views = [NIBBLE.view(match.state, seat) for seat in (None, 0, 1)]
        assert views[0] == views[1] == views[2] == NIBBLE.reveal(match.state)
        view = json.loads(msgspec.json.encode(views[0]))
        for colour in map(str, IN_ORDER):
            assert view["left"][colour] + sum(held[colour] for held in view["counts"]) == 9
        assert [len(blocks) for blocks in view["collections"]] == NIBBLE.standing(match.state)
        assert view["blocks_left"] == sum(1 for row in view["board"] for colour in row if colour)
        seat = next(iter(match.pending()))
        match.act(seat, choose(match, seat, 1))
    assert NIBBLE.progress(match.state) == 1.0


@EACH_BOARD
def test_each_block_can_be_taken_or_says_why_not(variant: VariantName) -> None:
    geometry = VARIANTS[variant].geometry
    names = geometry.names
    reasons = set()
    for seed in (4, 5):
        match = Match.start(NIBBLE, 2, NibbleOptions(variant=variant), seed_from_int(seed))
        while match.pending():
            seat = next(iter(match.pending()))
            moves = match.moves(seat)
            single = [names[geometry.index[move.cells[0]]] for move in moves.items]
            refused = dict(moves.refused)
            assert not moves.complete
            blocks = [name for name, colour in zip(names, match.state.board, strict=True) if colour]
            assert sorted([*single, *refused]) == sorted(blocks)
            reasons |= {reason.plain() for reason in refused.values()}
            match.act(seat, choose(match, seat, 1))
    assert reasons == {
        f"It needs {geometry.needed} free sides next to each other.",
        "Without it the board would fall into pieces.",
    }


def test_quietest_move_is_the_first_block_in_reading_order() -> None:
    match = Match.start(NIBBLE, 2, NibbleOptions(), seed_from_int(2))
    assert [move.cells for move in match.moves(0).items] == [
        ((0, 0),),
        ((0, 8),),
        ((8, 0),),
        ((8, 8),),
    ]


def test_names_of_cells_and_moves() -> None:
    state = position(colours_at(NINE.geometry, "GA/AG", 2, 7))
    view = NIBBLE.view(state, None)
    assert view["names"][0][0] == "a9"
    assert view["names"][8][8] == "i1"
    assert view["cells"][2][7] == (2, 7)
    assert NIBBLE.label(state, 0, Take(((2, 7),))).plain() == "Take white at h7"
    assert NIBBLE.label(state, 0, Take(((2, 7), (3, 8)))).plain() == "Take 2 white"
    assert NIBBLE.summary(state).plain() == "4 of 81 blocks left"


def test_names_on_the_hexagon_are_row_and_place() -> None:
    board = [0] * 169
    for cell in ((0, 0), (1, 0), (7, -7)):
        board[HEX13.index[cell]] = 12
    state = position(board, variant="hex13", table=list(range(1, 14)))
    view = NIBBLE.view(state, None)
    assert view["shape"] == "hexagon"
    assert (view["names"][0][0], view["names"][0][7], view["names"][14][7]) == ("o1", "o8", "a8")
    assert view["cells"][7][7] == (0, 0)
    assert view["names"][7][7] == "h8"
    assert len(set(HEX13.names)) == 169
    assert NIBBLE.label(state, 0, Take(((7, -7),))).plain() == "Take mint at o8"
    assert NIBBLE.summary(state).plain() == "3 of 169 blocks left"


def test_log_tells_what_was_taken_and_who_won() -> None:
    state = position(colours_at(NINE.geometry, "G"), collections=[[7] * 8, []])
    step = Step(Rng(seed_from_int(0)))
    NIBBLE.apply(state, 0, Take(((0, 0),)), step)
    lines = [Msg.from_data(line.msg) for line in step.lines]
    assert [line.plain(["Ada", "Cy"]) for line in lines] == [
        "Ada takes 1 white.",
        "Ada wins with all 9 white.",
    ]
    assert [line.plain(["Ada", "Cy"], viewer=0) for line in lines] == [
        "You take 1 white.",
        "You win with all 9 white.",
    ]
    assert not step.barred


def test_log_begins_with_the_colour_table() -> None:
    [line] = NIBBLE.opening(position([0] * 81))
    assert Msg.from_data(line.msg).plain() == (
        "The colour table: green, purple, red, yellow, orange, blue, white, gray, black."
    )


def test_threats_are_sentences_and_the_nearest_is_first() -> None:
    held = [[8] * 3 + [3] * 5 + [6] * 5 + [9] * 3, [5] * 7 + [2] * 2]
    state = position(
        colours_at(NINE.geometry, "EA/AE"), collections=held, table=[5, 1, 9, 3, 6, 2, 7, 8, 4]
    )
    threats = NIBBLE.view(state, None)["threats"]
    told = [Msg.from_data(threat["msg"]).plain(["Ada", "Cy"]) for threat in threats]
    assert told == [
        "Cy has 7 of 9 orange, and nobody else has any. Missing: 2.",
        "Ada has 3 black, 5 red, 5 blue: three neighbours with 7 each win."
        " Missing: 4 black, 2 red, 2 blue.",
        "Majorities: Ada 2, Cy 1. 5 win when the board is empty.",
    ]
    mine = [Msg.from_data(threats[-1]["msg"]).plain(["Ada", "Cy"], seat) for seat in (0, 1)]
    assert [words.split(".")[0] for words in mine] == [
        "Majorities: you 2, Cy 1",
        "Majorities: Ada 2, you 1",
    ]
    assert [threat["hot"] for threat in threats] == [True, False, False]
    assert threats[1]["colours"] == [9, 3, 6]


def test_forfeit_ranks_the_other_first() -> None:
    match = Match.start(NIBBLE, 2, NibbleOptions(), seed_from_int(1))
    match.note("time-out", 0, {"effect": "forfeit"})
    assert match.outcome is not None
    assert match.outcome.ranks == [2, 1]


# -- bots -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("variant", "weaker", "games"),
    [("nine", 0, 6), ("nine", 1, 6), ("thirteen", 1, 2), ("hex13", 1, 2)],
)
def test_greedy_bot_beats_the_weaker_ones(variant: VariantName, weaker: int, games: int) -> None:
    won, games = 0, round(games * DEPTH)
    for seed in range(games):
        match = Match.start(NIBBLE, 2, NibbleOptions(variant=variant), seed_from_int(seed))
        greedy = seed % 2
        while match.pending():
            seat = next(iter(match.pending()))
            match.act(seat, choose(match, seat, 2 if seat == greedy else weaker))
        assert match.outcome is not None
        won += match.outcome.ranks[greedy] == 1
    assert won >= games - 1


def test_value_prefers_a_win_and_fears_one() -> None:
    won = position([0] * 81, winner=0, reason="majority")
    assert NIBBLE.value(won, 0) > 100 > -100 > NIBBLE.value(won, 1)
    board = colours_at(NINE.geometry, "DA/AB")
    threatened = position(board, collections=[[], [4] * 8])
    calm = position(board, collections=[[4], [4] * 7])
    assert NIBBLE.value(threatened, 0) < NIBBLE.value(calm, 0) - 50
