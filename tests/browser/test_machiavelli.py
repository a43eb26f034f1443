"""Machiavelli on its board: built by mouse, by finger and by key; kept, refused, played to its end."""

import json
import random
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from games.library.machiavelli import groups
from games.library.machiavelli.material import IN_ORDER, KIND, packs
from tests.browser.tables import NARROW, Person, change_table, no_violations, tab_to
from tests.site import Site

Come = Callable[..., Person]

TABLE = (
    "3C 4C 5C 6C/QH QD QS/7D 8D 9D 10D JD/5D 5H 5S/AS 2S 3S/9H 10H JH QH KH/KC KD KS/2C 2D 2H 2S"
    "/6S 7S 8S/10C JC QC KC/10D 10S 10H"
)
HAND = "AC 5C 7C 8C 9C KD 3D 4D 8D AH 4H 4S 9S JS QC"
OTHER = "3H 6H 7H 8H 9H 2D"


def lay_out(
    site: Site,
    person: Person,
    table: str,
    hand: str,
    other: str,
    stock: str = "3D 4D 6D",
    **more: Any,
) -> None:
    """Lay these cards before ``person``, whose turn it then is; the others hold ``other``."""
    copies: Counter[str] = Counter()

    def cards(text: str) -> list[str]:
        copies.update(dict.fromkeys(text.split(), 0))
        found = []
        for kind in text.split():
            copies[kind] += 1
            found.append(f"{kind}.{copies[kind]}")
        return found

    groups = [cards(group) for group in table.split("/") if group]
    you, seats = person.payload()["you"], len(person.payload()["seats"])
    hands: list[list[str]] = [[] for _ in range(seats)]
    hands[you] = sorted(cards(hand), key=IN_ORDER.__getitem__)
    for seat in range(seats):
        if seat != you:
            hands[seat] = sorted(cards(other), key=IN_ORDER.__getitem__)
    state = {"table": groups, "hands": hands, "stock": cards(stock), "turn": you, **more}
    state["drawn"] = [None] * seats
    change_table(
        site,
        person.table,
        f"data = json.loads(table.snapshot)\ndata['state'].update(json.loads({json.dumps(state)!r}))\n"
        "table.snapshot = json.dumps(data)\ntable.save()\n",
    )


def see(person: Person) -> None:
    person.page.reload()
    person.see_table()
    person.page.wait_for_selector(".own")


def card(person: Person, name: str) -> Locator:
    return person.page.locator(f'button[data-key="{name}"]')


def group_of(person: Person, name: str) -> Locator:
    return person.page.locator(f'.group:has([data-key="{name}"])')


def bar(person: Person, name: str) -> Locator:
    return person.page.locator(".bar").get_by_role("button", name=name, exact=True)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person: Person, piece: Locator, to: Locator) -> None:
    drag_to(person, piece, *middle(to))


def drag_to(person: Person, piece: Locator, x: float, y: float) -> None:
    mouse = person.page.mouse
    mouse.move(*middle(piece))
    mouse.down()
    mouse.move(x, y, steps=4)
    mouse.up()


def against_a_bot(come: Come, **context: Any) -> Person:
    person = come(reduced_motion="reduce", **context)
    person.play_now("machiavelli")
    person.until("p.moves !== null")
    person.page.wait_for_selector(".own")
    return person


