"""Import through the command: what is stored, what a second run adds, what is refused."""

import json
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from portal.models import User
from tests.wiki.interchange.conftest import entry, feed
from wiki.interchange.importer import display_title
from wiki.models import ImportSource, Page, PageName, Revision
from wiki.services import Draft, edit_page, load_page, protect

pytestmark = pytest.mark.django_db

ANN = feed(
    entry("Gamehelpgo", "2020-03-01T10:00:00Z", "Ann: third", "Three ''stones''."),
    entry("File:Board.png", "2020-02-01T12:00:00Z"),
    entry("Gamehelpgo", "2020-02-01T10:00:00Z", "Ann: Blanked the page"),
    entry("Gamehelpgo", "2020-01-01T10:00:00Z", "Ann:", "One stone."),
    entry("Gamehelpmancala", "2019-01-01T10:00:00Z"),
)
BOB = feed(
    entry("Gamehelpgo", "2020-03-02T10:00:00Z", "Bob: fourth", "Four stones."),
    entry("Gamehelpgo", "2020-01-15T10:00:00Z", "Bob:"),
)


def run(*files: Path, **options) -> dict:
    out = StringIO()
    call_command("import_wiki", *map(str, files), json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def histories() -> list[tuple]:
    """All that a reader can tell of all pages, without row ids."""
    return [
        (
            page.slug,
            page.title,
            page.language,
            page.current.number if page.current else None,
            sorted(page.names.values_list("title", flat=True)),
            [
                (
                    row.number,
                    row.parent.number if row.parent else None,
                    row.author_name,
                    row.timestamp,
                    row.summary,
                    row.text,
                    row.text_state,
                    row.delta,
                    row.source_text,
                )
                for row in page.revisions.order_by("number").select_related("parent")
            ],
        )
        for page in Page.objects.order_by("slug").select_related("current")
    ]


def test_figures_of_an_import(write):
    figures = run(write(ANN))
    assert figures == {
        "entries": 5,
        "texts": 2,
        "blank": 1,
        "files": 1,
        "missing": 1,
        "added": 5,
        "completed": 0,
        "upgraded": 0,
        "unchanged": 0,
        "refused": 0,
        "unlisted": 0,
        "pages": 3,
        "warnings": figures["warnings"],
        "dry_run": False,
    }
    assert len(figures["warnings"]) == 2  # the entry without text, which ends the file


def test_second_import_adds_nothing(write):
    path = write(ANN)
    run(path)
    before, rows = histories(), set(Revision.objects.values_list("pk", flat=True))
    again = run(path)
    assert (again["added"], again["unchanged"], again["warnings"]) == (0, 5, [])
    assert histories() == before
    assert set(Revision.objects.values_list("pk", flat=True)) == rows
    assert ImportSource.objects.count() == 1


def test_files_in_another_order_give_the_same_history(write):
    ann, bob = write(ANN, "ann.txt"), write(BOB, "bob.txt")
    run(ann, bob)
    forward = histories()
    Page.objects.update(current=None)
    Revision.objects.all().delete()
    Page.objects.all().delete()
    run(bob)
    run(ann)
    assert histories() == forward


def test_feed_split_in_two_gives_the_same_history(write):
    run(write(ANN, "whole.txt"))
    whole = histories()
    Page.objects.update(current=None)
    Revision.objects.all().delete()
    Page.objects.all().delete()
    title, *parts = ANN.strip("\n").split("\n\n")
    cut = parts.index("File:Board.png")
    run(write("\n\n".join([title, *parts[cut:]]), "older.txt"))
    run(write("\n\n".join([title, *parts[:cut]]), "newer.txt"))
    assert histories() == whole


def test_revisions_stand_in_order_of_time_with_names_for_authors(write):
    run(write(ANN), write(BOB, "bob.txt"))
    page = Page.objects.get(slug="go")
    rows = list(page.revisions.order_by("number"))
    assert [row.author_name for row in rows] == ["Ann", "Bob", "Ann", "Ann", "Bob"]
    assert [row.number for row in rows] == [1, 2, 3, 4, 5]
    assert all(row.author is None for row in rows)
    assert not User.objects.exists()
    assert rows[0].timestamp == datetime(2020, 1, 1, 10, tzinfo=UTC)
    assert page.current == rows[4]


def test_original_is_kept_beside_the_markdown(write):
    run(write(ANN))
    row = Revision.objects.get(summary="third")
    assert (row.source_text, row.text) == ("Three ''stones''.", "Three *stones*.\n")
    assert (row.origin_title, row.origin.site) == ("Gamehelpgo", "Tiny Wiki")
    assert row.converter_version


def test_title_and_alias_lead_to_the_page(write):
    run(write(ANN))
    page = Page.objects.get(slug="go")
    assert page.title == "Go"
    assert {name.title for name in page.names.all()} == {"Go", "Gamehelpgo"}
    assert PageName.objects.get(key="file:board.png").page.namespace == "file"


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Gamehelpverso", "Verso"),
        ("Gamehelp", "Gamehelp"),
        ("Tools and tips", "Tools and tips"),
        ("Fichier:Dé.png", "File:Dé.png"),
    ],
)
def test_display_title(title: str, shown: str):
    assert display_title(title) == shown


