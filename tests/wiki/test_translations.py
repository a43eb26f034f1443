"""The language of a page and its translations, through the pages that people use."""

import re

import pytest
from django.test import Client

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import Page, PageGroup, Revision
from wiki.services import load_page
from wiki.services.groups import leave_if_taken
from wiki.services.languages import own_page

pytestmark = pytest.mark.django_db
HERE = "/wiki/hearts/language/"


@pytest.fixture
def srce(save) -> Page:
    page = save("Uzmi malo poena.", title="Srce").page
    Page.objects.filter(pk=page.pk).update(language="sr")
    return page


def code_of(answer) -> str:
    found = re.search(r'data-code="([^"]*)"', answer.content.decode())
    return found[1] if found else ""


def link(client: Client, title: str, at: str = HERE):
    return client.post(at, {"do": "link", "title": title})


# The language of a page


def test_the_language_is_shown_and_set(as_ada: Client, hearts: Page) -> None:
    assert "Language: English" in as_ada.get("/wiki/hearts/").content.decode()
    answer = as_ada.post(HERE, {"do": "set", "language": "he"}, follow=True)
    assert "The language is set: Hebrew." in answer.content.decode()
    html = as_ada.get("/wiki/hearts/").content.decode()
    assert '<h1 lang="he" dir="rtl">Hearts</h1>' in html
    assert '<article class="prose" lang="he" dir="rtl">' in html
    assert '<footer class="colophon" lang="en" dir="ltr">' in html
    row = hearts.revisions.latest("number")
    assert (row.event, row.text, row.delta, row.author_name) == ("language", HEARTS, 0, "Ada")
    assert row.summary == "Language: עברית – Hebrew (was English)"
    told = as_ada.get("/wiki/hearts/history/").content.decode()
    assert '<span class="chip">language</span>' in told


def test_titles_in_lists_say_their_language(as_ada: Client, hearts: Page) -> None:
    as_ada.post(HERE, {"do": "set", "language": "ar"})
    for address in ("/wiki/", "/wiki/changes/", "/"):
        assert 'lang="ar" dir="rtl">Hearts</' in as_ada.get(address).content.decode(), address
    found = as_ada.get("/wiki/search/?q=hearts").content.decode()
    assert 'lang="ar" dir="rtl"><mark>Hearts</mark></a>' in found
    for part in ("edit/", "source/"):
        assert 'lang="ar" dir="rtl"' in as_ada.get(f"/wiki/hearts/{part}").content.decode()


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"do": "set", "language": "xx"}, "bad_language", 400),
        ({"do": "set"}, "bad_language", 400),
        ({"do": "set", "language": "en"}, "unchanged", 409),
        ({"do": "dance"}, "bad_wish", 400),
        ({}, "bad_wish", 400),
        ({"do": "link", "title": ""}, "bad_title", 400),
        ({"do": "link", "title": "Nowhere <b>"}, "no_page", 404),
        ({"do": "link", "title": "Hearts"}, "same_page", 400),
        ({"do": "unlink", "page": "1x"}, "not_linked", 409),
        ({"do": "unlink", "page": "9" * 40}, "not_linked", 409),
        ({"do": "translate", "language": "sr", "title": "hearts"}, "title_taken", 409),
        ({"do": "translate", "language": "en", "title": "Hearts again"}, "language_taken", 409),
        ({"do": "translate", "language": "", "title": "Srce"}, "bad_language", 400),
        ({"do": "translate", "language": "sr", "title": "..."}, "bad_title", 400),
    ],
)
def test_refusals_are_in_words(
    as_ada: Client, hearts: Page, sent: dict[str, str], code: str, status: int
) -> None:
    answer = as_ada.post(HERE, sent)
    assert (code_of(answer), answer.status_code) == (code, status)
    assert hearts.revisions.count() == 1
    assert "Nowhere <b>" not in answer.content.decode()
    assert not PageGroup.objects.exists()


