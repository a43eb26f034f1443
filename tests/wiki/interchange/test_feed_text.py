"""Feeds in, entries out; whatever is not certain is refused with its line."""

from datetime import UTC, datetime

import pytest

from tests.wiki.interchange.conftest import entry, feed
from wiki.interchange.feed_text import Feed, FeedTextError, PlainText, TextState, read, split_byline

LATE, MIDDLE, EARLY = "2020-03-01T10:00:00Z", "2020-02-01T10:00:00Z", "2020-01-01T10:00:00Z"


def read_feed(text: str) -> Feed:
    found = read(text.encode())
    assert isinstance(found, Feed)
    return found


def refused(text: str | bytes) -> FeedTextError:
    with pytest.raises(FeedTextError) as caught:
        read(text.encode() if isinstance(text, str) else text)
    return caught.value


def test_entry_gives_back_title_time_user_summary_and_text():
    found = read_feed(
        feed(
            entry("Gamehelpgo", LATE, "Ann: /* Ko */ clearer: no repeats", "== Ko ==\n\nNo.  "),
            entry("Chess", EARLY, "Ann:", "e4"),
        )
    )
    assert (found.site, found.language, found.owner) == ("Tiny Wiki", "en", "Ann")
    first, second = found.entries
    assert first.title == "Gamehelpgo"
    assert first.timestamp == datetime(2020, 3, 1, 10, tzinfo=UTC)
    assert first.summary == "/* Ko */ clearer: no repeats"
    assert first.text == "== Ko ==\n\nNo.  "
    assert (second.summary, second.text, second.line) == ("", "e4", 13)
    assert found.notes == ()


def test_states_of_entries_without_text():
    found = read_feed(
        feed(
            entry("Pacts", LATE, "Ann: Blanked the page"),
            entry("File:Board.png", MIDDLE),
            entry("Fichier:Dé.png", MIDDLE),
            entry("Go", EARLY),
        )
    )
    assert [one.state for one in found.entries] == [
        TextState.BLANK,
        TextState.FILE,
        TextState.FILE,
        TextState.MISSING,
    ]


def test_last_entry_that_may_be_cut_off_is_noted():
    whole = entry("Go", LATE, "Ann:", "Stones are put on points." * 9)
    cut = read_feed(feed(whole, entry("Go", EARLY, "Ann:", "Stones ar"))).entries[-1]
    assert any("cut off" in note for note in cut.notes)
    fine = read_feed(feed(whole, entry("Go", EARLY, "Ann:", "Stones are put on points." * 8)))
    assert fine.entries[-1].notes == ()


def test_text_of_a_created_page_is_checked_against_its_summary():
    good = entry("Go", LATE, 'Ann: Created page with "Stones are  pu..."', "Stones\nare put.")
    bad = entry("Go", LATE, 'Ann: Created page with "Tiles are pu..."', "Stones\nare put.")
    assert read_feed(feed(good)).entries[0].notes == ()
    assert "does not begin" in read_feed(feed(bad)).entries[0].notes[0]


@pytest.mark.parametrize("text", ["\ufeff{}", "{}\n"])
def test_byte_order_mark_and_last_line_end_do_not_count(text: str):
    plain = feed(entry("Go", LATE, "Ann:", "Text"))
    assert read_feed(text.format(plain)).entries == read_feed(plain).entries


def test_line_ends_of_any_kind():
    plain = feed(entry("Go", LATE, "Ann:", "One\n\nTwo"))
    assert read_feed(plain.replace("\n", "\r\n")) == read_feed(plain)


@pytest.mark.parametrize(
    ("line", "user", "summary"),
    [
        ("Ann:", "Ann", ""),
        ("Ann: a: b", "Ann", "a: b"),
        ("Ann Lee : court", "Ann Lee", "court"),
        ("安：中", "安", "中"),
        ("2001:DB8::1: typo", "2001:DB8::1", "typo"),
        ("2001:db8::1:", "2001:db8::1", ""),
        ("192.0.2.7: typo", "192.0.2.7", "typo"),
    ],
)
def test_byline(line: str, user: str, summary: str):
    assert split_byline(line) == (user, summary)


@pytest.mark.parametrize("line", ["no colon at all", ": nobody", "{{a}}: b", ""])
def test_no_byline(line: str):
    assert split_byline(line) is None


