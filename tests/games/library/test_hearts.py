"""Hearts: what a recorded game cannot show. Arithmetic, reasons, the log's audience, worlds, bots."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.engine import (
    IllegalMove,
    Line,
    Match,
    Msg,
    Rng,
    choose,
    differing,
    option_fields,
    read_options,
    seed_from_int,
)
from games.engine.cards import PACK
from games.engine.registry import get_game
from games.library.hearts import scoring, standing, worlds
from games.library.hearts.material import BY_QUIET, BY_RANK, POINTS, STRENGTH
from games.library.hearts.rules import HeartsOptions, HeartsState, Pass, Play, direction, playable
from games.library.hearts.state import Choose
from tests.games.engine.walks import DEPTH

HEARTS = get_game("hearts")
SPEC = Path(__file__).resolve().parents[4] / "shared" / "games" / "hearts.json"
NAMES = ["Ada", "Bob", "Cy", "Dunya"]
DIAMONDS = [card for card in PACK if card[-1] == "D"]


def start(seed: int = 1, **options: Any) -> Match[Any, Any, Any]:
    return Match.start(HEARTS, 4, read_options(HeartsOptions, options), seed_from_int(seed))


def pass_quietly(match: Match[Any, Any, Any]) -> list[Line]:
    lines: list[Line] = []
    while match.state.phase == "pass":
        seat = min(match.pending())
        lines += match.act(seat, match.moves(seat).items[0]).lines
    return lines


def play_until(match: Match[Any, Any, Any], stop: Callable[[HeartsState], bool], seed: int) -> None:
    rng = Rng(seed_from_int(seed))
    while match.outcome is None and not stop(match.state):
        seat = rng.choice(sorted(match.pending()))
        items = match.moves(seat).items
        match.act(seat, items[rng.below(len(items))])


def last_card(**fields: Any) -> Match[Any, Any, Any]:
    """A hand before its very last card, 2H by seat 3, which makes no trick of seat 3's."""
    fields = {"points": [0, 0, 0, 0], "scores": [100] * 4} | fields
    state = HeartsState(
        hands=[[], [], [], ["2H"]],
        phase="play",
        turn=3,
        leaders=[0] * 13,
        trick=["AH", "3H", "4H"],
        won=[card for card in PACK if card not in ("AH", "3H", "4H", "2H")],
        hearts_broken=True,
        **fields,
    )
    return Match.at(HEARTS, 4, state.options, seed_from_int(3), state)


def told(lines: list[Line], viewer: int | None = None) -> list[str]:
    """What ``viewer`` reads of these lines."""
    return [
        Msg.from_data(line.msg).plain(NAMES, viewer)
        for line in lines
        if line.to is None or viewer in line.to
    ]


# -- material and options --------------------------------------------------------------------


def test_the_pack_has_52_cards_and_26_points() -> None:
    assert len(set(PACK)) == 52
    assert sum(POINTS.values()) == 26
    assert max(STRENGTH, key=STRENGTH.__getitem__)[:-1] == "A"


def test_options_are_in_the_form_with_their_defaults() -> None:
    fields = {field.name: field for field in option_fields(HeartsOptions)}
    assert {name: [value for value, _ in field.choices] for name, field in fields.items()} == {
        "start_score": [100, 75],
        "hold_hand": [True, False],
        "queen_breaks_hearts": [False, True],
        "moon": ["others_lose_26", "shooter_gains_26", "shooter_chooses"],
        "points_on_first_trick": [False, True],
        "lead_when_only_queen": ["queen", "free"],
        "show_taken_cards": ["last_trick", "all"],
    }
    assert all(field.title and field.description for field in fields.values())
    changed = differing(HeartsOptions(start_score=75))
    assert [(field.name, label) for field, _, label in changed] == [
        ("start_score", "quick, from 75 points")
    ]


def test_only_four_can_play() -> None:
    assert HEARTS.meta.seats == (4,)


def test_passing_goes_round_with_and_without_a_hold_hand() -> None:
    hold, modern = HeartsOptions(), HeartsOptions(hold_hand=False)
    cycle = ["left", "across", "right", "hold"]
    assert [direction(hold, hand) for hand in range(1, 9)] == cycle * 2
    assert [direction(modern, hand) for hand in range(1, 9)] == (cycle[:3] * 3)[:8]


# -- the specification's own file ------------------------------------------------------------


