"""Import of XML exports and Atom feeds: what is stored, what upgrades what, what is refused."""

import bz2
import gzip
import lzma
import zipfile
from contextlib import suppress
from datetime import UTC, datetime
from io import BytesIO, StringIO
from itertools import permutations

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError

from portal.models import User
from tests.wiki.interchange.conftest import entry, feed
from tests.wiki.interchange.exports import (
    atom,
    atom_entry,
    export,
    page,
    revision,
    upload,
)
from tests.wiki.interchange.test_importer import histories, run
from wiki.interchange import importer
from wiki.interchange.mediawiki_xml import base36_sha1, slots_sha1
from wiki.models import ImportSource, Page, PageName, Revision
from wiki.services import Draft, edit_page

pytestmark = pytest.mark.django_db

T1, T2, T3 = "2020-01-01T10:00:00Z", "2020-02-01T10:00:00Z", "2020-03-01T10:00:00Z"
TEXT = "One ''stone''.\n\n  two\n\n<br>three"
GO = page(
    "Gamehelpgo",
    revision(11, T1, text="One stone.", comment="first"),
    revision(12, T2, "192.0.2.7", ip=True, parent=11, comment="Blanked the page"),
    revision(15, T3, "Bob", TEXT, parent=12, minor=True, comment="with [[link|words]]"),
)


def zipped(data: bytes) -> bytes:
    out = BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("wiki.xml", data)
    return out.getvalue()


def wiped() -> None:
    Page.everything.update(current=None)
    for model in (Revision, PageName, Page, ImportSource):
        model._base_manager.all().delete()


def test_export_brings_numbers_parents_and_marks(write):
    figures = run(write(export(GO)))
    assert (figures["entries"], figures["texts"], figures["blank"]) == (3, 2, 1)
    assert (figures["added"], figures["pages"], figures["warnings"]) == (3, 1, figures["warnings"])
    rows = list(Page.objects.get(slug="go").revisions.order_by("number"))
    assert [(row.number, row.origin_revid, row.origin_parent) for row in rows] == [
        (1, 11, None),
        (2, 12, 11),
        (3, 15, 12),
    ]
    assert [row.author_name for row in rows] == ["Ann", "192.0.2.7", "Bob"]
    assert [row.minor for row in rows] == [False, False, True]
    assert [row.parent for row in rows] == [None, rows[0], rows[1]]
    assert [row.text_state for row in rows] == ["present", "blank", "present"]
    assert rows[2].source_text == TEXT
    assert rows[2].timestamp == datetime(2020, 3, 1, 10, tzinfo=UTC)
    assert (rows[0].origin.kind, rows[0].origin.site) == ("xml", "Tiny Wiki")
    assert not User.objects.exists()


@pytest.mark.parametrize("schema", ["0.3", "0.10", "0.11"])
def test_schemas(write, schema: str):
    assert run(write(export(GO, schema=schema)))["added"] == 3


def test_second_import_adds_nothing(write):
    path = write(export(GO))
    run(path)
    before = histories()
    again = run(path)
    assert (again["added"], again["upgraded"], again["unchanged"]) == (0, 0, 3)
    assert again["warnings"] == []
    assert histories() == before


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_packed_export(write, pack):
    assert run(write(pack(export(GO).encode()), "go.packed"))["added"] == 3


SOURCES = {
    "text": feed(
        entry("Gamehelpgo", T3, "Bob: with words", "One ''stone''.\n\ntwo\n\nthree"),
        entry("Gamehelpgo", T1, "Bob:", "Never in the export."),
    ),
    "atom": atom(atom_entry(15, "Gamehelpgo", T3, "Bob", "with words", TEXT)),
    "xml": export(GO),
}


