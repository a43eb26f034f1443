"""Sockets that the server closes for a reason: the page says which, and what one can do."""

import json
import re

from playwright.sync_api import expect

SOCKET = re.compile(r"/ws/tables/")
# A refusal goes when the game goes on, which may be at once.
LISTEN = """new MutationObserver(() => {
  const said = document.querySelector(".status")?.textContent ?? "";
  if (said.includes("close some pages.")) window.told = true;
}).observe(document, { subtree: true, childList: true, characterData: true })"""


def test_one_who_is_logged_out_elsewhere_is_told_and_may_log_in(come):
    ada = come()
    ada.play_now("nibble")
    table = ada.table
    other = ada.context.new_page()
    other.goto(f"{ada.site.url}/accounts/logout/")
    other.locator("main button[type=submit]").click()
    status = ada.page.locator(".status")
    expect(status).to_contain_text("You are no longer logged in.")
    status.get_by_role("link", name="Log in").click()
    ada.page.wait_for_url(f"**/accounts/login/?next=/tables/{table}/")
    assert not ada.errors


def test_one_without_a_socket_is_told_too(come):
    ada = come()
    ada.page.route_web_socket(SOCKET, lambda socket: socket.close(code=4429))
    ada.play_now("nibble")
    ada.context.clear_cookies(name="sessionid")
    expect(ada.page.locator(".status")).to_contain_text("You are no longer logged in.")
    assert not ada.errors


def test_one_with_too_many_pages_is_told_and_plays_on_without_a_socket(come):
    ada = come()
    said = (
        '{"on": "refused", "key": null, "code": "too_many_sockets", "reason": "Close some pages."}'
    )

    def crowded(socket):
        socket.send(said)
        socket.close(code=4429)

    ada.page.add_init_script(LISTEN)
    ada.page.route_web_socket(SOCKET, crowded)
    ada.play_now("nibble")
    ada.page.wait_for_function("window.told")
    ada.until("p.moves !== null")
    ada.page.locator(".block.can").first.click()
    ada.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    ada.page.wait_for_function(
        "(key) => sessionStorage.getItem(key) === null", arg=f"parlour:{ada.table}:unsent"
    )
    assert not ada.errors


def test_a_move_that_the_server_does_not_read_is_not_sent_for_ever(come):
    ada = come()

    def deaf(socket):
        server = socket.connect_to_server()

        def pass_on(text):
            if '"do":"act"' in text:
                socket.close(code=1009)
            else:
                server.send(text)

        socket.on_message(pass_on)

    ada.page.route_web_socket(SOCKET, deaf)
    ada.play_now("nibble")
    ada.until("p.moves !== null")
    ada.page.locator(".block.can").first.click()
    ada.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    expect(ada.page.locator(".status")).to_contain_text("that is too long to be sent.")
    kept = ada.page.evaluate(f"sessionStorage.getItem('parlour:{ada.table}:unsent')")
    assert kept is None
    assert not ada.errors


def test_a_move_that_cannot_be_stored_just_now_is_kept_and_sent_again(come):
    ada = come()
    keys = []

    def full(socket):
        server = socket.connect_to_server()

        def pass_on(text):
            frame = json.loads(text)
            if frame["do"] != "act" or len(keys) > 1:
                server.send(text)
                return
            keys.append(frame["key"])
            refusal = {"on": "refused", "key": frame["key"], "code": "disk_full", "reason": "Full."}
            socket.send(json.dumps(refusal))

        socket.on_message(pass_on)

    ada.page.route_web_socket(SOCKET, full)
    ada.play_now("nibble")
    ada.until("p.moves !== null")
    ada.page.locator(".block.can").first.click()
    ada.page.locator(".bar").get_by_role("button", name="Take 1 ").click()
    expect(ada.page.locator("main")).to_contain_text("not sent", ignore_case=True)
    ada.page.wait_for_function(
        "(key) => sessionStorage.getItem(key) === null", arg=f"parlour:{ada.table}:unsent"
    )
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert not ada.errors
