"""What links here, wanted pages, orphans, redirects that fail, categories, statistics, any page."""

import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from portal.models import User
from wiki.models import Page
from wiki.services.delete import delete_page
from wiki.services.edit import create_page
from wiki.services.rename import rename

pytestmark = pytest.mark.django_db


def listed(client: Client, address: str) -> list[str]:
    """Titles of the pages in the list at an address."""
    answer = client.get(address)
    assert answer.status_code == 200
    rows = answer.content.decode()
    rows = rows[rows.index('<div class="page-head">') :]
    return re.findall(r'<a class="page" href="[^"]*"[^>]*>([^<]*)</a>', rows)


def text(client: Client, address: str) -> str:
    return client.get(address).content.decode()


@pytest.fixture
def web(save, hearts: Page) -> Page:
    """Pages that hang together: Spades and Whist link to Hearts, Herz redirects there."""
    save("See [[Hearts]] and [[Nowhere]]. [[Category:Tricks]]", title="Spades")
    save("#REDIRECT [[Hearts]]", title="Herz")
    save("By [[Herz]], [[Nowhere]], [[Elsewhere]]. [[Category:Tricks]]", title="Whist")
    save("Alone.", title="Alone")
    return hearts


# -- what links here ----------------------------------------------------------------------------


def test_what_links_here_shows_redirects_with_what_links_to_them(client: Client, web) -> None:
    html = text(client, "/wiki/hearts/links/")
    assert listed(client, "/wiki/hearts/links/") == ["Herz", "Whist", "Spades"]
    herz = html[html.index(">Herz</a>") : html.index(">Spades</a>")]
    assert '<span class="chip">redirect</span>' in herz
    assert re.search(r"<ul><li><a [^>]*>Whist</a></li></ul>", herz)
    assert listed(client, "/wiki/alone/links/") == []
    assert "No page links here." in text(client, "/wiki/alone/links/")


def test_links_to_other_names_count_and_kinds_are_told(
    client: Client, ada: User, web, save
) -> None:
    rename(page_id=web.pk, title="Black lady", author=ada, seen="Hearts")
    save("New: [[Hearts]] [[Black lady]].", title="New")
    assert listed(client, "/wiki/black-lady/links/") == ["Herz", "Whist", "New", "Spades"]
    assert "It is also called <b>Hearts</b>" in text(client, "/wiki/black-lady/links/")
    assert client.get("/wiki/hearts/links/").url == "/wiki/black-lady/links/"
    create_page(title="Category:Tricks", language="en")
    assert listed(client, "/wiki/category-tricks/links/?kind=category") == ["Spades", "Whist"]
    assert listed(client, "/wiki/category-tricks/links/?kind=link") == []
    assert '<span class="chip">category</span>' in text(client, "/wiki/category-tricks/links/")


def test_what_links_to_a_page_that_is_not_there(client: Client, web) -> None:
    assert listed(client, "/wiki/nowhere/links/?title=Nowhere") == ["Spades", "Whist"]
    assert client.get("/wiki/nowhere/links/").status_code == 404
    assert client.get("/wiki/nowhere/links/?title=Other").status_code == 404


def test_long_lists_come_in_parts(client: Client, save, hearts: Page, monkeypatch) -> None:
    monkeypatch.setattr("wiki.views.reports.PER_SHEET", 2)
    for number in range(5):
        save("[[Hearts]] [[Nowhere]]", title=f"Page {number}")
    assert listed(client, "/wiki/hearts/links/?page=2") == ["Page 2", "Page 3"]
    html = text(client, "/wiki/nowhere/links/?title=Nowhere&page=2")
    assert 'href="?title=Nowhere&amp;page=3" rel="next"' in html
    assert listed(client, "/wiki/hearts/links/?page=x") == ["Page 0", "Page 1"]


# -- reports ------------------------------------------------------------------------------------


def test_wanted_pages_the_most_wanted_first(client: Client, save, web) -> None:
    assert listed(client, "/wiki/reports/wanted/") == ["Nowhere", "Elsewhere"]
    html = text(client, "/wiki/reports/wanted/")
    assert 'href="/wiki/nowhere/?title=Nowhere"' in html
    assert 'href="/wiki/nowhere/links/?title=Nowhere"' in html
    save("Here.", title="Nowhere")
    save("Here.", title="Elsewhere")
    assert "Every link leads to a page." in text(client, "/wiki/reports/wanted/")


