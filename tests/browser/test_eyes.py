"""Every page of the site as a person sees it: for axe in both themes, wide and narrow; magnified; with wide
spacing of text; without motion; and whether what one can choose is called by names that tell it apart. A page
that no entry here leads to fails.

``shots/axe.json`` says afterwards how many pages and states were looked at, and what was found.
"""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from playwright.sync_api import Browser, ConsoleMessage, Page

from games.engine import all_games
from tests.axe import AXE, COLOURS, violations
from tests.browser.tables import DRAWN, NARROW, PATIENCE, WIDE
from tests.shots import shoot
from tests.site import ROOT, Site

pytestmark = pytest.mark.xdist_group("eyes")  # they share one furnished site


class State(NamedTuple):
    """A page in one of its states. ``at`` is an address, or the name of one that ``furnish`` gives,
    with what follows after a ``+``; ``then`` are selectors to click, ``key:`` a key to press."""

    name: str
    at: str
    who: str = "Ada"
    then: tuple[str, ...] = ()


# address of the URL configuration -> the states of its page
PAGES: dict[str, list[State]] = {
    "home": [
        State("guest", "/", "nobody"),
        State("member", "/"),
        State("newcomer", "/", "Newcomer"),
    ],
    "open_tables": [State("many", "/open-tables/", "nobody")],
    "games": [State("shelf", "/games/", "nobody")],
    "game": [State("hearts", "/games/hearts/", "nobody")],
    "open_table": [
        State("choose", "/tables/new/"),
        State("options", "/tables/new/?game=hearts", then=("details.options > summary",)),
        State("guest", "/tables/new/?game=nibble", "nobody"),
    ],
    "table": [
        State("to read", "hearts over+?plain"),
        State("room, host", "room"),
        State("room, guest", "room of others", "Guest"),
        State("room, many seats", "widest room", "nobody"),
        State("closed", "closed"),
        State("hearts, pass", "hearts pass", then=(".hand .card",)),
        State("hearts, pass, spectator", "hearts pass", "nobody"),
        State("hearts, turn", "hearts turn", then=(".hand .card.on",)),
        State("hearts, list of moves", "hearts turn", then=("details.moves > summary",)),
        State("hearts, chat", "hearts turn", then=("key:c",)),
        State("hearts, help", "hearts turn", then=("key:h",)),
        State("hearts, notes", "hearts turn", then=("key:n",)),
        State("hearts, panel", "hearts turn", then=("key:?",)),
        State("hearts, waits", "hearts waits"),
        State("hearts, zombie", "hearts zombie"),
        State("hearts, over", "hearts over"),
        State("hearts, past", "hearts over+?ply=30", "nobody"),
        State("nibble, turn", "nibble turn", then=(".block.can",)),
        State("nibble, thirteen", "nibble thirteen", then=(".block.can",)),
        State("nibble, hexagon", "nibble hex13", then=(".block.can",)),
        State("nibble, spectator", "nibble turn", "nobody"),
        State("nibble, over", "nibble over"),
        State("nibble, past", "nibble over+?ply=5"),
    ],
    "my_tables": [State("many", "/tables/"), State("none", "/tables/", "Newcomer")],
    "wiki_index": [State("all", "/wiki/")],
    "wiki_changes": [State("all", "/wiki/changes/")],
    "wiki_watchlist": [
        State("new", "/wiki/watchlist/", then=("summary",)),
        State("none", "/wiki/watchlist/", "Newcomer"),
    ],
    "wiki_drafts": [State("some", "/wiki/drafts/"), State("none", "/wiki/drafts/", "Newcomer")],
    "wiki_shortcodes": [State("some", "/wiki/reports/shortcodes/")],
    "wiki_known_shortcodes": [State("all", "/wiki/reports/known-shortcodes/")],
    "wiki_notices": [
        State("new", "/wiki/notices/", then=("summary",)),
        State("none", "/wiki/notices/", "Newcomer"),
    ],
    "wiki_talk": [
        State("none yet", "/wiki/hearts/talk/", "nobody"),
        State("topics", "talk", "nobody"),
        State("answer", "talk", then=("details.answer > summary",)),
        State("answer to an answer", "talk", then=(".answers .answers .answers .reply a",)),
    ],
    "wiki_search": [
        State("hits", "/wiki/search/?q=points"),
        State("none", "/wiki/search/?q=zzzzzzz"),
        State("one word less", "/wiki/search/?q=hearts+queen+unicorn"),
        State("long title", "/wiki/search/?q=Donaudampfschifffahrtsgesellschaftskapitänsmützen"),
        State("meant", "/wiki/search/?q=machiaveli"),
        State("title", "/wiki/search/?q=hearts"),
        State("empty", "/wiki/search/"),
    ],
    "wiki_contributions": [
        State("many", "/wiki/contributions/Ada/"),
        State("none", "/wiki/contributions/Newcomer/"),
    ],
    "wiki_files": [State("one", "/wiki/files/")],
    "wiki_upload": [
        State("form", "/wiki/files/upload/"),
        State("refused", "/wiki/files/upload/", "Guest"),
    ],
    "wiki_file": [State("picture", "picture")],
    "wiki_file_hide": [State("form", "picture hide")],
    "wiki_page": [
        State("game", "/wiki/hearts/", "nobody"),
        State("other", "page"),
        State("older", "older page"),
        State("long title", "tall title"),
        State("missing", "/wiki/nowhere/"),
        State("deleted", "/wiki/short-lived/"),
        State("hidden", "hidden", "nobody"),
        State("redirect", "/wiki/herz/?redirect=no", "nobody"),
        State("category", "/wiki/category-card-games/", "nobody"),
        State("translation", "/wiki/srce/?variant=sr-ec", "nobody"),
        State("printable", "/wiki/hearts/?printable=yes", "nobody"),
        State("right to left", "right to left", "nobody"),
    ],
    "wiki_source": [State("current", "page+source/")],
    "wiki_history": [State("many", "page+history/")],
    "wiki_diff": [State("two", "diff")],
    "wiki_edit": [
        State("form", "page+edit/"),
        State("section", "page+edit/?section=2", "nobody"),
        State("new", "/wiki/nowhere/edit/", "Guest"),
        State("preview", "page+edit/", then=("button[value=preview]",)),
        State("protected", "/wiki/locked/edit/", "Guest"),
        State("conflict", "page+edit/?section=2", then=("conflict",)),
    ],
    "wiki_languages": [
        State("one", "page+language/"),
        State("linked", "/wiki/srce/language/", "nobody"),
    ],
    "wiki_reports": [State("all", "/wiki/reports/", "nobody")],
    "wiki_report": [
        State("orphans", "/wiki/reports/orphans/", "nobody"),
        State("none", "/wiki/reports/broken-redirects/", "nobody"),
        State("double", "/wiki/reports/double-redirects/", "nobody"),
    ],
    "wiki_wanted": [State("some", "/wiki/reports/wanted/", "nobody")],
    "wiki_categories": [State("some", "/wiki/categories/", "nobody")],
    "wiki_statistics": [State("all", "/wiki/statistics/", "nobody")],
    "wiki_links": [
        State("some", "/wiki/hearts/links/"),
        State("none", "/wiki/locked/links/", "nobody"),
    ],
    "wiki_rename": [
        State("form", "page+rename/"),
        State("refused", "page+rename/", "Guest"),
        State("long title", "tall title+rename/"),
    ],
    "wiki_delete": [State("form", "page+delete/"), State("refused", "page+delete/", "Guest")],
    "wiki_deleted": [State("some", "/wiki/reports/deleted/")],
    "wiki_deleted_page": [State("one", "deleted")],
    "wiki_hide": [State("form", "hide")],
    "wiki_rollback": [State("form", "rollback")],
    "wiki_revert_all": [State("some", "/wiki/contributions/Bob/revert/")],
    "wiki_log": [State("some", "/wiki/log/"), State("none", "/wiki/log/?by=Nobody", "nobody")],
    "wiki_groups": [
        State("form", "/wiki/reports/groups/?person=Bob"),
        State("all", "/wiki/reports/groups/", "nobody"),
    ],
    "blocks": [
        State("moderator", "/wiki/reports/blocks/"),
        State("all", "/wiki/reports/blocks/", "nobody"),
    ],
    "wiki_export": [State("forms", "page+export/", "nobody")],
    "wiki_protect": [State("form", "page+protect/")],
    "wiki_revert": [State("form", "revert")],
    "person": [
        State("own", "/people/Ada/"),
        State("other", "/people/Newcomer/"),
        State("long name", "/people/Rhabarberbarbarabarbarbarenbar/", "nobody"),
    ],
    "preferences": [State("form", "/preferences/")],
    "api_tokens": [
        State("none", "/accounts/tokens/", "Newcomer"),
        State("guest", "/accounts/tokens/", "Guest"),
        State("some", "/accounts/tokens/"),
    ],
    "api_docs": [State("all", "/api/wiki/v1/", "nobody")],
    "about": [State("all", "/about/", "nobody")],
    "account_login": [
        State("form", "/accounts/login/", "nobody"),
        State("wrong", "/accounts/login/", "nobody", ("wrong",)),
    ],
    "account_signup": [
        State("form", "/accounts/signup/", "nobody"),
        State("guest", "/accounts/signup/", "Guest"),
    ],
    "account_logout": [State("member", "/accounts/logout/")],
    "account_inactive": [State("all", "/accounts/inactive/", "nobody")],
    "account_reauthenticate": [State("form", "/accounts/reauthenticate/")],
    "account_email": [State("form", "/accounts/email/")],
    "account_email_verification_sent": [State("all", "/accounts/confirm-email/", "nobody")],
    "account_change_password": [State("form", "/accounts/password/change/")],
    "account_set_password": [State("form", "/accounts/password/set/", "Newcomer")],
    "account_reset_password": [State("form", "/accounts/password/reset/", "nobody")],
    "account_confirm_email": [State("bad key", "/accounts/confirm-email/abc/", "nobody")],
    "account_reset_password_from_key": [
        State("bad key", "/accounts/password/reset/key/1-abc/", "nobody")
    ],
    "account_reset_password_from_key_done": [
        State("all", "/accounts/password/reset/key/done/", "nobody")
    ],
    "account_reset_password_done": [State("all", "/accounts/password/reset/done/", "nobody")],
}
REFUSALS = ["400", "403", "404", "405", "413", "429", "csrf", "500", "503", "507"]
# addresses that show no page of their own
NO_PAGES = {
    "forms and what they lead to": """join_table leave_table start_table fill_table return_to_seat
        take_over_seat set_aside rematch play_now wiki_watch wiki_compare wiki_file_revert
        wiki_draft_discard wiki_notice wiki_patrol
        block_person unblock_person switch next_table""",
    "data": """waiting table_state table_past table_export table_moves table_act table_undo
        table_check table_hint table_say table_note healthz wiki_wikitext wiki_picture
        wiki_random wiki_special wiki_suggest
        wiki_draft""",
    "the API": """api_token_revoke api_openapi api_unknown api-root pages page page_by_title
        revisions revision diff changes contributions search files file create edit revert undo
        protection rename delete restore log deleted patrol upload""",
    "feeds": """wiki_changes_feed wiki_watchlist_feed wiki_contributions_feed wiki_history_feed
        wiki_log_feed""",
    "switched off": """account_request_reauthentication_code
        account_confirm_reauthentication_code account_confirm_login_code""",
}


