"""Mate on its board: pointed at, led, refused, answered by key, by finger and by the free move; to its end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator, expect

from games.library.mate.material import CARDS, PLACE
from tests.browser.tables import NARROW, Person, change_table, no_violations, tab_to, walk_hand
from tests.site import Site, becomes

Come = Callable[..., Person]


def lay_out(site: Site, person: Person, own: str, other: str, **more: Any) -> None:
    """``person`` leads, or is to answer ``led``; the other player holds ``other``."""
    you = person.payload()["you"]
    hands = [sorted(hand.split(), key=PLACE.__getitem__) for hand in (own, other)]
    leads = "led" not in more  # else the other player led that card
    state = {
        "hands": hands if you == 0 else hands[::-1],
        "leader": you if leads else 1 - you,
        "phase": "lead" if leads else "follow",
        "led": None,
        "tricks": [],
        **more,
    }
    change_table(
        site,
        person.table,
        f"data = json.loads(table.snapshot)\ndata['state'].update(json.loads({json.dumps(state)!r}))\n"
        f"data['keys'] = {{'{you}': 'laid out'}}\n"
        "table.snapshot = json.dumps(data)\ntable.save()\n",
    )


def see(person: Person) -> None:
    person.page.reload()
    person.see_table()
    person.page.wait_for_selector(".mate .hand")


def card(person: Person, name: str) -> Locator:
    return person.page.locator(f'.hand [data-key="{name}"]')


def bar(person: Person, name: str) -> Locator:
    return person.page.locator(".bar").get_by_role("button", name=name, exact=True)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def answering(person: Person) -> list[str]:
    found: list[str] = person.page.locator(".theirs .may").evaluate_all(
        "cards => cards.map(card => card.dataset.key)"
    )
    return found


def test_a_hand_against_a_bot_with_the_mouse(come: Come, site: Site, shots: Path) -> None:
    person = come(reduced_motion="reduce")
    person.play_now("mate")
    page = person.page
    person.until("p.moves !== null")
    page.wait_for_selector(".mate .hand")
    person.shoot(shots / "mate-start-wide.png")

    # who leads sees what would answer the card pointed at, or that nothing does
    lay_out(site, person, "AC KC QS 7D", "10H KH 7S AS")
    see(person)
    caption = page.locator(".caption")
    card(person, "KC").hover()
    expect(caption).to_contain_text("can answer with")
    becomes(lambda: answering(person), ["KH"])
    card(person, "QS").hover()
    becomes(lambda: answering(person), ["AS", "7S"])
    no_violations(person, "a lead")
    page.emulate_media(color_scheme="dark")
    person.shoot(shots / "mate-lead-wide-dark.png")
    no_violations(person, "a lead in the dark")
    page.emulate_media(color_scheme="light")

    # one's own order by drag; a card is played by dragging it to the trick
    x, y = middle(card(person, "AC"))
    page.mouse.move(*middle(card(person, "7D")))
    page.mouse.down()
    page.mouse.move(x - 20, y, steps=4)
    page.mouse.up()
    expect(page.locator(".hand .card").first).to_have_attribute("data-key", "7D")
    ply = person.ply()
    page.mouse.move(*middle(card(person, "KC")))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(".trick")), steps=4)
    page.mouse.up()
    person.until(f"p.ply > {ply + 1} && p.moves !== null && p.view.trick_number === 2")
    expect(page.locator(".played li")).to_have_count(1)
    expect(caption).to_contain_text("You took trick 1.")
    person.shoot(shots / "mate-middle-wide.png")

    # a card that must not answer says why; a mate says what it was
    lay_out(site, person, "QC 7S 10D", "10C AH", led="7C")
    see(person)
    expect(caption).to_contain_text("Higher clubs would take the trick.")
    card(person, "7S").click(force=True)
    person.says("you must follow clubs")
    assert person.read("p.view.hands[p.you].length") == 3

    # what cannot take the trick is not said to: a lower card of the suit, a weaker suit
    lay_out(site, person, "7D AC", "AH", led="10D")
    see(person)
    expect(caption).to_have_text("You cannot take this trick.")
    lay_out(site, person, "KD 7S", "AH", led="KH")
    see(person)
    expect(caption).to_have_text("You cannot take this trick.")
    lay_out(site, person, "KS 10S QC", "AH", led="KC")
    see(person)
    expect(caption).to_have_text("You cannot take this trick.")
    lay_out(site, person, "KC 7D QC", "AH", led="KS")
    see(person)
    expect(caption).to_have_text("A king of a stronger suit would take the trick.")

    # what is told of a card at the start of a hand does not hide how the one before ended
    mate = {"seat": person.payload()["you"], "card": "KC", "trick": 4, "points": 16}
    lay_out(site, person, "AC KC", "10H KH", hand_number=2, results=[mate])
    see(person)
    for name, told in (("KC", "can answer with"), ("AC", "Mate: nothing answers")):
        card(person, name).hover()
        expect(caption).to_contain_text(told)
        expect(caption).to_contain_text("Hand 1: you scored 16.")


def test_two_people_play_to_the_end_by_key_and_by_finger(
    come: Come, site: Site, shots: Path
) -> None:
    ada = come(reduced_motion="reduce")
    bob = come(viewport=NARROW, has_touch=True, is_mobile=True)
    looker = come(reduced_motion="reduce")
    url = ada.open_table("mate", "live-15")
    bob.join(url)
    for person in (ada, bob):
        person.page.wait_for_selector(".mate .hand")
    looker.page.goto(url)
    looker.see_table()
    looker.page.wait_for_selector(".mate .ours")
    bob.shoot(shots / "mate-start-narrow.png")
    assert bob.page.evaluate("document.documentElement.scrollWidth") == 390

    # the third hand ends by a mate and the fourth begins with new cards, led by the first leader
    ten = [list(CARDS[:10]), list(CARDS[10:])]
    lay_out(
        site,
        ada,
        "KC 7D 7S",
        "AH QH 10H",
        hand_number=3,
        first=1 - ada.payload()["you"],
        dealt=ten,
        results=[None, None],
    )
    for person in (ada, bob):
        see(person)
    bob.page.locator(".hand .card").first.tap(force=True)
    bob.says("it is not your turn")
    tab_to(ada, lambda key: key in ("KC", "7D", "7S"))
    walk_hand(ada, "KC")
    expect(ada.page.locator(".caption")).to_contain_text("Mate: nothing answers")
    ada.page.keyboard.press("Enter")
    for person in (ada, bob, looker):
        person.until("p.view.hand_number === 4")
        expect(person.page.locator(".caption")).to_contain_text(
            "had neither clubs nor a king: 4 × 1 = 4. The cards are exchanged."
        )
        expect(person.page.locator(".tally tfoot")).to_contain_text("4")
    bob.shoot(shots / "mate-exchanged-narrow.png")
    looker.shoot(shots / "mate-spectator-wide.png")

    # the last trick of the match
    lay_out(site, bob, "AC", "7C", hand_number=4)
    for person in (ada, bob):
        see(person)
    bob.shoot(shots / "mate-end-narrow.png")
    no_violations(bob, "a phone")
    card(bob, "AC").tap()
    ada.until("p.moves !== null")
    expect(ada.page.locator(".hand .card.on")).to_have_count(1)
    expect(ada.page.locator(".caption")).to_have_text(
        "Hand 3: you scored 4. You cannot take this trick."
    )
    card(ada, "7C").click()
    for person in (ada, bob, looker):
        person.until("p.status === 'finished'")
        person.says("by 4 to 0.")
    ada.shoot(shots / "mate-result-wide.png")
    bob.shoot(shots / "mate-result-narrow.png")
    fits = "sheet => sheet.scrollWidth <= sheet.clientWidth"
    assert bob.page.locator(".sheet .scroll").evaluate(fits), "four hands do not fit a phone"
    name = bob.page.locator(".sheet .name").first.bounding_box()
    assert name is not None
    assert name["width"] > 60, "a name is broken into letters"
    ada.page.get_by_role("button", name="Look back").click()
    expect(ada.page.locator(".mate .caption")).to_contain_text("nobody scored")
    ada.shoot(shots / "mate-past-wide.png")


def test_the_free_move_is_never_used_by_one_click(come: Come, site: Site, shots: Path) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True)
    person.play_now("mate")
    person.until("p.moves !== null")
    lay_out(
        site,
        person,
        "7C KD QD",
        "AC AS",
        led="KC",
        options={"privilege": "suit", "free_move": True},
    )
    see(person)
    page = person.page
    expect(page.locator(".values .free")).to_have_text("Free move left")
    expect(card(person, "7C")).to_have_class("card on")
    expect(card(person, "KD")).to_have_class("card spare")
    expect(page.locator(".hint")).to_contain_text("A dashed one needs the free move.")
    card(person, "QD").tap(force=True)
    person.says("you must follow clubs")
    ply = person.ply()
    card(person, "KD").tap()
    expect(card(person, "KD")).to_have_attribute("aria-pressed", "true")
    person.shoot(shots / "mate-free-move-narrow.png")
    bar(person, "Put back").tap()
    expect(page.locator(".hand .picked")).to_have_count(0)
    assert person.ply() == ply
    card(person, "KD").tap()
    bar(person, "Free move: King of diamonds").tap()
    person.until(f"p.ply > {ply} && p.view.free_move === false")
    expect(page.locator(".values .free")).to_have_text("Free move used")
