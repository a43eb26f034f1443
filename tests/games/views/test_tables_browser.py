"""The form for a new table, the waiting room, and people who do not answer, in a real browser."""

import http.client
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import expect

from tests.browser.tables import DRAWN, change_table
from tests.chromium import let_wait
from tests.site import becomes, wait_until

pytestmark = pytest.mark.short


@pytest.fixture
def visit(site, chromium):
    """Opens a page in a browser of its own; nothing may go wrong in its script."""
    errors = []

    def open_page(path, prepare=lambda page: None):
        context = chromium.new_context()
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        prepare(page)
        page.goto(site.url + path)
        return page

    yield open_page
    assert not errors


def test_the_form_says_what_it_opens(visit):
    page = visit("/tables/new/?game=hearts")
    line = page.locator("[data-summary]")
    expect(line).to_have_text("Hearts for 4, about one move a day, open to everybody.")
    page.select_option("#seat-1", "bot")
    page.check("[name=pace][value='live-5']")
    page.click("details.options summary")
    page.check("[name=unlisted]")
    expected = "Hearts for 4, one bot, live, 5 minutes each, for people with the link."
    expect(line).to_have_text(expected)
    page.select_option("[name=starts]", "host")
    expect(line).to_contain_text("live, 5 minutes each, begins when you start it, for people")
    page.select_option("[name=option-start_score]", index=1)
    expect(page.locator("[data-changed]")).to_have_text("1 changed")


def test_the_form_hides_what_others_make_idle(visit):
    """The points to win of dnup, in the duel of two by the published rules and nowhere else."""
    for players, hides in ((2, True), (3, False)):
        page = visit(f"/tables/new/?game=dnup&players={players}")
        page.click("details.options summary")
        points, changed = (
            page.locator("[data-option=target_points]"),
            page.locator("[data-changed]"),
        )
        page.select_option("[name=option-target_points]", "6")
        expect(changed).to_have_text("1 changed")
        page.select_option("[name=option-ruleset]", "rulebook")
        expect(points).to_be_visible(visible=not hides)
        expect(changed).to_have_text("1 changed" if hides else "2 changed")
        page.select_option("[name=option-ruleset]", "help")
        expect(points).to_be_visible()


def test_the_waiting_room_opens_the_game_for_all(visit):
    host = visit("/tables/new/?game=nibble")
    host.click("text=Open the table")
    host.wait_for_selector("#waiting-room")
    path = re.sub(r"^https?://[^/]+", "", host.url)
    guest = visit(path)
    guest.click("#sit-down")
    for page in (guest, host):  # the host's page finds out by itself
        page.wait_for_selector(DRAWN, timeout=15_000)
        assert page.url.endswith(path)


def patient(page):
    """It does not ask by itself."""
    let_wait(page, 3000, None)


def hasty(page):
    let_wait(page, 3000, 20)


# what is done every ten seconds is done every three
SOONER = """const often = setInterval;
globalThis.setInterval = (does, every) => often(does, every === 10_000 ? 3_000 : every);"""


def deaf(page):
    page.route_web_socket("**", lambda line: line.close())


@pytest.mark.parametrize("how", [patient, deaf])
def test_the_waiting_room_is_told_at_once_and_asks_where_nobody_tells(visit, how):
    path = re.sub(r"^https?://[^/]+", "", open_for_three(visit))
    onlooker = visit(path, how)
    guest = visit(path)
    guest.click("#sit-down")
    free = onlooker.locator("#waiting-room .free-seat")
    expect(free).to_have_count(1)
    guest.click("#get-up")
    expect(free).to_have_count(2)
    for _ in range(2):
        visit(path).click("#sit-down")
    onlooker.wait_for_selector(DRAWN, timeout=15_000)


def open_for_three(visit):
    """The address of a table that waits for two more."""
    host = visit("/tables/new/?game=dnup&players=3")
    host.click("text=Open the table")
    host.wait_for_selector("#waiting-room")
    return host.url


def test_what_changes_while_the_waiting_room_asks_is_seen_too(visit):
    path = re.sub(r"^https?://[^/]+", "", open_for_three(visit))
    page, first, last = visit(path, patient), visit(path), visit(path)
    held = []

    def late(route):
        if "hx-request" not in route.request.headers or held:
            route.continue_()
            return
        held.append(route)
        answer = route.fetch()
        last.click("#sit-down")
        last.wait_for_selector(DRAWN)
        page.wait_for_timeout(300)  # the page hears of it
        route.fulfill(response=answer)

    page.wait_for_load_state("networkidle")
    page.route(f"**{path}", late)
    first.click("#sit-down")
    page.wait_for_selector(DRAWN, timeout=15_000)  # sooner than the line asks by itself
    assert held


def test_a_button_that_is_held_down_while_somebody_sits_down_is_clicked(visit):
    path = re.sub(r"^https?://[^/]+", "", open_for_three(visit))
    page, first = visit(path, patient), visit(path)
    page.wait_for_load_state("networkidle")
    page.hover("#sit-down")
    page.mouse.down()
    with page.expect_response(lambda answer: "hx-request" in answer.request.headers):
        first.click("#sit-down")
    page.wait_for_timeout(200)
    page.mouse.up()
    for one in (page, first):
        one.wait_for_selector(DRAWN, timeout=15_000)


def test_the_waiting_room_asks_seldom_while_it_is_told(visit):
    path = re.sub(r"^https?://[^/]+", "", open_for_three(visit))
    asked = []

    def prepare(page):
        hasty(page)
        page.add_init_script(SOONER)
        page.on("request", lambda one: asked.append(one) if "hx-request" in one.headers else None)

    def asks():
        before = len(asked)
        page.wait_for_timeout(500)
        return len(asked) - before

    page = visit(path, prepare)
    wait_until(lambda: asks() == 0 and asked, "the line", seconds=15)
    asked.clear()
    becomes(lambda: bool(asks() and asked), True)  # all the same, since what tells may be lost
    assert len(asked) == 1


