"""Abandon All Artichokes on its board: every card by mouse, by thumb or by keys, with people and with bots, to the end."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.tables import NARROW, Person, Sockets, change_table, no_violations, tab_to
from tests.site import Site, becomes

Come = Callable[..., Person]

A = "artichoke"
HARVEST = "p.view.phase === 'harvest'"  # and no eggplant of a bot before
GREEN = ["corn", "leek", "onion", "peas", "beet"]


def lay_out(site: Site, people: list[Person], **state: Any) -> None:
    """Lay these piles, and let the first of ``people`` harvest; lists of piles begin with theirs."""
    you, seats = people[0].payload()["you"], len(people[0].payload()["seats"])
    for name in ("hands", "decks", "discards"):
        state[name] = [state[name][(seat - you) % seats] for seat in range(seats)]
    state |= {"turn": you, "phase": "harvest", "played": 0, "now": {"seat": you, "deeds": []}}
    state["known"] = [[] for _ in range(seats)]
    change_table(
        site,
        people[0].table,
        f"data = json.loads(table.snapshot)\ndata['state'].update(json.loads({json.dumps(state)!r}))\n"
        f"data['keys'] = {{'{you}': f\"harvest:{{data['state']['number']}}:0\"}}\n"
        "table.snapshot = json.dumps(data)\ntable.save()\n",
    )
    for person in people:
        person.page.reload()
        person.see_table()


def in_hand(person: Person, card: str, number: int = 1) -> Locator:
    return person.page.locator(f'.hand [data-key="hand:{card}.{number}"]')


def in_row(person: Person, card: str) -> Locator:
    return person.page.locator(f'.row [data-key="row:{card}.1"]')


def bar(person: Person, name: str) -> Locator:
    return person.page.locator(".bar").get_by_role("button", name=name, exact=True)


def phase(person: Person, name: str) -> None:
    """Wait until this is asked of ``person``."""
    person.until(f"p.moves !== null && p.view.phase === '{name}'")


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(person: Person, piece: Locator, to: Locator) -> None:
    mouse = person.page.mouse
    mouse.move(*middle(piece))
    mouse.down()
    mouse.move(*middle(to), steps=4)
    mouse.up()


def tap_twice(person: Person, card: Locator, reads: str) -> None:
    """On a phone the first tap shows what a card does, the second one uses it."""
    card.tap()
    expect(person.page.locator(".reader")).to_contain_text(reads)
    card.tap()


def test_two_browsers_play_every_card_to_the_end(come: Come, site: Site, shots: Path) -> None:
    ada = come(reduced_motion="reduce")
    bob = come(viewport=NARROW, has_touch=True, is_mobile=True, reduced_motion="reduce")
    bob.join(ada.open_table("abandonallartichokes", "live-15"))
    for person in (ada, bob):
        person.see_table()
    ada.shoot(shots / "artichokes-start-wide.png")
    bob.shoot(shots / "artichokes-start-narrow.png")
    first = ada if ada.payload()["moves"] else bob
    for _ in range(1 if first is ada else 2):
        first.page.locator(".row .card").first.click()
    phase(first, "play")
    bar(first, "Take back").click()
    phase(first, "harvest")
    lay_out(
        site,
        [ada, bob],
        hands=[[A, A, A, "broccoli", "pepper"], [A, A, A, "eggplant", "corn"]],
        decks=[[*GREEN, A], [A, A, A, A, A]],
        discards=[["leek", "corn", A], []],
        row=["onion", "leek", "peas", "beet", "carrot"],
        stack=["potato", "potato", "beet", "carrot", "broccoli", "corn", "pepper"],
        compost=[],
    )

    # what cannot be done says why; a drag harvests, a click plays
    in_hand(ada, "broccoli").click(force=True)
    ada.says("choose a card of the garden row.")
    drag(ada, in_row(ada, "onion"), ada.page.locator(".hand"))
    phase(ada, "play")
    in_hand(ada, A).click(force=True)
    ada.says("artichokes do nothing")
    in_hand(ada, "broccoli").click()
    ada.until("p.view.compost.count === 1")
    in_hand(ada, "pepper").click()
    phase(ada, "pepper_card")
    ada.shoot(shots / "artichokes-pepper-wide.png")
    no_violations(ada, "pepper")
    ada.page.locator('[data-key="pile:leek"]').click()
    ada.until("p.view.deck_tops[p.you][0] === 'leek'")
    in_hand(ada, "onion").click()
    ada.until("p.view.discard_tops[1 - p.you] === 'onion'")
    ada.shoot(shots / "artichokes-middle-wide.png")
    drawn = ada.page.locator(".hand use").first.evaluate("node => node.getBBox().width")
    assert drawn > 0, "the drawings are not found"
    bar(ada, "End your turn").click()

    # on a phone a tap shows what a card does, the next one uses it
    phase(bob, "harvest")
    tap_twice(bob, in_row(bob, "peas"), "Reveal 2 cards")
    phase(bob, "play")
    tap_twice(bob, in_hand(bob, "corn"), "on top of your deck")
    phase(bob, "corn_card")
    tap_twice(bob, in_row(bob, "beet"), "drawn blindly")
    phase(bob, "play")
    tap_twice(bob, in_hand(bob, "eggplant"), "to the left")
    for person in (ada, bob):  # both are asked at once
        phase(person, "eggplant_pass")
    in_hand(bob, A).tap()
    in_hand(bob, "peas").tap()
    in_hand(bob, "peas").tap()  # put back
    expect(bar(bob, "Pass these two")).to_have_attribute("aria-disabled", "true")
    in_hand(bob, "peas").tap()
    bob.shoot(shots / "artichokes-eggplant-narrow.png")
    no_violations(bob, "eggplant on a phone")
    bar(bob, "Pass these two").tap()
    bob.until("p.view.chosen.length === 2")
    for card in ada.page.locator(".hand .card").all()[:2]:
        card.click()
    bar(ada, "Pass these two").click()
    phase(bob, "play")
    assert bob.page.evaluate("document.documentElement.scrollWidth") == 390
    bar(bob, "End your turn").tap()

    # the last turn: peas, leek, potato, beet, then a hand without artichokes
    phase(ada, "harvest")
    lay_out(
        site,
        [ada, bob],
        hands=[["leek", "potato", "beet", "onion"], [A, "corn", A]],
        decks=[[*GREEN, A], [A, "leek"]],
        discards=[[A, A], []],
        row=["peas", "carrot", "onion"],
        stack=["potato", "corn", "pepper"],
    )
    in_row(ada, "peas").click()
    phase(ada, "play")
    in_row(ada, "onion").click(
        force=True
    )  # why the one in hand is refused is nothing about this one
    ada.says("choose a raised card to play it.")
    in_hand(ada, "peas").click()
    phase(ada, "peas_keep")
    ada.shoot(shots / "artichokes-peas-wide.png")
    ada.page.locator('[data-key="shown:pepper.1"]').click()
    phase(ada, "play")
    in_hand(ada, "leek").click()
    phase(ada, "leek_take")
    bob.says("Waiting for")
    in_hand(ada, "potato").click(force=True)
    ada.says("Not allowed: take this card or leave it.")
    bar(ada, "Leave it").click()
    phase(ada, "play")
    in_hand(ada, "potato").click()  # composts the artichoke on the deck
    ada.until("p.view.deck_sizes[p.you] === 5")
    in_hand(ada, "beet").click()
    ada.until("p.view.discard_tops[p.you] === 'beet'")
    bar(ada, "End your turn").click()
    for person in (ada, bob):
        person.until("p.status === 'finished'")
        person.says("without artichokes")
    expect(ada.page.locator(".sheet thead")).to_contain_text("Artichokes left")
    ada.shoot(shots / "artichokes-end-wide.png")
    bob.shoot(shots / "artichokes-end-narrow.png")

    # looking back, with everything open
    ada.page.get_by_role("button", name="Look back").click()
    ada.page.wait_for_selector(".artichokes")
    ada.page.get_by_label("Everything open").check()
    expect(ada.page.locator(".artichokes").get_by_text("All piles")).to_be_visible()
    ada.shoot(shots / "artichokes-past-wide.png")


def test_an_equal_card_is_meant_where_the_one_touched_has_gone(come: Come, site: Site) -> None:
    """Cards of a kind are counted: the second of two is the first one once the other was played."""
    person = come()
    sockets = Sockets(person)
    person.come_until(HARVEST, lambda: person.play_now("abandonallartichokes"))
    lay_out(
        site,
        [person],
        hands=[["onion", "onion", "eggplant", A, A, A], [A, A]],
        decks=[[A] * 5, [A] * 5],
        discards=[[], []],
        row=["corn", "beet", "peas"],
        stack=["potato"] * 12,
    )
    in_row(person, "corn").click()
    phase(person, "play")
    sockets.orders.clear()

    sockets.holding = {"ack", "state"}
    in_hand(person, "onion", 1).click()
    in_hand(person, "onion", 2).click(force=True)
    sockets.release()
    person.until("p.view.played === 1 && p.moves !== null")
    expect(in_hand(person, "onion", 2)).to_have_count(0)
    expect(in_hand(person, "onion", 1)).to_have_attribute("aria-pressed", "true")
    assert len(sockets.orders) == 1
    bar(person, "Put back").click()

    # two artichokes are touched, one of which the eggplant composts: the other one is laid aside once
    sockets.holding = {"ack", "state"}
    in_hand(person, "eggplant").click()
    for number in (1, 2):
        in_hand(person, A, number).click(force=True)
    sockets.release()
    phase(person, "eggplant_pass")
    expect(in_hand(person, A, 1)).to_have_attribute("aria-pressed", "true")
    expect(bar(person, "Pass these two")).to_have_attribute("aria-disabled", "true")


# Presses "Take back", and again as soon as it is there anew, or ``pause`` ms later.
UNDO_AGAIN = """async ([how, pause]) => {
  const { page } = document.querySelector("parlour-table");
  const undo = () => page.parts.bar.querySelector("[data-key=undo]");
  const press = () => {
    const { x, y, width, height } = undo().getBoundingClientRect();
    const where = { clientX: x + width / 2, clientY: y + height / 2, bubbles: true, pointerType: how };
    if (how === "key") undo().click();
    else {
      undo().dispatchEvent(new PointerEvent("pointerdown", where));
      undo().dispatchEvent(new PointerEvent("click", { ...where, detail: 1 }));
    }
  };
  press();
  while (page.busy || undo() === null) await new Promise((drawn) => requestAnimationFrame(drawn));
  if (pause) await new Promise((wake) => setTimeout(wake, pause));
  press();
  return page.under !== null;
}"""


@pytest.mark.parametrize("how", ["touch", "mouse", "key"])
def test_a_second_press_takes_back_more_only_where_it_is_meant(come: Come, how: str) -> None:
    person = come()
    person.come_until(
        f"{HARVEST} && p.view.row.includes('broccoli')",
        lambda: person.play_now("abandonallartichokes"),
    )
    in_row(person, "broccoli").click()
    phase(person, "play")
    in_hand(person, "broccoli").click()
    person.until("p.view.played === 1 && p.moves !== null")
    assert not person.page.evaluate(UNDO_AGAIN, [how, 0])
    assert person.read("p.view.played") == 0
    phase(person, "play")
    in_hand(person, "broccoli").click()
    person.until("p.view.played === 1 && p.moves !== null")
    person.page.wait_for_function(
        "() => performance.now() - document.querySelector('parlour-table').page.undoneAt > 300"
    )
    assert person.page.evaluate(UNDO_AGAIN, [how, 350])
    phase(person, "harvest")


@pytest.mark.parametrize("late", [("ack", "state"), ("ack",), ("state",)], ids="+".join)
def test_cards_touched_before_the_answer_is_there_are_chosen(
    come: Come, site: Site, late: tuple[str, ...]
) -> None:
    """Whichever of answer and state comes late, no touch is lost, and none sends a second move."""
    person = come()
    sockets = Sockets(person)
    person.come_until(HARVEST, lambda: person.play_now("abandonallartichokes"))
    lay_out(
        site,
        [person],
        hands=[["potato", "eggplant", A, A, A], [A, A]],
        decks=[[A] * 5, [A] * 5],
        discards=[[], []],
        row=["corn", "beet", "peas"],
        stack=["potato"] * 12,
    )
    sockets.orders.clear()

    sockets.holding = set(late)
    in_row(person, "corn").click()
    in_hand(person, "potato").click(force=True)  # which the next question asks about
    sockets.release()
    phase(person, "play")
    expect(in_hand(person, "potato")).to_have_attribute("aria-pressed", "true")
    expect(bar(person, "Put back")).to_be_visible()
    assert len(sockets.orders) == 1
    bar(person, "Put back").click()

    sockets.holding = set(late)
    in_hand(person, "eggplant").click()
    in_hand(person, A, 1).click(force=True)
    in_hand(person, A, 2).click(force=True)
    sockets.release()
    phase(person, "eggplant_pass")
    expect(bar(person, "Pass these two")).not_to_have_attribute("aria-disabled", "true")
    assert len(sockets.orders) == 2
    bar(person, "Pass these two").click()
    phase(person, "play")
    assert len(sockets.orders) == 3


def test_a_game_against_two_bots_by_keyboard(come: Come, site: Site, shots: Path) -> None:
    person = come(reduced_motion="reduce", color_scheme="dark")

    def come_to_a_table() -> None:
        person.post(
            "/tables/new/?game=abandonallartichokes&players=3",
            game="abandonallartichokes",
            players="3",
            fill="1",
        )
        person.see_table()

    person.come_until(HARVEST, come_to_a_table)
    lay_out(
        site,
        [person],
        hands=[["onion", A, A], [A, A], [A, A]],
        decks=[[A] * 5, [A] * 5, [A] * 5],
        discards=[[], [], []],
        row=["beet", "carrot", "broccoli", "corn", "leek"],
        stack=["potato"] * 12,
    )
    keys = person.page.keyboard

    # one tab stop for the row and one for the hand, arrows inside; Shift and an arrow arrange the hand
    tab_to(person, lambda key: key == "row:beet.1")
    keys.press("ArrowRight")
    person.has_focus("row:carrot.1")
    keys.press("Enter")
    phase(person, "play")
    in_hand(person, "onion").focus()
    keys.press("Shift+ArrowRight")
    order = "cards => cards.map(card => card.dataset.key)"
    shown = person.page.locator(".hand .card")
    becomes(lambda: shown.evaluate_all(order)[:2], [f"hand:{A}.1", "hand:onion.1"])
    person.has_focus("hand:onion.1")
    keys.press("Enter")
    phase(person, "onion_target")
    no_violations(person, "whom, in the dark")
    person.shoot(shots / "artichokes-whom-wide-dark.png")
    tab_to(person, lambda key: key.startswith("seat:"))
    keys.press("ArrowRight")
    target = person.focused().split(":")[1]
    keys.press("Enter")
    phase(person, "play")
    assert person.read(f"p.view.discard_tops[{target}]") == "onion"
    keys.press("1")  # ends the turn; the bots play
    person.until("p.moves !== null && p.view.number >= 4 && p.view.phase === 'harvest'")

    # carrot ends the turn by itself, and the hand drawn wins
    lay_out(
        site,
        [person],
        hands=[["carrot", A, A], [A], [A]],
        decks=[GREEN, [A] * 5, [A] * 5],
        discards=[[], [], []],
        row=["broccoli"],
        stack=["potato"],
    )
    no_violations(person, "in the dark")
    tab_to(person, lambda key: key == "row:broccoli.1")
    keys.press("Enter")
    phase(person, "play")
    in_hand(person, "carrot").focus()
    keys.press("Enter")
    person.until("p.status === 'finished'")
    person.says("You draw a hand without artichokes and win.")


def test_rhubarb_lays_a_new_row_and_harvests_from_it(come: Come, site: Site, shots: Path) -> None:
    person = come(reduced_motion="reduce")

    def come_to_a_table() -> None:
        person.page.goto(f"{site.url}/tables/new/?game=abandonallartichokes&players=2&fill=1")
        person.page.locator("details.options > summary").click()
        person.page.get_by_label("Rhubarb").check()
        with person.page.expect_navigation():
            person.page.get_by_role("button", name="Fill with bots and start now").click()
        person.see_table()

    person.come_until(HARVEST, come_to_a_table)
    lay_out(
        site,
        [person],
        hands=[["rhubarb", A, A], [A, A]],
        decks=[[A] * 5, [A] * 5],
        discards=[[], []],
        row=["beet", "carrot", "broccoli", "corn", "leek"],
        stack=["onion", "peas", "pepper", "potato", "beet", "corn"],
        compost=[],
    )
    in_row(person, "leek").click()
    phase(person, "play")
    in_hand(person, "rhubarb").click()
    phase(person, "rhubarb_harvest")
    person.says("harvest a card from the new garden row.")
    row = person.payload()["view"]["row"]
    assert "carrot" not in row, "the old row went under the stack"
    person.shoot(shots / "artichokes-rhubarb-wide.png")
    no_violations(person, "rhubarb")
    expect(bar(person, "Take back")).to_have_count(0)
    in_row(person, row[0]).click()
    phase(person, "play")
    assert row[0] in person.payload()["view"]["hand"]
    assert person.payload()["view"]["compost"]["count"] == 1
