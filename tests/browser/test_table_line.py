"""The line to the server: lost answers, dead sockets, reloads. A move is taken once and never lost."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.tables import Person, Sockets
from tests.chromium import Contexts
from tests.site import Site


@pytest.fixture
def person(chromium: Contexts, site: Site) -> Person:
    """At a table of Nibble, the first to take."""
    return Person(chromium, site)


def take_one(person: Person) -> int:
    """Take a block; returns the ply before."""
    person.until("p.moves !== null")
    ply = person.ply()
    person.page.locator(".block.can").first.click()
    person.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    return ply


def own_takes(person: Person) -> int:
    """How many moves of one's own the server has, asked anew."""
    payload = person.payload()
    rows = person.page.request.get(f"{person.site.url}/tables/{payload['id']}/state").json()["log"]
    return sum(row["kind"] == "act" and row["seat"] == payload["you"] for row in rows)


def wait_until_sent(person: Person) -> None:
    key = f"parlour:{person.table}:unsent"
    person.page.wait_for_function("(key) => sessionStorage.getItem(key) === null", arg=key)


def test_a_move_whose_answer_was_lost_is_sent_again_and_taken_once(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    before = own_takes(person)
    sockets.lose_next_ack = True
    ply = take_one(person)
    person.until(f"p.ply > {ply}")
    wait_until_sent(person)
    assert len(sockets.orders) > len(set(sockets.orders)) == 1
    assert own_takes(person) == before + 1


def test_frames_that_come_twice_do_no_harm(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    sockets.twice = True
    for _ in range(2):
        ply = take_one(person)
        person.until(f"p.ply > {ply}")
    person.until("p.moves !== null")
    lines = person.page.locator(".log li").count()
    assert lines == person.read("document.querySelector('parlour-table').page.log.rows.size")
    assert person.errors == []


def test_frames_in_another_order_leave_no_gap(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    sockets.hold_next_state = True
    ply = take_one(person)
    person.until(f"p.ply > {ply + 1} && p.moves !== null")
    assert sockets.held is None
    rows = "[...document.querySelector('parlour-table').page.log.rows.keys()].sort((a, b) => a - b)"
    person.until(f"{rows}.length === p.ply + 1")
    assert person.read(rows) == list(range(person.ply() + 1))


def test_states_that_come_backwards_leave_no_gap(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    ply = person.ply()
    sockets.holding = {"state"}
    take_one(person)
    person.page.wait_for_function(
        "async ([door, ply]) => (await (await fetch(door)).json()).ply >= ply",
        arg=[f"{person.site.url}/tables/{person.table}/state", ply + 2],
    )
    for _ in range(200):
        if sum(json.loads(message)["ply"] > ply for _, message in sockets.kept) > 1:
            break
        person.page.wait_for_timeout(50)
    sockets.release(backwards=True)
    person.until("p.moves !== null")
    rows = "[...document.querySelector('parlour-table').page.log.rows.keys()].sort((a, b) => a - b)"
    person.until(f"{rows}.length === p.ply + 1")
    assert person.read(rows) == list(range(person.ply() + 1))


def test_without_sockets_the_game_goes_on_over_http(person: Person) -> None:
    sockets = Sockets(person)
    sockets.closed = True
    person.play_now("nibble")
    line = "document.querySelector('parlour-table').page.line"
    person.page.wait_for_function(f"() => {line}.failures > 1 && {line}.up")  # it turned to HTTP
    for _ in range(2):
        ply = take_one(person)
        person.until(f"p.ply > {ply}")


def test_a_move_not_sent_is_said_so_and_survives_a_reload(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    before = own_takes(person)
    sockets.deaf = True
    take_one(person)
    person.says("Not sent: Take 1 ")
    expect(person.page.get_by_role("button", name="Try now")).to_be_visible()
    assert own_takes(person) == before
    sockets.deaf = False
    person.page.reload()
    person.see_table()
    wait_until_sent(person)
    person.until("p.ply > 1")
    assert own_takes(person) == before + 1


def test_waking_up_asks_for_what_was_missed(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    sockets.closed = True
    person.page.route("**/state?*", lambda route: route.abort())
    person.page.evaluate("() => document.querySelector('parlour-table').page.line.socket.close()")
    person.says("No connection.")
    person.page.locator(".block.can").first.click()
    expect(person.page.locator("[data-do=act]")).to_have_attribute("aria-disabled", "true")
    sockets.closed = False
    person.page.evaluate("() => dispatchEvent(new Event('online'))")
    person.mood("turn")


CLICK_AS_THE_LINE_BREAKS = """() => new Promise((done) => {
  const { line } = document.querySelector("parlour-table").page;
  line.addEventListener("line", () => (document.querySelector("[data-do=act]").click(), done()), { once: true });
  line.socket.close();
})"""


def test_a_click_in_the_moment_in_which_the_line_breaks_is_kept_and_sent(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    person.page.locator(".block.can").first.click()
    sockets.closed = True
    person.page.route("**/state?*", lambda route: route.abort())
    before = own_takes(person)
    person.page.evaluate(CLICK_AS_THE_LINE_BREAKS)
    person.says("Not sent: Take 1 ")
    sockets.closed = False
    person.page.evaluate("() => dispatchEvent(new Event('online'))")
    wait_until_sent(person)
    assert own_takes(person) == before + 1


def harvest_first(person: Person) -> None:
    """At a table of Artichokes where no eggplant of a bot asks for two cards before."""
    person.come_until("p.view.phase === 'harvest'", lambda: person.play_now("abandonallartichokes"))


LISTEN = """() => {
  window.said = [];
  const status = document.querySelector(".status");
  new MutationObserver(() => window.said.push(status.textContent)).observe(status, {
    childList: true, characterData: true, subtree: true,
  });
}"""


def heard(person: Person, words: str) -> None:
    """Wait until the status line has said this, be it for a moment, since ``LISTEN``."""
    person.page.wait_for_function("(words) => said.some((one) => one.includes(words))", arg=words)


def main_button(person: Person) -> Locator:
    return person.page.locator(".bar [data-key=main]")


def test_a_click_while_a_move_is_under_way_is_answered_and_sends_nothing(person: Person) -> None:
    sockets = Sockets(person)
    harvest_first(person)
    person.page.evaluate(LISTEN)
    cards = person.page.locator("[data-key^='row:'].on")
    keys = cards.evaluate_all("cards => cards.map(card => card.dataset.key)")
    first = cards.nth(0)
    kind = keys[0].split(".")[0]
    second = next(key for key in keys if key.split(".")[0] != kind)  # it keeps its name
    sockets.holding = {"ack", "state"}
    first.dblclick()  # the second click is no other wish
    person.page.locator(f"[data-key='{second}']").click(force=True)
    expect(main_button(person)).to_have_attribute("aria-busy", "true")
    heard(person, "Wait: your move is being sent. What you choose meanwhile comes after it.")
    sockets.release()
    person.until("p.view.phase === 'play'")
    person.says("Not allowed: choose a raised card to play it.")  # one harvests once
    wait_until_sent(person)
    assert len(set(sockets.orders)) == 1
    assert own_takes(person) == 1


# Clicks what has the key again and again, until the status line has words for it: how many times, or null.
CLICK_ON = """async (key) => {
  for (let times = 1; times <= 30; times += 1) {
    document.querySelector(`[data-key='${key}']`).click();
    await new Promise((wake) => setTimeout(wake, 100));
    if (said.some((one) => one.includes("Wait: your move is being sent."))) return times;
  }
  return null;
}"""


@pytest.mark.parametrize("late", ["ack", "ack+state"])
def test_who_goes_on_clicking_hears_why_nothing_happens(person: Person, late: str) -> None:
    """Nobody need stop for the words; nor is the board without any that shows the next question already."""
    sockets = Sockets(person)
    harvest_first(person)
    person.page.evaluate(LISTEN)
    cards = person.page.locator("[data-key^='row:'].on")
    second = cards.nth(1).get_attribute("data-key")
    sockets.holding = set(late.split("+"))
    cards.nth(0).click()
    if late == "ack":
        person.until("p.view.phase === 'play'")
        second = person.page.locator(".hand [data-key]").first.get_attribute("data-key")
    assert person.page.evaluate(CLICK_ON, second)
    sockets.release()
    wait_until_sent(person)
    person.page.wait_for_function("() => !document.querySelector('parlour-table').page.busy")
    expect(person.status).not_to_contain_text("Wait:")
    assert own_takes(person) == 1


def test_what_was_sent_is_not_said_to_be_put_back_since_others_chose_meanwhile(
    come: Callable[..., Person],
) -> None:
    """On a slow line the choice of another comes while one's own is under way."""
    ada, bob = come(), come()
    sockets = Sockets(ada)
    bob.join(ada.open_table("ninjan", "1d"))
    for person in (ada, bob):
        person.page.goto(bob.page.url)
        person.until("p.moves !== null")
    ada.page.evaluate(LISTEN)
    ada.page.locator(".hand .card").first.click()
    sockets.deaf = True
    main_button(ada).click()
    ply = ada.ply()
    bob.page.locator(".hand .card").first.click()
    main_button(bob).click()
    ada.until(f"p.ply > {ply}")
    sockets.deaf = False
    ada.page.evaluate("() => document.querySelector('parlour-table').page.line.retry()")
    wait_until_sent(ada)
    ada.until("p.view.phase === 'resolve' || p.view.round > 1")
    ada.page.wait_for_function("() => document.querySelector('parlour-table').page.under === null")
    assert not any("put back" in words for words in ada.page.evaluate("() => said"))


def test_escape_forgets_what_was_clicked_meanwhile(person: Person) -> None:
    sockets = Sockets(person)
    harvest_first(person)
    cards = person.page.locator("[data-key^='row:'].on")
    sockets.holding = {"ack", "state"}
    second = cards.nth(1).get_attribute("data-key")
    cards.nth(0).click()
    person.page.locator(f"[data-key='{second}']").click()
    person.page.keyboard.press("Escape")
    sockets.release()
    person.until("p.view.phase === 'play'")
    person.says("Your turn:")
    assert own_takes(person) == 1


def two_alike(person: Person) -> list[str]:
    """Two blocks of one colour that can be taken, at the first table of Nibble that has such."""
    for _ in range(20):
        person.play_now("nibble")
        person.until("p.moves !== null")
        blocks = person.page.locator(".block.can").evaluate_all(
            "blocks => blocks.map(block => [block.dataset.key, block.dataset.c])"
        )
        for name, colour in blocks:
            alike = [other for other, same in blocks if same == colour and other != name]
            if alike:
                return [name, alike[0]]
    raise AssertionError("No table has two blocks of one colour to take.")


def test_a_click_while_the_last_one_is_checked_comes_after_it(person: Person) -> None:
    sockets = Sockets(person)
    first, second = two_alike(person)
    person.page.evaluate(LISTEN)
    person.page.locator(f"[data-key='{first}']").click()
    sockets.holding = {"checked", "refused"}
    person.page.locator(f"[data-key='{second}']").click()
    person.page.locator(f"[data-key='{first}']").click()  # puts it back
    heard(person, "Wait: what you chose is being checked.")
    expect(person.page.locator(".block.picked")).to_have_count(1)
    sockets.release()
    expect(person.page.locator(f"[data-key='{first}']")).to_have_attribute("aria-selected", "false")
    assert sockets.checks == 1


def test_a_card_clicked_without_a_line_stays_chosen(person: Person) -> None:
    sockets = Sockets(person)
    harvest_first(person)
    sockets.closed = True
    person.page.route("**/state?*", lambda route: route.abort())
    person.page.evaluate("() => document.querySelector('parlour-table').page.line.socket.close()")
    person.says("No connection.")
    person.page.locator("[data-key^='row:'].on").first.click()
    expect(main_button(person)).to_contain_text("Harvest")
    expect(main_button(person)).to_have_attribute("aria-disabled", "true")
    sockets.closed = False
    person.page.evaluate("() => dispatchEvent(new Event('online'))")
    expect(main_button(person)).not_to_have_attribute("aria-disabled", "true")
    assert sockets.orders == []
    main_button(person).click()
    person.until("p.view.phase === 'play'")
    assert own_takes(person) == 1


CHAOS = """
// Every frame both ways is late by up to 90 ms, one in three comes twice, and so they overtake each other.
let seed = 7;
const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
const disturb = (deliver) => {
  for (let copies = random() < 0.34 ? 2 : 1; copies > 0; copies -= 1) setTimeout(deliver, random() * 90);
};
window.WebSocket = class extends WebSocket {
  send(data) {
    disturb(() => this.readyState === WebSocket.OPEN && super.send(data));
  }
  addEventListener(type, listener) {
    super.addEventListener(type, type === "message" ? (event) => disturb(() => listener(event)) : listener);
  }
};
window.neverLeft = true;
"""


def test_a_deal_of_hearts_over_a_line_that_doubles_delays_and_reorders(person: Person) -> None:
    person.page.add_init_script(CHAOS)
    person.play_now("hearts")
    page = person.page
    page.evaluate("() => (window.neverLeft = 'since the deal')")
    for place in range(3):
        page.locator(".hand .card").nth(place).click()
    page.get_by_role("button", name="Pass these three").click()
    for left in range(13, 0, -1):
        person.until(
            f"p.view.phase === 'play' && p.moves !== null && p.view.hand.length === {left}"
            " && !document.querySelector('parlour-table').page.busy"
        )
        page.locator(".hand .card.on").first.click()
        person.until(f"p.view.hand.length < {left} || p.view.hand_number > 1")
    person.until("p.view.results.length === 1")
    wait_until_sent(person)
    assert own_takes(person) == 14  # the pass and thirteen cards, each once
    log = page.request.get(f"{person.site.url}/tables/{person.table}/state").json()
    person.until(f"p.ply >= {log['ply']}")  # the others may have passed for the next hand since
    rows = (
        "[...document.querySelector('parlour-table').page.log.rows.keys()]"
        f".filter(ply => ply <= {log['ply']}).sort((a, b) => a - b)"
    )
    person.until(f"{rows}.length === {len(log['log'])}")
    assert person.read(rows) == [row["ply"] for row in log["log"]]
    assert page.evaluate("window.neverLeft") == "since the deal"
    assert person.errors == []


def test_two_pages_of_one_person_stay_together(person: Person) -> None:
    person.play_now("nibble")
    person.until("p.moves !== null")
    other = person.context.new_page()
    other.goto(person.page.url)
    other.locator(".block.can").nth(1).click()
    expect(other.locator(".bar").get_by_role("button", name="Take 1 ")).to_be_visible()
    ply = take_one(person)
    person.until(f"p.ply > {ply} && p.moves !== null")
    expect(other.locator(".status")).to_contain_text("What you had chosen was put back")
    expect(other.locator(".block.picked")).to_have_count(0)
    expect(other.locator(".log [data-ply]")).to_have_count(
        person.page.locator(".log [data-ply]").count()
    )


def test_a_page_that_slept_over_a_dead_socket_is_fresh_in_a_moment(person: Person) -> None:
    sockets = Sockets(person)
    person.play_now("nibble")
    person.until("p.moves !== null")
    sockets.deaf = True  # what the network does to a phone that sleeps: no close, no sound
    sockets.mute = True
    ply = person.ply()
    with person.context.new_page() as elsewhere:
        elsewhere.goto(person.page.url)
        elsewhere.locator(".block.can").first.click()
        elsewhere.locator(".bar").get_by_role("button", name="Take 1 ").click()
        expect(elsewhere.locator(".log [data-ply]")).not_to_have_count(0)
    assert person.ply() == ply
    sockets.deaf = sockets.mute = False
    sockets.closed = False
    person.page.evaluate("() => document.dispatchEvent(new Event('resume'))")
    person.until(f"p.ply > {ply}")


def test_back_in_the_lobby_nothing_waits_that_does_not(person: Person) -> None:
    person.play_now("nibble")
    person.until("p.moves !== null")
    table = person.table
    page = person.page
    page.goto(person.site.url)
    link = page.locator(f"main a[href*='{table}']").first
    link.click()
    person.see_table()
    page.keyboard.press("?")
    page.get_by_role("button", name="Leave the table").click()
    with page.expect_navigation():
        page.get_by_role("button", name="Leave now").click()
    page.evaluate("() => history.go(-2)")
    page.wait_for_url(f"{person.site.url}/")
    expect(page.locator("main")).to_contain_text("No table waits for you")
