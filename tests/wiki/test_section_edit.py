"""A section is saved into the page as it is by then, whatever became of the other sections, and of it."""

import re
from html import unescape

import pytest
from django.test import Client

from tests.wiki.conftest import HEARTS, hidden
from wiki.models import Page

pytestmark = pytest.mark.django_db
EDIT = "/wiki/hearts/edit/"
GOAL, PASSING, SCORING = (f"## {part}" for part in HEARTS.split("## ")[1:])


def opened(client: Client, number: int) -> dict[str, str]:
    """What the form of a section holds besides its text."""
    html = client.get(f"{EDIT}?section={number}").content.decode()
    return {name: hidden(html, name) for name in ("base", "section")}


def saved(page: Page) -> str:
    page.refresh_from_db()
    return page.current.text


def test_two_people_in_different_sections(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine, theirs = opened(as_ada, 1), opened(as_bob, 3)
    as_bob.post(EDIT, theirs | {"text": SCORING.replace("thirteen", "13")})
    as_ada.post(EDIT, mine | {"text": GOAL.replace("few", "no")})
    assert saved(hearts) == HEARTS.replace("thirteen", "13").replace("few", "no")


def test_section_has_another_number_by_now(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine = opened(as_ada, 3)
    new = "## Players\n\nFour.\n\n## Cards\n\nFifty-two.\n\n" + HEARTS
    as_bob.post(EDIT, {"text": new, "base": hearts.current_id})
    answer = as_ada.post(EDIT, mine | {"text": SCORING.replace("thirteen", "13")})
    assert answer["Location"] == "/wiki/hearts/#s-scoring"
    assert saved(hearts) == new.replace("thirteen", "13")


def test_sections_have_changed_places(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine = opened(as_ada, 1)
    moved = f"{PASSING}{SCORING.rstrip()}\n\n{GOAL.rstrip()}\n"
    as_bob.post(EDIT, {"text": moved, "base": hearts.current_id})
    answer = as_ada.post(EDIT, mine | {"text": GOAL.replace("few", "no")})
    html = answer.content.decode() if answer.status_code == 409 else saved(hearts)
    assert "no</ins> points" in html or "Take no points" in html  # merged or asked, never lost
    assert "Pass three cards" in saved(hearts)


def test_section_has_another_heading_by_now(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine = opened(as_ada, 2)
    renamed = HEARTS.replace("## Passing", "## Giving cards")
    as_bob.post(EDIT, {"text": renamed, "base": hearts.current_id})
    as_ada.post(EDIT, mine | {"text": PASSING.replace("left", "right")})
    assert saved(hearts) == renamed.replace("left", "right")


def test_section_is_gone_by_now(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine = opened(as_ada, 2)
    as_bob.post(EDIT, {"text": GOAL + SCORING, "base": hearts.current_id})
    answer = as_ada.post(EDIT, mine | {"text": PASSING.replace("left", "right")})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "Pass three cards to the right" in html.split('name="mine"')[1]
    assert saved(hearts) == GOAL + SCORING


def test_two_people_in_one_section(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    mine, theirs = opened(as_ada, 2), opened(as_bob, 2)
    as_bob.post(EDIT, theirs | {"text": PASSING.replace("left", "right")})
    sent = mine | {"text": PASSING.replace("fourth", "fifth")}
    assert as_ada.post(EDIT, sent)["Location"] == "/wiki/hearts/#s-passing"
    assert saved(hearts) == HEARTS.replace("left", "right").replace("fourth", "fifth")
    clash = as_ada.post(EDIT, mine | {"text": PASSING.replace("left", "far left")})
    assert clash.status_code == 409
    assert "<ins>right</ins>" in clash.content.decode()
    assert "<ins>far left</ins>" in clash.content.decode() or "<ins>far" in clash.content.decode()


def test_emptied_section_takes_nothing_else_along(as_ada: Client, hearts: Page) -> None:
    as_ada.post(EDIT, opened(as_ada, 2) | {"text": ""})
    assert saved(hearts) == GOAL + SCORING


def test_section_may_become_two(as_ada: Client, hearts: Page) -> None:
    two = PASSING + "## Playing\n\nFollow suit.\n"
    as_ada.post(EDIT, opened(as_ada, 2) | {"text": two})
    assert saved(hearts) == GOAL + PASSING + "## Playing\n\nFollow suit.\n\n" + SCORING


def test_sections_of_every_level_can_be_edited_by_themselves(as_ada: Client, hearts: Page) -> None:
    text = "## Goal\n\none\n\n### Points\n\ntwo\n\n#### Queen\n\nthree\n"
    as_ada.post(EDIT, {"text": text, "base": hearts.current_id})
    html = as_ada.get("/wiki/hearts/").content.decode()
    for number, heading in enumerate(("Goal", "Points", "Queen"), 1):
        assert f'href="{EDIT}?section={number}" aria-label="Edit section {heading}"' in html
    as_ada.post(EDIT, opened(as_ada, 2) | {"text": "### Points\n\nnone\n"})
    assert saved(hearts) == "## Goal\n\none\n\n### Points\n\nnone\n"


NESTED = """## Goal

> ## Quoted
>
> few

- one

    ## In a list

- ## Also in a list

Text.[^1]

[^1]: A note.

    ## In a note

Term
:   said

    ## In a definition

### Points `of` *all*

<div>

### Between tags

</div>

## Goal

```
## In code
```

## Passing

left

<!--
## In a comment
-->

right

## Scoring

thirteen
"""


def links_in(html: str) -> list[tuple[int, str]]:
    """The sections that have a link, with what it is called."""
    found = re.findall(r'edit/\?section=(\d+)" aria-label="Edit section ([^"]*)"', html)
    return [(int(number), heading) for number, heading in found]


def test_headings_in_something_else_take_no_link_from_others(
    as_ada: Client, hearts: Page, save
) -> None:
    save(NESTED)
    html = as_ada.get("/wiki/hearts/").content.decode()
    for heading in ("Quoted", "In a list", "In a note", "In a definition"):
        assert f">{heading}</h2>" in html  # a heading, and none of its own
    # neither has "Passing", which goes on behind a comment that looks like a heading, nor "Points"
    assert links_in(html) == [(1, "Goal"), (4, "Goal (2)"), (7, "Scoring")]
    for number, start, end in ((1, "## Goal\n\n>", "</div>"), (4, "## Goal\n\n```", "```")):
        text = unescape(
            re.search(r"<textarea[^>]*>(.*?)</textarea>", form(as_ada, number), re.S)[1]
        )
        assert text.lstrip("\n").startswith(start)
        assert text.rstrip().endswith(end)
    as_ada.post(EDIT, opened(as_ada, 7) | {"text": "## Scoring\n\n13\n"})
    assert saved(hearts) == NESTED.replace("thirteen", "13")


def form(client: Client, number: int) -> str:
    return client.get(f"{EDIT}?section={number}").content.decode()


@pytest.mark.parametrize(
    ("text", "links"),
    [
        ("> ## A\n\n## A\n\nx\n", [(1, "A (2)")]),
        ("## A\n\n- x\n\n    ## A\n\n## A\n", [(1, "A"), (2, "A (3)")]),
        ("- x\n## A\n\ny\n", [(1, "A")]),
        ("A\n===\n\n> B\n> ---\n\nC\n---\n", [(1, "A"), (2, "C")]),
        ("## A[^1]\n\n### {{die|6}} B\n\n[^1]: > ## C\n", [(1, "A"), (2, "Die: six B")]),
        ("<div>\n\n## A\n\n</div>\n\n## A\n\nx\n", []),  # which of the two nobody can tell
        ("<div>\n\n## B\n\n</div>\n\n## A\n\nx\n", [(2, "A")]),
        ("> > - ## A\n", []),
        ("x\n", []),
    ],
)
def test_every_heading_that_begins_a_section_has_its_link(
    as_ada: Client, hearts: Page, save, text: str, links: list[tuple[int, str]]
) -> None:
    save(text)
    assert links_in(as_ada.get("/wiki/hearts/").content.decode()) == links
    Page.objects.filter(pk=hearts.pk).update(language="sr")
    html = as_ada.get("/wiki/hearts/?variant=sr-ec").content.decode()
    assert [number for number, _heading in links_in(html)] == [number for number, _ in links]
