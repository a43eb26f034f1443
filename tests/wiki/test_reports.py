"""Unknown shortcodes: visible on their page, listed, alive once somebody registers them."""

import pytest
from django.test import Client
from django.utils.html import format_html

from wiki.markup import shortcodes

pytestmark = pytest.mark.django_db
REPORT = "/wiki/reports/shortcodes/"


def test_unknown_shortcodes_are_listed_with_uses_and_pages(client: Client, save) -> None:
    save("{{whist|1}} {{whist|2}} {{<b>}} `{{code}}` {{card|QS}}", title="Hearts")
    save("{{whist|3}}", title="Nibble")
    save("{{gone}}", title="Old")
    save("Nothing of it.", title="Old")
    html = client.get(REPORT).content.decode()
    row = html[html.index("<code>whist</code>") :]
    assert row.startswith('<code>whist</code></th><td class="num">3</td>')
    assert row.index(">Hearts</a>") < row.index("×2") < row.index(">Nibble</a>")
    assert "<code>&lt;b&gt;</code>" in html
    for known in ("<code>code", "<code>card", "<code>gone"):
        assert known not in html


def test_shortcode_comes_alive_when_it_is_registered(
    client: Client, hearts, save, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("See {{whist|1}}.")
    assert '<span class="in-unknown">whist|1</span>' in client.get("/wiki/hearts/").content.decode()
    monkeypatch.setattr(shortcodes, "_registry", dict(shortcodes._registry))
    shortcodes.register("whist")(lambda count: format_html("<b>whist {}</b>", count))
    assert "All shortcodes on all pages are known." in client.get(REPORT).content.decode()
    assert "See <b>whist 1</b>." in client.get("/wiki/hearts/").content.decode()


def test_pages_nobody_has_looked_at_are_read_some_at_once(
    client: Client, save, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki.services.shortcode_report.RENDERED_AT_ONCE", 2)
    for number in range(3):
        save("{{whist}}", title=f"Page {number}")
    assert "1 page is not read yet" in client.get(REPORT).content.decode()
    html = client.get(REPORT).content.decode()
    assert "not read yet" not in html
    assert '<td class="num">3</td>' in html


def test_report_is_in_order_whatever_the_case(client: Client, save) -> None:
    save("{{Zebra}} {{apple}} {{Apple}} {{beta}} {{Beta_two}}", title="zoo")
    save("{{apple}}", title="Ark")
    html = client.get(REPORT).content.decode()
    places = [html.index(f"<code>{name}</code>") for name in ("apple", "beta", "Beta_two", "Zebra")]
    assert places == sorted(places)
    assert '<td class="num">3</td>' in html  # apple and Apple are one name
    row = html[html.index("<code>apple") :]
    assert row.index(">Ark</a>") < row.index(">zoo</a>")