def specified(*ids: str) -> list[Any]:
    """Worked examples of the specification, where it lies beside the repository."""
    if not SPEC.exists():
        return [pytest.param(None, marks=pytest.mark.skip(reason="no specification here"))]
    examples = {example["id"]: example for example in json.loads(SPEC.read_text())["examples"]}
    return [pytest.param(examples[name], id=name) for name in ids]


@pytest.mark.parametrize("example", specified(*(f"H{n:02}" for n in [*range(1, 12), 13])))
def test_specified_cards_are_playable(example: dict[str, Any]) -> None:
    given = example["given"]
    before = given.get("played_before", given["trick"])
    state = HeartsState(
        scores=[100] * 4,
        hands=[[] for _ in range(4)],
        options=read_options(HeartsOptions, given.get("options", {})),
        trick=given["trick"],
        won=before[: len(before) - len(given["trick"])],
        hearts_broken=given["hearts_broken"],
    )
    assert set(playable(state, given["hand"])[0]) == set(example["expect"]["legal"])


@pytest.mark.parametrize("example", specified(*(f"H{n:02}" for n in range(16, 24))))
def test_specified_hands_are_scored(example: dict[str, Any]) -> None:
    given, expected = example["given"], example["expect"]
    choice = "self" if given.get("options", {}).get("moon") == "shooter_gains_26" else "others"
    changes = scoring.score_changes(given["hand_points"], choice)
    scores = [a + b for a, b in zip(given["scores_before"], changes, strict=True)]
    assert scores == expected["scores"]
    assert bool(scoring.used_up(scores)) == expected["game_over"]
    if "shooter" in expected:
        assert scoring.shooter(given["hand_points"]) == expected["shooter"]
    if expected["game_over"]:
        ranks, place = {}, 1
        for seats in expected["ranking"]:
            seats = seats if isinstance(seats, list) else [seats]
            ranks |= dict.fromkeys(seats, place)
            place += len(seats)
        assert scoring.ranking(scores) == [ranks[seat] for seat in range(4)]


# -- scoring ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("points", "choice", "changes", "shooter"),
    [
        ([0, 5, 20, 1], "others", [0, -5, -20, -1], None),
        ([25, 1, 0, 0], "others", [-25, -1, 0, 0], None),
        ([0, 26, 0, 0], "others", [-26, 0, -26, -26], 1),
        ([0, 26, 0, 0], "self", [0, 26, 0, 0], 1),
        ([0, 0, 13, 13], "self", [0, 0, -13, -13], None),
    ],
)
def test_a_hand_changes_the_scores(
    points: list[int], choice: str, changes: list[int], shooter: int | None
) -> None:
    assert scoring.score_changes(points, choice) == changes
    assert scoring.moon_of(changes) == shooter


@pytest.mark.parametrize(
    ("scores", "ranks", "text"),
    [
        ([10, -10, 31, 18], [3, 4, 1, 2], "Cy wins with 31."),
        ([0, 49, 40, 40], [4, 1, 2, 2], "Bob wins with 49."),
        ([-8, 27, 27, 21], [4, 1, 1, 3], "Bob and Cy share first place with 27."),
        ([9, 9, -4, 9], [1, 1, 4, 1], "Ada, Bob and Dunya share first place with 9."),
        ([0, 0, 0, 0], [1, 1, 1, 1], "All four share first place with 0."),
    ],
)
def test_the_highest_score_wins_and_equal_ones_share(
    scores: list[int], ranks: list[int], text: str
) -> None:
    outcome = scoring.ended(scores)
    assert (outcome.ranks, outcome.scores, outcome.reason) == (ranks, scores, "played")
    assert Msg.from_data(outcome.text).plain(NAMES) == text


def test_the_winner_is_told_so() -> None:
    assert Msg.from_data(scoring.ended([1, 2, 3, 0]).text).plain(NAMES, 2) == "You win with 3."


def test_the_game_ends_only_when_a_score_is_used_up() -> None:
    almost = last_card(points=[0, 0, 22, 0], scores=[100, 100, 23, 100])
    lines = almost.act(3, Play("2H")).lines
    assert almost.outcome is None
    assert almost.state.scores == [96, 100, 1, 100]
    assert "Cy loses 22 and stands at 1." in told(lines)
    over = last_card(points=[0, 0, 22, 0], scores=[100, 100, 22, 100])
    lines = over.act(3, Play("2H")).lines
    assert over.outcome is not None
    assert over.outcome.ranks == [3, 1, 4, 1]
    assert told(lines, 0)[-7:] == [
        "You take the trick: 4 points.",
        "Hand 1, result",
        "You lose 4 and stand at 96.",
        "Bob stays at 100.",
        "Cy loses 22 and stands at 0. The game ends.",
        "Dunya stays at 100.",
        "Bob and Dunya share first place with 100.",
    ]


