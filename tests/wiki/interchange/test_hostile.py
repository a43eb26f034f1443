"""Wikitext made to hang the converter: the work grows with the length of the text only."""

import time

import pytest

from wiki.interchange.wikitext import convert

UNITS = [
    *("{{", "{{a|", "{{{a", "[[", "[[a|", "[http://a b", "{|\n", "{|\n|\n", "{|\n|colspan=999|a\n"),
    *("<!--", "\n<!--", "<nowiki>", "<pre>", "<ref>", "<references>", "<blockquote>", "<b>"),
    *("''a'''b", "'''''a", "'''a'''b''c''", "* a\n", ":*a\n", "*" * 40 + "a\n", "= a", "[[a [b] "),
]
NESTED = [
    lambda n: "{{a|" * n + "}}" * n,
    lambda n: "{{{a|" * n + "}}}" * n,
    lambda n: "[[a|" * n + "]]" * n,
    lambda n: "\n".join("*" * i + " a" for i in range(n // 20)),
    lambda n: "{|\n" + "|-\n|rowspan=999|a||colspan=999|b\n" * (n // 10),
    lambda n: "{|\n|" + "a||" * n + "\n" + "|-\n|a\n" * n,
]


def check(text: str) -> None:
    started = time.process_time()
    made = convert(text).text
    assert time.process_time() - started < 5
    assert len(made) < 200 * len(text)


@pytest.mark.parametrize("unit", UNITS)
def test_repeated_marks_end_in_good_time(unit: str) -> None:
    check(unit * (60_000 // len(unit)))


@pytest.mark.parametrize("number", range(len(NESTED)))
def test_nested_marks_end_in_good_time(number: int) -> None:
    check(NESTED[number](6_000))


def test_what_does_not_end_is_text_and_what_ends_is_not() -> None:
    assert convert("<!-- a\nb <nowiki>''c''</nowiki>").text == "&lt;!-- a\nb ''c''"
    assert convert("a <!-- b --> c <pre> d").text == "a  c &lt;pre> d"
    assert convert("a\n <!-- b --> \nc").text == "a\nc"


def test_columns_that_nobody_needs_are_left_out() -> None:
    made = convert("{|\n|colspan=999|a\n|}").text
    assert made.splitlines()[-1].count("<<") == 39
