"""The table page names all modules that it will import."""

import pytest
from django.conf import settings
from django.test import Client

from games.engine.registry import all_games
from games.modules import module_urls


@pytest.mark.parametrize("slug", sorted(all_games()))
def test_every_module_of_a_table_is_named_once(slug):
    urls = module_urls("games/table.js", f"games/{slug}/board.js")
    assert len(urls) == len(set(urls))
    assert urls[0].endswith("games/table.js")
    names = {url.removeprefix(settings.STATIC_URL) for url in urls}
    assert {
        "games/connection.js",
        "games/table/bar.js",
        "games/kit/dom.js",
        f"games/{slug}/board.js",
    } <= names


def test_what_is_not_there_is_left_out():
    assert module_urls("games/unknown/board.js") == []


def test_the_page_names_them(play):
    text = Client().get(f"/tables/{play('Ada', 'Bob').id}/").content.decode()
    assert '<link rel="modulepreload" href="/static/games/table.js">' in text