def test_the_end_is_told_once_where_two_reach_zero() -> None:
    match = last_card(points=[0, 9, 13, 0], scores=[100, 9, 13, 50])
    lines = told(match.act(3, Play("2H")).lines)
    assert sum("The game ends." in line for line in lines) == 1
    assert HEARTS.summary(match.state).plain(NAMES) == "Hand 1 of 1; Bob and Cy reached zero"


def test_a_moon_is_told_and_shown() -> None:
    match = last_card(points=[22, 0, 0, 0])
    lines = told(match.act(3, Play("2H")).lines, 0)
    assert lines[2:7] == [
        "Hand 1, result",
        "You shoot the moon!",
        "You stay at 100.",
        "Bob loses 26 and stands at 74.",
        "Cy loses 26 and stands at 74.",
    ]
    assert HEARTS.view(match.state, None)["results"] == [
        {"changes": [0, -26, -26, -26], "shooter": 0}
    ]


def test_a_moon_may_be_chosen_for_oneself() -> None:
    match = last_card(points=[22, 0, 0, 0], options=HeartsOptions(moon="shooter_chooses"))
    match.act(3, Play("2H"))
    assert match.pending() == {0: "choose_moon:1"}
    moves = match.moves(0)
    assert moves.prompt is not None
    assert [HEARTS.label(match.state, 0, item).plain() for item in moves.items] == [
        "Let the others lose 26 each",
        "Gain 26 points",
    ]
    assert HEARTS.summary(match.state).plain(NAMES) == "Hand 1; Ada has shot the moon"
    with pytest.raises(IllegalMove) as refused:
        match.act(0, Pass(["2C", "3C", "4C"]))
    assert refused.value.code == "illegal_move"
    lines = told(match.act(0, Choose("self")).lines, 0)
    assert lines[:2] == ["You choose to gain 26.", "You gain 26 and stand at 126."]


def test_whoever_gives_up_is_last_and_the_scores_rank_the_others() -> None:
    state = start().state
    state.scores = [70, 20, 70, 90]
    outcome = HEARTS.forfeit(state, 3)
    assert outcome.ranks == [1, 3, 1, 4]
    assert outcome.reason == "forfeit"
    assert Msg.from_data(outcome.text).plain(NAMES) == "Dunya gives up."


# -- moves and reasons -----------------------------------------------------------------------


def test_all_choices_of_three_are_listed_lowest_first() -> None:
    match = start()
    for seat in range(4):
        items = list(match.moves(seat).items)
        assert len({frozenset(item.cards) for item in items}) == len(items) == 286
        lowest = sorted(match.state.hands[seat], key=BY_RANK.__getitem__)[:3]
        assert items[0] == Pass(lowest)
    assert match.moves(0).prompt.plain(NAMES) == "Choose three cards for Bob, on your left."


def test_cards_are_listed_quietest_first() -> None:
    match = start(seed=4)

    def look(state: HeartsState) -> bool:
        if state.phase == "play":
            cards = [item.card for item in match.moves(state.turn).items]
            costs = [card in POINTS for card in cards]
            assert costs == sorted(costs)
            harmless = [BY_RANK[card] for card in cards if card not in POINTS]
            assert harmless == sorted(harmless)
        return False

    play_until(match, look, 5)


def trick_of(led: str, hand: list[str], **fields: Any) -> HeartsState:
    return HeartsState(
        scores=[100] * 4,
        hands=[[], hand, [], []],
        phase="play",
        turn=1,
        leaders=[0],
        trick=[led] if led else [],
        **fields,
    )


