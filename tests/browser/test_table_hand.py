"""One's own hand: put in order and played by drag, by finger and by key; what was prepared outlives a reload."""

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Locator, expect

from tests.browser.tables import NARROW, Person
from tests.site import becomes

Come = Callable[..., Person]


def hand(person: Person) -> list[str]:
    person.page.wait_for_selector(".hand [data-key]")
    found: list[str] = person.page.locator(".hand [data-key]").evaluate_all(
        "cards => cards.map(card => card.dataset.key)"
    )
    return found


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person: Person, piece: Locator, to: tuple[float, float], *, drop: bool = True) -> None:
    mouse = person.page.mouse
    mouse.move(*middle(piece))
    mouse.down()
    mouse.move(*to, steps=6)
    if drop:
        mouse.up()


def test_a_hand_is_put_in_order_and_keeps_it(come: Come, shots: Path) -> None:
    person = come(reduced_motion="reduce")
    person.play_now("hearts")
    page = person.page
    person.until_bots_have_passed()  # so that nothing is drawn anew
    cards = page.locator(".hand .card")
    before = hand(person)

    # by drag, before another card and to the end; Escape puts it back; a click is still a click
    x, y = middle(cards.nth(4))
    drag(person, cards.nth(0), (x - 20, y), drop=False)
    person.shoot(shots / "table-hand-drag.png")
    page.evaluate("document.querySelector('parlour-table').page.draw()")  # as when somebody moves
    page.mouse.move(x - 21, y)
    expect(page.locator(".hand .dragged")).to_have_count(1)
    page.mouse.up()
    moved = [*before[1:4], before[0], *before[4:]]
    becomes(lambda: hand(person), moved)
    drag(person, cards.nth(0), (x - 20, y), drop=False)
    page.keyboard.press("Escape")
    page.mouse.up()
    becomes(lambda: hand(person), moved)
    expect(page.locator(".hand .picked")).to_have_count(0)

    # by key: the card that has the focus moves and keeps it
    cards.nth(0).focus()
    page.keyboard.press("Shift+ArrowRight")
    moved = [moved[1], moved[0], *moved[2:]]
    becomes(lambda: hand(person), moved)
    person.has_focus(moved[1])
    page.reload()
    person.see_table()
    expect(cards).to_have_count(13)
    becomes(lambda: hand(person), moved)

    # into the tray: chosen to be passed; that outlives a reload; then a card is played by drag
    for place in range(3):
        drag(person, cards.nth(place), middle(page.locator(".pass-tray")))
    expect(page.locator(".hand .picked")).to_have_count(3)
    page.reload()
    person.see_table()
    expect(page.locator(".hand .picked")).to_have_count(3)
    page.get_by_role("button", name="Pass these three").click()
    person.until("p.view.phase === 'play' && p.moves !== null")
    left = person.read("p.view.hand.length")
    drag(person, page.locator(".hand .card.on").first, middle(page.locator(".trick")))
    person.until(f"p.view.hand.length < {left}")


def test_a_finger_that_rests_drags_and_one_that_moves_scrolls(come: Come) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True)
    person.play_now("hearts")
    page = person.page
    person.until_bots_have_passed()  # so that nothing is drawn anew
    cards = page.locator(".hand .card")
    before = hand(person)
    touch = person.context.new_cdp_session(page)

    def finger(kind: str, *points: tuple[float, float]) -> None:
        touch.send(
            "Input.dispatchTouchEvent",
            {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]},
        )

    start, (x, y) = middle(cards.nth(0)), middle(cards.nth(3))
    finger("touchStart", start)
    page.wait_for_selector(".hand .dragged")
    finger("touchMove", (start[0] + 10, start[1]))
    finger("touchMove", (x - 12, y))
    finger("touchEnd")
    becomes(lambda: hand(person), [*before[1:3], before[0], *before[3:]])
    expect(page.locator(".hand .picked")).to_have_count(0)
    cards.nth(0).tap()
    expect(page.locator(".hand .picked")).to_have_count(1)
