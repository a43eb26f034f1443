"""Guests at tables, through the pages: how many come, and what they bring along to an account."""

import json

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import selectors, services
from games.models import Ply, Seat, Table
from games.services import handing, hints
from portal import people
from portal.models import User
from portal.visitor import network

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


@pytest.fixture(autouse=True)
def unnudged(monkeypatch):
    """No worker is called."""
    monkeypatch.setattr(hints, "_nudge", lambda table_id, ply: None)


@pytest.fixture
def guest(client) -> User:
    """The guest of ``client``, who plays Nibble against a bot."""
    client.post(reverse("play_now", args=["nibble"]))
    return User.objects.get(is_guest=True)


def log_in(client) -> None:
    answer = client.post(
        reverse("account_login"), {"login": "Ada", "password": "a long pass phrase"}
    )
    assert answer.status_code == 302


def test_seats_notes_and_tables_come_along_to_the_account(client, ada, guest):
    running = Seat.objects.get(user=guest).table
    client.post(
        f"/tables/{running.public_id}/note",
        json.dumps({"text": "bots are quick"}),
        content_type="application/json",
    )
    client.post(reverse("open_table"), {"game": "hearts", "players": "4"})
    log_in(client)
    assert Table.objects.filter(seats__user=ada).count() == 2
    assert Table.objects.get(status=Table.OPEN).host == ada
    payload = selectors.table_payload(running, ada)
    assert payload["you"] is not None
    assert payload["notes"]["text"] == "bots are quick"
    assert [seat["name"] for seat in payload["seats"] if seat["you"]] == ["Ada"]
    page = client.get(reverse("my_tables")).content.decode()
    assert running.get_absolute_url() in page
    assert not Seat.objects.filter(user=guest).exists()


def test_what_the_guest_sent_is_taken_once_when_the_account_sends_it_again(client, ada, guest):
    table = Seat.objects.get(user=guest).table
    at = f"/tables/{table.public_id}/"
    Seat.objects.filter(table=table, kind=Seat.BOT).update(expires_at=timezone.now())
    services.enforce(table_id=table.public_id)  # where the bot begins
    payload = client.get(f"{at}state").json()
    act = {"key": "a", "ply": payload["ply"], "action": payload["moves"]["items"][0]["action"]}
    say = {"key": "s", "text": "Hello."}
    orders = [("act", act), ("say", say)]
    before = [
        client.post(at + name, sent, content_type="application/json") for name, sent in orders
    ]
    assert [answer.status_code for answer in before] == [200, 200]
    log_in(client)
    for (name, sent), first in zip(orders, before, strict=True):
        again = client.post(at + name, sent, content_type="application/json")
        assert (again.status_code, again.json()) == (200, first.json())
    assert table.chat.count() == 1


def test_a_hand_that_the_guest_saw_counts_for_the_account(client, ada, bob):
    cy = User.objects.create_user("Cy")
    table = services.open_table(player=bob, game="hearts", seats=["open", "open", "bot"])
    services.join(table_id=table.public_id, player=cy)
    client.post(reverse("join_table", args=[table.public_id]))
    at = f"/tables/{table.public_id}/"
    client.post(f"{at}leave/")
    first, second = (
        table.seats.get(user=who).index for who in (User.objects.get(is_guest=True), cy)
    )
    stranger = Client()
    assert stranger.post(f"{at}take-over/", {"seat": first}).status_code == 302
    services.leave(table_id=table.public_id, player=cy)
    log_in(client)
    refused = client.post(f"{at}take-over/", {"seat": second})
    assert (refused.status_code, "another hand" in refused.content.decode()) == (409, True)


def test_to_log_in_reads_no_log_of_others():
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # which few rows would be worth
    plan = Ply.objects.filter(handing.TAKE_OVER, action__former=1).explain()
    assert "take_overs" in plan


