"""What people, scripts and attackers send to the wiki: refused in words, nothing lost, no 500."""

from importlib import import_module
from urllib.parse import quote

import pytest
from django.test import Client

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import ImportSource, Page, Revision
from wiki.services import load_page
from wiki.services.delete import delete_page
from wiki.services.edit import MAX_SUMMARY, MAX_TEXT_BYTES

pytestmark = pytest.mark.django_db
EDIT = "/wiki/hearts/edit/"
BIG = 10**30
WORDS = "My precious words"


def refused(answer, code: str, status: int) -> str:
    html = answer.content.decode()
    assert answer.status_code == status, html[:2000]
    assert f'data-code="{code}"' in html
    return html


# Titles


@pytest.mark.parametrize(
    "title",
    [
        "x" * 256,
        "ж" * 150,
        "a\x00b",
        "a\x07b",
        "a\nb",
        "\u202eabc\u202c\x1b",
        "\u200b\u200d\ufeff",
        "..",
        "/",
        "#",
        "?",
        "   ",
        "___",
        "\ud7ff\ue000",
        "🂡",
        "\u0301",
    ],
)
def test_bad_title_is_refused_in_words(as_ada: Client, title: str) -> None:
    if title.strip() and "\x00" not in title:  # an address with a NUL never comes so far
        refused(as_ada.get("/wiki/", {"title": title}), "bad_title", 400)
    sent = {"text": WORDS, "title": title}
    answer = as_ada.post("/wiki/black-lady/edit/", sent)
    assert answer.status_code in (302, 400)
    if answer.status_code == 302:  # a title that does not fit the address is not taken
        assert Page.objects.get().title == "Black lady"
    else:
        assert WORDS in answer.content.decode()


@pytest.mark.parametrize("title", ["x" * 255, "a\u202eb\u202c", "C#", "a/../b", "Q?", "A <b>&amp;"])
def test_odd_title_is_a_title(as_ada: Client, title: str) -> None:
    way = as_ada.get("/wiki/", {"title": title})["Location"]
    assert as_ada.get(way).status_code == 404
    slug = way.removeprefix("/wiki/").split("/")[0]
    sent = {"text": WORDS, "title": title}
    assert as_ada.post(f"/wiki/{slug}/edit/", sent).status_code == 302
    page = Page.objects.get()
    assert page.title == title.replace("\u202e", "").replace("\u202c", "")
    for part in ("", "history/", "edit/", "source/", "history/feed/", "protect/"):
        assert as_ada.get(page.get_absolute_url() + part).status_code == 200


def test_odd_address_is_no_500(as_ada: Client, hearts: Page) -> None:
    for slug in ("..", "%2e%2e", "%2F", "%23", "a%2Fb", "%E2%80%AE", "%ff", "%C2%A0", "x" * 3000):
        for part in ("", "edit/", "history/", "watch/", "protect/", "diff/1/1/"):
            answer = as_ada.get(f"/wiki/{slug}/{part}")
            assert answer.status_code in (200, 301, 302, 400, 404, 405), (slug, part)


# Fields


@pytest.mark.parametrize(
    "field", ["title", "text", "summary", "base", "section", "passage", "mine"]
)
def test_odd_field_is_no_500(as_ada: Client, hearts: Page, field: str) -> None:
    settle = {"conflict": "1", "started": hearts.current_id, "mine": WORDS}
    for bad in ("a\x00b", "\ud800", "\u202e" * 50, "<script>", str(BIG), "-1"):
        odd = {field: bad.encode("utf-8", "replace")}
        sent = {"text": WORDS, "base": hearts.current_id, **odd}
        assert as_ada.post(EDIT, sent).status_code in (302, 400, 404, 409), bad
        assert as_ada.post(EDIT, {**settle, **sent}).status_code in (302, 400, 404, 409), bad
        new = as_ada.post("/wiki/new-page/edit/", sent)
        assert new.status_code in (302, 400, 404, 409), bad
    assert as_ada.get("/wiki/hearts/").status_code == 200


def test_long_summary_is_refused_and_nothing_lost(as_ada: Client, hearts: Page, save) -> None:
    summary = "why " * 200
    sent = {"text": WORDS, "base": hearts.current_id, "summary": summary}
    html = refused(as_ada.post(EDIT, sent), "long_summary", 400)
    assert WORDS in html
    assert summary in html
    first = hearts.current_id
    now = save("Other.\n").pk
    revert = as_ada.post(f"/wiki/hearts/revert/{first}/", {"current": now, "summary": summary})
    assert summary.strip() in refused(revert, "long_summary", 400)
    exactly = {**sent, "base": now, "summary": "x" * MAX_SUMMARY}
    assert as_ada.post(EDIT, exactly).status_code == 302