def test_missing_text_is_never_current(write):
    run(write(BOB), write(ANN, "ann.txt"))
    mancala = Page.objects.get(slug="mancala")
    assert mancala.current is None
    assert mancala.revisions.get().text_state == "missing"


def test_blanked_page_is_current_and_keeps_its_history(write):
    run(
        write(
            feed(
                entry("Pacts", "2020-02-01T10:00:00Z", "Ann: Blanked the page"),
                entry("Pacts", "2020-01-01T10:00:00Z", "Ann:", "Text"),
            )
        )
    )
    page = Page.objects.get(slug="pacts")
    assert page.current.text_state == "blank"
    assert page.revisions.count() == 2
    assert page.current.delta == -len("Text\n")


def test_missing_text_is_completed_by_a_feed_that_has_it(write):
    run(write(BOB))
    better = feed(
        entry("Gamehelpgo", "2020-03-02T10:00:00Z", "Bob: fourth", "Four stones."),
        entry("Gamehelpgo", "2020-01-15T10:00:00Z", "Bob:", "Two stones."),
    )
    figures = run(write(better, "better.txt"))
    assert (figures["added"], figures["completed"], figures["unchanged"]) == (0, 1, 1)
    row = Revision.objects.get(number=1)
    assert (row.text, row.text_state, row.source_text) == (
        "Two stones.\n",
        "present",
        "Two stones.",
    )
    assert Revision.objects.get(number=2).delta == len("Four stones.") - len("Two stones.")


def test_other_text_for_a_known_entry_is_told_and_the_old_one_kept(write):
    run(write(ANN))
    figures = run(write(ANN.replace("One stone.", "One pebble."), "other.txt"))
    assert (figures["added"], figures["unchanged"]) == (0, 5)
    assert "the old one is kept" in " ".join(figures["warnings"])
    assert not Revision.objects.filter(text__contains="pebble").exists()


def test_same_second_keeps_the_order_of_the_file(write):
    second = "2020-01-01T10:00:00Z"
    path = write(
        feed(entry("Go", second, "Ann: b", "Later."), entry("Go", second, "Ann: a", "Sooner."))
    )
    run(path)
    assert list(Revision.objects.order_by("number").values_list("summary", flat=True)) == ["a", "b"]
    assert run(path)["added"] == 0


def test_dry_run_stores_nothing_and_tells_the_same(write):
    ann, bob = write(ANN), write(BOB, "bob.txt")
    planned = run(ann, bob, ann, dry_run=True)
    assert (planned["added"], planned["unchanged"]) == (7, 5)
    assert not Page.objects.exists()
    assert not ImportSource.objects.exists()
    done = run(ann, bob, ann)
    assert {**planned, "dry_run": False} == done


def test_broken_file_imports_nothing_and_says_where(write):
    broken = write(BOB.replace("Bob: fourth", "nobody"), "broken.txt")
    with pytest.raises(CommandError, match=r"broken\.txt, line 3: "):
        run(write(ANN), broken)
    assert not Page.objects.exists()


def test_file_that_is_not_there(tmp_path):
    with pytest.raises(CommandError, match=r"none\.txt: No such file"):
        run(tmp_path / "none.txt")


def test_page_text_needs_title_and_language(write):
    path = write("Go\n\n• Stones are put.\n", "page.txt")
    with pytest.raises(CommandError, match="--title and --language"):
        run(path)
    with pytest.raises(CommandError, match="--title and --language"):
        run(path, title="Gamehelpgo")
    assert not Page.objects.exists()


def test_page_text_is_undated_and_stands_first(write):
    run(write(ANN))
    path = write("Go\n\n• Stones are put.\n", "page.txt")
    assert run(path, title="Gamehelpgo", language="sr")["added"] == 1
    assert run(path, title="Gamehelpgo", language="sr")["added"] == 0
    page = Page.objects.get(slug="go")
    first = page.revisions.get(number=1)
    assert (first.timestamp, first.source_text) == (None, "Go\n\n• Stones are put.")
    assert first.origin.language == "sr"
    assert page.current.summary == "third"


