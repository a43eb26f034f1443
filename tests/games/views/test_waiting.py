"""The next table that waits for me, and how many do."""

import pytest

from games import listing, services

pytestmark = pytest.mark.django_db


@pytest.fixture
def tables(play, time):
    """Ada is asked at four tables: a slow one, one without limit, a live one; and at one she has left."""
    by_name = {}
    for name, pace in (("slow", "1d"), ("none", "none"), ("live", "live-5"), ("left", "12h")):
        by_name[name] = play("Ada", "Bob", pace=pace, absence="zombie")
    services.leave(table_id=by_name["left"].id, player=by_name["left"].people["Ada"])
    return {name: f"/tables/{game.id}/" for name, game in by_name.items()}


def where(client, after="", **how):
    return client.get("/tables/next", {"after": after.strip("/").rpartition("/")[2]}, **how)


def test_one_goes_round_the_tables_that_wait(tables, browser, person, django_assert_num_queries):
    ada = browser("Ada")
    assert where(ada).url == tables["live"]
    assert where(ada, tables["live"]).url == tables["slow"]
    assert where(ada, tables["slow"]).url == tables["none"]
    assert where(ada, tables["none"]).url == tables["live"]
    assert where(ada, tables["left"]).url == tables["live"]
    user = person("Ada")
    with django_assert_num_queries(1):
        assert listing.next_waiting(user, tables["live"][8:16].lower())[0] == 2
    rows = listing.waiting_tables(user)
    assert [row.url for row in rows] == [tables[name] for name in ("live", "slow", "none")]


def test_the_count_says_how_many_others_wait(tables, browser):
    ada = browser("Ada")
    here = tables["live"].split("/")[2]
    found = ada.get("/tables/waiting", {"after": here})
    assert found.json() == {"count": 2, "next": tables["slow"]}
    assert ada.get("/tables/waiting").json()["count"] == 3
    assert browser().get("/tables/waiting").json() == {"count": 0, "next": None}
    assert "no-store" in found.headers["Cache-Control"]


def test_where_nothing_waits_one_is_told(play, browser):
    game = play("Ada", "Bob")
    for client, after in ((browser("Ada"), game.id), (browser("Eve"), ""), (browser(), "")):
        page = where(client, after)
        assert page.status_code == 404
        assert "No other table waits for you just now." in page.content.decode()
        refused = where(client, after, headers={"Accept": "application/json"})
        assert (refused.status_code, refused.json()["code"]) == (404, "nothing_waits")
    game.choose("Ada")
    assert browser("Ada").get("/tables/waiting").json()["count"] == 0


def test_a_full_table_waits_for_its_host_to_start_it(tiny, person, browser):
    table = services.open_table(player=person("Ada"), game="tiny", seats=["open"], starts="host")
    url = table.get_absolute_url()
    ada, bob = browser("Ada"), browser("Bob")
    assert ada.get("/tables/waiting").json()["count"] == 0
    assert url in browser().get("/").content.decode()
    bob.post(f"{url}join/")
    assert ada.get("/tables/waiting").json() == {"count": 1, "next": url}
    assert bob.get("/tables/waiting").json()["count"] == 0
    assert [row.waiting_for for row in listing.waiting_tables(person("Ada"))] == ["Start the game"]
    assert listing.waiting_tables(person("Bob")) == []
    mine = ada.get("/tables/").content.decode()
    assert mine.count(f'href="{url}"') == 2  # the title and the button, once each
    assert "Start the game" in ada.get("/").content.decode()
    assert url not in browser().get("/").content.decode()
    room = bob.get(url).content.decode()
    assert "Everybody is here" in room
    assert "begins when its host starts it. Seats" in " ".join(room.split())
    ada.post(f"{url}start/")
    assert services.find_table(table.public_id).status == "playing"
