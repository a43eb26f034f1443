"""Mail at slow tables."""

from smtplib import SMTPRecipientsRefused

import pytest
from django.core import mail

from games import hooks, services, tasks
from games.models import Table
from games.services import telling

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def addresses(monkeypatch):
    """Everybody has a confirmed address, and nobody is here."""
    monkeypatch.setattr(hooks, "_mail_address", lambda user: f"{user.username}@example.org")


@pytest.fixture
def run(django_capture_on_commit_callbacks):
    def tell():
        mail.outbox.clear()
        with django_capture_on_commit_callbacks(execute=True):
            count = tasks.tell_people()
        assert count == len(mail.outbox)
        return sorted((one.to[0].split("@")[0], one.subject) for one in mail.outbox)

    return tell


def test_the_turn_is_told_once(play, time, run):
    play("Ada", "Bob", pace="1d")
    assert run() == []  # perhaps they are all there
    time.move(minutes=2)
    assert run() == [("Ada", "Higher: it is your turn"), ("Bob", "Higher: it is your turn")]
    assert run() == []


def test_one_who_moves_on_is_not_told(play, time, run):
    game = play("Ada", "Bob", pace="1d")
    time.move(minutes=2)
    run()
    first = game.at(0)
    other = next(name for name in game.people if name != first)
    game.choose(other)
    game.choose(first)  # and now ends the round
    time.move(minutes=2)
    assert run() == []


def test_the_end_is_warned_of_once(play, time, run):
    play("Ada", "Bob", pace="1d")
    time.move(minutes=2)
    run()
    time.move(days=2, hours=17)
    assert run() == []
    time.move(hours=2)
    assert [subject for _, subject in run()] == ["Higher: your time runs out"] * 2
    assert run() == []


def test_the_mail_says_where_and_until_when(play, time, run, settings):
    settings.SITE_URL = "https://parlour.example/"
    game = play("Ada", "Bob", pace="1d")
    game.choose("Ada")
    time.move(minutes=2)
    run()
    (letter,) = mail.outbox
    assert f"https://parlour.example{game.table.get_absolute_url()}" in letter.body
    assert "Thursday, 05 November, 12:00 UTC" in letter.body


def test_no_mail_at_live_tables_or_against_bots_alone(play, time, run):
    play("Ada", "Bob", pace="live-15")
    play("Ada", "Bob", pace="none")
    play("Ada", bots=1, pace="1d")
    time.move(minutes=2)
    assert run() == []


def test_nobody_is_told_who_left_or_has_no_address(play, time, run, monkeypatch):
    game = play("Ada", "Bob", "Cy", pace="1d")
    services.leave(table_id=game.id, player=game.people["Ada"])
    monkeypatch.setattr(
        hooks, "_mail_address", lambda user: None if user.username == "Bob" else "c@example.org"
    )
    time.move(minutes=2)
    assert [who for who, _ in run()] == ["c"]
    monkeypatch.setattr(hooks, "_mail_address", lambda user: "b@example.org")
    assert [who for who, _ in run()] == ["b"]


def test_a_mail_server_that_is_down_is_logged(
    play, time, monkeypatch, caplog, django_capture_on_commit_callbacks
):
    def refuse(subject, text, sender, to):
        raise SMTPRecipientsRefused({to[0]: (550, b"no such box")})

    play("Ada", "Bob", pace="1d")
    time.move(minutes=2)
    monkeypatch.setattr(telling, "send_mail", refuse)
    with django_capture_on_commit_callbacks(execute=True):
        assert tasks.tell_people() == 2
    assert caplog.text.count("mail lost") == 2
    assert "SMTPRecipientsRefused" in caplog.text
    assert "@" not in caplog.text


def test_one_whose_time_ran_out_is_told_that_the_others_decide(play, time, run):
    game = play("Ada", "Bob", pace="1d", absence=Table.ASK)
    game.choose("Bob")
    time.move(minutes=2)
    run()
    time.move(days=2, hours=23)
    assert run() == [("Ada", "Higher: your time runs out")]
    assert "the others decide" in mail.outbox[0].body
    time.move(hours=1)
    services.enforce(table_id=game.id)
    time.move(minutes=2)
    assert run() == [("Ada", "Higher: your time has run out")]
    assert "You may still move" in mail.outbox[0].body
    time.move(hours=23)
    assert run() == []