@pytest.mark.parametrize(
    ("state", "prompt", "refused"),
    [
        (
            trick_of("6D", ["9C", "5D"], won=["2C"] * 4),
            "Follow diamonds.",
            [("9C", "You must follow diamonds.")],
        ),
        (trick_of("6H", ["9C", "5D"], won=["2C"] * 4), "You have no hearts: play any card.", []),
        (
            trick_of("2C", ["5D", "QS", "3H"]),
            "You have no clubs: play any card without points.",
            [
                ("QS", "No hearts and no queen of spades on the first trick."),
                ("3H", "No hearts and no queen of spades on the first trick."),
            ],
        ),
        (
            trick_of("", ["2C", "5D"]),
            "Lead the two of clubs.",
            [("5D", "The two of clubs leads the first trick.")],
        ),
        (
            trick_of("", ["4C", "3H"], won=["2C"] * 4),
            "Lead any card but hearts.",
            [("3H", "Hearts are not broken yet.")],
        ),
        (
            trick_of("", ["QS", "3H"], won=["2C"] * 4),
            "Lead the queen of spades.",
            [("3H", "Hearts are not broken yet.")],
        ),
        (trick_of("", ["4C", "3H"], won=["2C"] * 4, hearts_broken=True), "Lead any card.", []),
    ],
)
def test_prompts_and_reasons(
    state: HeartsState, prompt: str, refused: list[tuple[str, str]]
) -> None:
    moves = HEARTS.moves(state, 1)
    assert moves.prompt is not None
    assert moves.prompt.plain() == prompt
    assert [(card, reason.plain()) for card, reason in moves.refused] == refused
    assert len(moves.refused) == len(refused)
    for card, reason in refused:
        with pytest.raises(IllegalMove, match=reason):
            HEARTS.check(state, 1, Play(card))


def test_moves_in_words() -> None:
    match = start()
    label = HEARTS.label(match.state, 0, Pass(["AH", "2C", "QS"]))
    assert label.plain() == "Pass 2 of clubs, Queen of spades, Ace of hearts"
    assert HEARTS.label(match.state, 0, Play("9C")).plain() == "Play 9 of clubs"


# -- the log and the view --------------------------------------------------------------------


def test_nobody_reads_what_others_pass() -> None:
    match = start(seed=2)
    opening = HEARTS.opening(match.state)
    assert told(opening) == ["Hand 1, pass to the left"]
    assert opening[0].heading
    hands = [list(hand) for hand in match.state.hands]
    lines = pass_quietly(match)
    assert told(lines) == [f"{name} has chosen." for name in NAMES] + ["Trick 1"]
    mine = told(lines, 0)
    assert sum("You pass" in line and "to Bob" in line for line in mine) == 1
    assert sum("You are given" in line and "by Dunya" in line for line in mine) == 1
    assert len(mine) == len(told(lines)) + 2
    lowest = sorted(hands[3], key=BY_RANK.__getitem__)[:3]
    assert set(HEARTS.view(match.state, 0)["received"]) == set(lowest)


def test_a_trick_in_words() -> None:
    state = HeartsState(
        scores=[100] * 4,
        hands=[["6D", "2S"], ["KD", "3S"], ["4H", "4S"], ["7D", "5S"]],
        phase="play",
        turn=0,
        leaders=[2, 0],
        won=["2C", "3C", "4C", "5C"],
    )
    match = Match.at(HEARTS, 4, state.options, seed_from_int(1), state)
    assert HEARTS.summary(state).plain() == "Hand 1, trick 2 of 13; hearts are not broken"
    lines: list[Line] = []
    for seat, card in enumerate(["6D", "KD", "4H", "7D"]):
        row = match.act(seat, Play(card))
        assert row.barrier
        lines += row.lines
    assert told(lines, 2) == [
        "Ada leads 6 of diamonds.",
        "Bob plays King of diamonds.",
        "You play 4 of hearts. Hearts are broken.",
        "Dunya plays 7 of diamonds.",
        "Bob takes the trick: 1 point.",
        "Trick 3",
    ]
    assert HEARTS.summary(match.state).plain() == "Hand 1, trick 3 of 13; hearts are broken"


def test_the_summary_says_who_has_chosen() -> None:
    match = start()
    said = []
    for seat in (2, 3, 0):
        said.append(HEARTS.summary(match.state).plain(NAMES))
        match.act(seat, match.moves(seat).items[0])
    assert [*said, HEARTS.summary(match.state).plain(NAMES)] == [
        "Hand 1; nobody has chosen yet",
        "Hand 1; Cy has chosen",
        "Hand 1; Cy and Dunya have chosen",
        "Hand 1; Ada, Cy and Dunya have chosen",
    ]


def test_a_hold_hand_begins_with_its_first_trick() -> None:
    match = last_card(hand_number=3)
    lines = match.act(3, Play("2H")).lines
    assert told(lines)[-2:] == ["Hand 4, no passing", "Trick 1"]
    assert [line.heading for line in lines[-2:]] == [True, True]
    assert match.state.phase == "play"
    assert HEARTS.view(match.state, 0)["passes_to"] is None
    assert told(HEARTS.opening(match.state)) == ["Hand 4, no passing", "Trick 1"]