def test_who_sits_down_is_not_held_up_by_what_the_waiting_room_hears(visit):
    """The answer to the last who sits down takes its time; meanwhile the page hears that the game has begun."""
    host = visit("/tables/new/?game=nibble")
    host.click("text=Open the table")
    host.wait_for_selector("#waiting-room")

    def late(route):  # what Playwright fetched itself would already bring the cookie
        sent = route.request
        line = http.client.HTTPConnection(urlsplit(sent.url).netloc)
        line.request("POST", urlsplit(sent.url).path, sent.post_data_buffer, sent.all_headers())
        answer = line.getresponse()
        cookies = answer.headers.get_all("Set-Cookie")
        page.wait_for_timeout(600)
        headers = {"location": answer.headers["Location"], "set-cookie": "\n".join(cookies)}
        route.fulfill(status=answer.status, headers=headers)

    page = visit(re.sub(r"^https?://[^/]+", "", host.url), hasty)
    page.route("**/join/", late)
    page.click("#sit-down")
    for one in (page, host):
        one.wait_for_selector(DRAWN)
        assert one.evaluate("document.querySelector('parlour-table').page.payload.you !== null")


def test_what_one_reads_in_the_waiting_room_stays_while_it_asks(visit):
    host = visit("/tables/new/?game=hearts")
    host.click("text=Open the table")
    host.click("details.options summary")
    host.locator("#table-link").select_text()
    guest = visit(re.sub(r"^https?://[^/]+", "", host.url))
    guest.click("#sit-down")
    host.wait_for_selector("#waiting-room .seat[data-seat='1']", timeout=15_000)
    expect(host.locator("details.options[open]")).to_have_count(1)
    becomes(lambda: host.evaluate("getSelection().toString()"), host.url)


@pytest.fixture
def two(visit):
    """Two people at a table of Nibble without time limit: (its id, whose turn it is, the other)."""
    host = visit("/tables/new/?game=nibble")
    host.check("[name=pace][value=none]")
    host.click("text=Open the table")
    path = re.sub(r"^https?://[^/]+", "", host.url)
    guest = visit(path)
    guest.click("#sit-down")
    for page in (guest, host):
        page.wait_for_selector(DRAWN, timeout=15_000)
    wait_until(lambda: "●" in host.title() + guest.title(), "a turn in a title")
    mover, other = (host, guest) if host.title().startswith("●") else (guest, host)
    return path.split("/")[2], mover, other


def test_one_who_has_not_answered_for_a_day_is_set_aside_in_two_steps(two, site):
    table, mover, other = two
    code = "table.seats.exclude(asked_since=None).update("
    change_table(site, table, code + "asked_since=timezone.now() - timedelta(days=1))")
    other.reload()
    seats = other.locator(".seats")
    seats.get_by_role("button", name="Let the game play").click()
    expect(seats).to_contain_text("The game plays until")
    seats.get_by_role("button", name="Wait").click()
    expect(seats).to_contain_text("has not answered for a day")
    seats.get_by_role("button", name="Let the game play").press("Enter")
    expect(seats.get_by_role("button", name="Wait")).to_be_focused()
    with other.expect_navigation():
        seats.get_by_role("button", name="Let the game play").click()
    mover.get_by_role("button", name="Take your seat again").click()
    mover.wait_for_selector(DRAWN)
    expect(mover.locator(".seats", has_text="The game plays for you")).to_have_count(0)


def test_a_table_of_other_rules_says_so_and_shows_its_log(two, site):
    table, mover, _ = two
    change_table(site, table, "table.version = 0\ntable.save()\n")
    mover.reload()
    status = mover.locator(".status", has_text="Stopped:")
    status.wait_for()
    expect(status).to_contain_text("cannot go on")
    expect(mover.locator("[data-key=stopped]")).to_contain_text("cannot go on")
    mover.get_by_role("button", name="Table and display").click()
    expect(mover.get_by_role("button", name="Leave the table")).to_have_count(0)


def test_long_names_push_nothing_off_a_narrow_page(visit, site):
    page = visit("/wiki/hearts/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Play now against bots").first.click()
    page.wait_for_selector("hearts-board .hand")
    table = page.url.rstrip("/").rsplit("/", 1)[1]
    change_table(site, table, "table.seats.filter(kind='bot').update(kept_name='W' * 40)")
    page.reload()
    page.wait_for_selector("hearts-board .hand")

    def fits():
        assert page.evaluate("document.documentElement.scrollWidth") == 390
        board = page.locator(".hearts").bounding_box()
        for place in page.locator(".hearts .place").all():
            box = place.bounding_box()
            assert box["x"] >= board["x"]
            assert box["x"] + box["width"] <= board["x"] + board["width"]

    fits()
    for card in range(3):
        page.locator("hearts-board .hand .card").nth(card).click()
    page.get_by_role("button", name="Pass these three").click()
    page.wait_for_selector("hearts-board .trick", timeout=15_000)
    fits()


def test_the_result_fits_a_narrow_page(visit):
    page = visit("/wiki/nibble/")
    page.set_viewport_size({"width": 390, "height": 844})
    page.get_by_role("button", name="Play now against bots").first.click()
    page.wait_for_selector("nibble-board .tray")
    page.keyboard.press("?")
    panel = page.locator("dialog[open]")
    panel.get_by_text("Leave the table").last.click()
    panel.get_by_role("button", name="Leave now").click()
    wide = "node => node.scrollWidth <= node.clientWidth"
    assert page.locator(".sheet .scroll").evaluate(wide)
