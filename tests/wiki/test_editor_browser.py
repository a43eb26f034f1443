"""The editor in a real Chromium: two people at once, drafts, the toolbar and its keys."""

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.chromium import let_wait
from tests.site import Site, becomes, wait_until
from tests.wiki import test_browser
from tests.wiki.test_browser import NARROW, containing, write

pytestmark = pytest.mark.short
PASSWORD = "correct horse battery"
LEFT = "Pass three cards to the left."
DRAFT_PAUSE = 2000  # ms without a key, after which the editor saves a draft


def new_page(chromium: Any, **options: Any) -> Any:
    """As elsewhere, but nobody waits long for a draft."""
    page = test_browser.new_page(chromium, **options)
    let_wait(page.context, DRAFT_PAUSE, 300)
    return page


def edit(page: Any, site: Site, slug: str, section: int = 0) -> None:
    page.goto(f"{site.url}/wiki/{slug}/edit/{f'?section={section}' if section else ''}")


def replace(page: Any, old: str, new: str) -> None:
    text = page.input_value("#text")
    assert old in text
    page.fill("#text", text.replace(old, new))


def publish(page: Any) -> None:
    page.click(".save .button-primary")


def leave_asks(page: Any) -> bool:
    """Whether the page would ask before it is left."""
    return page.evaluate("!window.dispatchEvent(new Event('beforeunload', { cancelable: true }))")


def test_two_editors_change_different_paragraphs_of_hearts_at_once(
    site: Site, chromium: Any
) -> None:
    ada, bob = new_page(chromium), new_page(chromium)
    for page, words in ((ada, "Ada was here."), (bob, "Bob was here.")):
        edit(page, site, "hearts")
        page.fill("#text", f"{page.input_value('#text')}\n\n{words}\n")
        publish(page)
        page.wait_for_selector(f"article.prose >> text={words}")
    edit(ada, site, "hearts", 1)
    edit(bob, site, "hearts")
    bob.wait_for_selector("[data-others] >> text=a guest (section Goal)")
    ada.wait_for_selector("[data-others] >> text=Also editing now: a guest")
    replace(ada, "## Goal\n", "## Goal\n\nAda explains the goal.\n")
    replace(bob, "Bob was here.", "Bob was here twice.")
    publish(bob)
    bob.wait_for_selector("article.prose >> text=Bob was here twice.")
    ada.wait_for_selector("text=saved a newer revision")
    ada.wait_for_selector("[data-others]", state="hidden")  # he has left
    publish(ada)
    ada.wait_for_selector("article.prose >> text=Ada explains the goal.")
    expect(ada.locator("article.prose").first).to_contain_text("Bob was here twice.")
    assert ada.errors + bob.errors == []


def test_conflict_keeps_both_texts_whatever_one_does_next(site: Site, chromium: Any) -> None:
    ada, bob = new_page(chromium), new_page(chromium)
    write(ada, site, "Twice kept")
    address = f"{site.url}/wiki/twice-kept/edit/"

    def meet() -> None:
        ada.wait_for_selector("text=Nothing of yours is lost")
        sides = ada.inner_text(".sides")
        assert "Before" in sides
        assert "to the left" in sides
        assert "right" in sides
        assert "across" in sides

    ada.goto(address)
    bob.goto(address)
    replace(bob, "to the left", "to the right")
    publish(bob)
    bob.wait_for_selector("article.prose >> text=to the right")
    replace(ada, "to the left", "across")
    publish(ada)
    meet()
    ada.reload()
    meet()
    ada.go_back()
    ada.wait_for_selector("#text")
    if "across" not in ada.input_value("#text"):  # else the browser kept the whole page
        ada.click(".offers >> text=Restore")
    expect(ada.locator("#text")).to_have_value(containing("Pass three cards across."))
    publish(ada)
    meet()
    page = ada.context.new_page()  # closed, and opened again another day
    ada.close()
    page.errors, ada = [], page
    ada.goto(address)
    ada.click(".offers >> text=Restore")
    expect(ada.locator("main").first).to_contain_text("newer revision of the page")
    expect(ada.locator("#text")).to_have_value(containing("Pass three cards across."))
    publish(ada)
    meet()
    edit(bob, site, "twice-kept")  # a new conflict while she decides
    replace(bob, "to the right", "to the right, face down")
    publish(bob)
    bob.wait_for_selector("article.prose >> text=face down")
    ada.fill("#passage-0", "Pass three cards across. Or to the right.")
    ada.click("text=Show changes")
    ada.wait_for_selector("text=What saving would change")
    assert leave_asks(ada)  # what she decided is in no draft
    publish(ada)
    ada.wait_for_selector("text=Nothing of yours is lost")
    expect(ada.locator(".side.mine").first).to_contain_text("across. Or to the right")
    expect(ada.locator(".side.theirs").first).to_contain_text("face down")
    ada.click("text=Both, mine first")
    publish(ada)
    ada.wait_for_selector("article.prose >> text=face down")
    expect(ada.locator("article.prose").first).to_contain_text("across. Or to the right")
    ada.goto(f"{site.url}/wiki/drafts/")
    expect(ada.locator("main").first).to_contain_text("You have no drafts")
    assert bob.errors == []


