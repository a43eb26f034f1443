"""History, differences, recent changes and contributions through their addresses."""

import re
from datetime import UTC, datetime, timedelta

import feedparser
import pytest
from django.conf import settings
from django.test import Client
from django.utils.html import escape

from portal.models import User
from tests.wiki.conftest import HEARTS
from wiki.models import Page, Revision
from wiki.selectors import recent_changes
from wiki.services import renumber
from wiki.services.history import sha1

pytestmark = pytest.mark.django_db


def test_history_rows_are_newest_first_and_escaped(
    client: Client, hearts: Page, old: Revision, save
) -> None:
    save(HEARTS + "x\n", summary="<i>why</i>", minor=True)
    html = client.get("/wiki/hearts/history/").content.decode()
    order = [html.index(words) for words in ("&lt;i&gt;why", "Created page", "more &amp; &lt;more")]
    assert order == sorted(order)
    assert '<abbr title="minor edit">m</abbr>' in html
    assert ">June 2019</h2>" in html
    assert "+2</span>" in html
    assert '">→ Setup: more &amp; ' in html  # plain: the page has no such section now
    assert "imported</span>" in html
    hidden_minor = client.get("/wiki/hearts/history/?minor=0").content.decode()
    assert "why" not in hidden_minor


def test_history_chooses_two_revisions_that_have_text(
    client: Client, hearts: Page, old: Revision, save
) -> None:
    between = Revision.objects.create(
        page=hearts,
        author_name="Tilda W",
        timestamp=datetime(2019, 6, 13, tzinfo=UTC),
        text_sha1=sha1(""),
        text_state="missing",
        origin_key="m",
    )
    renumber(hearts)
    html = client.get("/wiki/hearts/history/").content.decode()
    chosen = re.findall(r'name="([ab])" value="(\d+)"[^>]* checked', html)
    assert chosen == [("b", str(hearts.current_id)), ("a", str(old.pk))]
    assert f'value="{between.pk}"' in html


def test_long_history_comes_in_parts(client: Client, hearts: Page, ada: User) -> None:
    now = hearts.current.timestamp
    Revision.objects.bulk_create(
        Revision(
            page=hearts,
            number=number,
            author_name="Ada",
            timestamp=now + timedelta(minutes=number),
            text_sha1="0" * 40,
            summary=f"edit-{number};",
        )
        for number in range(2, 121)
    )
    first = client.get("/wiki/hearts/history/").content.decode()
    assert "1–50 of 120" in first
    assert "edit-120;" in first
    assert "edit-70;" not in first
    last = client.get("/wiki/hearts/history/?page=3").content.decode()
    assert "101–120 of 120" in last
    # above the rows and below them
    assert first.count('<a href="?page=3">Oldest</a>') == 2
    assert last.count('<a href="?page=1">Newest</a>') == 2
    assert "Oldest" not in last
    assert "Newest" not in first
    assert first.count("Atom feed</a>") == 1
    assert client.get("/wiki/hearts/history/?page=x").status_code == 200


