"""The public log, by its address."""

from datetime import timedelta

import feedparser
import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from wiki.history.feeds import NEVER
from wiki.models import LogEntry, Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(hearts: Page, ada: User) -> None:
    LogEntry.objects.bulk_create(
        LogEntry(
            kind="protect" if number % 2 else "hide",
            at=timezone.now(),
            actor_name="Ada" if number % 3 else "Bob",
            page=hearts,
            title="Hearts",
            reason=f"<i>reason {number}",
        )
        for number in range(60)
    )


def test_log_is_filtered_and_paged(client: Client, many: None) -> None:
    said = client.get("/wiki/log/").content.decode()
    assert "&lt;i&gt;reason 59" in said
    assert "1–50 of 60" in said
    said = client.get("/wiki/log/?kind=hide&by=bob&of=hearts&page=1").content.decode()
    assert said.count("hid something of a revision of") == 10
    assert "changed the protection" not in said.replace("<option", "")
    said = client.get("/wiki/log/?page=2").content.decode()
    assert "51–60 of 60" in said


def test_log_says_so_when_it_is_empty(client: Client) -> None:
    assert "Nothing was done yet." in client.get("/wiki/log/").content.decode()
    answer = client.get("/wiki/log/?kind=nonsense&by=x&of=%ff&page=x")
    assert (answer.status_code, "Nothing of this kind." in answer.content.decode()) == (200, True)


def test_page_and_person_lead_to_their_log(client: Client, many: None) -> None:
    assert "/wiki/log/?of=Hearts" in client.get("/wiki/hearts/").content.decode()
    assert "/wiki/log/?by=Ada" in client.get("/wiki/contributions/Ada/").content.decode()


def test_log_is_a_feed_that_goes_on(client: Client, many: None) -> None:
    page = client.get("/wiki/log/?kind=hide&by=Bob").content.decode()
    assert (
        page.count('href="/wiki/log/feed/?kind=hide&amp;by=Bob"') == 2
    )  # in the head and in the page
    answer = client.get("/wiki/log/feed/?limit=40")
    assert answer["Content-Type"].startswith("application/atom+xml")
    feed = feedparser.parse(answer.content)
    assert not feed.bozo
    assert (feed.feed.title, len(feed.entries)) == ("Parlour: log", 40)
    first = feed.entries[0]
    assert (first.title, first.author) == ("Bob changed the protection of Hearts", "Bob") or (
        first.title,
        first.author,
    ) == ("Ada changed the protection of Hearts", "Ada")
    assert first.link.endswith("/wiki/hearts/")
    assert first.summary == "&lt;i&gt;reason 59"
    [following] = [link.href for link in feed.feed.links if link.rel == "next"]
    rest = feedparser.parse(client.get(following).content)
    ids = [entry.id for entry in feed.entries + rest.entries]
    assert len(ids) == len(set(ids)) == 60
    assert "next" not in {link.rel for link in rest.feed.links}
    some = feedparser.parse(client.get("/wiki/log/feed/?kind=hide&by=bob&limit=5").content)
    assert {entry.title for entry in some.entries} == {"Bob hid something of a revision of Hearts"}
    assert some.feed.id != feed.feed.id
    [following] = [link.href for link in some.feed.links if link.rel == "next"]
    rest = feedparser.parse(client.get(following).content)
    assert {entry.author for entry in rest.entries} == {"Bob"}


def test_log_feed_comes_again_only_when_it_changed(client: Client, many: None) -> None:
    answer = client.get("/wiki/log/feed/")
    tag = answer["ETag"]
    again = client.get("/wiki/log/feed/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    since = client.get("/wiki/log/feed/", headers={"If-Modified-Since": answer["Last-Modified"]})
    assert since.status_code == 304
    LogEntry.objects.create(
        kind="delete", at=timezone.now() + timedelta(seconds=2), actor_name="Mo", title="Gone"
    )
    newer = client.get("/wiki/log/feed/", headers={"If-None-Match": tag})
    assert newer.status_code == 200
    assert feedparser.parse(newer.content).entries[0].title == "Mo deleted Gone"


def test_log_feed_tells_everybody_the_same(
    client: Client, hearts: Page, ada: User, as_ada: Client
) -> None:
    LogEntry.objects.create(
        kind="rename",
        at=timezone.now(),
        actor=ada,
        actor_name="Ada",
        page=hearts,
        title="Secret name",
        reason="Secret reason",
        detail={"name_hidden": True, "words_hidden": True, "new": "Secret too"},
    )
    before = client.get("/wiki/log/feed/")
    User.objects.filter(pk=ada.pk).update(is_staff=True)  # who sees what is hidden on the page
    assert "Secret" in as_ada.get("/wiki/log/").content.decode()
    for answer in (before, as_ada.get("/wiki/log/feed/")):
        said = answer.content.decode()
        assert "Secret" not in said
        assert "Ada" not in said
        assert feedparser.parse(answer.content).entries[0].title == "name hidden renamed Hearts"
    for by in ("Ada", "Secret reason"):
        assert not feedparser.parse(client.get(f"/wiki/log/feed/?by={by}").content).entries


def test_log_feed_of_nothing(client: Client) -> None:
    feed = feedparser.parse(client.get("/wiki/log/feed/?by=Nobody&limit=0").content)
    assert (feed.bozo, feed.entries, feed.feed.updated[:10]) == (False, [], f"{NEVER:%Y-%m-%d}")
    answer = client.get("/wiki/log/feed/?before=9")
    assert answer.status_code == 404
    assert 'data-code="no_entry"' in answer.content.decode()
    assert client.post("/wiki/log/feed/").status_code == 405
