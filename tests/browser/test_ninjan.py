"""Ninjan on the table page: cards chosen in secret, piles claimed, by pointer, finger, keyboard and drag."""

import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, Page, expect

from tests.browser.tables import (
    NARROW,
    WIDE,
    WISHED_AFTER,
    Person,
    change_table,
    no_violations,
    tab_to,
    walk_hand,
)
from tests.chromium import let_wait
from tests.site import Site, becomes

Come = Callable[..., Person]

# the last two rounds of two players; in the eighth seat 0 may claim pile 1 or 2, seat 1 lays its card
EIGHTH = {
    "hands": [["r1", "r8"], ["p-2", "s5"]],
    "piles": [["s3"], ["p4", "s9"], ["p10"]],
    "captured": [["r2"], ["p3", "r-4"]],
    "round": 8,
    "gains": [[0, 0]] * 7,
}


def lay_out(site: Site, people: list[Person], **fields: object) -> None:
    """Go on from another position of the same table."""
    code = f"snapshot = json.loads(table.snapshot)\nsnapshot['state'].update(json.loads({json.dumps(json.dumps(fields))}))\n"
    code += f"snapshot['keys'] = dict.fromkeys(snapshot['keys'], 'select_card:{fields['round']}')\n"
    change_table(
        site, people[0].table, code + "table.snapshot = json.dumps(snapshot)\ntable.save()\n"
    )
    for person in people:
        person.page.reload()
        person.see_table()


def hand_of(person: Person) -> list[str]:
    found: list[str] = person.page.locator(".hand [data-key]").evaluate_all(
        "cards => cards.map(card => card.dataset.key)"
    )
    return found


def pile(person: Person, number: int) -> Locator:
    return person.page.locator(f"[data-key='pile:{number - 1}']")


def drag(person: Person, piece: Locator, to: Locator) -> None:
    for place, move in ((piece, "down"), (to, "up")):
        box = place.bounding_box()
        assert box is not None
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        person.page.mouse.move(x, y, steps=4)
        getattr(person.page.mouse, move)()


def test_two_people_choose_claim_and_come_to_the_result(
    come: Come, site: Site, shots: Path
) -> None:
    ada = come(reduced_motion="reduce")
    bob = come(reduced_motion="reduce", viewport=NARROW, has_touch=True, is_mobile=True)
    bob.join(ada.open_table("ninjan", "live-5"))
    for person in (ada, bob):
        person.see_table()
    first, second = (ada, bob) if ada.payload()["you"] == 0 else (bob, ada)

    # a pile before its time; then a card by pointer, which is taken back
    pile(first, 1).click(force=True)
    first.says("Not allowed: piles are claimed once everybody has chosen a card.")
    card = hand_of(first)[0]
    first.page.locator(f".hand [data-key='{card}']").click()
    second.until("p.view.has_selected[0]")
    expect(second.page.locator(".others .back")).to_have_count(1)
    assert second.payload()["view"]["selected"] is None
    first.page.locator(".hand .card").last.click(force=True)
    first.says("Take it back to choose another card.")
    first.page.get_by_role("button", name="Take back").click()
    first.until("p.moves !== null")
    expect(second.page.locator(".others .back")).to_have_count(0)

    # near the end of the game: a card by keyboard
    lay_out(site, [ada, bob], **EIGHTH)
    tab_to(first, lambda key: key in ("r1", "r8"))
    walk_hand(first, "r8")
    first.page.keyboard.press("Enter")
    first.until("p.view.selected === 'r8'")
    expect(first.page.locator(".hand [data-key=r8]")).to_have_attribute("aria-pressed", "true")
    second.page.locator(".hand [data-key=s5]").click()
    first.until("p.view.phase === 'resolve'")

    # the order of claims; what is forbidden says why; a pile by keyboard
    order = first.page.locator(".claims li")
    expect(order).to_have_count(2)
    expect(order.first).to_have_attribute("aria-current", "step")
    first.says("Your turn: claim a pile with rock 8.")
    second.says("Waiting for")
    pile(second, 3).click(force=True)
    second.says("it is not your turn")
    expect(first.page.locator(".pile.on")).to_have_count(2)
    pile(first, 3).click(force=True)
    first.says("Not allowed: your rock must claim a pile with scissors on top.")
    label = pile(first, 2).get_attribute("aria-label")
    assert label == (
        "Pile 2: paper 4 and scissors 9 on top, 13 points, rock claims it, can be claimed"
    )
    for person in (ada, bob):
        shoot(person, shots, "claim")
        no_violations(person, "claiming, light")
        person.page.emulate_media(color_scheme="dark")
        no_violations(person, "claiming, dark")
        person.page.emulate_media(color_scheme="light")
    tab_to(first, lambda key: key.startswith("pile:"))
    first.page.keyboard.press("Home")
    first.page.keyboard.press("ArrowRight")
    first.has_focus("pile:1")
    first.page.keyboard.press("Space")

    # scissors 5 claims paper 10 by itself, and the last cards are shown in the same step
    first.until("p.view.round === 9 && p.view.phase === 'resolve'")
    assert first.payload()["view"]["gains"][7] == [13, 10]
    expect(order.first).to_contain_text("now")
    first.mood("turn")
    pile(first, 1).click()
    second.says("Your turn: claim a pile with paper −2.")
    pile(second, 2).click()
    for person in (ada, bob):
        person.mood("done")
        expect(person.page.locator(".sheet tbody tr")).to_have_count(2)
        shoot(person, shots, "result")
    first.page.get_by_role("button", name="Look back").click()
    first.mood("past")
    expect(first.page.locator(".plate")).to_have_count(2)
    for person in (ada, bob):
        overflow = person.page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert overflow <= 0