def test_chosen_rows_are_compared_older_first(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    new = save("Other.\n").pk
    expected = f"/wiki/hearts/diff/{first}/{new}/"
    for pair in ({"a": first, "b": new}, {"a": new, "b": first}):
        assert client.get("/wiki/hearts/diff/", pair)["Location"] == expected
    refused = client.get("/wiki/hearts/diff/", {"a": first})
    assert refused.status_code == 400
    assert "Choose two revisions" in refused.content.decode()


def test_difference_marks_words_and_escapes_everything(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    new = save(HEARTS.replace("few points", "<script>alert(1)</script> points")).pk
    html = client.get(f"/wiki/hearts/diff/{first}/{new}/").content.decode()
    assert "Take <del>few</del> points" in html
    assert "<ins>&lt;script&gt;alert(1)&lt;/script&gt;</ins>" in html
    assert "Line 1, Goal" in html
    assert "costs thirteen" not in html  # far from the change


def test_any_two_revisions_can_be_compared_and_walked(client: Client, hearts: Page, save) -> None:
    ids = [hearts.current_id, *(save(f"Text {n}.\n").pk for n in range(1, 4))]
    html = client.get(f"/wiki/hearts/diff/{ids[0]}/{ids[2]}/").content.decode()
    assert "1 revision between, by Ada" in html
    assert "Undo this change" not in html  # it would undo the last of them only
    assert "Undo this" in client.get(f"/wiki/hearts/diff/{ids[1]}/{ids[2]}/").content.decode()
    assert f"/wiki/hearts/diff/0/{ids[0]}/" in html
    assert f"/wiki/hearts/diff/{ids[2]}/{ids[3]}/" in html
    created = client.get(f"/wiki/hearts/diff/0/{ids[0]}/").content.decode()
    assert "Before the page existed" in created
    assert "Take few points" in created
    backwards = client.get(f"/wiki/hearts/diff/{ids[2]}/{ids[0]}/")
    assert backwards.status_code == 200
    same = client.get(f"/wiki/hearts/diff/{ids[1]}/{ids[1]}/").content.decode()
    assert "The two texts are the same" in same


def test_imported_revisions_can_be_compared_as_wikitext(
    client: Client, hearts: Page, old: Revision
) -> None:
    html = client.get(f"/wiki/hearts/diff/0/{old.pk}/?original=1").content.decode()
    assert escape("'''Hearts'''") in html
    mixed = client.get(f"/wiki/hearts/diff/{old.pk}/{hearts.current_id}/?original=1")
    assert escape("'''Hearts'''") not in mixed.content.decode()


def test_recent_changes_list_all_pages(client: Client, hearts: Page, save) -> None:
    save("x", title="Nibble")
    html = client.get("/wiki/changes/").content.decode()
    assert html.index("Nibble") < html.index("Hearts")
    assert [change.page.title for change in recent_changes(1)] == ["Nibble"]


def test_recent_changes_cost_the_same_for_many_rows(
    client: Client, hearts: Page, save, django_assert_num_queries
) -> None:
    for number in range(12):
        save(f"Text {number}\n")
    client.get("/wiki/changes/")
    with django_assert_num_queries(1):
        client.get("/wiki/changes/")
    with django_assert_num_queries(4):
        client.get("/wiki/hearts/history/")


def test_contributions_of_an_account_and_of_an_imported_name(
    client: Client, hearts: Page, old: Revision
) -> None:
    ada = client.get("/wiki/contributions/Ada/").content.decode()
    assert "1 edit to 1 page" in ada
    assert 'href="/people/Ada/"' in ada
    tilda = client.get("/wiki/contributions/Tilda W/").content.decode()
    assert "all imported" in tilda
    assert "not an account here" in tilda
    assert "/people/Tilda" not in tilda
    nobody = client.get("/wiki/contributions/Nobody/")
    assert nobody.status_code == 404
    assert client.get("/wiki/contributions/Nobody/feed/").status_code == 404


def test_contributions_follow_a_guest_who_took_a_name(
    client: Client, hearts: Page, ada: User
) -> None:
    ada.username = "Countess"
    ada.save()
    assert "Hearts" in client.get("/wiki/contributions/Countess/").content.decode()


def test_imported_name_of_an_account_is_not_taken_for_the_person(
    client: Client, hearts: Page, old: Revision
) -> None:
    User.objects.create_user("Tilda W")
    html = client.get("/wiki/contributions/Tilda W/").content.decode()
    assert "who need not be the person of this name here" in html


def test_name_with_slashes_and_colons_has_contributions(
    client: Client, hearts: Page, old: Revision
) -> None:
    for name in ("2001:db8::1", "a/b", "feed", "ж ж"):
        old.author_name = name
        old.save()
        history = client.get("/wiki/hearts/history/").content.decode()
        addresses = re.findall(r'href="(/wiki/contributions/[^"]+)"', history)
        assert client.get(addresses[-1]).status_code == 200
        assert f"Contributions of {name}" in client.get(addresses[-1]).content.decode()


def test_undated_revision_is_shown_as_such_and_left_out_of_feeds(
    client: Client, hearts: Page, old: Revision
) -> None:
    old.timestamp = None
    old.save()
    renumber(hearts)
    old.refresh_from_db()
    assert old.number == 1
    for address in ("hearts/history/", f"hearts/?rev={old.pk}", "contributions/Tilda W/"):
        assert "ate unknown" in client.get(f"/wiki/{address}").content.decode()
    assert client.get(f"/wiki/hearts/diff/{old.pk}/{hearts.current_id}/").status_code == 200
    parsed = feedparser.parse(client.get("/wiki/changes/feed/").content)
    assert [entry.title for entry in parsed.entries] == ["Hearts"]


def test_renumber_orders_by_time_and_counts_sizes(hearts: Page, old: Revision) -> None:
    lost = Revision.objects.create(
        page=hearts,
        author_name="Tilda W",
        timestamp=datetime(2019, 6, 12, 7, 28, tzinfo=UTC),
        text_sha1=sha1(""),
        text_state="missing",
    )
    renumber(hearts)
    rows = list(hearts.revisions.order_by("number"))
    assert [row.pk for row in rows] == [lost.pk, old.pk, hearts.current_id]
    assert [row.number for row in rows] == [1, 2, 3]
    assert [row.delta for row in rows] == [None, None, len(HEARTS) - 10]
    assert [row.parent for row in rows] == [None, lost, old]


def test_one_word_for_a_revision() -> None:
    """No template of a page's history says "version", which is a picture's."""
    code = re.compile(r"\{#.*?#\}|\{%.*?%\}|\{\{.*?\}\}|Printable version", re.S)
    pictures = {"file.html", "file_hide.html", "file_upload.html", "files.html", "statistics.html"}
    folder = settings.BASE_DIR / "templates" / "wiki"
    texts = {path.name: code.sub("", path.read_text()) for path in folder.glob("*.html")}
    assert "revision" in texts["hide.html"]
    assert "Versions" in texts["file.html"]
    said = [name for name, text in texts.items() if re.search(r"(?i)\bversions?\b", text)]
    assert set(said) <= pictures
