"""The search in a real Chromium: suggestions by keyboard and mouse, the page of results, without script."""

from pathlib import Path
from typing import Any

import pytest

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
    assert options.first.inner_text() == "Machiavelli"
    assert box.get_attribute("aria-expanded") == "true"
    assert box.get_attribute("aria-activedescendant") is None
    shoot(page, shots / "suggestions.png")
    assert violations(page) == []
    page.keyboard.press("ArrowDown")
    assert box.get_attribute("aria-activedescendant") == "site-search-suggestions-0"
    assert options.first.get_attribute("aria-selected") == "true"
    page.keyboard.press("Escape")
    assert not options.first.is_visible()
    assert box.input_value() == "mac"
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
