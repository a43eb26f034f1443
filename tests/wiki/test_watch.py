"""Watch lists: the eye of a page, what is new, the feed at a secret address, the daily mail."""

import re
from collections.abc import Callable
from datetime import timedelta

import feedparser
import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import HEARTS
from wiki.models import Page, Revision, Watch, WatchList
from wiki.selectors import watches
from wiki.services.digest import send_digest
from wiki.tasks import send_digests

pytestmark = pytest.mark.django_db
LIST, WATCH = "/wiki/watchlist/", "/wiki/hearts/watch/"


def shown(client: Client, query: str = "") -> str:
    return client.get(LIST + query).content.decode()


def test_page_is_watched_and_unwatched(as_bob: Client, hearts: Page) -> None:
    assert ">Watch</span>" in as_bob.get("/wiki/hearts/").content.decode()
    answer = as_bob.post(WATCH, {"action": "watch", "next": "/wiki/hearts/history/"})
    assert answer["Location"] == "/wiki/hearts/history/"
    assert ">Watching</span>" in as_bob.get("/wiki/hearts/").content.decode()
    assert ">Hearts</a>" in shown(as_bob)
    as_bob.post(WATCH, {"action": "unwatch"})
    assert ">Watch</span>" in as_bob.get("/wiki/hearts/").content.decode()
    assert "You watch no page yet." in shown(as_bob)


def test_watching_twice_is_watching_once(as_bob: Client, hearts: Page) -> None:
    for _time in range(2):
        as_bob.post(WATCH, {"action": "watch"})
    assert Watch.objects.count() == 1


@pytest.mark.parametrize("to", ["//evil.example/", "https://evil.example/", "javascript:alert(1)"])
def test_watching_leads_nowhere_else(as_bob: Client, hearts: Page, to: str) -> None:
    assert as_bob.post(WATCH, {"next": to})["Location"] == "/wiki/hearts/"


def test_strangers_have_no_watch_list(client: Client, as_bob: Client, hearts: Page) -> None:
    answer = client.post(WATCH)
    assert answer.status_code == 403
    assert 'data-code="who_are_you"' in answer.content.decode()
    assert client.get(LIST)["Location"] == f"/accounts/login/?next={LIST}"
    assert "/accounts/login/?next=/wiki/hearts/" in client.get("/wiki/hearts/").content.decode()
    assert as_bob.get(WATCH).status_code == 405
    assert as_bob.post("/wiki/nowhere/watch/").status_code == 404


def test_what_others_write_is_new_until_it_is_seen(
    as_bob: Client, bob: User, hearts: Page, save: Callable[..., Revision]
) -> None:
    as_bob.post(WATCH)
    assert "is-new" not in shown(as_bob)
    save("Other.\n", summary="first")
    save("Others.\n", author=bob, summary="my own")
    html = shown(as_bob)
    assert html.count('class="is-new"') == 1
    assert "One change</b> you have not seen" in html
    assert "(1) Watch list" in html
    new = hearts.revisions.get(summary="first")
    as_bob.get(f"/wiki/hearts/diff/{new.parent_id}/{new.pk}/")  # having looked at it is enough
    assert "is-new" not in shown(as_bob)
    save("More.\n")
    assert "is-new" in shown(as_bob)
    assert as_bob.post(LIST, {"action": "seen"})["Location"] == LIST
    assert "is-new" not in shown(as_bob)


def test_watch_list_holds_one_person_s_pages_only(
    as_ada: Client, as_bob: Client, hearts: Page, save: Callable[..., Revision]
) -> None:
    save("x", title="Nibble")
    as_ada.post(WATCH)
    as_bob.post(WATCH)
    as_bob.post("/wiki/nibble/watch/")
    save("Other.\n")
    assert shown(as_bob).count('class="is-new"') == 1  # no row twice for two watchers
    assert 'class="page" href="/wiki/nibble/"' in shown(as_bob)
    assert 'class="page" href="/wiki/nibble/"' not in shown(as_ada)


def test_rows_are_filtered_as_in_recent_changes(
    as_bob: Client, bob: User, hearts: Page, save: Callable[..., Revision]
) -> None:
    as_bob.post(WATCH)
    save("a\n", summary="small thing", minor=True)
    save("b\n", author=bob, summary="my thing")
    hearts.revisions.filter(summary="small thing").update(
        timestamp=timezone.now() - timedelta(days=40)
    )
    assert "small thing" in shown(as_bob)
    assert "small thing" not in shown(as_bob, "?minor=0")
    assert "small thing" not in shown(as_bob, "?days=7")
    assert "my thing" not in shown(as_bob, "?mine=0")
    oldest = hearts.revisions.get(summary="small thing").pk
    assert "Nothing of this kind." in shown(as_bob, f"?before={oldest}")


def test_page_is_taken_off_the_list(as_bob: Client, hearts: Page) -> None:
    as_bob.post(WATCH)
    as_bob.post(LIST, {"action": "remove", "page": hearts.pk})
    assert not Watch.objects.exists()
    for sent in ({"action": "remove", "page": "x"}, {"action": "burn"}, {}):
        assert as_bob.post(LIST, sent).status_code in (400, 404)


