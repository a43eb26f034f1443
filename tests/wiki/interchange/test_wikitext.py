"""Wikitext to Markdown, seen as the HTML that the wiki's renderer makes of it."""

import html
import random
import re

import pytest

from wiki.interchange.shelf import RESERVED
from wiki.interchange.wikitext import convert
from wiki.markup import render


def page(source: str) -> str:
    """The rendered page, without the attributes that are no matter of the conversion."""
    made = render(convert(source).text).html
    return re.sub(r' (?:rel|id)="[^"]*"', "", made).strip()


def visible(made: str) -> str:
    return " ".join(html.unescape(re.sub(r"<[^<>]*>", "", made)).split())


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("== Goal ==", "<h2>Goal</h2>"),
        ("==Goal==  ", "<h2>Goal</h2>"),
        ("===== Deep =====", "<h5>Deep</h5>"),
        ("= Top =", "<h2>Top</h2>"),
        ("=== More == ", "<h2>= More</h2>"),
        ("== C# ==", "<h2>C#</h2>"),
        ("== ''Go'' ==", "<h2><em>Go</em></h2>"),
        ("Text. ===No heading===", "<p>Text. ===No heading===</p>"),
    ],
)
def test_headings(source: str, expected: str):
    assert page(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("'''b''' and ''i''", "<p><strong>b</strong> and <em>i</em></p>"),
        ("'''Title '''", "<p><strong>Title</strong></p>"),
        ("a''' b '''c", "<p>a <strong>b</strong> c</p>"),
        ("'''open\nnext", "<p><strong>open</strong>\nnext</p>"),
        ("'''a ''(b)'''''", "<p><strong>a <em>(b)</em></strong></p>"),
        ("''a '''b''' c''", "<p><em>a <strong>b</strong> c</em></p>"),
        ("un''believ''able", "<p>un<em>believ</em>able</p>"),
        ("'''un''believ''able'''", "<p><strong>un<em>believ</em>able</strong></p>"),
        ("'''* Q is high.'''", "<p><strong>* Q is high.</strong></p>"),
        ("AND'", "<p>AND'</p>"),
        ("'*as shown", "<p>'*as shown</p>"),
        (
            "<b>b</b> <i>i</i> <u>u</u> H<sub>2</sub>O",
            "<p><strong>b</strong> <em>i</em> <u>u</u> H<sub>2</sub>O</p>",
        ),
    ],
)
def test_bold_and_italic(source: str, expected: str):
    assert page(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("* a\n* b", "<ul>\n<li>a</li>\n<li>b</li>\n</ul>"),
        ("Text:\n* a\nAfter", "<p>Text:</p>\n<ul>\n<li>a</li>\n</ul>\n<p>After</p>"),
        ("# a\n# b", "<ol>\n<li>a</li>\n<li>b</li>\n</ol>"),
        ("*X* points", "<ul>\n<li>X* points</li>\n</ul>"),
        ("*-2 points", "<ul>\n<li>-2 points</li>\n</ul>"),
        ("* - not nested", "<ul>\n<li>- not nested</li>\n</ul>"),
        ("* 1. not numbered", "<ul>\n<li>1. not numbered</li>\n</ul>"),
        ("* a\n** b\n* c", "<ul>\n<li>a<ul>\n<li>b</li>\n</ul>\n</li>\n<li>c</li>\n</ul>"),
        ("* a\n*# b", "<ul>\n<li>a<ol>\n<li>b</li>\n</ol>\n</li>\n</ul>"),
        ("** a", "<ul>\n<li>a</li>\n</ul>"),
        ("* a\n# b", "<ul>\n<li>a</li>\n</ul>\n<ol>\n<li>b</li>\n</ol>"),
        ("; Ko\n: no repeats", "<dl>\n<dt>Ko</dt>\n<dd>no repeats</dd>\n</dl>"),
        ("; Ko : no repeats", "<dl>\n<dt>Ko</dt>\n<dd>no repeats</dd>\n</dl>"),
        (
            "Text\n::~ a\n::~ b\nAfter",
            "<p>Text</p>\n<blockquote>\n<p>~ a<br>\n~ b</p>\n</blockquote>\n<p>After</p>",
        ),
        (": a\n:* b", "<blockquote>\n<p>a</p>\n<ul>\n<li>b</li>\n</ul>\n</blockquote>"),
        ("* a<br>b", "<ul>\n<li>a<br>\n    b</li>\n</ul>"),
    ],
)
def test_lists(source: str, expected: str):
    assert page(source) == expected


