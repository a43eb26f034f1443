"""What people see when the server fails: a calm sentence; the log has the reason, with table and ply."""

import logging
import sqlite3

import pytest
from django.db import OperationalError
from django.test import Client

from games import services, tasks
from games.models import Table
from games.realtime import consumers
from games.realtime.threads import in_thread
from tests.games.conftest import nudged, person, play, tiny
from tests.games.realtime.conftest import Socket, dial, let_go
from wiki.models import Page

__all__ = ["dial", "let_go", "nudged", "person", "play", "tiny"]

pytestmark = pytest.mark.django_db(transaction=True)


def full() -> OperationalError:
    """What SQLite raises where there is no room."""
    error = OperationalError("database or disk is full")
    error.__cause__ = cause = sqlite3.OperationalError(str(error))
    cause.sqlite_errorcode = sqlite3.SQLITE_FULL
    return error


FAILURES = [
    (ZeroDivisionError("a defect"), "server_error", 500),
    (OperationalError("server closed the connection unexpectedly"), "unavailable", 503),
    (full(), "disk_full", 507),
]


def failing(error):
    def fail(**how):
        raise error

    return fail


@pytest.fixture
def game(play):
    return play("Ada", "Bob", pace="live-15")


@pytest.mark.parametrize(("error", "code", "status"), FAILURES)
async def test_a_frame_that_fails_is_refused_and_the_socket_stays(
    game, dial, monkeypatch, caplog, error, code, status
):
    socket = await dial(game, game.people["Ada"])
    with monkeypatch.context() as broken, caplog.at_level(logging.WARNING):
        broken.setattr(services, "act", failing(error))
        await socket.send(do="act", key="k", ply=0, action={"type": "done"})
        frame = await socket.next("refused", "ack")
    assert (frame["key"], frame["code"]) == ("k", code)
    assert frame["reason"].endswith(".")
    assert "defect" not in frame["reason"].replace("our defect", "")
    (record,) = (one for one in caplog.records if one.name == "games.door")
    assert f"{code}: table={game.id} ply=0 doing=frame" in record.message
    assert (record.exc_info is not None) == (status == 500)
    action = {"type": "choose", "card": (await in_thread(game.hand, "Ada"))[0]}
    await socket.send(do="act", key="k", ply=0, action=action)
    assert (await socket.next("refused", "ack"))["on"] == "ack"


async def test_a_hint_that_cannot_be_followed_does_not_take_the_socket_along(
    game, dial, monkeypatch, caplog
):
    socket = await dial(game, game.people["Bob"])
    with monkeypatch.context() as broken:
        broken.setattr(consumers.door, "state", failing(ZeroDivisionError("a defect")))
        await in_thread(game.choose, "Ada")
        await socket.send(do="sync", ply=0)
        assert (await socket.next("refused"))["code"] == "server_error"
    await socket.send(do="sync", ply=0)
    assert (await socket.next("state"))["ply"] == 1


async def test_a_socket_that_cannot_be_opened_closes_and_says_why(game, monkeypatch):
    monkeypatch.setattr(services, "find_table", lambda id: failing(OperationalError("gone"))())
    socket = Socket(game.id)
    assert await socket.open()
    assert (await socket.next("refused"))["code"] == "unavailable"
    await socket.next()
    assert socket.closed == consumers.TRY_AGAIN


@pytest.mark.parametrize(("error", "code", "status"), FAILURES)
def test_a_request_that_fails_is_answered_in_words(game, monkeypatch, caplog, error, code, status):
    client = Client(raise_request_exception=False)
    client.force_login(game.people["Ada"])
    monkeypatch.setattr(services, "act", failing(error))
    body = {"key": "k", "ply": 0, "action": {"type": "done"}}
    answer = client.post(f"/tables/{game.id}/act", body, "application/json")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert ("Retry-After" in answer) == (status != 500)
    monkeypatch.setattr(services, "find_table", lambda id: failing(error)())
    page = client.get(f"/tables/{game.id}/")
    assert page.status_code == status
    assert "site-head" in page.content.decode()
    assert f"{code}: path=/tables/{game.id}/" in caplog.text


def test_a_text_that_cannot_be_saved_comes_back_ready_to_be_sent_again(person, monkeypatch):
    client = Client(raise_request_exception=False)
    client.force_login(person("Ada"))
    monkeypatch.setattr(Page, "save", lambda *args, **kwargs: failing(full())())
    monkeypatch.setattr(Page.objects, "create", failing(full()))
    sent = {"title": "Whist", "text": "<b>Forty lines</b>\n& more", "summary": "Begun"}
    answer = client.post("/wiki/whist/edit/", sent)
    page = answer.content.decode()
    assert (answer.status_code, "no room left" in page) == (507, True)
    assert "&lt;b&gt;Forty lines&lt;/b&gt;\n&amp; more</textarea>" in page
    assert 'action="/wiki/whist/edit/"' in page
    assert 'name="summary" value="Begun"' in page


def test_a_password_does_not_come_back(person, monkeypatch):
    client = Client(raise_request_exception=False)
    monkeypatch.setattr(
        "portal.views.GuestLogin.dispatch", lambda *args, **kwargs: failing(full())()
    )
    answer = client.post("/accounts/login/", {"login": "ada", "password": "my secret"})
    assert answer.status_code == 507
    assert "my secret" not in answer.content.decode()


def test_a_table_is_shown_though_its_clock_cannot_be_enforced(game, monkeypatch, caplog):
    Table.objects.get().seats.update(expires_at="2020-01-01T00:00:00Z")
    monkeypatch.setattr("games.door.services.enforce", failing(full()))
    answer = Client().get(f"/tables/{game.id}/state")
    assert (answer.status_code, answer.json()["ply"]) == (200, 0)
    assert f"disk_full: table={game.id} ply=0 doing=enforce" in caplog.text


@pytest.mark.parametrize(
    ("path", "broken"),
    [
        ("/wiki/watchlist/feed/{}/", "wiki.models.WatchList.objects.select_related"),
        ("/accounts/password/reset/key/1-{}/", "allauth.account.forms.UserTokenForm.is_valid"),
    ],
)
def test_secret_addresses_do_not_enter_the_log(monkeypatch, caplog, path, broken):
    secret = "c2b1f0-0123456789abcdef"
    monkeypatch.setattr(broken, lambda *args: failing(full())())
    answer = Client(raise_request_exception=False).get(path.format(secret))
    assert answer.status_code == 507
    assert f"disk_full: path={path.format('...')}" in caplog.text
    assert secret not in caplog.text


def test_a_task_whose_database_is_away_says_so_in_a_line(monkeypatch, caplog):
    monkeypatch.setattr(tasks.services, "close_old_tables", failing(OperationalError("gone")))
    with caplog.at_level(logging.WARNING):
        assert tasks.close_old_tables.apply().state == "FAILURE"
    assert "task games.tasks.close_old_tables() waits: gone" in caplog.text
    assert not [record for record in caplog.records if record.exc_info]


def test_a_task_that_is_our_defect_leaves_a_traceback(monkeypatch, caplog):
    monkeypatch.setattr(tasks.services, "close_old_tables", failing(ZeroDivisionError("defect")))
    with caplog.at_level(logging.WARNING):
        assert tasks.close_old_tables.apply().state == "FAILURE"
    assert [record for record in caplog.records if record.exc_info]