def shoot(person: Person, shots: Path, name: str) -> None:
    size = "wide" if person.page.viewport_size == WIDE else "narrow"
    person.shoot(shots / f"table-ninjan-{name}-{size}.png")


def test_a_whole_game_against_a_bot_by_finger(come: Come, shots: Path) -> None:
    person = come(reduced_motion="reduce", viewport=NARROW, has_touch=True, is_mobile=True)
    person.post("/tables/new/", game="ninjan", players="2", fill="1", pace="live-5")
    person.see_table()
    page = person.page
    person.until("p.moves !== null")
    shoot(person, shots, "start")
    for part in (".hand", ".actions"):
        box = page.locator(part).bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= NARROW["height"], part
    small = page.locator(".hand .card, .pile, .actions button").evaluate_all(
        "nodes => nodes.filter(n => n.getBoundingClientRect().height < 40 || n.getBoundingClientRect().width < 40).length"
    )
    assert small == 0
    middle = False
    while True:
        person.until("(p.moves !== null && p.moves.items.length > 0) || p.status !== 'playing'")
        payload = person.payload()
        if payload["status"] != "playing":
            break
        view = payload["view"]
        if view["phase"] == "select_card":
            if view["round"] == 5 and not middle:
                middle = True
                shoot(person, shots, "middle")
            page.locator(".hand .card.on").last.tap()
            person.until(
                f"p.view.selected !== null || p.view.round > {view['round']} || p.view.phase !== 'select_card'"
            )
        else:
            page.locator(".pile.on").first.tap()
            person.until_taken(payload["ply"])
    person.mood("done")
    expect(page.locator(".sheet tbody tr")).to_have_count(2)
    assert len(person.payload()["view"]["gains"]) == 9
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def test_cards_and_piles_by_drag_and_the_hand_in_another_order(
    come: Come, site: Site, shots: Path
) -> None:
    ada, bob = come(reduced_motion="reduce"), come(reduced_motion="reduce")
    bob.join(ada.open_table("ninjan", "live-5"))
    for person in (ada, bob):
        person.see_table()
    first, second = (ada, bob) if ada.payload()["you"] == 0 else (bob, ada)
    lay_out(site, [ada, bob], **EIGHTH | {"hands": [["s-1", "r1", "r8"], ["p-2", "r4", "s5"]]})
    card = {name: first.page.locator(f".hand [data-key='{name}']") for name in ("s-1", "r1", "r8")}

    drag(first, card["r8"], card["s-1"])
    becomes(lambda: sorted(hand_of(first)[:2]), ["r8", "s-1"])
    card["r1"].focus()
    first.page.keyboard.press("Shift+ArrowLeft")
    becomes(lambda: hand_of(first).index("r1"), 1)
    first.page.get_by_role("button", name="Sort by suit").click()
    becomes(lambda: hand_of(first), ["r1", "r8", "s-1"])
    first.page.get_by_role("button", name="Sort by value").click()
    becomes(lambda: hand_of(first), ["s-1", "r1", "r8"])

    drag(first, card["r8"], first.page.locator(".own .plate"))
    first.until("p.view.selected === 'r8'")
    drag(second, second.page.locator(".hand [data-key='s5']"), second.page.locator(".own .plate"))
    first.until("p.view.phase === 'resolve' && p.moves !== null")
    waiting = first.page.locator(".claims [data-drag]")
    expect(waiting).to_have_count(1)
    drag(first, waiting, pile(first, 3))  # takes nothing: it stays
    expect(waiting).to_have_count(1)
    drag(first, waiting, pile(first, 2))
    first.until("p.view.gains.length === 8")
    assert first.payload()["view"]["captured"][0] == ["r2", "p4", "s9"]
    expect(first.page.locator(".own .won .fresh")).to_have_count(2)

    # somebody who looks on sees the table, no hand and no selected card
    onlooker = come()
    onlooker.page.goto(first.page.url)
    onlooker.see_table()
    expect(onlooker.page.locator(".others .plate")).to_have_count(2)
    expect(onlooker.page.locator(".hand")).to_have_count(0)
    onlooker.shoot(shots / "table-ninjan-onlooker.png")