def test_long_heading_makes_no_summary_that_is_refused(as_ada: Client, save) -> None:
    page = save(f"## {'long ' * 200}\n\nText.\n", title="Long").page
    html = as_ada.get("/wiki/long/edit/?section=1").content.decode()
    sent = {"text": "## Short", "section": 1, "base": page.current_id}
    sent["summary"] = hidden(html, "summary")
    assert as_ada.post("/wiki/long/edit/", sent).status_code == 302


def test_text_far_too_long_is_refused_in_words_and_given_back(as_ada: Client, hearts: Page) -> None:
    text = "precious " * 300_000  # 2.7 MB, more than Django takes unless it is told
    sent = {"text": text, "base": hearts.current_id, "summary": "why"}
    html = refused(as_ada.post(EDIT, sent), "too_long", 413)
    assert text.strip() in html
    assert 'value="why"' in html
    settle = {"conflict": "1", "started": hearts.current_id, "base": hearts.current_id}
    html = refused(as_ada.post(EDIT, {**settle, "mine": text, "passage": "x"}), "too_long", 413)
    assert text.strip() in html


def test_section_that_makes_the_page_too_long_comes_back(as_ada: Client, hearts: Page) -> None:
    text = "## Goal\n\n" + "x" * (MAX_TEXT_BYTES - 50)
    sent = {"text": text, "base": hearts.current_id, "section": 1}
    assert text in refused(as_ada.post(EDIT, sent), "too_long", 413)


# Rows


def test_rows_that_are_not_there_or_not_of_this_page(as_ada: Client, hearts: Page, save) -> None:
    other = save("x", title="Nibble").pk
    mine = hearts.current_id
    for pk in (other, 999_999, 0, BIG):
        assert as_ada.get(f"/wiki/hearts/?rev={pk}").status_code == 404
        assert as_ada.get(f"/wiki/hearts/source/?rev={pk}").status_code == 404
        assert as_ada.get(f"/wiki/hearts/diff/{mine}/{pk}/").status_code == 404
        assert as_ada.get(f"/wiki/hearts/diff/?a={pk}&b={mine}").status_code in (400, 404)
        assert as_ada.get(f"{EDIT}?rev={pk}").status_code == 404
        assert as_ada.get(f"{EDIT}?undo={pk}").status_code == 404
        assert as_ada.post(f"/wiki/hearts/revert/{pk}/", {"current": mine}).status_code == 404
    for text in ("x", "%00", "1.5", "-1", "１", "1'--", quote("'; DROP TABLE wiki_page")):
        assert as_ada.get(f"/wiki/hearts/?rev={text}").status_code in (400, 404)
        assert as_ada.get(f"/wiki/hearts/history/?page={text}").status_code in (200, 400)
    assert Revision.objects.count() == 2


def test_base_that_vanished_gives_the_text_back(as_ada: Client, hearts: Page, save) -> None:
    html = as_ada.get(EDIT).content.decode()
    old = hearts.current
    save("Other.\n")
    old.delete()
    sent = {"text": WORDS, "base": hidden(html, "base")}
    assert WORDS in refused(as_ada.post(EDIT, sent), "bad_base", 409)
    # sent again from the page that came back, it is still no overwrite
    assert as_ada.post(EDIT, sent).status_code == 409


def test_page_renamed_while_one_writes_is_saved_under_its_new_name(as_ada: Client, save) -> None:
    page = save("Imported.", title="Gamehelphearts").page
    Revision.objects.update(origin=ImportSource.objects.create(kind="feed-text", sha256="0" * 64))
    html = as_ada.get("/wiki/gamehelphearts/edit/").content.decode()
    load_page(slug="hearts", title="Hearts", aliases=["Gamehelphearts"], text="Shipped.")
    sent = {"text": WORDS, "base": hidden(html, "base"), "title": hidden(html, "title")}
    answer = as_ada.post("/wiki/gamehelphearts/edit/", sent)
    assert EDIT in refused(answer, "edit_conflict", 409)
    page.refresh_from_db()
    sent["base"] = page.current_id
    assert as_ada.post("/wiki/gamehelphearts/edit/", sent)["Location"] == "/wiki/hearts/"
    page.refresh_from_db()
    assert page.current.text == f"{WORDS}\n"
    assert Page.objects.count() == 1


def test_one_form_sent_twice_saves_once(as_ada: Client, hearts: Page) -> None:
    sent = {"text": HEARTS + "More.\n", "base": hearts.current_id, "summary": "once"}
    for _time in range(2):
        assert as_ada.post(EDIT, sent).status_code == 302
    new = {"text": WORDS, "title": "Nibble"}
    for _time in range(2):
        assert as_ada.post("/wiki/nibble/edit/", new).status_code == 302
    assert Revision.objects.count() == 3
    newest = hearts.revisions.latest("number")
    back = {"current": newest.pk}
    first = hearts.revisions.earliest("number").pk
    assert as_ada.post(f"/wiki/hearts/revert/{first}/", back).status_code == 302
    assert as_ada.post(f"/wiki/hearts/revert/{first}/", back).status_code == 409


