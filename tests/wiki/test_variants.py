"""Serbian in both scripts: the letters, Roman numerals, whole texts."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.markup.variants import CYRILLIC, LATIN, to_cyrillic, to_latin

SEEDS = Path(__file__).parents[3] / "shared" / "seeds"


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("Ljubav, njiva, džep", "Љубав, њива, џеп"),
        ("LJUBAV, NJIVA, DŽEP", "ЉУБАВ, ЊИВА, ЏЕП"),
        ("lJ nJ dŽ", "лЈ нЈ дЖ"),  # no pair is written like this
        ("in!jekcija, nad!živeti, UL!JE, NAD!ŽI, N!j", "инјекција, надживети, УЛЈЕ, НАДЖИ, Нј"),
        ("L!J", "L!Ј"),  # the numeral fifty comes first
        ("qwxy QWXY", "qwxy QWXY"),
        ("čćđšž ČĆĐŠŽ", "чћђшж ЧЋЂШЖ"),
        ("Dovle! jeste", "Довле! јесте"),
        ("naïve ♣ 5 €", "наïве ♣ 5 €"),
        ("", ""),
    ],
)
def test_latin_becomes_cyrillic(latin: str, cyrillic: str) -> None:
    assert to_cyrillic(latin) == cyrillic


@pytest.mark.parametrize(
    ("latin", "cyrillic"),
    [
        ("XIV", "XIV"),
        ("Luj XIV vlada", "Луј XIV влада"),
        ("(IV)", "(IV)"),
        ("MMMMCMXCIX.", "MMMMCMXCIX."),
        ("IIII", "ИИИИ"),  # not well formed
        ("VX", "ВX"),
        ("C D M", "C Д M"),  # the numerals take the spaces, so nothing stands before the middle one
        ("C  D  M", "C  D  M"),
        ("♣V", "♣В"),  # a sign outside ASCII counts as part of a word
        ("V♣", "В♣"),
        ("čI", "чИ"),
        ("_I", "_И"),
        ("1I", "1И"),
        ("xiv", "xив"),
        ("I\n", "I\n"),
    ],
)
def test_roman_numerals_stay(latin: str, cyrillic: str) -> None:
    assert to_cyrillic(latin) == cyrillic


def test_cyrillic_becomes_latin() -> None:
    assert (
        to_latin("Љубав, њива, џеп; ЉУБАВ XIV. qw лј") == "Ljubav, njiva, džep; LjUBAV XIV. qw lj"
    )


@given(st.text(alphabet=CYRILLIC + CYRILLIC.upper() + "љњџЉЊЏ qwxy.,-!\n"))
def test_cyrillic_comes_back(text: str) -> None:
    """All but letters that Latin writes like one: лј, нј, дж."""
    latin = to_latin(text)
    if not any(
        pair in text.lower() for pair in ("лј", "нј", "дж", "л!ј", "н!ј", "д!ж")
    ) and not any(mark in latin for mark in "MDCLXVI"):
        assert to_cyrillic(latin) == text


@given(st.text(alphabet=LATIN + LATIN.upper() + " ♣.MDCLXVI\x00é!"))
def test_nothing_is_lost(text: str) -> None:
    """Converting to Latin undoes converting to Cyrillic but for the "!" that kept letters apart."""
    assert to_latin(to_cyrillic(text)).lower().replace("!", "") == text.lower().replace("!", "")


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the seeds are not beside this folder")
def test_the_seed_byte_for_byte() -> None:
    cyrillic = (SEEDS / "001_7858b867bf170227.txt").read_bytes()
    latin = (SEEDS / "001_transliterated_back.txt").read_bytes()
    assert to_cyrillic(latin.decode()).encode() == cyrillic
    assert to_latin(cyrillic.decode()).encode() == latin