def test_who_may_not_edit_changes_no_language(
    as_ada: Client, hearts: Page, srce: Page, client: Client
) -> None:
    Page.objects.filter(pk=hearts.pk).update(protection="staff")
    for sent in (
        {"do": "set", "language": "de"},
        {"do": "link", "title": "Srce"},
    ):
        answer = as_ada.post(HERE, sent)
        assert (code_of(answer), answer.status_code) == ("protected", 403)
        assert code_of(client.post(HERE, sent)) == "who_are_you"
    assert code_of(link(as_ada, "Hearts", "/wiki/srce/language/")) == "protected"
    html = as_ada.get(HERE).content.decode()
    assert "You may not change this page" in html
    assert "<select" not in html
    hearts.refresh_from_db()
    assert (hearts.language, hearts.group) == ("en", None)


def test_a_stranger_becomes_a_guest_by_it(client: Client, hearts: Page) -> None:
    assert "as a guest" in client.get(HERE).content.decode()
    client.post(HERE, {"do": "set", "language": "de", "guest": "1"})
    row = hearts.revisions.latest("number")
    assert row.event == "language"
    assert row.author.is_guest


def test_no_such_page(client: Client) -> None:
    assert client.get("/wiki/nowhere/language/").status_code == 404
    assert client.put(HERE).status_code == 405


# Translations


def test_pages_are_linked_and_lead_to_each_other(as_ada: Client, hearts: Page, srce: Page) -> None:
    assert link(as_ada, "srce").status_code == 302
    html = as_ada.get("/wiki/hearts/").content.decode()
    assert '<a href="/wiki/srce/" hreflang="sr" lang="sr" title="Srce">српски</a>' in html
    assert '<link rel="alternate" hreflang="sr" href="http://testserver/wiki/srce/">' in html
    assert (
        '<link rel="alternate" hreflang="x-default" href="http://testserver/wiki/hearts/">' in html
    )
    assert (
        '<link rel="alternate" hreflang="sr-Cyrl" '
        'href="http://testserver/wiki/srce/?variant=sr-ec">' in html
    )
    back = as_ada.get("/wiki/srce/").content.decode()
    assert '<a href="/wiki/hearts/" hreflang="en" lang="en" title="Hearts">English</a>' in back
    assert hearts.revisions.latest("number").summary == "Linked with “Srce” (Serbian)"
    assert srce.revisions.latest("number").summary == "Linked with “Hearts” (English)"
    assert code_of(link(as_ada, "Srce")) == "linked"


