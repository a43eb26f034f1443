"""The wiki in a real Chromium: edit, compare, revert, a conflict; narrow, dark, without script."""

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import expect

from tests.axe import violations
from tests.shots import shoot
from tests.site import Site, becomes, wait_until

WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}
TEXT = """## Goal

Take few points; {{card|QS}} costs thirteen, {{die|5}} decides.

## Passing

Pass three cards to the left. Then look.

| Hand | To |
| ---- | -- |
| 1 | left |

## Scoring

See [[Nowhere]] and {{whist|1}}.
"""


def containing(words: str) -> re.Pattern[str]:
    return re.compile(re.escape(words))


def new_page(chromium: Any, **options: Any) -> Any:
    """A page in a context of its own, which fails the test on any error of a script."""
    page = chromium.new_context(viewport=WIDE, **options).new_page()
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.on(
        "console",
        lambda message: (
            "Content Security Policy" in message.text and page.errors.append(message.text)
        ),
    )
    return page


def write(page: Any, site: Site, title: str, text: str = TEXT) -> None:
    page.goto(f"{site.url}/wiki/")
    page.fill("#new-title", title)
    page.click("text=Write it")
    page.click("text=Create it")
    page.fill("#text", text)
    page.click("text=Save as a guest")
    page.wait_for_selector("article.prose >> text=Goal")


def test_page_is_written_edited_compared_and_reverted(
    site: Site, chromium: Any, shots: Path
) -> None:
    page = new_page(chromium)
    write(page, site, "Browser Hearts")
    page.click('a[aria-label="Edit section Passing"]')
    page.fill("#text", "## Passing\n\nPass **two** cards to the left. Then look.")
    page.wait_for_selector("#preview strong >> text=two")  # kept fresh by htmx
    expect(page.locator("#preview h2").first).to_have_text("Passing")
    page.fill("#summary", "/* Passing */ two are enough")
    page.click("text=Show changes")
    expect(page.locator(".diff ins >> nth=0")).to_have_text("**two**")
    page.click("text=Save page")
    page.wait_for_url("**/wiki/browser-hearts/#s-passing")

    page.click(".page-tabs >> text=History")
    shoot(page, shots / "history-wide-light.png", full_page=True)
    page.click("text=Compare the two chosen")
    page.wait_for_url("**/diff/**")
    expect(page.locator(".diff del >> nth=0")).to_have_text("three")
    shoot(page, shots / "diff-wide-light.png", full_page=True)

    page.click(".page-tabs >> text=History")
    page.click("text=restore")
    page.fill("#summary", "three are better")
    page.click("button >> text=Restore this revision")
    page.wait_for_selector("article.prose >> text=Pass three cards")
    page.click(".page-tabs >> text=History")
    expect(page.locator(".history").first).to_contain_text("Reverted to revision of")
    expect(page.locator(".history > li")).to_have_count(3)
    assert page.errors == []


def test_conflict_is_settled_with_both_texts_in_sight(
    site: Site, chromium: Any, shots: Path
) -> None:
    ada, bob = new_page(chromium), new_page(chromium)
    write(ada, site, "Contested")
    address = f"{site.url}/wiki/contested/edit/?section=2"
    ada.goto(address)
    bob.goto(address)
    for page, word in ((bob, "to the right"), (ada, "across")):
        page.fill("#text", page.input_value("#text").replace("to the left", word))
    bob.click("text=Save as a guest")
    bob.wait_for_selector("article.prose >> text=to the right")
    ada.click("text=Save page")
    ada.wait_for_selector("text=Nothing of yours is lost")
    shoot(ada, shots / "conflict-wide-light.png", full_page=True)
    ada.click("text=Take theirs")
    expect(ada.locator("#passage-0")).to_have_value("Pass three cards to the right.")
    ada.fill("#passage-0", "Pass three cards anywhere.")
    ada.press("#summary", "Enter")  # saves, and puts no side over the answer
    ada.wait_for_selector("article.prose >> text=Pass three cards anywhere. Then look.")
    assert ada.errors + bob.errors == []


