"""What the browser tests of the table page share: people in browsers of their own, and how they play."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import BrowserContext, Locator, Page, WebSocketRoute, expect

from tests.axe import violations
from tests.chromium import Contexts
from tests.shots import shoot
from tests.site import Site, read_token

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
PATIENCE = 15_000  # ms
WISHED_AFTER = 700  # ms after which the board does what somebody wished
DRAWN = "parlour-table > .status[data-key]"  # by the script: the server sends it without a key


class Person:
    """Somebody with a browser context and one page; complaints of the page are kept in ``errors``."""

    def __init__(self, chromium: Contexts, site: Site, **context: Any) -> None:
        self.site = site
        self.context: BrowserContext = chromium.new_context(**{"viewport": WIDE, **context})
        self.context.set_default_timeout(PATIENCE)
        self.errors: list[str] = []
        self.page: Page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))
        self.page.on("console", self._hear)

    def _hear(self, message: Any) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.errors.append(message.text)

    # -- coming to a table ------------------------------------------------------------------------

    def post(self, action: str, **fields: str) -> None:
        """Send a form, and see what it leads to."""
        send = self.context.request
        token = read_token(send.get(f"{self.site.url}/accounts/login/").text())
        fields["csrfmiddlewaretoken"] = token
        answer = send.post(self.site.url + action, form={**fields}, max_redirects=0)
        assert answer.status == 302, answer.text()
        self.page.goto(self.site.url + answer.headers["location"])

    def play_now(self, slug: str) -> None:
        """One click: a table against bots, as a new guest."""
        self.post(f"/games/{slug}/play-now/")
        self.see_table()

    def open_table(self, slug: str, pace: str, absence: str | None = None) -> str:
        """Open a table for people through its form; returns its address."""
        self.page.goto(f"{self.site.url}/tables/new/?game={slug}")
        self.page.check(f"[name=pace][value='{pace}']")
        if absence is not None:
            self.page.locator("details.options > summary").click()
            self.page.get_by_label("If somebody leaves").select_option(absence)
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Open the table").click()
        return self.page.url

    def join(self, url: str) -> None:
        self.page.goto(url)
        with self.page.expect_navigation():
            self.page.get_by_role("button", name="Sit down").click()

    def come_until(self, condition: str, come: Callable[[], None]) -> None:
        """Come to a table, and to another one, until what is asked first is as one wishes: that depends on what
        the bots did before."""
        for _ in range(20):
            come()
            self.until("p.moves !== null")
            if self.read(condition):
                return
        raise AssertionError(f"At no table {condition}")

    def see_table(self) -> None:
        self.page.wait_for_selector(DRAWN)
        self.page.wait_for_selector(".board > :not(.laying)")

    @property
    def table(self) -> str:
        """The public id of the table on the page."""
        return urlsplit(self.page.url).path.split("/")[2]

    # -- seeing -------------------------------------------------------------------------------------

    @property
    def status(self) -> Locator:
        return self.page.locator(".status")

    def mood(self, *moods: str) -> str:
        """Wait until the status line is in one of these moods, and nothing is under way."""
        names = ", ".join(f".status[data-mood={mood}]" for mood in moods)
        self.page.wait_for_selector(names)
        return self.status.get_attribute("data-mood") or ""

    def until_bots_have_passed(self) -> None:
        """Hearts asks all for three cards at once; after this it waits for nobody but this person."""
        self.until("p.view.has_passed.filter(Boolean).length === p.seats.length - 1")

    def says(self, text: str) -> None:
        expect(self.status).to_contain_text(text)

    def read(self, expression: str) -> Any:
        """The value of a JavaScript expression of the payload ``p``."""
        return self.page.evaluate(
            f"() => {{ const p = document.querySelector('parlour-table').page.payload; return {expression}; }}"
        )

    def payload(self) -> dict[str, Any]:
        found: dict[str, Any] = self.read("{...p, log: [], chat: []}")
        return found

    def ply(self) -> int:
        return int(self.read("p.ply"))

    def until(self, condition: str) -> None:
        """Wait until this holds of the payload ``p``."""
        self.page.wait_for_function(
            f"() => {{ const p = document.querySelector('parlour-table').page.payload; return {condition}; }}"
        )

    def until_taken(self, ply: int) -> None:
        """Wait until the table is past ``ply``, and what one sent is taken and seen: where several are asked at
        once, somebody else may answer first."""
        self.page.wait_for_function(
            "ply => { const { payload, under } = document.querySelector('parlour-table').page; return payload.ply > ply && under === null; }",
            arg=ply,
        )

    def focused(self) -> str:
        """The key of what has the focus."""
        key = self.page.evaluate("document.activeElement.getAttribute('data-key') ?? ''")
        return str(key)

    def has_focus(self, key: str) -> None:
        """What has this key has the focus, or gets it in a moment."""
        expect(self.page.locator(":focus")).to_have_attribute("data-key", key)

    def shoot(self, path: Path) -> None:
        shoot(self.page, path, animations="disabled")

    def close(self) -> None:
        """Leave, and let nothing pass that the page complained about."""
        assert self.errors == []


class Sockets:
    """Stands between page and server: what is lost, comes twice, or is held until ``release``."""

    def __init__(self, person: Person) -> None:
        self.orders: list[str] = []
        self.checks = 0
        self.closed = False
        self.deaf = False
        self.mute = False
        self.lose_next_ack = False
        self.twice = False
        self.hold_next_state = False
        self.held: Any = None
        self.holding: set[str] = set()  # kinds of frames that wait for ``release``
        self.kept: list[tuple[WebSocketRoute, Any]] = []
        person.page.route_web_socket("**/ws/**", self.join)

    def join(self, page_side: WebSocketRoute) -> None:
        if self.closed:
            page_side.close()
            return
        server = page_side.connect_to_server()

        def to_server(message: Any) -> None:
            if self.deaf:
                return
            frame = json.loads(message)
            if frame["do"] == "act":
                self.orders.append(frame["key"])
            self.checks += frame["do"] == "check"
            server.send(message)

        def to_page(message: Any) -> None:
            if self.mute:
                return
            if json.loads(message)["on"] in self.holding:
                self.kept.append((page_side, message))
                return
            if self.lose_next_ack and json.loads(message)["on"] in ("ack", "state"):
                if json.loads(message)["on"] == "ack":
                    self.lose_next_ack = False
                    page_side.close()
                return
            if self.hold_next_state and json.loads(message)["on"] == "state":
                self.hold_next_state, self.held = False, message
                return
            page_side.send(message)
            if self.twice:
                page_side.send(message)
            if self.held is not None and json.loads(message)["on"] == "state":
                page_side.send(self.held)
                self.held = None

        page_side.on_message(to_server)
        server.on_message(to_page)

    def release(self, *, backwards: bool = False) -> None:
        """Let the frames go that were held, the last one first if asked for, and hold no more."""
        self.holding = set()
        for page_side, message in reversed(self.kept) if backwards else self.kept:
            page_side.send(message)
        self.kept = []


def no_violations(person: Person, where: str) -> None:
    """axe-core finds nothing on the page as it is now."""
    assert violations(person.page) == [], where


def tab_to(person: Person, arrived: Callable[[str], bool], limit: int = 25) -> None:
    """Press Tab until what has the focus satisfies ``arrived`` (asked with its key)."""
    for _ in range(limit):
        if arrived(person.focused()):
            return
        person.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never came there; last at {person.focused()!r}.")


def walk_hand(person: Person, card: str) -> None:
    """From a card of the hand to another with the arrow keys."""
    keys = person.page.locator(".hand [data-key]").evaluate_all(
        "cards => cards.map(card => card.dataset.key)"
    )
    steps = keys.index(card) - keys.index(person.focused())
    for _ in range(abs(steps)):
        person.page.keyboard.press("ArrowRight" if steps > 0 else "ArrowLeft")
    person.has_focus(card)


def change_table(site: Site, table: str, code: str) -> None:
    """Run Python inside the site, with ``table`` and its ``seats`` by name (to move clocks, to lay out cards)."""
    site.run(
        "import json\nfrom datetime import timedelta\nfrom django.utils import timezone\n"
        "from games.models import Seat, Table\n"
        f"table = Table.objects.select_for_update().get(public_id={json.dumps(table)})\n"
        "seats = {seat.name: seat for seat in table.seats.all()}\n" + code,
    )
