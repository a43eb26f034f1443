"""Texts made to hang or break the renderer: work grows with the length, and something is shown."""

import logging
import re
import sys
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path

import markdown
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.wiki.active import WORDS, Checked
from tests.wiki.interchange.conftest import FEEDS, seed
from wiki.interchange import feed_text
from wiki.interchange.wikitext import convert
from wiki.markup import AS_WRITTEN, _converted, render
from wiki.markup.balance import balance
from wiki.markup.bounds import BLOCK, DEPTH, RUN, pieces
from wiki.markup.fences import fenced
from wiki.markup.links import resolve
from wiki.markup.plain import plain_words
from wiki.markup.sanitise import TAGS
from wiki.markup.sections import sections

PUNCTUATION = [mark * count for mark in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~" for count in (1, 2, 3)]
UNITS = [
    *(f"{mark} " for mark in PUNCTUATION),
    *(f"{mark}\n" for mark in PUNCTUATION if len(mark) == 3),
    *("*a", "_a_", "***a", "*a **b ", "*a_b", "*a**b*", "`a``", "`a", "\\`", "\\["),
    *(
        "[a](",
        "[a](b",
        '[a]("',
        "[a](<b",
        "![a](b) ",
        "[a][b]",
        "[a]: b\n",
        "[a]:\n",
        "[a]: b\n'c\n",
    ),
    *("[^a]", "[^a]: b\n", "[^a]: b\n\n", "[[a", "[[a]]", "[[a|b]] ", "{{a", "{{a}}", "{{die|1}}"),
    *("<div ", "<a b=", "<a b='c' ", "<b>", "<b><i>", "<b>a<!-- b -->", "<!--", "<?", "<![CDATA["),
    *(
        "<a/",
        "<p>",
        "</p>",
        "<table>",
        "<li>",
        "<script>",
        "<http://a",
        "<a@b",
        "&a",
        "&#1;",
        "# <b",
    ),
    *("http://a ", "https://a.b/(((", "a@b ", "word ", "w", "a\n\n", "    a\n\n", "  \n"),
    *(
        "* a\n",
        "* a\n\n",
        "* * * ",
        "1. ",
        "> ",
        "> a\n\n",
        "a\n: b\n",
        ": b\n",
        "# a\n",
        "a\n===\n",
    ),
    *("```a\n", '~~~ hl_lines="\n', "~~~\na\n", "|a", "a|b\n-|-\n", "|^^|<<\n", "- - -\n"),
]


def alternated(count: int, *units: str) -> str:
    return "".join(unit * count for unit in units)


SHAPES = {
    "brackets": lambda n: alternated(n // 2, "[", "]"),
    "links in links": lambda n: alternated(n // 5, "[", "](b)"),
    "parentheses": lambda n: "[a]" + alternated(n // 2, "(", ")"),
    "emphasis": lambda n: alternated(n // 12, "*a **b ", " b** a*"),
    "runs of marks": lambda n: "".join("*" * (i % 5 + 1) + "a_"[i % 2] for i in range(n // 4)),
    "rising backticks": lambda n: " ".join("`" * i for i in range(int((2 * n) ** 0.5))),
    "rising fences": lambda n: "\n".join("~" * i for i in range(3, int((2 * n) ** 0.5))),
    "notes": lambda n: "".join(f"[^{i}]: {i}\n[^{i}] " for i in range(n // 16)),
    "one note": lambda n: "[^1]" * (n // 4) + "\n\n[^1]: a",
    "headings with a note": lambda n: "# a[^1]\n\n" * (n // 9) + "[^1]: a",
    "same headings": lambda n: "".join(f"# a_{i}\n\n# a\n\n" for i in range(n // 14)),
    "wide table": lambda n: "|a" * (n // 8) + "\n" + "|-" * (n // 8) + "\n" + "|a\n" * (n // 6),
    "comments in open tags": lambda n: "".join(f"<x{i}><!---->" for i in range(n // 14)),
    "attributes": lambda n: f"<b {' '.join(f'a{i}=1' for i in range(n // 8))}>",
    "terms": lambda n: "a\n" * (n // 2) + ": b",
}


# Those that took time by the square or the cube before there were bounds.
WORST = [
    *(
        "[",
        "[[",
        "![",
        "[a](",
        '[a]("',
        "[a]:\n",
        "[a]: b\n'c\n",
        "*a",
        "*a **b ",
        "`a",
        "\\`",
        "< a ",
        "<a/",
    ),
    *(
        "<a b=",
        "<b>a<!-- b -->",
        "# <b",
        "```a\n",
        '~~~ hl_lines="\n',
        "a\n===\n",
        "***\n",
        "- - -\n",
    ),
]


TRIES = 4  # what took too long is tried again: on a busy machine a time may be anything, once


def seconds(text: str) -> float:
    """Of this thread alone."""
    started = time.thread_time()
    render(text)
    return time.thread_time() - started


def in_proportion(text_of: Callable[[int], str]) -> bool:
    """Four times the text takes less than nine times as long; by the square it would be 16."""
    short, long = text_of(7_000), text_of(28_000)
    return any(seconds(long) < 9 * max(seconds(short), 0.01) for _ in range(TRIES))


def repeated(unit: str, length: int) -> str:
    return (unit * (length // len(unit) + 1))[:length]


@pytest.fixture(scope="module")
def prose() -> float:
    """Seconds that 10,000 characters of an ordinary page take."""
    page = "Some *words* and a [link](/x), [[Page|another]].\n\n- one\n- two\n\n## Heading\n\n"
    return min(seconds(repeated(page, 10_000)) for _ in range(3))


@pytest.mark.parametrize("unit", dict.fromkeys(UNITS))
def test_repeated_marks_take_the_time_of_a_page(unit: str, prose: float) -> None:
    text = repeated(unit, 10_000)
    assert any(seconds(text) < 25 * prose for _ in range(TRIES))


@pytest.mark.parametrize("unit", WORST)
def test_worst_marks_take_time_in_proportion(unit: str) -> None:
    assert in_proportion(lambda length: repeated(unit, length))


@pytest.mark.parametrize("shape", SHAPES)
def test_nested_and_mixed_marks_take_time_in_proportion(shape: str) -> None:
    assert in_proportion(SHAPES[shape])


@pytest.mark.parametrize(
    "unit", ["~~~a\n", "# a\n", "###### a\n", "a\n---\n", "{{a", "[[a|", "[a]("]
)
def test_sections_and_words_are_found_in_proportion(unit: str) -> None:
    started = time.thread_time()
    text = repeated(unit, 200_000)
    sections(text)
    plain_words(text)
    assert time.thread_time() - started < 4


BOMBS = {
    "an open tag with a long attribute": "<p><b title='" + "x" * 9_000 + "'>" + "<p>x" * 2_000,
    "short attributes": "<p>" + "".join(f"<b title={i}>" for i in range(600)) + "<p>x" * 2_000,
    "open tags": "<p>" + "<b><i><u><s><em><code><small>" * 300 + "<p>x" * 2_000,
    "ends that cross": "".join(f"<b title={i}>{'<div>' * 10}</b>" for i in range(99))
    + "<p>x" * 2_000,
    "a long address used often": f"[a]: /{'b' * 9_000}\n\n" + "[a] " * 2_000,
    "tags in a table": f"<table><b title='{'x' * 2_000}'>" + "<tr>x" * 2_000,
}


@pytest.mark.parametrize("bomb", BOMBS)
def test_little_text_does_not_become_much_html(bomb: str) -> None:
    assert len(render(BOMBS[bomb]).html) < 25 * len(BOMBS[bomb])


NESTED = {
    "bullets": lambda i: "    " * i + "* x",
    "numbers": lambda i: "    " * i + "1. x",
    "quotes": lambda i: "> " * i + "x",
    "meanings": lambda i: "    " * i + ":   x",
    "all": lambda i: "    " * i + ("* x", "1. x", "> x", ": x")[i % 4],
}


@pytest.mark.parametrize("parting", ["\n", "\n\n"])
@pytest.mark.parametrize("kind", NESTED)
def test_deep_levels_stay_at_the_deepest(kind: str, parting: str) -> None:
    made = render("a\n\n" + parting.join(NESTED[kind](i) for i in range(300)))
    assert made.warnings == []
    depth = deepest = 0
    for end in re.findall(r"<(/?)(?:ul|ol|dl|blockquote)>", made.html):
        depth += -1 if end else 1
        deepest = max(deepest, depth)
    assert deepest <= 2 * DEPTH


def test_levels_that_people_write_are_kept() -> None:
    assert (
        render("\n".join("    " * i + f"* {i}" for i in range(DEPTH))).html.count("<ul>") == DEPTH
    )
    assert render(f"{'> ' * DEPTH}x").html.count("<blockquote>") == DEPTH
    assert "* 299" not in render("\n".join("    " * i + f"* {i}" for i in range(300))).html


def test_marks_on_one_line_nest_only_so_deep() -> None:
    for mark in ("* ", "1. ", "> ", ">", "> * ", "* > "):
        made = render(mark * 2_000 + "end")
        assert made.warnings == []
        assert "end" in made.html


@pytest.fixture
def little_stack():
    depth, frame = 0, sys._getframe()
    while frame := frame.f_back:
        depth += 1
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(depth + 330)
    yield
    sys.setrecursionlimit(before)


def test_shapes_need_little_of_the_stack(little_stack) -> None:
    for text in [repeated(unit, 1_500) for unit in UNITS] + [
        make(2_000) for make in SHAPES.values()
    ]:
        assert AS_WRITTEN not in render(text).warnings


@pytest.mark.parametrize("error", [RecursionError("too deep"), AssertionError("a defect")])
def test_what_the_library_cannot_take_is_shown_as_written(
    error: Exception, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(self: markdown.Markdown, source: str) -> str:
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(markdown.Markdown, "convert", fail)
        with caplog.at_level(logging.ERROR, "wiki.markup"):
            made = render("a <b>\n{{x}} & 'c'")
    assert made.html.endswith("<pre>a &lt;b&gt;\n{{x}} &amp; &#x27;c&#x27;</pre>")
    assert (made.toc, made.warnings) == ([], [AS_WRITTEN])
    assert "markup failed" in caplog.text
    assert render("*a*").html == "<p><em>a</em></p>"


# What stays as it was


def test_what_the_bounds_change_in_real_pages_is_nothing() -> None:
    """HTML of real pages, as it was before there were bounds: kept as it was nested, no part cut."""
    for number in FEEDS:
        for entry in feed_text.read(seed(number).read_bytes()).entries:
            _worker, made = _converted(convert(entry.text).text, "")
            assert "<part>" not in made
            assert balance(made, allowed=TAGS) == made


def test_own_pages_are_not_changed_by_the_bounds() -> None:
    for path in Path(__file__).parents[2].glob("games/library/*/help.md"):
        _worker, made = _converted(path.read_text(), "")
        assert "<part>" not in made
        assert balance(made, allowed=TAGS) == made


def test_long_text_is_parted_at_spaces_and_keeps_every_word() -> None:
    words = " ".join(f"*w{i}*" for i in range(RUN))
    made = render(words).html
    assert re.findall(r"<em>w(\d+)</em>", made) == [str(i) for i in range(RUN)]


def test_long_blocks_are_cut_where_a_part_ends() -> None:
    block = "a line of text\n" * 300 + "***\n" + "more\n" * 800 + "# H\n" + "end"
    assert len(block) > BLOCK
    assert [piece[-3:] for piece in pieces(block)] == ["***", "# H", "end"]
    assert "\n".join(pieces(block)) == block
    long_list = "- an item of a list\n" * 600
    assert list(pieces(long_list)) == [long_list]


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("a < b <3 << c", "a &lt; b &lt;3 &lt;&lt; c"),
        ("a <b and `<br` c", "a &lt;b and <code>&lt;br</code> c"),
        ("<kbd title='a > b'>x</kbd>", '<kbd title="a &gt; b">x</kbd>'),
        ("<kbd title='a <b> c'>x</kbd>", '<kbd title="a &lt;b&gt; c">x</kbd>'),
        ("a <!-- <b> --> c", "a  c"),
        ("<b>x", "<b>x</b>"),
        ("x</b> y</div>", "x y"),
        ("<b>a <i>b</b> c</i>", "<b>a <i>b</i></b> c"),
        ('[a]("b (c) d *e* f', '[a]("b (c) d <em>e</em> f'),
        ("{{a<b}} [[c<d|e<f]]", None),
        ("{{a\\]b}} [[c\\_d]]", None),
        ("******[[[[<div>]]]]******", None),
        ('</br><![CDATA[<br>](""a(1)', None),
        ("[[]([[``]<kbd>``]]a(1)", None),
    ],
)
def test_angles_and_tags(text: str, made: str | None) -> None:
    found = render(text)
    if made is not None:
        assert found.html == f"<p>{made}</p>"
    assert not re.search(r"[\x00-\x08\x0b-\x1f]|klzzwxh|wzxhzdk", found.html)


def test_open_tag_ends_with_its_paragraph() -> None:
    assert render("<b>a\n\nb").html == "<p><b>a</b></p>\n<p>b</p>"
    assert render("- <b>a\n- b\n").html.count("<b>") == 1


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>a<p>b", "<p>a</p><p>b</p>"),
        ("<ul><li>a<li>b</ul>", "<ul><li>a</li><li>b</li></ul>"),
        ("<p>a<div>b</div>", "<p>a</p><div>b</div>"),
        ("<tr>a<td>b", "ab"),
        ("<table><b>x<tr><td>y</b></table>z", "<table><b>x</b><tr><td>y</td></tr></table>z"),
        ("<script>a</script>b<style>c</style>d<script>e", "bde"),
        ("<x><b>a</x></b>", "<b>a</b>"),
        ("a<!-- b -->c<!-- d", "ac&lt;!-- d"),
        ("<br/><IMG src='a'>", "<br/><IMG src='a'>"),
        ("<b>" * 200, "<b>" * 100 + "</b>" * 100),
    ],
)
def test_tags_are_balanced(html: str, expected: str) -> None:
    assert balance(html, allowed=TAGS) == expected


def test_fences_end_at_the_same_fence() -> None:
    lines = ["~~~", "```", "~~~~", "~~~", "```py", "x", "``` ", "~~~~ {.a}", "~~~"]
    assert list(fenced(lines)) == [(0, 3), (4, 6)]


def test_notes_are_numbered_whatever_their_names() -> None:
    made = render("a[^x y]b[^2]c[^x y]\n\n[^x y]: X\n[^2]: > [^3]: Y").html
    assert re.findall(r'id="([^"]+)"', made) == ["fnref:1", "fnref:2", "fnref2:1", "fn:1", "fn:2"]
    assert set(re.findall(r'href="#([^"]+)"', made)) <= set(re.findall(r'id="([^"]+)"', made))
    assert "[^3]: Y" in made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("***a***", "<strong><em>a</em></strong>"),
        ("*a**b**c*", "<em>a<strong>b</strong>c</em>"),
        ("*a**b*c`d`", "<em>a**b</em>c<code>d</code>"),
        ("**a* b", "*<em>a</em> b"),
        ("a_b_c _d_ __e__", "a_b_c <em>d</em> <strong>e</strong>"),
        ("*a _b* c_", "<em>a _b</em> c_"),
        ("* *a*", None),
    ],
)
def test_emphasis(text: str, made: str | None) -> None:
    if made is not None:
        assert render(text).html == f"<p>{made}</p>"
    else:
        assert "<em>a</em>" in render(text).html


EMPHASIS = st.sampled_from(["*", "**", "***", "_", "__", "a", "b c", " ", "`x`", "[l](u)", "\\*"])


@settings(max_examples=300, deadline=None)
@given(st.lists(EMPHASIS, min_size=1, max_size=24))
def test_emphasis_loses_and_repeats_nothing(words: list[str]) -> None:
    text = f"a{''.join(words)}".replace("``", "` `")
    shown = re.sub(r"<[^<>]*>|[\s*_]", "", render(text).html)
    assert shown == re.sub(r"[\s*_`\\]", "", text.replace("[l](u)", "l"))


# What never comes out


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=60))
def test_no_text_breaks_the_renderer_or_brings_out_anything_active(words: list[str]) -> None:
    made = render("".join(words))
    assert AS_WRITTEN not in made.warnings
    assert not re.search(r"[\x01-\x08\x0b-\x1f]|wzxhzdk|klzzwxh", made.html)
    Checked(made.html)


@pytest.mark.parametrize(
    "text",
    [
        "<img src='/media/%2e%2e/accounts/'>",
        "<img src='/media/.\t./accounts/'>",
        "<a href='/\t/evil.org'>x</a>",
        "<a href='&#1;//evil.org'>x</a>",
        "[x](</&#9;/evil.org>)",
        "[x](%2f/evil.org)",
    ],
)
def test_addresses_are_read_as_a_browser_does(text: str) -> None:
    assert "evil" not in render(text).html
    assert "accounts" not in render(text).html


def test_attributes_hold_words_and_no_tags() -> None:
    assert 'title="Queen of spades"' in render('[x](http://a.b "{{card|QS}}")').html
    assert "<a" not in render("[[{{card|QS}}]]").html
    assert 'data-page="a_b"' in render("[[a\\_b]]").html


def test_page_of_links_is_shown_with_few_queries(
    db: None, django_assert_max_num_queries: Callable[[int], AbstractContextManager]
) -> None:
    links = (f'<a class="wiki-link" data-page="p{i}" href="/x">x</a>' for i in range(10_000))
    with django_assert_max_num_queries(12):
        shown = resolve("".join(links))
    assert shown.count('class="wiki-link missing"') == 10_000
