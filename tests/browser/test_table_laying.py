"""The table page while its scripts are on their way, and where they do not come."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Route, expect

from tests.browser.tables import DRAWN, NARROW, WIDE, Person, no_violations

Come = Callable[..., Person]

TABLE_JS, BOARD_JS = re.compile(r"/games/table[.\w]*\.js"), re.compile(r"/hearts/board[.\w]*\.js")
LATER = "() => document.getAnimations().forEach((animation) => animation.finish())"
WHERE = """() => Object.fromEntries(["status", "seats", "board"].map((name) => {
  const { x, y, width } = document.querySelector(`.${name}`).getBoundingClientRect();
  return [name, [x, y, width].map(Math.round)];
}))"""


def laying(person: Person) -> Locator:
    return person.page.locator(".board .laying")


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_the_page_says_that_the_board_is_being_laid_where_it_will_be(
    come: Come, viewport: dict[str, Any]
) -> None:
    person = come(viewport=viewport)
    person.play_now("hearts")
    person.until_bots_have_passed()
    page = person.page
    held: dict[str, Route] = {}
    page.route(TABLE_JS, lambda route: held.update(table=route))
    page.route(BOARD_JS, lambda route: held.update(board=route))
    page.reload(wait_until="commit")
    expect(laying(person)).to_have_text(re.compile("Laying the board."))
    expect(person.status).to_have_text(re.compile("Your turn: choose three cards for "))
    before = page.evaluate(WHERE)
    no_violations(person, "a table whose script is under way")
    held["table"].continue_()
    page.wait_for_selector(DRAWN)
    expect(laying(person).get_by_text("Laying the board.")).to_be_visible()
    assert page.evaluate(WHERE) == before
    held["board"].continue_()
    page.wait_for_selector(".hand .card")
    assert page.evaluate(WHERE) == before


@pytest.mark.parametrize("script", [TABLE_JS, BOARD_JS], ids=["table", "board"])
def test_where_a_script_does_not_come_the_page_says_what_one_can_do(
    come: Come, script: re.Pattern[str]
) -> None:
    person = come(viewport=NARROW, color_scheme="dark")
    person.play_now("hearts")
    page = person.page
    comes = False
    page.route(script, lambda route: route.continue_() if comes else None)

    def wait_long() -> None:
        page.reload(wait_until="commit")
        if script is BOARD_JS:
            page.wait_for_selector(DRAWN)
        expect(laying(person).get_by_text("Laying the board.")).to_be_visible()
        expect(laying(person).get_by_text("This takes long.")).to_be_hidden()
        page.evaluate(LATER)

    wait_long()
    expect(laying(person).get_by_text("Laying the board.")).to_be_hidden()
    expect(laying(person).get_by_text("This takes long.")).to_be_visible()
    no_violations(person, "a table whose script does not come")
    comes = True
    laying(person).get_by_role("link", name="Load the page again").click()
    page.wait_for_selector(".hand .card")
    comes = False
    wait_long()
    laying(person).get_by_role("link", name="how the game stands").click()
    expect(page.get_by_role("heading", name="Log")).to_be_visible()


def test_without_script_nothing_is_said_to_come(come: Come, chromium: Browser) -> None:
    person = come()
    person.play_now("hearts")
    kept = person.context.storage_state()
    context = chromium.new_context(java_script_enabled=False, storage_state=kept)
    page = context.new_page()
    page.goto(person.page.url)
    expect(page.locator(".board noscript > .note")).to_be_visible()
    expect(page.locator(".laying, .side-panel").filter(visible=True)).to_have_count(0)
    context.close()
