"""A list right below a text line gets its blank line, and nothing else does."""

import pytest
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from tests.wiki.conftest import HEARTS
from wiki.markup import render
from wiki.markup.lists import part_lists
from wiki.models import Page

EDIT = "/wiki/hearts/edit/"
LINES = ["Words", "- a", "* b", "1. c", "2. d", "", "~~~", "```", "| x | y |", "|---|---|", "> q"]
LINES += [
    "    code",
    "## H",
    "---",
    ": meaning",
    "<div>",
    "`code",
    "{{x|",
    "[^1]: note",
    "  - deep",
]


@pytest.mark.parametrize("item", ["- one", "* one", "+ one", "1. one", "  - one"])
def test_list_below_a_text_line_becomes_a_list(item: str) -> None:
    text, count = part_lists(f"You need:\n{item}\nMore")
    assert (text, count) == (f"You need:\n\n{item}\nMore", 1)
    assert "<li>" in render(text).html


def test_list_below_a_heading_and_a_text() -> None:
    assert part_lists("## Need\nYou need:\n- one")[0] == "## Need\nYou need:\n\n- one"


@pytest.mark.parametrize(
    "text",
    [
        "- one\n- two",
        "- one\nand more of it\n- two",
        "Text\n\n- one",
        "## Heading\n- one",
        "~~~\nText\n- one\n~~~",
        "```\nText\n- one\n```",
        "    Text\n    - one",
        "| a | b |\n|---|---|\n- | c |",
        "a | b\n--- | ---\n- | c",
        "Table: What\n- one",
        "> Text\n- one",
        "<div>\n- one\n</div>",
        "Term\n: meaning\n- one",
        "[^1]: Note\n- one",
        "In the year\n2019. That was long ago.",
        "Text\n-one",
        "Text\n**bold**",
        "Text\n---",
        "Text\n* * *",
        "Some `code\n- one` here",
        "{{thing|\n- one}}",
    ],
)
def test_what_is_no_list_below_a_text_stays(text: str) -> None:
    assert part_lists(text) == (text, 0)


@given(st.lists(st.sampled_from(LINES), max_size=14))
def test_parting_twice_is_parting_once_and_takes_nothing_away(lines: list[str]) -> None:
    text = "\n".join(lines)
    made, count = part_lists(text)
    assert part_lists(made) == (made, 0)
    assert made.count("\n") == text.count("\n") + count
    assert made.replace("\n", "") == text.replace("\n", "")


@pytest.mark.django_db
def test_editor_parts_what_was_written_now_and_says_so(as_ada: Client, hearts: Page, save) -> None:
    base = save(HEARTS + "\nOld:\n- stays\n")
    new = base.text.replace("few points.", "few points:\n- hearts")
    sent = {"text": new, "base": base.pk}
    preview = as_ada.post(EDIT, {**sent, "action": "preview"}).content.decode()
    assert "gets the blank line it needs" in preview
    assert "<li>hearts" in preview
    changes = as_ada.post(EDIT, {**sent, "action": "changes"}).content.decode()
    assert "gets the blank line it needs" in changes
    html = as_ada.post(EDIT, sent, follow=True).content.decode()
    assert "A list got the blank line it needs" in html
    hearts.refresh_from_db()
    assert "few points:\n\n- hearts" in hearts.current.text
    assert "Old:\n- stays" in hearts.current.text


@pytest.mark.django_db
def test_section_is_parted_too(as_ada: Client, hearts: Page) -> None:
    sent = {"text": "## Passing\n\nPass:\n- three", "section": 2, "base": hearts.current_id}
    as_ada.post(EDIT, sent)
    hearts.refresh_from_db()
    assert "Pass:\n\n- three\n\n## Scoring" in hearts.current.text