TEXTS = [
    "1) first",
    "1. first",
    "1 - first",
    "- first",
    "+ first",
    "[1] first",
    "---",
    "- - -",
    "~~~",
    "> quoted",
    "=",
    "__wiz__ and snake_case and _x_",
    "`code` and ``more``",
    "a * b * c",
    r"C:\dir \* \n",
    "<your name>/bga-<your game>",
    '<link rel="x" href="../y.css"/>',
    'begins with "<".',
    "R&D, &testuser=me",
    "![not an image](x.png)",
    "[not a link](x)",
    "[NB: a note]",
    "[^1] no footnote",
    "[TOC]",
    "| a | b |",
    "function f($x) { ... }",
    "img/ <-- your images",
    "Table: of nothing",
    "• ● ▬ bullets",
    "A > 10 -> '7'",
]


@pytest.mark.parametrize("text", TEXTS)
def test_text_that_markdown_would_misread_stays_text(text: str):
    made = render(convert(text).text).html.strip()
    assert visible(made) == text
    assert made.startswith("<p>")
    assert re.sub(r"</?p>", "", made).count("<") == 0
    assert visible(render(convert(f"Before\n{text}\nafter").text).html) == f"Before {text} after"


def test_lines_of_pipes_make_no_table():
    made = page("| a | b |\n|---|---|\n| c | d |")
    assert "<table" not in made
    assert visible(made) == "| a | b | |---|---| | c | d |"


def test_line_of_equals_makes_no_heading():
    assert page("Text\n<nowiki>===</nowiki>") == "<p>Text\n===</p>"


def test_entities_stay_entities():
    assert page("a&nbsp;b &lt;c&gt; &amp; &#9824; &nothing;") == (
        "<p>a&nbsp;b &lt;c&gt; &amp; ♠ &amp;nothing;</p>"
    )


def test_space_at_line_end_is_a_line_break_and_told():
    converted = convert("• one \n• two \n\n• three ")
    assert converted.text == "• one  \n• two\n\n• three"
    assert converted.warnings == ["A space at the end of a line is read as a line break."]


def test_no_space_no_line_break():
    assert page("one\ntwo") == "<p>one\ntwo</p>"


def test_rule():
    assert page("a\n----\nb") == "<p>a</p>\n<hr>\n<p>b</p>"


def test_preformatted_text_is_kept_as_it_is():
    source = "Do:\n<pre>\n#!/bin/sh\n* '''no''' {{t}} [[l]] <a b=\"c\">\n\n```\n</pre>\nDone"
    assert page(source) == (
        "<p>Do:</p>\n<pre><code>#!/bin/sh\n* '''no''' {{t}} [[l]] &lt;a b=\"c\"&gt;\n\n```\n"
        "</code></pre>\n<p>Done</p>"
    )


def test_lines_that_begin_with_a_space_are_preformatted():
    assert page("a\n\n f(x)\n  g(y)") == "<p>a</p>\n<pre><code>f(x)\n g(y)\n</code></pre>"


def test_line_of_white_space_parts_paragraphs():
    assert page("a\n \nb") == "<p>a</p>\n<p>b</p>"


