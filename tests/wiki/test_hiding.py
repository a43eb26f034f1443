"""What moderators hide of a revision is found nowhere by others, whichever door they try."""

import re
from collections.abc import Iterator
from datetime import timedelta
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki import selectors
from wiki.errors import WikiError
from wiki.models import LogEntry, Notice, Page, Revision, SavedDraft
from wiki.services import digest
from wiki.services.delete import delete_page
from wiki.services.hide import set_hidden
from wiki.services.notices import unread
from wiki.services.rename import rename
from wiki.services.uploading import hide_file, revert_file
from wiki.services.watch import watch, wishes_with_key

pytestmark = pytest.mark.django_db
TEXT, SUMMARY, AUTHOR = "zarquon", "vogsphere", "Slartibart"
SECRETS = (TEXT, SUMMARY, AUTHOR)
PARTS = {"part": ["text", "summary", "author"], "reason": "It named a child"}
EDIT = "/wiki/hearts/edit/"


@pytest.fixture
def mo(db: None) -> User:
    person = User.objects.create_user("Mo", password="pass")
    person.user_permissions.add(
        *Permission.objects.filter(codename__in=["protect_page", "hide_revision"])
    )
    return person


@pytest.fixture
def as_mo(mo: User) -> Client:
    client = Client()
    client.force_login(mo)
    return client


@pytest.fixture
def secret(hearts: Page, save, as_mo: Client) -> Revision:
    """A revision all of which is hidden, between two that are not."""
    author = User.objects.create_user(AUTHOR)
    row = save(HEARTS + f"\n## Lies\n\n{TEXT}\n", author=author, summary=SUMMARY)
    save(HEARTS + "\nThe end.\n")
    assert as_mo.post(f"/wiki/hearts/hide/{row.pk}/", PARTS).status_code == 302
    row.refresh_from_db()
    return row


def addresses(row: Revision) -> Iterator[str]:
    """Every address that reads revisions."""
    page, before, after = row.page, row.parent_id, row.page.current_id
    yield from ("/", "/wiki/", "/wiki/changes/", "/wiki/changes/feed/", "/wiki/watchlist/")
    yield from ("/wiki/search/?q=hearts", "/wiki/log/", "/people/Ada/", "/wiki/files/")
    yield from (page.get_absolute_url(), row.get_absolute_url())
    for rest in ("source/", f"source/?rev={row.pk}", f"source/?rev={row.pk}&raw=1", "history/"):
        yield f"/wiki/hearts/{rest}"
    for rest in (f"wikitext/{row.pk}/", "history/feed/", f"revert/{row.pk}/", "protect/"):
        yield f"/wiki/hearts/{rest}"
    for old, new in ((before, row.pk), (row.pk, after), (before, after), (0, row.pk)):
        yield f"/wiki/hearts/diff/{old}/{new}/"
        yield f"/wiki/hearts/diff/{old}/{new}/?original=1"
    for query in ("", f"?rev={row.pk}", f"?undo={row.pk}", f"?undo={after}"):
        yield f"{EDIT}{query}"
    yield f"{EDIT}?undoafter={before}&undo={row.pk}"
    for query in ("?action=raw", f"?action=raw&rev={row.pk}", "?printable=yes", "?variant=sr-ec"):
        yield f"/wiki/hearts/{query}"
    for form in ("", "history", "current", "markdown"):
        yield f"/wiki/hearts/export/?form={form}"
    for rest in ("talk/", "links/", "language/", f"rollback/{after}/", "rename/"):
        yield f"/wiki/hearts/{rest}"
    for rest in (
        "notices/",
        "drafts/",
        "reports/",
        "statistics/",
        "categories/",
        "reports/wanted/",
    ):
        yield f"/wiki/{rest}"
    for word in SECRETS:
        yield f"/wiki/search/suggest/?q={word[:4]}"
    api = "/api/wiki/v1"
    for rest in ("pages", "pages/hearts", "pages/hearts/revisions", "changes", "log", "files"):
        yield f"{api}/{rest}"
    for rest in (f"revisions/{row.pk}", f"diff/{before}/{row.pk}", f"diff/{row.pk}/{after}"):
        yield f"{api}/{rest}"
    yield f"{EDIT}?undoafter=0&undo={row.pk}"
    yield f"{EDIT}?undoafter={row.pk}&undo={after}"