def test_a_table_is_built_by_mouse_and_kept_over_a_reload(
    come: Come, site: Site, shots: Path
) -> None:
    person = against_a_bot(come)
    person.shoot(shots / "machiavelli-start-wide.png")
    no_violations(person, "an empty table")
    lay_out(site, person, TABLE, HAND, OTHER, turn_number=31)
    see(person)

    # a click chooses, one in another group places; a drag does both, to bare felt too; a group says what it lacks
    expect(bar(person, "Play")).to_have_attribute("aria-disabled", "true")
    bar(person, "Hint").click()
    person.says("Hint: 13 of your cards can be played now")
    card(person, "7C.1").click()
    expect(card(person, "7C.1")).to_have_attribute("aria-pressed", "true")
    card(person, "4C.1").click()
    expect(group_of(person, "3C.1")).to_have_attribute("aria-label", "Run of clubs, 3 to 7")
    expect(bar(person, "Play 1 card")).not_to_have_attribute("aria-disabled", "true")
    drag(person, card(person, "10C.1"), card(person, "10S.1"))
    felt = person.page.locator(".groups").bounding_box()
    assert felt is not None
    drag_to(
        person, card(person, "QC.2"), felt["x"] + felt["width"] - 9, felt["y"] + felt["height"] - 9
    )
    drag(person, card(person, "JC.1"), card(person, "QC.2"))
    expect(group_of(person, "QC.2").locator(".why")).to_have_text("needs a third card")
    expect(bar(person, "Play 2 cards")).to_have_attribute("aria-disabled", "true")
    expect(person.page.locator(".hint")).to_have_text("2 of 13 cards placed, 2 groups unfinished.")
    person.shoot(shots / "machiavelli-draft-wide.png")
    no_violations(person, "a draft")
    person.page.emulate_media(color_scheme="dark")
    person.shoot(shots / "machiavelli-draft-wide-dark.png")
    no_violations(person, "a draft in the dark")
    person.page.emulate_media(color_scheme="light")

    # it outlives a reload and what somebody says; a card of the table never goes to a hand
    see(person)
    expect(group_of(person, "QC.2").locator(".card")).to_have_count(2)
    person.page.keyboard.press("c")
    person.page.keyboard.type("one moment")
    person.page.keyboard.press("Enter")
    expect(person.page.locator(".chat")).to_contain_text("one moment")
    expect(group_of(person, "QC.2").locator(".card")).to_have_count(2)
    drag(person, card(person, "JC.1"), person.page.locator(".hand"))
    expect(group_of(person, "QC.2").locator(".card")).to_have_count(2)
    drag(person, card(person, "QC.2"), person.page.locator(".hand"))
    expect(person.page.locator('.hand [data-key="QC.2"]')).to_have_count(1)

    # step back, start over, and back from that too; drawing asks before a draft is lost
    bar(person, "Step back").click()
    expect(group_of(person, "QC.2").locator(".card")).to_have_count(2)
    bar(person, "Start over").click()
    expect(person.page.locator(".card.new, .card.moved")).to_have_count(0)
    bar(person, "Step back").click()
    expect(person.page.locator(".card.new")).to_have_count(2)
    bar(person, "Draw").click()
    bar(person, "Keep building").click()
    for _ in range(3):
        bar(person, "Step back").click()
    bar(person, "Play 1 card").click()
    person.until("p.view.turn_number > 31 && p.view.table[0].length === 5")
    person.until("p.moves !== null")
    bar(person, "Draw").click()
    person.until("p.log.length > 0 && p.view.hand.length > 14")


def test_a_table_is_built_by_thumb_on_a_phone(come: Come, site: Site, shots: Path) -> None:
    person = against_a_bot(come, viewport=NARROW, has_touch=True, is_mobile=True)
    person.shoot(shots / "machiavelli-start-narrow.png")
    lay_out(site, person, TABLE, HAND, OTHER, turn_number=31)
    see(person)
    page = person.page
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    card(person, "QC.1").tap()
    page.locator(".drop").tap()
    for name in ("QC.2", "KD.2"):  # a card of one's own goes there, and another back to the hand
        card(person, name).tap()
    card(person, "QC.1").tap()
    person.shoot(shots / "machiavelli-draft-narrow.png")
    card(person, "KD.2").tap()
    page.locator("[data-key=hand-back]").tap()
    expect(page.locator('.hand [data-key="KD.2"]')).to_have_count(1)
    expect(group_of(person, "QC.2").locator(".why")).to_have_text("needs a third card")
    no_violations(person, "a draft on a phone")
    page.get_by_role("button", name="by rank").tap()
    ranks = ["A", "A", "3", "4", "4", "4", "5", "7", "8", "8", "9", "9", "J", "K"]
    expect(page.locator(".hand .rank")).to_have_text(ranks)

    # another page of the same person draws: this one says what became of its draft
    second = person.context.new_page()
    second.goto(page.url)
    second.locator(".bar").get_by_role("button", name="Draw", exact=True).tap()
    person.says("was put back, since the game has gone on")
    expect(page.locator(".card.new, .group.bad")).to_have_count(0)


FULL = (
    "AC 2C 3C 4C 5C 6C 7C 8C 9C 10C JC QC KC/AD 2D 3D 4D 5D 6D 7D 8D 9D/AH 2H 3H 4H 5H/6H 7H 8H/10H JH QH KH"
    "/AS 2S 3S/4S 5S 6S 7S/8S 8H 8D/9S 9H 9D 9C/10S 10D 10C/JS JD JH/QS QD QH QC/KS KD KH/AC AD AH/2C 2D 2H 2S"
    "/3C 3D 3H/4C 4D 4H/5C 5D 5H/6C 6D 6S/7C 7D 7H"
)
COVERED = """() => [...document.querySelectorAll(".groups .group")].flatMap((group) => {
  const lefts = [...group.querySelectorAll(".card")].map((card) => card.getBoundingClientRect().left);
  return lefts.slice(1).map((left, n) => left - lefts[n]);
})"""
RIGHTMOST = """() => Math.max(...[...document.querySelectorAll(".groups .group")].map(
  (group) => group.getBoundingClientRect().right))"""


