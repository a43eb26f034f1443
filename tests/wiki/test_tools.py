"""The menu at the end of a page's tabs."""

import re

import pytest
from django.test import Client

from portal.models import User
from wiki.models import Page

pytestmark = pytest.mark.django_db


def tools(client: Client, address: str) -> dict[str, str]:
    """The entries of the menu, by their words."""
    html = client.get(address).content.decode()
    menu = html[html.index('<details class="tools"') :]
    menu = menu[: menu.index("</details>")]
    return {words: to for to, words in re.findall(r'<a href="([^"]*)"[^>]*>([^<]*)</a>', menu)}


def test_tools_lead_to_what_can_be_done_with_a_page(
    client: Client, as_ada: Client, ada: User, hearts: Page
) -> None:
    entries = tools(client, "/wiki/hearts/history/")
    assert entries["Permanent link"] == f"/wiki/hearts/?rev={hearts.current_id}"
    assert entries["Who may edit"] == "/wiki/hearts/protect/"
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    assert tools(as_ada, "/wiki/hearts/")["Protect"] == "/wiki/hearts/protect/"


def test_permanent_link_of_an_old_revision_is_its_own(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    save("Another text.")
    entries = tools(client, f"/wiki/hearts/?rev={first}")
    assert entries["Permanent link"] == f"/wiki/hearts/?rev={first}"


def test_page_that_does_not_exist_has_no_tools(client: Client) -> None:
    assert "Tools" not in client.get("/wiki/nowhere/").content.decode()
