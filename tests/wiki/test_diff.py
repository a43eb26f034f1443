"""Differences and merges of texts, without pages."""

import random
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wiki.history.diff import MAX_ROWS, Difference, Words, compare, interleave
from wiki.history.match import matching_blocks
from wiki.history.merge import closed, merge

lines = st.lists(
    st.sampled_from(["a b.", "a c. d e.", "x", "", "## H", "long line. two"]), max_size=12
)
texts = lines.map(lambda some: "".join(f"{line}\n" for line in some))


def sides(difference: Difference) -> tuple[list[str], list[str]]:
    """The lines shown on each side."""
    old = [
        "".join(p.text for p in row.old)
        for row in difference.rows
        if row.old or row.kind == "remove"
    ]
    new = [
        "".join(p.text for p in row.new) for row in difference.rows if row.new or row.kind == "add"
    ]
    return old, new


def is_part(small: list[str], big: list[str]) -> bool:
    rest = iter(big)
    return all(line in rest for line in small)


def test_words_are_marked_inside_a_line() -> None:
    rows = compare("The queen cost 13.\n", "The queen costs 13.\n").rows
    assert [row.kind for row in rows] == ["head", "change"]
    assert [(piece.text, piece.changed) for piece in rows[1].old] == [
        ("The queen ", False),
        ("cost", True),
        (" 13.", False),
    ]


def test_space_between_changed_words_belongs_to_the_change() -> None:
    old, new = Words().compare("it rotates now", "it goes round now")
    assert [piece.text for piece in new if piece.changed] == ["goes round"]
    assert interleave(old, new) == [
        ("same", "it "),
        ("old", "rotates"),
        ("new", "goes round"),
        ("same", " now"),
    ]


def test_lines_that_belong_together_stand_side_by_side() -> None:
    old = "keep\nThe first rule of tricks.\nA joker is wild.\nend\n"
    new = "keep\nSomething wholly new here!\nThe first rule of all tricks.\nend\n"
    kinds = [row.kind for row in compare(old, new).rows]
    assert kinds == ["head", "same", "add", "change", "remove", "same"]


def test_groups_name_their_lines_and_section() -> None:
    text = "## One\n" + "a\n" * 9 + "## Two\n" + "b\n" * 9
    head, *_rest = compare(text, text + "c\n").rows
    assert (head.kind, head.section, head.line_old, head.line_new) == ("head", "Two", 19, 19)


@given(texts, texts)
def test_difference_shows_every_changed_line_and_only_lines_that_are_there(
    old: str, new: str
) -> None:
    difference = compare(old, new)
    assert difference.same == (old.splitlines() == new.splitlines())
    shown_old, shown_new = sides(difference)
    assert is_part(shown_old, old.splitlines())
    assert is_part(shown_new, new.splitlines())


@given(st.text("ab .", max_size=40), st.text("ab .", max_size=40))
def test_pieces_of_words_make_the_texts_again(old: str, new: str) -> None:
    pieces_old, pieces_new = Words().compare(old, new)
    assert "".join(piece.text for piece in pieces_old) == old
    assert "".join(piece.text for piece in pieces_new) == new
    run = interleave(pieces_old, pieces_new)
    assert "".join(text for kind, text in run if kind != "new") == old
    assert "".join(text for kind, text in run if kind != "old") == new


@given(st.lists(st.integers(0, 5)), st.lists(st.integers(0, 5)))
def test_matching_blocks_match_and_rise(a: list[int], b: list[int]) -> None:
    end_a = end_b = 0
    for x, y, length in matching_blocks(a, b):
        assert length > 0
        assert x >= end_a
        assert y >= end_b
        assert a[x : x + length] == b[y : y + length]
        end_a, end_b = x + length, y + length


def bad_shapes() -> dict[str, tuple[str, str]]:
    draw = random.Random(1)
    numbered = [f"line number {i}\n" for i in range(20_000)]
    few = ["".join(draw.choice("ab") + "\n" for _ in range(20_000)) for _ in range(2)]
    pinned = [
        "".join(
            f"pin {i}\n" + "".join(draw.choice("ab") + "\n" for _ in range(490)) for i in range(80)
        )
        for _ in range(2)
    ]
    said = [f"Sentence {i}. " for i in range(20_000)]
    chain = [line for i in range(10_000) for line in (f"u{i + 1}", f"u{i}")]
    falling = ["\n".join(chain), "\n".join([*chain[:9], "x", *chain[9:-9], "y", *chain[-9:]])]
    groups = ["".join(f"{mark}\n" * 50 + f"pin {i}\n" for i in range(300)) for mark in "ab!?"]
    second = ["".join(f"w {mark}\npin {i}\n" for i in range(4_000)) for mark in "ab"]
    wide = [" ".join(draw.choice("abc") for _ in range(1_900)) for _ in range(2)]
    return {
        "empty lines": ("\n" * 20_000 + "a\n", "b\n" + "\n" * 19_000),
        "shuffled": ("".join(numbered), "".join(draw.sample(numbered, len(numbered)))),
        "two kinds of lines": (few[0], few[1]),
        "two kinds of lines between single ones": (pinned[0], pinned[1]),
        "no heading above many changes": (
            "".join(numbered),
            "".join(line.replace("0\n", "x\n") for line in numbered),
        ),
        "single only once others are taken away": (falling[0], falling[1]),
        "many groups of one word": (groups[0], groups[1]),
        "many groups without words": (groups[2], groups[3]),
        "every second line": (second[0], second[1]),
        "many passages": (
            "".join(numbered),
            "".join(line.replace("number", f"{i}") for i, line in enumerate(numbered)),
        ),
        "a heading of spaces": (f"# a{' ' * 200_000}b\nx\n", f"# a{' ' * 200_000}b\ny\n"),
        "dots": ("a" + "." * 200_000, "b" + "." * 200_000),
        "sentences of one line": ("".join(said), "".join(said).replace("7. ", "x. ")),
        "all is new": ("\n" * 200_000 + "a", "b" + "\n" * 200_000),
        "one long line": (wide[0], wide[1]),
        "many long lines": ((wide[0] + "\n") * 100, (wide[1] + "\n") * 100),
    }


