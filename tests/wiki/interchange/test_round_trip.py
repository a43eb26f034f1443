"""Export everything, empty the database, import: the same numbers, histories and feeds."""

import io
import json
import re
import zipfile
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr, unescape

import feedparser
import mwxml
import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.test import Client
from PIL import Image

from portal.models import User
from tests.wiki.interchange.conftest import entry, feed
from tests.wiki.interchange.exports import export, page, revision
from wiki.interchange import restore
from wiki.interchange.records import number_key
from wiki.models import (
    FileVersion,
    Identity,
    ImportSource,
    LogEntry,
    Page,
    PageGroup,
    PageLink,
    PageName,
    Revision,
)
from wiki.services import Draft, Upload, edit_page, load_page, protect, revert_to, upload_file
from wiki.services.delete import delete_page
from wiki.services.hide import set_hidden
from wiki.services.languages import link

pytestmark = pytest.mark.django_db

MODELS = (
    Page,
    PageName,
    PageGroup,
    Revision,
    FileVersion,
    ImportSource,
    LogEntry,
    PageLink,
    Identity,
)
RENDERED = {"rendered", "rendered_toc", "rendered_unknown", "renderer_version"}
FEEDS = (
    "/wiki/changes/feed/?limit=500",
    "/wiki/hearts/history/feed/",
    "/wiki/contributions/Ann/feed/",
)
SECRET = "unspeakable-secret"


def rows(model: Any) -> list[dict[str, Any]]:
    """All of a table but what is made again from it; rows that nothing names without their ids."""
    found = list(model._base_manager.order_by("pk").values())
    for row in found:
        for name in RENDERED & set(row):
            del row[name]
        if model in (PageName, PageLink, ImportSource):
            del row["id"]
        if model is Revision and row["origin_id"]:
            row["origin_id"] = ImportSource.objects.get(pk=row["origin_id"]).sha256
    return sorted(found, key=str) if model in (PageLink, ImportSource) else found


def everything() -> dict[str, list[dict[str, Any]]]:
    return {model.__name__: rows(model) for model in MODELS}


def emptied() -> None:
    Page._base_manager.update(current=None, subject=None, redirect_to=None)
    Revision._base_manager.update(parent=None, reverted_by=None)
    for model in (
        LogEntry,
        PageLink,
        FileVersion,
        Revision,
        PageName,
        Page,
        PageGroup,
        ImportSource,
    ):
        model._base_manager.all().delete()
    Identity.objects.all().delete()


