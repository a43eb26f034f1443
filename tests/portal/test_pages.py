"""Pages as a browser without script gets them, and what holds for every page."""

import re

import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services
from games.engine import all_games
from games.models import Seat, Table
from portal.models import User
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

PUBLIC = [
    "/",
    "/games/",
    "/open-tables/",
    "/about/",
    "/wiki/",
    "/wiki/changes/",
    "/wiki/search/?q=heart",
    "/wiki/hearts/",
    "/wiki/hearts/history/",
    "/wiki/nibble/",
    "/accounts/login/",
    "/accounts/signup/",
    "/accounts/password/reset/",
    "/people/Ada/",
    "/people/Parlour/",
    "/tables/new/",
    "/tables/new/?game=hearts",
    "/no/such/page/",
    "/healthz",
]
OWN = [
    "/",
    "/tables/",
    "/preferences/",
    "/people/Ada/",
    "/accounts/email/",
    "/accounts/password/change/",
    "/accounts/logout/",
]


@pytest.fixture
def library(db, ada) -> None:
    """The shipped help pages, and Ada."""
    call_command("load_help", verbosity=0)


def assert_strict(response) -> None:
    """The page allows no inline script or style, and has none."""
    policy = response["Content-Security-Policy"]
    for rule in ("default-src 'self'", "script-src 'self'", "style-src 'self'"):
        assert rule in policy
    assert "unsafe" not in policy
    if not response["Content-Type"].startswith("text/html"):
        return
    html = response.content.decode()
    assert not re.search(r"<style\b|\sstyle=|\son\w+=|javascript:", html)
    for tag in re.findall(r"<script\b[^>]*>", html):
        assert "src=" in tag or 'type="application/json"' in tag, tag


def test_public_pages_answer_under_a_strict_policy(library, subtests):
    for path in PUBLIC:
        with subtests.test(path=path):
            response = Client().get(path, follow=True)
            assert response.status_code == {
                "/no/such/page/": 404,
                "/healthz": response.status_code,
            }.get(path, 200)
            assert_strict(response)


def test_own_pages_answer_under_a_strict_policy(client, library, ada, subtests):
    client.force_login(ada)
    for path in OWN:
        with subtests.test(path=path):
            response = client.get(path)
            assert response.status_code == 200
            assert_strict(response)


@pytest.mark.parametrize(
    "path", ["/people/a%00/", "/wiki/%00/", "/wiki/search/?q=a%00", "/wiki/hearts/?from=%00"]
)
def test_a_nul_in_an_address_is_refused_in_words(client, db, path):
    response = client.get(path)
    assert response.status_code == 400
    assert "That could not be read" in response.content.decode()


def test_every_page_has_one_heading_a_skip_link_and_a_title(client, library):
    for path in PUBLIC[:-1]:
        html = client.get(path, follow=True).content.decode()
        assert len(re.findall(r"<h1\b", html)) == 1 or path == "/open-tables/", path
        assert 'href="#main"' in html, path
        assert re.search(r"<title>.+ – Parlour</title>", html, re.DOTALL), path


def test_a_table_page_answers_under_a_strict_policy(client, library):
    response = client.post(reverse("play_now", args=["hearts"]), follow=True)
    assert response.status_code == 200
    assert_strict(response)


# -- home ---------------------------------------------------------------------------------------


def test_visitors_are_greeted_and_can_play_with_one_form(client, library):
    html = client.get("/").content.decode()
    assert "Read the rules." in html
    first = min(all_games().values(), key=lambda game: game.meta.name.casefold()).slug
    assert f'action="{reverse("play_now", args=[first])}"' in html
    assert "Nobody is waiting for players just now." in html
    assert "<title>Tables – Parlour</title>" in html


def test_tables_that_wait_come_first_the_soonest_deadline_first(client, db, ada, bob):
    unhurried = services.play_now(player=ada, game="hearts")
    for pace in ("12h", "live-15"):
        table = services.open_table(
            player=bob, game="hearts", seats=["open"] + ["bot"] * 2, pace=pace
        )
        services.join(table_id=table.public_id, player=ada)
    client.force_login(ada)
    html = client.get("/").content.decode()
    assert "<title>(3) Tables – Parlour</title>" in html
    assert "Three tables wait for you" in html
    rows = re.findall(r'id="table-(\w+)"', html)
    assert rows[2] == unhurried.public_id  # no deadline: last
    live = Table.objects.get(pace="live-15")
    assert rows[0] == live.public_id
    assert "left</time>" in html


def test_lobby_shows_some_of_many_tables_and_leads_to_all(client, db, ada, bob, monkeypatch):
    monkeypatch.setattr("portal.views.OPEN_SHOWN", 1)
    monkeypatch.setattr("portal.views.WAITING_SHOWN", 1)
    for _ in range(2):
        services.play_now(player=ada, game="hearts")  # all pass at once: it waits for Ada
        services.open_table(player=bob, game="nibble", seats=["open"])
    client.force_login(ada)
    for address, shown in (("/", 1), ("/open-tables/?few=1", 1), ("/open-tables/", 2)):
        html = client.get(address, headers={"HX-Request": "true"}).content.decode()
        assert html.count(">Sit down</button>") == shown, address
        assert ("All 2 open tables" in html) == (shown == 1)
        assert "Two tables wait for you" in html
        assert "One more waits for you" in html
    assert 'hx-get="/open-tables/?few=1"' in client.get("/").content.decode()


