"""Looking back: by click, key, slider, address and the browser's own buttons; never a dead end."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.browser.tables import NARROW, Person, no_violations
from tests.browser.test_table_play import WITHOUT_BOARD, choose_three, play_first_legal

Come = Callable[..., Person]


def play_hearts_to(person: Person, cards_left: int) -> None:
    choose_three(person)
    for left in range(13, cards_left, -1):
        person.until(f"p.moves !== null && p.view.hand.length === {left}")
        play_first_legal(person)
    person.until(f"p.moves !== null && p.view.hand.length === {cards_left}")


def row(person: Person, ply: int) -> Any:
    return person.page.locator(f".log [data-ply='{ply}']").last


def test_looking_back_shows_what_one_saw_and_leads_to_now(come: Come, shots: Path) -> None:
    person = come()
    person.play_now("hearts")
    play_hearts_to(person, 10)
    page, now = person.page, person.page.url
    last = person.ply()

    # a line of the log: its position, marked, told, in the address; nothing can be chosen there
    row(person, last - 2).click()
    person.mood("past")
    person.says(f"Looking back: after move {last - 2} of {last}.")
    person.says("It is your turn.")
    expect(page).to_have_url(f"{now}?ply={last - 2}")
    expect(row(person, last - 2)).to_have_attribute("aria-current", "step")
    cards = page.locator(".hand .card")
    count = cards.count()
    for _ in range(2):
        cards.first.click(force=True)
    assert person.ply() == last
    expect(page.get_by_role("button", name="One move back")).to_be_visible()
    expect(page.locator(".actions details")).to_have_count(0)
    person.shoot(shots / "table-past.png")

    # the keys of the log, the buttons, the slider
    page.keyboard.press("l")
    page.keyboard.press("ArrowLeft")
    person.says(f"after move {last - 3} of")
    page.keyboard.press("Home")
    person.says("at the beginning.")
    expect(page.locator(".hand .card")).to_have_count(13)
    page.keyboard.press("End")
    person.says(f"after move {last} of")
    page.get_by_role("button", name="One move back").click()
    person.says(f"after move {last - 1} of")
    page.get_by_role("slider", name="Move").press("ArrowLeft")
    person.says(f"after move {last - 2} of")
    expect(cards).to_have_count(count)

    # the browser's back button leads to now at once, and its forward button back there
    page.go_back()
    person.mood("turn")
    expect(page).to_have_url(now)
    page.go_forward()
    person.says(f"after move {last - 2} of")
    page.get_by_role("button", name="Now", exact=True).click()
    person.mood("turn")
    page.wait_for_url(now)

    # a link to a position; a reload stays there; Escape leaves
    page.goto(f"{now}?ply=5")
    person.says(f"Looking back: after move 5 of {last}.")
    page.reload()
    person.says(f"Looking back: after move 5 of {last}.")
    page.keyboard.press("Escape")
    person.mood("turn")
    expect(page).to_have_url(now)
    page.goto(f"{now}?ply=9999")
    person.says("Not shown: this table has moves 0 to")


def test_what_is_half_chosen_stays_and_the_board_does_not_jump(come: Come) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    person.until("p.moves !== null")
    page.locator(".block.can").first.click()
    page.keyboard.press("l")
    page.keyboard.press("ArrowLeft")
    person.mood("past")
    expect(page.locator(".block.picked")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page.locator(".block.picked")).to_have_count(1)
    ply = person.ply()
    page.keyboard.press("1")
    row(person, 0).click()
    person.says("at the beginning.")
    person.until(f"p.ply > {ply + 1} && p.moves !== null")  # the others went on meanwhile
    person.says("It is your turn.")
    expect(page.locator(".block")).to_have_count(81)
    page.locator(".status").get_by_role("button", name="Back to now").click()
    person.mood("turn")
    page.wait_for_function("document.querySelectorAll('.block').length < 81")


def test_what_was_taken_back_is_struck_and_can_be_seen(come: Come) -> None:
    person = come()
    bots = {"seat-1": "bot", "seat-2": "bot", "seat-3": "open"}
    person.post("/tables/new/", game="hearts", players="4", absence="zombie", **bots)
    come().join(person.page.url)
    person.see_table()
    choose_three(person)
    person.page.get_by_role("button", name="Take back").click()
    person.until("p.moves !== null")
    struck = person.page.locator(".log button:has(s)").first
    struck.click()
    person.says("It was taken back later.")
    expect(person.page.locator(".pass-tray .card")).to_have_count(3)


def test_a_slow_line_is_said_and_a_broken_one_offers_again(come: Come) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    person.until("p.moves !== null")
    held: list[Route] = []
    page.route("**/past/*", lambda route: held.append(route))
    row(person, 0).click()
    person.says("Fetching it.")
    expect(page.locator(".board")).to_have_attribute("aria-busy", "true")
    held.pop().abort()
    person.says("Move 0 is not shown: the server was not reached.")
    page.unroute("**/past/*")
    page.get_by_role("button", name="Try again").click()
    person.says("Looking back: at the beginning.")
    expect(page.locator(".block")).to_have_count(81)


def test_without_a_board_and_as_a_spectator(come: Come) -> None:
    person = come()
    person.play_now("hearts")
    choose_three(person)
    person.until("p.view.phase === 'play'")
    onlooker = come()
    onlooker.page.goto(f"{person.page.url}?ply=0")
    onlooker.says("Looking back: at the beginning.")
    expect(onlooker.page.locator(".hand")).to_have_count(0)
    bare = come()
    bare.page.add_init_script(WITHOUT_BOARD)
    bare.page.goto(f"{person.page.url}?ply=1")
    bare.says("Looking back: after move 1 of")
    expect(bare.page.locator(".plain-board")).to_contain_text("to move.")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_finished_game_from_its_result(come: Come, shots: Path, scheme: Any) -> None:
    person = come(color_scheme=scheme)
    person.post(
        "/tables/new/",
        game="nibble",
        players="2",
        fill="1",
        absence="forfeit",
    )
    person.see_table()
    page = person.page
    row(person, 0).click()
    no_violations(person, "looking back")
    page.get_by_role("button", name="Table and display").click()
    page.get_by_role("button", name="Leave the table").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Leave now").click()
    person.mood("done")
    no_violations(person, "the result")
    page.get_by_role("button", name="Look back").click()
    person.mood("past")
    expect(page.get_by_role("slider", name="Move")).to_be_focused()
    page.keyboard.press("Home")
    person.says("at the beginning.")
    expect(page.get_by_role("slider", name="Move")).to_be_focused()
    page.keyboard.press("End")
    expect(page.get_by_label("Everything open")).to_have_count(0)  # nothing was hidden
    for step in ("First move",):
        page.get_by_role("button", name=step).click()
    person.says("at the beginning.")
    no_violations(person, "looking through a finished game")
    for viewport, width in ((page.viewport_size, "wide"), (NARROW, "narrow")):
        page.set_viewport_size(viewport)
        person.shoot(shots / f"table-past-finished-{width}-{scheme}.png")
    page.get_by_role("button", name="Result", exact=True).click()
    person.mood("done")