def test_nowiki_is_text_and_no_link():
    made = page("<nowiki>http://x.example/#!t '''a''' [[b]] {{c}} &lt;</nowiki>")
    assert made == ("<p>http://x.example/#!t '''a''' [[b]] {{c}} &amp;lt;</p>")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("[https://a.example/x Label]", '<a href="https://a.example/x">Label</a>'),
        ("[https://a.example/x __wiz__]", '<a href="https://a.example/x">__wiz__</a>'),
        ("[https://a.example/x '''B''']", '<a href="https://a.example/x"><strong>B</strong></a>'),
        ("[https://a.example/]", '<a href="https://a.example/">[1]</a>'),
        ("[https://a.example/a_(b) c]", '<a href="https://a.example/a_(b)">c</a>'),
        ("[//a.example c]", '<a href="https://a.example">c</a>'),
        ("[mailto:a@b.example mail]", '<a href="mailto:a@b.example">mail</a>'),
        (
            "See https://a.example/b_c_d.",
            'See <a href="https://a.example/b_c_d">https://a.example/b_c_d</a>.',
        ),
        ("(https://a.example/b)", '(<a href="https://a.example/b">https://a.example/b</a>)'),
        ("''https://a.example''", '<em><a href="https://a.example">https://a.example</a></em>'),
        ("[[https://a.example/F:C.png]]", '[<a href="https://a.example/F:C.png">[1]</a>]'),
        ("sftp://u:p@h.example/", "sftp://u:p@h.example/"),
        ("[https://a.example/?a=1&b=2#c d]", '<a href="https://a.example/?a=1&amp;b=2#c">d</a>'),
        (
            "[https://a.example see https://b.example]",
            '<a href="https://a.example">see https://b.example</a>',
        ),
    ],
)
def test_outside_links(source: str, expected: str):
    assert page(source) == f"<p>{expected}</p>"


def test_links_without_label_are_numbered():
    made = page("[https://a.example/] [https://b.example/]")
    assert visible(made) == "[1] [2]"


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("[[Go]]", "[[Go]]"),
        ("[[BGA_Code_Sharing]]", "[[BGA_Code_Sharing]]"),
        ("[[Go|the ''game'']]", "[[Go|the game]]"),
        ("[[Go#Ko|ko]]s", "[[Go#Ko|kos]]"),
        ("[[stone]]s", "[[stone|stones]]"),
        ("[[:Category:Go]]", "[[:Category:Go]]"),
        ("[[:File:Go.png|x]]", "[[:File:Go.png|x]]"),
        ("[[Special:Carrot.png]]", "[[Special:Carrot.png]]"),
        ("[[Go|__x__]]", r"[[Go|\_\_x\_\_]]"),
        ("[[Category:Go]]", "[[Category:Go]]"),
        ("[[Kategorie:Spiele_hier|Go]]", "[[Category:Spiele hier]]"),
        ("[[a<b]]", r"\[\[a&lt;b]\]"),
    ],
)
def test_wiki_links(source: str, markdown: str):
    assert convert(source).text == markdown


@pytest.mark.parametrize(
    ("source", "alternative"),
    [
        ("[[File:7seg Digits.png|alt=seven segments|left|thumb]]", "seven segments"),
        ("[[File: Name.png|400px]]", "Name.png"),
        ("[[Fichier:Maïs (2).png]]", "Maïs (2).png"),
        ("[[Image:A_b.png|thumb|A [[link]] of ''it'']]", "A link of it"),
        ("[[Datei:x.png|mini|x20px|links]]", "x.png"),
    ],
)
def test_images_that_do_not_exist(source: str, alternative: str):
    made = page(source)
    assert "file-missing" in made
    assert "<img" not in made
    assert visible(made).endswith(alternative)
    assert "did not come" in convert(source).warnings[0]


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("[[File:A b.png|thumb|300px|Who plays]]", '![Who plays](file:A_b.png?300 "Who plays")'),
        ("[[File:A.png|alt=Four seats|Who plays]]", '![Four seats](file:A.png "Who plays")'),
        ('[[File:A.png|thumb|Say "go"]]', "![Say 'go'](file:A.png \"Say 'go'\")"),
        ("[[File:A.png|64x20px|Who plays]]", "![Who plays](file:A.png?64)"),
        ("[[File:A.png|99999px|x20px]]", "![A.png](file:A.png)"),
    ],
)
def test_images_keep_width_and_caption(source: str, markdown: str):
    assert convert(source).text == markdown


