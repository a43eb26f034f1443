"""dnup in real browsers: every kind of action by mouse, by thumb and by keys; to its end with people and with bots."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.browser.tables import NARROW, Person, change_table, no_violations, tab_to, walk_hand
from tests.site import Site, becomes

Come = Callable[..., Person]

# whoever is asked first holds 6/1 6/2 3/9 4/8, the other 6/7 7/3 3/8; who is out first now wins
PREPARED = """
snapshot = json.loads(table.snapshot)
state = snapshot["state"]
first = state["turn"]
state["hands"] = [[26, -18, 19], [26, -18, 19]]
state["hands"][first] = [-2, -12, 20, 23]
state["aside"], state["points"] = [1, 3, 4, 5, 11], [2, 2]
table.snapshot = json.dumps(snapshot)
table.save()
"""
LAST_ROUND = """
snapshot = json.loads(table.snapshot)
snapshot["state"]["points"] = [3] * len(snapshot["state"]["points"])
table.snapshot = json.dumps(snapshot)
table.save()
"""
COUNT_TURNS = """
window.turned = 0;
const animate = Element.prototype.animate;
Element.prototype.animate = function (frames, options) {
  if (frames[0].rotate) window.turned += 1;
  return animate.call(this, frames, options);
};
"""


def prepare(site: Site, people: list[Person], code: str) -> None:
    change_table(site, people[0].table, code)
    for person in people:
        person.page.reload()
        person.see_table()


def card(person: Person, name: str) -> Any:
    return person.page.locator(f".hand [data-key={name}]")


def button(person: Person, name: str) -> Any:
    return person.page.locator(".bar").get_by_role("button", name=name)


def other_set(person: Person) -> Any:
    return person.page.locator("button.spot[data-key^=set-]")


def is_card(key: str) -> bool:
    return key.startswith("d") and key[1:].isdigit()


def hand_of(person: Person) -> list[str]:
    return [f"{card['up']}/{card['down']}" for card in person.payload()["view"]["hand"]]


def play_on(person: Person, choose: Callable[[str], None], send: Callable[[str], None]) -> None:
    """One turn: the largest set that may be played, else the hand is turned."""
    payload = person.payload()
    actions = [item["action"] for item in payload["moves"]["items"]]
    plays = [action for action in actions if action["type"] == "play"]
    if plays:
        for name in max(plays, key=lambda action: len(action["cards"]))["cards"]:
            choose(name)
        send("main")
    else:
        send("more-rotate")
    person.until_taken(payload["ply"])


def test_more_moves_than_are_listed_can_all_be_chosen(come: Come, site: Site) -> None:
    """Seven 2s make more sets than a page is told of: the pair of 3s after them can be played all the same."""
    person = come(reduced_motion="reduce")
    person.play_now("dnup")
    person.until("p.moves !== null")
    you, seats = person.payload()["you"], len(person.payload()["seats"])
    hands = [[26]] * seats
    hands[you] = [8, 9, 10, 11, 12, 13, 14, 19, 20]
    laid = [{"owner": (you + 1) % seats, "cards": [24]}]
    code = f"snapshot['state'].update(hands={hands}, sets={laid})"
    code = f"snapshot = json.loads(table.snapshot)\n{code}\ntable.snapshot = json.dumps(snapshot)\n"
    prepare(site, [person], f"{code}table.save()\n")
    assert person.read("p.moves.total > p.moves.items.length")
    for name in ("d19", "d20"):
        card(person, name).click()
    expect(button(person, "Play a pair of 3s")).to_be_enabled()


CROWDED = """
snapshot = json.loads(table.snapshot)
state = snapshot["state"]
me = state["turn"]
state["hands"] = [list(range(20 + 4 * seat, 24 + 4 * seat)) for seat in range(5)]
state["hands"][me] = list(range(1, held + 1))
state["sets"] = [{"owner": (me + ahead) % 5, "cards": [card]} for ahead, card in ((1, 18), (4, 19))]
state["discard"] = [n for n in range(held + 1, 41) if n not in (18, 19) and not 20 <= n < 40]
state["discard"] += list(range(20 + 4 * me, 24 + 4 * me))
state["aside"] = []
table.snapshot = json.dumps(snapshot)
table.save()
"""


def test_a_phone_shows_five_players_and_a_full_hand(come: Come, site: Site, shots: Path) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True, reduced_motion="reduce")
    page = person.page
    page.goto(f"{site.url}/tables/new/?game=dnup&players=5")
    page.locator("details.options > summary").click()
    page.get_by_label("Rules", exact=True).select_option("published rules")
    with page.expect_navigation():
        page.get_by_role("button", name="Fill with bots and start now").click()
    person.see_table()
    person.until("p.moves !== null")
    for held, rows in ((9, 1), (10, 2)):
        prepare(site, [person], f"held = {held}\n{CROWDED}")
        tops = page.locator(".hand .card").evaluate_all("(all) => all.map((one) => one.offsetTop)")
        assert len(tops) == held
        assert max(tops) - min(tops) > 30 if rows == 2 else max(tops) - min(tops) < 20
        bar, last = (
            page.locator(".bar").bounding_box(),
            page.locator(".hand .card").last.bounding_box(),
        )
        assert bar is not None
        assert last is not None
        assert last["y"] + last["height"] <= bar["y"]
    person.shoot(shots / "dnup-crowded-narrow.png")

    # what can be done with a set is said below its cards, and covers no value
    low, word = other_set(person).first.locator(".card"), page.locator(".spot .word").first
    card_box, word_box = low.bounding_box(), word.bounding_box()
    assert card_box is not None
    assert word_box is not None
    assert word_box["y"] >= card_box["y"] + card_box["height"] - 1


def test_two_browsers_take_every_action_and_play_to_the_end(
    come: Come, site: Site, shots: Path
) -> None:
    ada = come(reduced_motion="reduce")
    bob = come(viewport=NARROW, has_touch=True, reduced_motion="reduce")
    url = ada.open_table("dnup", "live-15")
    bob.join(url)
    people = [ada, bob]
    for person in people:
        person.see_table()
    prepare(site, people, PREPARED)
    if ada.payload()["moves"] is None:  # by mouse at 1280, by thumb at 390
        people.reverse()
        for person, size in zip(people, ({"width": 1280, "height": 800}, NARROW), strict=True):
            person.page.set_viewport_size(size)
    first, second = people
    name = {person: person.read("p.seats[p.you].name") for person in people}

    # a set, chosen card by card: a pair would do, one card is put back and played alone
    first.says("Your turn: play a set, or turn your hand round.")
    expect(button(first, "Play")).to_have_attribute("aria-disabled", "true")
    card(first, "d02").click()
    card(first, "d12").click()
    expect(button(first, "Play a pair of 6s")).to_be_enabled()
    card(first, "d12").click()
    first.shoot(shots / "dnup-start-wide.png")
    button(first, "Play a single 6").click()

    # add: the card, then the set; what does not fit says why
    second.until("p.moves !== null")
    card(second, "d18").click()
    other_set(second).click(force=True)
    second.says("Not allowed: only a card that shows 6 can be added here")
    card(second, "d26").click()
    second.shoot(shots / "dnup-middle-narrow.png")
    assert second.page.evaluate("document.documentElement.scrollWidth") <= 390
    other_set(second).click()

    # the pair is discarded as its owner's turn begins; turn the hand
    first.until("p.moves !== null")
    assert sorted(first.payload()["view"]["hand_sizes"]) == [2, 3]
    expect(first.page.locator(".pile .caption").first).to_have_text("2 discarded")
    button(first, "Turn hand").click()
    second.until("p.moves !== null")
    becomes(lambda: hand_of(first), ["2/6", "9/3", "8/4"])
    expect(second.page.locator(".did[data-last]")).to_have_text("turned the hand")

    # a card is dragged onto one's place
    card(second, "d18").drag_to(second.page.locator("[data-key=own-slot]"))

    # what is too low says why; the set is taken by key, and comes turned round
    first.until("p.moves !== null")
    card(first, "d12").click(force=True)
    first.says(f"it must be higher than a single 7 of {name[second]}.")
    tab_to(first, lambda key: key.startswith("set-"))
    first.page.keyboard.press("Enter")
    expect(other_set(first)).to_have_attribute("aria-pressed", "true")
    expect(first.page.locator(".hint")).to_have_text("Turned round you get 3/7.")
    no_violations(first, "a set that is to be taken")
    first.page.emulate_media(color_scheme="dark")
    no_violations(first, "a set that is to be taken, dark")
    first.shoot(shots / "dnup-take-wide-dark.png")
    button(first, "Take a single 7 from").click()
    second.until("p.moves !== null")
    becomes(lambda: hand_of(first), ["2/6", "9/3", "8/4", "3/7"])
    expect(first.page.locator(".hand .fresh")).to_have_count(1)

    # somebody looks on while the last card is played, by a tap on one's place
    looker = come(viewport=NARROW)
    looker.page.goto(url)
    looker.see_table()
    expect(looker.page.locator(".zone")).to_have_count(2)
    expect(looker.page.locator(".hand")).to_have_count(0)
    no_violations(looker, "dnup, for a spectator")
    looker.shoot(shots / "dnup-spectator-narrow.png")
    card(second, "d19").click()
    second.page.locator("[data-key=own-slot]").click()
    for person in (*people, looker):
        person.mood("done")
    first.shoot(shots / "dnup-end-wide.png")
    second.shoot(shots / "dnup-end-narrow.png")


def test_a_round_against_a_bot_by_keyboard_alone(come: Come, site: Site, shots: Path) -> None:
    person = come(reduced_motion="reduce")
    person.play_now("dnup")
    person.until("p.moves !== null")
    prepare(site, [person], LAST_ROUND)

    def choose(name: str) -> None:
        tab_to(person, is_card)
        walk_hand(person, name)
        person.page.keyboard.press("Enter")
        expect(card(person, name)).to_have_attribute("aria-pressed", "true")

    def send(key: str) -> None:
        tab_to(person, lambda focused: focused in ("main", "more-rotate"))
        while person.focused() != key:
            person.page.keyboard.press("ArrowRight")
        person.page.keyboard.press("Enter")

    moved = False
    while True:
        person.until("p.moves !== null || p.status !== 'playing'")
        if person.read("p.status") != "playing":
            break
        if not moved:  # one's own order, by keys
            shown = person.page.locator(".hand .card")
            first = shown.first.get_attribute("data-key") or ""
            tab_to(person, is_card)
            walk_hand(person, first)
            person.page.keyboard.press("Shift+ArrowRight")
            expect(shown.nth(1)).to_have_attribute("data-key", first)
            person.has_focus(first)
            moved = True
        play_on(person, choose, send)
    person.mood("done")
    assert moved

    # and back through it, with everything open
    person.page.keyboard.press("l")
    person.page.keyboard.press("ArrowLeft")
    person.mood("past")
    person.page.get_by_label("Everything open").check()
    expect(person.page.locator(".zone .open")).not_to_have_count(0)
    person.shoot(shots / "dnup-past-wide.png")


def test_cards_turn_once_and_not_where_motion_is_reduced(come: Come) -> None:
    for motion in ("no-preference", "reduce"):
        person = come(reduced_motion=motion)
        person.page.add_init_script(COUNT_TURNS)
        person.play_now("dnup")
        person.until("p.moves !== null")
        before, ply = hand_of(person), person.ply()
        turned = person.page.evaluate("window.turned")
        button(person, "Turn hand").click()
        person.until(f"p.ply > {ply}")
        expect(card(person, person.read("p.view.hand[0].id"))).to_be_visible()
        after = ["/".join(reversed(face.split("/"))) for face in before]
        assert hand_of(person) == after
        turns = len(after) if motion == "no-preference" else 0
        becomes(lambda person=person: person.page.evaluate("window.turned"), turned + turns)
