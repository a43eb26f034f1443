"""Codes, names and directions of languages, and which one a reader is given."""

import pytest

from wiki.languages import LANGUAGES, best, language, wanted
from wiki.templatetags.wiki import lang_of


def test_languages_have_names_their_readers_write() -> None:
    assert language("sr").both_names == "српски – Serbian"
    assert language("en").both_names == "English"
    assert language("zh-hans").tag == "zh-Hans"
    assert language("pt-br").tag == "pt-BR"
    assert len(LANGUAGES) > 90


@pytest.mark.parametrize(
    ("code", "attributes"),
    [
        ("en", ' lang="en"'),
        ("sr-ec", ' lang="sr-Cyrl"'),
        ("sr-el", ' lang="sr-Latn"'),
        ("he", ' lang="he" dir="rtl"'),
        ("ar-x-other", ' lang="ar-X-Other" dir="rtl"'),
        ('"><b>', ' lang="&quot;&gt;&lt;b&gt;"'),
    ],
)
def test_attributes_of_an_element(code: str, attributes: str) -> None:
    assert lang_of(code) == attributes


@pytest.mark.parametrize(
    ("header", "available", "chosen"),
    [
        ("de, en;q=0.5", ["en", "de"], "de"),
        ("de-AT", ["en", "de"], "de"),
        ("fr, sr;q=0.9, en;q=0.1", ["en", "sr-ec"], "sr-ec"),
        ("sr-Latn", ["sr", "sr-el"], "sr-el"),
        ("sr", ["sr", "sr-el"], "sr"),
        ("fr", ["en", "de"], None),
        ("de;q=0", ["de"], None),
        ("*", ["de"], None),
        ("", ["de"], None),
        ("\x00;;;,,q=9", ["de"], None),
        ("de", [], None),
    ],
)
def test_the_language_a_reader_prefers(
    header: str, available: list[str], chosen: str | None
) -> None:
    assert best(available, wanted(header)) == chosen