def test_coming_back_overwrites_nobody(site: Site, chromium: Any) -> None:
    ada, bob = new_page(chromium), new_page(chromium)
    write(ada, site, "Come back")
    edit = f"{site.url}/wiki/come-back/edit/"
    ada.goto(edit)
    ada.fill("#text", ada.input_value("#text").replace("to the left", "across"))
    ada.wait_for_selector("#preview >> text=across")  # after it the browser keeps no copy
    ada.goto(f"{site.url}/wiki/")
    bob.goto(edit)
    bob.fill("#text", bob.input_value("#text").replace("to the left", "to the right"))
    bob.click("text=Save as a guest")
    bob.wait_for_selector("article.prose >> text=to the right")
    ada.go_back()
    ada.wait_for_selector("#text")
    if "across" not in ada.input_value("#text"):  # else the browser kept the whole page
        ada.click("text=Restore it")
    expect(ada.locator("#text")).to_have_value(containing("across"))
    ada.click("text=Save page")
    ada.wait_for_selector("text=Nothing of yours is lost")
    assert ada.errors + bob.errors == []


def test_all_works_without_script(site: Site, chromium: Any) -> None:
    ada = new_page(chromium, java_script_enabled=False)
    bob = new_page(chromium, java_script_enabled=False)
    write(ada, site, "Scriptless")
    edit = f"{site.url}/wiki/scriptless/edit/"
    ada.click("button[aria-label='Watch this page']")
    ada.goto(edit)
    bob.goto(edit)
    bob.fill("#text", TEXT.replace("to the left", "to the right"))
    bob.fill("#summary", "the other way")
    bob.click("button >> text=Preview")
    expect(bob.locator("#preview").first).to_contain_text("to the right")
    bob.click("button >> text=Show changes")
    expect(bob.locator(".diff ins >> nth=0")).to_have_text("right")
    bob.click("text=Save as a guest")
    expect(bob.locator("article.prose").first).to_contain_text("to the right")

    ada.fill("#text", TEXT.replace("to the left", "across"))
    ada.click("text=Save page")
    expect(ada.locator("main").first).to_contain_text("Nothing of yours is lost")
    ada.click("button >> text=Take mine")
    ada.click("button.button-primary >> text=Save the merged page")
    expect(ada.locator("article.prose").first).to_contain_text("across")

    ada.click(".page-tabs >> text=History")
    ada.click("text=Compare the two chosen")
    expect(ada.locator(".diff ins >> nth=0")).to_have_text("across")
    ada.goto(f"{site.url}/wiki/changes/")
    ada.click(".page-tabs >> text=Watch list")
    expect(ada.locator("main").first).to_contain_text("the other way")
    ada.check("text=Hide my own")
    ada.click("button >> text=Show")
    expect(ada.locator(".history > li")).to_have_count(1)
    ada.click("summary >> text=Pages you watch")
    ada.click("button[aria-label='Remove Scriptless']")
    expect(ada.locator("main").first).to_contain_text("You watch no page yet")


def test_answer_is_written_by_key_below_what_it_answers(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "Talked About")
    page.goto(f"{site.url}/wiki/talked-about/talk/")
    page.fill("#say-heading", "Which way?")
    page.fill("#say-new", "Say:\n\n* left\n* right")
    page.click("text=Add the topic")
    page.wait_for_url("**/wiki/talk-talked-about/#*")
    assert page.locator(".reply").count() == 0  # a list is no answer
    page.set_viewport_size(NARROW)
    for depth in range(5):
        if depth == 0:
            page.click("details.answer > summary")
            page.focus(".answer textarea")
        else:
            page.focus(".reply a >> nth=-1")
            page.keyboard.press("Enter")
            page.wait_for_url("**answer=*")
            page.wait_for_selector(".answers textarea:focus")  # one can write at once
        page.keyboard.type(f"Said {depth}")
        page.keyboard.press("Tab")  # the box of watching
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.wait_for_selector(f".answers li:target >> text=Said {depth}")
        assert page.evaluate("document.documentElement.scrollWidth") == NARROW["width"]
    assert page.locator(".answers").count() == 5
    narrowest = page.locator(".answers li >> nth=-1").bounding_box()
    assert narrowest["width"] > NARROW["width"] / 2
    page.locator("#say-new").press_sequentially("My words")
    page.once("dialog", lambda dialog: dialog.dismiss())
    with page.expect_event("dialog") as asked:  # they are not lost without a question
        page.click(".reply a >> nth=0", no_wait_after=True)
    assert asked.value.type == "beforeunload"
    expect(page.locator("#say-new")).to_have_value("My words")
    assert page.errors == []


