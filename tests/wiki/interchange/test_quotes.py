"""Apostrophe runs: each case is what MediaWiki makes of the line."""

import pytest

from wiki.interchange.quotes import Marked, parse


def html(node: Marked) -> str:
    inner = "".join(part if isinstance(part, str) else html(part) for part in node.parts)
    return f"<{node.mark}>{inner}</{node.mark}>" if node.mark else inner


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("plain", "plain"),
        ("it's", "it's"),
        ("''i''", "<i>i</i>"),
        ("'''b'''", "<b>b</b>"),
        ("'''''both'''''", "<i><b>both</b></i>"),
        ("'''''both, never closed", "<b><i>both, never closed</i></b>"),
        ("'''''both'' b'''", "<b><i>both</i> b</b>"),
        ("'''''both''' i''", "<i><b>both</b> i</i>"),
        ("''''four'''", "'<b>four</b>"),
        ("'''four''''", "<b>four'</b>"),
        ("''''''six'''''", "'<i><b>six</b></i>"),
        ("'''never closed", "<b>never closed</b>"),
        ("''never closed", "<i>never closed</i>"),
        ("'''b ''(both)'''''", "<b>b <i>(both)</i></b>"),
        ("'''b ''both''' i''", "<b>b <i>both</i></b><i> i</i>"),
        (
            "'''opens with three, closes with two'' then",
            "'<i>opens with three, closes with two</i> then",
        ),
        ("x'''one'' two", "x'<i>one</i> two"),
    ],
)
def test_line(line: str, expected: str):
    assert html(parse(line)) == expected


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        # bold marks after a space, after "d" and after "ff": the one-letter word gives way
        ("aa '''c d'''ff''' ''g", "aa <b>c d'<i>ff</i></b><i> </i>g"),
        # none after a one-letter word: the first after a longer word
        ("aa '''cc''' dd'''f ''g", "aa <b>cc'<i> dd</i></b><i>f </i>g"),
        # only after a space
        ("aa '''c ''g", "aa '<i>c </i>g"),
    ],
)
def test_odd_numbers_of_both(line: str, expected: str):
    assert html(parse(line)) == expected