def names(patterns: Any) -> Iterator[str]:
    """Of every address but the admin's."""
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            if not str(pattern.pattern).startswith("admin"):
                yield from names(pattern.url_patterns)
        elif isinstance(pattern, URLPattern) and pattern.name:
            yield pattern.name


def test_every_page_is_looked_at() -> None:
    known = {*PAGES, *(name for group in NO_PAGES.values() for name in group.split())}
    assert set(names(get_resolver().url_patterns)) == known


EYES = Path(__file__).with_name("eyes.js").read_text(encoding="utf-8")
MAGNIFIED = {"twice": {"width": 640, "height": 400}, "320 px": {"width": 320, "height": 640}}
SIZES = {"wide": WIDE, "narrow": NARROW}
FORMS = [("wide", "light"), ("narrow", "light"), ("narrow", "dark"), ("wide", "dark")]
# Here axe looks at everything, and what is seen in the window goes to ``shots``. In the two other forms it looks
# at the colours of what the other size hides or draws otherwise; with PARLOUR_TEST_DEPTH=2 at everything too.
WHOLE = {("wide", "light"), ("narrow", "dark")}
DEPTH = float(os.environ.get("PARLOUR_TEST_DEPTH", "1"))


class Furnished(NamedTuple):
    """What ``furnish`` says of the site it filled."""

    at: dict[str, str]
    games: dict[str, str]
    pages: dict[str, str]
    cookies: dict[str, str]


