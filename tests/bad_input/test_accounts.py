"""Signing up, logging in, resetting: names that are none, strangers who try, addresses that are unknown."""

import importlib

import pytest
from django.apps import apps
from django.core import mail
from django.db import IntegrityError
from django.urls import reverse

from games import services
from portal import people
from portal.models import User
from portal.names import name_key
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db

PASSWORD = "a long pass phrase"


@pytest.fixture(autouse=True)
def _no_limit_yet(empty_cache):
    """Limits of tries begin anew."""


def sign_up(client, name, **more):
    sent = {"username": name, "password1": PASSWORD, "password2": PASSWORD} | more
    return client.post(reverse("account_signup"), sent)


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("", "required"),
        ("   ", "required"),
        ("a", "2 to 30 characters"),
        ("a" * 31, "2 to 30 characters"),
        ("a" * 5000, "150 characters"),
        ("a\0b", "Null characters"),
        ("a\u0007b", "valid username"),
        ("a b", "valid username"),
        ("a\nb", "valid username"),
        ("Ad\u202ea", "valid username"),
        ("Ad\u200ba", "valid username"),
        ("Ad\ufeffa", "valid username"),
        ("Ad\u00ada", "valid username"),
        ("\u3164\u3164", "letters that one can see"),
        ("Ad\uffa0a", "letters that one can see"),
        ("Zo\u0300\u0301\u0302\u0303e", "valid username"),
        ("🦊🦊", "letter or digit"),
        ("Ada🦊", "valid username"),
        ("<script>alert(1)</script>", "valid username"),
        ("Ada/../Bob", "valid username"),
        ("../..", "letter or digit"),
        ("Ada'--", "valid username"),
        ("bot", "part of the site"),
        ("B.o.t_2", "part of the site"),
        ("ENGINE", "part of the site"),
        ("System", "part of the site"),
        ("admin1", "part of the site"),
        ("Ａdmin", "part of the site"),
        ("аdmin", "part of the site"),  # its first letter is Cyrillic
        ("Moderator", "part of the site"),
        ("guest_12", "for guests"),
        ("Guеst1", "for guests"),  # a Cyrillic letter in it
        ("Аdаm", "one alphabet"),  # Cyrillic and Latin
        ("ada", "has this name|already exists"),
        ("ADA", "has this name|already exists"),
        ("Ａｄａ", "has this name|already exists"),  # wide letters
        ("Αdа", "has this name|one alphabet"),
        ("STRASSE", "has this name"),
        ("сор", "has this name"),  # all Cyrillic; "cop" is there
    ],
)
def test_a_name_that_is_none_is_refused_in_words(client, ada, name, reason):
    User.objects.create_user("Straße")
    User.objects.create_user("Cop")
    response = sign_up(client, name)
    html = response.content.decode()
    assert response.status_code == 200
    assert any(part in html for part in reason.split("|")), name
    assert "<script>alert" not in html
    assert User.objects.count() == 3


@pytest.mark.parametrize(
    "name", ["Zoë", "Николай", "Ελένη", "小林", "O.Neil-2", "אדם", "Botho", "Hosta"]
)
def test_names_of_all_peoples_are_welcome(client, name):
    assert sign_up(client, name).status_code == 302
    page = client.get(f"/people/{name}/")
    assert page.status_code == 200
    assert name in page.content.decode()


def test_a_name_is_kept_in_one_way_of_writing(client):
    assert sign_up(client, " Ｚｏｅ\u0308 ").status_code == 302
    assert User.objects.get().username == "Zoë"


def test_the_database_keeps_look_alikes_apart(ada):
    with pytest.raises(IntegrityError):
        User.objects.create_user("ADA")


def test_of_two_who_choose_a_name_at_the_same_moment_one_is_told(client, monkeypatch):
    User.objects.create_user("Cop")
    monkeypatch.setattr(people, "_nobody_is_called", lambda name: None)  # it was so when she looked
    response = sign_up(client, "сор")
    assert response.status_code == 200
    assert "has just taken this name" in response.content.decode()
    assert User.objects.count() == 1


