"""Tokens: made on a page of one's own, shown once, revoked at once."""

import logging
import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from wiki.models import ApiToken, Page
from wiki.services.tokens import MOST_TOKENS, hash_of

pytestmark = pytest.mark.django_db
TOKENS, REVOKE = "/accounts/tokens/", "/accounts/tokens/revoke/"
SENT = {"name": "My script", "scope": "write", "lifetime": "month"}


def made(client: Client, **sent: str) -> str:
    """The secret of a new token."""
    answer = client.post(TOKENS, SENT | sent)
    assert answer.status_code == 200
    found = re.search(r'id="secret" value="(parlour_[\w-]{43})"', answer.content.decode())
    assert found
    assert "no-store" in answer["Cache-Control"]
    return found[1]


def test_a_token_is_shown_once_and_only_its_hash_is_kept(as_ada: Client, ada: User) -> None:
    assert "You have no token yet." in as_ada.get(TOKENS).content.decode()
    secret = made(as_ada)
    token = ApiToken.objects.get()
    assert (token.user, token.name, token.writes) == (ada, "My script", True)
    assert token.sha256 == hash_of(secret)
    assert timedelta(29) < token.expires_at - timezone.now() < timedelta(31)
    html = as_ada.get(TOKENS).content.decode()
    assert "My script" in html
    assert "reads and writes" in html
    assert secret not in html
    assert secret not in str(list(ApiToken.objects.values()))


def test_use_is_told_and_a_token_can_be_revoked(as_ada: Client, hearts: Page) -> None:
    secret = made(as_ada, scope="read", lifetime="always")
    assert "never used" in as_ada.get(TOKENS).content.decode()
    header = {"Authorization": f"Bearer {secret}"}
    assert Client().get("/api/wiki/v1/pages", headers=header).status_code == 200
    assert "last used" in as_ada.get(TOKENS).content.decode()
    answer = as_ada.post(REVOKE, {"token": ApiToken.objects.get().pk}, follow=True)
    assert "“My script” is revoked" in answer.content.decode()
    assert Client().get("/api/wiki/v1/pages", headers=header).status_code == 401


def test_an_expired_token_says_so(as_ada: Client) -> None:
    made(as_ada)
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(days=1))
    assert ">expired" in as_ada.get(TOKENS).content.decode().replace("</svg>", ">")


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"name": " \x00\u202e"}, "no_token_name", 400),
        ({"name": "x" * 101}, "long_token_name", 400),
        ({"lifetime": "ever"}, "bad_lifetime", 400),
        ({"lifetime": ""}, "bad_lifetime", 400),
        ({"name": "Mine"}, "token_named", 409),
    ],
)
def test_a_bad_form_comes_back(as_ada: Client, sent: dict, code: str, status: int) -> None:
    made(as_ada, name="Mine")
    answer = as_ada.post(TOKENS, SENT | sent)
    html = answer.content.decode()
    assert answer.status_code == status
    assert f'data-code="{code}"' in html
    assert re.search(r'value="write" checked', html)
    assert ApiToken.objects.count() == 1


def test_a_page_sent_twice_makes_one_token(as_ada: Client) -> None:
    made(as_ada)
    assert as_ada.post(TOKENS, SENT).status_code == 409
    assert ApiToken.objects.count() == 1


def test_there_are_not_more_tokens_than_one_can_oversee(as_ada: Client) -> None:
    for number in range(MOST_TOKENS):
        made(as_ada, name=f"Token {number}")
    answer = as_ada.post(TOKENS, SENT)
    assert 'data-code="too_many_tokens"' in answer.content.decode()
    assert answer.status_code == 409


def test_guests_and_strangers_make_none(client: Client, db: None) -> None:
    assert client.get(TOKENS)["Location"] == f"/accounts/login/?next={TOKENS}"
    assert client.post(TOKENS, SENT).status_code == 302
    guest = User.objects.create(username="Guest 1", is_guest=True)
    client.force_login(guest)
    assert "Guests have none." in client.get(TOKENS).content.decode()
    answer = client.post(TOKENS, SENT)
    assert answer.status_code == 403
    assert 'data-code="guests_have_none"' in answer.content.decode()
    assert not ApiToken.objects.exists()


def test_nobody_sees_or_revokes_anothers_token(as_ada: Client, as_bob: Client) -> None:
    made(as_ada)
    assert "My script" not in as_bob.get(TOKENS).content.decode()
    for token in (str(ApiToken.objects.get().pk), "x", "", str(10**30)):
        answer = as_bob.post(REVOKE, {"token": token})
        assert answer.status_code == 404
        assert 'data-code="no_such_token"' in answer.content.decode()
    assert ApiToken.objects.count() == 1
    assert as_ada.get(REVOKE).status_code == 405


def test_a_name_is_text(as_ada: Client) -> None:
    made(as_ada, name="<b>&\"'")
    html = as_ada.get(TOKENS).content.decode()
    assert "<b>&" not in html
    assert "&lt;b&gt;&amp;&quot;&#x27;" in html


def test_a_form_of_another_site_makes_none(ada: User) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    assert client.post(TOKENS, SENT).status_code == 403
    assert not ApiToken.objects.exists()


def test_no_log_tells_a_token(
    as_ada: Client,
    hearts: Page,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.DEBUG)
    secret = made(as_ada)

    def fail(*_args: object, **_kwargs: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("wiki.selectors.find_page", fail)
    client = Client(raise_request_exception=False)
    answer = client.get("/api/wiki/v1/pages/hearts", headers={"Authorization": f"Bearer {secret}"})
    assert answer.status_code == 500
    client.get("/api/wiki/v1/pages", headers={"Authorization": f"Bearer {secret}x"})
    assert "server_error" in caplog.text
    assert secret not in caplog.text


def test_the_preferences_lead_there(as_ada: Client, save: Callable) -> None:
    assert f'href="{TOKENS}"' in as_ada.get("/preferences/").content.decode()
    assert 'href="/preferences/"' in as_ada.get(TOKENS).content.decode()
