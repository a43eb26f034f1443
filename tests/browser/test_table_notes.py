"""The notes tab: saved by itself, never lost silently, nobody else's."""

import re
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.tables import DRAWN, NARROW, Person, no_violations

Come = Callable[..., Person]


def write(page: Page, text: str) -> None:
    page.keyboard.press("n")
    page.locator("#notes-text").press_sequentially(text)


def state(page: Page) -> None:
    return page.locator("#notes-state")


def test_notes_are_saved_and_two_pages_lose_nothing(come: Come, shots: Path) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    write(page, "watch the nines")
    expect(state(page)).to_have_text("Saved.")
    no_violations(person, "notes")
    other = person.context.new_page()
    other.goto(page.url)
    other.wait_for_selector(DRAWN)
    other.keyboard.press("n")
    expect(other.locator("#notes-text")).to_have_value("watch the nines")
    other.locator("#notes-text").fill("from the other page")
    expect(state(other)).to_have_text("Saved.")
    write(page, "!")
    expect(state(page)).to_contain_text("another page")
    expect(page.locator(".other-note")).to_contain_text("from the other page")
    person.shoot(shots / "table-notes-two-pages.png")
    no_violations(person, "notes of two pages")
    page.set_viewport_size(NARROW)
    person.shoot(shots / "table-notes-narrow.png")
    page.get_by_role("button", name="Keep both").click()
    expect(state(page)).to_have_text("Saved.")
    page.reload()
    expect(page.locator("#notes-text")).to_have_value(
        re.compile("watch the nines!?.*from the other page", re.S)
    )
    onlooker = come()
    onlooker.page.goto(page.url)
    onlooker.see_table()
    expect(onlooker.page.get_by_role("tab", name="Notes")).to_have_count(0)


def test_notes_outlive_a_line_that_is_down_and_a_refusal(come: Come) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    person.context.set_offline(True)
    page.evaluate("() => document.querySelector('parlour-table').page.line.socket.close()")
    write(page, "kept")
    expect(state(page)).to_contain_text("Not saved yet")
    person.context.set_offline(False)
    expect(state(page)).to_have_text("Saved.")
    page.locator("#notes-text").fill("x" * 4001)
    expect(state(page)).to_contain_text("Not saved: ")
    expect(page.locator("#notes-text")).to_have_value("x" * 4001)
    person.errors.clear()  # the browser's own words about the line that was down
