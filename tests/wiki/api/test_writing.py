"""Writing by the API: as on the pages, with a base, and with both texts where two people clash."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client, override_settings
from django.utils import timezone

from portal.blocks import block
from portal.models import User
from tests.wiki.api.conftest import Api, refused
from tests.wiki.conftest import HEARTS
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db


def edit(page: Page, text: str, **more: Any) -> dict[str, Any]:
    return {"text": text, "base": page.current_id, **more}


# A page is made


def test_a_page_is_made(ada_writes: Api, ada: User) -> None:
    sent = {"title": "Black Maria", "text": "Take  \r\nfew.", "base": None, "language": "de"}
    answer = ada_writes.post("/pages", sent)
    assert answer.status_code == 201
    told = answer.json()
    assert told["outcome"] == "saved"
    assert told["revision"]["text"] == "Take  \nfew.\n"
    assert told["revision"]["summary"].startswith("Created page with")
    page = Page.objects.get()
    assert (page.slug, page.title, page.language) == ("black-maria", "Black Maria", "de")
    assert page.current.author == ada
    assert answer["Cache-Control"] == "no-store"


def test_a_page_is_not_made_over_another(ada_writes: Api, hearts: Page) -> None:
    sent = {"title": "hearts", "text": "Mine.", "base": None}
    error = refused(ada_writes.post("/pages", sent), "page_exists", 409)
    assert "Hearts" in error["message"]
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS


def test_titles_that_ask_for_one_slug_make_two_pages(ada_writes: Api) -> None:
    for title, slug in (("C", "c"), ("C++", "c-2")):
        sent = {"title": title, "text": "Text.", "base": None}
        assert ada_writes.post("/pages", sent).json()["revision"]["page"]["slug"] == slug


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"title": "x" * 300}, "bad_title", 400),
        ({"title": "a\x00b"}, "bad_title", 400),
        ({"title": "???"}, "bad_title", 400),
        ({"text": ""}, "empty_page", 400),
        ({"text": "\x00\x07 \n"}, "empty_page", 400),
        ({"text": "x" * 500_000}, "too_long", 413),
        ({"summary": "x" * 501}, "long_summary", 400),
        ({"base": 3}, "bad_fields", 422),
        ({"title": 7}, "bad_fields", 422),
        ({"text": None}, "bad_fields", 422),
        ({"sumary": "typo"}, "bad_fields", 422),
        ({"language": "x" * 17}, "bad_fields", 422),
    ],
)
def test_a_bad_page_is_refused(ada_writes: Api, sent: dict, code: str, status: int) -> None:
    whole = {"title": "Black Maria", "text": "Text.", "base": None} | sent
    refused(ada_writes.post("/pages", whole), code, status)
    assert not Page.objects.exists()


# A page is edited


def test_an_edit_is_saved(ada_writes: Api, hearts: Page) -> None:
    new = HEARTS + "\nThe end.\n"
    sent = edit(hearts, new, summary="An  end", minor=True)
    told = ada_writes.put("/pages/hearts", sent).json()
    assert (told["outcome"], told["revision"]["text"]) == ("saved", new)
    assert (told["revision"]["summary"], told["revision"]["minor"]) == ("An end", True)
    assert "The end." in Client().get("/wiki/hearts/").content.decode()
    assert Client().get("/wiki/changes/").content.decode().count("An end") == 1


def test_the_same_text_adds_nothing(ada_writes: Api, hearts: Page) -> None:
    told = ada_writes.put("/pages/hearts", edit(hearts, HEARTS)).json()
    assert told["outcome"] == "unchanged"
    assert told["revision"]["id"] == hearts.current_id
    assert Revision.objects.count() == 1


@pytest.mark.parametrize("sent", [{"text": "x"}, {"base": 1}, {"text": "x", "base": "1"}, [], "x"])
def test_a_base_is_needed(ada_writes: Api, hearts: Page, sent: Any) -> None:
    refused(ada_writes.put("/pages/hearts", sent), "bad_fields", 422)
    assert Revision.objects.count() == 1


def test_nothing_is_no_base_of_a_page_with_text(ada_writes: Api, hearts: Page) -> None:
    refused(ada_writes.put("/pages/hearts", {"text": "x", "base": None}), "no_base", 409)


def test_a_base_must_be_of_the_page(ada_writes: Api, hearts: Page, save: Callable) -> None:
    other = save("Text.", title="Spades")
    refused(ada_writes.put("/pages/hearts", {"text": "x", "base": other.pk}), "bad_base", 409)
    refused(ada_writes.put("/pages/nowhere", {"text": "x", "base": 1}), "no_page", 404)


def test_what_others_wrote_is_merged(
    ada_writes: Api, bob: User, hearts: Page, save: Callable
) -> None:
    sent = edit(hearts, HEARTS.replace("few points", "no points"))
    save(HEARTS.replace("thirteen", "13"), author=bob)
    told = ada_writes.put("/pages/hearts", sent).json()
    assert told["outcome"] == "merged"
    assert "no points" in told["revision"]["text"]
    assert "13" in told["revision"]["text"]


def test_a_conflict_gives_both_texts_back(
    ada_writes: Api, bob: User, hearts: Page, save: Callable
) -> None:
    mine = HEARTS.replace("costs thirteen", "costs twelve")
    sent = edit(hearts, mine)
    theirs = save(HEARTS.replace("costs thirteen", "costs fourteen"), author=bob)
    error = refused(ada_writes.put("/pages/hearts", sent), "edit_conflict", 409)
    conflict = error["conflict"]
    assert conflict["mine"] == mine
    assert conflict["base"]["text"] == HEARTS
    assert conflict["theirs"]["id"] == theirs.pk
    assert conflict["theirs"]["text"] == theirs.text
    passage = conflict["passages"][0]
    assert passage["section"] == "Scoring"
    assert (passage["theirs"], passage["mine"]) == (
        "The queen costs fourteen.",
        "The queen costs twelve.",
    )
    hearts.refresh_from_db()
    assert hearts.current == theirs

    # put together as the description says, it is saved upon theirs
    settled = "".join(
        part["text"] if part["passage"] is None else "It costs 12.5." + passage["tail"]
        for part in conflict["parts"]
    )
    again = {"text": settled, "base": conflict["theirs"]["id"]}
    told = ada_writes.put("/pages/hearts", again).json()
    assert told["outcome"] == "saved"
    assert told["revision"]["text"] == HEARTS.replace("The queen costs thirteen.", "It costs 12.5.")


def test_a_section_is_edited_alone(ada_writes: Api, hearts: Page) -> None:
    sent = edit(hearts, "## Passing\n\nNo passing.\n", section=2)
    told = ada_writes.put("/pages/hearts", sent).json()
    assert told["revision"]["text"] == (
        HEARTS[: HEARTS.index("## Passing")]
        + "## Passing\n\nNo passing.\n\n"
        + HEARTS[HEARTS.index("## Scoring") :]
    )
    page = Page.objects.get()
    refused(ada_writes.put("/pages/hearts", edit(page, "x", section=9)), "no_section", 404)
    refused(ada_writes.put("/pages/hearts", edit(page, "x", section=0)), "bad_fields", 422)


def test_a_page_is_edited_by_an_alias(ada_writes: Api, hearts: Page) -> None:
    from wiki.services.edit import name_page

    name_page(hearts, "Black Lady")
    told = ada_writes.put("/pages/black-lady", edit(hearts, "New.")).json()
    assert told["revision"]["page"]["slug"] == "hearts"


def test_what_is_typed_stays_text(ada_writes: Api, hearts: Page) -> None:
    told = ada_writes.put(
        "/pages/hearts",
        edit(hearts, "<script>alert(1)</script> [x](javascript:alert(1))", summary="<b>&"),
    ).json()
    assert "<script" not in told["revision"]["html"]
    assert "javascript:" not in told["revision"]["html"]
    assert told["revision"]["summary"] == "<b>&"


# Going back


def test_a_page_is_reverted(ada_writes: Api, hearts: Page, save: Callable) -> None:
    first = hearts.current_id
    bad = save("Nonsense.")
    sent = {"revision": first, "base": bad.pk, "summary": "nonsense"}
    told = ada_writes.post("/pages/hearts/revert", sent).json()
    assert told["revision"]["summary"].startswith("Reverted to revision of")
    assert told["revision"]["summary"].endswith(": nonsense")
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS
    refused(ada_writes.post("/pages/hearts/revert", sent), "stale", 409)
    sent = {"revision": 10**6, "base": hearts.current_id}
    refused(ada_writes.post("/pages/hearts/revert", sent), "no_revision", 404)
    sent = {"revision": first, "base": hearts.current_id}
    refused(ada_writes.post("/pages/hearts/revert", sent), "unchanged", 409)


def test_an_older_edit_is_undone(ada_writes: Api, hearts: Page, save: Callable) -> None:
    bad = save(HEARTS.replace("few points", "all points"))
    last = save(bad.text.replace("thirteen", "13"))
    sent = {"revision": bad.pk, "base": last.pk}
    told = ada_writes.post("/pages/hearts/undo", sent).json()
    assert told["revision"]["text"] == HEARTS.replace("thirteen", "13")
    assert told["revision"]["summary"].startswith("Undid the edit of")
    assert ada_writes.read(f"/revisions/{bad.pk}")["reverted_by"] == told["revision"]["id"]
    sent = {"revision": bad.pk, "base": told["revision"]["id"]}
    refused(ada_writes.post("/pages/hearts/undo", sent), "undone_already", 409)


def test_an_undo_that_clashes_gives_both_sides(
    ada_writes: Api, hearts: Page, save: Callable
) -> None:
    bad = save(HEARTS.replace("few points", "all points"))
    last = save(HEARTS.replace("few points", "some points"))
    sent = {"revision": bad.pk, "base": last.pk}
    error = refused(ada_writes.post("/pages/hearts/undo", sent), "undo_conflict", 409)
    assert error["conflict"]["theirs"]["id"] == last.pk
    assert error["conflict"]["mine"] == HEARTS
    assert Revision.objects.count() == 3


def test_no_conflict_tells_what_is_hidden(
    ada_writes: Api, bob: User, hearts: Page, save: Callable
) -> None:
    bad = save(HEARTS.replace("few points", "all points"), author=bob)
    last = save(HEARTS.replace("few points", "some points"), author=bob)
    Revision.objects.filter(author=bob).update(author_hidden=True, summary_hidden=True)
    undo = ada_writes.post("/pages/hearts/undo", {"revision": bad.pk, "base": last.pk})
    refused(undo, "undo_conflict", 409)
    edited = ada_writes.put(
        "/pages/hearts", edit(hearts, HEARTS.replace("few points", "no points"))
    )
    refused(edited, "edit_conflict", 409)
    same = ada_writes.put("/pages/hearts", {"text": last.text, "base": last.pk})
    assert same.json()["outcome"] == "unchanged"
    for answer in (undo, edited, same):
        assert "Bob" not in answer.content.decode()


# The same rights as on the pages


def test_moderators_protect_pages(
    ada_writes: Api, bob_writes: Api, ada: User, hearts: Page
) -> None:
    sent = {"level": "admins", "span": "day", "reason": "A war of edits"}
    refused(bob_writes.post("/pages/hearts/protect", sent), "not_moderator", 403)
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    told = ada_writes.post("/pages/hearts/protect", sent).json()
    assert told["revision"]["event"] == "protection"
    protection = bob_writes.read("/pages/hearts")["protection"]
    assert (protection["edit"], protection["reason"]) == ("admins", "A war of edits")
    hearts.refresh_from_db()
    error = refused(bob_writes.put("/pages/hearts", edit(hearts, "Mine.")), "protected", 403)
    assert "A war of edits" in error["message"]
    refused(
        ada_writes.post("/pages/hearts/protect", sent | {"level": "everybody"}), "bad_fields", 422
    )
    refused(ada_writes.post("/pages/hearts/protect", sent | {"reason": ""}), "no_reason", 400)


def test_a_page_is_renamed(ada_writes: Api, hearts: Page) -> None:
    sent = {"title": "Black Lady", "seen": "Hearts", "reason": "Its usual name"}
    told = ada_writes.post("/pages/hearts/rename", sent).json()
    assert (told["title"], told["slug"]) == ("Black Lady", "black-lady")
    assert ada_writes.read("/pages/hearts")["title"] == "Black Lady"  # the old name leads there
    rows = ada_writes.read("/pages/black-lady/revisions")["items"]
    assert rows[0]["event"] == "rename"
    refused(ada_writes.post("/pages/black-lady/rename", sent), "stale", 409)
    sent = {"title": "Black Lady", "seen": "Black Lady"}
    refused(ada_writes.post("/pages/black-lady/rename", sent), "unchanged", 409)
    sent = {"title": "\x00", "seen": "Black Lady"}
    refused(ada_writes.post("/pages/black-lady/rename", sent), "bad_title", 400)


def test_a_page_is_protected_from_being_renamed(
    ada_writes: Api, bob_writes: Api, ada: User, hearts: Page
) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    sent = {"level": "open", "span": "day", "rename_level": "staff", "reason": "Enough names"}
    assert ada_writes.post("/pages/hearts/protect", sent).status_code == 200
    assert ada_writes.read("/pages/hearts")["protection"]["rename"] == "staff"
    sent = {"title": "Black Lady", "seen": "Hearts"}
    refused(bob_writes.post("/pages/hearts/rename", sent), "protected", 403)


def test_moderators_delete_and_restore_pages(
    ada_writes: Api, bob_writes: Api, ada: User, hearts: Page
) -> None:
    sent = {"reason": "Nonsense"}
    refused(bob_writes.post("/pages/hearts/delete", sent), "not_moderator", 403)
    User.objects.filter(pk=ada.pk).update(is_staff=True)
    refused(ada_writes.post("/pages/hearts/delete", {"reason": " "}), "no_reason", 422)
    told = ada_writes.post("/pages/hearts/delete", sent).json()
    assert (told["title"], told["deleted_by"], told["reason"]) == ("Hearts", "Ada", "Nonsense")
    refused(ada_writes.get("/pages/hearts"), "no_page", 404)
    refused(ada_writes.post("/pages/hearts/delete", sent), "no_page", 404)
    back = f"/deleted/{told['id']}/restore"
    refused(bob_writes.post(back, sent), "not_moderator", 403)
    assert ada_writes.post(back, sent).json()["current"]["text"] == HEARTS
    refused(ada_writes.post(back, sent), "no_page", 404)


@override_settings(WIKI_EDITS_PER_MINUTE=(1, 1, 1))
def test_the_limits_of_the_pages_hold_here_too(bob_writes: Api, hearts: Page) -> None:
    first = bob_writes.put("/pages/hearts", edit(hearts, "New.")).json()["revision"]["id"]
    answer = bob_writes.put("/pages/hearts", {"text": "Newer.", "base": first})
    refused(answer, "slow_down", 429)
    assert 1 <= int(answer["Retry-After"]) <= 61


@override_settings(WIKI_OUTSIDE_LINKS=(0, 0, 0), WIKI_OUTSIDE_HOSTS=(0, 0, 0))
def test_new_accounts_add_no_advertising(bob_writes: Api, hearts: Page) -> None:
    answer = bob_writes.put("/pages/hearts", edit(hearts, "[Buy](https://spam.example/)"))
    error = answer.json()["error"]
    assert error["code"] == "outside_links"
    assert "spam.example" in error["message"]


def test_who_is_blocked_from_writing_pages_is_so_here_too(
    bob: User, bob_writes: Api, hearts: Page
) -> None:
    chief = User.objects.create_superuser("Chief")
    block(person=bob, by=chief, reason="Spam", days=1, wiki_only=True)
    assert bob_writes.read("/pages/hearts")["title"] == "Hearts"
    error = refused(bob_writes.put("/pages/hearts", edit(hearts, "Mine.")), "account_blocked", 403)
    assert "Spam" in error["message"]


# Who may write at all


def test_nobody_writes_without_a_token(hearts: Page, as_ada: Client) -> None:
    sent = edit(hearts, "Mine.")
    refused(Api().put("/pages/hearts", sent), "no_token", 401)
    cookies = Api()
    cookies.client.cookies = as_ada.cookies  # logged in on the pages
    assert cookies.client.get("/accounts/tokens/").status_code == 200
    answer = cookies.put("/pages/hearts", sent)
    refused(answer, "no_token", 401)
    assert answer["WWW-Authenticate"].startswith("Bearer")
    assert Revision.objects.count() == 1


def test_a_reading_token_only_reads(ada: User, hearts: Page, token_for: Callable) -> None:
    api = Api(token_for(ada, writes=False))
    assert api.read("/pages/hearts")["title"] == "Hearts"
    for method, path in (
        ("POST", "/pages"),
        ("PUT", "/pages/hearts"),
        ("POST", "/pages/hearts/revert"),
        ("POST", "/pages/hearts/undo"),
        ("POST", "/pages/hearts/protect"),
        ("POST", "/pages/hearts/rename"),
        ("POST", "/pages/hearts/delete"),
        ("POST", "/deleted/1/restore"),
    ):
        refused(api.ask(method, path, edit(hearts, "Mine.")), "read_only_token", 403)


@pytest.mark.parametrize("method", ["GET", "PUT"])
@pytest.mark.parametrize(
    "header",
    [
        "Bearer wrong",
        "Bearer",
        "Bearer ",
        "Basic YTpi",
        "parlour_x",
        "",
        "Bearer é\x00",
        "Bearer a b",
    ],
)
def test_a_token_that_is_none_is_refused(hearts: Page, method: str, header: str) -> None:
    sent = edit(hearts, "Mine.") if method == "PUT" else None
    answer = Api().ask(method, "/pages/hearts", sent, Authorization=header)
    refused(answer, "bad_token", 401)
    assert "wrong" not in answer.content.decode()


def test_a_token_dies_with_its_time_its_account_and_its_owner(
    ada: User, hearts: Page, token_for: Callable
) -> None:
    token = token_for(ada)
    api = Api(token)
    assert api.get("/pages/hearts").status_code == 200
    ada.api_tokens.update(expires_at=timezone.now() - timedelta(seconds=1))
    refused(api.get("/pages/hearts"), "token_expired", 401)
    ada.api_tokens.update(expires_at=None)
    User.objects.filter(pk=ada.pk).update(is_active=False)
    refused(api.put("/pages/hearts", edit(hearts, "Mine.")), "account_closed", 403)
    User.objects.filter(pk=ada.pk).update(is_active=True)
    ada.api_tokens.all().delete()
    refused(api.get("/pages/hearts"), "bad_token", 401)


def test_a_block_ends_for_the_token_too(ada: User, hearts: Page, token_for: Callable) -> None:
    chief = User.objects.create_superuser("Chief")
    api = Api(token_for(ada))
    made = block(person=ada, by=chief, reason="Spam", days=1)
    refused(api.put("/pages/hearts", edit(hearts, "Mine.")), "account_closed", 403)
    type(made).objects.filter(pk=made.pk).update(until=timezone.now() - timedelta(seconds=1))
    assert api.put("/pages/hearts", edit(hearts, "Mine.")).status_code == 200


def test_a_write_asks_the_database_little(ada_writes: Api, hearts: Page) -> None:
    from django.test.utils import CaptureQueriesContext

    with CaptureQueriesContext(connection) as seen:
        assert ada_writes.put("/pages/hearts", edit(hearts, "New.")).status_code == 200
    assert len(seen) <= 25
