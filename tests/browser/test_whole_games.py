"""Every game from its first move to its result in browsers, by the list of legal moves: two people, and
one with bots. Takes minutes, so only ``PARLOUR_TEST_DEPTH=2 script/test tests/browser/test_whole_games.py``
plays them."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import expect

from games.engine import all_games
from tests.browser.tables import NARROW, Person

pytestmark = pytest.mark.skipif(
    float(os.environ.get("PARLOUR_TEST_DEPTH", "1")) < 2,
    reason="whole games take minutes: PARLOUR_TEST_DEPTH=2 plays them",
)

Come = Callable[..., Person]
LONGEST = 400_000  # ms for a game

# Whoever is asked clicks one of the moves in the list, drawn by lot.
PLAY = """() => {
  const table = document.querySelector("parlour-table").page;
  setInterval(() => {
    const { status, moves } = table.payload;
    const list = document.querySelectorAll(".moves [data-do=move]");
    if (status !== "playing" || !moves || table.busy) return;
    if (!list.length) document.querySelector(".moves:not([open]) > summary")?.click();
    if (!list.length) return;
    list[Math.floor(Math.random() * list.length)].click();
    document.querySelector(".bar [data-do=act]:not([aria-disabled])")?.click();
  }, 40);
}"""


def finish(people: list[Person]) -> int:
    """Play on to the end; the number of the last row."""
    for person in people:
        person.page.get_by_role("tab", name="Help").click()  # the rules stand beside the game
        expect(person.page.locator("#panel-help h2").first).to_be_visible()
        person.page.evaluate(PLAY)
    for person in people:
        over = "() => document.querySelector('parlour-table').page.payload.status === 'finished'"
        person.page.wait_for_function(over, timeout=LONGEST)
        expect(person.page.get_by_role("table").first).to_be_visible()  # the sheet of results
    return people[0].ply()


def look_back(person: Person, last: int) -> None:
    """From the result to the set-up and back to the end."""
    person.page.goto(f"{person.page.url.split('?')[0]}?ply=0")
    person.mood("past")
    person.page.goto(f"{person.page.url.split('?')[0]}?ply={last // 2}")
    person.mood("past")
    person.status.get_by_role("button", name="Back to").first.click()


@pytest.mark.parametrize(
    "slug", [slug for slug, game in all_games().items() if 2 in game.meta.seats]
)
def test_two_browsers_play_to_the_end(come: Come, shots: Path, slug: str) -> None:
    ada, bob = come(), come(viewport=NARROW, has_touch=True)
    ada.post(f"/tables/new/?game={slug}&players=2", game=slug, players="2")
    bob.join(ada.page.url)
    for person in (ada, bob):
        person.see_table()
    last = finish([ada, bob])
    ada.shoot(shots / f"{slug}-whole-end-wide.png")
    bob.shoot(shots / f"{slug}-whole-end-narrow.png")
    look_back(ada, last)


@pytest.mark.parametrize("slug", list(all_games()))
def test_one_plays_bots_to_the_end(come: Come, slug: str) -> None:
    ada = come()
    ada.play_now(slug)
    last = finish([ada])
    look_back(ada, last)
