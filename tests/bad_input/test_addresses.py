"""Pages and addresses asked for in every wrong way: the status, a page with a way on (or a frame), nothing
that should not be there."""

import os
import re
import subprocess
import sys

import pytest
from django.test import Client
from django.urls import reverse

from portal import views
from tests.site import ROOT

pytestmark = pytest.mark.django_db
JSON = {"Accept": "application/json"}


def assert_said(response, status, heading):
    """A page of the house says no, under the usual policy, and leads on."""
    html = response.content.decode()
    assert response.status_code == status
    assert heading in re.search(r"<h1>(.*?)</h1>", html, re.DOTALL)[1]
    assert 'href="/"' in html
    assert 'class="site-head"' in html
    assert "default-src 'self'" in response["Content-Security-Policy"]


def assert_framed(response, status, code):
    """A frame says no: the status, the code, a sentence."""
    assert response["Content-Type"] == "application/json"
    frame = response.json()
    assert (response.status_code, frame["on"], frame["code"]) == (status, "refused", code)
    assert frame["reason"].endswith(".")


@pytest.mark.parametrize(
    ("path", "status", "heading"),
    [
        ("/no/such/page/", 404, "nothing here"),
        ("/%2F%2Fevil.example/", 404, "nothing here"),
        ("/tables/%00/", 400, "could not be read"),
        ("/?q=%00", 400, "could not be read"),
        ("/tables/%D9%A3%D9%A4%D9%A5%D9%A6%D9%A7%D9%A8%D9%A9%D9%A2/", 404, "Not here"),
        ("/tables/" + "A" * 3000 + "/", 404, "Not here"),
        ("/tables/a%2Fb/", 404, "nothing here"),
        ("/tables/%FF%FE/", 404, "Not here"),
        ("/tables/new/?game=" + "x" * 3000, 404, "Not here"),
        ("/tables/new/?game=%2E%2E%2Fhearts", 404, "Not here"),
        ("/people/" + "a" * 3000 + "/", 404, "nothing here"),
        ("/people/%FF/", 404, "nothing here"),
        ("/static/games/library/hearts/rules.py", 404, "nothing here"),
        ("/static/games/hearts/rules.py", 404, "nothing here"),
        ("/static/games/hearts/playthroughs/", 404, "nothing here"),
        ("/static/..%2F..%2Fsecret_key", 404, "nothing here"),
        ("/static/%2E%2E/manage.py", 404, "nothing here"),
        ("/media/..%2Fsecret_key", 404, "nothing here"),
    ],
)
def test_an_address_that_is_none_is_refused_in_words(client, path, status, heading):
    assert_said(client.get(path), status, heading)


def test_who_asks_for_json_is_refused_in_json(client):
    assert_framed(client.get("/nope/", headers=JSON), 404, "not_found")
    assert_framed(client.get("/tables/%00/", headers=JSON), 400, "bad_request")
    assert_framed(client.get("/tables/XXXXXXXX/", headers=JSON), 404, "table_not_found")
    assert_framed(client.put("/", headers=JSON), 405, "method_not_allowed")
    strict = Client(enforce_csrf_checks=True)
    sent = strict.post("/tables/XXXXXXXX/act", "{}", content_type="application/json")
    assert_framed(sent, 403, "old_page")


@pytest.mark.parametrize("name", ["join", "start", "fill", "leave", "return", "take-over", "again"])
def test_the_address_of_a_form_is_nothing_to_open(client, name):
    response = client.get(f"/tables/XXXXXXXX/{name}/")
    assert_said(response, 405, "Not in this way")
    assert response["Allow"] == "POST"


@pytest.mark.parametrize("path", ["/", "/games/", "/tables/", "/open-tables/", "/about/"])
def test_pages_answer_to_head_and_refuse_other_methods(client, path):
    assert client.head(path).status_code == 200
    for method in ("POST", "PUT", "PATCH", "DELETE", "TRACE", "OPTIONS", "BREW"):
        assert_said(client.generic(method, path), 405, "Not in this way")


@pytest.mark.parametrize("host", ["evil.example", "a b", "localhost:80@evil.example", "[::", ""])
def test_a_host_that_is_not_ours_is_refused(client, host):
    assert_said(client.get("/", headers={"Host": host}), 400, "could not be read")
    assert_framed(client.get("/", headers={"Host": host} | JSON), 400, "bad_request")