@pytest.mark.parametrize(
    ("source", "markdown"),
    [
        ("max {{whiteDie|6}}.", "max {{die|6}}."),
        ("{{WhiteDie|1}}{{whiteDie|2}}", "{{die|1}}{{die|2}}"),
        ("{{Studio_Nav}}", "{{Studio Nav}}"),
        ("{{Box|a=1|b}}", "{{Box|a=1|b}}"),
        ("{{Box|{{whiteDie|1}}\n|[[Go|go]]}}", "{{Box|die/1|go}}"),
    ],
)
def test_templates_stay_visible(source: str, markdown: str):
    assert convert(source).text == markdown


def test_unknown_templates_are_told_once():
    assert convert("{{A b}} {{A_b}} {{C}} {{whiteDie|1}}").warnings == [
        "Templates without a shortcode of ours: A b, C."
    ]


def test_unknown_template_is_a_box_with_its_name():
    assert '<span class="in-unknown">Navigation box</span>' in page("{{Navigation box}}")


def test_div_is_left_out_its_text_kept():
    converted = convert("<div>[[File: T.png|400px]] \n2 players</div>\n==Goal==")
    assert converted.text == "![T.png](file:T.png?400)  \n2 players\n\n## Goal"
    assert "The tag <div> is left out and its text kept (2 times)." in converted.warnings


def test_footnotes():
    made = page('A<ref name="x">Note one.</ref> B<ref name="x" />\n<references/>')
    assert made.count('class="footnote-ref"') == 2
    assert "Note one." in visible(made)


def test_blockquote_comment_redirect_switch():
    assert page("<blockquote>a\n\nb</blockquote>") == (
        "<blockquote>\n<p>a</p>\n<p>b</p>\n</blockquote>"
    )
    assert convert("a<!-- hidden -->b").text == "ab"
    assert convert("#REDIRECT [[Go]]").text == "#REDIRECT [[Go]]"
    kept = convert("#ПРЕУСМЕРИ: [[Go#Rules|x]] \n[[Category:Games]]")
    assert (kept.text, kept.warnings) == ("#REDIRECT [[Go#Rules]]\n\n[[Category:Games]]", [])
    assert convert("__TOC__\na").text == "a"


TABLE = """{| class="wikitable" style="a" style="b"
|+ Key ''one''
|-
! Count !! Colours
|-
| 1 || Blue | Red
|-
! scope="row" | Two
| style="x" | {{whiteDie|2}} [[Go|go]]
|}"""


def test_table_has_caption_headers_and_cells():
    assert page(TABLE).replace("\n", "") == (
        '<table class="wikitable"><caption>Key <em>one</em></caption>'
        '<thead><tr><th scope="col">Count</th><th scope="col">Colours</th></tr></thead>'
        "<tbody><tr><td>1</td><td>Red</td></tr>"
        '<tr><th scope="row">Two</th><td>'
        '<span class="in-die" data-die="2"><span class="sr">Die: two</span></span> '
        '<a class="wiki-link" data-page="Go" href="/wiki/go/?title=Go">go</a></td></tr>'
        "</tbody></table>"
    )


def test_table_without_headers_with_spans_and_lines():
    source = '{|\n| rowspan="2" | a\n| colspan=2 | b\nmore\n* item\n|-\n| c || !d | e\n|}\nAfter'
    assert page(source).replace("\n", "") == (
        '<table class="wikitable"><tbody>'
        '<tr><td rowspan="2">a</td><td colspan="2">b<br>more<br>• item</td></tr>'
        "<tr><td>c</td><td>e</td></tr></tbody></table><p>After</p>"
    )


