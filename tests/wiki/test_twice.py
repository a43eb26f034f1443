"""What is sent twice without script, as by a double click: the second answer is the first one's."""

from threading import Thread
from urllib.parse import urlencode

import pytest
from django.contrib.messages.storage.cookie import CookieStorage
from django.core.cache import cache
from django.http import HttpResponse, HttpResponseRedirect
from django.test import Client, RequestFactory
from django.utils import timezone

from portal import people
from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import LogEntry, Page, Revision
from wiki.services.delete import delete_page
from wiki.views import twice

pytestmark = pytest.mark.django_db
PLAIN = "application/x-www-form-urlencoded"


@pytest.fixture
def mo(db: None) -> User:
    return User.objects.create_user("Mo", is_staff=True)


@pytest.fixture
def as_mo(mo: User) -> Client:
    client = Client(enforce_csrf_checks=True)
    client.force_login(mo)
    return client


def token(client: Client, address: str) -> str:
    return hidden(client.get(address).content.decode(), "csrfmiddlewaretoken")


def send(client: Client, address: str, form: dict[str, str]) -> HttpResponse:
    return client.post(address, urlencode(form), content_type=PLAIN)


@pytest.mark.parametrize(
    ("address", "form", "kind"),
    [
        ("/wiki/hearts/delete/", {"reason": "Nonsense."}, "delete"),
        ("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts", "redirect": "on"}, "rename"),
        ("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"}, "rename"),
        ("/wiki/reports/deleted/{page}/", {"reason": "Sense."}, "undelete"),
    ],
    ids=["delete", "rename", "rename without a redirect", "undelete"],
)
def test_second_answer_leads_where_the_first_did(
    as_mo: Client, mo: User, hearts: Page, address: str, form: dict[str, str], kind: str
) -> None:
    if kind == "undelete":
        delete_page(page_id=hearts.pk, reason="Nonsense.", person=mo)
    address = address.format(page=hearts.pk)
    form = form | {"csrfmiddlewaretoken": token(as_mo, address)}
    first, second = send(as_mo, address, form), send(as_mo, address, form)
    assert (first.status_code, second.status_code) == (302, 302)
    assert second["Location"] == first["Location"]
    assert LogEntry.objects.filter(kind=kind).count() == 1
    other = send(as_mo, address, form | {"reason": "Something else."})
    assert other.status_code in (404, 409, 410)  # nobody did that


def test_what_somebody_else_sent_is_refused_still(
    as_mo: Client, hearts: Page, client: Client
) -> None:
    form = {"reason": "Nonsense.", "csrfmiddlewaretoken": token(as_mo, "/wiki/hearts/delete/")}
    assert send(as_mo, "/wiki/hearts/delete/", form).status_code == 302
    client.force_login(User.objects.create_user("Max", is_staff=True))
    assert send(client, "/wiki/hearts/delete/", form).status_code == 410


def test_what_was_refused_is_refused_again_until_it_may_be(
    as_mo: Client, mo: User, hearts: Page
) -> None:
    form = {"reason": "", "csrfmiddlewaretoken": token(as_mo, "/wiki/hearts/delete/")}
    for _time in range(2):
        assert send(as_mo, "/wiki/hearts/delete/", form).status_code == 422
    assert not Page.everything.exclude(deleted_at=None).exists()


def test_second_waits_for_the_end_of_the_first(rf: RequestFactory) -> None:
    request = rf.post("/")
    request._messages = CookieStorage(request)
    refused, led = HttpResponse(status=409), HttpResponseRedirect("/wiki/hearts/")
    cache.delete("a-form")
    assert twice.begin("a-form")
    assert not twice.begin("a-form")
    first = Thread(target=twice.end, args=("a-form", led))
    first.start()
    assert twice.as_the_first(request, "a-form", refused)["Location"] == "/wiki/hearts/"
    first.join()
    done = HttpResponse()
    assert twice.as_the_first(request, "a-form", done) is done


