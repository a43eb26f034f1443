"""From a table to the next one that waits, by link and by key."""

from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.tables import Person, no_violations

Come = Callable[..., Person]


def test_the_next_table_that_waits_is_one_step_away(come: Come) -> None:
    person = come()
    person.play_now("hearts")  # asks at once for three cards
    page = person.page
    first = person.table
    expect(page.locator("a[data-next]")).to_be_hidden()
    person.until_bots_have_passed()  # what they do would take the place of the answer
    page.keyboard.press("m")
    person.says("No other table waits for you.")
    person.post("/games/hearts/play-now/")
    person.see_table()
    assert person.table != first
    expect(page.get_by_role("link", name="Next table: 1 waits for you").first).to_be_visible()
    no_violations(person, "another table waits")
    with page.expect_navigation():
        page.keyboard.press("m")
    person.see_table()
    assert person.table == first
