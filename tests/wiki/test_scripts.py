"""A rendered page in the other script: which of its letters change."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.markup import render
from wiki.markup.scripts import VARIANTS, in_variant, variant_of

CYRILLIC, LATIN = VARIANTS["sr-ec"], VARIANTS["sr-el"]


@pytest.mark.parametrize(
    ("made", "shown"),
    [
        ("<p>Ljudi <b>i</b> konji</p>", "<p>Људи <b>и</b> коњи</p>"),
        ("<p>a &lt; b &amp; c</p>", "<p>а &lt; б &amp; ц</p>"),
        ("<p>kod <code>ako <b>x</b></code> je</p>", "<p>код <code>ako <b>x</b></code> је</p>"),
        ("<pre><code>ako</code></pre> ako", "<pre><code>ako</code></pre> ако"),
        ('<a href="/wiki/srca/#igra">Srca</a>', '<a href="/wiki/srca/#igra">Срца</a>'),
        (
            "<p>vidi https://ja.example/put?a=b&amp;c=d i ja@example.org</p>",
            "<p>види https://ja.example/put?a=b&amp;c=d и ja@example.org</p>",
        ),
        (
            '<img src="/media/a.png" alt="karta &amp; d" title="karta">',
            '<img src="/media/a.png" alt="карта &amp; д" title="карта">',
        ),
        ('<abbr title="http://a.b/c d">je</abbr>', '<abbr title="http://a.b/c d">је</abbr>'),
        ("<p>glava <i>XIV</i>, strana <i>V</i></p>", "<p>глава <i>XIV</i>, страна <i>V</i></p>"),
        ("<i>C</i><b>D</b>", "<i>C</i><b>D</b>"),
        ('<span lang="sr">je</span>', '<span lang="sr">је</span>'),
        ("je", "је"),
        ("", ""),
    ],
)
def test_only_words_change(made: str, shown: str) -> None:
    assert in_variant(made, CYRILLIC) == shown


def test_what_shortcodes_draw_stays() -> None:
    made = render("Dama {{card|QS}}, kralj {{card|KH}}, {{die|5}}, {{nepoznato|da}} i `kod`.").html
    shown = in_variant(made, CYRILLIC)
    assert "Дама <span" in shown
    assert "краљ <span" in shown
    kept = re.compile(r"<span class=.*?</span></span>|<span class=\"in-unknown\">.*?</span>")
    assert kept.findall(shown) == kept.findall(made)
    assert "<code>kod</code>" in shown


def test_the_name_of_a_file_stays_and_its_words_change() -> None:
    made = render('![Karta sa srcem](file:Srce.png "Srce")').html
    shown = in_variant(made, CYRILLIC)
    assert 'data-file="Srce.png"' in shown
    assert "Срце.png" not in shown
    assert 'data-caption="Срце"' in shown
    assert "Карта са срцем" in shown


@given(st.text(alphabet="ljn dž<>&;\"'=/abX`*_[]{}|#\n.:!@", max_size=200))
def test_marks_and_addresses_are_the_same_in_all_scripts(text: str) -> None:
    made = render(text).html
    tags = re.compile(r"</?[a-z][a-z0-9]*")
    for variant in VARIANTS.values():
        assert tags.findall(in_variant(made, variant)) == tags.findall(made)


def test_languages_without_scripts_have_no_variants() -> None:
    assert variant_of("sr", "sr-ec") is CYRILLIC
    assert variant_of("sr-ec", "sr-el") is LATIN
    assert variant_of("en", "sr-ec") is None
    assert variant_of("sr", "zh") is None
