"""Verso in real browsers: every kind of action by mouse, by thumb and by keys; with people, with a bot, alone, and eight
tableaus on a phone."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.tables import NARROW, Person, Sockets, change_table, no_violations, tab_to
from tests.site import Site

Come = Callable[..., Person]

# whoever is asked has green 4 like the top card, and a series with a joker; three cards are left
PREPARED = """
snapshot = json.loads(table.snapshot)
state = snapshot["state"]
state["pile"] = ["B61G53", "B33G21", "G43O51"]
state["tableaus"] = [["B51G63?5", "G61B53?4"], ["B51G63?5", "G61B53?4"]]
state["tableaus"][state["active"]] = ["G41B33?9", "O23B11?8", "O31B23?7", "OJ1B13?6"]
table.snapshot = json.dumps(snapshot)
table.save()
"""
# no two fronts are alike: whatever lies on top may be taken
APART = """
snapshot = json.loads(table.snapshot)
snapshot["state"]["pile"] = ["B63G51", "G61O53", "O51B43", "G21B13", "O11B23", "B31G43", "G43O51", "O31B23", "G63O51", "B11G23"]
table.snapshot = json.dumps(snapshot)
table.save()
"""
ALONE = """
snapshot = json.loads(table.snapshot)
state = snapshot["state"]
state["pile"] = ["O21B13", "B11O63", "G13B61"]
state["tableaus"] = [["O31B43?9", "O51G43?8"]]
state["scores"] = [34]
table.snapshot = json.dumps(snapshot)
table.save()
"""


def prepare(site: Site, people: list[Person], code: str) -> None:
    change_table(site, people[0].table, code)
    for person in people:
        person.page.reload()
        person.see_table()


def own(person: Person, face: str) -> Any:
    return person.page.locator(f".own [data-key=own-{face}]")


def deed(person: Person, name: str) -> Any:
    return person.page.locator(".deeds").get_by_role("button", name=name)


def button(person: Person, name: str) -> Any:
    return person.page.locator(".bar").get_by_role("button", name=name)


def asked(person: Person) -> None:
    person.until("p.moves !== null")


def fits(person: Person, width: int) -> None:
    assert person.page.evaluate("document.documentElement.scrollWidth") <= width


def open_with_bots(person: Person, players: int) -> None:
    person.post(
        f"/tables/new/?game=verso&players={players}", game="verso", players=str(players), fill="1"
    )
    person.see_table()


def test_two_browsers_take_every_action_and_play_to_the_end(
    come: Come, site: Site, shots: Path
) -> None:
    ada = come(reduced_motion="reduce")
    bob = come(viewport=NARROW, has_touch=True, reduced_motion="reduce")
    url = ada.open_table("verso", "live-15")
    bob.join(url)
    people = [ada, bob]
    for person in people:
        person.see_table()
    ada.shoot(shots / "verso-start-wide.png")
    bob.shoot(shots / "verso-start-narrow.png")
    mover = ada if ada.payload()["moves"] is not None else bob
    mover.page.locator("[data-key=take]").click()
    mover.until("p.ply === 1")
    mover.page.keyboard.press("l")
    mover.page.keyboard.press("ArrowLeft")  # back to when it still lay on the pile
    mover.mood("past")
    expect(mover.page.locator(".stack .count").first).to_have_text("30 left")
    mover.page.locator(".status").get_by_role("button", name="Back to now").click()
    mover.mood("wait")
    prepare(site, people, PREPARED)
    if ada.payload()["moves"] is None:
        people.reverse()
    first, second = people

    # what cannot be done says why: the equal card, a card without a neighbour, a set that is no series, another's turn
    first.says("Your turn: turn the top card over, or score a series.")
    first.page.locator("[data-key=take]").click(force=True)
    first.says("Not allowed: you have green 4 already")
    own(first, "G4").click(force=True)
    first.says("Not allowed: no card of its colour goes next to it")
    own(second, "B5").click(force=True)
    second.says("t is not your turn")

    # a series of three, card by card; the joker may be 1 or 4
    own(first, "O2").click()
    expect(button(first, "Score")).to_have_attribute("aria-disabled", "true")
    own(first, "OJ").click()
    own(first, "O3").click()
    expect(first.page.locator(".numbers button")).to_have_text(["1", "4"])
    first.page.locator("[data-key=as-4]").click()
    no_violations(first, "a series that is chosen")
    first.page.emulate_media(color_scheme="dark")
    no_violations(first, "a series that is chosen, dark")
    first.shoot(shots / "verso-series-dark.png")
    button(first, "Score 5 points").click()
    asked(second)
    assert [card["face"] for card in second.payload()["view"]["discards"]] == ["O3", "OJ"]

    # turned over first: both faces are known now
    bob.shoot(shots / "verso-middle-narrow.png")
    fits(bob, NARROW["width"])
    deed(second, "Turn it over first").click()
    asked(first)
    expect(own(second, "O5")).to_have_attribute(
        "aria-label", "Orange 5, 1 point, other side green 4, 3 points, just moved"
    )
    known = first.page.locator("[data-key=known-sides]")
    known.get_by_text("Known other sides (1)").click()
    expect(known.get_by_role("listitem")).to_have_text(
        "orange 5, 1 point, other side green 4, 3 points, just moved54"
    )

    # as it shows: by its button, and by itself
    deed(first, "Take blue 3").click()
    asked(second)
    expect(own(first, "B3")).to_have_attribute("aria-label", "Blue 3, 3 points, just moved")
    second.page.locator("[data-key=take]").click()

    # one last series: chosen in secret, and shown when both have answered
    second.says("Your turn: score one last series, or none.")
    second.page.locator("[data-key=row-B]").click()
    button(second, "Score 2 points").click()
    second.until("p.view.answered.includes(true)")
    first.until("p.view.answered.includes(true)")
    assert first.payload()["view"]["answers"] == [None, None]
    second.until("p.moves === null")
    expect(second.page.locator(".own .fresh")).to_have_count(2)  # what was chosen stays marked
    asked(first)
    deed(first, "Score no series").click()
    for person in people:
        person.mood("done")
    assert sorted(first.payload()["view"]["scores"]) == [2, 5]
    expect(first.page.locator(".sheet thead")).to_contain_text("Final series")
    first.shoot(shots / "verso-end-wide.png")
    second.shoot(shots / "verso-end-narrow.png")


def test_a_game_against_a_bot_by_keyboard_alone(come: Come, site: Site) -> None:
    person = come(reduced_motion="reduce")
    person.play_now("verso")
    asked(person)
    prepare(site, [person], PREPARED)
    page = person.page

    def press(key: str) -> None:
        """Come to a deed: Tab to the group of the pile, arrows inside."""
        tab_to(person, lambda focused: focused in ("take", "take-it", "flip", "pass"))
        page.keyboard.press("Home")
        for _ in range(8):
            if person.focused() == key:
                break
            page.keyboard.press("ArrowRight")
        person.has_focus(key)
        page.keyboard.press("Enter")

    kinds = set()
    while True:
        person.until("p.moves !== null || p.status !== 'playing'")
        payload = person.payload()
        if payload["status"] != "playing":
            break
        actions = [item["action"] for item in payload["moves"]["items"]]
        series = [action for action in actions if action["type"] == "series"]
        if series and "series" not in kinds:
            colour = series[0]["cards"][0][0]
            tab_to(person, lambda focused: focused.startswith(("own-", "row-")))
            for _ in range(12):  # rows go up and down, their heads stand at the left
                if person.focused() == f"row-{colour}":
                    break
                page.keyboard.press("Home")
                if person.focused() != f"row-{colour}":
                    page.keyboard.press("ArrowDown")
            page.keyboard.press("Enter")
            tab_to(person, lambda focused: focused == "main")
            page.keyboard.press("Enter")
            kinds.add("series")
        elif actions[0]["type"] == "pass":
            press("pass")
            kinds.add("pass")
        else:
            key = "flip" if actions[0]["flip"] else "take"
            press(key)
            kinds.add(key)
        person.until_taken(payload["ply"])
    person.mood("done")
    assert "series" in kinds
    assert len(kinds) > 1


def take_only_once(person: Person) -> None:
    """The second of two clicks, or a key that is held, takes no further card though one is asked again at once."""
    page, take = person.page, person.page.locator("[data-key=take]")
    mouse, keyboard = page.mouse, page.keyboard
    nothing_sent = "() => document.querySelector('parlour-table').page.under === null"
    pile = person.read("p.view.pile")
    box = take.bounding_box()
    assert box is not None
    mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    mouse.down(click_count=1)
    mouse.up(click_count=1)
    person.until(f"p.view.pile < {pile} && p.moves !== null")
    mouse.down(click_count=2)
    mouse.up(click_count=2)
    assert page.evaluate(nothing_sent)
    pile = person.read("p.view.pile")
    take.focus()
    keyboard.down("Enter")
    person.until(f"p.view.pile < {pile} && p.moves !== null")
    take.focus()
    keyboard.down("Enter")
    assert page.evaluate(nothing_sent)
    keyboard.up("Enter")


def wait_between_taps(person: Person) -> None:
    """As long as it takes a thumb to tap anew, not twice."""
    person.page.wait_for_function(
        """() => {
          const { changedAt, sentByTap } = document.querySelector("parlour-table").page;
          return performance.now() - Math.max(changedAt, sentByTap?.at ?? 0) > 300;
        }"""
    )


# Taps a control, and again after ``pause`` ms from when its next question is there: 0 is before anybody can read it.
TAP_AGAIN = """async ([key, pause]) => {
  const { page } = document.querySelector("parlour-table");
  const tap = () => {
    const node = document.querySelector(`[data-key=${key}]`);
    const { x, y, width, height } = node.getBoundingClientRect();
    const where = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, pointerType: "touch" };
    node.dispatchEvent(new PointerEvent("pointerdown", where));
    node.dispatchEvent(new PointerEvent("click", { ...where, detail: 1 }));
  };
  const { ply } = page.payload;
  const asked = new Promise((done) => {
    page.line.addEventListener("state", () => {
      if (page.payload.ply === ply || page.busy || page.payload.moves === null) return;
      if (pause) setTimeout(done, pause);
      else {
        tap();
        done();
      }
    });
  });
  tap();
  await asked;
  if (pause) tap();
  return page.under !== null;
}"""


def test_a_double_tap_takes_one_card_and_a_tap_that_is_meant_the_next(
    come: Come, site: Site
) -> None:
    """What has come under the thumb is chosen, not taken, before anybody can have read it."""
    person = come(viewport=NARROW, has_touch=True, is_mobile=True, reduced_motion="reduce")
    open_with_bots(person, 1)
    prepare(site, [person], APART)
    pile = person.read("p.view.pile")
    main = person.page.locator(".bar [data-key=main]")
    assert not person.page.evaluate(TAP_AGAIN, ["take", 0])
    assert person.read("p.view.pile") == pile - 2  # the opponent turns one
    expect(main).to_contain_text("Take ")
    person.page.get_by_role("button", name="Put back").tap()
    wait_between_taps(person)
    assert person.page.evaluate(TAP_AGAIN, ["take", 350])
    person.until(f"p.view.pile === {pile - 6} && p.moves !== null")


def test_alone_the_opponent_turns_a_card_and_a_level_is_reached(
    come: Come, site: Site, shots: Path
) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True, reduced_motion="reduce")
    sockets = Sockets(person)
    open_with_bots(person, 1)
    prepare(site, [person], APART)
    take_only_once(person)
    sockets.holding = {"ack", "state"}
    person.page.locator("[data-key=take]").click()
    person.page.locator("[data-key=flip]").dblclick()  # one wish, not one and its end
    sockets.release()
    expect(person.page.locator(".bar [data-key=main]")).to_contain_text("Turn")
    prepare(site, [person], ALONE)
    expect(person.page.locator(".own .plate")).to_contain_text("level 0; level 1 at 35")
    person.page.locator("[data-key=take]").tap()
    person.until("p.view.pile === 1")
    expect(person.page.locator(".news")).to_contain_text("The opponent: blue 1, then orange 6.")
    expect(own(person, "G4")).to_be_visible()  # was orange 5
    person.shoot(shots / "verso-solo-narrow.png")
    wait_between_taps(person)
    person.page.locator("[data-key=take]").tap()
    person.says("Your turn: score one last series")
    own(person, "O2").tap()
    own(person, "O3").tap()
    button(person, "Score 2 points").tap()
    person.mood("done")
    person.says("36 points: level 1 of 6.")
    # no cup: alone one is first in any case
    expect(person.status.locator("use")).to_have_attribute("href", re.compile("#check$"))
    expect(person.page.locator(".sheet thead")).to_contain_text("Level")


@pytest.mark.parametrize("width", [390, 320])
def test_eight_tableaus_fit_a_phone(come: Come, shots: Path, width: int) -> None:
    person = come(viewport={"width": width, "height": 844}, has_touch=True, reduced_motion="reduce")
    open_with_bots(person, 8)
    page = person.page
    fits(person, width)
    expect(page.locator(".other")).to_have_count(7)
    small = page.locator(".own .grid > *").evaluate_all(
        "nodes => Math.min(...nodes.map(node => node.getBoundingClientRect().height))"
    )
    assert small >= 40
    if width == NARROW["width"]:
        box = page.locator(".own").bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= NARROW["height"]
        no_violations(person, "eight tableaus")
        person.shoot(shots / "verso-eight-narrow.png")