def test_text_beside_a_table_s_rows_stands_below_it():
    made = convert("{|\nfirst\n|-\nsecond\n| a || b\n|} third")
    assert made.text == "|  |  |\n| --- | --- |\n| a | b |\n\nfirst\nsecond\nthird"
    assert made.warnings == ["Text between a table's rows is left out of the table (2 times)."]


def test_table_that_does_not_end_is_told():
    converted = convert("{|\n| a")
    assert "A table does not end" in converted.warnings[0]
    assert "| a |" in converted.text


def test_two_texts_convert_the_same_way_twice():
    assert convert(TABLE) == convert(TABLE)


MARKS = [*"*_#->=|[]{}<>&`~:;.!\\'\"()^+$%/", "a", "1", "foo", " ", "1. ", "- ", "* ", "> "]
MARKS += ["{{", "}}", "[[", "]]", "**", "__", "```", "~~~", "---", "http://x.example", "<b>"]
LINES = ["\n", "\n\n", "{|", "|}", "\n|-\n", "<nowiki>", "</nowiki>", "<pre>", "</pre>", "''"]
LINES += ["'''", "<br>", "<ref>", "</ref>", "<!--", "-->", "<blockquote>", "</blockquote>", "==\n"]


def test_any_literal_text_reads_as_it_stood():
    rng = random.Random(7)
    for _ in range(1500):
        text = "".join(rng.choice(MARKS) for _ in range(rng.randint(1, 9))).strip()
        made = page(f"<nowiki>{text}</nowiki>")
        assert visible(made) == " ".join(text.split()), text


def test_any_text_converts_and_leaves_no_mark():
    rng = random.Random(8)
    for _ in range(1000):
        text = "".join(rng.choice(MARKS + LINES) for _ in range(rng.randint(1, 25)))
        markdown = convert(text).text
        assert not RESERVED.search(markdown), text
        render(markdown)


@pytest.mark.parametrize(
    ("source", "expected", "warning"),
    [
        ("{{DEFAULTSORT:Go}}\nText.", "Text.", "Settings of the page left out: DEFAULTSORT:Go."),
        ("{{DISPLAYTITLE:''go''}}Text.", "Text.", "Settings of the page left out"),
        ("Text.\n[[fr:Titre]]\n[[de:Titel]]", "Text.", "languages left out: fr:Titre, de:Titel."),
        ("<includeonly>{{Box}} [[Category:X]]</includeonly>Text.", "Text.", "is left out"),
        ("__NOTOC__Text.", "Text.", "behaviour switch"),
        ("Te<!-- not shown -->xt.", "Text.", "A comment is left out."),
    ],
)
def test_what_shows_nothing_is_left_out_and_told(source: str, expected: str, warning: str):
    converted = convert(source)
    assert converted.text == expected
    assert any(warning in line for line in converted.warnings)


def test_links_to_other_languages_in_the_text_stay():
    assert convert("See [[:fr:Titre]] and [[fr:Titre|there]].").text == (
        "See [[fr:Titre]] and [[fr:Titre|there]]."
    )
    assert convert("[[It: a film]]").text == "[[It: a film]]"


def test_gallery_is_its_pictures():
    text = convert(
        "<gallery mode=packed>\nFichier:A b.png|One ''[[Go]]''\n\nB.png\n</gallery>"
    ).text
    assert text.split("\n\n") == ['![One Go](file:A_b.png "One Go")', "![B.png](file:B.png)"]


def test_poem_keeps_its_lines():
    assert page("Before\n<poem>\na '''b'''\nc\n</poem>\nafter") == (
        "<p>Before</p>\n<p>a <strong>b</strong><br>\nc</p>\n<p>after</p>"
    )


@pytest.mark.parametrize("tag", ["gallery", "poem", "includeonly"])
def test_tags_that_do_not_end_are_text(tag: str):
    assert convert(f"<{tag}>a").text == f"&lt;{tag}>a"