def test_nobody_finds_what_is_hidden(
    client: Client, as_ada: Client, ada: User, secret: Revision
) -> None:
    Revision.objects.filter(pk=secret.pk).update(source_text=TEXT, warnings=[TEXT])
    watch(page=secret.page, user=ada)
    ada.wiki_watches.update(seen=0)
    feed = f"/wiki/watchlist/feed/{wishes_with_key(ada).key}/"
    for visitor in (client, as_ada):
        for address in [*addresses(secret), feed]:
            said = visitor.get(address).content.decode()
            assert not [word for word in SECRETS if word in said], address
    mail = digest.words((0, 9), [], list(selectors.unseen(ada)))
    assert not [word for word in SECRETS if word in "".join(mail)]


def test_feed_kept_by_its_date_is_not_good_any_more(client: Client, hearts: Page, save, mo) -> None:
    row = save(TEXT)
    other = save("Fine", title="Nibble").page
    save(HEARTS)
    Revision.objects.update(created_at=timezone.now() - timedelta(hours=1))
    feeds = ("/wiki/changes/feed/", "/wiki/hearts/history/feed/", "/wiki/contributions/Ada/feed/")
    for change in (
        lambda: set_hidden(revision_id=row.pk, parts=["text"], reason="x", person=mo),
        lambda: delete_page(page_id=other.pk, reason="x", person=mo),
    ):
        kept = {at: {"If-Modified-Since": client.get(at)["Last-Modified"]} for at in feeds}
        assert {client.get(at, headers=kept[at]).status_code for at in feeds} == {304}
        change()
        LogEntry.objects.filter(pk=LogEntry.objects.first().pk).update(
            at=timezone.now() + timedelta(seconds=2 * LogEntry.objects.count())
        )
        assert {client.get(at, headers=kept[at]).status_code for at in feeds} == {200}


def test_hidden_name_leads_nowhere(client: Client, secret: Revision) -> None:
    for address in (
        f"/wiki/contributions/{AUTHOR}/",
        f"/wiki/contributions/{AUTHOR}/feed/",
        f"/api/wiki/v1/people/{AUTHOR}/contributions",
    ):
        said = client.get(address).content.decode()
        assert "Hearts" not in said, address
    assert "Nothing written yet" in client.get(f"/people/{AUTHOR}/").content.decode()


def test_what_is_sent_with_a_hidden_base_gives_nothing_away(
    as_ada: Client, secret: Revision
) -> None:
    mine = "My own words.\n"
    sent = {"text": mine, "base": secret.pk, "section": 0}
    for action in ("save", "changes", "preview"):
        answer = as_ada.post(EDIT, {**sent, "action": action})
        said = answer.content.decode()
        assert not [word for word in SECRETS if word in said], action
        assert "My own words." in said
    answer = as_ada.post(EDIT, {**sent, "section": 4, "action": "save"})
    assert TEXT not in answer.content.decode()
    settled = {"conflict": 1, "started": secret.pk, "base": secret.pk, "mine": mine}
    said = as_ada.post(EDIT, {**settled, "passage": [mine], "take": "0:before"}).content.decode()
    assert not [word for word in SECRETS if word in said]