def test_nobody_sits_twice_at_a_table(client, ada, guest, bob):
    table = services.open_table(player=ada, game="hearts", seats=["open"] * 3)
    client.post(reverse("join_table", args=[table.public_id]))
    begun = services.open_table(player=ada, game="nibble", seats=["open"], absence="zombie")
    client.post(reverse("join_table", args=[begun.public_id]))
    services.save_note(table_id=begun.public_id, player=ada, text="Mine.")
    services.save_note(table_id=begun.public_id, player=guest, text="The guest's.")
    log_in(client)
    notes = selectors.table_payload(services.find_table(begun.public_id), ada)["notes"]
    assert notes == {"text": "Mine.\n\nThe guest's.", "marks": None, "version": 2}
    assert table.seats.filter(kind=Seat.PERSON).get().user == ada
    assert begun.seats.get(user=ada).zombie is False
    assert begun.seats.get(user=guest).zombie is True
    assert begun.plies.get(kind="leave").user == guest


def test_signing_up_hands_nothing_over(client, guest, monkeypatch):
    monkeypatch.setattr(services, "hand_over", None)  # would fail
    answer = {
        "username": "Cleo",
        "password1": "a long pass phrase",
        "password2": "a long pass phrase",
    }
    assert client.post(reverse("account_signup"), answer).status_code == 302
    assert Seat.objects.get(kind=Seat.PERSON).user.username == "Cleo"


def test_the_log_in_page_says_what_comes_along(client, guest):
    page = client.get(reverse("account_login")).content.decode()
    assert "your tables and notes come along" in page


@pytest.fixture
def few(settings, empty_cache):
    """Two guests an hour are all that an address may make."""
    settings.GUESTS_PER_HOUR = 2


def test_too_many_guests_of_one_address_are_told_so(few, db):
    door = reverse("play_now", args=["nibble"])
    for _ in range(2):
        assert Client().post(door).status_code == 302
    page = Client().post(door)
    assert page.status_code == 429
    assert "Very many guests came from your address" in page.content.decode()
    frame = Client().post(door, headers=JSON)
    assert (frame.status_code, frame.json()["code"]) == (429, "slow_down")
    assert User.objects.count() == Table.objects.count() == 2
    assert Client().post(door, REMOTE_ADDR="192.0.2.7").status_code == 302


def test_an_account_plays_on_where_no_guest_may_come(few, client, ada):
    client.force_login(ada)
    for _ in range(4):
        assert client.post(reverse("play_now", args=["nibble"])).status_code == 302


def test_a_text_is_not_lost_where_no_guest_may_come(few, client, settings):
    call_command("load_help", verbosity=0)
    settings.GUESTS_PER_HOUR = 1
    Client().post(reverse("play_now", args=["nibble"]))
    answer = client.post(
        "/wiki/my-notes/edit/", {"title": "My notes", "text": "Long work.", "action": "guest"}
    )
    page = answer.content.decode()
    assert answer.status_code == 429
    assert "Long work." in page
    assert "Very many guests" in page


def test_where_the_count_cannot_be_kept_nobody_is_kept_out(few, client, monkeypatch, caplog):
    def away(*args, **how):
        raise ConnectionError("no Redis")

    monkeypatch.setattr(people.cache, "add", away)
    for _ in range(4):
        assert Client().post(reverse("play_now", args=["nibble"])).status_code == 302
    assert "guests not counted" in caplog.text


@pytest.mark.parametrize(
    ("address", "household"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:9::9", "2001:db8:1:2::/64"),
    ],
)
def test_a_household_is_an_address_or_a_network(address, household):
    assert network(address) == household


@pytest.mark.parametrize("path", ["join", "take-over"])
def test_a_stranger_who_is_refused_becomes_nobody(path, client, ada, bob):
    full = services.open_table(player=ada, game="nibble", seats=["open"])
    services.join(table_id=full.public_id, player=bob)
    answer = client.post(f"/tables/{full.public_id}/{path}/", {"seat": "0"})
    assert answer.status_code == 409
    assert client.post(f"/tables/XXXXXXXX/{path}/", {"seat": "0"}).status_code == 404
    forged = {"game": "nibble", "players": "2", "pace": "hasty"}
    assert client.post(reverse("open_table"), forged).status_code == 422
    assert not User.objects.filter(is_guest=True).exists()
    assert "_auth_user_id" not in client.session