@pytest.fixture(scope="module")
def furnished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, Furnished]]:
    """A site of its own, full of what its pages can show."""
    with Site(tmp_path_factory.mktemp("eyes")) as site:
        said = subprocess.run(
            [sys.executable, "-m", "tests.browser.furnish"],
            cwd=ROOT,
            env=site.env,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        )
        yield site, Furnished(**json.loads(said.stdout))


class Eyes:
    """Looks at pages, each person in a browser context of their own, and keeps what is wrong."""

    def __init__(self, browser: Browser, url: str, furnished: Furnished, shots: Path) -> None:
        self.browser, self.url, self.furnished, self.shots = browser, url, furnished, shots
        self.pages: dict[str, Page] = {}
        self.seen: list[dict[str, Any]] = []
        self.faults: list[str] = []  # errors of scripts, and what the browser complains of

    def page_of(self, who: str) -> Page:
        if who not in self.pages:
            context = self.browser.new_context(viewport=WIDE, reduced_motion="reduce")
            context.set_default_timeout(PATIENCE)
            context.add_init_script(AXE + EYES)
            if who in self.furnished.cookies:
                value = self.furnished.cookies[who]
                context.add_cookies([{"name": "sessionid", "value": value, "url": self.url}])
            self.pages[who] = context.new_page()
            self.pages[who].on("pageerror", lambda error: self.faults.append(str(error)))
            self.pages[who].on("console", self.hear)
        return self.pages[who]

    def hear(self, message: ConsoleMessage) -> None:
        if message.type == "error" and "Failed to load resource" not in message.text:
            self.faults.append(message.text)

    def reach(self, state: State) -> Page:
        """The page of a state, in that state."""
        page = self.page_of(state.who)
        page.set_viewport_size(WIDE)
        page.emulate_media(color_scheme="light")
        at, _, more = state.at.partition("+")
        answer = page.goto(self.url + self.furnished.at.get(at, at) + more)
        assert answer is not None
        assert answer.status < 500, state.at
        if page.evaluate("document.querySelector('parlour-table') !== null"):
            page.wait_for_selector(DRAWN)
            page.wait_for_selector(".board > :not(.laying)")
        for step in state.then:
            self.step(page, step)
        return page

    def be_refused(self, status: str) -> Page:
        """The page of a refusal."""
        page = self.page_of("nobody")
        body = self.furnished.pages[status]
        page.route("**/refused", lambda route: route.fulfill(body=body, content_type="text/html"))
        page.goto(f"{self.url}/refused")
        page.unroute("**/refused")
        return page

    def step(self, page: Page, step: str) -> None:
        if step.startswith("key:"):
            page.keyboard.press(step.removeprefix("key:"))
        elif step == "conflict":
            self.contradict(page)
        elif step == "wrong":
            page.get_by_label("Name or email").fill("Ada")
            page.get_by_label("Password", exact=True).fill("wrong")
            page.locator("main").get_by_role("button", name="Log in").click()
            page.wait_for_selector(".note-danger, .error")
        else:
            page.locator(step).first.click()

    def contradict(self, page: Page) -> None:
        """Somebody else saves the passage that is being edited; then the page is sent."""
        other = self.page_of("Guest")
        other.goto(page.url)
        for who, words in ((other, "No cards are passed."), (page, "All cards are passed.")):
            who.fill("#text", f"## Passing\n\n{words}")
            who.locator(".save button.button-primary").click()
            who.wait_for_load_state()
        page.wait_for_selector(".sides")

    def look(self, name: str, page: Page) -> None:
        """Keep what is wrong with the page as it is now, in every form."""
        self.seen.append({"page": name, "wrong": self.find_wrong(name, page)})

    def find_wrong(self, name: str, page: Page) -> list[Any]:
        wrong: list[Any] = page.evaluate("eyes.alike()")
        shown = None
        for size, scheme in FORMS:
            if page.viewport_size != SIZES[size]:
                page.set_viewport_size(SIZES[size])
            if scheme != shown:  # to say again what holds already costs as much
                page.emulate_media(color_scheme=scheme)
                shown = scheme
            if (size, scheme) in WHOLE:
                file = re.sub(r"\W+", "-", f"{name} {size} {scheme}")
                shoot(page, self.shots / f"{file}.png")
                wrong += page.evaluate("size => eyes.form(size)", size)
            if scheme == "light":
                page.evaluate("size => eyes.keep(size)", size)
            if (size, scheme) in WHOLE or DEPTH >= 2:
                found = violations(page)
            else:
                other = "wide" if size == "narrow" else "narrow"
                found = violations(page, COLOURS, parts=f"eyes.otherwise('{size}', '{other}')")
            wrong += [[f"{size} {scheme}", *one] for one in found]
        for size, viewport in MAGNIFIED.items():
            page.set_viewport_size(viewport)
            wrong += page.evaluate("size => eyes.magnified(size)", size)
        page.set_viewport_size(NARROW)
        return wrong + page.evaluate("eyes.spaced()")

    def report(self, path: Path) -> None:
        """Write down what was seen."""
        forms = [f"{size} {scheme}" for size, scheme in FORMS]
        wrong = sum(bool(one["wrong"]) for one in self.seen)
        said = {"states": len(self.seen), "forms": forms, "wrong": wrong, "seen": self.seen}
        path.write_text(json.dumps(said, indent=1, ensure_ascii=False))


