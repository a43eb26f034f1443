"""What programs send by mistake or on purpose: one shape of refusal, a stable code, no 500."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client, override_settings

from portal.models import User
from tests.wiki.api.conftest import ROOT, Api, refused
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db
HUGE = 10**30


@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "DELETE", "PATCH"])
@pytest.mark.parametrize(
    "path", ["/api/", "/api/wiki/", "/api/wiki/v1/nothing", "/api/wiki/v2/pages", "/api/x/y/z/"]
)
def test_an_address_that_is_none(db: None, method: str, path: str) -> None:
    answer = Client().generic(method, path, headers={"Accept": "text/html"})
    assert answer["Content-Type"] == "application/json"
    refused(answer, "not_found", 404)


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("DELETE", "/pages", "GET, HEAD, OPTIONS, POST"),
        ("PATCH", "/pages/hearts", "GET, HEAD, OPTIONS, PUT"),
        ("POST", "/pages/hearts", "GET, HEAD, OPTIONS, PUT"),
        ("GET", "/pages/hearts/revert", "OPTIONS, POST"),
        ("POST", "/changes", "GET, HEAD, OPTIONS"),
        ("POST", "/openapi.json", "GET, HEAD, OPTIONS"),
    ],
)
def test_a_method_that_is_not_known(
    ada_writes: Api, hearts: Page, method: str, path: str, allowed: str
) -> None:
    answer = ada_writes.ask(method, path)
    refused(answer, "method_not_allowed", 405)
    assert answer["Allow"] == allowed


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH"])
def test_the_page_that_describes_the_api_takes_nothing(db: None, method: str) -> None:
    client = Client(enforce_csrf_checks=True)  # as programs come, without a cookie
    answer = client.generic(method, f"{ROOT}/", b"{}", content_type="application/json")
    refused(answer, "method_not_allowed", 405)
    assert answer["Allow"] == "GET, HEAD"


@pytest.mark.parametrize(
    "body",
    [
        b"{",
        b"\xff\xfe",
        b"{'text': 1}",
        b'{"text": NaN, "base": 1}',
        b'{"text": "\\ud800", "base": 1}',
        b"[" * 100_000,
        b"\x1f\x8b\x08",
        "{}".encode("utf-16"),
    ],
)
def test_what_is_no_json(ada_writes: Api, hearts: Page, body: bytes) -> None:
    refused(ada_writes.ask("PUT", "/pages/hearts", body), "bad_json", 400)
    assert Revision.objects.count() == 1


@pytest.mark.parametrize(
    "sent",
    [
        b"",
        b"null",
        b"[]",
        b'"text"',
        {"text": 1, "base": 1},
        {"text": ["x"], "base": 1},
        {"text": "x", "base": "1"},
        {"text": "x", "base": 1.5},
        {"text": "x", "base": True},
        {"text": "x", "base": -1},
        {"text": "x", "base": HUGE},
        {"text": "x", "base": 1, "minor": 1},
        {"text": "x", "base": 1, "section": HUGE},
        {"text": "x", "base": 1, "summary": None},
        {"text": "x", "base": 1, "extra": {}},
    ],
)
def test_a_body_of_another_shape(ada_writes: Api, hearts: Page, sent: Any) -> None:
    error = refused(ada_writes.ask("PUT", "/pages/hearts", sent), "bad_fields", 422)
    assert error["fields"][0]["field"].startswith("body")
    assert Revision.objects.count() == 1


def test_a_form_is_not_json(ada_writes: Api, hearts: Page) -> None:
    answer = ada_writes.client.put(
        ROOT + "/pages/hearts",
        "text=x&base=1",
        content_type="application/x-www-form-urlencoded",
        headers=ada_writes.headers,
    )
    refused(answer, "not_json", 415)


def test_a_body_that_is_too_large(ada_writes: Api, hearts: Page) -> None:
    sent = {"text": "x" * 9 * 2**20, "base": hearts.current_id}
    refused(ada_writes.put("/pages/hearts", sent), "too_large", 413)
    sent = {"text": "x" * 500_000, "base": hearts.current_id}
    error = refused(ada_writes.put("/pages/hearts", sent), "too_long", 413)
    assert "400,000 bytes" in error["message"]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=x",
        f"limit={HUGE}",
        "minor=perhaps",
        "days=-1",
        f"cursor={'x' * 3000}",
    ],
)
def test_a_query_of_another_shape(anybody: Api, hearts: Page, query: str) -> None:
    refused(anybody.get(f"/changes?{query}"), "bad_fields", 422)


@pytest.mark.parametrize("path", ["/pages", "/changes", "/pages/hearts/revisions", "/files"])
@pytest.mark.parametrize(
    "cursor",
    ["x", "%FF", "é", "W10", "WzEsMl0", "bnVsbA", "=", "WyIxIiwgIiJd", "Wy0xLCAiIl0"],
)
def test_a_cursor_that_nobody_gave(anybody: Api, hearts: Page, path: str, cursor: str) -> None:
    refused(anybody.get(f"{path}?cursor={cursor}"), "bad_cursor", 400)


def test_a_cursor_of_another_page(anybody: Api, hearts: Page, save: Callable) -> None:
    for number in range(3):
        save(f"Text {number}.", title="Spades")
    cursor = anybody.read("/pages/spades/revisions?limit=1")["next_cursor"]
    refused(anybody.get(f"/pages/hearts/revisions?cursor={cursor}"), "bad_cursor", 400)


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/pages/nowhere", "no_page"),
        ("/pages/nowhere/revisions", "no_page"),
        ("/titles/No where", "no_page"),
        ("/titles/" + "x" * 300, "bad_fields"),
        ("/revisions/0", "no_revision"),
        ("/revisions/999999999", "no_revision"),
        (f"/revisions/{HUGE}", "bad_fields"),
        ("/revisions/x", "bad_fields"),
        ("/diff/0/0", "no_revision"),
        ("/diff/1/x", "bad_fields"),
        ("/files/nowhere", "no_page"),
    ],
)
def test_what_is_not_there(anybody: Api, path: str, code: str) -> None:
    refused(anybody.get(path), code, 422 if code == "bad_fields" else 404)


@pytest.mark.parametrize("path", ["/pages/a%00b", "/changes?cursor=%00", "/search?q=%00"])
def test_an_address_with_a_nul(anybody: Api, path: str) -> None:
    answer = anybody.client.get(ROOT + path)
    refused(answer, "bad_request", 400)


def test_a_host_that_is_not_ours(anybody: Api) -> None:
    answer = anybody.client.get(ROOT + "/pages", headers={"Host": "evil.example"})
    refused(answer, "bad_request", 400)


def test_a_search_for_nothing_or_too_much(anybody: Api) -> None:
    refused(anybody.get("/search"), "bad_fields", 422)
    refused(anybody.get("/search?offset=999999&q=x"), "bad_fields", 422)
    refused(anybody.get("/search?q=" + "x" * 301), "bad_fields", 422)
    assert anybody.read("/search?q=")["items"] == []


@pytest.mark.parametrize(
    ("error", "code", "status"),
    [
        (RuntimeError("secret detail"), "server_error", 500),
        (OperationalError(), "unavailable", 503),
    ],
)
def test_a_defect_tells_no_details(
    anybody: Api, monkeypatch: pytest.MonkeyPatch, error: Exception, code: str, status: int
) -> None:
    def fail(*_args: Any, **_kwargs: Any) -> None:
        raise error

    monkeypatch.setattr("wiki.selectors.find_page", fail)
    answer = anybody.client.get(ROOT + "/pages/hearts")
    refused(answer, code, status)
    assert "secret detail" not in answer.content.decode()


# Haste


@override_settings(API_READS_PER_MINUTE=3, API_WRITES_PER_MINUTE=2)
def test_haste_is_told_when_to_come_again(
    ada_writes: Api, anybody: Api, hearts: Page, token_for: Callable, ada: User
) -> None:
    for _time in range(3):
        assert anybody.get("/pages").status_code == 200
    answer = anybody.get("/pages")
    refused(answer, "slow_down", 429)
    assert 1 <= int(answer["Retry-After"]) <= 60
    assert ada_writes.get("/pages").status_code == 200  # a person counts alone
    for _time in range(2):
        refused(ada_writes.put("/pages/nowhere", {"text": "x", "base": 1}), "no_page", 404)
    answer = Api(token_for(ada)).put("/pages/nowhere", {"text": "x", "base": 1})
    refused(answer, "slow_down", 429)  # with another token of the same person too


@override_settings(API_READS_PER_MINUTE=2)
def test_guessing_tokens_counts_for_the_address(hearts: Page) -> None:
    for guess in ("a", "b"):
        refused(Api(guess).get("/pages"), "bad_token", 401)
    refused(Api("c").get("/pages"), "slow_down", 429)


@override_settings(API_READS_PER_MINUTE=1)
def test_a_network_of_version_6_counts_as_one(hearts: Page) -> None:
    ask = Client().get
    assert ask(ROOT + "/pages", REMOTE_ADDR="2001:db8:1:2::1").status_code == 200
    assert ask(ROOT + "/pages", REMOTE_ADDR="2001:db8:1:2:ffff::9").status_code == 429
    assert ask(ROOT + "/pages", REMOTE_ADDR="2001:db8:1:3::1").status_code == 200


# Cookies and other sites


def test_a_form_of_another_site_writes_nothing(as_ada: Client, hearts: Page) -> None:
    sent = json.dumps({"title": "Mine", "text": "Mine.", "base": None})
    answer = as_ada.post(
        ROOT + "/pages", sent, content_type="text/plain", headers={"Origin": "https://evil.example"}
    )
    refused(answer, "not_json", 415)
    answer = as_ada.post(
        ROOT + "/pages",
        sent,
        content_type="application/json",
        headers={"Origin": "https://evil.example"},
    )
    refused(answer, "no_token", 401)
    assert "Access-Control-Allow-Origin" not in answer
    assert Page.objects.count() == 1
