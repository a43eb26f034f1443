"""The form for a new table and the waiting room in a real browser."""

import re

import pytest

pytestmark = pytest.mark.short


@pytest.fixture
def visit(site, chromium):
    """Opens a page in a browser of its own; nothing may go wrong in its script."""
    contexts, errors = [], []

    def open_page(path):
        context = chromium.new_context()
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(site.url + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert not errors


def test_the_form_says_what_it_opens(visit):
    page = visit("/tables/new/?game=hearts")
    line = page.locator("[data-summary]")
    assert line.inner_text() == "Hearts for 4, about one move a day, open to everybody."
    page.select_option("#seat-1", "bot")
    page.check("[name=pace][value='live-5']")
    page.click("details.options summary")
    page.check("[name=unlisted]")
    expected = "Hearts for 4, one bot, live, 5 minutes each, for people with the link."
    assert line.inner_text() == expected
    page.select_option("[name=option-start_score]", index=1)
    assert page.locator("[data-changed]").inner_text() == "1 changed"


def test_the_waiting_room_opens_the_game_for_all(visit):
    host = visit("/tables/new/?game=nibble")
    host.click("text=Open the table")
    host.wait_for_selector("#waiting-room")
    path = re.sub(r"^https?://[^/]+", "", host.url)
    guest = visit(path)
    guest.click("#sit-down")
    for page in (guest, host):  # the host's page finds out by itself
        page.wait_for_selector("parlour-table .seats", timeout=15_000)
        assert page.url.endswith(path)
