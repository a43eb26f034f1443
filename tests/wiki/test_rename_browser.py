"""A page is renamed by keyboard alone; its links and what looks for it follow."""

from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.axe import violations
from tests.shots import shoot
from tests.site import Site
from tests.wiki.test_browser import NARROW, new_page


def test_page_is_renamed_by_keyboard(site: Site, chromium: Any, shots: Path) -> None:
    page = new_page(chromium)
    page.goto(f"{site.url}/accounts/signup/")
    page.fill('input[name="username"]', "Renamer")
    for field in page.locator('main input[type="password"]').all():
        field.fill("a long pass phrase 7")
    page.locator("main form button.button-primary, main form button[type=submit]").first.click()
    page.wait_for_load_state()
    for title, text in (("Old name", "What is here."), ("Linking", "See [[Old name|there]].")):
        page.goto(f"{site.url}/wiki/?title={title}")
        page.click("text=Create it")
        page.fill("#text", text)
        page.locator(".save button.button-primary").first.click()
        page.wait_for_selector("article.prose")
    page.goto(f"{site.url}/wiki/old-name/")
    page.locator("details.tools > summary").focus()
    page.keyboard.press("Enter")
    for _ in range(12):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent") == "Rename":
            break
    page.keyboard.press("Enter")
    page.wait_for_url("**/rename/")
    page.set_viewport_size(NARROW)
    assert violations(page) == []
    shoot(page, shots / "rename.png")
    page.locator("#new-title").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("New name")
    page.keyboard.press("Tab")
    page.keyboard.type("Better")
    page.keyboard.press("Tab")
    page.keyboard.press("Space")  # no redirect
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/wiki/new-name/")
    page.get_by_text("“Old name” is called “New name” now.").wait_for()
    page.goto(f"{site.url}/wiki/linking/")
    page.get_by_role("link", name="there", exact=True).click()
    page.wait_for_url("**/wiki/new-name/")
    page.goto(f"{site.url}/wiki/search/?q=name")
    expect(page.get_by_role("link", name="New name").first).to_be_visible()
    assert page.errors == []