@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        ("", f"{TEXT} is a liar.\n", f"Created page with “{TEXT} is a liar.”"),
        (HEARTS, f"{TEXT}!\n", f"Replaced content with “{TEXT}!”"),
        (HEARTS, f"#REDIRECT [[{TEXT}]]\n", f"Redirected page to [[{TEXT}]]"),
        (HEARTS, f"## On {TEXT}\n\nHe lies.\n\n{HEARTS}", f"/* On {TEXT} */"),
    ],
)
def test_summaries_that_quote_a_hidden_text_go_with_it(
    client: Client,
    as_ada: Client,
    as_mo: Client,
    ada: User,
    save,
    before: str,
    text: str,
    said: str,
) -> None:
    """A summary that wrote itself, at every address, in the feed of a watch list and in the daily mail."""
    if before:
        save(before, author=User.objects.create_user("Zoe"))
    row = save(text, author=User.objects.create_user("Vandal"))
    assert row.summary == said
    save(HEARTS + "\nThe end.\n", summary="Cleaned", author=User.objects.create_user("Cleaner"))
    watch(page=row.page, user=ada)
    feed = f"/wiki/watchlist/feed/{wishes_with_key(ada).key}/"
    doors = [*addresses(row), feed, "/wiki/contributions/Vandal/", "/people/Vandal/"]
    assert TEXT in said_at(client, "/wiki/hearts/history/")
    answer = as_mo.post(
        f"/wiki/hearts/hide/{row.pk}/", {"part": "text", "reason": "x"}, follow=True
    )
    assert "The summary quotes the text, so it is hidden too." in answer.content.decode()
    for visitor in (client, as_ada):
        for door in doors:
            assert TEXT not in said_at(visitor, door).replace(f"q={TEXT[:4]}", ""), door
        for typed in ("zarqon", "zarquom", "zarq*"):
            assert TEXT not in said_at(visitor, f"/wiki/search/?q={typed}")
    ada.wiki_watches.update(seen=0)
    unseen = list(selectors.unseen(ada))
    assert row in unseen
    assert TEXT not in "".join(digest.words((0, len(unseen)), [], unseen))
    assert said.replace("/* ", "→ ").replace(" */", "") in unescape(
        re.sub("<[^>]*>", "", said_at(as_mo, "/wiki/hearts/history/"))
    )
    sent = {"part": "text", "reason": "The summary does no harm"}
    assert as_mo.post(f"/wiki/hearts/hide/{row.pk}/", sent).status_code == 302
    row.refresh_from_db()
    assert (row.text_hidden, row.summary_hidden) == (True, False)


def test_summary_that_says_nothing_of_a_hidden_text_stays(
    client: Client, as_mo: Client, hearts: Page, save
) -> None:
    goal = save(HEARTS.replace("few", TEXT), summary="")  # names a section that is there still
    own = save(HEARTS.replace("few", f"no {TEXT}"), summary="My own words")
    save(HEARTS)
    for row in (goal, own):
        as_mo.post(f"/wiki/hearts/hide/{row.pk}/", {"part": "text", "reason": "x"})
        row.refresh_from_db()
        assert (row.text_hidden, row.summary_hidden) == (True, False)
    html = said_at(client, "/wiki/hearts/history/")
    assert "My own words" in html
    assert "→ Goal" in html


def test_other_summaries_that_name_a_hidden_section_go_with_it(
    client: Client, as_mo: Client, hearts: Page, save
) -> None:
    bad = save(HEARTS + f"\n## On {TEXT}\n\nHe lies.\n", summary="More")
    renamed = save(HEARTS + "\n## On somebody\n\nHe lies.\n", summary=f"/* On {TEXT} */ no names")
    kept = save(HEARTS + "\n## On nobody\n\nNone.\n", summary="/* On somebody */ nobody")
    as_mo.post(f"/wiki/hearts/hide/{bad.pk}/", {"part": "text", "reason": "x"})
    for row, hides in ((bad, False), (renamed, True), (kept, False)):
        row.refresh_from_db()
        assert row.summary_hidden is hides, row.summary
    for door in ("history/", "history/feed/"):
        assert TEXT not in said_at(client, f"/wiki/hearts/{door}")


