"""A page at a table when its server is killed: nobody has to load it again."""

import os
import signal
import sys

import pytest

from tests.browser.tables import Person

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("faults"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]

PATIENCE = 60_000  # ms until a server that was killed answers again, on a machine that is busy


@pytest.fixture
def people(chromium, fault_site, seat):
    """Ada and Bob at a table of Nibble; who is asked comes first."""
    table = seat("Ada", "Bob")
    found = []
    for _, cookie in table.people:
        person = Person(chromium, fault_site)
        person.context.set_default_timeout(PATIENCE)
        name, _, value = cookie.partition("=")
        person.context.add_cookies([{"name": name, "value": value, "url": fault_site.url}])
        person.page.goto(f"{fault_site.url}/tables/{table.table}/")
        person.see_table()
        person.until("p.ply === 0")
        person.page.evaluate("window.loadedOnce = true")
        found.append(person)
    return sorted(found, key=lambda person: person.read("p.moves === null"))


def test_a_move_made_while_the_server_is_dead_arrives_without_a_reload(fault_site, people):
    mover, other = people
    mover.page.locator(".block.can").first.click()
    server = fault_site.part("portal.web")
    os.kill(server, signal.SIGSTOP)  # so that the page sends before it hears of the death
    mover.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    mover.page.wait_for_selector(".bar [aria-busy=true]")
    os.kill(server, signal.SIGKILL)
    other.until("p.ply === 1")
    mover.until("p.ply === 1")
    for person in people:
        assert person.page.evaluate("window.loadedOnce")
    other.page.locator(".block.can").first.click()
    other.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    mover.until("p.ply === 2")