def run(*files: Path, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("import_wiki", *map(str, files), json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def written(path: Path, **options: Any) -> Path:
    call_command("export_wiki", str(path), stdout=StringIO(), **options)
    return path


def png() -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (30, 20), (10, 120, 40)).save(out, "PNG")
    return out.getvalue()


@pytest.fixture
def people(db: None) -> dict[str, User]:
    old = datetime(2026, 1, 1, tzinfo=UTC)
    return {
        name: User.objects.create_user(name, is_staff=name == "Mo", date_joined=old)
        for name in ("Ada", "Mo")
    }


@pytest.fixture
def wiki(people: dict[str, User], write) -> None:
    """A wiki that has one of everything."""
    ada, mo = people["Ada"], people["Mo"]

    def save(title: str, text: str, author: User = ada, **said: Any) -> Revision:
        there = Page.objects.filter(title=title).first()
        draft = Draft(text=text, base=there.current_id if there else None, **said)
        slug = there.slug if there else title.lower().replace(":", "-").replace(" ", "-")
        return edit_page(slug=slug, title=title, author=author, draft=draft)[0]

    load_page(
        slug="hearts", title="Hearts", aliases=["Gamehelphearts"], text="Ours.", game="hearts"
    )
    run(
        write(
            feed(
                entry("Gamehelphearts", "2020-03-01T10:00:00Z", "Ann: third", "Three ''hearts''."),
                entry("Gamehelphearts", "2020-02-01T10:00:00Z", "Ann:"),
                entry("File:Old board.png", "2020-01-01T10:00:00Z", "Ann:"),
            ),
            "feed.txt",
        )
    )
    run(
        write(
            export(
                page("Go", revision(7, "2019-01-01T00:00:00Z", "Bo", "[[Hearts]] <div>x</div>")),
                page(
                    "Leads", revision(8, "2019-01-02T00:00:00Z", "Bo", "#REDIRECT [[Go]]"), number=2
                ),
            ),
            "other.xml",
        )
    )
    run(write("Го\n", "page.txt"), title="Gamehelphearts", language="sr")
    first = save(
        "Hearts", "Ours & <b>more</b>.\n\n[[Nibble]] [[Category:Cards]]", summary="a & <b>"
    )
    save("Hearts", "Vandalised " + SECRET)
    bad = Revision.objects.latest("pk")
    back = revert_to(page_id=first.page_id, revision_id=first.pk, author=mo, current_id=bad.pk)
    Revision.objects.filter(pk=bad.pk).update(
        reverted_by=back, patrolled_at=datetime(2026, 2, 2, tzinfo=UTC), patrolled_by=mo
    )
    set_hidden(revision_id=bad.pk, parts=["text", "summary", "author"], reason="insult", person=mo)
    save("Hearts", "Ours & <b>more</b>, again.", minor=True, summary="minor")
    protect(page_id=first.page_id, level="staff", span="week", reason="quarrel", moderator=mo)
    save("Category:Cards", "Games of cards.")
    save("Herz", "Deutsch.")
    herz = Page.objects.get(title="Herz")
    Page.objects.filter(pk=herz.pk).update(language="de")
    link(page_id=first.page_id, other_id=herz.pk, author=mo)
    Page.objects.create(
        title="Talk:Hearts", slug="talk-hearts", namespace="talk", subject=first.page
    )
    PageName.objects.create(
        page=Page.objects.get(namespace="talk"),
        title="Talk:Hearts",
        key="talk:hearts",
        slug="talk-hearts",
    )
    save("Talk:Hearts", "## Why\n\nI ask.")
    save("Gone", SECRET + " page")
    gone = Page.objects.get(title="Gone")
    delete_page(page_id=gone.pk, reason="spam", person=mo)
    upload_file(
        author=ada,
        upload=Upload(
            data=png(),
            name="Board.png",
            licence="own",
            source="",
            description="A board.",
            comment="",
        ),
    )
    save("Blank", "x")
    save("Blank", "")


def test_restore_brings_all_back(wiki, people, tmp_path: Path, client: Client) -> None:
    path = written(tmp_path / "all.zip", all=True, zip=True)
    before = everything()
    feeds = {at: (answer := client.get(at)).content + answer["ETag"].encode() for at in FEEDS}
    modified = client.get(FEEDS[0])["Last-Modified"]
    emptied()
    for file in (Path(settings.MEDIA_ROOT) / "files").rglob("*.png"):
        file.unlink()
    figures = run(path, accounts=True)
    assert figures["added"] == len(before["Revision"])
    assert [w for w in figures["warnings"] if "pictures" in w or "damaged" in w] == []
    after = everything()
    for name, table in before.items():
        assert after[name] == table, name
    for at, answer in feeds.items():
        now = client.get(at)
        assert now.content + now["ETag"].encode() == answer, at
        assert not feedparser.parse(now.content).bozo
        tag = {"If-None-Match": now["ETag"]}
        assert client.get(at, headers=tag).status_code == 304
    assert client.get(FEEDS[0])["Last-Modified"] == modified
    shown = FileVersion.objects.get()
    assert client.get(f"/wiki/files/picture/{shown.sha256}.png").status_code == 200
    again = run(path)
    assert (again["added"], again["completed"]) == (0, 0)
    assert again["unchanged"] == len(before["Revision"])
    assert everything() == before


def test_new_rows_get_ids_above_those_that_came(wiki, people, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    last = Revision.objects.latest("pk").pk
    emptied()
    run(path)
    new = edit_page(slug="new", title="New", author=people["Ada"], draft=Draft(text="Text."))[0]
    assert new.pk > last
    assert Page.objects.filter(title="New").exists()


def test_authors_are_accounts_only_where_one_says_so(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    emptied()
    run(path)
    assert not Revision.objects.exclude(author=None).exists()
    assert Revision.objects.filter(author_name="Ada").exists()


def test_public_export_tells_nothing_hidden(wiki, tmp_path: Path, client: Client) -> None:
    path = written(tmp_path / "public.xml")
    said = path.read_text()
    assert SECRET not in said
    assert "Gone" not in [one["title"] for one in rows(Page) if f"<title>{one['title']}<" in said]
    hidden = Revision.objects.get(text_hidden=True)
    feeds = client.get(FEEDS[0]).content
    emptied()
    run(path)
    row = Revision.objects.get(pk=hidden.pk)
    assert (row.text, row.text_state, row.text_hidden) == ("", "missing", True)
    assert (row.author_name, row.summary, row.author_hidden) == ("unknown", "", True)
    now = client.get(FEEDS[0]).content
    assert [one.id for one in feedparser.parse(now).entries] == [
        one.id for one in feedparser.parse(feeds).entries
    ]


def test_hidden_text_is_filled_by_an_export_that_has_it(wiki, tmp_path: Path) -> None:
    public, whole = written(tmp_path / "public.xml"), written(tmp_path / "all.xml", all=True)
    before = everything()
    emptied()
    run(public)
    figures = run(whole, accounts=True)
    assert figures["completed"] == 2  # the one, and the summary that named its author
    hidden = Revision.objects.get(text_hidden=True)
    assert (hidden.text, hidden.author_name) == (f"Vandalised {SECRET}\n", "Ada")
    assert hidden.author == User.objects.get(username="Ada")
    deletion = LogEntry.objects.get(kind="delete")
    assert deletion.page == Page.everything.get(title="Gone")
    again = run(whole, accounts=True)
    assert (again["added"], again["completed"]) == (0, 0)
    assert len(everything()["Page"]) == len(before["Page"])


def test_mwxml_reads_it(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml")
    with path.open() as file:
        dump = mwxml.Dump.from_file(file)
        assert dump.site_info.name == "Parlour"
        found = {}
        logged = 0
        for item in dump:
            if isinstance(item, mwxml.LogItem):
                logged += 1
                continue
            found[item.namespace, item.title] = [
                (
                    one.id,
                    str(one.user and one.user.text),
                    one.comment,
                    one.minor,
                    one.text,
                    one.slots,
                )
                for one in item
            ]
    assert logged == LogEntry.objects.count()
    hearts = found[0, "Hearts"]
    there = Page.objects.get(title="Hearts").revisions.order_by("number")
    assert [one[0] for one in hearts] == [row.pk for row in there]
    assert [one[4] or "" for one in hearts] == [
        "" if row.text_hidden else row.text for row in there
    ]
    assert {space for space, _title in found} == {0, 1, 6, 14}
    assert all(set(one[5].contents) == {"main"} for one in hearts)


def test_what_any_mediawiki_refuses_is_not_in_an_export(wiki, tmp_path: Path) -> None:
    said = written(tmp_path / "all.xml").read_text()
    assert set(re.findall("<model>(.*?)</model>", said)) == {"text"}
    assert set(re.findall("<format>(.*?)</format>", said)) == {"text/plain"}
    assert "<content>" not in said


REVISION = re.compile(r"<revision parlour:data=(['\"])(.*?)\1>(.*?)</revision>", re.DOTALL)


def with_second_texts(said: str) -> str:
    """An export as it was when the wikitext stood in a slot of its own."""

    def older(found: re.Match[str]) -> str:
        data = json.loads(unescape(found[2], {"&quot;": '"', "&apos;": "'"}))
        rest = found[3].replace("<model>text<", "<model>markdown<").replace("/plain<", "/markdown<")
        if (text := data.pop("original", None)) is not None:
            del data["original_sha1"]
            whole = rest.rpartition("<sha1>")[0]  # that of one text alone
            slot = (
                f"<role>original</role><origin>1</origin><model>wikitext</model>"
                f"<format>text/x-wiki</format><text>{escape(text)}</text>"
            )
            rest = f"{whole}<content>{slot}</content>"
        return f"<revision parlour:data={quoteattr(json.dumps(data))}>{rest}</revision>"

    return REVISION.sub(older, said)


def test_an_export_of_before_is_read_as_well(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    before = everything()
    older = with_second_texts(path.read_text())
    kept = Revision.objects.exclude(source_text=None).count()
    assert older.count("<role>original</role>") == kept > 1
    path.write_text(older)
    emptied()
    run(path, accounts=True)
    assert everything()["Revision"] == before["Revision"]


def test_pages_join_another_wiki_under_numbers_of_its_own(wiki, people, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml")
    emptied()
    mine = edit_page(slug="go", title="Go", author=people["Ada"], draft=Draft(text="Mine."))[0]
    site = Identity.objects.get_or_create(pk=1)[0].uuid
    figures = run(path)
    assert figures["added"] == figures["entries"] > 10
    go = Page.objects.get(title="Go")
    assert go.current == mine
    assert go.revisions.count() == 2
    hearts = Page.objects.get(title="Hearts")
    assert (hearts.game, hearts.protection) == ("", "open")
    assert {name.title for name in hearts.names.all()} == {"Hearts", "Gamehelphearts"}
    assert hearts.current.text == "Ours & <b>more</b>, again.\n"
    assert hearts.revisions.get(summary="third").source_text == "Three ''hearts''."
    assert hearts.revisions.get(summary="minor").source_text is None
    assert Page.objects.get(title="Herz").language == "de"
    assert not Revision.objects.filter(author=people["Ada"]).exclude(pk=mine.pk).exists()
    assert Identity.objects.get().uuid == site
    assert Page.objects.get(namespace="talk").subject == hearts
    again = run(path)
    assert (again["added"], again["unchanged"]) == (0, figures["entries"])


LOSSY = feed(
    entry("Gamehelpgo", "2020-02-01T10:00:00Z", "Ann: b", "Two ''stones''."),
    entry("Gamehelpgo", "2020-01-01T10:00:00Z", "Ann: a", "One ''stone''."),
)
WHOLE = export(
    page(
        "Gamehelpgo",
        revision(11, "2020-01-01T10:00:00Z", text="One<br>''stone''.", comment="a"),
        revision(12, "2020-02-01T10:00:00Z", text="Two<br>''stones''.", comment="b", parent=11),
    )
)


@pytest.mark.parametrize("joins", [False, True], ids=["emptied", "beside other pages"])
def test_better_source_finds_what_came_by_an_export_of_ours(
    write, people, tmp_path: Path, joins: bool
) -> None:
    """A page that two wikis imported has one history, however it went from one to the other."""
    run(write(LOSSY))
    path = written(tmp_path / "all.xml")
    emptied()
    if joins:
        edit_page(slug="mine", title="Mine", author=people["Ada"], draft=Draft(text="Mine."))
    assert run(path)["added"] == 2
    figures = run(write(WHOLE, "whole.xml"))
    assert (figures["added"], figures["upgraded"]) == (0, 2)
    for again in (path, write(WHOLE, "whole.xml"), write(LOSSY)):
        assert run(again)["added"] == 0
    rows = Page.objects.get(title="Go").revisions.order_by("number")
    said = ("number", "origin_revid", "origin_parent", "source_text", "origin__site")
    assert list(rows.values_list(*said)) == [
        (1, 11, None, "One<br>''stone''.", "Tiny Wiki"),
        (2, 12, 11, "Two<br>''stones''.", "Tiny Wiki"),
    ]


def test_export_of_ours_adds_nothing_to_what_another_wiki_imported(
    write, people, tmp_path: Path
) -> None:
    run(write(LOSSY))
    path = written(tmp_path / "all.xml")
    emptied()
    run(write(WHOLE, "whole.xml"))
    assert run(path)["added"] == 0
    assert Revision.objects.get(origin_revid=11).source_text == "One<br>''stone''."


def test_what_was_taken_for_an_edit_of_the_other_wiki_is_known_again(
    write, people, tmp_path: Path
) -> None:
    """As imports of before December 2026 did."""
    run(write(LOSSY))
    ids = list(Revision.objects.order_by("number").values_list("pk", flat=True))
    path = written(tmp_path / "all.xml")
    site = f"Parlour {str(Identity.objects.get().uuid)[:8]}"
    emptied()
    edit_page(slug="mine", title="Mine", author=people["Ada"], draft=Draft(text="Mine."))
    run(path)
    theirs = ImportSource.objects.create(site=site, kind="parlour", sha256="1" * 64)
    for row, number in zip(
        Revision.objects.exclude(origin=None).order_by("number"), ids, strict=True
    ):
        row.origin, row.origin_key, row.origin_revid = theirs, number_key(site, number), number
        row.origin_title = "Go"
        row.save()
    assert run(path)["added"] == 0
    figures = run(write(WHOLE, "whole.xml"))
    assert (figures["added"], figures["upgraded"]) == (0, 2)


def test_damaged_original_imports_nothing(write, people, tmp_path: Path) -> None:
    run(write(LOSSY))
    path = written(tmp_path / "all.xml")
    assert "One ''stone''." in path.read_text()
    path.write_text(path.read_text().replace("One ''stone''.", "One ''stein''."))
    emptied()
    with pytest.raises(CommandError, match=r"line \d+: the original text was damaged"):
        run(path)
    assert not Page.everything.exists()


def test_what_is_hidden_does_not_come_out_in_another_wiki(wiki, people, tmp_path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    assert SECRET in path.read_text()
    emptied()
    edit_page(slug="mine", title="Mine", author=people["Ada"], draft=Draft(text="Mine."))
    figures = run(path)
    assert any("1 deleted pages left out" in line for line in figures["warnings"])
    assert not Page.everything.filter(title="Gone").exists()
    assert not Revision.objects.filter(text__contains=SECRET).exists()
    hidden = Revision.objects.get(text_state="missing", author_name="unknown")
    assert (hidden.summary, hidden.source_text) == ("", None)


def test_lost_pages_come_back_and_what_was_written_since_stays(wiki, people, tmp_path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    hearts = Page.objects.get(title="Hearts")
    count = hearts.revisions.count()
    Page.objects.filter(pk=hearts.pk).update(current=None)
    hearts.talk.delete()
    lost = hearts.revisions.order_by("number")[1]
    Revision.objects.filter(pk=lost.pk).delete()
    new = edit_page(slug="newer", title="Newer", author=people["Ada"], draft=Draft(text="Since."))[
        0
    ]
    figures = run(path)
    assert figures["added"] == 2
    assert hearts.revisions.count() == count
    assert list(hearts.revisions.order_by("number").values_list("number", flat=True)) == list(
        range(1, count + 1)
    )
    assert Revision.objects.get(pk=lost.pk).author == lost.author
    assert Revision.objects.get(pk=new.pk).text == "Since.\n"
    assert Page.objects.get(namespace="talk").subject == hearts


def test_newest_text_is_read_where_an_older_backup_takes_an_export_in(
    wiki, people, tmp_path: Path
) -> None:
    leads = Page.objects.get(title="Go")
    before = leads.current_id
    draft = Draft(text="[[Herz]] now.", base=before)
    newest = edit_page(slug="go", title="Go", author=people["Ada"], draft=draft)[0]
    path = written(tmp_path / "all.xml", all=True)
    leads.refresh_from_db()
    Page.objects.filter(pk=leads.pk).update(current=before)
    newest.delete()
    run(path)
    leads.refresh_from_db()
    assert leads.current.text == "[[Herz]] now.\n"
    assert [link.key for link in leads.links.all()] == ["herz"]
    edit_page(
        slug="go",
        title="Go",
        author=people["Ada"],
        draft=Draft(text="Later.", base=leads.current_id),
    )
    Revision.objects.filter(pk=before).delete()
    run(path)
    leads.refresh_from_db()
    assert leads.current.text == "Later.\n"


def test_progress_counts_deleted_pages_too(wiki, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("wiki.management.commands.import_wiki.QUIET_SECONDS", 0)
    path = written(tmp_path / "all.xml", all=True)
    emptied()
    err = StringIO()
    call_command("import_wiki", str(path), stdout=StringIO(), stderr=err)
    count = Revision.objects.count()
    assert f"{count} of {count} revisions" in err.getvalue()


def test_taken_ids_are_left_alone(wiki, people, tmp_path: Path) -> None:
    path = written(tmp_path / "all.xml", all=True)
    site = Identity.objects.get().uuid
    count = Revision.objects.count()
    titles = sorted(Page._base_manager.values_list("title", flat=True))
    emptied()
    Identity.objects.create(pk=1, uuid=site)
    for number in range(3):
        edit_page(
            slug=f"new-{number}", title=f"New {number}", author=people["Ada"], draft=Draft(text="x")
        )
    ids = set(Revision.objects.values_list("pk", flat=True))
    run(path)
    assert run(path)["added"] == 0
    assert Revision.objects.count() == count + 3
    assert Revision.objects.filter(pk__in=ids, text="x\n").count() == 3
    now = sorted(Page._base_manager.values_list("title", flat=True))
    assert now == sorted([*titles, "New 0", "New 1", "New 2"])
    for one in Page._base_manager.all():
        numbers = list(one.revisions.order_by("number").values_list("number", flat=True))
        assert numbers == list(range(1, len(numbers) + 1)), one.title
        assert one.current is None or one.current.page_id == one.pk


def test_restore_that_was_stopped_goes_on(wiki, tmp_path: Path, monkeypatch) -> None:
    path = written(tmp_path / "all.xml", all=True)
    before = everything()
    emptied()
    monkeypatch.setattr(restore, "BATCH_ROWS", 3)
    corrected, calls = restore.correct_sequences, []

    def dies() -> None:
        corrected()
        calls.append(1)
        if len(calls) == 6:
            raise KeyboardInterrupt

    monkeypatch.setattr(restore, "correct_sequences", dies)
    with pytest.raises(CommandError, match="run it again"):
        run(path, accounts=True)
    assert 0 < Revision.objects.count() < len(before["Revision"])
    monkeypatch.setattr(restore, "correct_sequences", corrected)
    run(path, accounts=True)
    after = everything()
    for name, table in before.items():
        assert after[name] == table, name


def test_dry_run_stores_nothing(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "all.zip", zip=True)
    emptied()
    figures = run(path, dry_run=True)
    assert figures["added"] > 10
    assert not Page._base_manager.exists()
    assert not Identity.objects.exists()


def test_one_page(wiki, tmp_path: Path) -> None:
    said = written(tmp_path / "one.xml", page=["gamehelphearts", "Go"]).read_text()
    assert said.count("<page ") == 2
    assert "<title>Hearts</title>" in said
    assert "<logitem" not in said
    said = written(tmp_path / "current.xml", page=["Hearts"], current=True).read_text()
    assert said.count("<revision ") == 1


def test_packed_and_to_standard_output(wiki, tmp_path: Path, capfdbinary) -> None:
    count = Revision.objects.exclude(page__deleted_at__isnull=False).count()
    for name in ("wiki.xml.gz", "wiki.xml.bz2"):
        assert run(written(tmp_path / name))["unchanged"] == count
    call_command("export_wiki", "-")
    assert b"</mediawiki>" in capfdbinary.readouterr().out


def test_markdown_archive(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "texts.zip", markdown=True)
    with zipfile.ZipFile(path) as archive:
        names = set(archive.namelist())
        hearts = archive.read("pages/hearts.md").decode()
        board = archive.read("files/file-board-png.png")
        said = "".join(archive.read(name).decode() for name in names if name.endswith(".md"))
    assert {"talk/talk-hearts.md", "categories/category-cards.md"} <= names
    assert hearts.startswith('---\ntitle: "Hearts"\nslug: "hearts"\n')
    assert 'aliases: ["Gamehelphearts"]' in hearts
    assert hearts.endswith("---\n\nOurs & <b>more</b>, again.\n")
    assert Image.open(io.BytesIO(board)).size == (30, 20)
    assert SECRET not in said


def test_what_xml_cannot_hold_comes_back(people, tmp_path: Path) -> None:
    edit_page(slug="odd", title="Odd", author=people["Ada"], draft=Draft(text="x"))
    odd = "a\ufffeb\x0b c\r\nd & <e> \U0001f0a1 ]]>"
    Revision.objects.update(text=odd, source_text=odd + "\r", summary="\x01\tx")
    path = written(tmp_path / "odd.xml")
    emptied()
    assert run(path)["refused"] == 0
    row = Revision.objects.get()
    assert (row.text, row.source_text, row.summary) == (odd, odd + "\r", "\x01\tx")


def test_years_of_fewer_than_four_digits_come_back(write, tmp_path: Path) -> None:
    run(write(export(page("Go", revision(1, "0062-01-02T03:04:05Z", text="Old."))), "old.xml"))
    path = written(tmp_path / "old-again.xml")
    assert "<timestamp>0062-01-02T03:04:05Z</timestamp>" in path.read_text()
    emptied()
    assert run(path)["added"] == 1


def test_row_that_an_export_holds_twice_is_one(write, tmp_path: Path) -> None:
    run(write(export(page("Go", revision(1, "2019-01-01T00:00:00Z", text="x"))), "go.xml"))
    path = written(tmp_path / "twice.xml")
    said = path.read_text()
    start, end = said.index("<revision"), said.index("</revision>") + len("</revision>")
    path.write_text(said[:end] + said[start:end] + said[end:])
    emptied()
    figures = run(path)
    assert (figures["added"], figures["unchanged"]) == (1, 1)


def test_picture_that_is_another_is_not_taken(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "all.zip", zip=True)
    shown = FileVersion.objects.get()
    name = f"files/{shown.sha256}.png"
    forged = tmp_path / "forged.zip"
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(forged, "w") as new:
        new.writestr("wiki.xml", old.read("wiki.xml"))
        new.writestr(name, b"<script>alert(1)</script>")
    emptied()
    for file in (Path(settings.MEDIA_ROOT) / "files").rglob("*.png"):
        file.unlink()
    warnings = run(forged)["warnings"]
    assert any("is not the picture" in line for line in warnings)
    assert any("1 pictures are named whose bytes are not here" in line for line in warnings)
    assert not list((Path(settings.MEDIA_ROOT) / "files").rglob("*.png"))


DAMAGES = {
    '{"number":1,': ['{"number":-1,'],
    "parlour:data='{": ["parlour:data='[{"],
    '"slug":"': ['"slug":"../'],
    '"site":"': ['"site":"x'],
    '"protection":"staff"': ['"protection":"god"'],
    '"origin_revid":7': [f'"origin_revid":{10**20}'],
    '"origin_title":"Go"': [r'"origin_title":"G\ud800"', r'"origin_title":"G\u0000"'],
}


def test_damaged_additions_import_nothing(wiki, tmp_path: Path, subtests) -> None:
    path = written(tmp_path / "all.xml")
    said = path.read_text()
    emptied()
    for old, new in [(old, new) for old, several in DAMAGES.items() for new in several]:
        with subtests.test(new):
            assert old in said
            path.write_text(said.replace(old, new, 1))
            with pytest.raises(CommandError, match=r"line [0-9]+: what Parlour adds"):
                run(path)
            assert not Page._base_manager.exists()


def test_export_does_not_overwrite(wiki, tmp_path: Path) -> None:
    path = written(tmp_path / "wiki.xml")
    with pytest.raises(CommandError, match="exists already"):
        written(path)
    with pytest.raises(CommandError, match="no page called"):
        written(tmp_path / "none.xml", page=["Nowhere"])
    with pytest.raises(CommandError, match="could not be written"):
        written(tmp_path / "nowhere" / "wiki.xml")
    assert written(tmp_path / "own.xml", all=True).stat().st_mode & 0o077 == 0
