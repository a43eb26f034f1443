"""The wiki's tables, with the renderer that cleans and shows them."""

import re
import time

import pytest

from wiki.markup import render
from wiki.markup.wikitable import cells_of

HEAD = "| a | b |\n|---|---|\n"


def table(source: str) -> str:
    return render(source).html.replace("\n", "")


def body(source: str) -> str:
    return re.search("<tbody>(.*)</tbody>", table(HEAD + source))[1]


def test_caption_and_headers():
    assert table(f"Table: The *key*\n{HEAD}| 1 | 2 |") == (
        '<table class="wikitable"><caption>The <em>key</em></caption>'
        '<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>'
        "<tbody><tr><td>1</td><td>2</td></tr></tbody></table>"
    )


def test_empty_headers_are_none():
    assert "thead" not in table("| | |\n|---|---|\n| 1 | 2 |")


def test_alignment():
    made = table("| a | b | c |\n|:--|:-:|--:|\n| 1 | 2 | 3 |")
    assert re.findall(r'<td align="(\w+)">', made) == ["left", "center", "right"]


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("| ! 1 | 2 |", '<tr><th scope="row">1</th><td>2</td></tr>'),
        ("| &#33; 1 | 2 |", "<tr><td>! 1</td><td>2</td></tr>"),
        (r"| 1 \| 2 | `3 | 4` |", "<tr><td>1 | 2</td><td><code>3 | 4</code></td></tr>"),
        ("| 1<br>2 | 3 |", "<tr><td>1<br>2</td><td>3</td></tr>"),
        ("| 1 |", "<tr><td>1</td></tr>"),
        ("| | 2 |", "<tr><td></td><td>2</td></tr>"),
        ("1 | 2", "<tr><td>1</td><td>2</td></tr>"),
        ("| 1 | << |", '<tr><td colspan="2">1</td></tr>'),
        ("| << | 2 |", "<tr><td></td><td>2</td></tr>"),
        ("| ^^ | 2 |", "<tr><td></td><td>2</td></tr>"),
        ("| 1 | 2 |\n| ^^ | 3 |", '<tr><td rowspan="2">1</td><td>2</td></tr><tr><td>3</td></tr>'),
        ("| 1 | << |\n| ^^ | ^^ |", '<tr><td colspan="2" rowspan="2">1</td></tr><tr></tr>'),
        ("| 1 | << |\n| ^^ | << |", '<tr><td colspan="2" rowspan="2">1</td></tr><tr></tr>'),
        (
            "| 1 | << |\n| ^^ | 2 |",
            '<tr><td colspan="2">1</td></tr><tr><td></td><td>2</td></tr>',
        ),
    ],
)
def test_rows(row: str, expected: str):
    assert body(row) == expected


def test_marks_links_and_shortcodes_inside_cells():
    made = body("| **b** {{die|2}} | [[Go|the game]] |")
    assert "<strong>b</strong>" in made
    assert 'data-die="2"' in made
    assert ">the game</a>" in made


def test_text_right_below_is_no_row():
    assert table(f"{HEAD}| 1 | 2 |\nAfter").endswith("</table><p>After</p>")


@pytest.mark.parametrize(
    "source",
    ["| a | b |", "| a | b |\n|---|", "Table: alone", "a | b\n---", "Table: x\n| a |\ntext"],
)
def test_no_table(source: str):
    assert "<table" not in table(source)


def test_short_rows_are_not_filled_up():
    wide = "|a" * 200 + "|\n" + "|-" * 200 + "|\n"
    made = render(wide + "|a\n" * 200).html
    assert (made.count("<th "), made.count("<td>")) == (200, 200)


@pytest.mark.parametrize("row", ["{{" * 100_000, "`a ``" * 50_000, "[[" * 100_000, "\\" * 99_999])
def test_monstrous_rows_are_parted_in_good_time(row: str):
    started = time.process_time()
    assert len(cells_of(f"|{row}|b|")) >= 1
    assert time.process_time() - started < 2
