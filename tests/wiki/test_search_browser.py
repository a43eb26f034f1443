"""The search in a real Chromium: suggestions by keyboard and mouse, the page of results, without script."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.axe import violations
from tests.shots import shoot
from tests.site import Site
from tests.wiki.test_browser import new_page


@pytest.mark.short
def test_names_are_suggested_while_one_types(site: Site, chromium: Any, shots: Path) -> None:
    page = new_page(chromium)
    page.goto(f"{site.url}/")
    box = page.locator("#site-search")
    box.press_sequentially("mac")
    options = page.locator("#site-search-suggestions [role=option]")
    options.first.wait_for()
    expect(options.first).to_have_text("Machiavelli")
    expect(box).to_have_attribute("aria-expanded", "true")
    expect(box).not_to_have_attribute("aria-activedescendant", re.compile(""))
    shoot(page, shots / "suggestions.png")
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    expect(box).to_have_attribute("aria-activedescendant", "site-search-suggestions-0")
    expect(options.first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(options.first).to_be_hidden()
    expect(box).to_have_value("mac")
    page.keyboard.press("ArrowDown")
    options.first.wait_for()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wiki/machiavelli/")
    box.press_sequentially("mach")
    options.first.wait_for()
    page.keyboard.press("Enter")  # nothing is chosen: all of it is looked for
    page.wait_for_url("**/wiki/search/?q=mach")
    page.locator("#query").fill("machiav")
    page.locator("#query-suggestions [role=option]").first.click()
    page.wait_for_url("**/wiki/machiavelli/")
    assert page.errors == []


def test_search_works_without_script(site: Site, chromium: Any) -> None:
    plain = new_page(chromium, java_script_enabled=False)
    plain.goto(f"{site.url}/wiki/search/")
    plain.fill("#query", "machiaveli")
    plain.keyboard.press("Enter")
    plain.wait_for_selector("mark >> text=Machiavelli")
