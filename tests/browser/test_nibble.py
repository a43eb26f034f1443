"""Nibble's boards of thirteen colours in a browser. What is done holds for every deal: corners can be taken."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.tables import NARROW, WIDE, Person, no_violations, tab_to
from tests.site import Site

Come = Callable[..., Person]

TINY = {"width": 320, "height": 640}
SMALLEST = 24  # px, of what a thumb shall hit
THIRTEEN, HEXAGON = "Thirteen colours, 13 by 13", "Thirteen colours, hexagon"
BOARDS = pytest.mark.parametrize(("board", "needed"), [(THIRTEEN, 2), (HEXAGON, 3)])

# of every block: its middle and its size in pixels
MIDDLES = """() => [...document.querySelectorAll(".tray [role=gridcell]")].map((cell) => {
  const box = cell.getBoundingClientRect();
  return [box.left + box.width / 2, box.top + box.height / 2, box.width, box.height];
})"""


def begin(come: Come, site: Site, board: str, **context: Any) -> Person:
    """A table with this board against a bot, where it is one's turn."""
    person = come(**{"reduced_motion": "reduce", **context})
    page = person.page
    page.goto(f"{site.url}/tables/new/?game=nibble")
    page.locator("details.options > summary").click()
    page.get_by_label("Board", exact=True).select_option(board)
    with page.expect_navigation():
        page.get_by_role("button", name="Fill with bots and start now").click()
    person.see_table()
    person.until("p.moves !== null")
    return person


def take(person: Person) -> Any:
    return person.page.locator(".bar").get_by_role("button", name="Take 1 ")


def after(person: Person, ply: int) -> None:
    """One's block is taken, and the bot has answered or thinks."""
    person.until(f"p.ply > {ply} && p.view.last.length > 0")


def nothing_sticks_out(person: Person, width: int) -> None:
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width


def thumbs_hit_every_cell(person: Person) -> None:
    """Wherever the middles of two cells are nearer than a thumb needs, one would hit the other."""
    cells = person.page.evaluate(MIDDLES)
    assert len(cells) == 169
    for n, (x, y, width, height) in enumerate(cells):
        assert max(width, height) >= SMALLEST - 0.1
        for left, top, *_ in cells[:n]:
            assert ((x - left) ** 2 + (y - top) ** 2) ** 0.5 >= SMALLEST - 0.1


@BOARDS
def test_a_block_by_mouse_and_one_that_is_refused(
    come: Come, site: Site, shots: Path, board: str, needed: int
) -> None:
    person = begin(come, site, board)
    page = person.page
    name = "hexagon" if board == HEXAGON else "thirteen"
    expect(page.locator(".tray .block")).to_have_count(
        169 - sum(map(len, person.read("p.view.collections")))
    )
    tray = page.locator(".tray").bounding_box()
    assert tray is not None
    assert tray["y"] + tray["height"] <= WIDE["height"]
    person.shoot(shots / f"nibble-{name}-wide.png")
    page.locator(".block:not(.can)").last.click(force=True)
    person.says(f"Not allowed: it needs {needed} free sides next to each other.")
    page.locator(".block.can").first.click()
    expect(take(person)).to_be_visible()
    no_violations(person, f"{board}, chosen")
    ply = person.ply()
    take(person).click()
    after(person, ply)
    person.until("p.moves !== null")
    page.emulate_media(color_scheme="dark")
    no_violations(person, f"{board}, dark")
    person.shoot(shots / f"nibble-{name}-wide-dark.png")
    page.keyboard.press("2")  # looking back
    expect(page.locator(".tray .block").first).to_be_visible()
    page.keyboard.press("Escape")


WATCH_TRAVELLERS = """() => {
  window.travelled = [];
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (frames, options) {
    window.travelled.push(this.dataset.piece ?? "");
    return animate.call(this, frames, options);
  };
}"""


@BOARDS
def test_a_taken_block_travels_to_the_colour_table(
    come: Come, site: Site, board: str, needed: int
) -> None:
    person = begin(come, site, board, reduced_motion="no-preference")
    page = person.page
    page.evaluate(WATCH_TRAVELLERS)
    page.locator(".block.can").first.click()
    take(person).click()
    page.wait_for_function(
        "() => window.travelled.some((piece) => /^block-[a-o][0-9]+$/.test(piece))"
    )


@BOARDS
@pytest.mark.parametrize("width", [NARROW, TINY], ids=["narrow", "tiny"])
def test_a_block_by_thumb_and_one_that_is_refused(
    come: Come, site: Site, shots: Path, board: str, needed: int, width: dict[str, int]
) -> None:
    person = begin(come, site, board, viewport=width, has_touch=True, is_mobile=True)
    page = person.page
    name = "hexagon" if board == HEXAGON else "thirteen"
    nothing_sticks_out(person, width["width"])
    thumbs_hit_every_cell(person)
    person.shoot(shots / f"nibble-{name}-{width['width']}.png")
    page.locator(".block:not(.can)").last.tap(force=True)
    person.says(f"Not allowed: it needs {needed} free sides next to each other.")
    page.locator(".block.can").first.tap()
    no_violations(person, f"{board}, {width['width']}")
    ply = person.ply()
    take(person).tap()
    after(person, ply)
    page.emulate_media(color_scheme="dark")
    no_violations(person, f"{board}, {width['width']}, dark")
    nothing_sticks_out(person, width["width"])


@BOARDS
@pytest.mark.parametrize("width", [WIDE, TINY], ids=["wide", "tiny"])
def test_a_block_by_keys_and_one_that_is_refused(
    come: Come, site: Site, board: str, needed: int, width: dict[str, int]
) -> None:
    person = begin(come, site, board, viewport=width)
    page = person.page
    tab_to(person, lambda key: re.fullmatch(r"[a-o]\d+", key) is not None)
    for _ in range(2):
        page.keyboard.press("Control+Home")
    first = person.focused()
    assert first == ("o1" if board == HEXAGON else "a13")

    # arrows go where one sees them go, to a cell beside
    places = [place(person)]
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowUp", "ArrowLeft"):
        page.keyboard.press(key)
        places.append(place(person))
        (left, top), (x, y) = places[-2:]
        far = abs(x - left), abs(y - top)
        along = {"ArrowDown": y - top, "ArrowUp": top - y, "ArrowRight": x - left}.get(
            key, left - x
        )
        assert along > 0, key
        assert along == max(far), (key, places)
    page.keyboard.press("Space")
    person.says(f"Not allowed: it needs {needed} free sides next to each other.")

    page.keyboard.press("Control+End")
    words = page.locator(":focus").get_attribute("aria-label") or ""
    assert words.startswith("row a, place 8, " if board == HEXAGON else "m1, ")
    if "can be taken" in words:  # the bot may have had it
        page.keyboard.press("Space")
    else:
        page.locator(".block.can").first.focus()
        page.keyboard.press("Space")
    ply = person.ply()
    expect(take(person)).to_be_visible()
    page.keyboard.press("1")
    after(person, ply)


def place(person: Person) -> tuple[float, float]:
    """The middle of what has the focus, in pixels."""
    x, y = person.page.evaluate(
        """() => {
          const box = document.activeElement.getBoundingClientRect();
          return [box.left + box.width / 2 + scrollX, box.top + box.height / 2 + scrollY];
        }"""
    )
    return x, y
