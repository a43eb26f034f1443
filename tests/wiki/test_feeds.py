"""Atom feeds through their addresses, read as strangers' readers read them."""

import re
from datetime import timedelta

import feedparser
import pytest
from django.test import Client

from portal.models import User
from tests.wiki.conftest import WIKITEXT
from wiki.models import Identity, Page, Revision
from wiki.services.history import sha1

pytestmark = pytest.mark.django_db
CHANGES = "/wiki/changes/feed/"


def unwrapped(summary: str) -> tuple[str, str]:
    """(byline, text) of a feed entry, as a reader of the format takes it apart."""
    match = re.fullmatch(r"<p>(.*?)</p>\s*<hr />\s*<div>(.*)</div>", summary, re.DOTALL)
    assert match
    text = match[2].replace("<br />", "")
    for entity, mark in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&#x27;", "'")):
        text = text.replace(entity, mark)
    return match[1], text.replace("&amp;", "&")


def test_feed_gives_the_original_back(client: Client, hearts: Page, old: Revision) -> None:
    answer = client.get("/wiki/contributions/Tilda%20W/feed/")
    assert answer["Content-Type"].startswith("application/atom+xml")
    [entry] = re.findall(r"<entry>.*?</entry>", answer.content.decode(), re.DOTALL)
    summary = re.search(r'<summary type="html">(.*?)</summary>', entry, re.DOTALL)[1]
    for entity, mark in (("&lt;", "<"), ("&gt;", ">"), ("&quot;", '"'), ("&amp;", "&")):
        summary = summary.replace(entity, mark)
    byline, text = unwrapped(summary)
    assert text == WIKITEXT
    assert byline == "Tilda W: /* Setup */ more &amp; &lt;more&gt;"
    assert "<title>Gamehelphearts</title>" in entry
    assert "<updated>2019-06-12T07:29:02+00:00</updated>" in entry
    assert re.search(r"<id>urn:uuid:[0-9a-f-]{36}</id>", entry)
    parsed = feedparser.parse(answer.content)
    assert not parsed.bozo
    assert parsed.entries[0].author == "Tilda W"


def test_feed_leaves_out_what_xml_cannot_hold(client: Client, hearts: Page, old: Revision) -> None:
    old.source_text = "a\x0bb\ufffe"
    old.save()
    parsed = feedparser.parse(client.get("/wiki/contributions/Tilda W/feed/").content)
    assert not parsed.bozo
    assert "<div>ab</div>" in parsed.entries[0].summary


def test_feed_comes_again_only_when_it_changed(client: Client, hearts: Page, save) -> None:
    address = "/wiki/contributions/Ada/feed/"
    tag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    assert client.head(address)["ETag"] == tag
    save("Another text.\n")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_feeds_of_changes_and_of_one_history(
    client: Client, hearts: Page, old: Revision, save
) -> None:
    save("x", title="Nibble")
    changes = feedparser.parse(client.get("/wiki/changes/feed/").content)
    assert [entry.title for entry in changes.entries] == ["Nibble", "Hearts", "Gamehelphearts"]
    history = feedparser.parse(client.get("/wiki/hearts/history/feed/?limit=1").content)
    assert [entry.title for entry in history.entries] == ["Hearts"]
    assert client.get("/wiki/hearts/history/feed/?limit=x").status_code == 200


