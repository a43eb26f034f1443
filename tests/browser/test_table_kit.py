"""The kit of the table page, module by module, in a real browser."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.browser.tables import WISHED_AFTER, Person
from tests.chromium import Contexts, let_wait
from tests.site import Site, becomes


@pytest.fixture
def person(chromium: Contexts, site: Site) -> Iterator[Person]:
    found = Person(chromium, site)
    found.page.goto(f"{site.url}/about/")
    yield found
    found.close()


def run(person: Person, module: str, body: str) -> Any:
    """What ``body`` returns, with the module as ``kit``."""
    return person.page.evaluate(
        f"async () => {{ const kit = await import('/static/games/kit/{module}.js'); {body} }}"
    )


def test_time_left_is_said_in_words_or_digits(person: Person) -> None:
    seconds = [3 * 86400, 2 * 86400, 86400, 7200, 7199, 1200, 1199, 61, 10, 9.96, 0.04, -5]
    assert run(person, "clock", f"return {seconds}.map(kit.timeLeft);") == [
        "3 days",
        "2 days",
        "24 hours",
        "2 hours",
        "119 min",
        "20 min",
        "19:59",
        "1:01",
        "0:10",
        "0:09.9",
        "0:00.0",
        "0:00.0",
    ]


def test_messages_name_people_and_cards_and_speak_to_the_reader(person: Person) -> None:
    message = """{
      text: "{seat} passes {cards} to {seat_to}.", you: "You pass {cards} to {seat_to}: {why} {left}.",
      params: {seat: 0, cards: ["QS", "10H.2"], seat_to: 1, why: {text: "{n} points", params: {n: -3}}},
    }"""
    told = f"const told = you => kit.messageText({message}, {{names: ['Ada', 'Bob'], you}});"
    assert run(person, "messages", f"{told} return [told(1), told(0)];") == [
        "Ada passes Queen of spades 10 of hearts to Bob.",
        "You pass Queen of spades 10 of hearts to Bob: −3 points {left}.",
    ]


def test_texts_enter_the_page_as_texts(person: Person) -> None:
    body = "const node = kit.el('p', {}, '<b>bold</b>'); return [node.children.length, node.textContent];"
    assert run(person, "dom", body) == [0, "<b>bold</b>"]


def test_a_redraw_keeps_what_still_fits(person: Person) -> None:
    """Keyed nodes stay the same nodes, with their focus; the others are made equal."""
    body = """
      const box = document.body.appendChild(kit.el("div"));
      const draw = (...keys) => kit.render(box, keys.map((key) =>
        kit.el("button", {"data-key": key, "aria-label": `${key} of ${keys.length}`}, key)));
      draw("a", "b", "c");
      const [a, b, c] = box.children;
      b.focus();
      draw("b", "c", "d");
      return [box.children[0] === b, document.activeElement === b, b.getAttribute("aria-label"),
              a.isConnected, box.children[1] === c, box.textContent];
    """
    assert run(person, "dom", body) == [True, True, "b of 3", False, True, "bcd"]


@pytest.mark.parametrize(
    ("cards", "row"), [(0, 1), (1, 1), (7, 7), (8, 4), (9, 5), (13, 7), (14, 7), (15, 5)]
)
def test_a_hand_on_a_phone_has_equal_rows_of_at_most_seven(
    person: Person, cards: int, row: int
) -> None:
    assert run(person, "cards", f"return kit.rowLength({cards});") == row


def test_a_group_is_one_tab_stop_and_keeps_its_place(person: Person) -> None:
    person.page.evaluate(
        """async () => {
          const {el, render} = await import('/static/games/kit/dom.js');
          const {Roving} = await import('/static/games/kit/roving.js');
          const box = document.body.appendChild(el("div"));
          const roving = new Roving(box);
          window.draw = (...keys) => {
            roving.hold();
            render(box, el("div", {"data-roving": true, "data-key": "group"},
              keys.map((key) => el("button", {"data-key": key}, key))));
            return roving.restore();
          };
        }"""
    )
    page = person.page
    stops = "() => [...document.querySelectorAll('[data-roving] [tabindex=\"0\"]')].map(n => n.dataset.key)"
    page.evaluate("() => window.draw('a', 'b', 'c', 'd')")
    becomes(lambda: page.evaluate(stops), ["a"])
    page.locator("[data-key=a]").focus()
    for key in ("ArrowRight", "ArrowRight"):
        page.keyboard.press(key)
    becomes(lambda: (person.focused(), page.evaluate(stops)), ("c", ["c"]))
    page.evaluate("() => window.draw('a', 'b', 'd')")  # what had the focus is gone
    becomes(lambda: (person.focused(), page.evaluate(stops)), ("d", ["d"]))
    page.keyboard.press("Home")
    person.has_focus("a")
    page.keyboard.press("End")
    person.has_focus("d")
    assert page.evaluate("() => window.draw()") is False  # nothing is left to hold the focus


def test_a_wish_is_granted_once_for_each_question(person: Person) -> None:
    """What was taken back is asked again, and stays with its player; nor is anything done for who is choosing."""
    let_wait(person.page, WISHED_AFTER, 50)
    person.page.reload()
    body = """
      class Wishing extends kit.GameBoard {
        draw() {}
        questionOf(now) { return now.view.turn; }
        byItself() { return {type: "go", turn: this.now.view.turn}; }
      }
      customElements.define("wishing-board", Wishing);
      const board = document.body.appendChild(new Wishing());
      const done = [];
      board.addEventListener("game-wished", (event) => done.push(event.detail.turn));
      const seats = [], none = {items: [], complete: true, total: 0, reasons: [], refused: {}, prompt: null};
      const ask = async (turn, more = {}, does = () => {}) => {
        board.situation = {table: "t", view: {turn}, moves: none, you: 0, seats, status: "playing", direct: true, wishing: true, ...more};
        does();
        await new Promise((past) => setTimeout(past, 150)); // after the board's own timer
      };
      await ask(1);
      await ask(2, {moves: null});
      await ask(1);
      await ask(3, {locked: true});
      await ask(4, {}, () => (board.chosen = {}));
      await ask(5, {past: true});
      await ask(6, {wishing: false});
      await ask(7, {}, () => board.append(Object.assign(document.createElement("i"), {className: "dragged"})));
      done.push("dropped");
      board.replaceChildren();
      await new Promise((past) => setTimeout(past, 150));
      const said = [];
      board.addEventListener("game-refusal", (event) => said.push(event.detail));
      board.situation = {...board.now, locked: true, busy: true}; // what the wish sent is under way
      board.heed("x", () => done.push("picked"));
      board.situation = {...board.now, view: {turn: 8}, locked: false, busy: false};
      return [done, said];
    """
    done, said = run(person, "board", body)
    assert done == [1, "dropped", 7]
    assert said == ["What you wish was done by itself just now."]  # nor is a click kept for later


def test_pieces_are_measured_before_the_first_of_them_travels(person: Person) -> None:
    """A piece that has begun to travel would have the browser lay out the page anew for the next."""
    body = """
      const box = document.body.appendChild(kit2.el("div", {}, [0, 1, 2].map(
        (n) => kit2.el("p", {"data-piece": n, "data-travels": true}, n))));
      box.style.setProperty("--move-time", "150ms");
      const calls = [];
      for (const name of ["getBoundingClientRect", "animate"]) {
        const does = Element.prototype[name];
        Element.prototype[name] = function (...all) { calls.push(name); return does.apply(this, all); };
      }
      const before = kit.whereabouts(box);
      box.prepend(box.lastChild);
      calls.length = 0;
      kit.travel(box, before);
      return calls;
    """
    body = f"const kit2 = await import('/static/games/kit/dom.js'); {body}"
    assert run(person, "motion", body) == ["getBoundingClientRect"] * 3 + ["animate"] * 3
