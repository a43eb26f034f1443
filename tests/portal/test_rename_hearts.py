"""The page of a game gets another name, and all that belongs to it follows."""

import re

import pytest
from django.core.management import call_command
from django.test import Client

from games import services
from games.selectors import table_payload
from portal.models import User
from wiki.models import Page, Revision
from wiki.services import Draft, edit_page
from wiki.services.watch import watch

pytestmark = pytest.mark.django_db


@pytest.fixture
def site(db: None, ada: User) -> Page:
    """The shipped pages, a page that links to Hearts, and who watches it."""
    call_command("load_help", verbosity=0)
    page = Page.objects.get(game="hearts")
    edit_page(
        slug="hearts",
        title="Hearts",
        author=ada,
        draft=Draft(text=page.current.text + "\nQuincunx.\n", base=page.current_id),
    )
    edit_page(slug="tricks", title="Tricks", author=ada, draft=Draft(text="See [[Hearts#Goal]]."))
    watch(page=page, user=ada)
    return page


@pytest.mark.parametrize("redirect", [True, False])
def test_everything_follows_the_page_of_a_game(
    site: Page, ada: User, bob: User, client: Client, redirect: bool
) -> None:
    before, other = client, Client()
    before.force_login(ada)
    other.force_login(bob)
    table = services.play_now(player=ada, game="hearts")
    pinned = table.help_revision
    feeds = {name: before.get(address).content.decode() for name, address in addresses("hearts")}
    sent = {"title": "The black lady", "seen": "Hearts", **({"redirect": "1"} if redirect else {})}
    assert other.post("/wiki/hearts/rename/", sent).url == "/wiki/the-black-lady/"

    # links
    tricks = client.get("/wiki/tricks/").content.decode()
    assert '<a class="wiki-link" href="/wiki/the-black-lady/#s-goal">' in tricks
    # the table: its help, at the revision it began with
    page = client.get(f"/tables/{table.public_id}/")
    assert "/wiki/the-black-lady/" in page.content.decode()
    table.refresh_from_db()
    told = table_payload(table, ada)["help"]
    assert told["url"] == "/wiki/the-black-lady/"
    assert told["pinned_url"] == f"/wiki/the-black-lady/?rev={pinned}"
    assert client.get(told["pinned_url"]).status_code == 200
    # the shelf and the Play panel
    assert client.get("/games/hearts/").url == "/wiki/the-black-lady/"
    html = client.get("/wiki/the-black-lady/").content.decode()
    assert "Play now" in html
    assert "40 minutes" in html
    # feeds: the same ids, the new title
    for name, address in addresses("the-black-lady"):
        feed = client.get(address).content.decode()
        assert ids(feeds[name]) <= ids(feed), name
        assert "The black lady" in feed
    # search, watch list, contributions, changes
    found = client.get("/wiki/search/?q=quincunx").content.decode()
    assert 'href="/wiki/the-black-lady/"' in found
    assert 'href="/wiki/hearts/' not in found
    for address in ("/wiki/watchlist/", "/wiki/contributions/Ada/", "/wiki/changes/"):
        listed = client.get(address).content.decode()
        assert "/wiki/the-black-lady/" in listed, address
        assert 'href="/wiki/hearts/' not in listed, address
    assert "Renamed from “Hearts” to “The black lady”" in listed
    # the old address
    answer = client.get("/wiki/hearts/")
    assert answer.status_code == (302 if redirect else 404)
    # loading the shipped pages once more changes nothing
    count = Revision.objects.count()
    call_command("load_help", verbosity=0)
    site.refresh_from_db()
    assert (site.title, site.slug, site.game) == ("The black lady", "the-black-lady", "hearts")
    assert Revision.objects.count() == count


def addresses(slug: str) -> list[tuple[str, str]]:
    return [
        ("history", f"/wiki/{slug}/history/feed/"),
        ("contributions", "/wiki/contributions/Ada/feed/"),
        ("changes", "/wiki/changes/feed/?limit=500"),
    ]


def ids(feed: str) -> set[str]:
    return set(re.findall(r"<id>([^<]*)</id>", feed))