def many(page: Page, count: int) -> None:
    """Revisions 2 to ``count`` + 1 of ``page``, a minute apart, two of them always at once."""
    now = page.current.timestamp
    Revision.objects.bulk_create(
        Revision(
            page=page,
            number=number,
            author_name="Ada",
            timestamp=now + timedelta(minutes=number // 2),
            text=f"Text {number}.\n",
            text_sha1=sha1(f"Text {number}.\n"),
            size=9,
        )
        for number in range(2, count + 2)
    )


def linked(parsed: feedparser.FeedParserDict) -> dict[str, str]:
    return {link.rel: link.href for link in parsed.feed.links}


@pytest.mark.parametrize("address", [CHANGES, "/wiki/hearts/history/feed/"])
def test_feed_comes_in_parts_that_hold_each_entry_once(
    client: Client, hearts: Page, address: str
) -> None:
    many(hearts, 12)
    ids, ways, at = [], [], f"{address}?limit=5"
    while at:
        parsed = feedparser.parse(client.get(at.removeprefix("http://testserver")).content)
        assert not parsed.bozo
        ids += [entry.id for entry in parsed.entries]
        ways.append(linked(parsed))
        at = ways[-1].get("next")
    assert len(ways) == 3
    assert len(ids) == len(set(ids)) == 13
    assert {way["first"] for way in ways} == {f"http://testserver{address}"}
    assert ways[1]["self"] == ways[0]["next"]
    assert len({way["alternate"] for way in ways}) == 1


def test_part_of_a_feed_lasts_while_others_write(client: Client, hearts: Page, save) -> None:
    many(hearts, 6)
    first = feedparser.parse(client.get(f"{CHANGES}?limit=3").content)
    save("Newer than all.\n")
    rest = linked(first)["next"].removeprefix("http://testserver")
    second = feedparser.parse(client.get(rest).content)
    assert not {entry.id for entry in first.entries} & {entry.id for entry in second.entries}


def test_ids_are_unique_to_a_site_and_last(client: Client, hearts: Page, save) -> None:
    def ids() -> list[str]:
        parsed = feedparser.parse(client.get(CHANGES).content)
        return [parsed.feed.id, *(entry.id for entry in parsed.entries)]

    before = ids()
    assert all(re.fullmatch(r"urn:uuid:[0-9a-f-]{36}", one) for one in before)
    hearts.slug, hearts.title = "black-lady", "Black Lady"
    hearts.save()
    assert ids() == before
    assert client.get(CHANGES, headers={"Host": "localhost"}).status_code == 200
    Identity.objects.all().delete()  # another site with the same rows
    assert not set(ids()) & set(before)


def test_feed_says_when_it_changed(client: Client, hearts: Page, old: Revision) -> None:
    answer = client.get(CHANGES)
    assert (
        client.get(CHANGES, headers={"If-Modified-Since": answer["Last-Modified"]}).content == b""
    )
    earlier = {"If-Modified-Since": "Wed, 12 Jun 2019 07:29:02 GMT"}
    assert client.get(CHANGES, headers=earlier).status_code == 200
    parsed = feedparser.parse(answer.content)
    assert parsed.feed.updated == parsed.entries[0].updated
    assert parsed.feed.language == "en"


def test_empty_feed_stays_the_same(client: Client) -> None:
    answers = [client.get(CHANGES) for _time in range(2)]
    parsed = feedparser.parse(answers[0].content)
    assert not parsed.bozo
    assert parsed.entries == []
    assert answers[0].content == answers[1].content
    assert client.get(CHANGES, headers={"If-None-Match": answers[0]["ETag"]}).status_code == 304


def test_reader_that_has_it_costs_no_texts(
    client: Client, hearts: Page, django_assert_num_queries
) -> None:
    tag = client.get(CHANGES)["ETag"]
    with django_assert_num_queries(3) as asked:
        client.get(CHANGES, headers={"If-None-Match": tag})
    assert not any('"text",' in query["sql"] for query in asked.captured_queries)


def test_long_texts_come_in_smaller_parts(client: Client, hearts: Page, monkeypatch) -> None:
    many(hearts, 4)
    monkeypatch.setattr("wiki.history.feeds.MOST_BYTES", 20)
    parsed = feedparser.parse(client.get(CHANGES).content)
    assert [len(parsed.entries), "next" in linked(parsed)] == [2, True]


@pytest.mark.parametrize("query", ["before=x", "before=999999", "before=0", "before="])
def test_part_that_begins_nowhere_is_refused(client: Client, hearts: Page, query: str) -> None:
    answer = client.get(f"{CHANGES}?{query}")
    assert answer.status_code == 404
    assert 'data-code="no_revision"' in answer.content.decode()


def test_feed_escapes_what_people_typed(client: Client, ada: User, save) -> None:
    save("<script>alert(1)</script>", title="A & <b>", summary="<img src=x onerror=alert(1)>")
    raw = client.get(CHANGES).content.decode()
    assert "<script" not in raw
    entry = feedparser.parse(raw).entries[0]
    assert entry.title == "A &amp; &lt;b&gt;" or entry.title == "A & <b>"
    assert "&lt;img src=x" in re.search(r"<summary[^>]*>(.*?)</summary>", raw, re.DOTALL)[
        1
    ].replace("&amp;", "&")
