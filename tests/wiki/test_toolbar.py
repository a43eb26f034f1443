"""What the editor's toolbar offers, as the page brings it."""

import re

import pytest
from django.test import Client

from wiki.markup import shortcodes
from wiki.models import Page

pytestmark = pytest.mark.django_db


def marks(html: str) -> list[str]:
    return re.findall(r'data-mark="([a-z]+)"', html)


def test_toolbar_is_hidden_without_script_and_names_its_keys(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/edit/").content.decode()
    bar = re.search(r'<div class="edit-tools"[^>]*>', html)[0]
    assert 'role="toolbar"' in bar
    assert 'aria-controls="text"' in bar
    assert bar.endswith("hidden>")
    expected = "heading subheading bold italic link list numbers table picture shortcode"
    assert marks(html) == expected.split()
    assert 'aria-label="Bold" title="Bold (Ctrl+B)" aria-keyshortcuts="Control+B"' in html


def test_every_shortcode_of_the_registry_is_offered(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/edit/").content.decode()
    for known in shortcodes.known():
        assert f'data-insert="{known.written[0]}"' in html


def test_talk_pages_are_signed(as_ada: Client, hearts: Page) -> None:
    as_ada.post("/wiki/hearts/talk/", {"heading": "Points", "text": "Why so many?"})
    talk = Page.objects.get(namespace="talk")
    html = as_ada.get(f"/wiki/{talk.slug}/edit/").content.decode()
    assert marks(html)[-1] == "sign"
    assert "sign" not in marks(as_ada.get("/wiki/hearts/edit/").content.decode())