def test_imported_summary_that_quotes_in_another_language_goes_too(
    client: Client, as_mo: Client, hearts: Page, old: Revision
) -> None:
    source = f"'''{TEXT}''' est un menteur"
    Revision.objects.filter(pk=old.pk).update(
        summary=f"Page créée avec « {source} »",
        source_text=source,
        text=f"**{TEXT}** est un menteur",
    )
    assert (
        as_mo.post(f"/wiki/hearts/hide/{old.pk}/", {"part": "text", "reason": "x"}).status_code
        == 302
    )
    for door in ("/wiki/hearts/history/", "/wiki/changes/", "/wiki/contributions/Tilda%20W/"):
        assert TEXT not in said_at(client, door)


def test_notices_and_drafts_say_nothing_of_a_hidden_text(
    client: Client, as_ada: Client, as_mo: Client, ada: User, hearts: Page, save
) -> None:
    vandal = Client()
    vandal.force_login(User.objects.create_user("Vandal"))
    watch(page=hearts, user=ada)
    said = {"heading": f"On {TEXT}", "text": f"@Ada, {TEXT} lies.", "number": ""}
    assert vandal.post("/wiki/hearts/talk/", said).status_code == 302
    talk = Page.objects.get(namespace="talk")
    bad = talk.current
    kept = {"text": "Mine.", "base": bad.pk, "section": 1}
    assert as_ada.post("/wiki/talk-hearts/draft/", kept).status_code == 200
    assert TEXT in said_at(as_ada, "/wiki/notices/")
    assert TEXT in said_at(as_ada, "/wiki/drafts/")  # the heading of the section that it is of
    row = SavedDraft.objects.get()
    as_mo.post("/wiki/talk-hearts/edit/", {"text": "Nothing.", "base": bad.pk, "action": "save"})
    notice = Notice.objects.get(user=ada, revision=bad)
    as_mo.post(f"/wiki/talk-hearts/hide/{bad.pk}/", {"part": "text", "reason": "x"})
    doors = ["/", "/wiki/notices/", f"/wiki/notices/{notice.pk}/", "/wiki/drafts/", "/wiki/log/"]
    doors += ["/wiki/talk-hearts/edit/", f"/wiki/talk-hearts/edit/?draft={row.pk}"]
    doors += ["/wiki/hearts/talk/", "/wiki/talk-hearts/history/", "/wiki/changes/?talk=1"]
    for door in doors:
        assert TEXT not in said_at(as_ada, door), door
    mail = digest.words((1, 1), list(unread(ada)), list(selectors.unseen(ada)))
    assert TEXT not in "".join(mail)


def test_moderators_see_it_marked(as_mo: Client, secret: Revision) -> None:
    said = as_mo.get("/wiki/hearts/history/").content.decode()
    for word in (SUMMARY, AUTHOR, "text hidden", "summary hidden", "name hidden"):
        assert word in said
    for address in (
        secret.get_absolute_url(),
        f"/wiki/hearts/diff/{secret.parent_id}/{secret.pk}/",
        f"/wiki/hearts/source/?rev={secret.pk}",
    ):
        assert TEXT in as_mo.get(address).content.decode(), address
    assert "Hearts" in as_mo.get(f"/wiki/contributions/{AUTHOR}/").content.decode()


def test_others_read_that_something_is_hidden(client: Client, secret: Revision) -> None:
    said = client.get("/wiki/hearts/history/").content.decode()
    assert "<i>name hidden</i>" in said
    assert "<i>summary hidden</i>" in said
    answer = client.get(secret.get_absolute_url())
    assert 'data-code="text_hidden"' in answer.content.decode()
    assert "as a hidden author left it" in answer.content.decode()
    answer = client.get(f"/wiki/hearts/source/?rev={secret.pk}")
    assert answer.status_code == 403
    assert "A moderator hid the text" in answer.content.decode()
    restored = Client()
    restored.force_login(User.objects.get(username="Ada"))
    answer = restored.post(f"/wiki/hearts/revert/{secret.pk}/", {"current": secret.page.current_id})
    assert answer.status_code == 403


