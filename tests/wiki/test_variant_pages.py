"""Pages in Serbian, read in the script that one chooses."""

import re
from html import unescape
from pathlib import Path

import pytest
from django.test import Client

from portal.models import User
from wiki.models import Page

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"
ARTICLE = re.compile(r'<article class="prose"[^>]*>(.*?)<footer class="colophon"', re.DOTALL)
TEXT = """## Cilj igre

Uzmi malo poena, vidi [[Nibble|njen opis]] i [[Nigde]], ili https://ja.example/put.

## Luj XIV

Kod: `ako`. Dama {{card|QS}}, kralj {{card|KH}}.
"""


@pytest.fixture
def srce(save) -> Page:
    save("Blocks.", title="Nibble")
    page = save(TEXT, title="Džepno srce").page
    Page.objects.filter(pk=page.pk).update(language="sr")
    return page


def article(client: Client, address: str) -> str:
    html = client.get(address).content.decode()
    found = ARTICLE.search(html)
    assert found, html
    return found[1]


def test_reads_in_cyrillic(client: Client, srce: Page) -> None:
    html = client.get(f"{srce.get_absolute_url()}?variant=sr-ec").content.decode()
    assert '<h1 lang="sr-Cyrl">Џепно срце</h1>' in html
    assert "<title>Џепно срце – Parlour</title>" in html
    assert '<article class="prose" lang="sr-Cyrl">' in html
    assert '<a href="#s-cilj-igre">Циљ игре</a>' in html
    assert '<h2 id="s-cilj-igre">Циљ игре' in html
    assert "Луј XIV" in html
    assert "<code>ako</code>" in html
    assert "https://ja.example/put</a>" in html
    assert '<span class="sr">King of hearts</span><span aria-hidden="true">K</span>' in html


def test_links_go_on_in_the_same_script(client: Client, srce: Page) -> None:
    html = client.get(f"{srce.get_absolute_url()}?variant=sr-ec").content.decode()
    assert '<a class="wiki-link" href="/wiki/nibble/?variant=sr-ec">њен опис</a>' in html
    assert f'"{srce.get_absolute_url()}?variant=sr-ec" aria-current="page"' in html
    assert "missing" in html
    assert "?variant" not in client.get("/wiki/nibble/?variant=sr-ec").content.decode()


def test_the_switch_says_which_script_is_shown(client: Client, srce: Page) -> None:
    address = srce.get_absolute_url()
    for query, chosen in (
        ("", "Original"),
        ("?variant=sr-ec", "Ћирилица"),
        ("?variant=sr-el", "Latinica"),
    ):
        html = client.get(address + query).content.decode()
        switch = re.search(r'<nav class="ways.*?</nav>', html, re.DOTALL)[0]
        assert re.findall(r'aria-current="true"[^>]*>(.*?)<', switch) == [chosen]
        assert re.findall(r">([^<]+)</a>", switch) == ["Original", "Ћирилица", "Latinica"]


def test_the_script_is_chosen_once_for_an_account(
    as_bob: Client, client: Client, bob: User, srce: Page
) -> None:
    address = srce.get_absolute_url()
    assert "Choose for all pages" not in client.get(f"{address}?variant=sr-ec").content.decode()
    offered = as_bob.get(f"{address}?variant=sr-ec").content.decode()
    assert '<a class="muted" href="/preferences/#id_reads">Choose for all pages</a>' in offered
    form = as_bob.get("/preferences/").content.decode()
    assert re.findall(r'<option value="(sr[^"]*)"', form) == ["sr", "sr-ec", "sr-el"]
    assert as_bob.post("/preferences/", {"theme": "auto", "reads": "sr-ec"}).status_code == 302

    html = as_bob.get(address).content.decode()
    assert '<article class="prose" lang="sr-Cyrl">' in html
    assert "Циљ игре" in html
    assert "variant=sr-ec" not in re.sub(r'<nav class="ways.*?</nav>|<link .*?>', "", html)
    switch = re.search(r'<nav class="ways.*?</nav>', html, re.DOTALL)[0]
    assert re.findall(r'aria-current="true"[^>]*>(.*?)<', switch) == ["Ћирилица"]
    assert "Choose for all pages" not in switch
    original = unescape(re.search(r'href="([^"]*)"[^>]*>Original<', switch)[1])
    assert "Cilj igre" in as_bob.get(original).content.decode()
    latin = as_bob.get(f"{address}?variant=sr-el").content.decode()
    assert '<article class="prose" lang="sr-Latn">' in latin
    assert 'href="/wiki/nibble/?variant=sr-el"' in latin
    assert "Циљ игре" in as_bob.get(f"{address}?printable=yes").content.decode()
    assert "Циљ игре" in as_bob.get(f"{address}?rev={srce.current_id}").content.decode()

    for stranger in (client.get(address), as_bob.get(f"{address}?variant=xx")):
        assert '<article class="prose" lang="sr">' in stranger.content.decode()
    assert "Cookie" in as_bob.get(address)["Vary"]
    for part in ("history/", "source/", "edit/"):
        assert "Džepno srce" in as_bob.get(f"{address}{part}").content.decode()


