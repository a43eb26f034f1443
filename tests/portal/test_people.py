"""Guests in one click, guests who become accounts, guests who go."""

from datetime import timedelta

import pytest
from django.core.management import call_command
from django.urls import reverse
from django.utils import timezone

from games import services
from games.models import Seat, Table
from portal import housekeeping, people, selectors, tasks
from portal.models import User

pytestmark = pytest.mark.django_db
NEW = {
    "username": "Cleo",
    "password1": "a long pass phrase",
    "password2": "a long pass phrase",
}


@pytest.fixture
def guest(client) -> User:
    """The guest of ``client``, made by "Play now"."""
    client.post(reverse("play_now", args=["nibble"]))
    return User.objects.get(is_guest=True)


def test_play_now_makes_a_guest_who_sits_at_a_running_table(client, guest):
    assert guest.username.startswith("Guest ")
    assert not guest.has_usable_password()
    assert Seat.objects.get(user=guest).table.status == Table.PLAYING
    assert guest.username in client.get("/").content.decode()


def test_a_second_click_keeps_the_guest(client, guest):
    client.post(reverse("play_now", args=["nibble"]))
    assert User.objects.get() == guest
    assert Seat.objects.filter(user=guest).count() == 2


def test_no_two_guests_share_a_name(db, monkeypatch):
    monkeypatch.setattr(people.secrets, "randbelow", lambda limit: 0)
    names = [people.create_guest().username for _ in range(3)]
    assert names == ["Guest 1000", "Guest 10000", "Guest 100000"]


@pytest.mark.parametrize("name", ["..", "...", "@@", "_._"])
def test_a_name_that_no_address_can_hold_is_refused(client, db, name):
    answer = client.post(reverse("account_signup"), {**NEW, "username": name})
    assert "at least one letter or digit" in answer.content.decode()
    assert not User.objects.exists()


def test_signing_up_keeps_the_row_and_the_seat(client, guest):
    page = client.get(reverse("account_signup")).content.decode()
    assert guest.username in page
    response = client.post(reverse("account_signup"), NEW)
    assert response.status_code == 302
    cleo = User.objects.get()
    assert (cleo.pk, cleo.username, cleo.is_guest) == (guest.pk, "Cleo", False)
    assert cleo.check_password(NEW["password1"])
    assert Seat.objects.get(user=cleo)
    assert "Cleo" in client.get("/").content.decode()  # still logged in


@pytest.mark.parametrize(
    ("name", "sent"),
    [
        (
            "account_set_password",
            {"password1": "fresh pass phrase", "password2": "fresh pass phrase"},
        ),
        ("account_change_password", {}),
        ("account_email", {"email": "guest@example.org", "action_add": ""}),
    ],
)
def test_a_guest_signs_up_before_there_is_a_password_or_an_address(client, guest, name, sent):
    for answer in (client.get(reverse(name)), client.post(reverse(name), sent)):
        assert (answer.status_code, answer.url) == (302, reverse("account_signup"))
    guest.refresh_from_db()
    assert not guest.has_usable_password()
    assert not guest.emailaddress_set.exists()


def test_signing_up_with_a_mistake_keeps_the_guest(client, guest):
    response = client.post(reverse("account_signup"), NEW | {"password2": "something else"})
    assert response.status_code == 200
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.username in client.get("/").content.decode()


def test_signing_up_without_having_been_a_guest(client):
    client.post(reverse("account_signup"), NEW | {"email": "cleo@example.org"})
    cleo = User.objects.get()
    assert (cleo.username, cleo.email, cleo.is_guest) == ("Cleo", "cleo@example.org", False)


@pytest.mark.parametrize("name", ["Guest_77", "guest", "GUEST-1234"])
def test_names_of_guests_are_kept_for_guests(client, name):
    response = client.post(reverse("account_signup"), NEW | {"username": name})
    assert response.status_code == 200
    assert "for guests" in response.content.decode()
    assert not User.objects.exists()