def test_the_log_says_that_not_what(secret: Revision) -> None:
    entry = LogEntry.objects.get()
    assert (entry.kind, entry.reason, entry.actor_name) == ("hide", PARTS["reason"], "Mo")
    assert entry.detail == {"revision": secret.pk}


def test_log_hides_what_the_history_hides_of_the_same_event(
    client: Client, as_mo: Client, hearts: Page
) -> None:
    vandal = User.objects.create_user(AUTHOR)
    said = {"title": SUMMARY, "seen": "Hearts", "reason": TEXT}
    rename(page_id=hearts.pk, author=vandal, **said)
    rename(page_id=hearts.pk, author=User.objects.get(username="Mo"), title="Hearts", seen=SUMMARY)
    row = hearts.revisions.get(event="rename", author=vandal)
    doors = ("/wiki/log/", f"/wiki/log/?by={AUTHOR}", "/api/wiki/v1/log", "/wiki/log/feed/")
    assert f'renamed <a href="/wiki/hearts/">Hearts</a> to {SUMMARY}' in said_at(client, doors[0])
    sent = {"part": ["summary", "author"], "reason": "x"}
    assert as_mo.post(f"/wiki/hearts/hide/{row.pk}/", sent).status_code == 302
    for door in doors:
        assert not [word for word in (TEXT, AUTHOR) if f">{word}<" in said_at(client, door)], door
    assert AUTHOR not in said_at(client, "/wiki/log/").replace(SUMMARY, "")
    assert AUTHOR in said_at(as_mo, "/wiki/log/")
    assert TEXT not in said_at(client, "/api/wiki/v1/log") + said_at(client, "/wiki/log/feed/")
    assert "Nothing of this kind" in said_at(client, doors[1])
    assert as_mo.post(f"/wiki/hearts/hide/{row.pk}/", {"reason": "again"}).status_code == 302
    assert AUTHOR in said_at(client, "/wiki/log/")


def test_reason_of_a_protection_goes_with_the_row_that_tells_it(
    client: Client, as_ada: Client, as_mo: Client, hearts: Page
) -> None:
    how = {"level": "reviewers", "span": "week", "reason": TEXT}
    assert as_mo.post("/wiki/hearts/protect/", how).status_code == 302
    doors = [*(f"/wiki/hearts/{rest}" for rest in ("", "edit/", "protect/", "history/"))]
    doors += ["/api/wiki/v1/pages/hearts", "/wiki/log/", "/wiki/log/feed/", "/wiki/changes/"]
    assert TEXT in said_at(as_ada, "/wiki/hearts/edit/")
    row = hearts.revisions.get(event="protection")
    hide = f"/wiki/hearts/hide/{row.pk}/"
    assert as_mo.post(hide, {"part": "summary", "reason": "x"}).status_code == 302
    for visitor in (client, as_ada):
        for door in doors:
            assert TEXT not in said_at(visitor, door), door
    assert as_mo.post(hide, {"reason": "A mistake"}).status_code == 302
    assert TEXT in said_at(as_ada, "/wiki/hearts/edit/")
    assert as_mo.post("/wiki/hearts/protect/", how | {"reason": "Another"}).status_code == 302
    assert as_mo.post(hide, {"part": "summary", "reason": "x"}).status_code == 302
    assert "Another" in said_at(
        as_ada, "/wiki/hearts/edit/"
    )  # that of the older row is not in force


