"""Times, counts and changes in words."""

from datetime import timedelta

import pytest
from django.utils import timezone

from portal.templatetags import parlour


@pytest.mark.parametrize(
    ("past", "words"),
    [
        (timedelta(seconds=20), "just now"),
        (timedelta(seconds=61), "1 minute ago"),
        (timedelta(minutes=20, seconds=5), "20 minutes ago"),
        (timedelta(hours=2, minutes=1), "2 hours ago"),
        (timedelta(days=1, hours=1), "yesterday"),
        (timedelta(days=3, hours=1), "3 days ago"),
    ],
)
def test_ago(past, words):
    assert parlour.ago(timezone.now() - past) == words


def test_long_ago_is_a_date_and_no_time_is_said():
    long_ago = timezone.now().replace(year=2019, month=6, day=12)
    assert parlour.ago(long_ago) == "12 June 2019"
    assert parlour.ago(None) == "undated"


@pytest.mark.parametrize(
    ("ahead", "words"),
    [
        (timedelta(days=2, minutes=1), "2 days left"),
        (timedelta(hours=35, minutes=1), "35 hours left"),
        (timedelta(hours=1, minutes=50, seconds=5), "110 minutes left"),
        (timedelta(seconds=90), "89 seconds left"),
        (timedelta(seconds=-1), "time is up"),
    ],
)
def test_left(ahead, words):
    assert parlour.left(timezone.now() + ahead) == words


@pytest.mark.parametrize(("number", "words"), [(1904, "+1,904"), (-38, "−38"), (0, "±0")])
def test_signed(number, words):
    assert parlour.signed(number) == words


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ("/* Passing */ the hold hand", "→ Passing: the hold hand"),
        ("/* Bearing off */", "→ Bearing off"),
        ("spelling", "spelling"),
    ],
)
def test_plain_summary(summary, words):
    assert parlour.plain_summary(summary) == words


def test_in_words():
    assert [parlour.in_words(n) for n in (0, 3, 12, 13)] == ["no", "three", "twelve", "13"]


def test_icons_are_decoration_from_one_sprite():
    assert parlour.icon("clock") == (
        '<svg aria-hidden="true"><use href="/static/portal/icons.svg#clock"/></svg>'
    )
    assert 'class="solid"' in parlour.icon("seat-0", "solid")