def test_names_that_were_here_before_keep_their_people(ada):
    """The migration gives the later of two look-alikes a key of its own, and it can be saved again."""
    User.objects.bulk_create([User(username="twin")])
    User.objects.filter(username="twin").update(username="ADA")
    importlib.import_module("portal.migrations.0002_name_key").fill(apps, None)
    later = User.objects.get(username="ADA")
    assert (ada.name_key, later.name_key) == ("ada", f"ada {later.pk}")
    later.theme = "dark"
    later.save()
    later.refresh_from_db()
    assert later.name_key == f"ada {later.pk}"
    assert name_key("ADA") == "ada"


def test_the_name_of_an_imported_author_has_no_look_alike(client, db):
    page = Page.objects.create(title="Whist", slug="whist")
    Revision.objects.create(page=page, author_name="Cop", text="x")
    assert "stands under texts" in sign_up(client, "сор").content.decode()


@pytest.mark.parametrize(
    "address",
    ["x", "x@", "@x.org", "x@y", "x y@example.org", "x@example.org\nBcc: y@example.org", "x" * 400],
)
def test_an_address_that_is_none_is_refused(client, db, address):
    response = sign_up(client, "Zoe", email=address)
    assert response.status_code == 200
    assert 'aria-invalid="true"' in response.content.decode() or "valid email" in (
        response.content.decode()
    )
    assert not User.objects.exists()
    assert not mail.outbox


def test_a_reset_says_the_same_for_an_address_that_is_known_and_for_one_that_is_not(client, ada):
    said = []
    for address in ("ada@example.org", "nobody@example.org"):
        response = client.post(reverse("account_reset_password"), {"email": address})
        page = client.get(response["Location"])
        said.append((response.status_code, response["Location"], page.content.decode()))
    assert said[0][:2] == said[1][:2]
    assert "nobody@example.org" not in said[1][2]
    assert [message.to for message in mail.outbox] == [["ada@example.org"]]


def test_logging_in_says_the_same_for_a_wrong_name_and_a_wrong_password(client, ada):
    pages = [
        client.post(reverse("account_login"), {"login": name, "password": "wrong"})
        for name in ("Ada", "Nobody")
    ]
    said = ["do not fit together" in page.content.decode() for page in pages]
    assert [page.status_code for page in pages] == [200, 200]
    assert said == [True, True]


def test_who_guesses_passwords_is_slowed_down(client, ada):
    url = reverse("account_login")
    for number in range(6):
        spoofed = {"X-Forwarded-For": f"192.0.2.{number}", "X-Real-IP": f"192.0.2.{number}"}
        answer = client.post(url, {"login": "Ada", "password": "wrong"}, headers=spoofed)
    assert "Too many tries." in answer.content.decode()
    right = client.post(url, {"login": "Ada", "password": PASSWORD})
    assert right.status_code == 200
    assert "_auth_user_id" not in client.session


def test_the_admin_has_no_log_in_of_its_own(client, ada):
    response = client.get("/admin/login/", {"next": "/admin/"})
    assert response["Location"].startswith(reverse("account_login"))
    guess = client.post("/admin/login/", {"username": "Ada", "password": PASSWORD})
    assert guess["Location"].startswith(reverse("account_login"))
    client.force_login(ada)
    refused = client.get("/admin/", follow=True)
    assert refused.status_code == 403
    assert 'class="site-head"' in refused.content.decode()


def test_who_signs_up_too_often_is_slowed_down_in_words(client, db):
    for _ in range(21):
        answer = sign_up(client, "")
    assert answer.status_code == 429
    html = answer.content.decode()
    assert "That was too often" in html
    assert 'class="site-head"' in html


@pytest.mark.parametrize("sent", [{"theme": "pink"}, {"theme": "dark\0"}, {"theme": ""}, {}])
def test_preferences_that_are_none_are_refused(client, ada, sent):
    client.force_login(ada)
    client.post(reverse("preferences"), sent)
    ada.refresh_from_db()
    assert ada.theme == "auto"


def test_a_name_of_a_person_is_text_wherever_it_is_shown(client, ada):
    User.objects.filter(pk=ada.pk).update(username="<b>x</b>")  # as an old import may have it
    ada.refresh_from_db()
    table = services.open_table(player=ada, game="nibble", seats=["open"])
    client.force_login(ada)
    for path in ("/", "/tables/", table.get_absolute_url(), "/people/%3Cb%3Ex%3C/b%3E/"):
        html = client.get(path).content.decode()
        assert "<b>x</b>" not in html, path
        assert "&lt;b&gt;x&lt;/b&gt;" in html, path
