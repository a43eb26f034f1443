"""Migrations that change rows, on rows as earlier versions left them."""

from importlib import import_module

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client

from portal.models import User
from wiki.models import Page, PageLink, PageName
from wiki.search import search
from wiki.services import Draft, edit_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def old() -> dict[str, Page]:
    """Pages of before talk pages and categories were kinds of pages."""
    ada = User.objects.create_user("Ada")
    pages = {}
    for title, text in (
        ("Hearts", "Rules. [[Category:Cards]]"),
        ("Talk:Hearts", "A talk."),
        ("Category:Cards", "Games of cards."),
    ):
        slug = title.lower().replace(":", "-")
        pages[title] = edit_page(slug=slug, title=title, author=ada, draft=Draft(text=text))[0].page
    for title in ("Talk:Hearts", "Category:Cards"):
        PageName.objects.filter(title=title).update(key=title[0].lower() + title[1:])
    Page.objects.update(namespace="", subject=None)
    PageLink.objects.update(target=None)
    return pages


def run_again() -> None:
    import_module("wiki.migrations.0009_talk_and_categories").find_again(apps, None)


def test_old_talk_pages_and_categories_become_what_they_say(old, client: Client) -> None:
    run_again()
    run_again()  # changes nothing more
    kinds = dict(Page.objects.values_list("title", "namespace"))
    assert kinds == {"Hearts": "", "Talk:Hearts": "talk", "Category:Cards": "category"}
    assert Page.objects.get(title="Talk:Hearts").subject == old["Hearts"]
    assert PageLink.objects.get(kind="category").target == old["Category:Cards"]
    assert "Hearts" in client.get("/wiki/category-cards/").content.decode()


def test_name_that_another_page_has_meanwhile_is_left(old) -> None:
    newer = Page.objects.create(title="Talk:Hearts", slug="talk-hearts-2", namespace="talk")
    PageName.objects.create(page=newer, title="Talk:Hearts", key="talk:hearts", slug="talk-hearts")
    run_again()
    assert Page.objects.get(pk=old["Talk:Hearts"].pk).namespace == ""
    assert PageName.objects.get(key="talk:hearts").page == newer


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite keeps no terms in the row")
def test_index_of_before_is_given_its_heads(old) -> None:
    migration = import_module("wiki.migrations.0010_search_heads")
    rows = "SELECT terms::text, heads::text FROM wiki_searchentry ORDER BY page_id"
    with connection.cursor() as cursor, connection.schema_editor(atomic=False) as editor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # else no table can be altered
        cursor.execute(rows)
        before = cursor.fetchall()
        assert len(before) == 3
        assert all(heads and heads != terms for terms, heads in before)
        migration.drop_heads(apps, editor)
        migration.add_heads(apps, editor)
        cursor.execute(rows)
        assert cursor.fetchall() == before
        cursor.execute(
            "SELECT attname::text, attstorage::text FROM pg_attribute "
            "WHERE attrelid = 'wiki_searchentry'::regclass AND attname IN ('terms', 'heads')"
        )
        assert dict(cursor.fetchall()) == {"terms": "m", "heads": "m"}
    assert search("rules").total == 1