def test_who_came_first_is_done_first(rf: RequestFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else the first one may be refused what the second did, and the others with it."""
    request, done = rf.post("/"), HttpResponseRedirect("/wiki/hearts/")
    request._messages = CookieStorage(request)
    cache.delete("a-form")
    monkeypatch.setattr(twice, "PATIENCE", 60.0)
    said: list[str] = []

    def first() -> HttpResponse:
        others = [Thread(target=other) for _time in range(2)]
        for one in others:
            one.start()
        started.extend(others)
        said.append("first")
        return done

    def other() -> None:
        answer = twice.once(
            request, "a-form", lambda: said.append("other") or HttpResponse(status=409)
        )
        said.append(answer["Location"])

    started: list[Thread] = []
    assert twice.once(request, "a-form", first) is done
    for one in started:
        one.join()
    assert said[0] == "first"
    assert sorted(said[1:]) == ["/wiki/hearts/"] * 2 + ["other"] * 2


def strangers(address: str) -> tuple[Client, Client, str]:
    """The same browser twice, before the first answer came, and the token of its form."""
    one, other = Client(enforce_csrf_checks=True), Client(enforce_csrf_checks=True)
    sent = token(one, address)
    other.cookies["csrftoken"] = one.cookies["csrftoken"].value
    return one, other, sent


@pytest.mark.parametrize(
    ("address", "form"),
    [
        ("/wiki/hearts/edit/", {"text": "New.", "summary": "shorter"}),
        ("/wiki/hearts/talk/", {"heading": "Passing", "text": "Which way?"}),
    ],
)
def test_one_form_makes_one_guest_and_one_edit(hearts: Page, address: str, form) -> None:
    one, other, sent = strangers(address)
    form |= {"csrfmiddlewaretoken": sent, "action": "guest", "base": hearts.current_id}
    before = Revision.objects.count()
    first, second = one.post(address, form), other.post(address, form)
    assert (first.status_code, second.status_code) == (302, 302)
    assert User.objects.filter(is_guest=True).count() == 1
    assert Revision.objects.count() == before + 1
    assert one.session["_auth_user_id"] == other.session["_auth_user_id"]
    assert "Saved." in other.get(second["Location"]).content.decode()


def test_stranger_who_restores_twice_is_one_guest_and_not_refused(
    as_mo: Client, hearts: Page
) -> None:
    edited = {"text": "Worse.", "csrfmiddlewaretoken": token(as_mo, "/wiki/hearts/edit/")}
    send(as_mo, "/wiki/hearts/edit/", edited | {"base": hearts.current_id})
    address = f"/wiki/hearts/revert/{hearts.current_id}/"
    one, other, sent = strangers(address)
    form = {"csrfmiddlewaretoken": sent, "action": "guest"}
    form["current"] = hearts.revisions.latest("number").pk
    first, second = send(one, address, form), send(other, address, form)
    assert (first.status_code, second.status_code) == (302, 302)
    assert second["Location"] == first["Location"]
    assert hearts.revisions.count() == 3
    assert one.session["_auth_user_id"] == other.session["_auth_user_id"]
    third, _same, its = strangers(address)  # another browser
    assert send(third, address, form | {"csrfmiddlewaretoken": its}).status_code == 409


def test_second_answer_says_that_nothing_new_was_done(as_mo: Client, hearts: Page) -> None:
    """Others may have changed meanwhile what the first one did."""
    edit = "/wiki/hearts/edit/"
    edited = {"text": "Worse.", "csrfmiddlewaretoken": token(as_mo, edit)}
    send(as_mo, edit, edited | {"base": hearts.current_id})
    address = f"/wiki/hearts/revert/{hearts.current_id}/"
    form = {"csrfmiddlewaretoken": token(as_mo, address)}
    form["current"] = hearts.revisions.latest("number").pk
    assert send(as_mo, address, form).status_code == 302
    assert "Reverted." in as_mo.get("/wiki/hearts/").content.decode()
    newest = {"base": hearts.revisions.latest("number").pk}
    send(as_mo, edit, {**edited, **newest, "text": "Worse again."})
    as_mo.get("/wiki/hearts/")
    assert send(as_mo, address, form).status_code == 302
    html = as_mo.get("/wiki/hearts/").content.decode()
    assert "You had sent this before, and it was done then." in html


def test_form_makes_another_guest_later_or_for_somebody_else(hearts: Page) -> None:
    one, other, sent = strangers("/wiki/hearts/edit/")
    form = {"text": HEARTS + "New.", "csrfmiddlewaretoken": sent, "action": "guest"}
    form |= {"base": hearts.current_id}
    assert one.post("/wiki/hearts/edit/", form).status_code == 302
    User.objects.update(date_joined=timezone.now() - people.SENT_TWICE)
    assert other.post("/wiki/hearts/edit/", form).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 2
    third, _same, its = strangers("/wiki/hearts/edit/")
    assert third.post("/wiki/hearts/edit/", form | {"csrfmiddlewaretoken": its}).status_code == 302
    assert User.objects.filter(is_guest=True).count() == 3


def test_guest_who_signed_up_is_nobody_s_by_a_form(hearts: Page) -> None:
    one, other, sent = strangers("/wiki/hearts/edit/")
    form = {"text": "New.", "csrfmiddlewaretoken": sent, "action": "guest"}
    form |= {"base": hearts.current_id}
    one.post("/wiki/hearts/edit/", form)
    account = User.objects.get(is_guest=True)
    User.objects.filter(pk=account.pk).update(is_guest=False)
    other.post("/wiki/hearts/edit/", form)
    assert other.session["_auth_user_id"] != str(account.pk)