@pytest.mark.parametrize("order", list(permutations(SOURCES)))
def test_better_sources_upgrade_in_any_order(write, order):
    for name in order:
        run(write(SOURCES[name], f"{name}.xml"))
    rows = list(Page.objects.get(slug="go").revisions.order_by("number"))
    assert [(row.origin_revid, row.author_name) for row in rows] == [
        (None, "Bob"),
        (11, "Ann"),
        (12, "192.0.2.7"),
        (15, "Bob"),
    ]
    last = rows[-1]
    assert (last.source_text, last.minor, last.origin.kind) == (TEXT, True, "xml")
    assert (last.summary, last.origin_parent) == ("with [[link|words]]", 12)
    assert [row.number for row in rows] == [1, 2, 3, 4]
    before = histories()
    for name in order:
        again = run(write(SOURCES[name], f"{name}.xml"))
        assert (again["added"], again["upgraded"], again["completed"]) == (0, 0, 0)
    assert histories() == before
    assert Page.objects.count() == 1


def test_upgrade_is_told(write):
    run(write(SOURCES["text"]))
    figures = run(write(SOURCES["xml"], "go.xml"))
    assert (figures["added"], figures["upgraded"]) == (2, 1)
    assert any("replaced by that of a better source" in line for line in figures["warnings"])
    worse = run(write(SOURCES["text"]))
    assert (worse["upgraded"], worse["unchanged"]) == (0, 2)
    assert any("the old one is kept" in line for line in worse["warnings"])


def test_missing_text_is_filled(write):
    run(write(feed(entry("Gamehelpgo", T3, "Bob: x"), entry("Gamehelpgo", T3, "Bob: y", "later"))))
    wiped()
    run(write(feed(entry("Gamehelpgo", T3, "Bob: x"))))
    assert Page.objects.get().current is None
    assert run(write(export(GO), "go.xml"))["completed"] == 1
    assert Page.objects.get().current.origin_revid == 15


def test_text_of_an_older_converter_is_made_anew_where_nobody_wrote_since(write):
    path = write(export(GO))
    run(path)
    before = histories()
    ids = set(Revision.objects.values_list("pk", flat=True))
    old = {"converter_version": 1, "text": "Old.\n", "text_sha1": "0", "size": 5, "delta": 0}
    Revision.objects.filter(text_state="present").update(**old)
    figures = run(path)
    assert (figures["added"], figures["upgraded"], figures["unchanged"]) == (0, 2, 1)
    assert histories() == before
    assert set(Revision.objects.values_list("pk", flat=True)) == ids
    assert run(path)["upgraded"] == 0
    author = User.objects.create_user("carla")
    page = Page.objects.get()
    draft = Draft(text="Ours.", base=page.current_id)
    edit_page(slug="go", title="Go", author=author, draft=draft)
    Revision.objects.filter(origin_revid=11).update(**old)
    assert run(path)["upgraded"] == 0
    assert Revision.objects.get(origin_revid=11).text == "Old.\n"


def test_same_second_of_one_person(write):
    first = entry("Go", T1, "Ann: b", "Later."), entry("Go", T1, "Ann: a", "Sooner.")
    run(write(feed(*first)))
    both = page("Go", revision(1, T1, text="Sooner!"), revision(2, T1, text="Later!"))
    assert run(write(export(both), "go.xml"))["upgraded"] == 2
    rows = list(Revision.objects.order_by("number").values_list("source_text", "summary"))
    assert rows == [("Sooner!", "a"), ("Later!", "b")]


def test_text_of_another_page_or_site_is_no_upgrade(write):
    run(write(feed(entry("Go", T1, "Ann:", "Text."))))
    run(write(export(page("Chess", revision(1, T1, text="Text."))), "chess.xml"))
    run(write(export(page("Go", revision(1, T1, text="Other.")), site="Other"), "other.xml"))
    assert Revision.objects.count() == 3


def test_site_can_be_named(write):
    run(write(feed(entry("Go", T1, "Ann:", "Text."))))
    run(write(export(page("Go", revision(1, T1, text="T.")), site="T"), "o.xml"), site="Tiny Wiki")
    assert Revision.objects.count() == 1


def test_hidden_parts_and_a_text_that_comes_later(write):
    hidden = revision(15, T3, "Bob", "x", hidden={"user", "comment", "text"})
    run(write(export(page("Go", revision(11, T1, text="One."), hidden))))
    row = Revision.objects.get(origin_revid=15)
    assert (row.author_name, row.summary, row.text_state) == ("unknown", "", "missing")
    assert len([note for note in row.warnings if "had hidden" in note]) == 3
    assert Page.objects.get().current.origin_revid == 11
    run(write(atom(atom_entry(15, "Go", T3, "Bob", "now", "Text.")), "f.xml"))
    row.refresh_from_db()
    assert (row.text_state, row.source_text) == ("present", "Text.")
    assert Revision.objects.count() == 2