def test_deleted_page_is_wanted_and_its_links_are_not(client: Client, ada: User, web) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    ada.refresh_from_db()
    delete_page(page_id=Page.objects.get(title="Whist").pk, reason="x", person=ada)
    assert listed(client, "/wiki/reports/wanted/") == ["Nowhere"]
    assert listed(client, "/wiki/hearts/links/") == ["Herz", "Spades"]
    delete_page(page_id=web.pk, reason="x", person=ada)
    assert "Hearts" in listed(client, "/wiki/reports/wanted/")
    assert listed(client, "/wiki/reports/broken-redirects/") == ["Herz"]


def test_orphans_dead_ends_and_pages_without_a_category(client: Client, web) -> None:
    assert listed(client, "/wiki/reports/orphans/") == ["Alone", "Spades", "Whist"]
    assert listed(client, "/wiki/reports/dead-ends/") == ["Alone", "Hearts"]
    assert listed(client, "/wiki/reports/uncategorised/") == ["Alone", "Hearts"]


def test_page_that_is_linked_to_by_a_redirect_only_is_no_orphan(client: Client, save) -> None:
    save("x", title="Hearts")
    save("#REDIRECT [[Hearts]]", title="Herz")
    assert listed(client, "/wiki/reports/orphans/") == ["Hearts"]
    save("[[Herz]]", title="Whist")
    assert listed(client, "/wiki/reports/orphans/") == ["Whist"]
    save("Myself: [[Alone]]", title="Alone")
    assert listed(client, "/wiki/reports/orphans/") == ["Alone", "Whist"]


def test_double_and_broken_redirects(client: Client, save, web) -> None:
    assert "No redirect leads to a redirect." in text(client, "/wiki/reports/double-redirects/")
    assert "Every redirect leads to a page." in text(client, "/wiki/reports/broken-redirects/")
    save("#REDIRECT [[Herz]]", title="Herzeln")
    save("#REDIRECT [[Lost <b>page]]", title="Lead")
    save("#REDIRECT [[Lost]]", title="Leading")
    assert listed(client, "/wiki/reports/double-redirects/") == ["Herzeln"]
    html = text(client, "/wiki/reports/double-redirects/")
    assert html.index(">Herzeln<") < html.index(">Herz<") < html.index(">Hearts<")
    assert listed(client, "/wiki/reports/broken-redirects/") == ["Leading"]


def test_reports_are_all_listed_and_others_refused(client: Client, web) -> None:
    html = text(client, "/wiki/reports/")
    found = re.findall(r'href="(/wiki/[a-z]+/(?:[a-z-]+/)?(?:\?missing=1)?)"', html)
    assert {"/wiki/reports/orphans/", "/wiki/statistics/", "/wiki/random/"} <= set(found)
    for address in found:
        assert client.get(address).status_code in (200, 302), address
    assert client.get("/wiki/reports/no-such/").status_code == 404
    assert "/wiki/reports/" in text(client, "/wiki/")


# -- categories ---------------------------------------------------------------------------------


def test_categories_stand_at_the_foot_and_list_their_members(client: Client, web) -> None:
    html = text(client, "/wiki/spades/")
    foot = html[html.index('aria-label="Categories"') :]
    assert '<a href="/wiki/category-tricks/?title=Category%3ATricks" dir="auto">Tricks</a>' in foot
    for address in ("/wiki/category-tricks/?title=Category%3ATricks", "/wiki/category-tricks/"):
        assert listed(client, address) == ["Spades", "Whist"]
        assert "Nobody has written about this category yet." in text(client, address)
    assert client.get("/wiki/category-none/").status_code == 404
    assert listed(client, "/wiki/categories/") == ["Tricks"]
    assert "2 pages" in text(client, "/wiki/categories/")


def test_category_with_a_page_shows_text_members_and_what_is_in_it(client, save, web) -> None:
    page = create_page(title="Category:Tricks", language="en")
    assert page.namespace == "category"
    save("All about tricks. [[Category:Games]]", title="Category:Tricks")
    html = text(client, "/wiki/category-tricks/")
    assert html.index("All about tricks.") < html.index("In the category Tricks")
    assert listed(client, "/wiki/category-tricks/") == ["Spades", "Whist"]
    assert listed(client, "/wiki/category-games/") == ["Category:Tricks"]
    assert "Categories in it" in text(client, "/wiki/category-games/")
    assert listed(client, "/wiki/categories/") == ["Games", "Tricks"]
    assert '<a href="/wiki/category-tricks/" dir="auto">Tricks</a>' in text(client, "/wiki/spades/")