def test_a_thumb_finds_each_card_of_a_full_table(come: Come, site: Site, shots: Path) -> None:
    person = against_a_bot(come, viewport=NARROW, has_touch=True, is_mobile=True)
    lay_out(site, person, FULL, "KC KD 3S 5S JC QS 10H 8C AS", "9S 9H JS", "10S 7S", turn_number=61)
    see(person)
    page = person.page
    assert min(page.evaluate(COVERED)) >= 23.9  # px of each card that is covered by the next
    hand = page.locator(".hand .card").evaluate_all(
        "cards => cards.map((card) => card.getBoundingClientRect().top)"
    )
    assert len(set(hand)) == 1  # nine cards in one row
    person.shoot(shots / "machiavelli-full-narrow.png")

    # on the narrowest phone the longest run stays on the felt
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert page.evaluate(RIGHTMOST) < 305
    assert min(page.evaluate(COVERED)) > 19


def test_the_hand_stays_in_reach_of_a_long_table(come: Come, site: Site, shots: Path) -> None:
    """141 cards on a table that is longer than the window."""
    person = against_a_bot(come)
    lay_out(site, person, f"{FULL}/{FULL[: FULL.index('/KS')]}", "JC 9S", "", turn_number=181)
    see(person)
    own = person.page.locator(".own").bounding_box()
    assert own is not None
    assert own["y"] + own["height"] <= 800
    drag(person, card(person, "JC.3"), card(person, "JS.1"))
    expect(group_of(person, "JS.1").locator(".new")).to_have_count(1)
    person.shoot(shots / "machiavelli-long-wide.png")


def test_the_last_card_is_laid_by_keyboard_while_another_looks(
    come: Come, site: Site, shots: Path
) -> None:
    ada, bob = come(reduced_motion="reduce"), come(reduced_motion="reduce")
    bob.join(ada.open_table("machiavelli", "live-15"))
    for person in (ada, bob):
        person.see_table()
    mover, other = (ada, bob) if ada.payload()["moves"] else (bob, ada)
    lay_out(site, mover, "5C 5D 5H 5S/6C 7C 8C", "4C", "2D 9S", turn_number=21)
    for person in (mover, other):
        see(person)

    # not one's turn: told so, nothing moves
    card(other, "5C.1").click(force=True)
    other.says("it is not your turn")

    # from the hand to a new group, a card of the set beside it, then the run: all by keys
    keys = mover.page.keyboard
    tab_to(mover, lambda key: key == "4C.1")
    keys.press("Enter")
    mover.page.locator('[data-key="6C.1"]').focus()
    keys.press("Enter")
    expect(group_of(mover, "4C.1").locator(".why")).to_have_text("has a gap")
    mover.page.locator('[data-key="5C.1"]').focus()
    keys.press("Enter")
    keys.press("ArrowRight")
    mover.has_focus("5D.1")
    for _ in range(4):
        keys.press("ArrowRight")
    keys.press("Enter")
    expect(group_of(mover, "4C.1")).to_have_attribute("aria-label", "Run of clubs, 4 to 8")
    expect(bar(mover, "Play 1 card")).not_to_have_attribute("aria-disabled", "true")
    keys.press("1")
    for person in (mover, other):
        person.until("p.status === 'finished'")
        person.says("has no cards left")
    mover.shoot(shots / "machiavelli-end-wide.png")
    other.page.set_viewport_size(NARROW)
    other.shoot(shots / "machiavelli-end-narrow.png")

    # looking back, with everything open
    mover.page.get_by_role("button", name="Look back").click()
    mover.page.wait_for_selector(".machiavelli")
    expect(mover.page.locator(".machiavelli .open")).to_have_count(1)
    mover.shoot(shots / "machiavelli-past-wide.png")


def test_a_move_of_the_list_asks_before_it_loses_a_draft(come: Come, site: Site) -> None:
    person = against_a_bot(come)
    lay_out(site, person, "5C 5D 5H", "5S 9C 2D", "3H 6H", turn_number=21)
    see(person)
    listed = person.page.locator(".move-list button", has_text="Play")

    # where nothing is built, it acts at once; a draft is asked for first, and can be kept
    card(person, "9C.1").click()
    person.page.locator(".drop").click()
    person.page.locator("details.moves summary").click()
    listed.click()
    expect(person.page.locator(".hint")).to_have_text("Then your draft goes back.")
    bar(person, "Keep building").click()
    expect(card(person, "9C.1")).to_have_class("card new")
    assert person.read("p.view.turn_number") == 21
    listed.click()
    bar(person, "Play 5♠").click()
    person.until("p.view.turn_number > 21 && p.view.table[0].length === 4")