def test_form_sent_twice_does_not_clash_with_what_came_between(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    sent = {"text": HEARTS + "More.\n", "base": hearts.current_id}
    assert as_ada.post(EDIT, sent).status_code == 302
    hearts.refresh_from_db()
    after = {"text": HEARTS + "More.\n\nBelow.\n", "base": hearts.current_id}
    assert as_bob.post(EDIT, after).status_code == 302
    assert as_ada.post(EDIT, sent).status_code == 302
    assert as_bob.post(EDIT, sent).status_code == 409  # not his words
    hearts.refresh_from_db()
    assert hearts.current.text.endswith("More.\n\nBelow.\n")


def test_form_sent_again_is_told_what_became_of_its_text(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    sent = {"text": HEARTS + "More.\n", "base": hearts.current_id}
    as_ada.post(EDIT, sent, follow=True)
    hearts.refresh_from_db()
    as_bob.post(EDIT, {"text": HEARTS, "base": hearts.current_id})
    html = as_ada.post(EDIT, sent, follow=True).content.decode()
    assert "Your text was saved when you first sent it; Bob has edited the page since." in html
    assert "has that text already" not in html


def test_text_that_one_has_changed_since_is_not_called_saved(as_ada: Client, hearts: Page) -> None:
    sent = {"text": HEARTS + "More.\n", "base": hearts.current_id}
    as_ada.post(EDIT, sent)
    hearts.refresh_from_db()
    as_ada.post(EDIT, {"text": HEARTS + "Better.\n", "base": hearts.current_id})
    answer = as_ada.post(EDIT, sent)  # meant, from the page of before
    assert answer.status_code == 409
    html = answer.content.decode()
    assert 'data-code="edit_conflict"' in html
    assert "More." in html
    assert "Better." in html


@pytest.mark.parametrize(
    ("view", "address", "sent"),
    [
        ("protecting", "protect/", {"level": "staff", "span": "day", "reason": "Spam."}),
        ("reverting", "revert/{first}/", {"current": "{first}"}),
        ("patrolling", "rollback/{first}/", {}),
        ("talk", "talk/", {"heading": "Passing", "text": "Which way?"}),
    ],
    ids=["protect", "revert", "rollback", "talk"],
)
def test_page_that_is_deleted_in_this_moment(
    client: Client, hearts: Page, monkeypatch: pytest.MonkeyPatch, view, address, sent
) -> None:
    mo = User.objects.create_superuser("Mo")
    client.force_login(mo)
    first = hearts.current_id
    delete_page(page_id=hearts.pk, reason="Nonsense.", person=mo)
    monkeypatch.setattr(import_module(f"wiki.views.{view}"), "existing_page", lambda slug: hearts)
    sent = {name: value.format(first=first) for name, value in sent.items()}
    answer = client.post(f"/wiki/hearts/{address.format(first=first)}", sent)
    assert answer.status_code == 404
    assert "Somebody deleted this page just now." in answer.content.decode()


def test_address_that_no_page_can_have_gives_the_text_back(as_ada: Client) -> None:
    answer = as_ada.post("/wiki/||/edit/", {"text": "My words"})
    assert answer.status_code == 400
    assert 'data-code="bad_title"' in answer.content.decode()
    assert "My words</textarea>" in answer.content.decode()
    answer = as_ada.post("/wiki/||/draft/", {"text": "My words"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_title")
    assert as_ada.get("/wiki/drafts/").status_code == 200


def test_forged_author_and_rights_are_not_taken(as_ada: Client, bob: User, hearts: Page) -> None:
    forged = {"author": bob.pk, "author_name": "Bob", "user": bob.pk, "timestamp": "2001-01-01"}
    forged |= {"protection": "open", "level": "open", "origin": 1, "event": "protection"}
    as_ada.post(EDIT, {"text": WORDS, "base": hearts.current_id, **forged})
    row = hearts.revisions.latest("number")
    assert (row.author_name, row.event, row.origin, row.number) == ("Ada", "", None, 2)
    assert row.timestamp.year > 2020


@pytest.mark.parametrize("address", ["changes", "watchlist", "contributions/Ada", "search"])
def test_odd_query_of_a_list_is_no_500(as_ada: Client, hearts: Page, address: str) -> None:
    for query in ("days=x&minor=&mine=&imports=", "q=" + "x" * 5000, f"before={BIG}", "page=-9"):
        answer = as_ada.get(f"/wiki/{address}/?{query}")
        assert answer.status_code in (200, 404)
        assert answer["Content-Type"].startswith("text/html")
