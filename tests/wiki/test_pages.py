"""Reading pages through their addresses."""

import re
from datetime import UTC, datetime

import pytest
from django.test import Client
from django.utils.html import escape

from wiki import panels
from wiki.models import Page, Revision
from wiki.services import renumber
from wiki.services.edit import create_page, name_page
from wiki.services.history import sha1

pytestmark = pytest.mark.django_db


def imported(page: Page, state: str, text: str = "", source: str | None = None, **more) -> Revision:
    return Revision.objects.create(
        page=page,
        author_name="Excel13",
        timestamp=datetime(2019, 6, 12, 7, 28, 2, tzinfo=UTC),
        text=text,
        text_sha1=sha1(text),
        text_state=state,
        size=len(text.encode()),
        source_text=text if source is None else source,
        **more,
    )


def test_page_shows_text_contents_and_last_editor(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/").content.decode()
    assert "<h1" in html
    assert 'href="#s-passing">Passing</a>' in html
    assert '<h2 id="s-goal">Goal<a class="edit"' in html
    assert "/wiki/contributions/Ada/" in html
    assert "1 revision since" in html


def test_alias_leads_to_the_page_and_says_so(client: Client, hearts: Page) -> None:
    name_page(hearts, "Gamehelphearts")
    for address in ("/wiki/gamehelphearts/", "/wiki/Gamehelphearts/"):
        answer = client.get(address, follow=True)
        assert answer.redirect_chain == [("/wiki/hearts/?from=Gamehelphearts", 302)]
        assert "Redirected from <b>Gamehelphearts</b>" in answer.content.decode()


def test_redirected_note_repeats_no_words_of_the_address(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/?from=Buy+now").content.decode()
    assert "Redirected" not in html
    assert "Buy now" not in html


def test_alias_keeps_the_revision_asked_for(client: Client, hearts: Page) -> None:
    name_page(hearts, "Gamehelphearts")
    answer = client.get(f"/wiki/gamehelphearts/?rev={hearts.current_id}")
    assert f"rev={hearts.current_id}" in answer["Location"]


def test_missing_page_offers_to_create_it(client: Client) -> None:
    answer = client.get("/wiki/black-lady/?title=Black+Lady")
    assert answer.status_code == 404
    html = answer.content.decode()
    assert "There is no page called <b>Black Lady</b> yet." in html
    assert 'href="/wiki/black-lady/edit/?title=Black%20Lady"' in html


def test_title_that_does_not_fit_the_address_is_not_believed(client: Client) -> None:
    html = client.get("/wiki/black-lady/?title=Other").content.decode()
    assert "Black lady" in html
    assert "Other" not in html


@pytest.mark.parametrize("title", ["x" * 256, "ж" * 128, "a\x01b", "a\x7fb", "---"])
def test_impossible_title_is_refused_in_words(client: Client, title: str) -> None:
    answer = client.get("/wiki/", {"title": title})
    assert answer.status_code == 400
    assert 'data-code="bad_title"' in answer.content.decode()


def test_titles_of_one_slug_are_pages_of_their_own(as_ada: Client, save) -> None:
    save("The language C, see [[C++]].\n", title="C")
    link = re.search(r'href="(/wiki/c/\?title=[^"]*)"', as_ada.get("/wiki/c/").content.decode())
    assert link is not None
    answer = as_ada.get(link[1], follow=True)
    assert answer.status_code == 404
    html = answer.content.decode()
    assert "There is no page called <b>C++</b> yet." in html
    assert 'Did you mean <a href="/wiki/c/">C</a>?' in html
    edit = re.search(r'href="(/wiki/c-2/edit/[^"]*)"', html)
    assert edit is not None
    assert 'name="title" value="C++"' in as_ada.get(edit[1]).content.decode()
    saved = as_ada.post("/wiki/c-2/edit/", {"text": "Another language.", "title": "C++"})
    assert saved["Location"] == "/wiki/c-2/"
    assert as_ada.get("/wiki/c/?title=C%2B%2B")["Location"].startswith("/wiki/c-2/")
    assert 'class="wiki-link" href="/wiki/c-2/"' in as_ada.get("/wiki/c/").content.decode()
    # a form for the same address that comes late makes a third page, not an edit of the second
    late = as_ada.post("/wiki/c-2/edit/", {"text": "A third language.", "title": "C#"})
    assert late["Location"] == "/wiki/c-3/"
    assert sorted(Page.objects.values_list("title", "slug")) == [
        ("C", "c"),
        ("C#", "c-3"),
        ("C++", "c-2"),
    ]


@pytest.mark.parametrize("title", ["HEARTS", "hearts", "heArts", "Hea\u200brts", "\u202eHearts"])
def test_title_in_another_case_leads_to_the_page(client: Client, hearts: Page, title: str) -> None:
    answer = client.get("/wiki/", {"title": title}, follow=True)
    assert answer.status_code == 200
    assert "<h1" in answer.content.decode()


def test_title_loses_marks_that_turn_the_text_around_it(as_ada: Client) -> None:
    as_ada.post("/wiki/abc/edit/", {"text": "x", "title": "\u202eabc\u2066"})
    assert Page.objects.get().title == "abc"


def test_vowel_signs_belong_to_their_words(as_ada: Client) -> None:
    for title in ("किताब", "कुताब"):
        address = as_ada.get("/wiki/", {"title": title})["Location"].split("?")[0]
        as_ada.post(f"{address}edit/", {"text": "x", "title": title})
    assert sorted(Page.objects.values_list("slug", flat=True)) == sorted(["किताब", "कुताब"])


def test_longest_possible_title_makes_a_page(as_ada: Client) -> None:
    title = "ж" * 127
    address = as_ada.get("/wiki/", {"title": title})["Location"]
    edit = address.split("?")[0] + "edit/"
    assert as_ada.post(edit, {"text": "x", "title": title}).status_code == 302
    assert Page.objects.get().title == title


def test_blanked_page_keeps_its_history(client: Client, hearts: Page, save) -> None:
    save("")
    html = client.get("/wiki/hearts/").content.decode()
    assert "This page was blanked" in html
    assert "Take few points" not in html
    rows = client.get("/wiki/hearts/history/").content.decode()
    assert "Blanked the page" in rows
    assert "Created page with" in rows


def test_missing_text_is_said_and_not_shown_as_empty(client: Client, hearts: Page) -> None:
    lost = imported(hearts, "missing")
    renumber(hearts)
    assert "text not available" in client.get("/wiki/hearts/history/").content.decode()
    assert "Text not available" in client.get(f"/wiki/hearts/?rev={lost.pk}").content.decode()
    answer = client.get(f"/wiki/hearts/diff/{lost.pk}/{hearts.current_id}/")
    assert answer.status_code == 200
    assert "there is nothing to compare" in answer.content.decode()
    for forbidden in (f"revert/{lost.pk}/", f"edit/?undo={lost.pk}"):
        refused = client.get(f"/wiki/hearts/{forbidden}")
        assert refused.status_code == 409
        assert 'data-code="no_text"' in refused.content.decode()
    for empty in ("source/?rev={}", "source/?raw=1&rev={}", "edit/?rev={}", "wikitext/{}/"):
        refused = client.get("/wiki/hearts/" + empty.format(lost.pk))
        assert refused.status_code == 404, empty
    assert "wikitext/" not in client.get(f"/wiki/hearts/?rev={lost.pk}").content.decode()
    assert "?undo=" not in client.get("/wiki/hearts/history/").content.decode()


def test_file_page_says_that_the_file_is_not_there(client: Client) -> None:
    page = create_page(title="File:Carotte.png", language="fr", namespace="file")
    imported(page, "file")
    renumber(page)
    assert page.slug == "file-carotte-png"
    answer = client.get("/wiki/Fichier:Carotte.png/", follow=True)
    assert answer.redirect_chain[-1][0].startswith("/wiki/files/file-carotte-png/")
    assert "File not available" in answer.content.decode()
    assert "Carotte.png" not in client.get("/wiki/").content.decode()
    assert "Carotte.png" in client.get("/wiki/files/?missing=1").content.decode()


def test_original_wikitext_is_a_download(client: Client, hearts: Page) -> None:
    old = imported(hearts, "present", text="**Hearts** <b>", source="'''Hearts''' <b> \n")
    renumber(hearts)
    answer = client.get(f"/wiki/hearts/wikitext/{old.pk}/")
    assert answer.content.decode() == "'''Hearts''' <b> \n"
    assert answer["Content-Type"].startswith("text/plain")
    assert answer["Content-Disposition"].startswith("attachment")
    assert f"wikitext/{old.pk}/" in client.get(f"/wiki/hearts/?rev={old.pk}").content.decode()
    own = client.get(f"/wiki/hearts/wikitext/{hearts.current_id}/")
    assert own.status_code == 404


def test_source_is_shown_and_given_raw(client: Client, hearts: Page, save) -> None:
    save("<script>alert(1)</script> & more\n")
    html = client.get("/wiki/hearts/source/").content.decode()
    assert escape("<script>alert(1)</script> & more") in html
    raw = client.get("/wiki/hearts/source/?raw=1")
    assert raw.content.decode() == "<script>alert(1)</script> & more\n"
    assert raw["Content-Type"] == "text/plain; charset=utf-8"
    assert raw["X-Content-Type-Options"] == "nosniff"


def test_permanent_link_shows_the_old_text_and_the_ways_from_it(
    client: Client, hearts: Page, save
) -> None:
    first = hearts.current_id
    new = save("Something else.\n")
    html = client.get(f"/wiki/hearts/?rev={first}").content.decode()
    assert "An older revision" in html
    assert "Take few points" in html
    assert "Something else" not in html
    assert f"/wiki/hearts/diff/{first}/{new.pk}/" in html
    assert f"/wiki/hearts/revert/{first}/" in html
    assert 'class="edit"' not in html


@pytest.mark.parametrize("rev", ["0", "x", "", "-1", "99999999999999999999999", "9" * 5000, "²"])
def test_revision_that_is_none_is_not_found(client: Client, hearts: Page, rev: str) -> None:
    answer = client.get("/wiki/hearts/", {"rev": rev})
    assert answer.status_code == 404
    assert 'data-code="no_revision"' in answer.content.decode()


def test_revision_of_another_page_is_not_found(client: Client, hearts: Page, save) -> None:
    other = save("x", title="Nibble")
    assert client.get(f"/wiki/hearts/?rev={other.pk}").status_code == 404
    assert client.get(f"/wiki/hearts/diff/{hearts.current_id}/{other.pk}/").status_code == 404


def test_link_turns_when_its_page_is_made(client: Client, hearts: Page, save) -> None:
    save("See [[Black Lady]].\n")
    before = client.get("/wiki/hearts/").content.decode()
    assert 'class="wiki-link missing" href="/wiki/black-lady/?title=Black+Lady"' in before
    save("x", title="Nibble")
    name_page(Page.objects.get(title="Nibble"), "Black_lady ")
    after = client.get("/wiki/hearts/").content.decode()
    assert 'class="wiki-link missing"' in after  # "Lady" is not "lady"
    name_page(Page.objects.get(title="Nibble"), "black Lady")
    after = client.get("/wiki/hearts/").content.decode()
    assert '<a class="wiki-link" href="/wiki/nibble/">Black Lady</a>' in after


def test_rendering_is_kept_with_its_renderer(client: Client, hearts: Page) -> None:
    client.get("/wiki/hearts/")
    revision = Revision.objects.get()
    assert revision.renderer_version
    revision.rendered = "<p>kept</p>"
    revision.save()
    assert "<p>kept</p>" in client.get("/wiki/hearts/").content.decode()
    revision.renderer_version = "another"
    revision.save()
    assert "<p>kept</p>" not in client.get("/wiki/hearts/").content.decode()


def test_kept_page_costs_few_queries(
    client: Client, hearts: Page, django_assert_max_num_queries
) -> None:
    client.get("/wiki/hearts/")
    with django_assert_max_num_queries(5):
        client.get("/wiki/hearts/")


def test_search_finds_titles_aliases_and_texts(client: Client, hearts: Page, save) -> None:
    name_page(hearts, "Black Maria")
    save("Nothing about queens", title="Nibble")
    found = client.get("/wiki/search/?q=QUEEN+thirteen").content.decode()
    assert "1 page with all" in found
    assert "<mark>queen</mark>" in found
    assert "1 page with all" in client.get("/wiki/search/?q=maria").content.decode()
    assert "No page has all" in client.get("/wiki/search/?q=it%27s+(bad").content.decode()
    assert client.get("/wiki/search/").status_code == 200


def test_search_of_many_words_tries_no_combinations_of_names(
    client: Client, hearts: Page, django_assert_max_num_queries
) -> None:
    for number in range(12):
        name = f"Alias {number}"
        hearts.names.create(title=name, key=name.lower(), slug=f"alias-{number}")
    with django_assert_max_num_queries(8) as seen:
        html = client.get("/wiki/search/?q=the+three+to+cards+left+one+at+hold").content.decode()
    assert ">Hearts</a>" in html
    assert not any('JOIN "wiki_pagename"' in query["sql"] for query in seen.captured_queries)


def test_search_shows_texts_escaped(client: Client, save) -> None:
    save("a zebra <script>alert(1)</script>", title="Nibble")
    html = client.get("/wiki/search/?q=zebra").content.decode()
    assert "<script>alert" not in html


def test_panels_of_other_apps_stand_beside_the_page(
    client: Client, hearts: Page, monkeypatch
) -> None:
    monkeypatch.setattr(panels, "_panels", {place: [] for place in panels.PLACES})
    panels.register(lambda request, page: f"<b>{page.slug}</b>")
    panels.register(lambda request, page: "A game of tricks", place="tagline")
    html = client.get("/wiki/hearts/").content.decode()
    assert "&lt;b&gt;hearts&lt;/b&gt;" in html  # not marked safe
    assert "A game of tricks" in html


def test_pages_keep_the_strict_policy(client: Client, hearts: Page) -> None:
    for address in ("", "history/", "edit/", "source/"):
        answer = client.get(f"/wiki/hearts/{address}")
        html = answer.content.decode()
        assert "style=" not in html
        assert "<style" not in html
        assert "script-src 'self'" in answer["Content-Security-Policy"]


def test_list_of_many_pages_comes_in_parts(client: Client, hearts: Page, monkeypatch) -> None:
    monkeypatch.setattr("wiki.views.pages.PAGES_PER_SHEET", 3)
    Page.objects.update(game="hearts")
    for number in range(7):
        create_page(title=f"Page {number}", language="en")
    first, last = (client.get(f"/wiki/{query}").content.decode() for query in ("", "?page=3"))
    assert "1–3 of 7" in first
    assert ">Page 2</a>" in first
    assert ">Page 3</a>" not in first
    assert "Games one can play here" in first
    assert "7–7 of 7" in last
    assert ">Page 6</a>" in last
    assert "Games one can play here" not in last


def test_index_is_by_title_whether_in_capitals_or_not(client: Client, save) -> None:
    for title in ("Verso", "dnup", "Ada"):
        save("Words.\n", title=title)
    html = client.get("/wiki/").content.decode()
    assert html.index(">Ada<") < html.index(">dnup<") < html.index(">Verso<")


def test_address_of_a_person_as_other_wikis_have_it_leads_to_what_they_wrote(
    client: Client, hearts: Page
) -> None:
    assert client.get("/wiki/User:Ada/").url == "/wiki/contributions/Ada/"
    assert client.get("/wiki/user-ada/?title=User:Ada").url == "/wiki/contributions/Ada/"
    assert client.get("/wiki/contributions/Nobody/").status_code == 404


def test_stranger_who_has_the_page_is_told_so(client: Client, as_ada: Client, save, hearts) -> None:
    """Until anything of it changes, be it a link that turns blue; who has a session gets it whole."""
    save("See [[Spades]].")
    first = client.get("/wiki/hearts/")
    assert set(first["Cache-Control"].split(", ")) == {"private", "no-cache"}
    has = {"If-None-Match": first["ETag"]}
    again = client.get("/wiki/hearts/", headers=has)
    assert (again.status_code, again.content) == (304, b"")
    assert as_ada.get("/wiki/hearts/", headers=has).status_code == 200
    assert "ETag" not in as_ada.get("/wiki/hearts/")
    save("Black cards.", title="Spades")
    turned = client.get("/wiki/hearts/", headers=has)
    assert turned.status_code == 200
    save("See [[Spades]]!")
    assert client.get("/wiki/hearts/", headers={"If-None-Match": turned["ETag"]}).status_code == 200
    assert client.get("/wiki/hearts/", headers={"If-None-Match": "*"}).status_code == 304
    assert "ETag" not in client.get("/wiki/nowhere/")