def test_reason_why_a_picture_was_deleted_goes_with_the_row_that_tells_it(
    client: Client, as_mo: Client, hearts: Page, ada: User
) -> None:
    Page.objects.filter(pk=hearts.pk).update(namespace="file", slug="file-x", title="File:X.png")
    facts = {"kind": "png", "width": 9, "height": 9, "size": 9, "licence": "own"}
    hearts.file_versions.create(
        number=1,
        sha256="1" * 64,
        sent_sha256="1" * 64,
        uploader_name="Ada",
        uploaded_at=timezone.now(),
        **facts,
    )
    root = User.objects.create_superuser(AUTHOR)
    hide_file(page_id=hearts.pk, author=root, reason=TEXT)
    doors = ("/wiki/files/file-x/", "/wiki/file-x/history/", "/api/wiki/v1/files/file-x")
    assert TEXT in said_at(client, doors[0])
    row = hearts.revisions.get(author=root)
    sent = {"part": ["summary", "author"], "reason": "x"}
    assert as_mo.post(f"/wiki/file-x/hide/{row.pk}/", sent).status_code == 302
    for door in doors:
        assert not [word for word in (TEXT, AUTHOR) if word in said_at(client, door)], door


def said_at(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_shown_again_it_is_as_before(client: Client, as_mo: Client, secret: Revision) -> None:
    client.get(secret.get_absolute_url())  # nothing of a covered text is kept
    address = f"/wiki/hearts/hide/{secret.pk}/"
    assert as_mo.post(address, {"reason": "A mistake"}).status_code == 302
    assert LogEntry.objects.filter(kind="show").count() == 1
    assert TEXT in client.get(secret.get_absolute_url()).content.decode()
    said = client.get("/wiki/hearts/history/").content.decode()
    assert AUTHOR in said
    assert SUMMARY in said


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"part": ["text"], "reason": "x"}, "current_text", 409),
        ({"part": ["summary"], "reason": " "}, "no_reason", 422),
        ({"part": ["all"], "reason": "x"}, "bad_part", 400),
        ({"reason": "x"}, "unchanged", 409),
        ({"part": ["author"], "reason": "x" * 501}, "long_summary", 400),
    ],
)
def test_wrong_wishes_are_refused_in_words(
    as_mo: Client, hearts: Page, sent: dict, code: str, status: int
) -> None:
    answer = as_mo.post(f"/wiki/hearts/hide/{hearts.current_id}/", sent)
    assert answer.status_code == status
    assert f'data-code="{code}"' in answer.content.decode()
    assert not LogEntry.objects.exists()
    assert not hearts.revisions.get().hides


def test_only_moderators_hide(client: Client, as_ada: Client, hearts: Page) -> None:
    for visitor in (client, as_ada):
        for answer in (
            visitor.get(f"/wiki/hearts/hide/{hearts.current_id}/"),
            visitor.post(f"/wiki/hearts/hide/{hearts.current_id}/", PARTS),
        ):
            assert answer.status_code == 403
            assert 'data-code="not_moderator"' in answer.content.decode()
    assert not hearts.revisions.get().hides


def test_rows_that_repeat_a_text_are_hidden_with_it(
    client: Client, as_mo: Client, hearts: Page, save
) -> None:
    bad = save(f"{TEXT}\n", summary="x")
    how = {"level": "accounts", "span": "week", "reason": "x"}
    as_mo.post("/wiki/hearts/protect/", how)
    answer = as_mo.post(f"/wiki/hearts/hide/{bad.pk}/", {"part": "text", "reason": "x"})
    assert 'data-code="current_text"' in answer.content.decode()  # it is read under another row
    save(HEARTS)
    assert (
        as_mo.post(f"/wiki/hearts/hide/{bad.pk}/", {"part": "text", "reason": "x"}).status_code
        == 302
    )
    for row in hearts.revisions.filter(text_sha1=bad.text_sha1):
        assert TEXT not in client.get(row.get_absolute_url()).content.decode()


def test_last_text_of_a_deleted_page_is_not_hidden_either(mo: User, hearts: Page, save) -> None:
    bad = save(f"{TEXT}\n")
    delete_page(page_id=hearts.pk, reason="x", person=User.objects.create_superuser("Root"))
    with pytest.raises(WikiError, match="everybody reads") as refused:  # or it would come back open
        set_hidden(revision_id=bad.pk, parts=["text"], reason="x", person=mo)
    assert refused.value.code == "current_text"