def test_the_best_pile_is_claimed_for_who_wishes_so(come: Come, site: Site) -> None:
    ada, bob = come(reduced_motion="reduce"), come(reduced_motion="reduce")
    bob.join(ada.open_table("ninjan", "live-15"))
    for person in (ada, bob):
        person.see_table()
    first, second = (ada, bob) if ada.payload()["you"] == 0 else (bob, ada)
    first.page.get_by_role("button", name="Table and display").click()
    first.page.get_by_label("Claim the best pile by itself").check()
    first.page.get_by_role("button", name="Close").click()
    lay_out(site, [ada, bob], **EIGHTH)
    second.page.locator(".hand [data-key=s5]").click()
    first.page.locator(".hand [data-key=r8]").click()

    # one of two in the eighth round, and again with the last card; who wishes nothing is asked
    second.until("p.view.gains.length === 8 && p.view.resolved === 1 && p.moves !== null")
    assert second.payload()["view"]["captured"][0] == ["r2", "p4", "s9", "s5"]
    second.says("Your turn: claim a pile with paper −2.")


# another deal: rock −2 of seat 1 takes scissors 5; then paper −3 of seat 0 may take any pile, of −2, −5 and 7 points
DEAL = """
import msgspec
from games.engine import Match, get_game, read_options
game = get_game("ninjan")
table.seed = bytes(31) + bytes([1])
match = Match.start(game, 2, read_options(game.options_type, table.options), table.seed)
table.snapshot = msgspec.json.encode(match.snapshot()).decode()
table.save()
"""
LONGER_THAN_A_WISH = "() => new Promise((past) => setTimeout(past, 400))"


def wish(page: Page, title: str) -> None:
    page.get_by_role("button", name="Table and display").click()
    page.get_by_label(title).check()
    page.get_by_role("button", name="Close").click()


def test_a_wish_leaves_alone_what_is_chosen_from_the_list_and_what_was_taken_back(
    come: Come, site: Site
) -> None:
    ada, bob = come(reduced_motion="reduce"), come(reduced_motion="reduce")
    for person in (ada, bob):
        let_wait(person.context, WISHED_AFTER, 100)
    bob.join(ada.open_table("ninjan", "live-15"))
    for person in (ada, bob):
        person.see_table()
    first, second = (ada, bob) if ada.payload()["you"] == 0 else (bob, ada)
    change_table(site, ada.table, DEAL)
    for person in (ada, bob):
        person.page.reload()
        person.see_table()
    second.page.locator(".hand [data-key=r-2]").click()
    first.page.locator(".hand [data-key=p-3]").click()
    first.until("p.view.resolved === 1 && p.moves !== null")

    # another pile is chosen and waits for its confirmation
    wish(first.page, "Confirm each move")
    first.page.locator("details.moves summary").click()
    first.page.get_by_role("button", name="Claim pile 1").click()
    wish(first.page, "Claim the best pile by itself")
    first.page.evaluate(LONGER_THAN_A_WISH)
    expect(first.page.locator(".bar [data-key=main]")).to_contain_text("Claim pile 1")
    assert first.payload()["view"]["resolved"] == 1
    first.page.get_by_role("button", name="Put back").click()
    first.until("p.view.gains.length === 1")
    assert first.payload()["view"]["gains"] == [[7, 5]]

    # taken back, it stays with its player: here, after a reload, and in another tab
    other = first.context.new_page()
    other.goto(first.page.url)
    other.wait_for_selector(".bar [data-key=undo]")
    first.page.get_by_role("button", name="Take back").click()
    for page in (first.page, other):
        expect(page.locator(".status")).to_contain_text("Your turn: claim a pile with paper −3.")
    first.page.reload()
    first.says("Your turn: claim a pile with paper −3.")
    first.see_table()
    for page in (first.page, other):
        page.evaluate(LONGER_THAN_A_WISH)
    pile(first, 1).click()
    first.page.get_by_role("button", name="Claim pile 1").click()
    second.until("p.view.gains.length === 1")
    assert second.payload()["view"]["gains"] == [[-2, 5]]
