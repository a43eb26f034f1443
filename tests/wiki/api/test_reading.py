"""Reading by the API: lists in parts, single things with a tag, nothing that is hidden or deleted."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from subprocess import run

import pytest
from django.utils import timezone

from portal.models import User
from tests.wiki.api.conftest import Api, refused
from tests.wiki.conftest import HEARTS, WIKITEXT
from wiki.api.cursors import cursor_of
from wiki.models import FileVersion, Page, PageLink, Revision
from wiki.services import protect
from wiki.services.delete import delete_page
from wiki.services.edit import create_page, name_page
from wiki.services.rename import rename

pytestmark = pytest.mark.django_db


def items_of(api: Api, path: str, limit: int = 2) -> list[dict]:
    """All items of a list, asked for in parts."""
    found, cursor = [], ""
    for _part in range(50):
        joint = "&" if "?" in path else "?"
        told = api.read(f"{path}{joint}limit={limit}{cursor}")
        assert len(told["items"]) <= limit
        found += told["items"]
        if told["next_cursor"] is None:
            return found
        cursor = f"&cursor={told['next_cursor']}"
    raise AssertionError("the list has no end")


# Pages


def test_a_page_is_told_with_its_text_and_names(anybody: Api, hearts: Page, save: Callable) -> None:
    name_page(hearts, "Black Lady")
    told = anybody.read("/pages/hearts")
    assert told["title"] == "Hearts"
    assert told["url"] == "http://testserver/wiki/hearts/"
    assert told["names"] == ["Hearts", "Black Lady"]
    assert told["protection"]["edit"] == "open"
    assert told["current"]["text"] == HEARTS
    assert "<h2" in told["current"]["html"]
    assert told["current"]["author"] == {"name": "Ada", "account": True}
    assert [section["heading"] for section in told["sections"]] == ["Goal", "Passing", "Scoring"]
    section = told["sections"][1]
    lines = HEARTS.split("\n")[section["start"] : section["end"]]
    assert lines[0] == "## Passing"
    assert told["current_id"] == hearts.current_id


@pytest.mark.parametrize("path", ["/pages/black-lady", "/titles/Black Lady", "/titles/black_Lady"])
def test_a_page_is_found_by_every_name(anybody: Api, hearts: Page, path: str) -> None:
    name_page(hearts, "Black Lady")
    assert anybody.read(path)["slug"] == "hearts"


def test_a_title_may_hold_any_mark(anybody: Api, save: Callable) -> None:
    for title in ("C++ 7/8", "Why?", "100%"):
        save("Text.", title=title)
    assert anybody.read("/titles/C++ 7/8")["title"] == "C++ 7/8"
    assert anybody.read("/titles/Why%3F")["title"] == "Why?"
    assert anybody.read("/titles/100%25")["title"] == "100%"


def test_a_page_tells_its_links(anybody: Api, hearts: Page, save: Callable) -> None:
    other = save("Text.", title="Spades").page
    gone = save("Text.", title="Gone").page
    PageLink.objects.all().delete()
    for key, target in (("spades", other), ("gone", gone), ("nowhere", None)):
        PageLink.objects.create(
            source=hearts, kind="link", key=key, title=key.title(), target=target
        )
    Page.objects.filter(pk=gone.pk).update(deleted_at=timezone.now())
    links = anybody.read("/pages/hearts")["links"]
    assert [(link["title"], link["page"] and link["page"]["slug"]) for link in links] == [
        ("Gone", None),
        ("Nowhere", None),
        ("Spades", "spades"),
    ]


def test_pages_come_in_parts_by_title(anybody: Api, save: Callable) -> None:
    for title in ("beta", "Alpha", "Gamma", "delta", "Épée", "Жаба"):
        save("Text.", title=title)
    titles = [page["title"] for page in items_of(anybody, "/pages")]
    assert titles[:4] == ["Alpha", "beta", "delta", "Gamma"]
    assert sorted(titles) == sorted(["beta", "Alpha", "Gamma", "delta", "Épée", "Жаба"])


def test_a_list_goes_on_where_it_was_whatever_comes_and_goes(anybody: Api, save: Callable) -> None:
    for title in ("B", "D", "F", "H"):
        save("Text.", title=title)
    first = anybody.read("/pages?limit=2")
    save("Text.", title="A")
    save("Text.", title="E")
    Page.objects.filter(title="D").update(deleted_at=timezone.now())
    second = anybody.read(f"/pages?limit=9&cursor={first['next_cursor']}")
    assert [page["title"] for page in second["items"]] == ["E", "F", "H"]


def test_pages_are_filtered(anybody: Api, hearts: Page, save: Callable) -> None:
    Page.objects.filter(pk=hearts.pk).update(game="hearts")
    french = save("Texte.", title="Coeurs").page
    Page.objects.filter(pk=french.pk).update(language="fr")
    PageLink.objects.create(
        source=french, kind="category", key="category:trick taking", title="Category:Trick taking"
    )
    create_page(title="File:Queen.png", language="en")

    def slugs(query: str) -> list[str]:
        return [page["slug"] for page in items_of(anybody, f"/pages?{query}", 9)]

    assert slugs("language=fr") == ["coeurs"]
    assert slugs("game=hearts") == ["hearts"]
    assert slugs("category=Trick_taking") == ["coeurs"]
    assert slugs("namespace=file") == ["file-queen-png"]
    assert slugs("namespace=*") == ["coeurs", "file-queen-png", "hearts"]
    assert slugs("") == ["coeurs", "hearts"]
    assert slugs("language=xx") == []


def test_a_deleted_page_is_nowhere(anybody: Api, hearts: Page) -> None:
    revision = hearts.current_id
    Page.objects.filter(pk=hearts.pk).update(deleted_at=timezone.now())
    refused(anybody.get(f"/revisions/{revision}"), "no_revision", 404)
    refused(anybody.get(f"/diff/0/{revision}"), "no_revision", 404)
    assert anybody.read("/pages")["items"] == []
    assert anybody.read("/changes")["items"] == []
    assert anybody.read("/people/Ada/contributions")["items"] == []


# Revisions


def test_the_history_comes_in_parts(anybody: Api, hearts: Page, save: Callable) -> None:
    for number in range(4):
        save(f"{HEARTS}\n{number}", minor=number == 2, summary=f"edit {number}")
    told = items_of(anybody, "/pages/hearts/revisions")
    assert [row["number"] for row in told] == [5, 4, 3, 2, 1]
    assert told[1]["minor"]
    assert told[0]["parent_id"] == told[1]["id"]
    major = items_of(anybody, "/pages/hearts/revisions?minor=false")
    assert [row["number"] for row in major] == [5, 3, 2, 1]


def test_an_imported_revision_tells_its_wikitext(anybody: Api, old: Revision) -> None:
    told = anybody.read(f"/revisions/{old.pk}")
    assert told["author"] == {"name": "Tilda W", "account": False}
    assert told["origin"] == "Some wiki"
    assert told["wikitext"] == WIKITEXT
    assert told["timestamp"] == "2019-06-12T07:29:02Z"


def test_a_missing_text_is_none_not_nothing(anybody: Api, old: Revision) -> None:
    Revision.objects.filter(pk=old.pk).update(text="", source_text="", text_state="missing")
    told = anybody.read(f"/revisions/{old.pk}")
    assert (told["text"], told["html"], told["wikitext"]) == (None, None, None)
    refused(anybody.get(f"/diff/0/{old.pk}"), "no_text", 404)


def test_what_is_hidden_is_told_nowhere(
    anybody: Api, hearts: Page, save: Callable, bob: User
) -> None:
    bad = save("SECRET TEXT", author=bob, summary="SECRET SUMMARY")
    save(HEARTS)
    Revision.objects.filter(pk=bad.pk).update(
        text_hidden=True, summary_hidden=True, author_hidden=True
    )
    for path in (
        f"/revisions/{bad.pk}",
        "/pages/hearts/revisions",
        "/changes",
        "/pages/hearts",
        f"/diff/{bad.pk}/{hearts.current_id}",
        f"/diff/{hearts.current_id}/{bad.pk}",
    ):
        said = anybody.get(path).content.decode()
        assert "SECRET" not in said, path
        assert "Bob" not in said, path
    assert anybody.read(f"/revisions/{bad.pk}")["hidden"] == ["text", "summary", "author"]
    refused(anybody.get(f"/diff/0/{bad.pk}"), "text_hidden", 403)
    told = anybody.read("/people/Bob/contributions")
    assert (told["items"], told["edits"]) == ([], 0)


def test_moderators_see_what_is_hidden(
    ada: User, ada_writes: Api, bob: User, hearts: Page, save: Callable
) -> None:
    bad = save("SECRET TEXT", author=bob, summary="SECRET SUMMARY")
    save(HEARTS)
    Revision.objects.filter(pk=bad.pk).update(
        text_hidden=True, summary_hidden=True, author_hidden=True
    )
    assert ada_writes.read(f"/revisions/{bad.pk}")["text"] is None
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    told = ada_writes.read(f"/revisions/{bad.pk}")
    assert (told["text"], told["summary"], told["author"]["name"]) == (
        bad.text,
        "SECRET SUMMARY",
        "Bob",
    )
    assert told["hidden"] == ["text", "summary", "author"]
    assert len(ada_writes.read("/people/Bob/contributions")["items"]) == 1


# Differences


def test_a_difference_is_told_in_pieces(anybody: Api, hearts: Page, save: Callable) -> None:
    first = hearts.current_id
    new = save(HEARTS.replace("Pass three cards", "Pass two cards") + "\nThe end.\n")
    told = anybody.read(f"/diff/{first}/{new.pk}")
    changed = next(line for line in told["lines"] if line["kind"] == "change")
    assert (changed["old_line"], changed["new_line"]) == (7, 7)
    assert [piece for piece in changed["pieces"] if piece["kind"] != "same"] == [
        {"kind": "old", "text": "three"},
        {"kind": "new", "text": "two"},
    ]
    assert "-Pass three cards to the left." in told["unified"]
    assert not told["same"]


def test_no_difference_is_told_as_none(anybody: Api, hearts: Page) -> None:
    told = anybody.read(f"/diff/{hearts.current_id}/{hearts.current_id}")
    assert (told["same"], told["lines"], told["unified"]) == (True, [], "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", HEARTS),
        (HEARTS, "## Goal\n"),
        (HEARTS, HEARTS.replace("left", "right").replace("thirteen", "13")),
        (HEARTS, "# New first line\n" + HEARTS + "\nand last\n"),
        ("a\nb\nc\nd\ne\nf\ng\nh\n", "a\nX b\nc\nd\nf\ng\nY h\ni\n"),
        ("\n".join(f"line {n}" for n in range(300)) + "\n", "\n".join("xyz") + "\n"),
        (
            "".join(f"line {n}\n" for n in range(40)),
            "".join(f"line {n}\n" for n in range(0, 40, 3)),
        ),
    ],
)
def test_patch_makes_the_new_text_of_the_old(
    anybody: Api, hearts: Page, save: Callable, tmp_path, before: str, after: str
) -> None:
    old = save(before) if before else None
    new = save(after)
    told = anybody.read(f"/diff/{old.pk if old else 0}/{new.pk}")
    target, patch = tmp_path / "page", tmp_path / "patch"
    target.write_text(before)
    patch.write_text(told["unified"])
    run(["patch", "-s", str(target), str(patch)], check=True)
    assert target.read_text() == after


def test_revisions_of_two_pages_are_not_compared(
    anybody: Api, hearts: Page, save: Callable
) -> None:
    other = save("Text.", title="Spades")
    refused(anybody.get(f"/diff/{hearts.current_id}/{other.pk}"), "two_pages", 400)


# Changes, contributions, search


def test_changes_come_in_parts_that_last(anybody: Api, hearts: Page, save: Callable) -> None:
    for number in range(3):
        save(f"{HEARTS}\n{number}")
    first = anybody.read("/changes?limit=2")
    save("Text.", title="Spades")
    second = anybody.read(f"/changes?limit=2&cursor={first['next_cursor']}")
    assert [row["number"] for row in first["items"] + second["items"]] == [4, 3, 2, 1]
    assert second["next_cursor"] is None


def test_changes_are_filtered(
    anybody: Api, ada_writes: Api, old: Revision, save: Callable, bob: User
) -> None:
    save(HEARTS + "\nBy Bob", author=bob, minor=True)
    assert [row["author"]["name"] for row in items_of(anybody, "/changes")] == [
        "Bob",
        "Ada",
        "Tilda W",
    ]
    assert len(items_of(anybody, "/changes?minor=false")) == 2
    assert len(items_of(anybody, "/changes?imports=false")) == 2
    assert len(items_of(anybody, "/changes?days=7")) == 2
    assert len(items_of(anybody, "/changes?mine=false")) == 3  # nobody in particular
    assert len(items_of(ada_writes, "/changes?mine=false")) == 2


def test_undated_revisions_come_last(anybody: Api, hearts: Page, old: Revision) -> None:
    Revision.objects.filter(pk=old.pk).update(timestamp=None)
    told = items_of(anybody, "/changes", 1)
    assert [row["timestamp"] is None for row in told] == [False, True]


def test_contributions_are_counted(anybody: Api, old: Revision) -> None:
    told = anybody.read("/people/Tilda W/contributions")
    assert (told["edits"], told["imported"], told["account"]) == (1, 1, False)
    assert told["items"][0]["id"] == old.pk
    refused(anybody.get("/people/Nobody/contributions"), "no_contributions", 404)


def test_search_tells_the_words_around(
    anybody: Api, hearts: Page, save: Callable, django_capture_on_commit_callbacks: Callable
) -> None:
    told = anybody.read("/search?q=queen  costs")
    assert (told["query"], told["total"], told["how"]) == ("queen costs", 1, "all")
    hit = told["items"][0]
    assert hit["page"]["slug"] == "hearts"
    marked = {piece["text"].lower() for piece in hit["snippet"] if piece["match"]}
    assert marked == {"queen", "cost", "costs"}
    assert anybody.read("/search?q=it's (bad")["total"] == 0
    with django_capture_on_commit_callbacks(execute=True):
        save("Cards in families.", title="Machiavelli")
    assert anybody.read("/search?q=machiaveli")["suggestion"] == "machiavelli"
    assert anybody.read("/search?q=queen&offset=1")["items"] == []
    assert anybody.read("/search?q=queen&language=fr")["total"] == 0
    assert anybody.read("/search?q=queen&namespace=*")["total"] == 1


# What was done besides editing


def test_the_log_is_told_in_parts(
    anybody: Api, ada: User, bob: User, hearts: Page, save: Callable
) -> None:
    other = save("Text.", title="Spades").page
    protect(page_id=hearts.pk, level="staff", span="day", reason="War", moderator=chief(ada))
    rename(page_id=other.pk, title="Swords", author=bob, seen="Spades")
    protect(page_id=other.pk, level="staff", span="day", reason="More war", moderator=ada)
    told = items_of(anybody, "/log", 1)
    assert [(row["kind"], row["actor"], row["title"]) for row in told] == [
        ("protect", "Ada", "Swords"),
        ("rename", "Bob", "Spades"),
        ("protect", "Ada", "Hearts"),
    ]
    assert told[1]["page"]["title"] == "Swords"
    assert len(items_of(anybody, "/log?kind=rename")) == 1
    assert len(items_of(anybody, "/log?by=ada")) == 2
    assert [row["reason"] for row in items_of(anybody, "/log?of=Hearts")] == ["War"]


def test_only_moderators_list_deleted_pages(
    anybody: Api, ada_writes: Api, bob_writes: Api, ada: User, save: Callable
) -> None:
    chief(ada)
    for title in ("Spam", "Hearts", "More spam"):
        page = save("Text.", title=title).page
        delete_page(page_id=page.pk, reason="Nonsense", person=ada)
    for api in (anybody, bob_writes):
        refused(api.get("/deleted"), "not_moderator", 403)
    told = items_of(ada_writes, "/deleted", 1)
    assert [page["title"] for page in told] == ["More spam", "Hearts", "Spam"]
    assert (told[0]["deleted_by"], told[0]["reason"]) == ("Ada", "Nonsense")
    assert [page["title"] for page in items_of(ada_writes, "/deleted?q=spam")] == [
        "More spam",
        "Spam",
    ]
    refused(ada_writes.get(f"/deleted?cursor={cursor_of(999)}"), "bad_cursor", 400)


def chief(person: User) -> User:
    """``person``, of the staff from now on."""
    User.objects.filter(pk=person.pk).update(is_staff=True)
    person.is_staff = True
    return person


# Files


@pytest.fixture
def queen(ada: User) -> Page:
    page = create_page(title="File:Queen.png", language="en")
    for number, hidden in ((1, None), (2, datetime(2026, 1, 1, tzinfo=UTC)), (3, None)):
        FileVersion.objects.create(
            page=page,
            number=number,
            sha256=f"{number}" * 64,
            sent_sha256="b" * 64,
            kind="png",
            width=10,
            height=20,
            size=99,
            licence="own",
            uploader=ada,
            uploader_name="Ada",
            uploaded_at=timezone.now() + timedelta(seconds=number),
            hidden_at=hidden,
        )
    return page


def test_files_are_told_without_deleted_pictures(anybody: Api, queen: Page, save: Callable) -> None:
    create_page(title="File:Missing.png", language="en")
    save("![q](file:Queen.png)", title="Spades")
    listed = items_of(anybody, "/files", 1)
    assert [(file["name"], file["current"] is None) for file in listed] == [
        ("Missing.png", True),
        ("Queen.png", False),
    ]
    told = anybody.read("/files/queen-png")
    assert [version["number"] for version in told["versions"]] == [3, 1]
    assert told["current"]["url"].endswith(f"/wiki/files/picture/{'3' * 64}.png")
    assert [page["slug"] for page in told["used_on"]] == ["spades"]
    assert anybody.read("/files/file-queen-png")["name"] == "Queen.png"
    refused(anybody.get("/files/spades"), "no_page", 404)


# Tags


@pytest.mark.parametrize(
    "path", ["/pages/hearts", "/pages", "/pages/hearts/revisions", "/changes", "/search?q=queen"]
)
def test_what_one_has_is_not_sent_again(
    anybody: Api, hearts: Page, save: Callable, path: str
) -> None:
    tag = anybody.get(path)["ETag"]
    again = anybody.get(path, **{"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    save(HEARTS + "\nThe queen again.\n")
    changed = anybody.get(path, **{"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed["ETag"] != tag


def test_a_head_is_answered_like_a_get(anybody: Api, hearts: Page) -> None:
    answer = anybody.client.head("/api/wiki/v1/pages/hearts")
    assert answer.status_code == 200
    assert answer["ETag"] == anybody.get("/pages/hearts")["ETag"]


def test_scripts_of_every_site_may_read(anybody: Api, hearts: Page) -> None:
    answer = anybody.get("/pages/hearts", Origin="https://elsewhere.example")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert "Access-Control-Allow-Credentials" not in answer
    assert "ETag" in answer["Access-Control-Expose-Headers"]
    asked = anybody.client.options("/api/wiki/v1/pages/hearts")
    assert asked.status_code == 204
    assert asked["Access-Control-Allow-Methods"] == "GET, HEAD"
    assert "Authorization" not in asked["Access-Control-Allow-Headers"]
    assert not asked.cookies
