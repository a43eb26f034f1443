"""Drafts: kept by the server as one writes, offered again, never put over one another in silence."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from portal.people import create_guest
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import Page, SavedDraft
from wiki.services.drafts import KEPT_DAYS, MOST_DRAFTS, hand_over
from wiki.services.edit import MAX_TEXT_BYTES
from wiki.services.rename import rename
from wiki.tasks import clean_up

pytestmark = pytest.mark.django_db
DRAFT, EDIT, LIST = "/wiki/hearts/draft/", "/wiki/hearts/edit/", "/wiki/drafts/"


def keep(client: Client, page: Page, text: str, **more) -> dict[str, object]:
    sent = {"text": text, "base": page.current_id, **more}
    answer = client.post(DRAFT, sent)
    return {"status": answer.status_code} | answer.json()


def test_draft_is_kept_offered_restored_and_gone_once_published(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    kept = keep(as_ada, hearts, HEARTS + "<More>\r\n", summary="why", minor="1")
    draft = SavedDraft.objects.get(pk=kept["id"])
    assert (draft.text, draft.summary, draft.minor) == (HEARTS + "<More>\n", "why", True)
    assert kept["clock"] == f"{draft.saved_at:%H:%M}"
    html = as_ada.get(EDIT).content.decode()
    assert "You have a draft of" in html
    assert "More" not in html
    assert "You have a draft" not in as_bob.get(EDIT).content.decode()
    html = as_ada.get(f"{EDIT}?draft={draft.pk}").content.decode()
    assert "&lt;More&gt;" in html
    assert "newer revision" not in html
    assert hidden(html, "draft") == kept["version"]
    sent = {"text": HEARTS + "Still more.", "base": draft.base, "draft": kept["version"]}
    as_ada.post(EDIT, sent)
    assert not SavedDraft.objects.exists()
    hearts.refresh_from_db()
    assert "Still more." in hearts.current.text


def test_draft_goes_on_from_its_own_version(as_ada: Client, hearts: Page) -> None:
    first = keep(as_ada, hearts, "one")
    second = keep(as_ada, hearts, "two", draft=first["version"])
    assert second["id"] == first["id"]
    assert SavedDraft.objects.get().text == "two"


def test_two_windows_do_not_overwrite_each_other_in_silence(as_ada: Client, hearts: Page) -> None:
    first = keep(as_ada, hearts, "one")
    other = keep(as_ada, hearts, "other")
    assert (other["status"], other["code"]) == (409, "draft_elsewhere")
    assert "Another window of yours saved a draft at" in other["reason"]
    assert keep(as_ada, hearts, "two", draft=first["version"])["status"] == 200
    assert keep(as_ada, hearts, "three", draft=first["version"])["status"] == 409
    assert SavedDraft.objects.get().text == "two"
    assert keep(as_ada, hearts, "other", replace="1")["status"] == 200
    assert SavedDraft.objects.get().text == "other"


def test_same_words_of_two_windows_are_no_quarrel(as_ada: Client, hearts: Page) -> None:
    first = keep(as_ada, hearts, "one")
    assert keep(as_ada, hearts, "one")["version"] == first["version"]


def test_publishing_leaves_the_draft_of_another_window(as_ada: Client, hearts: Page) -> None:
    keep(as_ada, hearts, HEARTS + "Other words.\n")
    as_ada.post(EDIT, {"text": HEARTS + "More.\n", "base": hearts.current_id})
    assert SavedDraft.objects.get().text == HEARTS + "Other words.\n"
    html = as_ada.get(EDIT).content.decode()
    assert "a newer revision than the one it started from" in html


def test_draft_with_an_older_base_says_so_and_merges(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    kept = keep(as_ada, hearts, HEARTS.replace("thirteen", "13"))
    as_bob.post(EDIT, {"text": HEARTS.replace("few", "no"), "base": hearts.current_id})
    html = as_ada.get(f"{EDIT}?draft={kept['id']}").content.decode()
    assert "Bob has saved a newer revision of the page since" in html
    sent = {name: hidden(html, name) for name in ("base", "draft")}
    as_ada.post(EDIT, {"text": HEARTS.replace("thirteen", "13"), **sent})
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS.replace("thirteen", "13").replace("few", "no")
    assert not SavedDraft.objects.exists()


def test_draft_of_a_section_is_one_of_its_own(as_ada: Client, hearts: Page) -> None:
    kept = keep(as_ada, hearts, "## Passing\n\nNever.", section=2)
    assert keep(as_ada, hearts, HEARTS + "x")["status"] == 200
    html = as_ada.get(EDIT).content.decode()
    assert "section Passing" in html
    html = as_ada.get(f"{EDIT}?draft={kept['id']}").content.decode()
    assert "section 2 of 3" in html
    sent = {name: hidden(html, name) for name in ("base", "section", "draft")}
    as_ada.post(EDIT, {"text": "## Passing\n\nNever.", **sent})
    hearts.refresh_from_db()
    assert "Never." in hearts.current.text
    assert SavedDraft.objects.get().section == 0


def test_conflict_keeps_the_whole_text_as_a_draft(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    mine = HEARTS.replace("to the left", "across")
    kept = keep(as_ada, hearts, "## Passing\n\nPass three cards across.", section=2)
    as_bob.post(EDIT, {"text": HEARTS.replace("to the left", "to it"), "base": hearts.current_id})
    section = mine[mine.index("## Passing") : mine.index("## Scoring")]
    sent = {"text": section, "section": 2, "base": hearts.current_id, "draft": kept["version"]}
    answer = as_ada.post(EDIT, sent)
    assert answer.status_code == 409
    draft = SavedDraft.objects.get()
    assert (draft.text, draft.section, draft.base) == (mine, 0, hearts.current_id)
    html = answer.content.decode()
    assert "your drafts</a> until you have saved it" in html
    # she closes the page, comes again another day, and meets the conflict again
    html = as_ada.get(f"{EDIT}?draft={draft.pk}").content.decode()
    assert "Pass three cards across." in html
    again = as_ada.post(EDIT, {"text": mine} | {n: hidden(html, n) for n in ("base", "draft")})
    assert again.status_code == 409
    html = again.content.decode()
    names = ("started", "base", "draft")
    settle = {"conflict": "1", "mine": mine, "passage": "Pass three cards anywhere, or across."}
    as_ada.post(EDIT, settle | {name: hidden(html, name) for name in names})
    hearts.refresh_from_db()
    assert "Pass three cards anywhere, or across. Then" in hearts.current.text
    assert not SavedDraft.objects.exists()


def test_text_that_gives_way_to_theirs_stays_a_draft(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    mine = HEARTS.replace("to the left", "across")
    as_bob.post(EDIT, {"text": HEARTS.replace("to the left", "to it"), "base": hearts.current_id})
    html = as_ada.post(EDIT, {"text": mine, "base": hearts.current_id}).content.decode()
    names = ("started", "base", "draft")
    settle = {"conflict": "1", "mine": mine, "passage": "Pass three cards to it."}
    settle |= {name: hidden(html, name) for name in names}
    # and once more: somebody saves while she decides
    hearts.refresh_from_db()
    text = hearts.current.text.replace("to it", "to him")
    as_bob.post(EDIT, {"text": text, "base": hearts.current_id})
    again = as_ada.post(EDIT, settle | {"passage": "Pass three cards to her."})
    assert again.status_code == 409
    assert SavedDraft.objects.get().text == mine
    hearts.refresh_from_db()
    settle = {"conflict": "1", "mine": again.context["mine"], "passage": "Pass three cards to him."}
    html = again.content.decode()
    settle |= {name: hidden(html, name) for name in names}
    as_ada.post(EDIT, settle)
    assert SavedDraft.objects.get().text == mine


def test_text_that_gives_way_is_told_to_be_a_draft(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    mine = HEARTS.replace("to the left", "across")
    as_bob.post(EDIT, {"text": HEARTS.replace("to the left", "to it"), "base": hearts.current_id})
    html = as_ada.post(EDIT, {"text": mine, "base": hearts.current_id}).content.decode()
    settle = {"conflict": "1", "mine": mine, "passage": "Pass three cards to it."}
    settle |= {name: hidden(html, name) for name in ("started", "base", "draft")}
    read = as_ada.post(EDIT, settle, follow=True).content.decode()
    assert "it stays among your drafts" in read
    assert SavedDraft.objects.get().text == mine


def test_conflict_does_not_overwrite_the_draft_of_another_window(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    keep(as_ada, hearts, "Words of another window")
    as_bob.post(EDIT, {"text": HEARTS.replace("to the left", "to it"), "base": hearts.current_id})
    sent = {"text": HEARTS.replace("to the left", "across"), "base": hearts.current_id}
    html = as_ada.post(EDIT, sent).content.decode()
    assert SavedDraft.objects.get().text == "Words of another window"
    assert "your drafts" not in html


def test_list_shows_own_drafts_only_and_discards(
    as_ada: Client, as_bob: Client, hearts: Page, save
) -> None:
    assert "You have no drafts" in as_ada.get(LIST).content.decode()
    kept = keep(as_ada, hearts, "My <b>words</b>")
    as_ada.post("/wiki/black-lady/draft/", {"text": "New", "title": "Black Lady"})
    html = as_ada.get(LIST).content.decode()
    assert "My &lt;b&gt;words" in html
    assert "Black Lady" in html
    assert "new page" in html
    assert "My" not in as_bob.get(LIST).content.decode().split("<main")[1].split("</main>")[0]
    discard = f"/wiki/drafts/{kept['id']}/discard/"
    assert as_bob.post(discard).status_code == 404
    assert as_ada.get(discard).status_code == 405
    assert as_ada.post(discard)["Location"] == LIST
    assert as_ada.post(discard).status_code == 404
    assert SavedDraft.objects.count() == 1


def test_draft_of_a_new_page_is_found_again(as_ada: Client) -> None:
    as_ada.post("/wiki/black-lady/draft/", {"text": "New", "title": "Black Lady"})
    html = as_ada.get("/wiki/black-lady/edit/?title=Black+Lady").content.decode()
    assert "You have a draft of" in html
    as_ada.post("/wiki/black-lady/edit/", {"text": "New", "title": "Black Lady"})
    assert not SavedDraft.objects.exists()


def test_draft_follows_a_page_that_has_another_name_now(as_ada: Client, hearts: Page) -> None:
    kept = keep(as_ada, hearts, "My words")
    hearts.names.filter(slug="hearts").update(slug="hearts")
    Page.objects.filter(pk=hearts.pk).update(slug="cups", title="Cups")
    html = as_ada.get("/wiki/cups/edit/").content.decode()
    assert f"/wiki/cups/edit/?draft={kept['id']}" in html
    sent = {"text": "More", "base": hearts.current_id, "draft": kept["version"]}
    assert as_ada.post("/wiki/cups/draft/", sent).json()["id"] == kept["id"]
    assert SavedDraft.objects.get().slug == "cups"


def test_preview_of_a_text_as_it_is_begins_no_draft(as_ada: Client, hearts: Page) -> None:
    address = f"{hearts.get_absolute_url()}edit/"
    sent = {"text": hearts.current.text, "base": hearts.current_id, "action": "preview"}
    assert b"data-unsaved" not in as_ada.post(address, sent).content
    sent["text"] += "More.\n"
    assert b"data-unsaved" in as_ada.post(address, sent).content


def test_draft_of_others_or_of_another_page_is_not_there(
    as_ada: Client, as_bob: Client, hearts: Page, save
) -> None:
    save("x", title="Nibble")
    kept = keep(as_ada, hearts, "My words")
    for client, address in [(as_bob, EDIT), (as_ada, "/wiki/nibble/edit/"), (Client(), EDIT)]:
        answer = client.get(f"{address}?draft={kept['id']}")
        assert answer.status_code in (403, 404)
        assert "My words" not in answer.content.decode()


def test_guests_keep_few_drafts(client: Client, hearts: Page) -> None:
    client.force_login(User.objects.create_user("Guest 1", is_guest=True))
    answers = [client.post(DRAFT, {"text": "x", "section": n}) for n in range(4)]
    assert {answer.status_code for answer in answers} == {200}
    assert client.post("/wiki/new-page/draft/", {"text": "x"}).status_code == 200
    full = client.post("/wiki/other-page/draft/", {"text": "x"})
    assert (full.status_code, full.json()["code"]) == (409, "too_many_drafts")


def test_what_cannot_be_kept_is_refused_in_words(as_ada: Client, hearts: Page) -> None:
    assert keep(Client(), hearts, "x")["code"] == "who_are_you"
    assert as_ada.post(DRAFT, {}).json()["code"] == "no_text_sent"
    assert keep(as_ada, hearts, "x" * (MAX_TEXT_BYTES + 1))["code"] == "too_long"
    assert keep(as_ada, hearts, "x", section=2**62)["code"] == "no_section"
    for known in ("x", "-", "9" * 500, "0-1", "\u0669-1"):
        assert keep(as_ada, hearts, "x", draft=known, replace="1")["status"] == 200
    for number in range(MOST_DRAFTS - 1):
        as_ada.post(DRAFT, {"text": "x", "section": number + 1})
    full = as_ada.post(DRAFT, {"text": "x", "section": 99})
    assert (full.status_code, full.json()["code"]) == (409, "too_many_drafts")
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(User.objects.get(username="Ada"))
    assert strict.post(DRAFT, {"text": "x"}).status_code == 403


def test_guest_who_logs_in_brings_the_drafts_along(ada: User, as_ada: Client, hearts: Page) -> None:
    guest = create_guest()
    client = Client()
    client.force_login(guest)
    keep(client, hearts, "guest's")
    keep(client, hearts, "guest's section", section=1)
    keep(as_ada, hearts, "Ada's")
    hand_over(guest=guest, account=ada)
    texts = SavedDraft.objects.filter(user=ada).values_list("text", flat=True)
    assert sorted(texts) == ["Ada's", "guest's section"]


@pytest.mark.parametrize("redirect", [True, False])
def test_draft_goes_on_after_its_page_was_renamed(
    as_ada: Client, ada: User, bob: User, hearts: Page, redirect: bool
) -> None:
    kept = keep(as_ada, hearts, HEARTS + "More.\n")
    base = hearts.current_id
    rename(page_id=hearts.pk, title="Herz", author=bob, seen="Hearts", redirect=redirect)
    sent = {"text": HEARTS + "More still.\n", "base": base, "draft": kept["version"]}
    again = as_ada.post(DRAFT, sent).json()
    assert [draft.slug for draft in SavedDraft.objects.all()] == ["herz"]
    assert as_ada.post(EDIT, sent | {"draft": again["version"]}).url == "/wiki/herz/"
    assert not SavedDraft.objects.exists()


def test_edit_of_a_talk_page_goes_on_after_its_page_was_renamed(
    as_ada: Client, bob: User, hearts: Page
) -> None:
    as_ada.post("/wiki/hearts/talk/", {"heading": "Why", "text": "Why?"})
    talk = Page.objects.get(namespace="talk")
    sent = {"text": talk.current.text + "\nMore.\n", "base": talk.current_id}
    rename(page_id=hearts.pk, title="Herz", author=bob, seen="Hearts", redirect=False)
    assert as_ada.post("/wiki/talk-hearts/edit/", sent).url == "/wiki/talk-herz/"
    talk.refresh_from_db()
    assert talk.current.text.endswith("More.\n")


def test_draft_that_nobody_goes_on_with_goes_by_itself(as_ada: Client, hearts: Page) -> None:
    assert f"until you publish it, or for {KEPT_DAYS} days" in as_ada.get(LIST).content.decode()
    old = keep(as_ada, hearts, "one")
    keep(as_ada, hearts, "two", section=1)
    assert f"goes by itself after {KEPT_DAYS} days" in as_ada.get(LIST).content.decode()
    limit = timezone.now() - timedelta(days=KEPT_DAYS)
    SavedDraft.objects.filter(text="one").update(saved_at=limit - timedelta(minutes=1))
    SavedDraft.objects.filter(text="two").update(saved_at=limit + timedelta(hours=1))
    assert clean_up() == 1
    assert clean_up() == 0
    assert SavedDraft.objects.get().text == "two"
    again = keep(as_ada, hearts, "one more", draft=old["version"])  # a window that is open still
    assert again["status"] == 200
    assert SavedDraft.objects.filter(text="one more").exists()