def test_every_open_table_is_found_the_newest_first(client, library, ada, bob, monkeypatch):
    monkeypatch.setattr("games.listing.OPEN_LISTED", 2)
    monkeypatch.setattr("portal.panels.TABLES_SHOWN", 2)
    nibble = [
        services.open_table(player=who, game="nibble", seats=["open"]) for who in (bob, ada, bob)
    ]
    hearts = services.open_table(player=ada, game="hearts", seats=["open"] * 3)

    def listed(address: str) -> list[str]:
        return re.findall(r'id="(?:join|go)-(\w+)"', client.get(address).content.decode())

    third, second, first = (table.public_id for table in nibble)
    client.force_login(ada)
    assert listed("/open-tables/") == [hearts.public_id, first]
    assert listed("/open-tables/?page=2") == [second, third]
    assert listed("/open-tables/?page=9") == [second, third]
    assert listed("/open-tables/?page=x") == [hearts.public_id, first]
    assert listed("/open-tables/?game=nibble&page=2") == [third]
    assert len(listed("/open-tables/?game=nowhere")) == 2
    html = client.get("/open-tables/?game=nibble").content.decode()
    assert "Open tables of Nibble" in html
    assert 'href="?page=2&amp;game=nibble"' in html
    assert 'hx-get="/open-tables/?page=1&amp;game=nibble"' in html
    panel = client.get("/wiki/nibble/").content.decode()
    assert panel.count("/join/") + panel.count(">Go to it<") == 2
    assert '<a href="/open-tables/?game=nibble">All 3 open tables</a>' in panel


def test_open_tables_can_be_joined_by_others_only(client, db, ada, bob):
    table = services.open_table(player=bob, game="nibble", seats=["open"], pace="12h")
    join = f'action="{reverse("join_table", args=[table.public_id])}"'
    client.force_login(bob)
    html = client.get("/").content.decode()
    assert join not in html
    assert "Go to it" in html
    client.force_login(ada)
    html = client.get("/").content.decode()
    assert join in html
    assert "Bob waits" in html
    assert "1 of 2 seats" in html
    client.post(reverse("join_table", args=[table.public_id]))
    assert Seat.objects.filter(table=table, user=ada).exists()
    assert join not in client.get("/").content.decode()


def test_htmx_gets_the_open_tables_alone(client, db, bob):
    services.open_table(player=bob, game="nibble", seats=["open"])
    part = client.get("/open-tables/", headers={"HX-Request": "true"})
    assert part.content.decode().lstrip().startswith("<section")
    assert "Bob waits" in part.content.decode()
    whole = client.get("/open-tables/")
    assert "<html" in whole.content.decode()
    assert "HX-Request" in whole["Vary"]


def test_htmx_gets_the_waiting_tables_of_a_member_too(client, db, ada):
    services.play_now(player=ada, game="hearts")
    client.force_login(ada)
    part = client.get("/open-tables/", headers={"HX-Request": "true"}).content.decode()
    assert 'data-title="(1) Tables – Parlour"' in part
    assert '<section id="waiting-tables"' in part
    assert 'hx-swap-oob="true"' in part
    assert "hx-swap-oob" not in client.get("/").content.decode()


def test_changes_and_games_are_on_the_home_page(client, library):
    html = client.get("/").content.decode()
    for name in ("Lately in the rules", "Hearts", "Nibble", "games/hearts/cover.svg"):
        assert name in html


# -- games and their help -----------------------------------------------------------------------


def test_a_game_leads_to_its_help_page_with_the_play_panel(client, library, bob):
    table = services.open_table(player=bob, game="hearts", seats=["open"] * 3, pace="12h")
    response = client.get("/games/hearts/", follow=True)
    assert response.redirect_chain[-1][0] == "/wiki/hearts/"
    html = response.content.decode()
    assert f'action="{reverse("play_now", args=["hearts"])}"' in html
    assert f'action="{reverse("join_table", args=[table.public_id])}"' in html
    assert "40 minutes" in html
    assert 'aria-label="2 of 5"' in html
    assert client.get("/games/chess/").status_code == 404


def test_loading_help_again_changes_nothing(library):
    before = Revision.objects.count()
    assert Page.objects.filter(game="hearts").get().title == "Hearts"
    call_command("load_help", verbosity=0)
    assert Revision.objects.count() == before


def test_a_table_remembers_the_help_revision_it_began_with(library, ada):
    table = services.play_now(player=ada, game="hearts")
    assert table.help_revision == Page.objects.get(game="hearts").current_id


# -- refusals -----------------------------------------------------------------------------------


def test_a_form_that_is_too_old_gives_back_what_was_written(library):
    client = Client(enforce_csrf_checks=True)
    response = client.post("/wiki/hearts/edit/", {"text": "My <b>careful</b> words"})
    assert response.status_code == 403
    assert "My &lt;b&gt;careful&lt;/b&gt; words" in response.content.decode()
    assert_strict(response)


def test_a_defect_has_a_page_that_needs_nothing(client, library, monkeypatch):
    from games import listing

    def broken(user, slug=None):
        raise RuntimeError("a defect")

    monkeypatch.setattr(listing, "open_tables", broken)
    client.raise_request_exception = False
    response = client.get("/")
    assert response.status_code == 500
    assert "It is our defect" in response.content.decode()
    assert_strict(response)


def test_hosts_that_are_not_ours_are_refused(client):
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400


def test_staff_find_people_in_the_admin(client, library, ada):
    User.objects.filter(pk=ada.pk).update(
        is_staff=True, is_superuser=True, last_seen=timezone.now()
    )
    client.force_login(ada)
    assert client.get("/admin/portal/user/").status_code == 200


def test_about_tells_the_words_of_the_wiki_and_its_clock(client) -> None:
    said = client.get("/about/").content.decode()
    for word in ("undo", "restore", "take back", "patrolled"):
        assert f"<dt>{word}</dt>" in said
    assert "All times of the wiki are in UTC." in said
