"""People and pages for the tests of the wiki."""

import re
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.test import Client

from portal.models import User
from wiki.models import ImportSource, Page, Revision
from wiki.services import Draft, edit_page, renumber
from wiki.services.history import sha1

HEARTS = """## Goal

Take few points. Hearts cost one each.

## Passing

Pass three cards to the left. Then look at what you got. Hold on the fourth deal.

## Scoring

The queen costs thirteen.
"""

WIKITEXT = "'''Hearts''' & \"<b>\"  \n* ''one''\n\n  two \ttab\n"


def hidden(html: str, name: str) -> str:
    """The value of a hidden field of a form."""
    found = re.search(rf'name="{name}" value="([^"]*)"', html)
    assert found, f"no field {name}"
    return found[1]


@pytest.fixture
def ada(db: None) -> User:
    return User.objects.create_user("Ada", password="pass")


@pytest.fixture
def bob(db: None) -> User:
    return User.objects.create_user("Bob", password="pass")


@pytest.fixture
def as_ada(ada: User) -> Client:
    client = Client()
    client.force_login(ada)
    return client


@pytest.fixture
def as_bob(bob: User) -> Client:
    client = Client()
    client.force_login(bob)
    return client


@pytest.fixture
def save(ada: User) -> Callable[..., Revision]:
    """Saves a text as the newest revision of a page, from its current one."""

    def save_text(text: str, *, title: str = "Hearts", author: User = ada, **said) -> Revision:
        page = Page.objects.filter(title=title).first()
        base = page.current_id if page else None
        draft = Draft(text=text, base=base, **{"unnamed": True, **said})
        slug = page.slug if page else title.lower()
        return edit_page(slug=slug, title=title, author=author, draft=draft)[0]

    return save_text


@pytest.fixture
def hearts(save: Callable[..., Revision]) -> Page:
    return save(HEARTS).page


@pytest.fixture
def old(hearts: Page) -> Revision:
    """An imported revision, older than everything, of an author who has no account."""
    source = ImportSource.objects.create(site="Some wiki", kind="feed-text", sha256="0" * 64)
    revision = Revision.objects.create(
        page=hearts,
        author_name="Tilda W",
        timestamp=datetime(2019, 6, 12, 7, 29, 2, tzinfo=UTC),
        summary="/* Setup */ more & <more>",
        text="**Hearts**",
        text_sha1=sha1("**Hearts**"),
        size=10,
        origin=source,
        origin_title="Gamehelphearts",
        origin_key="k",
        source_text=WIKITEXT,
    )
    renumber(hearts)
    return revision
