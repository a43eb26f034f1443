"""Markdown to safe HTML: what is shown, and what never comes out."""

from html.parser import HTMLParser

import pytest

from tests.wiki.active import ATTACKS, Checked
from wiki.markup import render, shortcodes
from wiki.markup.links import resolve
from wiki.markup.plain import plain_words
from wiki.markup.sections import section_text, sections, with_section
from wiki.models import Page


def html(text: str) -> str:
    return render(text).html


def test_documented_markdown_is_shown() -> None:
    made = html(
        "| A | B |\n| - | -: |\n| 1 | 2 |\n\nTerm\n: meaning\n\n3. three\n\n- one\n\n~~~\n<x>\n~~~\n"
    )
    for part in (">A</th>", ">2</td>", "<dd>meaning</dd>", '<ol start="3">', "<li>one</li>"):
        assert part in made
    assert "<pre><code>&lt;x&gt;\n</code></pre>" in made


def test_card_reads_as_words_and_looks_like_a_card() -> None:
    assert '<span class="in-card" data-suit="S"><span class="sr">Queen of spades</span>' in html(
        "{{card|QS}}"
    )
    assert "10 of hearts" in html("{{Card|10h}}")
    assert "Joker" in html("{{card|joker}}")


def test_die_reads_as_words() -> None:
    assert 'data-die="5"><span class="sr">Die: five</span>' in html("{{die|5}}")
    assert '<span class="sr">Die: </span>20' in html("{{die| 20 }}")


@pytest.mark.parametrize(
    "text",
    ["{{redDie|6}}", "{{card|ZZ}}", "{{card}}", "{{die|one}}", "{{die|1|2}}", "{{die|-1}}"],
)
def test_what_is_no_shortcode_stays_visible_and_is_listed(text: str) -> None:
    made = render(text)
    assert f'<span class="in-unknown">{text.strip("{}")}</span>' in made.html
    assert made.unknown == {text.strip("{}").split("|")[0]: 1}
    assert "is no shortcode" in made.warnings[0]


def test_shortcode_can_be_registered_once(monkeypatch) -> None:
    monkeypatch.setattr(shortcodes, "_registry", dict(shortcodes._registry))
    before = shortcodes.fingerprint()

    @shortcodes.register("coin")
    def coin(value: str) -> str:
        return f"<b>{value}</b><script>alert(1)</script>"

    assert html("{{Coin|3}}") == "<p><b>3</b></p>"
    assert shortcodes.fingerprint() != before
    with pytest.raises(ValueError, match="already"):
        shortcodes.register("Coin")(coin)


def test_marks_work_inside_tables_and_lists_and_not_in_code() -> None:
    made = html("| A |\n| - |\n| {{card|2C}} [[Hearts|rules]] |\n\n`{{die|1}}` \\{{die|1}}")
    assert "2 of clubs" in made
    assert ">rules</a>" in made
    assert "<code>{{die|1}}</code> {{die|1}}" in made


def test_links_to_pages_sections_and_files() -> None:
    made = html(
        "[[Foo_bar]] [[Hearts#Goal|the *goal*]] [[#Two Words]] [[File:A b.png|300px|a board]]"
    )
    assert 'data-page="Foo_bar" href="/wiki/foo-bar/?title=Foo_bar">Foo_bar</a>' in made
    assert 'href="/wiki/hearts/?title=Hearts#s-goal">the <em>goal</em></a>' in made
    assert '<a href="#s-two-words">Two Words</a>' in made
    assert 'title="A b.png: file not available"' in made
    assert "a board</span>" in made
    assert html("[[https://a.org]] [[]] [[#]]").count("<a") == 1


def test_link_to_the_own_page_keeps_its_place() -> None:
    made = render("[[hearts#Goal]]", page=Page(title="Hearts")).html
    assert 'href="#s-goal"' in made


def test_bare_addresses_are_links_of_others() -> None:
    made = html("See https://a.org/x_y_z(1). (http://b.org/?a=1&b=2), `http://c.org`")
    assert '<a href="https://a.org/x_y_z(1)" rel="nofollow noopener ugc">' in made
    assert 'href="http://b.org/?a=1&amp;b=2"' in made
    assert made.count("<a ") == 2
    assert "rel=" not in html("[Own](/wiki/hearts/)")


def test_images_are_ours_or_links_or_named() -> None:
    made = html(
        "![ours](/media/a.png) ![theirs](https://e.org/i.png) ![gone](file:Some%20Name.png)"
    )
    assert '<img alt="ours" src="/media/a.png">' in made
    assert '<a href="https://e.org/i.png" rel="nofollow noopener ugc">theirs</a>' in made
    assert 'title="Some Name.png: file not available"' in made


def test_headings_have_prefixed_anchors_and_contents() -> None:
    made = render("# Top\n\n## Café {{card|QS}}\n\n### `x` & y\n\n## Top\n")
    assert made.toc[0] == (2, "s-top", "Top")
    assert made.toc[1][2] == "Café Queen of spades"
    assert made.toc[2] == (3, "s-x-y", "x & y")
    assert made.toc[3][1] == "s-top_1"
    assert "<h1" not in made.html
    assert '<h2 id="s-top_1">' in made.html


def test_footnotes_lead_there_and_back() -> None:
    made = html("Text[^1].\n\n[^1]: Note.\n")
    assert 'href="#fn:1"' in made
    assert 'id="fn:1"' in made
    assert made.index("Text") < made.index("Note.")


def test_rendering_keeps_nothing_from_the_text_before() -> None:
    render("Text[^1] {{nope}} [a]\n\n[^1]: Note.\n[a]: /x\n")
    made = render("Plain [a]\n\n## H\n")
    assert (made.unknown, made.toc) == ({}, [(2, "s-h", "H")])
    assert "Note" not in made.html
    assert "<a" not in made.html


class Tags(HTMLParser):
    """The tags of some HTML, as ``(name, attributes)``."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.parametrize("attack", ATTACKS)
def test_nothing_active_comes_out(attack: str) -> None:
    for text in (attack, f"## {attack}\n", f"- {attack}\n", f"| A |\n| - |\n| {attack} |\n"):
        Checked(html(text))


def test_forged_wiki_link_leads_to_the_wiki(db: None) -> None:
    forged = '<a class="wiki-link" data-page="x&quot;><b>" href="https://evil.org#a&quot;b">x</a>'
    assert resolve(html(forged)) == (
        '<p><a class="wiki-link missing" href="/wiki/x-b/?title=x%22%3E%3Cb%3E#a&quot;b" '
        'title="x&quot;&gt;&lt;b&gt;: no such page yet">x</a></p>'
    )


def test_sections_are_cut_and_put_back() -> None:
    text = "Intro\n\n## One\n\na\n\n### Deep\n\nb\n\n~~~\n## not one\n~~~\n\nTwo\n---\n\nc\n"
    found = sections(text)
    assert [(part.level, part.heading) for part in found] == [(2, "One"), (3, "Deep"), (2, "Two")]
    assert section_text(text, found[1]).startswith("### Deep\n\nb\n")
    for part in found:
        assert with_section(text, part, section_text(text, part)).split() == text.split()
    assert with_section(text, found[2], "").endswith("~~~\n")
    assert len(render(text).toc) == len(found)


def test_plain_words_leave_marks_out() -> None:
    text = "## Goal\n\n**Take** {{card|QS}} from [[Hearts|the *pack*]], see [here](/x).\n\n![Board](file:A b.png 'Cap')\n\n| a |\n| - |\n"
    assert plain_words(text) == "Goal Take QS from the pack, see here. Board a"
    assert plain_words(text, headings=False).startswith("Take")