def test_damaged_text_is_refused_and_told(write):
    damaged = revision(15, T3, "Bob", "Damaged.", sha1=base36_sha1("Whole."))
    path = write(export(page("Go", revision(11, T1, text="One."), damaged)))
    figures = run(path)
    assert (figures["refused"], figures["missing"]) == (1, 1)
    assert any("SHA-1" in line and "Go" in line for line in figures["warnings"])
    assert not Revision.objects.filter(source_text__contains="Damaged").exists()
    assert Page.objects.get().current.origin_revid == 11
    whole = export(page("Go", revision(15, T3, "Bob", "Whole.")))
    assert run(write(whole, "whole.xml"))["completed"] == 1


def test_two_texts_of_one_revision(write):
    other = "{}"
    slots = (
        "<content><role>data</role><origin>5</origin><model>json</model><format>application/json"
        f'</format><text bytes="2" sha1="{base36_sha1(other)}">{other}</text></content>'
    )
    total = slots_sha1([("main", base36_sha1("Text.")), ("data", base36_sha1(other))])
    both = revision(5, T1, text="Text.", slots=slots).replace(
        f"<sha1>{base36_sha1('Text.')}</sha1>", f"<sha1>{total}</sha1>"
    )
    figures = run(write(export(page("Go", both))))
    assert figures["refused"] == 0
    row = Revision.objects.get()
    assert row.source_text == "Text."
    assert any("second text (data)" in note for note in row.warnings)


def test_stub_without_texts(write):
    stub = revision(5, T1, text="Text.").replace(">Text.</text>", "></text>")
    run(write(export(page("Go", stub))))
    assert Revision.objects.get().text_state == "missing"


def test_namespaces_of_another_language(write):
    russian = {1: "Обсуждение", 6: "Файл", 14: "Категория", 10: "Шаблон", 2: "Участник"}
    run(
        write(
            export(
                page("Обсуждение:Го", revision(1, T1, text="About."), ns=1, number=1),
                page("Го", revision(2, T1, text="Rules."), number=2),
                page("Файл:Доска.png", revision(3, T1, text="A board."), ns=6, number=3),
                page("Категория:Игры", revision(4, T1, text="Games."), ns=14, number=4),
                page("Шаблон:Бокс", revision(5, T1, text="Box"), ns=10, number=5),
                page("Участник:Аня", revision(6, T1, text="Me"), ns=2, number=6),
                language="ru",
                namespaces=russian,
            )
        )
    )
    found = {(one.namespace, one.title) for one in Page.objects.all()}
    assert found == {
        ("talk", "Talk:Го"),
        ("", "Го"),
        ("file", "File:Доска.png"),
        ("category", "Category:Игры"),
        ("", "Шаблон:Бокс"),
    }
    assert Page.objects.get(namespace="talk").subject == Page.objects.get(title="Го")
    assert {one.language for one in Page.objects.all()} == {"ru"}


def test_talk_of_a_help_page_is_that_of_the_game(write):
    parts = [
        page("Talk:Gamehelpgo", revision(1, T1, text="Why?"), ns=1, number=1),
        page("Gamehelpgo", revision(2, T1, text="Rules."), number=2),
        page("File talk:Board.png", revision(3, T1, text="Whose?"), ns=7, number=3),
        page("File:Board.png", revision(4, T1, text="A board."), ns=6, number=4),
    ]
    for order in (parts, parts[::-1]):
        wiped()
        run(write(export(*order, namespaces={7: "File talk"})))
        found = dict(Page.objects.filter(namespace="talk").values_list("title", "subject__title"))
        assert found == {"Talk:Go": "Go", "Talk:File:Board.png": "File:Board.png"}