def test_history_can_be_undone_and_restored_on_a_phone(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    page.set_viewport_size(NARROW)
    write(page, site, "Thumbs")
    page.click("text=Edit >> nth=0")
    page.fill("#text", TEXT.replace("three", "two"))
    page.click("text=Save page")
    page.click(".page-tabs >> text=History")
    acts = page.locator(".history .acts")
    acts.nth(0).get_by_text("undo").wait_for()
    acts.nth(1).get_by_text("restore").click()
    page.wait_for_url("**/revert/**")


def test_long_words_fit_narrow_screens(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "x" * 255)
    slug = "x" * 200
    page.goto(f"{site.url}/wiki/{slug}/edit/")
    page.fill("#text", "## " + "y" * 300 + "\n\n" + "z" * 300 + "\n\n    " + "code " * 99)
    page.fill("#summary", "w" * 500)
    page.click("text=Save page")
    page.goto(f"{site.url}/wiki/{slug}/history/")
    change = page.get_attribute(".history .acts a", "href")
    person = page.get_attribute(".history .who a", "href")
    ways = ["/", "/wiki/", "/wiki/changes/", f"/wiki/{slug}/", f"/wiki/{slug}/history/"]
    ways += [f"/wiki/{slug}/edit/", f"/wiki/{slug}/source/", "/wiki/search/?q=zzz", change, person]
    for size in (WIDE, NARROW):
        page.set_viewport_size(size)
        for way in ways:
            page.goto(f"{site.url}{way}")
            wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
            assert wider <= 0, f"{way} is {wider} px too wide"
    page.goto(f"{site.url}/wiki/{slug}/")
    assert violations(page) == []


def test_tools_open_by_key_and_close_on_escape_and_elsewhere(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    page.goto(f"{site.url}/wiki/hearts/")
    summary = page.locator("details.tools > summary")
    entry = page.locator("details.tools a").first
    summary.focus()
    page.keyboard.press("Enter")
    expect(entry).to_be_visible()
    page.keyboard.press("Tab")
    page.keyboard.press("Escape")
    expect(entry).to_be_hidden()
    expect(summary).to_be_focused()
    summary.click()
    page.locator("h1").click()
    expect(entry).to_be_hidden()
    assert page.errors == []


def test_wide_table_scrolls_alone_also_by_key(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    row = "| " + " | ".join(["something"] * 12) + " |\n"
    table = row + "|--" * 12 + "|\n" + row
    write(page, site, "Wide table", f"{TEXT}\n{table}")
    page.set_viewport_size(NARROW)
    becomes(lambda: page.evaluate("document.documentElement.scrollWidth"), NARROW["width"])
    frame = page.get_by_role("group", name="Table, wider than the page")
    expect(frame).to_have_count(1)  # the narrow table of Passing is left as it is
    frame.focus()
    page.keyboard.press("ArrowRight")
    wait_until(lambda: frame.evaluate("(one) => one.scrollLeft"), "the table to scroll")
    assert page.errors == []


def test_contents_longer_than_the_window_scroll_by_themselves(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "Long contents", TEXT + "\n## More\n\nWords.\n" * 60)
    assert page.locator(".toc").bounding_box()["height"] <= WIDE["height"]
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_selector(".toc [aria-current]:text('More')")
    current = page.locator(".toc [aria-current]")

    def in_sight() -> bool:
        box = current.bounding_box()
        return 0 <= box["y"] <= WIDE["height"] - box["height"]

    wait_until(in_sight, "the contents to follow", seconds=15)
    assert page.errors == []


def test_contents_folded_on_a_phone_unfold_when_the_page_becomes_wide(
    site: Site, chromium: Any
) -> None:
    page = new_page(chromium)
    write(page, site, "Contents that fold", TEXT + "\n## More\n\nWords.\n" * 3)
    page.set_viewport_size(NARROW)
    page.reload()
    link = page.locator(".toc a").first
    expect(link).to_be_hidden()
    page.set_viewport_size(WIDE)
    expect(link).to_be_visible()
    assert page.errors == []


def test_code_runs_from_left_to_right_in_a_page_that_does_not(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "Code in Hebrew", f"{TEXT}\n```\nlet x;\n```\n")
    page.evaluate("document.querySelector('.prose').dir = 'rtl'")
    assert page.locator(".prose pre").evaluate("(one) => getComputedStyle(one).direction") == "ltr"


def test_paper_shows_nothing_to_click(site: Site, chromium: Any) -> None:
    page = new_page(chromium)
    write(page, site, "On paper")
    page.emulate_media(media="print")
    page.goto(f"{site.url}/wiki/on-paper/history/")
    expect(page.locator(".history .when")).to_be_visible()
    for control in ("input[type=radio]", ".acts a", ".toolbar button"):
        expect(page.locator(control).first).to_be_hidden()
    page.goto(f"{site.url}/wiki/on-paper/talk/")
    expect(page.locator(".new-topic")).to_be_hidden()
