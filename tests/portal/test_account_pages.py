"""Passwords and addresses: the pages that lead through it, in our words."""

import re

import pytest
from django.urls import reverse

from portal.models import User

pytestmark = pytest.mark.django_db
PASSWORD = "a long pass phrase"


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("Ada", "ada@example.org", PASSWORD)


def test_a_forgotten_password_is_replaced_by_mail(client, ada, mailoutbox):
    page = client.get(reverse("account_reset_password"))
    assert "A forgotten password" in page.content.decode()
    sent = client.post(reverse("account_reset_password"), {"email": ada.email}, follow=True)
    assert "Look into your mail" in sent.content.decode()
    way = re.search(r"https?://[^/]+(/\S+)", mailoutbox[0].body)
    assert way is not None
    page = client.get(way[1], follow=True)
    assert "A new password" in page.content.decode()
    new = {"password1": "another long phrase", "password2": "another long phrase"}
    assert (
        "Your password is changed."
        in client.post(page.request["PATH_INFO"], new, follow=True).content.decode()
    )
    ada.refresh_from_db()
    assert ada.check_password("another long phrase")
    page = client.get(way[1], follow=True)
    client.logout()
    assert "of no use any more" in client.get(way[1], follow=True).content.decode()


def test_addresses_are_added_confirmed_and_removed(client, ada, mailoutbox):
    client.force_login(ada)
    page = reverse("account_email")
    said = client.post(page, {"email": "new@example.org", "action_add": ""}, follow=True)
    html = said.content.decode()
    assert "A link to confirm new@example.org is on its way." in html
    assert "not confirmed" in html
    way = re.search(r"https?://[^/]+(/\S+)", mailoutbox[0].body)
    assert way is not None
    assert "Is new@example.org an address of Ada?" in client.get(way[1]).content.decode()
    assert "new@example.org is confirmed." in client.post(way[1], follow=True).content.decode()
    removed = client.post(page, {"email": "new@example.org", "action_remove": ""}, follow=True)
    assert "new@example.org" in removed.content.decode()
    bad = client.post(page, {"email": "no address", "action_add": ""}).content.decode()
    assert 'value="no address"' in bad
    assert "id_email_error" in bad


def test_passwords_are_changed_by_those_who_know_the_old_one(client, ada):
    client.force_login(ada)
    page = reverse("account_change_password")
    new = {"password1": "another long phrase", "password2": "another long phrase"}
    wrong = client.post(page, {"oldpassword": "wrong", **new}).content.decode()
    assert "id_oldpassword_error" in wrong
    right = client.post(page, {"oldpassword": PASSWORD, **new}, follow=True).content.decode()
    assert "Your password is changed." in right


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("account_login", ["Name or email", "Password"]),
        ("account_signup", ["Name", "Email (optional)", "Password", "Password (again)"]),
        ("account_reset_password", ["Email"]),
        ("account_email", ["Email"]),
        ("account_reauthenticate", ["Password"]),
        (
            "account_change_password",
            ["Current password", "New password", "New password (again)"],
        ),
        ("account_set_password", ["Password", "Password (again)"]),
    ],
)
def test_labels_speak_as_the_rest_of_the_site(client, ada, name, labels):
    """Allauth writes Title Case, and each label once more inside its field."""
    if name == "account_set_password":
        ada.set_unusable_password()
        ada.save()
    if name not in ("account_login", "account_signup"):
        client.force_login(ada)
    html = client.get(reverse(name)).content.decode()
    form = html[html.index("<h1>") :]
    assert re.findall(r'<label for="[^"]+">([^<]+)</label>', form) == labels
    assert "placeholder" not in form
    assert "can’t" not in form