def test_the_last_trick_of_a_hand_stays_in_view() -> None:
    match = last_card()
    match.act(3, Play("2H"))
    assert match.state.hand_number == 2
    shown = HEARTS.view(match.state, None)["last_trick"]
    assert [card["card"] for card in shown["cards"]] == ["AH", "3H", "4H", "2H"]
    assert (shown["winner"], shown["points"]) == (0, 4)


def test_a_seat_sees_its_own_cards_and_nobody_elses() -> None:
    match = start(seed=6)
    match.act(1, match.moves(1).items[5])
    secret = set(match.state.passes[1])
    for viewer in (0, 2, 3, None):
        view = HEARTS.view(match.state, viewer)
        assert view["has_passed"] == [False, True, False, False]
        seen = json.dumps(view)
        assert not any(f'"{card}"' in seen for card in secret)
    own = HEARTS.view(match.state, 1)
    assert set(own["chosen"]) == secret
    assert len(own["hand"]) == 13
    assert own["hand"] == sorted(own["hand"], key=PACK.index)


def test_tricks_lie_open_only_by_the_option() -> None:
    for show in ("last_trick", "all"):
        match = start(seed=8, show_taken_cards=show)
        play_until(match, lambda state: len(state.won) == 20, 3)
        view = HEARTS.view(match.state, None)
        assert ("taken" in view) == (show == "all")
        piles = HEARTS.reveal(match.state)["taken"]
        assert sorted(card for pile in piles for card in pile) == sorted(match.state.won)
        points = [sum(POINTS.get(card, 0) for card in pile) for pile in piles]
        assert points == view["points"]


def test_all_is_open_in_the_end() -> None:
    match = start(seed=9)
    pass_quietly(match)
    shown = HEARTS.reveal(match.state)
    assert sorted(card for hand in shown["hands"] for card in hand) == sorted(PACK)
    assert [len(cards) for cards in shown["passes"]] == [3, 3, 3, 3]


def test_progress_follows_the_lowest_score() -> None:
    state = start(start_score=75).state
    assert HEARTS.progress(state) == 0
    state.scores = [75, 60, 30, 75]
    assert HEARTS.progress(state) == pytest.approx(0.6)
    state.scores = [75, 60, -5, 75]
    assert HEARTS.progress(state) == 1
    assert HEARTS.standing(state) == [75, 60, -5, 75]


# -- other worlds ----------------------------------------------------------------------------


def test_worlds_keep_what_a_seat_knows() -> None:
    rng = Rng(seed_from_int(20))
    match = start(seed=10)
    passed = match.moves(0).items[200]
    match.act(0, passed)
    waiting = HEARTS.resample(match.state, 0, rng)
    assert waiting.passes[0] == passed.cards
    assert waiting.hands[0] == match.state.hands[0]
    pass_quietly(match)
    for viewer in (*range(4), None):
        world = HEARTS.resample(match.state, viewer, rng)
        assert "2C" in world.hands[world.turn]
        assert sorted(card for hand in world.hands for card in hand) == sorted(PACK)
    for _ in range(20):
        world = HEARTS.resample(match.state, 0, rng)
        assert set(passed.cards) <= set(world.hands[1])
        for seat in range(4):
            assert set(world.passes[seat]) <= set(world.hands[(seat + 1) % 4])


def test_shown_voids_stay() -> None:
    rng = Rng(seed_from_int(21))
    for seed in range(12):
        match = start(seed=seed, hold_hand=False)
        play_until(match, lambda state: len(state.won) == 32, seed)
        if match.outcome is not None:
            continue
        barred = worlds.ruled_out(match.state)
        assert any(barred)
        for seat, hand in enumerate(match.state.hands):
            assert not barred[seat] & set(hand)
        for viewer in (*range(4), None):
            world = HEARTS.resample(match.state, viewer, rng)
            for seat, hand in enumerate(world.hands):
                assert not barred[seat] & set(hand)
                assert hand == sorted(hand, key=BY_QUIET.__getitem__)


def test_points_on_the_first_trick_show_a_hand_of_points() -> None:
    state = HeartsState(
        scores=[100] * 4,
        hands=[[], ["3H"], [], []],
        phase="play",
        leaders=[0],
        trick=["2C", "2H"],
    )
    assert worlds.ruled_out(state)[1] == set(PACK) - set(POINTS)
    state.options = HeartsOptions(points_on_first_trick=True)
    assert worlds.ruled_out(state)[1] == {card for card in PACK if card[-1] == "C"}