def test_links_name_the_namespaces_of_the_wiki(write):
    text = "[[चित्र:A.png]] [[श्रेणी:Games]] [[:चित्र:A.png]] [[वार्ता:Go]]"
    names = {1: "वार्ता", 6: "चित्र", 14: "श्रेणी"}
    parts = (
        page("Go", revision(1, T1, text=text)),
        page("Go!", revision(2, T1, text="#REDIRECT [[श्रेणी:Games]]"), number=2),
    )
    run(write(export(*parts, namespaces=names)))
    rows = dict(Revision.objects.values_list("origin_revid", "text"))
    assert rows[1] == "![A.png](file:A.png) [[Category:Games]] [[:File:A.png]] [[Talk:Go]]\n"
    assert rows[2] == "#REDIRECT [[Category:Games]]\n"


def test_page_that_somebody_makes_meanwhile_is_joined(write, monkeypatch):
    whole = importer.store_batch
    calls = []

    def meets_another(*args, **kwargs):
        calls.append(1)
        if len(calls) == 1:
            raise IntegrityError("UNIQUE constraint failed")
        return whole(*args, **kwargs)

    monkeypatch.setattr(importer, "store_batch", meets_another)
    assert run(write(export(GO)))["added"] == 3


def test_what_is_left_out_is_told(write):
    parts = [
        page("User:Ann", revision(1, T1, text="Me"), ns=2, number=1),
        page("???", revision(2, T1, text="?"), number=2),
        page("Go", revision(3, T1, text="Rules."), number=3),
    ]
    figures = run(write(export(*parts)))
    assert [one.title for one in Page.objects.all()] == ["Go"]
    told = "\n".join(figures["warnings"])
    assert "1 pages about people left out" in told
    assert "1 pages that cannot be called so here left out" in told


def test_picture_that_did_not_come_along(write):
    parts = revision(3, T1, text="A board."), upload(T1, "Ann", "Board.png", 12345)
    figures = run(write(export(page("File:Board.png", *parts, ns=6))))
    assert any("Board.png of 12,345 bytes" in line for line in figures["warnings"])
    assert Page.objects.get().namespace == "file"


def test_other_models_are_shown_as_they_stand(write):
    run(write(export(page("Go", revision(3, T1, text="a { b: ''c'' }", model="css")))))
    row = Revision.objects.get()
    assert row.source_text == "a { b: ''c'' }"
    assert "a { b: ''c'' }" in row.text
    assert row.text.startswith("```")


def test_our_text_stays_current_until_taken_over(write):
    author = User.objects.create_user("carla")
    edit_page(slug="go", title="Go", author=author, draft=Draft(text="Ours."))
    path = write(export(GO))
    run(path)
    assert Page.objects.get().current.text == "Ours.\n"
    run(path, take_over=True)
    assert Page.objects.get().current.origin_revid == 15


def test_deleted_page_stays_deleted(write):
    run(write(export(GO)))
    Page.objects.update(deleted_at=datetime(2026, 1, 1, tzinfo=UTC))
    again = run(write(export(GO)))
    assert (again["added"], again["unchanged"]) == (0, 3)
    assert not Page.objects.exists()


def many(count: int, pages: int = 3) -> str:
    return export(
        *(
            page(
                f"Page {number}",
                *(
                    revision(
                        1000 * number + at,
                        f"2020-01-{1 + at // 60:02}T00:{at % 60:02}:00Z",
                        text=f"Text {at}.",
                    )
                    for at in range(1, count + 1)
                ),
                number=number,
            )
            for number in range(1, pages + 1)
        )
    )


def test_batches_give_the_history_that_one_would(write, monkeypatch):
    path = write(many(9))
    run(path)
    whole = histories()
    wiped()
    monkeypatch.setattr(importer, "BATCH_ROWS", 4)
    run(path)
    assert histories() == whole


def test_revision_that_a_file_holds_twice_is_one(write):
    """As dumps do whose wiki was edited while they were written."""
    again = page("Gamehelpgo", revision(11, T1, text="One stone."), revision(16, T3, text="New."))
    figures = run(write(export(GO, page("Other", revision(2, T1, text="x")), again)))
    assert (figures["entries"], figures["added"], figures["unchanged"]) == (6, 5, 1)
    rows = Page.objects.get(slug="go").revisions.order_by("number")
    assert [(row.number, row.origin_revid) for row in rows] == [(1, 11), (2, 12), (3, 15), (4, 16)]
    assert run(write(export(GO, again)))["added"] == 0


