"""Pictures in a real Chromium: uploaded without script, shown on a page, readable at two widths."""

from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from playwright.sync_api import expect

from tests.axe import violations
from tests.shots import shoot
from tests.site import Site

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TEXT = """## Board

![A board of nine colours](file:Browser board.png "Nine colours, one square")

A sign ![a moon](file:Moon of nowhere.png) in a line.
"""


LOAD = """Promise.all([...document.querySelectorAll("main img")].map((image) => {
  image.loading = "eager";
  return image.decode();
}))"""


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pictures") / "camera 1.png"
    Image.linear_gradient("L").resize((1400, 900)).save(path)
    return path


def test_picture_is_uploaded_without_script_and_shown(
    site: Site, chromium: Any, board: Path, shots: Path
) -> None:
    context = chromium.new_context(viewport=WIDE, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{site.url}/accounts/signup/")
    page.fill("[name=username]", "Painter")
    page.fill("[name=password1]", "a-long-pass-word")
    page.fill("[name=password2]", "a-long-pass-word")
    page.click("main form button")
    page.goto(f"{site.url}/wiki/browser-pictures/edit/?title=Browser+pictures")
    page.fill("#text", TEXT)
    page.click("text=Save page")
    page.click(".file-missing >> text=A board of nine colours")

    text = board.with_name("no picture.png")
    text.write_text("only words")
    page.set_input_files("#file", text)
    page.fill("#description", "A board, seen from above.")
    page.select_option("#licence", "own")
    page.click("form.upload .button-primary")
    expect(page.locator("[role=alert]")).to_have_attribute("data-code", "not_an_image")
    expect(page.locator("#description")).to_have_value("A board, seen from above.")
    page.set_input_files("#file", board)
    page.click("form.upload .button-primary")
    page.wait_for_url("**/wiki/files/file-browser-board-png/")
    page.click("text=Browser pictures")
    expect(page.locator("figcaption").first).to_have_text("Nine colours, one square")
    state = context.storage_state()

    page = chromium.new_context(viewport=WIDE, storage_state=state).new_page()
    for part, address in (
        ("page", "/wiki/browser-pictures/"),
        ("file", "/wiki/files/file-browser-board-png/"),
        ("upload", "/wiki/files/upload/"),
        ("list", "/wiki/files/"),
    ):
        page.set_viewport_size(WIDE)
        page.goto(site.url + address)
        page.evaluate(LOAD)  # fails where the bytes are no picture or the policy keeps them out
        if part == "page":  # test_eyes looks at the others
            assert violations(page) == []
        for name, viewport in (("wide", WIDE), ("narrow", NARROW)):
            page.set_viewport_size(viewport)
            shoot(page, shots / f"pictures-{part}-{name}.png", full_page=True)
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), part

    page.set_viewport_size(WIDE)
    page.goto(f"{site.url}/wiki/browser-pictures/edit/")
    page.fill("#text", "")
    page.click("button[data-mark=picture]")
    page.fill("#picture-name", "Browser board (2).png")
    page.click("#picture-dialog >> text=Insert")  # nothing says what it shows
    expect(page.locator("#picture-dialog")).to_be_visible()
    shoot(page, shots / "pictures-dialog.png")
    assert violations(page) == []
    page.fill("#picture-shows", "A board")
    page.fill("#picture-caption", 'It is "square"')
    page.press("#picture-caption", "Enter")
    mark = """![A board](file:Browser_board_%282%29.png "It is 'square'")"""
    expect(page.locator("#text")).to_have_value(mark)  # once the dialog has closed
    page.wait_for_selector("#preview .file-missing >> text=A board")