@pytest.fixture(scope="module")
def eyes(
    chromium_browser: Browser, furnished: tuple[Site, Furnished], shots: Path
) -> Iterator[Eyes]:
    site, found = furnished
    looking = Eyes(chromium_browser, site.url, found, shots)
    yield looking
    looking.report(shots / "axe.json")
    for page in looking.pages.values():
        page.context.close()
    assert looking.faults == []


SEED = """faults => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(faults);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  const add = (tag, id, text) => document.querySelector("main").append(
    Object.assign(document.createElement(tag), { id, textContent: text }));
  for (const id of ["dark", "light", "only-wide", "only-narrow"]) add("p", id, "Can this be read?");
  for (const id of ["small", "smaller"]) add("button", id, "x");
  add("input", "nameless");
}"""
FAULTS = """
  p[id] { color: light-dark(#000, #fff); background: light-dark(#fff, #000) }
  @media (prefers-color-scheme: dark) { #dark, #only-wide { color: #333 } }
  @media (prefers-color-scheme: light) { #light, #only-narrow { color: #ccc } }
  @media (max-width: 40rem) {
    #only-wide { display: none }
    #small, #smaller { position: fixed; inset: 50% auto auto 50%; inline-size: 9px; block-size: 9px;
      min-inline-size: 0; min-block-size: 0; padding: 0; border: 0; overflow: hidden }
    #smaller { margin-inline-start: 12px }
  }
  @media (min-width: 40rem) { #only-narrow { display: none } }
"""