def test_names_of_authors_without_account_stay_theirs(client, db):
    call_command("load_help", verbosity=0)  # shipped texts are signed "Parlour"
    response = client.post(reverse("account_signup"), NEW | {"username": "parlour"})
    assert "stands under texts here" in response.content.decode()
    assert not User.objects.exists()


def test_signing_up_leads_back_to_where_one_was(client, db):
    call_command("load_help", verbosity=0)
    html = client.get("/wiki/hearts/").content.decode()
    assert "/accounts/signup/?next=%2Fwiki%2Fhearts%2F" in html
    response = client.post(reverse("account_signup"), NEW | {"next": "/wiki/hearts/"})
    assert response["Location"] == "/wiki/hearts/"
    assert "next=" not in client.get("/").content.decode()


def test_a_guest_may_log_in_to_an_account(client, ada, guest):
    assert guest.username in client.get(reverse("account_login")).content.decode()
    client.post(reverse("account_login"), {"login": "Ada", "password": "a long pass phrase"})
    assert int(client.session["_auth_user_id"]) == ada.pk
    assert User.objects.filter(pk=guest.pk).exists()


def test_somebody_logged_in_is_led_away_from_log_in(client, ada):
    client.force_login(ada)
    assert client.get(reverse("account_login")).status_code == 302


def test_logging_out_warns_a_guest_only(client, ada, guest):
    assert "nobody can come back" in client.get(reverse("account_logout")).content.decode()
    client.force_login(ada)
    assert "nobody can come back" not in client.get(reverse("account_logout")).content.decode()
    assert client.post(reverse("account_logout")).status_code == 302
    assert "_auth_user_id" not in client.session


def test_idle_guests_go_but_never_from_a_running_table(client, ada, guest):
    now = timezone.now()
    long_ago = now - timedelta(days=91)
    idle = people.create_guest()
    never_seen = people.create_guest()
    lately = people.create_guest()
    User.objects.filter(pk__in=[idle.pk, guest.pk, ada.pk]).update(last_seen=long_ago)
    User.objects.filter(pk=never_seen.pk).update(last_seen=None, date_joined=long_ago)
    assert housekeeping.remove_idle_guests(now=now, days=90) == 2
    left = set(User.objects.values_list("pk", flat=True))
    assert left == {ada.pk, guest.pk, lately.pk}
    tasks.remove_idle_guests()  # again: there are none left
    assert User.objects.count() == 3


@pytest.mark.parametrize("seen", ["long ago", "never"])
def test_a_guest_whose_cookie_ran_out_goes_and_the_game_takes_the_seat(client, guest, seen):
    now = timezone.now()
    long_ago = now - timedelta(days=364)
    User.objects.update(last_seen=long_ago if seen == "long ago" else None, date_joined=long_ago)
    assert housekeeping.remove_idle_guests(now=now, days=90) == 0
    assert housekeeping.remove_idle_guests(now=now + timedelta(days=2), days=90) == 1
    table = Table.objects.get()
    services.enforce(table_id=table.public_id)
    seat = table.seats.get(kind=Seat.PERSON)
    assert seat.zombie
    assert seat.name == guest.username
    assert services.find_table(table.public_id).deserted_at


def test_an_idle_guest_goes_once_the_game_is_over(db):
    guest = people.create_guest()
    table = services.play_now(player=guest, game="nibble")
    table.status = Table.FINISHED
    table.save(update_fields=["status"])
    later = timezone.now() + timedelta(days=91)
    assert housekeeping.remove_idle_guests(now=later, days=90) == 1
    assert Table.objects.get().seats.filter(user=None, kind=Seat.PERSON).count() == 1


def test_being_here_is_remembered_every_ten_minutes(client, ada):
    client.force_login(ada)
    client.get("/")
    ada.refresh_from_db()
    first = ada.last_seen
    assert timezone.now() - first < timedelta(minutes=1)
    client.get("/")
    ada.refresh_from_db()
    assert ada.last_seen == first