def test_page_is_in_the_language_of_its_text_whatever_came_first(write):
    path = write("Го\n", "page.txt")
    run(path, title="Gamehelpgo", language="sr")
    assert Page.objects.get().language == "sr"
    run(write(ANN))
    assert Page.objects.get(slug="go").language == "en"
    assert run(path, title="Gamehelpgo", language="sr")["added"] == 0
    assert Page.objects.get(slug="go").language == "en"


@pytest.mark.parametrize("language", ["<b>", "e", "this-is-a-very-long-language-code", "en us"])
def test_language_that_is_none_is_refused(write, language):
    with pytest.raises(CommandError, match="no code of a language"):
        run(write(ANN), language=language)
    assert not Page.objects.exists()


@pytest.mark.parametrize("title", ["Site - Label [abcdefghijklmnopqrst]", "S" * 256 + " - L [en]"])
def test_feed_title_that_no_column_holds_is_refused(write, title):
    path = write(title + "\n\n" + entry("Go", "2020-03-01T10:00:00Z", "Ann: x", "Text."))
    with pytest.raises(CommandError, match="line 1: no site has so long a name"):
        run(path)


def test_enormous_file_is_not_read_to_its_end(write, monkeypatch):
    monkeypatch.setattr("wiki.interchange.importer.MAX_FILE_BYTES", 50)
    with pytest.raises(CommandError, match="split it into files"):
        run(write(ANN))


def test_page_of_two_files_counts_once(write):
    assert run(write(ANN), write(BOB, "bob.txt"))["pages"] == 3


def test_title_is_for_one_page_text_only(write):
    with pytest.raises(CommandError, match="leave out --title"):
        run(write(ANN), title="Go")
    with pytest.raises(CommandError, match="one file"):
        run(write(ANN), write(BOB, "bob.txt"), title="Go")


def ours() -> Page:
    load_page(slug="go", title="Go", aliases=["Gamehelpgo"], text="Our words.", game="go")
    return Page.objects.get(slug="go")


def test_import_joins_our_page_and_our_text_stays_current(write):
    page = ours()
    run(write(ANN))
    page.refresh_from_db()
    assert page.current.text == "Our words.\n"
    assert page.current.number == page.revisions.count() == 4
    assert Page.objects.filter(title="Go").count() == 1


def test_import_before_our_page_gives_the_same_page(write):
    run(write(ANN))
    page = ours()
    assert page.current.text == "Our words.\n"
    assert page.revisions.count() == 4
    assert run(write(ANN))["added"] == 0


def test_newer_imported_text_does_not_become_current_by_itself(write):
    page = ours()
    run(write(ANN.replace("2020-03-01", "2999-03-01")))
    page.refresh_from_db()
    assert page.current.text == "Our words.\n"


def test_take_over_makes_the_newest_imported_text_current(write):
    page = ours()
    path = write(ANN)
    run(path)
    assert run(path, take_over=True)["added"] == 0
    page.refresh_from_db()
    assert page.current.summary == "third"
    assert page.revisions.filter(text="Our words.\n").exists()
    run(path)
    page.refresh_from_db()
    assert page.current.summary == "third"


def test_an_edit_made_here_stays_current(write):
    run(write(ANN))
    page = Page.objects.get(slug="go")
    author = User.objects.create_user("carla")
    draft = Draft(text="Edited here.", base=page.current_id)
    edit_page(slug="go", title="Go", author=author, draft=draft)
    run(write(BOB, "bob.txt"))
    page.refresh_from_db()
    assert page.current.text == "Edited here.\n"
    assert page.current.number == page.revisions.count()


def test_words_for_people(write):
    out = StringIO()
    call_command("import_wiki", str(write(ANN)), stdout=out)
    assert "5 entries on 3 pages: 2 with text, 1 blanked, 1 file page, 1 without text." in (
        out.getvalue()
    )
    assert "5 added, 0 known already." in out.getvalue()


def test_page_that_was_only_protected_here_still_gets_newer_imports(write):
    run(write(ANN, "ann.txt"))
    mod = User.objects.create_user("Mo", is_staff=True)
    page = Page.objects.get(title="Go")
    protect(page_id=page.pk, level="staff", span="week", reason="a quarrel", moderator=mod)
    run(write(BOB, "bob.txt"))
    page.refresh_from_db()
    assert page.current.text == "Four stones.\n"
    told = page.revisions.get(event="protection")
    assert (told.number, told.delta) == (page.revisions.count(), 0)