def test_what_is_wrong_in_one_form_only_is_found(eyes: Eyes) -> None:
    page = eyes.reach(State("seeded", "/about/", "nobody"))
    page.evaluate(SEED, FAULTS)
    found = {(form, rule): nodes for form, rule, nodes in eyes.find_wrong("seeded", page)}
    assert found == {
        ("wide light", "color-contrast"): ["#light"],
        ("wide light", "label"): ["#nameless"],
        ("wide dark", "color-contrast"): ["#only-wide"],
        ("narrow dark", "color-contrast"): ["#dark"],
        ("narrow dark", "label"): ["#nameless"],
        ("narrow dark", "target-size"): ["#small", "#smaller"],
        ("narrow light", "color-contrast"): ["#only-narrow"],
    }


STATES = {f"{address}: {one.name}": one for address, states in PAGES.items() for one in states}


@pytest.mark.parametrize("name", STATES)
def test_page_is_sound(eyes: Eyes, name: str) -> None:
    eyes.look(name, eyes.reach(STATES[name]))
    assert eyes.seen[-1]["wrong"] == []


# the main button of each, which takes something from everybody's eyes or somebody's hands
DESTROYING = {
    "wiki_delete: form": "Delete the page",
    "wiki_hide: form": "Set what is hidden",
    "wiki_file_hide: form": "Delete it",
    "wiki_revert_all: some": "Take back",
    "blocks: moderator": "Block it",
}
PAINT = "(node, name) => getComputedStyle(node)[name]"
PAINTED = """(node, token) => {
  const probe = node.appendChild(document.createElement("i"));
  probe.style.setProperty("color", `var(${token})`);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""


@pytest.mark.parametrize("name", DESTROYING)
def test_a_button_that_destroys_is_not_as_green_as_the_others(eyes: Eyes, name: str) -> None:
    page = eyes.reach(STATES[name])
    button = page.get_by_role("button", name=DESTROYING[name], exact=True)
    assert button.evaluate(PAINT, "backgroundColor") == button.evaluate(PAINTED, "--danger")


@pytest.mark.parametrize("status", REFUSALS)
def test_refusal_is_sound(eyes: Eyes, status: str) -> None:
    eyes.look(f"refusal: {status}", eyes.be_refused(status))
    assert eyes.seen[-1]["wrong"] == []


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_table_of_every_game_is_sound(eyes: Eyes, slug: str) -> None:
    eyes.look(f"table of {slug}", eyes.reach(State(slug, eyes.furnished.games[slug])))
    assert eyes.seen[-1]["wrong"] == []