def test_forwarded_headers_of_strangers_change_nothing(client):
    spoofed = {"X-Forwarded-Host": "evil.example", "X-Forwarded-Proto": "https", "Forwarded": "x"}
    response = client.get("/tables/new/", headers=spoofed)
    assert response.status_code == 200
    assert "evil.example" not in response.content.decode()
    assert not response.wsgi_request.is_secure()


def test_a_body_over_the_limit_is_refused_with_its_status(client, settings):
    large = {"login": "x" * settings.DATA_UPLOAD_MAX_MEMORY_SIZE, "password": "x"}
    encoded = "application/x-www-form-urlencoded"
    body = "&".join(f"{name}={value}" for name, value in large.items())
    for browser in (client, Client(enforce_csrf_checks=True)):
        response = browser.post(reverse("account_login"), body, content_type=encoded)
        assert_said(response, 413, "too large")
    assert_framed(
        client.post(reverse("account_login"), body, content_type=encoded, headers=JSON),
        413,
        "too_large",
    )
    many = "&".join("a=1" for _ in range(2000))
    for browser in (client, Client(enforce_csrf_checks=True)):
        response = browser.post(reverse("account_login"), many, content_type=encoded)
        assert_said(response, 400, "could not be read")


@pytest.mark.parametrize("kind", ["multipart/form-data", "multipart/form-data; boundary=x"])
def test_a_form_that_is_torn_is_refused(client, kind):
    response = client.post(reverse("account_login"), "abc", content_type=kind)
    assert response.status_code in (200, 400)  # nothing readable, or nothing filled in
    assert "<h1>" in response.content.decode()


def test_a_form_without_its_token_is_refused_and_keeps_what_was_written(ada):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    response = strict.post(
        reverse("preferences"),
        {"theme": "dark", "text": "<b>mine</b>"},
        headers={"Origin": "http://evil.example"},
    )
    assert_said(response, 403, "send that again")
    assert "&lt;b&gt;mine&lt;/b&gt;" in response.content.decode()
    ada.refresh_from_db()
    assert ada.theme == "auto"


def test_a_defect_is_told_plainly_and_tells_nothing(client, monkeypatch):
    def broken(user):
        raise RuntimeError("the secret inside")

    monkeypatch.setattr(views.selectors, "table_count", broken)
    client.raise_request_exception = False
    page = client.get("/")
    assert_said(page, 500, "Something went wrong")
    assert "secret" not in page.content.decode()
    assert_framed(client.get("/", headers=JSON), 500, "server_error")


def test_every_answer_carries_the_headers_that_protect_it(client, ada):
    client.force_login(ada)
    for path in ("/", "/no/such/page/", "/tables/XXXXXXXX/state", "/healthz", "/preferences/"):
        response = client.get(path)
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["X-Frame-Options"] == "DENY"
        assert response["Referrer-Policy"] == "same-origin"
        assert response["Cross-Origin-Opener-Policy"] == "same-origin"
        policy = response["Content-Security-Policy"]
        for rule in ("frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"):
            assert rule in policy
        assert "unsafe" not in policy


def test_cookies_are_for_this_site_alone(client, ada):
    client.post(reverse("account_login"), {"login": "Ada", "password": "a long pass phrase"})
    client.get("/accounts/logout/")
    session, token = client.cookies["sessionid"], client.cookies["csrftoken"]
    assert session["httponly"]
    assert session["samesite"] == token["samesite"] == "Lax"


def test_behind_https_cookies_never_leave_it(tmp_path):
    """``HTTPS=yes``: the flags of cookies, HSTS, and whose word counts for how a request came."""
    names = (
        "SESSION_COOKIE_SECURE",
        "CSRF_COOKIE_SECURE",
        "SECURE_HSTS_SECONDS",
        "SECURE_PROXY_SSL_HEADER",
    )
    ask = f"import portal.settings as s; print([bool(getattr(s, name, 0)) for name in {names}])"
    for value, said in (
        ("yes", "[True, True, True, True]"),
        ("no", "[False, False, False, False]"),
    ):
        env = {**os.environ, "HTTPS": value, "PARLOUR_DATA": str(tmp_path)}
        run = subprocess.run(
            [sys.executable, "-c", ask], env=env, cwd=ROOT, capture_output=True, text=True
        )
        assert run.stdout.strip() == said, run.stderr


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example/", "javascript:alert(1)", "/\\evil.example"]
)
def test_logging_in_leads_to_no_other_site(client, ada, target):
    sent = {"login": "Ada", "password": "a long pass phrase", "next": target}
    assert client.post(reverse("account_login"), sent)["Location"] == "/"
    assert client.post(reverse("account_logout"), {"next": target})["Location"] == "/"
