"""Both games played in a real browser: by mouse, by thumb, by keyboard alone, from the list of moves."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from playwright.sync_api import expect

from tests.browser.tables import (
    NARROW,
    Person,
    Sockets,
    change_table,
    no_violations,
    tab_to,
    walk_hand,
)
from tests.site import Site

Come = Callable[..., Person]


# -- hearts -----------------------------------------------------------------------------------


def choose_three(person: Person) -> None:
    for place in range(3):
        person.page.locator(".hand .card").nth(place).click()
    person.page.get_by_role("button", name="Pass these three").click()


def play_first_legal(person: Person) -> None:
    person.page.locator(".hand .card.on").first.click()


def test_four_browsers_play_a_deal_of_hearts_and_one_runs_out_of_time(
    come: Come, site: Site, shots: Path
) -> None:
    people = [come(reduced_motion="reduce") for _ in range(4)]
    host, *others = people
    url = host.open_table("hearts", "live-15")
    table = host.table
    for person in others:
        person.join(url)
    for person in people:
        person.see_table()
    by_seat = {person.payload()["you"]: person for person in people}
    assert sorted(by_seat) == [0, 1, 2, 3]

    # pass, take it back, pass again; nobody sees more than that somebody has chosen
    choose_three(host)
    host.page.get_by_role("button", name="Take back").click()
    host.says("choose three cards")
    for person in people:
        choose_three(person)
    for person in people:
        person.until("p.view.phase === 'play'")

    # title and icon say whose turn it is; one tries a card that may not be played, and is told why
    first = by_seat[host.payload()["pending"][0]]
    expect(first.page).to_have_title("● Your turn – Hearts")
    expect(first.page.locator("link[rel=icon]")).to_have_attribute("href", re.compile("turn"))
    barred = first.page.locator(".hand .card.off")
    if barred.count():
        barred.first.click(force=True)
        first.says("Not allowed:")

    # away from their pages, so that these need not draw it, they play all but the last three tricks
    for person in people:
        person.page.goto("about:blank")
    change_table(site, table, TO_THE_LAST_THREE_TRICKS)
    for person in people:
        person.page.goto(url)
        person.see_table()
    where = "({turn: p.pending[0], ply: p.ply, hand: p.view.hand_number})"
    while (now := first.read(where))["hand"] == 1:
        player = by_seat[now["turn"]]
        player.until(f"p.ply >= {now['ply']} && p.moves !== null")
        play_first_legal(player)
        first.until(f"p.ply > {now['ply']}")
    first.shoot(shots / "table-hearts-play-four.png")
    for person in people:
        person.until("p.view.phase === 'pass' && p.view.results.length === 1")
        expect(person.page.locator(".seats .score")).to_have_count(4)
    assert sum(sum(result["changes"]) for result in host.payload()["view"]["results"]) in (-26, -78)

    # who looks at the table is marked on the seats; chat: said by one, counted as unread by another
    expect(host.page.locator(".seats .here")).to_have_count(3)
    people[1].page.keyboard.press("c")
    people[1].page.keyboard.type("good game <b>all</b>")
    people[1].page.keyboard.press("Enter")
    expect(host.page.get_by_role("tab", name="Chat 1 unread")).to_be_visible()
    host.page.get_by_role("tab", name="Chat").click()
    expect(host.page.locator(".said p").last).to_contain_text("good game <b>all</b>")

    # a clock runs out: the others see that the game plays on for who left, who may come back
    late = others[2]
    name = late.payload()["seats"][late.payload()["you"]]["name"]
    code = f"seat = seats[{name!r}]\nseat.expires_at = timezone.now() - timedelta(seconds=1)\nseat.save()\n"
    change_table(site, host.table, code)
    for person in people[:3]:
        expect(person.page.locator(".seats")).to_contain_text(
            f"{name} left; the game plays for them."
        )
        person.page.keyboard.press("Escape")
        person.page.keyboard.press("l")
    host.shoot(shots / "table-hearts-zombie.png")
    no_violations(host, "a seat that was left")
    late.until(
        "p.view.chosen.length > 0"
    )  # the game passed for them; that cannot be changed by them
    expect(late.page.locator(".hint")).to_have_count(0)
    with late.page.expect_navigation():
        late.page.get_by_role("button", name="Take your seat again").click()
    late.see_table()
    for person in people[:3]:
        expect(person.page.locator(".seats")).not_to_contain_text("left; the game plays")

    # one gets up, in two steps and without a dialog of the browser; somebody who looks on takes over
    seat = host.payload()["you"]
    host.page.get_by_role("button", name="Table and display").click()
    host.page.get_by_role("button", name="Leave the table").click()
    expect(host.page.get_by_role("button", name="Stay", exact=True)).to_be_focused()
    with host.page.expect_navigation():
        host.page.get_by_role("button", name="Leave now").click()
    expect(host.page.locator(".seats")).to_contain_text("You left; the game plays for you.")
    onlooker = come()
    onlooker.page.goto(url)
    onlooker.see_table()
    assert onlooker.payload()["you"] is None
    expect(onlooker.page.locator(".hand")).to_have_count(0)
    with onlooker.page.expect_navigation():
        onlooker.page.get_by_role("button", name="Take this seat").click()
    onlooker.see_table()
    assert onlooker.payload()["you"] == seat
    host.until("p.you === null")


TO_THE_LAST_THREE_TRICKS = """
from tests.browser.furnish import play
play(table, lambda match, asked: sum(map(len, match.state.hands)) == 12)
"""


def test_a_clock_warns_in_colour_and_words(come: Come, site: Site) -> None:
    ada, bob = come(), come()
    url = ada.open_table("nibble", "live-5")
    bob.join(url)
    for person in (ada, bob):
        person.see_table()
    mover = ada if ada.payload()["moves"] else bob
    for left, mark, said in (
        (63, "data-low", "One minute left."),
        (12, "data-last", "Ten seconds left."),
    ):
        code = "seat = next(seat for seat in seats.values() if seat.expires_at)\n"
        code += f"seat.expires_at = timezone.now() + timedelta(seconds={left})\nseat.save()\n"
        change_table(site, ada.table, code)
        mover.page.reload()
        mover.see_table()
        expect(mover.page.locator(f".seats .clock[{mark}]")).to_have_count(1)
        mover.says(said)
    expect(mover.page.locator(".seats .clock[data-last]")).to_have_text(re.compile(r"^0:0\d\.\d$"))


def test_the_others_decide_about_who_does_not_answer(come: Come, site: Site) -> None:
    ada, bob = come(), come()
    bob.join(ada.open_table("nibble", "live-5", absence="ask"))
    for person in (ada, bob):
        person.see_table()
    late, other = (ada, bob) if ada.payload()["moves"] else (bob, ada)
    code = "seat = next(seat for seat in seats.values() if seat.expires_at)\n"
    code += "seat.expires_at = timezone.now() - timedelta(seconds=5)\nseat.save()\n"
    change_table(site, ada.table, code)
    other.page.reload()
    other.see_table()
    seats = other.page.locator(".seats")
    expect(seats).to_contain_text("has run out of time.")
    seats.get_by_role("button", name="Let the game play").click()
    expect(seats).to_contain_text("The game plays until")
    seats.get_by_role("button", name="Wait").click()
    seats.get_by_role("button", name="End the game").click()
    with other.page.expect_navigation():
        seats.get_by_role("button", name="End the game").click()
    for person in (other, late):
        person.mood("done")
    assert other.payload()["seats"][other.payload()["you"]]["result"]["rank"] == 1
    expect(other.status.locator("use")).to_have_attribute("href", re.compile("#cup$"))
    expect(late.status.locator("use")).to_have_attribute("href", re.compile("#check$"))
    with other.page.expect_navigation():
        other.page.get_by_role("button", name="Same table again").click()
    with late.page.expect_navigation():
        late.page.get_by_role("button", name="Join the next game").click()
    late.see_table()  # who follows sits down, and both play
    assert late.payload()["you"] is not None


def shorten(person: Person, site: Site) -> None:
    """A game of Hearts that has just begun ends after a hand or two: everybody has few points left."""
    person.until_bots_have_passed()
    change_table(site, person.table, FEW_POINTS)
    person.page.reload()
    person.see_table()


FEW_POINTS = """
snapshot = json.loads(table.snapshot)
snapshot["state"]["scores"] = [12] * 4
table.snapshot = json.dumps(snapshot)
table.save()
"""


def play_hearts(
    person: Person, choose: Callable[[str], None], send: Callable[[], None]
) -> Iterator[str]:
    """Hearts to its end: ``choose`` a card, ``send`` the three of a pass. Yields the phase before each turn."""
    while True:
        person.until("p.moves !== null || p.status !== 'playing'")
        payload = person.payload()
        if payload["status"] != "playing":
            return
        yield payload["view"]["phase"]
        if payload["view"]["phase"] == "pass":
            for card in payload["view"]["hand"][1:4]:
                choose(card)
            expect(person.page.locator(".hand [aria-pressed=true]")).to_have_count(3)
            send()
        else:
            choose(payload["moves"]["items"][0]["action"]["card"])
        person.until_taken(payload["ply"])


def test_a_short_game_of_hearts_by_keyboard_alone(come: Come, site: Site) -> None:
    person = come()
    person.play_now("hearts")
    shorten(person, site)
    page = person.page
    refused = False

    def choose(card: str) -> None:
        tab_to(person, lambda key: len(key) in (2, 3) and key[-1] in "CDSH")
        walk_hand(person, card)
        page.keyboard.press("Enter")

    def send() -> None:
        tab_to(person, lambda key: key == "main")
        page.keyboard.press("Enter")

    for phase in play_hearts(person, choose, send):
        barred = page.locator(".hand .off")
        if phase == "play" and not refused and barred.count():
            choose(barred.first.get_attribute("data-key") or "")
            person.says("Not allowed:")
            refused = True
    person.mood("done")
    assert refused
    page.keyboard.press("l")
    page.keyboard.press("ArrowLeft")  # and back through it
    person.mood("past")


def test_keys_open_chat_log_help_and_their_list_and_can_be_switched_off(come: Come) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    for key, panel in (("h", "panel-help"), ("l", "panel-log")):
        page.keyboard.press(key)
        expect(page.locator(f"#{panel}")).to_be_focused()
    expect(page.locator("#panel-help .help-text")).to_be_attached()
    page.keyboard.press("Escape")
    expect(page.locator(".tray [tabindex='0']")).to_be_focused()
    page.keyboard.press("?")
    expect(page.get_by_role("dialog", name="Table and display")).to_be_visible()
    for name in ("Single-letter keys", "Sound on your turn"):  # kept on the account
        with page.expect_response("**/preferences/switch") as answer:
            page.get_by_label(name).click()
        assert answer.value.ok
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    with page.expect_response("**/preferences/switch"):
        page.get_by_role("button", name="Table and display").click()
        page.get_by_label("Dark").check()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    person.see_table()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.keyboard.press("c")
    expect(page.locator("#panel-chat")).to_be_hidden()
    page.get_by_role("button", name="Table and display").click()
    expect(page.get_by_label("Sound on your turn")).to_be_checked()
    expect(page.get_by_label("Single-letter keys")).not_to_be_checked()


def test_the_shooter_chooses_what_the_moon_does_and_ends_the_game(
    come: Come, site: Site, shots: Path
) -> None:
    person = come()
    person.post(
        "/tables/new/",
        game="hearts",
        players="4",
        fill="1",
        absence="zombie",
        **{"option-moon": "shooter_chooses"},
    )
    person.see_table()
    person.until_bots_have_passed()
    me = person.payload()["you"]
    change_table(site, person.table, LAST_TRICK.replace("ME", str(me)))
    person.page.reload()
    person.see_table()
    person.page.locator(".hand .card.on").click()
    person.until("p.view.phase === 'choose_moon'")
    person.shoot(shots / "table-hearts-moon.png")
    no_violations(person, "choosing what the moon does")
    person.page.get_by_role("button", name="Let the others lose 26 each").click()
    person.mood("done")
    person.says("The game is over: You win with 60.")
    expect(person.page.locator(".sheet tbody tr")).to_have_count(4)
    expect(person.page.locator(".sheet thead")).to_contain_text("Hand 1")
    person.page.get_by_text("Check the shuffle").click()
    expect(person.page.locator(".sheet .hash")).to_contain_text("seed ")
    person.shoot(shots / "table-hearts-result.png")
    no_violations(person, "the result")
    person.page.set_viewport_size(NARROW)
    person.shoot(shots / "table-hearts-result-narrow.png")


def test_the_only_card_is_played_for_who_wishes_so(come: Come, site: Site) -> None:
    person = come()
    person.play_now("hearts")
    person.until_bots_have_passed()
    page = person.page
    change_table(site, person.table, LAST_TRICK.replace("ME", str(person.payload()["you"])))
    page.reload()
    person.see_table()
    person.says("Your turn:")
    page.get_by_role("button", name="Table and display").click()
    page.get_by_label("Play the only card by itself").check()
    page.get_by_role("button", name="Close").click()
    person.mood("done")
    person.says("The game is over: You win with 60.")


LAST_TRICK = """
snapshot = json.loads(table.snapshot)
state = snapshot["state"]
pack = [rank + suit for suit in "CDSH" for rank in "2 3 4 5 6 7 8 9 10 J Q K A".split()]
last = ["AH", "2D", "3D", "4D"]
state["hands"] = [[last[(seat - ME) % 4]] for seat in range(4)]
state["passes"] = [[], [], [], []]
state["phase"], state["turn"], state["hand_number"] = "play", ME, 4
state["leaders"] = [ME] * 13
state["won"] = [card for card in pack if card not in last]
state["last_trick"], state["last_leader"] = state["won"][-4:], ME
state["points"] = [25 if seat == ME else 0 for seat in range(4)]
state["hearts_broken"] = True
state["scores"] = [60 if seat == ME else 20 + seat for seat in range(4)]
snapshot["keys"] = {str(ME): "play:4:13:0"}
snapshot["choices"] = {}
table.snapshot = json.dumps(snapshot)
table.save()
"""


def test_a_short_game_of_hearts_by_thumb_on_a_phone(come: Come, site: Site, shots: Path) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True)
    person.play_now("hearts")
    shorten(person, site)
    page = person.page
    fits_first_screen(person, ".hand", ".actions")
    for place in range(3):
        page.locator(".hand .card").nth(place).tap()
    person.shoot(shots / "table-hearts-pass-narrow.png")
    page.get_by_role("button", name="Pass these three").tap()
    person.until("p.view.phase === 'play'")
    person.until("p.view.phase === 'play' && p.moves !== null")
    fits_first_screen(person, ".hand", ".actions")
    small = page.locator(".hand .card, .actions button").evaluate_all(
        "nodes => nodes.filter(n => n.getBoundingClientRect().height < 40 || n.getBoundingClientRect().width < 40).length"
    )
    assert small == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]

    def tap(card: str) -> None:
        page.locator(f".hand [data-key='{card}']").tap()

    def send() -> None:
        page.get_by_role("button", name="Pass these three").tap()

    for _ in play_hearts(person, tap, send):
        pass
    person.mood("done")
    page.get_by_role("button", name="Look back").tap()
    page.get_by_role("button", name="One move back").tap()
    person.mood("past")
    assert page.evaluate("document.documentElement.scrollWidth") <= NARROW["width"]


def fits_first_screen(person: Person, *parts: str) -> None:
    person.page.evaluate("scrollTo(0, 0)")
    for part in parts:
        box = person.page.locator(part).bounding_box()
        assert box is not None, part
        assert box["y"] + box["height"] <= NARROW["height"], (part, box)


def test_both_games_from_the_list_of_legal_moves(come: Come) -> None:
    for slug in ("hearts", "nibble"):
        person = come()
        person.play_now(slug)
        page = person.page
        page.locator("details.moves > summary").click()
        for _ in range(2):
            person.until("p.moves !== null")
            ply = person.ply()
            if slug == "hearts" and person.payload()["moves"]["total"] > 60:
                page.get_by_role("button", name="Show all 286").click()
                expect(page.locator(".move-list li")).to_have_count(286)
            page.locator(".move-list li button").last.click()
            person.until(f"p.ply > {ply}")
        person.until("p.moves !== null")
        expect(page.locator(".move-list li button").first).to_be_visible()  # it stays open
        page.locator("details.moves > summary").click()
        expect(page.locator(".move-list")).to_have_count(0)


def test_confirming_each_move_is_a_preference(come: Come) -> None:
    person = come()
    person.play_now("hearts")
    page = person.page
    page.get_by_role("button", name="Table and display").click()
    page.get_by_label("Confirm each move").check()
    page.keyboard.press("Escape")
    choose_three(person)
    person.until("p.view.phase === 'play' && p.moves !== null")
    ply = person.ply()
    card = page.locator(".hand .card.on").first
    card.click()
    expect(page.get_by_role("button", name="Put back")).to_be_visible()
    assert person.ply() == ply
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Put back")).to_have_count(0)
    card.click()
    page.locator(".bar").get_by_role("button", name="Play ").click()
    person.until(f"p.ply > {ply}")


def test_ten_is_one_sign_on_every_card(come: Come) -> None:
    """A number of two digits, or with a minus, does not break where there is little room."""
    for slug, rank in (("hearts", ".rank"), ("ninjan", ".mini b")):
        person = come(viewport=NARROW)
        person.play_now(slug)
        high = person.page.evaluate(
            """async ([slug, rank]) => {
              const { cardButton } = await import("/static/games/kit/cards.js");
              const { el } = await import("/static/games/kit/dom.js");
              const felt = document.querySelector(".felt");
              const made = (text) => slug === "hearts" ? cardButton(`${text}S`)
                : el("span", { class: "mini" }, el("b", {}, text));
              const heights = ["9", "10"].map((text) => {
                const node = felt.appendChild(made(text));
                return node.querySelector(rank.split(" ").at(-1)).offsetHeight;
              });
              return heights;
            }""",
            [slug, rank],
        )
        assert high[0] == high[1] > 0, slug


def test_hearts_in_german(come: Come) -> None:
    person = come()
    person.play_now("hearts")
    page = person.page
    table = page.url
    page.goto(f"{person.site.url}/preferences/")
    page.get_by_label("Language").select_option("de")
    with page.expect_navigation():
        page.get_by_role("button", name="Save").click()
    page.goto(table)
    person.see_table()
    person.says("Your turn: Wähle drei Karten für ")
    expect(page.locator(".status [lang=de]").first).to_contain_text("Wähle drei Karten")
    expect(page.locator("ol.log [lang=de]").first).to_be_visible()
    expect(page.locator("ol.log")).to_contain_text("Spiel 1, Karten nach links")
    choose_three(person)
    person.until("p.view.phase === 'play' && p.moves !== null")
    refused = page.locator(".hand .card.off").first
    if refused.count():
        refused.click(force=True)
        person.says("Not allowed: ")
        expect(page.locator(".status [lang=de]").first).to_be_attached()
        expect(page.locator(".status")).not_to_contain_text("You must")
    page.locator(".hand .card.on").first.click()
    expect(page.locator("ol.log")).to_contain_text("Du spielst ")
    expect(page.locator("ol.log [lang=de] .in-card [lang=en]").first).to_be_attached()  # its name
    no_violations(person, "German texts on an English page")


def test_nibble_in_german_mixes_no_sentence(come: Come) -> None:
    """What the board says is English, what the rules say German and marked so."""
    person = come()
    person.play_now("nibble")
    page, table = person.page, person.page.url
    page.goto(f"{person.site.url}/preferences/")
    page.get_by_label("Language").select_option("de")
    with page.expect_navigation():
        page.get_by_role("button", name="Save").click()
    page.goto(table)
    person.until("p.moves !== null")
    expect(page.locator(".status [lang=de]").first).to_contain_text("Nimm Steine")
    page.locator(".block.can").first.click()
    colours = "green|purple|red|yellow|orange|blue|white|gray|black"
    expect(page.locator(".bar [data-key=main]")).to_have_text(re.compile(rf"^Take 1 ({colours})$"))
    expect(page.locator(".bar [lang=de]")).to_have_count(0)
    page.locator(".bar").get_by_role("button", name="Clear").click()
    page.locator(".block:not(.can)").first.click(force=True)
    person.says("Not allowed: ")
    expect(page.locator(".status [lang=de]").first).to_be_attached()
    page.locator(".block.can").first.click()
    page.locator(".bar [data-key=main]").click()
    expect(page.locator("ol.log [lang=de]").last).to_contain_text("nimm")
    no_violations(person, "German rules around an English board")


# -- nibble -----------------------------------------------------------------------------------


def test_a_game_of_nibble_by_keyboard_alone(come: Come, shots: Path) -> None:
    person = come()
    person.play_now("nibble")
    page = person.page
    took_several = False
    turns = 0
    while True:
        person.until("p.moves !== null || p.status !== 'playing'")
        payload = person.payload()
        if payload["status"] != "playing":
            break
        turns += 1
        tab_to(person, lambda key: len(key) == 2 and key[0] in "abcdefghi" and key[1].isdigit())
        cells = [item["action"]["cells"][0] for item in payload["moves"]["items"]]
        board = payload["view"]["board"]
        colours = [board[row][column] for row, column in cells]
        colour = max(set(colours), key=colours.count)
        same = [cell for cell, other in zip(cells, colours, strict=True) if other == colour]
        walk_grid(person, same[0])
        page.keyboard.press("Space")
        expect(page.locator(".bar").get_by_role("button", name="Take 1 ")).to_be_visible()
        if len(same) > 1:
            walk_grid(person, same[1])
            page.keyboard.press("Enter")
            page.wait_for_selector(".bar :text('Take 2'), .status[data-mood=bad]")
            took_several |= page.locator(".bar :text('Take 2')").count() > 0
        if turns == 6:
            person.shoot(shots / "table-nibble-picked.png")
        page.keyboard.press("1")
        person.until_taken(payload["ply"])
    assert took_several
    person.mood("done")
    spoken = page.locator(".status").text_content() or ""
    assert len(re.findall(r"\bwins? ", spoken)) == 1  # once, not again as the last news
    person.shoot(shots / "table-nibble-result.png")
    page.keyboard.press("2")  # looking back: the board again, in place of the result
    expect(page.locator(".tray")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".sheet")).to_be_visible()
    page.keyboard.press("1")  # the same table again
    page.wait_for_url(lambda url: payload["id"] not in url)


def walk_grid(person: Person, cell: list[int]) -> None:
    """To a cell of the tray with the arrow keys."""
    row, column = cell
    at = person.page.evaluate(
        "[Number(document.activeElement.dataset.row), Number(document.activeElement.dataset.col)]"
    )
    for key, steps in (
        ("ArrowDown", row - at[0]),
        ("ArrowUp", at[0] - row),
        ("ArrowRight", column - at[1]),
        ("ArrowLeft", at[1] - column),
    ):
        for _ in range(max(steps, 0)):
            person.page.keyboard.press(key)
    focused = person.page.locator(":focus")
    expect(focused).to_have_attribute("data-row", str(row))
    expect(focused).to_have_attribute("data-col", str(column))


def test_nibble_by_thumb_and_its_refusals(come: Come, shots: Path) -> None:
    person = come(viewport=NARROW, has_touch=True, is_mobile=True)
    person.play_now("nibble")
    page = person.page
    person.until("p.moves !== null")
    fits_first_screen(person, ".tray")
    page.locator(".block:not(.can)").first.tap(force=True)
    person.says("Not allowed: it needs 2 free sides next to each other.")
    first = page.locator(".block.can").first
    colour = first.get_attribute("data-c")
    first.tap()
    other = page.locator(f".block.can:not([data-c='{colour}'])").first
    other.tap()
    person.says("All blocks of a turn must have the same colour".lower()[1:])
    page.get_by_role("button", name="Clear").tap()
    other.tap()
    person.shoot(shots / "table-nibble-picked-narrow.png")
    ply = person.ply()
    page.locator(".bar").get_by_role("button", name="Take 1 ").tap()
    while True:
        person.until(f"p.ply > {ply} && (p.moves !== null || p.status !== 'playing')")
        if person.read("p.status") != "playing":
            break
        ply = person.ply()
        page.locator(".block.can").first.tap()
        page.locator(".bar").get_by_role("button", name="Take 1 ").tap()
    person.mood("done")
    for name in ("Guest 2482", "Anna-Maria", "Rhabarberbarbarabarbarbarenbar"):
        for width in (390, 360, 320):
            page.set_viewport_size({"width": width, "height": 844})
            assert page.evaluate(END_OF_NAME, name) == 1, (name, width)


# On how many lines the last letters of one's own name on the sheet and "(you)" are, where the name is this and the
# sheet has five columns.
END_OF_NAME = """(name) => {
  const { page } = document.querySelector("parlour-table");
  page.payload.seats[page.payload.you].name = name;
  page.draw();
  for (const row of document.querySelectorAll(".sheet tr")) {
    while (row.cells.length < 5) row.append(row.lastElementChild.cloneNode(true));
  }
  const row = [...document.querySelectorAll(".sheet .seat")].find((seat) => seat.textContent.includes("(you)"));
  const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
  const letters = [];
  while (texts.nextNode()) {
    const { data, length } = texts.currentNode;
    for (let at = 0; at < length; at += 1) if (data[at] !== " ") letters.push([texts.currentNode, at]);
  }
  const lines = letters.slice(-"bar(you)".length).map(([node, at]) => {
    const range = document.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    return Math.round(range.getBoundingClientRect().bottom / 10);
  });
  return new Set(lines).size;
}"""


def test_a_game_without_a_board_is_played_from_the_list(come: Come) -> None:
    person = come()
    person.page.add_init_script(WITHOUT_BOARD)
    person.play_now("nibble")
    page = person.page
    for _ in range(2):
        person.until("p.moves !== null")
        ply = person.ply()
        expect(page.locator(".board .move-list li")).to_have_count(
            person.read("p.moves.items.length")
        )
        page.locator(".board .move-list button").first.click()
        person.until(f"p.ply > {ply}")


def test_where_the_board_cannot_be_laid_the_list_is_there(come: Come) -> None:
    person = come()
    sockets = Sockets(person)
    person.page.route("**/nibble/board*.js", lambda route: route.abort())
    person.play_now("nibble")
    person.until("p.moves !== null")
    expect(person.page.locator(".board")).to_contain_text("The board of this game cannot be laid.")
    ply = person.ply()
    sockets.holding = {"ack", "state"}
    person.page.locator(
        ".board .move-list button"
    ).first.dblclick()  # sent once, and nothing left over
    chosen = "document.querySelector('parlour-table').page.choosing"
    assert person.page.evaluate(chosen) is None
    sockets.release()
    person.until(f"p.ply > {ply}")
    assert len(sockets.orders) == 1
    assert any("The board cannot be laid" in words for words in person.errors)
    person.errors.clear()


WITHOUT_BOARD = """
new MutationObserver(() => document.querySelector("parlour-table")?.setAttribute("data-board", ""))
  .observe(document, {subtree: true, childList: true});
"""


# -- names, colours, contrast -------------------------------------------------------------------