def test_category_follows_a_rename(client: Client, ada: User, save, web) -> None:
    page = create_page(title="Category:Tricks", language="en")
    rename(
        page_id=page.pk, title="Trick-taking", author=ada, seen="Category:Tricks", redirect=False
    )
    assert '<a href="/wiki/category-trick-taking/" dir="auto">Trick-taking</a>' in text(
        client, "/wiki/spades/"
    )
    assert listed(client, "/wiki/category-trick-taking/") == ["Spades", "Whist"]
    assert listed(client, "/wiki/categories/") == ["Trick-taking"]


def test_members_come_in_parts(client: Client, save, monkeypatch) -> None:
    monkeypatch.setattr("wiki.views.categories.PER_SHEET", 2)
    for number in range(5):
        save(f"[[Category:Dice]] [[Category:C{number}]]", title=f"Page {number}")
    assert listed(client, "/wiki/category-dice/?page=2") == ["Page 2", "Page 3"]
    assert 'page=3" rel="next"' in text(client, "/wiki/category-dice/?page=2")
    assert listed(client, "/wiki/categories/?page=3") == ["C4", "Dice"]


def test_preview_shows_categories(as_ada: Client) -> None:
    sent = {"text": "x [[Category:A<b>]] [[Category:Dice]]", "title": "New", "action": "preview"}
    html = as_ada.post("/wiki/new/edit/", sent).content.decode()
    assert 'dir="auto">Dice</a>' in html
    assert "<b>]]" not in html


def test_no_category_and_no_page_at_all(client: Client) -> None:
    assert "There is no category yet." in text(client, "/wiki/categories/")
    answer = client.get("/wiki/random/")
    assert answer.status_code == 404
    assert 'data-code="no_page"' in answer.content.decode()


# -- any page, and figures ----------------------------------------------------------------------


def test_random_page_is_one_that_says_something(client: Client, save, web) -> None:
    save("", title="Alone")
    create_page(title="File:A.png", language="en")
    found = set()
    for _ in range(60):
        answer = client.get("/wiki/random/")
        assert answer.status_code == 302
        assert "no-store" in answer["Cache-Control"]
        found.add(answer.url)
    assert found == {"/wiki/hearts/", "/wiki/spades/", "/wiki/whist/"}


def test_statistics_count_what_there_is(client: Client, old, save, web) -> None:
    cache.delete("wiki:statistics")
    Page.objects.filter(title="Alone").update(language="de")
    figures = client.get("/wiki/statistics/").context["figures"]
    assert (figures.pages, figures.redirects, figures.revisions) == (4, 1, 6)
    assert (figures.people, figures.active, figures.files) == (2, 1, 0)
    assert figures.languages == [("en", 3), ("de", 1)]
    assert "Deutsch" in text(client, "/wiki/statistics/")
    save("More.", title="Another")
    with CaptureQueriesContext(connection) as seen:
        again = client.get("/wiki/statistics/").context["figures"]
    assert again == figures
    assert again.at <= timezone.now()
    assert len(seen) <= 2


def test_no_list_asks_more_for_more_pages(client: Client, save, hearts: Page) -> None:
    addresses = ["/wiki/hearts/links/", "/wiki/category-dice/", "/wiki/reports/double-redirects/"]
    addresses += ["/wiki/categories/", "/wiki/reports/wanted/", "/wiki/spades/"]
    save("[[Category:Dice]] [[Hearts]] [[No]]", title="Spades")
    asked: dict[str, set[int]] = {address: set() for address in addresses}
    for number in range(4):
        if number in (1, 3):
            for address in addresses:
                with CaptureQueriesContext(connection) as seen:
                    client.get(address)
                asked[address].add(len(seen))
        save("[[Category:Dice]] [[Hearts]] [[No]]", title=f"Page {number}")
        save("#REDIRECT [[Hearts]]", title=f"Lead {number}")
        save(f"#REDIRECT [[Lead {number}]]", title=f"Leading {number}")
    assert {address: counts for address, counts in asked.items() if len(counts) > 1} == {}
    assert max(count for counts in asked.values() for count in counts) <= 12
