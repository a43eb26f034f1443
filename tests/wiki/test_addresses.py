"""Addresses as MediaWiki's readers know them: raw text, other actions, the printable page."""

import re

import pytest
from django.test import Client

from tests.wiki.conftest import HEARTS
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db


def test_raw_is_the_text_and_nothing_else(client: Client, hearts: Page) -> None:
    answer = client.get("/wiki/hearts/?action=raw")
    assert answer.content.decode() == HEARTS
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["X-Robots-Tag"] == "noindex"
    assert client.get("/wiki/Hearts/?action=raw").content.decode() == HEARTS
    assert client.head("/wiki/hearts/?action=raw").status_code == 200


def test_raw_of_an_older_revision(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    save("<script>alert(1)</script>\n")
    assert client.get(f"/wiki/hearts/?action=raw&rev={first}").content.decode() == HEARTS
    now = client.get("/wiki/hearts/?action=raw")
    assert now.content.decode() == "<script>alert(1)</script>\n"
    assert now["Content-Type"].startswith("text/plain")
    assert client.get(f"/wiki/hearts/source/?raw=1&rev={first}").content.decode() == HEARTS


def test_raw_stays_as_written_in_every_variant(client: Client, save) -> None:
    page = save("Ljudi.", title="Srce").page
    Page.objects.filter(pk=page.pk).update(language="sr")
    address = "/wiki/srce/?action=raw&variant=sr-ec"
    assert client.get(address).content.decode() == "Ljudi.\n"


@pytest.mark.parametrize("query", ["rev=999999", "rev=x", "rev="])
def test_raw_of_no_revision_is_refused_in_words(client: Client, hearts: Page, query: str) -> None:
    answer = client.get(f"/wiki/hearts/?action=raw&{query}")
    assert answer.status_code == 404
    assert answer.content.decode() == "This page has no such revision.\n"
    assert answer["Content-Type"] == "text/plain; charset=utf-8"


def test_raw_of_no_page_is_refused_in_words(client: Client, hearts: Page) -> None:
    answer = client.get("/wiki/nowhere/?action=raw")
    assert (answer.status_code, answer.content) == (404, b"There is no page of this name.\n")


def test_raw_of_what_is_not_there_or_not_shown(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    save("More.\n")
    Revision.objects.filter(pk=first).update(text_hidden=True)
    answer = client.get(f"/wiki/hearts/?action=raw&rev={first}")
    assert answer.status_code == 403
    assert "Take few points" not in answer.content.decode()
    Revision.objects.filter(pk=first).update(text_hidden=False, text_state="missing")
    assert client.get(f"/wiki/hearts/?action=raw&rev={first}").status_code == 404


@pytest.mark.parametrize(
    ("query", "to"),
    [
        ("action=history", "/wiki/hearts/history/"),
        ("action=info", "/wiki/hearts/history/"),
        ("action=edit", "/wiki/hearts/edit/"),
        ("action=edit&section=2&redlink=1", "/wiki/hearts/edit/?section=2"),
        ("action=submit", "/wiki/hearts/edit/"),
        ("action=protect&section=2", "/wiki/hearts/protect/"),
        ("action=delete", "/wiki/hearts/delete/"),
        ("oldid=0", "/wiki/hearts/?rev={now}"),
        ("oldid={first}", "/wiki/hearts/?rev={first}"),
        ("oldid={first}&direction=next", "/wiki/hearts/?rev={second}"),
        ("oldid={now}&direction=prev", "/wiki/hearts/?rev={second}"),
        ("oldid={now}&direction=next", "/wiki/hearts/?rev={now}"),
        ("oldid=987654", "/wiki/hearts/?rev={second}"),
        ("oldid=987654&action=edit&section=2", "/wiki/hearts/edit/?section=2&rev={second}"),
        ("diff=prev&oldid={second}", "/wiki/hearts/diff/{first}/{second}/"),
        ("diff=next&oldid={second}", "/wiki/hearts/diff/{second}/{now}/"),
        ("diff=cur&oldid={first}", "/wiki/hearts/diff/{first}/{now}/"),
        ("diff=987654", "/wiki/hearts/diff/{first}/{second}/"),
        ("diff={first}", "/wiki/hearts/diff/0/{first}/"),
        ("diff={now}&oldid={first}", "/wiki/hearts/diff/{first}/{now}/"),
        ("diff={first}&oldid={now}", "/wiki/hearts/diff/{first}/{now}/"),
    ],
)
def test_other_actions_and_numbers_lead_on(
    client: Client, hearts: Page, save, query: str, to: str
) -> None:
    first, second = hearts.current_id, save("Two.").pk
    Revision.objects.filter(pk=second).update(origin_revid=987654)
    rows = {"first": first, "second": second, "now": save("Three.").pk}
    answer = client.get(f"/wiki/hearts/?{query.format(**rows)}")
    assert answer["Location"] == to.format(**rows)


@pytest.mark.parametrize(
    "query", ["oldid=999999", "oldid=x", "oldid=-1", "diff=x", "diff=prev&oldid=7777"]
)
def test_number_of_no_revision_is_refused_in_words(
    client: Client, hearts: Page, query: str
) -> None:
    for more in ("", "&action=raw", "&action=edit"):
        if more and query.startswith("diff"):
            continue
        answer = client.get(f"/wiki/hearts/?{query}{more}")
        assert answer.status_code == 404
        assert "This page has no such revision." in answer.content.decode()


@pytest.mark.parametrize("at", ["hearts", "nowhere"])
def test_number_of_another_page_s_revision_leads_there(
    client: Client, hearts: Page, save, at: str
) -> None:
    """As in MediaWiki, where a number is stronger than a title that is another or none."""
    first = save("One.", title="Spades")
    second = save("Two.", title="Spades")
    asked = {
        f"oldid={first.pk}": f"/wiki/spades/?rev={first.pk}",
        f"title=Clubs&oldid={first.pk}": f"/wiki/spades/?rev={first.pk}",
        f"diff={second.pk}": f"/wiki/spades/diff/{first.pk}/{second.pk}/",
        f"diff=next&oldid={first.pk}": f"/wiki/spades/diff/{first.pk}/{second.pk}/",
        f"action=edit&oldid={first.pk}": f"/wiki/spades/edit/?rev={first.pk}",
    }
    for query, to in asked.items():
        answer = client.get(f"/wiki/{at}/?{query}", follow=True)
        assert answer.redirect_chain[-1][0] == to, query
        assert "Spades" in answer.content.decode()
    raw = client.get(f"/wiki/{at}/?action=raw&oldid={first.pk}", follow=True)
    assert raw.content.decode() == "One.\n"


def test_number_of_a_deleted_page_s_revision_leads_nowhere(
    client: Client, hearts: Page, save
) -> None:
    gone = save("Secret.", title="Spades")
    Page.objects.filter(pk=gone.page_id).update(deleted_at=gone.timestamp)
    answer = client.get(f"/wiki/hearts/?oldid={gone.pk}")
    assert answer.status_code == 404
    assert "Spades" not in answer.content.decode()
    ends = client.get(f"/wiki/hearts/?diff={gone.pk}&oldid={hearts.current_id}")
    assert ends.status_code == 404  # a difference is one page's


def test_number_at_a_redirect_is_a_revision_of_that(client: Client, hearts: Page, save) -> None:
    redirecting = save("#REDIRECT [[Hearts]]", title="Herz")
    answer = client.get(f"/wiki/herz/?oldid={redirecting.pk}")
    assert answer["Location"] == f"/wiki/herz/?rev={redirecting.pk}"
    assert client.get("/wiki/nowhere/?oldid=999999").status_code == 404


def test_raw_of_a_number_is_that_text(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    save("Two.")
    assert client.get(f"/wiki/hearts/?action=raw&oldid={first}").content.decode() == HEARTS


def test_a_red_link_of_mediawiki_leads_to_the_editor(client: Client, hearts: Page) -> None:
    answer = client.get("/wiki/c/?title=C%2B%2B&action=edit&redlink=1")
    assert answer["Location"] == "/wiki/c/edit/?title=C%2B%2B"


@pytest.mark.parametrize("action", ["view", "purge", "render", ""])
def test_actions_of_reading_read(client: Client, hearts: Page, action: str) -> None:
    assert "Take few points" in client.get(f"/wiki/hearts/?action={action}").content.decode()


def test_an_unknown_action_is_refused_in_words(client: Client, hearts: Page) -> None:
    answer = client.get("/wiki/hearts/?action=dance%3Cb%3E")
    assert answer.status_code == 404
    assert "There is nothing of this name to do with a page." in answer.content.decode()
    assert "dance<b>" not in answer.content.decode()


# On paper

LINKS = "See https://example.org/a?b=c&d=e or [this](https://example.org/x). [[Nowhere]]\n"


def test_the_printable_page_has_text_and_nothing_to_operate(
    client: Client, as_ada: Client, hearts: Page
) -> None:
    for visitor in (client, as_ada):
        html = visitor.get("/wiki/hearts/?printable=yes").content.decode()
        assert '<h1 lang="en">Hearts</h1>' in html
        assert "Take few points" in html
        for gone in ("<nav", "<header", "<form", "<button", "section=", 'class="toc"', "site-foot"):
            assert gone not in html, gone
        assert '<meta name="robots" content="noindex">' in html
        assert "wiki/print.css" in html
        address = f"http://testserver/wiki/hearts/?rev={hearts.current_id}"
        assert f'<span class="only-paper">{address}</span>' in html
    assert "?printable=yes" in client.get("/wiki/hearts/").content.decode()
    assert "<nav" in client.get("/wiki/hearts/?printable=no").content.decode()


def test_every_page_brings_the_sheet_for_paper(client: Client, hearts: Page) -> None:
    html = client.get("/wiki/hearts/").content.decode()
    assert re.search(r'<link rel="stylesheet" href="[^"]*wiki/print\.css" media="print">', html)


def test_only_links_that_hide_their_address_show_it_on_paper(client: Client, save) -> None:
    save(LINKS)
    html = client.get("/wiki/hearts/?printable=yes").content.decode()
    assert '<a class="bare" href="https://example.org/a?b=c&amp;d=e"' in html
    assert '<a href="https://example.org/x"' in html


def test_an_old_revision_in_a_variant_is_printable(client: Client, save) -> None:
    page = save("Ljudi.", title="Srce").page
    first = page.current_id
    save("Drugo.", title="Srce")
    Page.objects.filter(pk=page.pk).update(language="sr")
    address = f"/wiki/srce/?rev={first}&variant=sr-ec"
    html = client.get(address).content.decode()
    assert f'?rev={first}&amp;variant=sr-ec&amp;printable=yes">Printable version' in html
    html = client.get(f"{address}&printable=yes").content.decode()
    assert "Људи." in html
    assert "<b>An older revision</b>, as Ada left it" in html


def test_the_banner_of_an_old_revision(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    second, third = save("Two.\n").pk, save("Three.\n").pk
    html = client.get(f"/wiki/hearts/?rev={second}").content.decode()
    assert "<b>An older revision</b>, as Ada left it" in html
    assert re.search(r'on <time datetime="[^"]+">[^<]+</time> UTC', html)
    assert f'href="/wiki/hearts/?rev={first}" rel="prev">Older revision</a>' in html
    assert f'href="/wiki/hearts/?rev={third}" rel="next">Newer revision</a>' in html
    assert '<meta name="robots" content="noindex">' in html
    assert "An older revision" not in client.get("/wiki/hearts/").content.decode()


def test_title_in_the_query_leads_with_all_that_is_asked(client: Client, hearts: Page) -> None:
    asked = {"title": "Hearts", "oldid": hearts.current_id}
    answer = client.get("/wiki/", asked, follow=True)
    assert answer.redirect_chain[-1][0] == f"/wiki/hearts/?rev={hearts.current_id}"
    assert client.get("/wiki/", {"title": "Hearts"})["Location"] == "/wiki/hearts/?title=Hearts"
