"""A section is saved into the page as it is by then, whatever became of the other sections, and of it."""

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
