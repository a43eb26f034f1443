"""Titles of MediaWiki's special pages lead to what does the same here, and no page is called so."""

import pytest
from django.test import Client

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Page
from wiki.services.delete import delete_page, undelete_page
from wiki.services.edit import create_page
from wiki.services.rename import rename
from wiki.titles import make_slug

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("title", "to"),
    [
        ("Special:RecentChanges", "/wiki/changes/"),
        ("special:recent_changes", "/wiki/changes/"),
        ("Spezial:RecentChanges", "/wiki/changes/"),
        ("Служебная:RecentChanges", "/wiki/changes/"),
        ("Special:Search", "/wiki/search/"),
        ("Special:Search/queen of spades", "/wiki/search/?q=queen+of+spades"),
        ("Special:Search?search=queen", "/wiki/search/?q=queen"),
        ("Special:Random", "/wiki/random/"),
        ("Special:WhatLinksHere/Hearts", "/wiki/hearts/links/?title=Hearts"),
        ("Special:WhatLinksHere?target=Hearts", "/wiki/hearts/links/?title=Hearts"),
        ("Special:Contributions/Ada", "/wiki/contributions/Ada/"),
        ("Special:Watchlist", "/wiki/watchlist/"),
        ("Special:Upload", "/wiki/files/upload/"),
        ("Special:Upload?wpDestFile=Go.png", "/wiki/files/upload/?name=Go.png"),
        ("Special:AllPages", "/wiki/"),
        ("Special:Categories", "/wiki/categories/"),
        ("Special:Statistics", "/wiki/statistics/"),
    ],
)
def test_titles_lead_to_what_does_the_same(
    as_ada: Client, hearts: Page, title: str, to: str
) -> None:
    name, mark, query = title.partition("?")
    answer = as_ada.get(f"/wiki/{name}/{mark}{query}")
    assert (answer.status_code, answer["Location"]) == (302, to)
    if not mark:
        assert as_ada.get("/wiki/", {"title": name}, follow=True).redirect_chain[-1][0] in (
            to,
            as_ada.get(to).get("Location", to),
        )
    assert as_ada.get(to, follow=True).status_code == 200


@pytest.mark.parametrize(
    ("title", "said"),
    [
        ("Special:Carotte.png", "This wiki has no special page called “Carotte.png”"),
        ("Special:<b>", "no special page called “&lt;b&gt;”"),
        ("Special:Carotte/history", "no special page called “Carotte”"),
        ("Special:", "no special page called “”"),
        ("Special:WhatLinksHere", "Say of which page: Special:WhatLinksHere/Hearts."),
        ("Special:Contributions", "Say whose: Special:Contributions/Ada."),
    ],
)
def test_others_are_not_there_in_words(as_ada: Client, title: str, said: str) -> None:
    answers = [as_ada.get(f"/wiki/{title}/")]
    if slug := make_slug(title):
        answers.append(as_ada.get(f"/wiki/{slug}/", {"title": title}))
        answers.append(as_ada.get(f"/wiki/{slug}/edit/", {"title": title}))
    for answer in answers:
        assert answer.status_code == 404
        assert said in answer.content.decode()
        assert 'data-code="no_special"' in answer.content.decode()


def test_no_page_can_be_called_so(as_ada: Client, ada: User, hearts: Page) -> None:
    title = "Special:Carotte"
    slug = "special-carotte"
    answer = as_ada.get(f"/wiki/{slug}/edit/", {"title": title})
    assert (answer.status_code, 'data-code="no_special"' in answer.content.decode()) == (404, True)
    assert as_ada.get(f"/wiki/{slug}/", {"title": title}).status_code == 404
    answer = as_ada.post(f"/wiki/{slug}/edit/", {"title": title, "text": "Mine.", "action": "save"})
    assert answer.status_code == 422
    assert 'data-code="special_title"' in answer.content.decode()
    assert "Mine." in answer.content.decode()
    with pytest.raises(WikiError, match="choose another title"):
        rename(page_id=hearts.pk, title=title, author=ada, seen="Hearts")
    root = User.objects.create_superuser("Root")
    delete_page(page_id=hearts.pk, reason="x", person=root)
    with pytest.raises(WikiError, match="choose another title"):
        undelete_page(page_id=hearts.pk, reason="x", person=root, title=title)
    assert not Page.objects.exists()
    assert f">{title}<" not in as_ada.get("/wiki/search/", {"q": title}).content.decode()


def test_page_that_was_imported_so_is_still_read(client: Client) -> None:
    page = create_page(title="Special:Rules", language="en")
    assert client.get("/wiki/Special:Rules/")["Location"] == page.get_absolute_url()
    assert client.get(page.get_absolute_url()).status_code == 200


def test_links_lead_there_and_want_no_page(client: Client, save) -> None:
    save("[[Special:RecentChanges|What is new]], [[Special:Carotte.png]], [[:Special:All pages]]")
    html = client.get("/wiki/hearts/").content.decode()
    assert '<a href="/wiki/Special:RecentChanges/">What is new</a>' in html
    assert '<a href="/wiki/Special:Carotte.png/">Special:Carotte.png</a>' in html
    assert '<a href="/wiki/Special:All%20pages/">Special:All pages</a>' in html
    assert "Special" not in client.get("/wiki/reports/wanted/").content.decode()