def test_author_of_the_current_text_can_be_hidden(
    client: Client, as_mo: Client, as_ada: Client, hearts: Page, save, bob: User
) -> None:
    base = hearts.current_id
    bad = save("Other words.\n", author=User.objects.create_user(AUTHOR))
    as_mo.post(f"/wiki/hearts/hide/{bad.pk}/", {"part": "author", "reason": "x"})
    for address in ("/wiki/", "/wiki/hearts/", "/"):
        assert AUTHOR not in client.get(address).content.decode(), address
    answer = as_ada.post(EDIT, {"text": "Mine instead.\n", "base": base, "action": "save"})
    assert answer.status_code == 409
    assert AUTHOR not in answer.content.decode()
    assert "Mine instead." in answer.content.decode()


def test_later_summaries_that_say_a_hidden_name_go_with_it(
    client: Client, as_mo: Client, hearts: Page, save, as_ada: Client
) -> None:
    bad = save("Other words.\n", author=User.objects.create_user(AUTHOR))
    html = as_ada.get(f"{EDIT}?undo={bad.pk}").content.decode()
    sent = {"text": HEARTS, "base": hidden(html, "base"), "summary": f"Undid the edit by {AUTHOR}"}
    assert as_ada.post(EDIT, sent).status_code == 302
    as_mo.post(f"/wiki/hearts/hide/{bad.pk}/", {"part": "author", "reason": "x"})
    assert AUTHOR not in client.get("/wiki/hearts/history/").content.decode()


def test_uploader_whose_name_is_hidden_is_not_told_by_the_file_page(
    client: Client, as_mo: Client, hearts: Page, ada: User
) -> None:
    Page.objects.filter(pk=hearts.pk).update(namespace="file", slug="file-x", title="File:X.png")
    row = hearts.revisions.get()
    hearts.file_versions.create(
        number=1,
        sha256="0" * 64,
        sent_sha256="0" * 64,
        kind="png",
        width=9,
        height=9,
        size=9,
        licence="own",
        comment=SUMMARY,
        uploader=ada,
        uploader_name=AUTHOR,
        uploaded_at=timezone.now(),
    )
    Revision.objects.filter(pk=row.pk).update(
        author_name=AUTHOR, summary=f"Uploaded: {SUMMARY}", author_hidden=True, summary_hidden=True
    )
    api = ("/api/wiki/v1/files", "/api/wiki/v1/files/file-x")
    exports = [f"/wiki/file-x/export/?form={form}" for form in ("history", "current")]
    for address in ("/wiki/files/", "/wiki/files/file-x/", *api, *exports):
        said = client.get(address).content.decode()
        assert AUTHOR not in said, address
        assert SUMMARY not in said, address
    assert AUTHOR in as_mo.get("/wiki/files/file-x/").content.decode()


def test_going_back_to_a_picture_names_no_hidden_uploader(
    client: Client, hearts: Page, ada: User
) -> None:
    Page.objects.filter(pk=hearts.pk).update(namespace="file", slug="file-x", title="File:X.png")
    facts = {"kind": "png", "width": 9, "height": 9, "size": 9, "licence": "own"}
    first, second = (
        hearts.file_versions.create(
            number=n,
            sha256=str(n) * 64,
            sent_sha256=str(n) * 64,
            uploader_name=AUTHOR,
            uploaded_at=timezone.now(),
            **facts,
        )
        for n in (1, 2)
    )
    hearts.revisions.update(author_name=AUTHOR, author_hidden=True)
    revert_file(page_id=hearts.pk, version_id=first.pk, current_id=second.pk, author=ada)
    said = said_at(client, "/wiki/file-x/history/")
    assert "Went back to version 1 of the picture, by a hidden author" in said
    assert AUTHOR not in said
