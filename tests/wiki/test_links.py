"""What a text names is kept in rows, and follows its pages."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import transaction
from django.test import Client

from portal.models import User
from wiki.models import Page, PageLink, PageName
from wiki.services import edit_page, load_page, revert_to
from wiki.services.edit import Draft, create_page, name_page
from wiki.services.links import MOST_LINKS, adopt

pytestmark = pytest.mark.django_db


def named(page: Page) -> dict[tuple[str, str], str]:
    """What the page's text names, by kind and key: the title of the page it leads to, or nothing."""
    rows = page.links.select_related("target")
    return {(row.kind, row.key): row.target.title if row.target else "" for row in rows}


def test_saving_keeps_links_categories_and_files(save, hearts: Page) -> None:
    page = save(
        "[[Hearts]] [[hearts#Goal|again]] [[Nowhere]] [[Category:Trick-taking]] `[[Code]]`\n\n"
        "![a board](file:Board.png) [[Bild:Table.png|a table]] [[:Category:Dice]] \\[[No]]\n",
        title="Spades",
    ).page
    assert named(page) == {
        ("link", "hearts"): "Hearts",
        ("link", "nowhere"): "",
        ("link", "category:dice"): "",
        ("category", "category:trick-taking"): "",
        ("file", "file:board.png"): "",
        ("file", "file:table.png"): "",
    }
    save("Only [[Nowhere]] now.", title="Spades")
    assert named(page) == {("link", "nowhere"): ""}
    save("", title="Spades")
    assert named(page) == {}


def test_revert_and_shipped_text_keep_links_too(save, ada: User, hearts: Page) -> None:
    first = save("[[Hearts]]", title="Spades")
    newest = save("Nothing.", title="Spades")
    revert_to(page_id=first.page_id, revision_id=first.pk, author=ada, current_id=newest.pk)
    assert named(first.page) == {("link", "hearts"): "Hearts"}
    shipped = load_page(slug="whist", title="Whist", text="See [[Hearts]].", game="whist")
    assert named(shipped.page) == {("link", "hearts"): "Hearts"}


def test_wanted_link_gets_its_page_when_there_is_one(save, client: Client) -> None:
    page = save("See [[Spades]] and ![b](file:B.png).", title="Hearts").page
    assert "no such page yet" in client.get("/wiki/hearts/").content.decode()
    spades = save("Here.", title="Spades").page
    assert named(page)["link", "spades"] == "Spades"
    assert 'href="/wiki/spades/"' in client.get("/wiki/hearts/").content.decode()
    create_page(title="File:B.png", language="en")
    assert named(page)["file", "file:b.png"] == "File:B.png"
    other = save("See [[Pique]].", title="Whist").page
    name_page(spades, "Pique")
    assert named(other)["link", "pique"] == "Spades"


def test_link_means_its_page_though_another_takes_the_name(save, client: Client) -> None:
    spades = save("Spades.", title="Spades").page
    page = save("See [[Spades|the other]].", title="Hearts").page
    PageName.objects.filter(page=spades).delete()  # as a rename that leaves no redirect does
    Page.objects.filter(pk=spades.pk).update(title="Old spades", slug="old-spades")
    another = save("Another.", title="Spades").page
    assert another.pk != spades.pk
    assert 'href="/wiki/old-spades/">the other' in client.get("/wiki/hearts/").content.decode()
    save("Once more: see [[spades|the other]].", title="Hearts")
    assert named(page)["link", "spades"] == "Old spades"
    assert 'href="/wiki/old-spades/">the other' in client.get("/wiki/hearts/").content.decode()
    newer = save("See [[Spades]].", title="Whist").page
    assert named(newer)["link", "spades"] == "Spades"


def test_link_to_a_deleted_page_is_wanted_again(save, client: Client) -> None:
    spades = save("Spades.", title="Spades").page
    page = save("See [[Spades]].", title="Hearts").page
    PageName.objects.filter(page=spades).delete()
    Page.objects.filter(pk=spades.pk).update(deleted_at="2026-01-01T00:00Z", slug="deleted-1")
    assert "no such page yet" in client.get("/wiki/hearts/").content.decode()
    save("Anew.", title="Spades")
    assert page.links.get().target_id != spades.pk
    assert 'href="/wiki/spades/"' in client.get("/wiki/hearts/").content.decode()


def test_name_that_came_at_the_same_moment_is_found_all_the_same(save, client: Client) -> None:
    save("See [[Spades]].", title="Hearts")
    save("Here.", title="Spades")
    PageLink.objects.update(target=None)  # each transaction did not see the other
    assert 'href="/wiki/spades/"' in client.get("/wiki/hearts/").content.decode()


def test_names_beyond_the_bound_are_looked_up_by_name(save, client: Client, ada: User) -> None:
    many = " ".join(f"[[P{number}]]" for number in range(MOST_LINKS + 20))
    page = save(f"{many} [[{'x' * 300}]] [[Last]]", title="Many").page
    save("Here.", title="Last")
    assert page.links.count() == MOST_LINKS
    assert 'href="/wiki/last/"' in client.get("/wiki/many/").content.decode()


def test_edit_that_is_refused_changes_no_links(save, ada: User, hearts: Page) -> None:
    page = save("[[Hearts]]", title="Spades").page
    with transaction.atomic():
        draft = Draft(text="[[Other]]", base=page.current_id)
        edit_page(slug="spades", title="Spades", author=ada, draft=draft)
        transaction.set_rollback(True)
    assert named(page) == {("link", "hearts"): "Hearts"}


def test_categories_show_no_link_in_the_text(save, client: Client) -> None:
    save("One [[Category:Dice]] two [[:Category:Dice|three]].\n\n[[Category:A]]\n", title="Yacht")
    html = client.get("/wiki/yacht/").content.decode()
    assert "<p>One  two <a" in html
    assert "<p></p>" not in html
    adopt(create_page(title="Category:A", language="en"), "category:a")
    page = Page.objects.get(title="Yacht")
    assert named(page)["category", "category:a"] == "Category:A"


def test_texts_from_before_get_their_links(save, hearts: Page) -> None:
    page = save("[[Hearts]] [[Nowhere]] [[Category:Dice]]", title="Spades").page
    lead = save("#REDIRECT [[Hearts#Goal]]", title="Herz").page
    was = named(page)
    PageLink.objects.all().delete()
    Page.objects.update(redirect_title="", redirect_to=None)
    import_module("wiki.migrations.0005_what_pages_name").write_down(apps, None)
    assert named(page) == was
    lead.refresh_from_db()
    assert (lead.redirect_title, lead.redirect_to) == ("Hearts#Goal", hearts)