COUNTED = """count => [...document.querySelectorAll(".note button")]
  .filter(one => one.textContent === "Restore it").length === count"""


def test_draft_is_saved_by_the_server_and_offered_again(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "Drafty")
    edit(page, site, "drafty")
    page.press("#text", "Control+End")
    page.type("#text", " precious")
    expect(page.locator("[data-draft-state]").first).not_to_contain_text("Draft saved")
    page.wait_for_selector("text=/Draft saved \\d\\d:\\d\\d/")
    edit(page, site, "drafty")
    expect(page.locator("#text")).not_to_have_value(containing("precious"))
    page.click(".offers >> text=Restore")
    expect(page.locator("#text")).to_have_value(containing("precious"))

    page.context.set_offline(True)
    page.press("#text", "Control+End")
    page.type("#text", " words")
    page.wait_for_selector("text=Not saved: no connection. Your text is kept on this device.")
    page.evaluate("() => { Storage.prototype.setItem = () => { throw new DOMException() } }")
    page.type("#text", "!")
    page.wait_for_selector("text=Your text is in this window only")
    page.context.set_offline(False)
    page.wait_for_selector("text=/Draft saved/")

    other = page.context.new_page()
    other.goto(f"{site.url}/wiki/drafty/edit/")
    other.type("#text", "Other words. ")
    other.wait_for_selector("text=Another window of yours saved a draft")
    other.click("text=Replace it by this text")
    other.wait_for_selector("text=/Draft saved/")
    page.type("#text", " more")
    page.wait_for_selector("text=Another window of yours saved a draft")
    other.close()

    publish(page)
    page.wait_for_selector("article.prose >> text=precious words!")
    page.goto(f"{site.url}/wiki/drafts/")
    expect(page.locator("main").first).to_contain_text(
        "Other words."
    )  # of the other window: still there
    page.click("text=Discard")
    expect(page.locator("main").first).to_contain_text("You have no drafts")
    assert page.errors == []


def test_windows_keep_their_texts_apart_on_the_device(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "Two Windows")
    edit(page, site, "two-windows")
    other = page.context.new_page()
    edit(other, site, "two-windows")
    page.press("#text", "Control+End")
    page.type("#text", " from the first")
    page.wait_for_selector("text=/Draft saved/")
    other.press("#text", "Control+End")
    other.type("#text", " from the second")
    other.wait_for_selector("text=Your text is kept on this device")
    page.type("#text", " window")  # kept, saved and published, it takes nothing from the other
    page.wait_for_selector("text=/Draft saved/")
    publish(page)
    page.wait_for_selector("[data-saved]")
    other.close()  # as when it crashes: nobody is asked
    again = page.context.new_page()
    edit(again, site, "two-windows")
    again.click("text=Restore it")
    expect(again.locator("#text")).to_have_value(re.compile(r"from the second\s*$"))
    expect(again.locator("#text")).not_to_have_value(containing("from the first"))
    again.wait_for_selector("text=/Draft saved/")
    assert page.errors == []