@pytest.mark.parametrize("shape", bad_shapes())
def test_bad_shapes_take_bounded_time(shape: str) -> None:
    old, new = bad_shapes()[shape]
    start = time.process_time()
    compare(old, new)
    merge(old, new, old + "z\n")
    merge(old, new, new.replace("a", "y").replace("e", "x"))
    assert time.process_time() - start < 5  # unbounded, some take minutes


def test_many_new_lines_share_rows() -> None:
    rows = compare("a\n", "".join(f"{i}\n" for i in range(3_000))).rows
    new = "\n".join(piece.text for row in rows for piece in row.new)
    assert new.split("\n") == [str(i) for i in range(3_000)]
    assert len(rows) < 100


def test_after_very_many_changes_the_rest_is_shown_whole() -> None:
    old = [f"word {i % 7} old\npin {i}" for i in range(MAX_ROWS)]
    new = [text.replace("old", "new") for text in old]
    difference = compare("\n".join(old), "\n".join(new))
    shown_old, shown_new = sides(difference)
    assert "\n".join(shown_old).splitlines() == "\n".join(old).splitlines()
    assert "\n".join(shown_new).splitlines() == "\n".join(new).splitlines()
    whole = "\n".join(new).splitlines()[difference.whole_from - 1 :]
    assert shown_new[-1].splitlines() == whole[-(len(whole) % 100 or 100) :]
    assert len(difference.rows) < 2 * MAX_ROWS
    assert compare("a\n", "b\n").whole_from == 0


def test_difference_that_ran_out_of_steps_says_so() -> None:
    groups = ["".join(f"{mark} x\n" * 50 + f"pin {i}\n" for i in range(80)) for mark in "ab"]
    assert not compare(*groups).words
    assert compare("a x\n", "b x\n").words


# Merge


def test_texts_that_clash_in_very_many_places_clash_as_a_whole() -> None:
    base, theirs, mine = (
        "".join(f"{mark} {i} x.\n\nline {i} is here.\n\n" for i in range(300)) for mark in "abc"
    )
    [passage] = merge(base, theirs, mine).passages
    assert (passage.before, passage.theirs, passage.mine) == (
        base.rstrip(),
        theirs.rstrip(),
        mine.rstrip(),
    )
    assert merge(base, theirs, mine).with_passages([passage.mine]) == mine.rstrip() + passage.tail


def test_changes_in_different_lines_fit() -> None:
    merged = merge("a\nb\nc\n", "A\nb\nc\n", "a\nb\nC\n")
    assert merged.text == "A\nb\nC\n"
    assert merged.fitted == 1


def test_changes_in_different_sentences_fit_when_one_lies_between() -> None:
    base = "One here. Two there. Three everywhere.\n"
    merged = merge(base, base.replace("One", "1"), base.replace("Three", "3"))
    assert merged.text == "1 here. Two there. 3 everywhere.\n"


def test_same_sentence_is_a_passage_and_the_rest_fits() -> None:
    base = "## H\n\nOne here. Two there. Three.\n\nEnd.\n"
    mine = base.replace("Two", "II").replace("End", "Fin")
    merged = merge(base, base.replace("Two", "2"), mine)
    assert merged.text is None
    [passage] = merged.passages
    assert (passage.before, passage.theirs, passage.mine) == (
        "Two there.",
        "2 there.",
        "II there.",
    )
    assert passage.section == "H"
    assert merged.with_passages(["Both."]) == "## H\n\nOne here. Both. Three.\n\nFin.\n"
    assert merged.with_passages([" "]) == "## H\n\nOne here. Three.\n\nFin.\n"
    with pytest.raises(ValueError, match="number of passages"):
        merged.with_passages([])


@given(texts, texts)
def test_one_sided_changes_are_taken_as_they_are(base: str, mine: str) -> None:
    assert merge(base, base, mine).text == mine
    assert merge(base, mine, base).text == mine
    assert merge(base, mine, mine).text == mine


@given(texts, texts, texts)
def test_no_line_of_either_is_lost_in_a_merge(base: str, theirs: str, mine: str) -> None:
    merged = merge(base, theirs, mine)
    for side, text in (("theirs", theirs), ("mine", mine)):
        chosen = merged.with_passages([getattr(passage, side) for passage in merged.passages])
        new = set(text.split()) - set(base.split())
        assert new <= set(chosen.split()) | {
            word for passage in merged.passages for word in getattr(passage, side).split()
        }
    assert closed("") == ""