@pytest.mark.parametrize("value", ["xx", "ja", "sr-ec'\"<b>", "x" * 40])
def test_only_languages_of_pages_and_games_are_chosen(
    as_bob: Client, bob: User, srce: Page, value: str
) -> None:
    answer = as_bob.post("/preferences/", {"theme": "auto", "reads": value})
    assert answer.status_code == 200
    assert 'class="error"' in answer.content.decode()
    bob.refresh_from_db()
    assert bob.reads == ""


def test_a_language_that_went_stays_chosen(as_bob: Client, bob: User, hearts: Page) -> None:
    bob.reads = "sr-ec"
    bob.save()
    assert '<option value="sr-ec" selected>' in as_bob.get("/preferences/").content.decode()
    assert as_bob.post("/preferences/", {"theme": "dark", "reads": "sr-ec"}).status_code == 302


@pytest.mark.parametrize("value", ["xx", "", "sr", "sr-ec'\"<b>", "SR-EC", "zh-hans"])
def test_an_unknown_variant_is_passed_over(client: Client, srce: Page, value: str) -> None:
    answer = client.get(srce.get_absolute_url(), {"variant": value})
    assert answer.status_code == 200
    assert '<article class="prose" lang="sr">' in answer.content.decode()
    assert "Cilj igre" in answer.content.decode()


def test_other_languages_have_no_variants(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/?variant=sr-ec").content.decode()
    assert "Take few points" in html
    assert 'class="ways' not in html


def test_history_source_and_differences_stay_as_written(client: Client, srce: Page) -> None:
    for part in ("history/", "source/", f"diff/0/{srce.current_id}/"):
        html = client.get(f"{srce.get_absolute_url()}{part}?variant=sr-ec").content.decode()
        assert "Džepno srce" in html
        assert "Циљ" not in html


def test_an_old_revision_reads_in_both_scripts(client: Client, srce: Page, save) -> None:
    first = srce.current_id
    save("Drugo.", title="Džepno srce")
    html = client.get(f"{srce.get_absolute_url()}?rev={first}&variant=sr-ec").content.decode()
    assert "Циљ игре" in html
    assert f"?rev={first}&amp;variant=sr-el" in html


def test_a_name_of_before_keeps_the_variant(client: Client, srce: Page) -> None:
    answer = client.get("/wiki/Džepno_srce/?variant=sr-ec")
    assert answer.status_code == 302
    assert "variant=sr-ec" in answer["Location"]


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seeds are not beside this folder")
def test_the_seed_through_the_view_byte_for_byte(client: Client, save) -> None:
    cyrillic = (SEEDS / "001_7858b867bf170227.txt").read_bytes()
    latin = (SEEDS / "001_transliterated_back.txt").read_bytes()
    for title, text, asked, expected in (
        ("Latinica", latin, "sr-ec", cyrillic),
        ("Cirilica", cyrillic, "sr-el", latin),
    ):
        page = save(text.decode(), title=title).page
        Page.objects.filter(pk=page.pk).update(language="sr")
        assert words(article(client, page.get_absolute_url())) == text
        assert words(article(client, f"{page.get_absolute_url()}?variant={asked}")) == expected


def words(html: str) -> bytes:
    """The text of paragraphs as it was written: the seed has no other marks."""
    paragraphs = re.findall(r"<p>(.*?)</p>", html, re.DOTALL)
    return "\n\n".join(unescape(part) for part in paragraphs).encode()