def test_text_that_comes_with_the_second_mention_is_taken(write):
    bad = page("Go", revision(1, T1, text="Text.", hidden={"text"}))
    figures = run(write(export(bad, page("Go", revision(1, T1, text="Text.")))))
    assert (figures["added"], figures["completed"]) == (1, 1)
    assert Page.objects.get(slug="go").current.text == "Text.\n"
    again = run(write(export(page("Ga", revision(2, T1, text="Ga.")), page("Ga", revision(2, T1)))))
    assert (again["added"], again["unchanged"]) == (1, 1)
    assert Page.objects.get(slug="ga").current.text == "Ga.\n"


def test_entry_that_a_feed_holds_twice_is_one(write):
    figures = run(write(atom(atom_entry(5, "Go", T1, text="a"), atom_entry(5, "Go", T1, text="a"))))
    assert (figures["added"], figures["unchanged"]) == (1, 1)


@pytest.mark.parametrize(("full", "short"), [("Gamehelpgo", "Go"), ("Go", "Gamehelpgo")])
@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_redirect_between_two_names_of_one_page_is_not_read(write, full, short, order):
    pages = (
        page(full, revision(1, T1, text="Rules.")),
        page(short, revision(2, T2, text=f"#REDIRECT [[{full}]]"), number=2, redirect=full),
    )
    for number in order:
        run(write(export(pages[number])))
    found = Page.objects.get()
    assert (found.current.text, found.redirect_title) == ("Rules.\n", "")
    assert found.revisions.count() == 2


def test_import_that_was_stopped_goes_on(write, monkeypatch):
    path = write(many(9))
    run(path)
    whole = histories()
    wiped()
    monkeypatch.setattr(importer, "BATCH_ROWS", 4)
    stored = importer.store_batch
    calls = []

    def dies(*args, **kwargs):
        calls.append(1)
        if len(calls) == 4:
            stored(*args, **kwargs)
            raise KeyboardInterrupt
        return stored(*args, **kwargs)

    monkeypatch.setattr(importer, "store_batch", dies)
    with pytest.raises(CommandError, match="run it again"):
        run(path)
    assert Revision.objects.count() == 12
    assert not Revision.objects.filter(number=0).exists()
    monkeypatch.setattr(importer, "store_batch", stored)
    figures = run(path)
    assert (figures["added"], figures["unchanged"]) == (15, 12)
    assert histories() == whole


def test_long_import_tells_how_far_it_is(write, monkeypatch):
    monkeypatch.setattr("wiki.management.commands.import_wiki.QUIET_SECONDS", 0)
    path = write(many(3))
    err = StringIO()
    call_command("import_wiki", str(path), stdout=StringIO(), stderr=err)
    assert "9 of 9 revisions on 3 pages, 100 %" in err.getvalue()
    err = StringIO()
    call_command("import_wiki", str(path), stdout=StringIO(), stderr=err, quiet=True)
    assert err.getvalue() == ""


def test_warnings_are_bounded(write, monkeypatch):
    monkeypatch.setattr("wiki.interchange.report.MOST_WARNINGS", 2)
    texts = [revision(n, f"2020-01-{n:02}T00:00:00Z", text="<div>x</div>") for n in range(1, 6)]
    figures = run(write(export(page("Go", *texts))))
    assert (len(figures["warnings"]), figures["unlisted"]) == (2, 3)