def test_a_page_without_translations_offers_none(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/").content.decode()
    assert "In other languages" not in html
    assert "hreflang" not in html
    assert f'href="{HERE}"' in html
    assert "in another language yet" in client.get(HERE).content.decode()


def test_one_page_a_language(as_ada: Client, hearts: Page, srce: Page, save) -> None:
    other = save("Drugo.", title="Srca").page
    Page.objects.filter(pk=other.pk).update(language="sr")
    link(as_ada, "Srce")
    answer = link(as_ada, "Srca")
    assert (code_of(answer), answer.status_code) == ("language_taken", 409)
    assert "In Serbian there is “Srce” already" in answer.content.decode()
    assert 'value="Srca"' in answer.content.decode()
    answer = as_ada.post("/wiki/srce/language/", {"do": "set", "language": "en"})
    assert code_of(answer) == "language_taken"
    answer = as_ada.post(HERE, {"do": "translate", "language": "sr", "title": "Herc"})
    assert code_of(answer) == "language_taken"


def test_two_groups_become_one(as_ada: Client, hearts: Page, srce: Page, save) -> None:
    for title, code in (("Herz", "de"), ("Coeurs", "fr"), ("Hertz", "de")):
        page = save(title, title=title).page
        Page.objects.filter(pk=page.pk).update(language=code)
    link(as_ada, "Srce")
    link(as_ada, "Coeurs", "/wiki/herz/language/")
    assert link(as_ada, "Herz").status_code == 302
    assert PageGroup.objects.count() == 1
    assert PageGroup.objects.get().pages.count() == 4
    assert code_of(link(as_ada, "Hertz")) == "language_taken"
    assert "Coeurs" in as_ada.get("/wiki/srce/").content.decode()


def test_a_page_is_unlinked(as_ada: Client, hearts: Page, srce: Page) -> None:
    link(as_ada, "Srce")
    html = as_ada.get(HERE).content.decode()
    assert 'aria-label="Unlink Srce"' in html
    as_ada.post(HERE, {"do": "unlink", "page": str(srce.pk)})
    assert "In other languages" not in as_ada.get("/wiki/hearts/").content.decode()
    assert srce.revisions.latest("number").summary == "No longer linked with “Hearts” (English)"
    assert code_of(as_ada.post(HERE, {"do": "unlink", "page": str(srce.pk)})) == "not_linked"
    assert link(as_ada, "Srce").status_code == 302


def test_pages_of_other_kinds_have_no_translations(
    as_ada: Client, hearts: Page, srce: Page
) -> None:
    Page.objects.filter(pk=srce.pk).update(namespace="talk")
    assert code_of(link(as_ada, "Srce")) == "other_kind"
    html = as_ada.get("/wiki/srce/language/").content.decode()
    assert "Add a translation" not in html
    assert "Language of this page" in html


def test_a_deleted_translation_is_not_offered(as_ada: Client, hearts: Page, srce: Page) -> None:
    link(as_ada, "Srce")
    Page.objects.filter(pk=srce.pk).update(deleted_at="2026-01-01T00:00Z")
    assert "/wiki/srce/" not in as_ada.get("/wiki/hearts/").content.decode()
    answer = as_ada.post(HERE, {"do": "translate", "language": "sr", "title": "Herc"})
    assert answer.status_code == 302
    save_translation(as_ada, answer["Location"])
    back = Page.everything.get(pk=srce.pk)
    back.deleted_at = None
    back.save()
    leave_if_taken(back)
    assert Page.objects.get(pk=srce.pk).group is None


# Writing a translation


def save_translation(client: Client, address: str, text: str = "Uzmi malo."):
    form = client.get(address).content.decode()
    sent = {name: hidden(form, name) for name in ("title", "language", "of", "section", "draft")}
    return client.post(
        address.partition("?")[0], sent | {"text": text, "base": "", "action": "save"}
    )


def test_a_translation_is_written(as_ada: Client, hearts: Page) -> None:
    to = as_ada.post(HERE, {"do": "translate", "language": "sr-ec", "title": "Херц"})["Location"]
    form = as_ada.get(to).content.decode()
    assert "This will be the page in српски (ћирилица) – Serbian, Cyrillic for “Hearts”." in form
    assert "Take few points." in form
    assert "Translation of [[Hearts]]" in form
    assert ' lang="sr-Cyrl"' in form
    assert save_translation(as_ada, to).status_code == 302
    page = Page.objects.get(title="Херц")
    assert (page.language, page.group) == ("sr-ec", Page.objects.get(pk=hearts.pk).group)
    assert "Херц" in as_ada.get("/wiki/hearts/").content.decode()


def test_a_translation_that_came_too_late_is_kept(as_ada: Client, hearts: Page, srce: Page) -> None:
    to = as_ada.post(HERE, {"do": "translate", "language": "sr", "title": "Herc"})["Location"]
    form = as_ada.get(to).content.decode()
    sent = {name: hidden(form, name) for name in ("title", "language", "of", "section", "draft")}
    link(as_ada, "Srce")
    sent |= {"text": "Uzmi malo.", "base": "", "action": "save"}
    answer = as_ada.post("/wiki/herc/edit/", sent)
    html = answer.content.decode()
    assert (code_of(answer), answer.status_code) == ("language_taken", 409)
    assert "Nothing is saved. Save again to make it a page by itself." in html
    assert "Uzmi malo." in html
    assert not Page.objects.filter(title="Herc").exists()
    assert 'name="of"' not in html
    sent.pop("of")
    assert as_ada.post("/wiki/herc/edit/", sent).status_code == 302
    page = Page.objects.get(title="Herc")
    assert (page.language, page.group) == ("sr", None)


def test_forged_translations_are_refused_with_the_text(as_ada: Client, hearts: Page) -> None:
    sent = {"title": "Herc", "text": "Uzmi.", "base": "", "action": "save", "section": "0"}
    for more, code in (
        ({"language": "xx"}, "bad_language"),
        ({"language": "sr", "of": "999999"}, "no_page"),
        ({"language": "en", "of": str(hearts.pk)}, "language_taken"),
    ):
        answer = as_ada.post("/wiki/herc/edit/", sent | more)
        assert code_of(answer) == code
        assert "Uzmi." in answer.content.decode()
    assert Page.objects.count() == 1
    query = f"?title=Herc&language=xx&of={hearts.pk}"
    assert as_ada.get(f"/wiki/herc/edit/{query}").status_code == 400


def test_the_translation_of_a_protected_page_needs_the_right_to_edit_it(
    as_ada: Client, hearts: Page
) -> None:
    to = as_ada.post(HERE, {"do": "translate", "language": "sr", "title": "Herc"})["Location"]
    Page.objects.filter(pk=hearts.pk).update(protection="staff")
    assert code_of(save_translation(as_ada, to)) == "protected"


# Pages of games


@pytest.fixture
def shipped(ada: User) -> Page:
    revision = load_page(slug="hearts", title="Hearts", text=HEARTS, game="hearts")
    assert revision is not None
    return revision.page


def test_a_translation_tells_of_the_game_too(as_ada: Client, shipped: Page, srce: Page) -> None:
    link(as_ada, "Srce")
    assert Page.objects.get(pk=srce.pk).game == "hearts"
    assert own_page(Page.objects.filter(game="hearts")) == shipped
    as_ada.post(HERE, {"do": "unlink", "page": str(srce.pk)})
    assert Page.objects.get(pk=srce.pk).game == ""


def test_the_page_that_a_game_brings_stays(as_ada: Client, shipped: Page, srce: Page) -> None:
    link(as_ada, "Srce")
    for at in (HERE, "/wiki/srce/language/"):
        assert 'aria-label="Unlink Hearts"' not in as_ada.get(at).content.decode()
        assert code_of(as_ada.post(at, {"do": "unlink", "page": str(shipped.pk)})) == "own_page"


def test_pages_of_two_games_are_not_linked(as_ada: Client, shipped: Page, srce: Page) -> None:
    Page.objects.filter(pk=srce.pk).update(game="nibble")
    assert code_of(link(as_ada, "Srce")) == "different_games"


def test_loading_the_help_again_keeps_the_language_people_set(
    as_ada: Client, shipped: Page
) -> None:
    as_ada.post(HERE, {"do": "set", "language": "en-gb"})
    load_page(slug="hearts", title="Hearts", text=HEARTS, game="hearts")
    assert Page.objects.get(pk=shipped.pk).language == "en-gb"
    assert Revision.objects.filter(page=shipped).count() == 2


def test_differences_and_conflicts_run_in_the_direction_of_the_page(
    as_ada: Client, as_bob: Client, save
) -> None:
    page = save("אחת.\n", title="לבבות").page
    Page.objects.filter(pk=page.pk).update(language="he")
    first = page.current_id
    second = save("שתיים.\n", title="לבבות").pk
    html = as_ada.get(f"{page.get_absolute_url()}diff/{first}/{second}/").content.decode()
    assert '<tbody lang="he" dir="rtl">' in html
    sent = {"text": "שלוש.\n", "base": str(first), "action": "save", "title": "לבבות"}
    html = as_bob.post(f"{page.get_absolute_url()}edit/", sent).content.decode()
    assert 'data-code="edit_conflict"' in html
    assert html.count('<p class="lines" lang="he" dir="rtl">') == 3
    assert 'name="passage" autocomplete="off" lang="he" dir="rtl"' in html


def test_a_draft_of_a_translation_stays_one(as_ada: Client, hearts: Page) -> None:
    to = as_ada.post(HERE, {"do": "translate", "language": "sr", "title": "Herc"})["Location"]
    form = as_ada.get(to).content.decode()
    sent = {name: hidden(form, name) for name in ("title", "language", "of", "section", "draft")}
    saved = as_ada.post("/wiki/herc/draft/", sent | {"text": "Uzmi malo.", "base": ""}).json()
    again = as_ada.get(f"/wiki/herc/edit/?draft={saved['id']}").content.decode()
    assert "Uzmi malo." in again
    sent = {name: hidden(again, name) for name in ("title", "language", "of", "section", "draft")}
    sent |= {"text": "Uzmi malo.", "base": "", "action": "save"}
    assert as_ada.post("/wiki/herc/edit/", sent).status_code == 302
    page = Page.objects.get(title="Herc")
    assert (page.language, page.group) == ("sr", Page.objects.get(pk=hearts.pk).group)