def test_editor_s_box_is_ticked_as_one_wishes(as_bob: Client, bob: User, hearts: Page) -> None:
    box = re.compile(r'name="watch" value="1"( checked)?')
    edit = "/wiki/hearts/edit/"
    assert box.search(as_bob.get(edit).content.decode())[1]
    as_bob.post(LIST, {"action": "wishes"})
    assert not box.search(as_bob.get(edit).content.decode())[1]
    sent = {"text": "One.", "base": hearts.current_id, "can_watch": "1"}
    preview = as_bob.post(edit, {**sent, "watch": "1", "action": "preview"}).content.decode()
    assert box.search(preview)[1]
    as_bob.post(edit, {**sent, "watch": "1"})
    assert Watch.objects.get().user == bob
    assert "is-new" not in shown(as_bob)
    hearts.refresh_from_db()
    as_bob.post(edit, {"text": "Two.", "base": hearts.current_id})  # a form without the box
    assert Watch.objects.exists()
    hearts.refresh_from_db()
    as_bob.post(edit, {**sent, "text": "Three.", "base": hearts.current_id})
    assert not Watch.objects.exists()


def test_full_list_says_so_and_loses_no_text(
    as_bob: Client, hearts: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki.services.watch.MOST_WATCHED", 0)
    answer = as_bob.post(WATCH)
    assert answer.status_code == 409
    assert 'data-code="too_many_watched"' in answer.content.decode()
    sent = {"text": "Other.", "base": hearts.current_id, "can_watch": "1", "watch": "1"}
    html = as_bob.post("/wiki/hearts/edit/", sent, follow=True).content.decode()
    assert "You watch 0 pages already." in html
    hearts.refresh_from_db()
    assert hearts.current.text == "Other.\n"


def test_feed_of_a_watch_list_has_a_secret_address(
    client: Client, as_bob: Client, bob: User, hearts: Page, save: Callable[..., Revision]
) -> None:
    save("x", title="Nibble")
    as_bob.post(WATCH)
    address = re.search(r'href="(/wiki/watchlist/feed/[^"]+)"', shown(as_bob))[1]
    parsed = feedparser.parse(client.get(address).content)
    assert not parsed.bozo
    assert [entry.title for entry in parsed.entries] == ["Hearts"]
    as_bob.post(LIST, {"action": "key"})
    assert client.get(address).status_code == 404
    other = re.search(r'href="(/wiki/watchlist/feed/[^"]+)"', shown(as_bob))[1]
    assert client.get(other)["Cache-Control"] == "private, no-cache"
    bob.is_active = False
    bob.save()
    assert client.get(other).status_code == 404


def test_what_a_guest_watches_comes_along_to_the_account(
    client: Client, ada: User, hearts: Page, save: Callable[..., Revision]
) -> None:
    save("x", title="Nibble")
    Watch.objects.create(user=ada, page=hearts)
    sent = {"text": "One.", "base": hearts.current_id, "action": "guest"}
    client.post("/wiki/hearts/edit/", sent)
    client.post(WATCH)
    client.post("/wiki/nibble/watch/")
    client.post("/accounts/login/", {"login": "Ada", "password": "pass"})
    titles = [watch.page.title for watch in watches(ada)]
    assert titles == ["Hearts", "Nibble"]


# Mail


@pytest.fixture
def wants_mail(as_bob: Client, bob: User, hearts: Page) -> User:
    """Bob watches Hearts, wants mail, and has not been here for a while."""
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True)
    as_bob.post(WATCH)
    as_bob.post(LIST, {"action": "wishes", "mail": "1"})
    User.objects.update(last_seen=timezone.now() - timedelta(hours=2))
    return bob


def test_mail_tells_once_a_day_what_is_new(
    wants_mail: User, save: Callable[..., Revision], django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        send_digests()
    assert mail.outbox == []  # nothing is new
    save("Other.\n", summary="/* Passing */ why")
    for _run in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            send_digests()
    [sent] = mail.outbox
    assert sent.to == ["bob@example.org"]
    assert sent.subject == "Your watch list: 1 change"
    for words in ("Hearts", "Ada", "→ Passing: why", "/wiki/hearts/diff/", "/wiki/watchlist/"):
        assert words in sent.body
    Revision.objects.update(created_at=timezone.now() - timedelta(hours=26))
    WatchList.objects.update(mailed_at=timezone.now() - timedelta(hours=25))
    save("More.\n")
    with django_capture_on_commit_callbacks(execute=True):
        send_digests()
    assert len(mail.outbox) == 2
    assert "→ Passing" not in mail.outbox[1].body  # told already


def test_mail_goes_only_to_those_who_want_it_and_are_away(
    wants_mail: User, save: Callable[..., Revision], django_capture_on_commit_callbacks
) -> None:
    save("Other.\n")
    row = WatchList.objects.get()
    with django_capture_on_commit_callbacks(execute=True):
        User.objects.update(last_seen=timezone.now())
        assert not send_digest(row.pk)
        User.objects.update(last_seen=None, is_active=False)
        assert not send_digest(row.pk)
        User.objects.update(is_active=True)
        WatchList.objects.update(mail=False)
        assert not send_digest(row.pk)
    assert mail.outbox == []


def test_names_and_summaries_add_no_lines_to_a_mail(
    wants_mail: User, save: Callable[..., Revision], django_capture_on_commit_callbacks
) -> None:
    save("Other.\n", summary="one\r\nBcc: all@example.org")
    with django_capture_on_commit_callbacks(execute=True):
        send_digests()
    assert "one Bcc: all@example.org" in mail.outbox[0].body
    assert mail.outbox[0].recipients() == ["bob@example.org"]


def test_lists_go_with_their_owner(as_bob: Client, bob: User, hearts: Page) -> None:
    as_bob.post(WATCH)
    shown(as_bob)
    bob.delete()
    assert not Watch.objects.exists()
    assert not WatchList.objects.exists()
    assert hearts.current.text == HEARTS