def test_header_of_another_user_is_text_and_told():
    text = f"See:\n\n{entry('Go', MIDDLE, 'Bob: hi', 'quoted')}"
    found = read_feed(feed(entry("Talk", LATE, "Ann:", text), entry("Go", EARLY, "Ann:", "x")))
    assert [one.title for one in found.entries] == ["Talk", "Go"]
    assert found.entries[0].text == text
    assert found.notes == ("line 11: a header of Bob's is taken as text.",)


def test_header_with_a_title_no_page_can_have_is_text_and_told():
    text = f"See:\n\n{entry('[[Go]]', MIDDLE, 'Ann: hi', 'quoted')}"
    found = read_feed(feed(entry("Talk", LATE, "Ann:", text)))
    assert found.entries[0].text == text
    assert len(found.notes) == 1


def test_as_many_headers_of_another_user_are_refused():
    text = f"See:\n\n{entry('Go', MIDDLE, 'Bob: hi', 'quoted')}"
    assert refused(feed(entry("Talk", LATE, "Ann:", text))).line == 11


def test_owners_header_inside_a_text_is_refused_where_times_rise():
    text = f"See:\n\n{entry('Go', EARLY, 'Ann: hi', 'quoted')}"
    error = refused(feed(entry("Talk", LATE, "Ann:", text), entry("Go", MIDDLE, "Ann:", "x")))
    assert error.line == 19
    assert "line 11" in error.message


def test_oldest_first_is_refused():
    assert refused(feed(entry("Go", EARLY, "Ann:", "a"), entry("Go", LATE, "Ann:", "b"))).line == 11


def test_same_second_is_kept_and_told():
    found = read_feed(feed(entry("Go", LATE, "Ann:", "b"), entry("Go", LATE, "Ann:", "a")))
    assert [one.text for one in found.entries] == ["b", "a"]
    assert "same second" in found.notes[0]


@pytest.mark.parametrize(
    ("broken", "line"),
    [
        (feed(entry("Go", LATE, "Ann:", "a"), f"Go\n\n{EARLY}\n\nNo byline here"), 13),
        (feed(entry("Go", LATE, "Ann:", "a"), f"Go\n{EARLY}\n\nAnn: squeezed\n\nb"), 12),
        (feed(entry("Go", LATE, "Ann:", "a"), f"Go\n\n{EARLY}"), 13),
        (feed(entry("Go", LATE, "Ann:", "a"), entry("Go", "2020-13-01T10:00:00Z")), 13),
        (feed(f"Go\n\n\n{LATE}\n\nAnn:\n\na"), 3),
        (feed("Only words"), 3),
        ("Tiny Wiki - User contributions [en]\n", 1),
        ("", 1),
        ("\n \n", 1),
        (feed(entry("Go", LATE, "Ann:", "a\x00b")), 9),
        (feed(entry("Go", LATE, "Ann:", "a")).encode() + b"\xff", 10),
        (entry("Go", LATE, "Ann:", "a feed without its title"), 1),
    ],
)
def test_damaged_file_is_refused_with_its_line(broken: str | bytes, line: int):
    if not isinstance(broken, bytes) and broken.startswith("Go"):
        broken = f"Words\n\n{broken}"
        line = 3
    assert refused(broken).line == line


def test_two_feeds_in_one_file_are_refused():
    one = feed(entry("Go", LATE, "Ann:", "a"), entry("Go", MIDDLE, "Ann:", "a"))
    other = feed(entry("Go", EARLY, "Bob:", "a"))
    assert refused(f"{one}\n{other}").line == 19


def test_time_inside_a_text_is_text():
    text = "The log says\n2020-01-01T10:00:00Z\nand no more."
    found = read_feed(feed(entry("Go", LATE, "Ann:", text)))
    assert found.entries[0].text == text
    assert found.notes == ("line 10: a time alone on its line is taken as text.",)


def test_text_without_feed_title_is_the_text_of_a_page():
    assert read(b"Go\n\nPut stones.\n") == PlainText("Go\n\nPut stones.")


@pytest.mark.parametrize(
    "text",
    [
        "S - " * 200_000,
        "S - L [en]\n\nGo\n\n" + LATE + "\n\nAnn" + ":" * 400_000,
        feed(entry("Go", LATE, "Ann: x", "::::" * 100_000 + "\n" + "A - " * 100_000 + "[en]")),
        feed(entry("Go", LATE, "Ann: x", f"{EARLY}\nx\n" * 20_000)),
    ],
    ids=["dashes", "colons", "text", "times"],
)
def test_no_text_makes_reading_slow(text: str):
    """Each took minutes where a line or the rest of the file was looked at again and again."""
    found = read(text.encode())
    assert isinstance(found, Feed | PlainText)