def test_a_heart_led_too_early_shows_a_hand_of_hearts() -> None:
    state = HeartsState(
        scores=[100] * 4,
        hands=[[] for _ in range(4)],
        phase="play",
        leaders=[3, 0],
        won=["2C", "AC", "3C", "4C"],
        trick=["2H"],
    )
    no_hearts = {card for card in PACK if card[-1] != "H"}
    assert worlds.ruled_out(state)[0] == no_hearts
    state.options = HeartsOptions(lead_when_only_queen="free")
    assert worlds.ruled_out(state)[0] == no_hearts - {"QS"}


def test_tight_deals_are_found() -> None:
    """Only one seat may hold each suit but one card, so that full hands must make room."""
    pool = [*DIAMONDS[:6], "2S", "3S", "4H"]
    spades = {card for card in PACK if card[-1] == "S"}
    barred = [set(), spades | {"4H"}, {"4H", *DIAMONDS[:3]}, set(PACK)]
    for seed in range(60):
        hands = worlds.spread(pool, [3, 3, 3, 0], barred, Rng(seed_from_int(seed)))
        assert [len(hand) for hand in hands] == [3, 3, 3, 0]
        assert sorted(card for hand in hands for card in hand) == sorted(pool)
        assert all(not barred[seat] & set(hand) for seat, hand in enumerate(hands))


def test_full_hands_make_room() -> None:
    hands = [["2D"], ["3D"], [], []]
    holders = {"2D": [0, 1], "3D": [1, 2]}
    free = [0, 0, 1, 0]
    assert worlds.make_room(0, hands, free, holders, [])
    assert hands == [[], ["2D"], ["3D"], []]
    assert free == [1, 0, 0, 0]
    assert not worlds.make_room(1, hands, [0, 0, 0, 0], holders, [])


# -- bots ------------------------------------------------------------------------------------


def test_the_way_to_the_moon_is_not_counted_against_a_seat() -> None:
    state = start().state
    state.points = [0, 20, 0, 0]
    assert standing.hand_so_far(state) == [0, 0, 0, 0]
    state.points = [0, 20, 1, 0]
    assert standing.hand_so_far(state) == [0, -20, -1, 0]
    state.points = [0, 13, 0, 0]
    assert standing.hand_so_far(state) == [0, -13, 0, 0]
    state.points = [0, 26, 0, 0]
    assert standing.hand_so_far(state) == [0, 26, 0, 0]


def test_bots_pass_bare_queens_and_keep_guarded_ones() -> None:
    bare = ["2C", "3C", "4C", "5C", "6C", "7C", "2D", "3D", "4D", "5D", "QS", "KS", "AS"]
    assert set(standing.pass_ideas(bare)[0].cards) == {"QS", "KS", "AS"}
    guarded = ["AC", "KC", "QC", "AD", "KD", "QD", "AH", "2S", "3S", "4S", "5S", "QS", "7C"]
    assert not {"QS", "2S"} & set(standing.pass_ideas(guarded)[0].cards)


def test_a_bot_does_not_end_a_game_it_would_lose() -> None:
    options = HeartsOptions(moon="shooter_chooses")
    match = last_card(points=[22, 0, 0, 0], scores=[20, 90, 26, 70], options=options)
    match.act(3, Play("2H"))
    assert choose(match, 0, 2) == Choose("self")


def test_a_greedy_bot_loses_fewer_points_than_random_ones() -> None:
    lost = [0.0, 0.0]
    for seed in range(round(5 * DEPTH)):
        match = start(seed=100 + seed)
        clever = seed % 4
        while match.state.hand_number <= 4 and match.outcome is None:
            seat = min(match.pending())
            match.act(seat, choose(match, seat, 2 if seat == clever else 1))
        for seat, score in enumerate(match.state.scores):
            lost[seat != clever] += (100 - score) / (1 if seat == clever else 3)
    assert lost[0] < lost[1] * 0.6, f"greedy {lost[0]}, random {lost[1]}"


def test_a_state_goes_through_json() -> None:
    match = start(seed=3)
    play_until(match, lambda state: state.hand_number == 2 and len(state.won) == 8, 7)
    again = msgspec.json.decode(msgspec.json.encode(match.state), type=HeartsState)
    assert again == match.state
