"""Home in a real Chromium: without script, refreshed by htmx, for axe, and in pictures."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.chromium import Contexts
from tests.site import Site

pytestmark = pytest.mark.short
SIZES = {"wide": {"width": 1280, "height": 800}, "narrow": {"width": 390, "height": 844}}


@pytest.fixture
def visitor(chromium: Contexts, site: Site) -> Iterator[Page]:
    """A page of somebody who was never here."""
    context = chromium.new_context(base_url=site.url, viewport=SIZES["wide"])
    page = context.new_page()
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda line: faults.append(line.text) if line.type == "error" else None)
    yield page
    assert faults == []


def open_a_table(chromium: Contexts, site: Site) -> str:
    """A guest opens a table of Nibble that waits for one more; returns the guest's name."""
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/tables/new/?game=nibble")
    page.get_by_label("Seat 2").select_option("open")
    page.get_by_role("button", name="Open the table").click()
    page.goto("/")
    return page.locator(".person b").inner_text()


def test_a_visitor_without_script_plays_as_a_guest(chromium, site):
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/")
    page.get_by_role("button", name=re.compile("as a guest")).click()
    expect(page).to_have_url(re.compile(r"/tables/\w{8}/$"))
    page.goto("/")
    expect(page.locator(".person b")).to_have_text(re.compile(r"^Guest \d{4}"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("table")


def test_two_without_script_meet_at_an_open_table(chromium, site):
    name = open_a_table(chromium, site)
    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    page = context.new_page()
    page.goto("/open-tables/")
    page.get_by_role("button", name=f"Sit down at Nibble, {name} waits").click()
    expect(page).to_have_url(re.compile(r"/tables/\w{8}/$"))


def test_open_tables_appear_and_the_focus_stays(visitor, chromium, site):
    visitor.goto("/")
    visitor.locator("#new-table").focus()
    name = open_a_table(chromium, site)
    expect(visitor.locator("#open-tables")).not_to_contain_text(name)
    visitor.evaluate(
        "htmx.ajax('GET', '/open-tables/?few=1', {target: '#open-tables', swap: 'outerHTML'})"
    )
    expect(visitor.locator("#open-tables")).to_contain_text(name)
    expect(visitor.locator("#new-table")).to_be_focused()


def test_a_game_that_begins_shows_in_the_lobby_without_a_click(visitor, chromium, site):
    visitor.goto("/tables/new/?game=hearts")
    for seat, who in (("Seat 2", "open"), ("Seat 3", "bot"), ("Seat 4", "bot")):
        visitor.get_by_label(seat).select_option(who)
    visitor.get_by_role("button", name="Open the table").click()
    visitor.goto("/")
    expect(visitor).to_have_title("Tables – Parlour")
    expect(visitor.get_by_role("heading", level=1)).to_have_text("No table waits for you")
    name = visitor.locator(".person b").inner_text()

    context = chromium.new_context(base_url=site.url, java_script_enabled=False)
    other = context.new_page()
    other.goto("/open-tables/")
    other.get_by_role("button", name=f"Sit down at Hearts, {name}").click()
    expect(other).to_have_url(re.compile(r"/tables/\w{8}/$"))

    visitor.evaluate(
        "htmx.ajax('GET', '/open-tables/?few=1', {target: '#open-tables', swap: 'outerHTML'})"
    )
    expect(visitor).to_have_title("(1) Tables – Parlour")
    expect(visitor.get_by_role("heading", level=1)).to_have_text("One table waits for you")
    expect(
        visitor.locator("#waiting-tables").get_by_role("link", name="Play Hearts")
    ).to_be_visible()


KEPT = "() => dispatchEvent(new PageTransitionEvent('pageshow', {persisted: true}))"


def test_a_page_that_the_browser_kept_names_nobody_who_has_logged_out_since(chromium, site):
    """Back, where the browser shows the page as it was left."""
    context = chromium.new_context(base_url=site.url)
    page, other = context.new_page(), context.new_page()
    page.goto("/")
    page.get_by_role("button", name=re.compile("as a guest")).click()
    page.goto("/wiki/nibble/talk/?new=1")
    expect(page.locator(".person")).to_be_visible()
    page.evaluate("() => { globalThis.here = true; }")
    page.evaluate(KEPT)  # nothing has changed: it stays as it is
    assert page.evaluate("() => globalThis.here")
    other.goto("/accounts/logout/")
    with other.expect_navigation():
        other.locator("form[action*=logout] button, main form button").first.click()
    typed = page.locator("main textarea").first
    typed.fill("Half a thought")
    page.evaluate(KEPT)
    expect(typed).to_have_value("Half a thought")
    typed.fill("")
    with page.expect_navigation():
        page.evaluate(KEPT)
    expect(page.locator(".person")).to_have_count(0)