def test_preferences_are_kept_and_shown(client, ada):
    assert client.get(reverse("preferences")).status_code == 302  # log in first
    client.force_login(ada)
    assert "data-theme" not in client.get("/").content.decode()
    client.post(reverse("preferences"), {"theme": "dark", "confirm_moves": "on"})
    ada.refresh_from_db()
    assert (ada.theme, ada.confirm_moves, ada.letter_keys) == ("dark", True, False)
    assert ' data-theme="dark">' in client.get("/").content.decode()
    assert client.post(reverse("preferences"), {"theme": "pink"}).status_code == 200
    ada.refresh_from_db()
    assert ada.theme == "dark"


def test_the_table_page_switches_one_preference_at_a_time(client, ada):
    def switch(**sent):
        return client.post(reverse("switch"), sent, headers={"accept": "application/json"})

    refused = switch(name="sound", value="true")
    assert (refused.status_code, refused.json()["code"]) == (403, "not_logged_in")
    client.force_login(ada)
    assert switch(name="sound", value="true").json() == {"sound": True}
    assert switch(name="letter_keys", value="false").status_code == 200
    assert switch(name="theme", value="dark").json() == {"theme": "dark"}
    bad_ones = [{"name": "is_staff", "value": "true"}, {"name": "sound", "value": "maybe"}, {}]
    for bad in (*bad_ones, {"name": "theme", "value": "true"}):
        refused = switch(**bad)
        assert (refused.status_code, refused.json()["code"]) == (422, "bad_preference")
    refused = client.post(reverse("switch"), {"name": "is_staff", "value": "true"})  # from a form
    assert (refused.status_code, "There is no such preference" in str(refused.content)) == (
        422,
        True,
    )
    ada.refresh_from_db()
    assert (ada.sound, ada.letter_keys, ada.motion, ada.is_staff) == (True, False, True, False)
    assert ada.theme == "dark"


def test_a_person_has_a_page(client, ada, bob):
    response = client.get("/people/ada/")
    assert response.status_code == 200
    assert "No game finished yet" in response.content.decode()
    table = services.open_table(player=ada, game="nibble", seats=["open"])
    services.join(table_id=table.public_id, player=bob)
    table.refresh_from_db()
    services.leave(table_id=table.public_id, player=bob)
    page = client.get("/people/Ada/").content.decode()
    assert "Nibble" in page
    assert "with Ada and Bob" in page or "with Bob and Ada" in page  # seats are drawn
    assert table.get_absolute_url() in page
    assert client.get("/people/Nobody/").status_code == 404


def test_a_win_is_ones_own(play):
    """Who plays alone is first also where they lose; and what the engine finished is nobody's."""
    lost = play("Ada", absence=Table.FORFEIT)
    ada = lost.people["Ada"]
    services.leave(table_id=lost.id, player=ada)
    assert (lost.table.status, lost.seat("Ada").rank) == (Table.FINISHED, 1)
    assert [(row.finished, row.won) for row in selectors.games_played(ada)] == [(1, 0)]
    Table.objects.update(outcome={**lost.table.outcome, "won": None})  # only the score counts
    assert [(row.finished, row.won) for row in selectors.games_played(ada)] == [(1, 0)]
    Table.objects.update(outcome={**lost.table.outcome, "won": True})
    assert [(row.finished, row.won) for row in selectors.games_played(ada)] == [(1, 1)]

    left = play("Ada", "Bob", "Cy", absence=Table.ZOMBIE)
    services.leave(table_id=left.id, player=ada)
    for name in ("Bob", "Cy"):
        services.leave(table_id=left.id, player=left.people[name])
    Table.objects.filter(public_id=left.id).update(status=Table.FINISHED)
    Seat.objects.filter(table=left.table).update(rank=1)
    assert [row.finished for row in selectors.games_played(ada)] == [1]
