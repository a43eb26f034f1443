"""The tag ``at`` of all templates."""

import pytest
from django.template import engines
from django.urls import NoReverseMatch


def made(text: str, **words: object) -> str:
    return engines["django"].from_string(text).render(words)


def test_addresses_are_those_of_the_routes_each_time() -> None:
    text = "{% at 'wiki_diff' slug 1 2 %}"
    assert [made(text, slug=slug) for slug in ("hearts", "a b", "hearts")] == [
        "/wiki/hearts/diff/1/2/",
        "/wiki/a%20b/diff/1/2/",
        "/wiki/hearts/diff/1/2/",
    ]
    assert made("{% at 'wiki_index' as list %}<{{ list }}>") == "</wiki/>"


def test_what_stands_in_an_address_is_escaped() -> None:
    assert (
        made("{% at 'wiki_contributions' name %}", name="A&B's")
        == "/wiki/contributions/A&amp;B&#x27;s/"
    )


def test_a_route_that_is_not_there_is_a_defect() -> None:
    with pytest.raises(NoReverseMatch):
        made("{% at 'nowhere' %}")