def test_strangers_windows_offer_what_closed_ones_left(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    context = page.context
    page.close()
    for words in ("First words. ", "Second words. "):
        left = context.new_page()
        edit(left, site, "hearts")
        kept = left.locator("text=is kept on this device")
        expect(kept).to_have_count(1 if words == "Second words. " else 0)
        left.type("#text", words)
        left.wait_for_selector("text=Draft kept on this device")
        left.close()
    here, there = context.new_page(), context.new_page()
    edit(here, site, "hearts")
    here.wait_for_function(COUNTED, arg=2)
    here.click("text=Restore it >> nth=0")  # the newest
    expect(here.locator("#text")).to_have_value(re.compile("^Second words."))
    edit(there, site, "hearts")  # what stands in an open window is not offered
    there.wait_for_function(COUNTED, arg=1)
    there.click("text=Discard it")
    there.reload()
    there.type("#text", "Third words. ")
    there.wait_for_selector("text=Draft kept on this device")
    assert there.locator("text=Restore it").count() == 0
    here.on("dialog", lambda dialog: dialog.accept())
    here.reload()
    here.click("text=Restore it")
    expect(here.locator("#text")).to_have_value(re.compile("^Second words."))


def sign_up(page: Any, site: Site, name: str) -> None:
    page.goto(f"{site.url}/accounts/signup/")
    page.fill("[name=username]", name)
    page.fill("[name=password1]", PASSWORD)
    page.fill("[name=password2]", PASSWORD)
    page.click("main form [type=submit]")
    page.wait_for_selector(f"header >> text={name}")


def log_out(page: Any, site: Site) -> None:
    page.goto(f"{site.url}/accounts/logout/")
    page.click("main form [type=submit]")
    page.wait_for_selector("header >> text=Log in")


def test_text_kept_on_a_shared_device_is_offered_to_the_account_that_wrote_it(
    site: Site, chromium: Any
) -> None:
    page = new_page(chromium)
    sign_up(page, site, "CarlaShared")
    edit(page, site, "hearts")
    page.context.set_offline(True)
    page.type("#text", "Of Carla. ")
    page.wait_for_selector("text=Not saved: no connection. Your text is kept on this device.")
    page.route("**/draft/", lambda route: route.abort())  # the server never gets it
    page.context.set_offline(False)
    page.on("dialog", lambda dialog: dialog.accept())
    log_out(page, site)

    other = page.context.new_page()
    page.close()
    edit(other, site, "hearts")
    other.type("#text", "Of nobody. ")
    other.wait_for_selector("text=Draft kept on this device")
    assert other.locator("text=Restore it").count() == 0
    other.on("dialog", lambda dialog: dialog.accept())
    sign_up(other, site, "DoraShared")
    edit(other, site, "hearts")
    other.wait_for_function(COUNTED, arg=1)
    other.wait_for_selector("text=/^A draft from .* is kept on this device/")
    other.click("text=Restore it")
    expect(other.locator("#text")).to_have_value(re.compile("^Of nobody."))
    publish(other)  # which takes nothing of what others kept
    other.wait_for_selector("[data-saved]")
    log_out(other, site)

    other.goto(f"{site.url}/accounts/login/")
    other.fill("[name=login]", "CarlaShared")
    other.fill("[name=password]", PASSWORD)
    other.click("main form [type=submit]")
    other.wait_for_selector("header >> text=CarlaShared")
    edit(other, site, "hearts")
    other.wait_for_function(COUNTED, arg=1)
    other.wait_for_selector("text=/^A draft of yours from .* is kept on this device/")
    other.click("text=Restore it")
    expect(other.locator("#text")).to_have_value(re.compile("^Of Carla."))


def test_stranger_has_the_draft_on_the_device_and_is_warned(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    edit(page, site, "hearts")
    page.type("#text", "precious ")
    page.wait_for_selector("text=Draft kept on this device")
    asked = []
    page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
    edit(page, site, "hearts")
    assert asked == ["beforeunload"]
    expect(page.locator("#text")).not_to_have_value(re.compile("^precious"))
    page.click("text=Restore it")
    expect(page.locator("#text")).to_have_value(re.compile("^precious"))
    asked.clear()
    page.click(".save >> text=Preview")  # that is no leaving
    assert asked == []
    assert page.errors == []


def test_saved_section_says_so_in_view(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    for viewport in ({"width": 1280, "height": 800}, NARROW):
        page.set_viewport_size(viewport)
        edit(page, site, "hearts", 5)
        page.type("#text", "\n")
        page.fill(
            "#text", f"{page.input_value('#text').rstrip()}\n\nMore at {viewport['width']}.\n"
        )
        publish(page)
        page.wait_for_url("**/hearts/#s-**")
        page.wait_for_function("scrollY > 200")
        saved = page.locator(".messages >> text=Saved")
        box, heading = saved.bounding_box(), page.locator(":target").bounding_box()
        assert 0 <= box["y"] < viewport["height"] - box["height"]
        assert heading["y"] >= box["y"] + box["height"]


def chosen(page: Any) -> str:
    return page.eval_on_selector("#text", "f => f.value.slice(f.selectionStart, f.selectionEnd)")


def choose(page: Any, words: str) -> None:
    page.eval_on_selector(
        "#text",
        """(f, words) => { f.focus(); const at = f.value.indexOf(words);
        f.setSelectionRange(at, at + words.length); }""",
        words,
    )


def test_toolbar_works_on_what_is_chosen_and_can_be_undone(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    edit(page, site, "toolbar")
    page.type("#text", "one two\nthree\nfour")
    mark = lambda name: page.click(f"[data-mark={name}]")  # noqa: E731
    choose(page, "two")
    mark("bold")
    expect(page.locator("#text")).to_have_value("one **two**\nthree\nfour")
    assert chosen(page) == "two"
    page.keyboard.press("Control+i")
    expect(page.locator("#text")).to_have_value(containing("***two***"))
    page.keyboard.press("Control+i")
    page.keyboard.press("Control+b")
    expect(page.locator("#text")).to_have_value("one two\nthree\nfour")
    page.keyboard.press("Control+k")
    expect(page.locator("#text")).to_have_value(containing("[[two]]"))
    for _time in range(5):
        page.keyboard.press("Control+z")
    expect(page.locator("#text")).to_have_value("one two\nthree\nfour")

    choose(page, "three\nfour")
    mark("list")
    expect(page.locator("#text")).to_have_value("one two\n- three\n- four")
    mark("numbers")
    expect(page.locator("#text")).to_have_value("one two\n1. three\n2. four")
    mark("numbers")
    expect(page.locator("#text")).to_have_value("one two\nthree\nfour")
    choose(page, "one")
    mark("heading")
    mark("subheading")
    expect(page.locator("#text")).to_have_value(re.compile("^### one two\n"))
    choose(page, "four")
    page.keyboard.press("End")
    mark("table")
    table = "four\n\n| Column | Column |\n| ------ | ------ |\n| cell   | cell   |"
    expect(page.locator("#text")).to_have_value(re.compile(f"{re.escape(table)}$"))
    page.keyboard.press("Control+End")
    mark("shortcode")
    page.click('[data-insert="{{card|QS}}"]')
    expect(page.locator("#text")).to_have_value(re.compile(r"\{\{card\|QS\}\}$"))
    expect(page.locator("[data-mark=sign]")).to_have_count(0)  # only talk pages are signed
    assert page.errors == []


def test_form_that_is_sent_twice_on_a_slow_line_is_sent_once(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    page.goto(f"{site.url}/wiki/sent-twice/edit/?title=Sent+twice")
    page.fill("#text", "Once.\n")
    posts: list[Any] = []

    def hold(route: Any) -> None:
        if route.request.method == "POST":
            posts.append(route)  # under way
        else:
            route.continue_()

    page.route("**/wiki/sent-twice/edit/**", hold)
    stopped: list[str] = []
    page.on("console", lambda message: stopped.append(message.text))
    page.evaluate(
        """() => {
          addEventListener("submit", event => console.log(event.defaultPrevented));
          const button = document.querySelector(".save button[value=guest]");
          button.click();
          setTimeout(() => button.click(), 200);
        }"""
    )
    wait_until(lambda: len(stopped) == 2 or page.wait_for_timeout(50), "the second click")
    assert stopped == ["false", "true"]
    wait_until(lambda: posts or page.wait_for_timeout(50), "the form")
    assert len(posts) == 1
    posts[0].continue_()
    page.wait_for_selector("article.prose >> text=Once.")
    assert page.errors == []


def test_toolbar_is_one_tab_stop_with_arrows_inside(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    edit(page, site, "hearts")
    mark = "document.activeElement.dataset.mark"
    page.focus("#text")
    page.keyboard.press("Shift+Tab")
    becomes(lambda: page.evaluate(mark), "heading")
    page.keyboard.press("End")
    becomes(lambda: page.evaluate(mark), "shortcode")
    page.keyboard.press("ArrowRight")
    becomes(lambda: page.evaluate(mark), "heading")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    becomes(lambda: page.evaluate(mark), "bold")
    page.keyboard.press("Tab")
    becomes(lambda: page.evaluate("document.activeElement.id"), "text")
    page.keyboard.press("Shift+Tab")
    becomes(lambda: page.evaluate(mark), "bold")
    page.keyboard.press("Escape")
    becomes(lambda: page.evaluate("document.activeElement.id"), "text")


def test_keys_preview_compare_and_save(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    edit(page, site, "keyboard")
    page.type("#text", "Words of the keyboard.")
    page.keyboard.press("Alt+Shift+KeyV")
    page.wait_for_selector("text=Your changes")
    page.focus("#text")
    page.keyboard.press("Alt+Shift+KeyP")
    page.wait_for_selector("#preview >> text=Words of the keyboard.")
    page.focus("#summary")
    page.keyboard.press("Alt+Shift+KeyS")
    page.wait_for_selector("article.prose >> text=Words of the keyboard.")
    edit(page, site, "keyboard")
    page.evaluate("window.setTimeout = () => 0")  # so that it is not saved after a pause
    page.type("#text", "More. ")
    page.keyboard.press("Control+s")  # at once, and nothing is published
    page.wait_for_selector("text=/Draft saved/")
    assert "/edit/" in page.url
    assert page.errors == []