def test_what_is_taken_up_binds_where_somebody_wishes_so(come: Come, site: Site) -> None:
    person = against_a_bot(come)
    lay_out(site, person, "5C 5D 5H 5S/6C 7C 8C", "4C 9C 2D", "3H 6H", turn_number=21)
    see(person)
    page = person.page
    page.get_by_role("button", name="Table and display").click()
    page.get_by_label("What is taken up must be played").check()
    page.get_by_role("button", name="Close").click()

    # a card of one's own comes back; one of the table binds, also after a reload and put back by hand
    for name, where in (("9C.1", "8C.1"), ("5C.1", "6C.1")):
        expect(bar(person, "Step back")).to_have_attribute("aria-disabled", "true")
        card(person, name).click()
        card(person, where).click()
        if name == "9C.1":
            bar(person, "Start over").click()
            bar(person, "Step back").click()
            expect(card(person, "9C.1")).to_have_class("card new")
            bar(person, "Step back").click()
    see(person)
    expect(group_of(person, "6C.1").locator(".card")).to_have_count(4)
    for name in ("Step back", "Start over"):
        expect(bar(person, name)).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Escape")
    page.keyboard.press("Control+z")
    expect(page.locator(".hint")).to_contain_text("Cards of the table are taken up.")
    card(person, "5C.1").click()
    card(person, "5D.1").click()
    expect(bar(person, "Step back")).to_have_attribute("aria-disabled", "true")

    # the wish ends where it is unticked: one may step back again
    page.get_by_role("button", name="Table and display").click()
    page.get_by_label("What is taken up must be played").uncheck()
    page.get_by_role("button", name="Close").click()
    bar(person, "Step back").click()
    expect(group_of(person, "6C.1").locator(".card")).to_have_count(4)


SAID = {  # what the board says of a group, and what the server says of it
    None: None,
    "needs two more": groups.TWO_MORE,
    "needs a third card": groups.ONE_MORE,
    "the same card twice": groups.TWICE,
    "neither set nor run": groups.MIXED,
    "has a gap": groups.GAP,
    "aces are low here": groups.ACE_ABOVE,
    "joins king, ace and two": groups.AROUND,
}


def test_the_board_judges_groups_as_the_rules_do(come: Come, site: Site) -> None:
    person = come()
    person.page.goto(f"{site.url}/about/")
    cases = [
        (cards, mode) for cards in many_groups() for mode in ("low", "low_or_high", "both_ends")
    ]
    board = person.page.evaluate(
        """async (cases) => {
          const board = await import("/static/games/machiavelli/board.js");
          return cases.map(([cards, aces]) => [board.faultOf(cards, aces), board.arranged(cards)]);
        }""",
        cases,
    )
    found = Counter()
    for (cards, mode), (fault, laid) in zip(cases, board, strict=True):
        assert SAID[fault] == groups.fault(cards, mode), (cards, mode)
        found[fault] += 1
        if fault is None:
            assert [KIND[card] for card in laid] == [KIND[card] for card in groups.arranged(cards)]
    assert min(found[fault] for fault in SAID) > 20


def many_groups() -> list[list[str]]:
    """Cards of one suit in a row, around the corner too, and of one rank; whole, or with cards left out,
    doubled or exchanged."""
    dice, all_cards = random.Random(5), packs(2)
    suits = {suit: [card for card in all_cards if card.endswith(f"{suit}.1")] for suit in "CDHS"}
    found = []
    for _ in range(1500):
        suit = dice.choice("CDHS")
        low, length = dice.randrange(13), dice.randint(1, 14)
        row = [suits[suit][(low + step) % 13] for step in range(length)]
        if dice.random() < 0.3:
            row = [suits[other][low] for other in dice.sample("CDHS", dice.randint(1, 4))]
        if length == 14:
            row[-1] = row[-1].replace(".1", ".2")
        change = dice.random()
        if change < 0.2 and len(row) > 1:
            row.remove(dice.choice(row))
        elif change < 0.3:
            row.append(dice.choice(row).replace(".1", ".2"))
        elif change < 0.4:
            row.append(dice.choice(all_cards))
        row = list(dict.fromkeys(row))
        dice.shuffle(row)
        found.append(row)
    return found