WHOLE = export(GO)
BOMB = '<!DOCTYPE m [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]>'


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (BOMB + WHOLE, "document type or entities"),
        ('<!DOCTYPE m SYSTEM "http://x.example/m.dtd">' + WHOLE, "document type or entities"),
        (WHOLE.replace("</page>", ""), "damaged here"),
        (WHOLE[: len(WHOLE) // 2], "cut off"),
        (WHOLE.replace("export-0.11", "export-0.99"), "schema 0.99; known are 0.3 to 0.11"),
        (WHOLE.replace(T1, "2020-13-01T10:00:00Z"), "no such time"),
        (WHOLE.replace("<id>11</id>", "<id>eleven</id>"), "<id> holds no number"),
        (WHOLE.replace("<id>11</id>", ""), "a revision has no number"),
        (WHOLE.replace("<title>Gamehelpgo</title>", ""), "a page has no title"),
        (WHOLE.replace("<siteinfo>", "<page></page><siteinfo>"), "before <siteinfo>"),
        (WHOLE.replace("Tiny Wiki", ""), "say which with --site"),
        pytest.param(WHOLE.replace("Ann", "A" * 70_000), "<username> is longer", id="endless name"),
        ('<mediawiki a="x', "this is no XML"),
        ("<rss version='2.0'></rss>", "RSS feed"),
        ("<!DOCTYPE html><html><body>Log in</body></html>", "web page"),
        ("<api><error/></api>", "answer of the wiki's API"),
        (b"7z\xbc\xaf\x27\x1c0000", "unpack it first"),
        (b"\x1f\x8b\x08broken", ""),
        pytest.param(gzip.compress(WHOLE.encode(), mtime=0)[:-200], "", id="cut archive"),
        (b"PK\x03\x04broken", "no archive that export_wiki wrote"),
        (atom(atom_entry(1, "Go", "yesterday")), "no such time"),
        (atom(atom_entry(1, "Go", T1))[:-30], "damaged, or was cut off"),
        (BOMB + atom(), "document type"),
        (atom(atom_entry(1, "Go", T1), title="History of Go"), "say which with --site"),
        (
            atom(atom_entry(1, "Go", T1)).replace("&lt;hr /&gt;", "&lt;table&gt;"),
            "differences only",
        ),
    ],
)
def test_broken_files_import_nothing_and_say_why(write, content, sentence):
    good = write(export(page("Chess", revision(1, T1, text="Text."))), "good.xml")
    path = write(content if isinstance(content, bytes) else content.encode(), "broken.xml")
    with pytest.raises(CommandError) as caught:
        run(good, path)
    assert "broken.xml" in str(caught.value)
    assert sentence in str(caught.value)
    assert not Page.objects.exists()


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zipped])
@pytest.mark.parametrize(
    "content", [WHOLE, atom(atom_entry(1, "Go", T1, text=TEXT * 99))], ids=["export", "feed"]
)
def test_damaged_packing_is_told_wherever_it_is(write, pack, content):
    good = pack(content.encode())
    for place in range(20, len(good), max(1, len(good) // 40)):
        bad = good[:place] + bytes([good[place] ^ 0xFF]) + good[place + 1 :]
        with suppress(CommandError):  # anything else is a defect
            run(write(bad, "broken.xml"))


def test_huge_tag_is_not_gathered(write, monkeypatch):
    monkeypatch.setattr("wiki.interchange.mediawiki_xml.MAX_WAIT", 1 << 19)
    with pytest.raises(CommandError, match="does not end"):
        run(write('<mediawiki a="' + "x" * (1 << 20), "x.xml"))


def test_huge_text_is_left_out(write, monkeypatch):
    monkeypatch.setattr("wiki.interchange.mediawiki_xml.MAX_TEXT", 100)
    run(write(export(page("Go", revision(1, T1, text="x" * 200), revision(2, T2, text="Short.")))))
    rows = list(Revision.objects.order_by("number").values_list("text_state", flat=True))
    assert rows == ["missing", "present"]


def test_title_is_for_page_texts(write):
    with pytest.raises(CommandError, match="leave out --title"):
        run(write(export(GO)), title="Go")


def test_atom_keeps_white_space(write):
    text = "  indented\n\n\n* one  \n&nbsp; & \"<b>\" 'x'\n\ttab"
    run(write(atom(atom_entry(9, "Go", T1, "Ann: B", "it's: so", text))))
    row = Revision.objects.get()
    assert (row.source_text, row.author_name, row.summary) == (text, "Ann: B", "it's: so")
    assert (row.origin_revid, row.origin.kind) == (9, "atom")
