"""Pages of one game in several languages: which one a reader is given, and what the facts say."""

import re
from collections.abc import Callable

import pytest
from django.core.management import call_command
from django.test import Client

from games import services, translation
from games.facts import game_facts
from portal.models import User
from portal.selectors import help_link, help_page
from wiki.models import Page
from wiki.services import Draft, edit_page

FACTS = re.compile(r"<div[^>]*><dt>([^<]*)</dt><dd>(.*?)</dd></div>")


@pytest.fixture
def library(db: None) -> None:
    call_command("load_help", verbosity=0)


@pytest.fixture
def translate(library: None, ada: User) -> Callable[[str, str], Page]:
    """Adds a page of Hearts in another language."""

    def add(code: str, title: str) -> Page:
        hearts = Page.objects.get(slug="hearts")
        return edit_page(
            slug=title.lower(),
            title=title,
            author=ada,
            draft=Draft(text="Text."),
            language=code,
            translates=hearts.pk,
        )[0].page

    return add


def test_a_game_is_found_in_the_language_of_the_browser(client: Client, translate) -> None:
    translate("sr", "Srce")
    translate("de", "Herz")
    for header, to in (
        ("de-AT, en;q=0.5", "/wiki/herz/"),
        ("sr-Latn", "/wiki/srce/"),
        ("fr", "/wiki/hearts/"),
        ("en", "/wiki/hearts/"),
        (None, "/wiki/hearts/"),
        ("x" * 9000, "/wiki/hearts/"),
    ):
        headers = {"accept-language": header} if header else {}
        answer = client.get("/games/hearts/", headers=headers)
        assert answer["Location"] == to
        assert "Accept-Language" in answer["Vary"]


def test_a_game_is_found_in_the_language_that_its_reader_chose(
    client: Client, ada: User, translate
) -> None:
    translate("sr", "Srce")
    translate("de", "Herz")
    client.force_login(ada)
    headers = {"accept-language": "de"}
    for chosen, to in (("", "herz"), ("sr-ec", "srce"), ("en", "hearts"), ("fr", "herz")):
        User.objects.filter(pk=ada.pk).update(reads=chosen)
        answer = client.get("/games/hearts/", headers=headers)
        assert answer["Location"] == f"/wiki/{to}/"
        assert "Cookie" in answer["Vary"]


def test_tables_remember_the_page_in_the_language_of_the_site(ada: User, translate) -> None:
    translate("de", "Herz")
    table = services.play_now(player=ada, game="hearts")
    assert table.help_revision == Page.objects.get(slug="hearts").current_id


def test_the_page_that_the_game_brings_where_nothing_fits(library: None, translate) -> None:
    Page.objects.filter(slug="hearts").update(language="fr")
    translate("de", "Herz")
    assert help_page("hearts", ["it"]).slug == "hearts"
    assert help_page("hearts", ["de"]).slug == "herz"
    assert help_page("chess") is None
    assert help_link("chess") is None


def test_facts_come_from_the_game_and_its_pages(client: Client, translate) -> None:
    translate("he", "לבבות")
    html = client.get("/wiki/hearts/").content.decode()
    facts = dict(FACTS.findall(html))
    assert facts["Players"] == "4"
    assert facts["Time"] == "40 minutes"
    assert 'aria-label="2 of 5"' in facts["Complexity"]
    assert facts["Designer"] == game_facts("hearts").designer
    assert '<span lang="en">English</span>' in facts["Rules in"]
    assert 'hreflang="he" lang="he" dir="rtl">עברית</a>' in facts["Rules in"]
    assert facts["Table in"].startswith('<span lang="en">English</span>')
    assert '<span lang="de">Deutsch</span>' in facts["Table in"]
    other = client.get("/wiki/לבבות/").content.decode()
    assert '<a href="/wiki/hearts/" hreflang="en" lang="en">English</a>' in other
    assert "Play now against bots" in other
    assert (
        '<span class="chip" lang="he" dir="rtl">עברית</span>'
        in client.get("/wiki/").content.decode()
    )


def test_languages_of_a_game_are_those_of_its_catalogues(tmp_path, monkeypatch) -> None:
    (tmp_path / "tiny" / "locale").mkdir(parents=True)
    for name in ("de.json", "pt-BR.json", "en.json", "de.po"):
        (tmp_path / "tiny" / "locale" / name).write_text("{}")
    monkeypatch.setattr(translation, "LIBRARY", tmp_path)
    assert translation.languages_of("tiny") == ("en", "de", "pt-br")
    assert translation.languages_of("none") == ("en",)
