"""Writing pages through the editor: what is saved, merged, refused, and never lost."""

import pytest
from django.middleware.csrf import get_token
from django.test import Client, RequestFactory

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import Page, Revision
from wiki.services.edit import MAX_TEXT_BYTES

pytestmark = pytest.mark.django_db
EDIT = "/wiki/hearts/edit/"


def form(page: Page, text: str, **more) -> dict[str, object]:
    return {"text": text, "base": page.current_id, "action": "save", **more}


# Saving


def test_edit_is_saved_with_summary_and_minor_flag(as_ada: Client, hearts: Page) -> None:
    sent = form(hearts, HEARTS + "More.\n", summary=" said  why\x00 ", minor="1")
    assert as_ada.post(EDIT, sent)["Location"] == "/wiki/hearts/"
    revision = Revision.objects.get(number=2)
    assert revision.text.endswith("More.\n")
    assert (revision.summary, revision.minor, revision.delta) == ("said why", True, 6)
    assert revision.author.username == revision.author_name == "Ada"
    hearts.refresh_from_db()
    assert hearts.current == revision
    assert "More." in as_ada.get("/wiki/hearts/").content.decode()


def test_new_page_gets_the_title_it_was_asked_for(as_ada: Client) -> None:
    as_ada.post("/wiki/black-lady/edit/", {"text": "Hearts, *once more*.", "title": "Black Lady"})
    page = Page.objects.get(slug="black-lady")
    assert page.title == "Black Lady"
    assert page.current.summary == "Created page with “Hearts, once more.”"


def test_new_page_needs_a_text(as_ada: Client) -> None:
    answer = as_ada.post("/wiki/black-lady/edit/", {"text": " \n", "title": "Black Lady"})
    assert answer.status_code == 400
    assert "A new page needs some text." in answer.content.decode()
    assert not Page.objects.exists()


def test_automatic_summaries(as_ada: Client, hearts: Page) -> None:
    def summary_of(text: str) -> str:
        hearts.refresh_from_db()
        as_ada.post(EDIT, form(hearts, text))
        return Revision.objects.latest("id").summary

    assert summary_of(HEARTS.replace("thirteen", "13")) == "/* Scoring */"
    assert summary_of("Short.") == "Replaced content with “Short.”"
    assert summary_of("") == "Blanked the page"


def test_text_that_is_there_already_adds_nothing(as_ada: Client, hearts: Page) -> None:
    answer = as_ada.post(EDIT, form(hearts, HEARTS.replace("\n", "\r\n") + "  \n"), follow=True)
    assert "nothing was changed" in answer.content.decode()
    assert Revision.objects.count() == 1


def test_double_click_on_save_saves_once(as_ada: Client, hearts: Page) -> None:
    for _time in range(2):
        as_ada.post(EDIT, form(hearts, HEARTS + "More.\n"))
    assert Revision.objects.count() == 2


def test_control_characters_are_left_out_and_hard_breaks_kept(as_ada: Client, hearts: Page) -> None:
    as_ada.post(EDIT, form(hearts, "a\x00b\x0cc  \nd\te\x1f\n\n\n"))
    hearts.refresh_from_db()
    assert hearts.current.text == "abc  \nd\te\n"


def test_section_is_saved_into_its_page(as_ada: Client, hearts: Page) -> None:
    html = as_ada.get(f"{EDIT}?section=2").content.decode()
    assert "section 2 of 3" in html
    assert 'value="/* Passing */ "' in html
    assert "Take few points" not in html
    sent = form(hearts, "## Passing\n\nPass nothing.", section=2, summary="/* Passing */ ")
    assert as_ada.post(EDIT, sent)["Location"] == "/wiki/hearts/#s-passing"
    hearts.refresh_from_db()
    before, after = HEARTS.split("## Passing")[0], "## Scoring" + HEARTS.split("## Scoring")[1]
    assert hearts.current.text == f"{before}## Passing\n\nPass nothing.\n\n{after}"
    assert "→ Passing</a>" in as_ada.get("/wiki/hearts/history/").content.decode()


def test_section_that_is_not_there_gives_the_text_back(as_ada: Client, hearts: Page) -> None:
    answer = as_ada.post(EDIT, form(hearts, "My precious words", section=9))
    assert answer.status_code == 404
    assert "My precious words" in answer.content.decode()


def test_preview_and_changes_save_nothing(as_ada: Client, hearts: Page) -> None:
    preview = as_ada.post(EDIT, form(hearts, "A **bold** word", action="preview"))
    assert "A <strong>bold</strong> word" in preview.content.decode()
    part = as_ada.post(
        EDIT, form(hearts, "{{whist|1}}", action="preview"), headers={"HX-Request": "true"}
    )
    assert "<html" not in part.content.decode()
    assert "“whist” is no shortcode" in part.content.decode()
    changed = form(hearts, HEARTS.replace("thirteen", "<13>"), action="changes")
    shown = as_ada.post(EDIT, changed).content.decode()
    assert "<del>thirteen</del>" in shown
    assert "<ins>&lt;13&gt;</ins>" in shown
    assert Revision.objects.count() == 1


def test_old_revision_can_be_edited_into_the_newest(as_ada: Client, hearts: Page, save) -> None:
    old = hearts.current_id
    new = save("Other.\n")
    html = as_ada.get(f"{EDIT}?rev={old}").content.decode()
    assert "Take few points" in html
    assert hidden(html, "base") == str(new.pk)


# Two people


def test_edits_in_different_places_are_merged(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    as_bob.post(EDIT, form(hearts, HEARTS.replace("few", "no")))
    answer = as_ada.post(EDIT, form(hearts, HEARTS.replace("thirteen", "13")), follow=True)
    assert "together with what others wrote" in answer.content.decode()
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS.replace("few", "no").replace("thirteen", "13")


def test_edits_in_different_sentences_of_a_line_are_merged(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    as_ada.post(EDIT, form(hearts, HEARTS.replace("Hold on the fourth", "Keep on the fifth")))
    hearts.refresh_from_db()
    assert "Pass three cards to the right. Then" in hearts.current.text
    assert "Keep on the fifth deal." in hearts.current.text


def test_real_conflict_shows_both_texts_and_saves_the_choice(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    started = hearts.current_id
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    hearts.refresh_from_db()
    mine = HEARTS.replace("to the left", "across").replace("thirteen", "13")
    sent = {"text": mine, "base": started, "summary": "why"}
    answer = as_ada.post(EDIT, sent)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert Revision.objects.count() == 2
    assert "Bob saved a newer revision" in html
    assert "One of your changes fits" in html
    assert "<ins>right</ins>" in html
    assert "<ins>across</ins>" in html
    assert hidden(html, "started") == str(started)
    assert hidden(html, "base") == str(hearts.current_id)
    assert 'value="why"' in html
    settle = {"conflict": "1", "started": started, "base": hearts.current_id, "mine": mine}

    taken = as_ada.post(EDIT, {**settle, "passage": "x", "take": "0:theirs"}).content.decode()
    assert "\nPass three cards to the right.</textarea>" in taken
    both = as_ada.post(EDIT, {**settle, "passage": "x", "take": "0:both"}).content.decode()
    assert "Pass three cards across. Pass three cards to the right.</textarea>" in both
    shown = as_ada.post(EDIT, {**settle, "passage": "Pass <i>none</i>.", "action": "changes"})
    assert "&lt;i&gt;none" in shown.content.decode()
    assert Revision.objects.count() == 2

    as_ada.post(EDIT, {**settle, "passage": "Pass three cards anywhere.", "action": "save"})
    hearts.refresh_from_db()
    expected = HEARTS.replace("to the left", "anywhere").replace("thirteen", "13")
    assert hearts.current.text == expected
    assert hearts.current.author_name == "Ada"


def test_conflict_that_is_answered_too_late_comes_again(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    started = hearts.current_id
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    hearts.refresh_from_db()
    theirs = hearts.current_id
    again = form(hearts, hearts.current.text.replace("to the right", "under the table"))
    as_bob.post(EDIT, again)
    mine = HEARTS.replace("to the left", "across")
    settle = {"conflict": "1", "started": started, "base": theirs, "mine": mine}
    answer = as_ada.post(EDIT, {**settle, "passage": "Pass three cards anywhere."})
    html = answer.content.decode()
    assert answer.status_code == 409
    assert hidden(html, "started") == str(theirs)
    assert "Pass three cards anywhere. Then" in html  # the decided text is the new "mine"
    assert "<ins>under</ins>" in html


def test_conflict_with_oneself_says_so(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    first = form(hearts, HEARTS.replace("to the left", "to the right"))
    second = form(hearts, HEARTS.replace("to the left", "across"))
    as_ada.post(EDIT, first)
    answer = as_ada.post(EDIT, second)
    assert answer.status_code == 409
    assert "You saved a newer revision of this page" in answer.content.decode()
    assert "Ada saved a newer revision" in as_bob.post(EDIT, second).content.decode()


def test_form_without_its_text_blanks_nothing(as_ada: Client, hearts: Page) -> None:
    answer = as_ada.post(EDIT, {"base": hearts.current_id})
    assert answer.status_code == 400
    assert "The text did not arrive" in answer.content.decode()
    assert hearts.revisions.count() == 1


@pytest.mark.parametrize("take", ["7:theirs", "0:steal", "x", ":", "-1:mine", "9" * 5000 + ":mine"])
def test_nonsense_answer_to_a_conflict_loses_nothing(
    as_ada: Client, as_bob: Client, hearts: Page, take: str
) -> None:
    started = hearts.current_id
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    hearts.refresh_from_db()
    mine = HEARTS.replace("to the left", "across")
    settle = {"conflict": "1", "started": started, "base": hearts.current_id, "mine": mine}
    answer = as_ada.post(EDIT, {**settle, "passage": "My answer", "take": take})
    assert answer.status_code == 400
    assert "Pass three cards across. Then" in answer.content.decode()
    assert "My answer</textarea>" in answer.content.decode()


@pytest.mark.parametrize("wrong", [{"base": "0"}, {"started": "77"}, {"conflict": "1"}])
def test_broken_answer_to_a_conflict_gives_the_whole_text_back(
    as_ada: Client, hearts: Page, wrong: dict[str, str]
) -> None:
    settle = {"conflict": "1", "started": hearts.current_id, "mine": "My precious words"}
    answer = as_ada.post(EDIT, {**settle, **wrong, "passage": "x"})
    assert answer.status_code in (404, 409)
    assert "My precious words" in answer.content.decode()


def test_conflict_with_another_number_of_passages_is_shown_anew(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    started = hearts.current_id
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    hearts.refresh_from_db()
    mine = HEARTS.replace("to the left", "across")
    settle = {"conflict": "1", "started": started, "base": hearts.current_id, "mine": mine}
    answer = as_ada.post(EDIT, {**settle, "passage": ["a", "b"]})
    assert answer.status_code == 409
    assert Revision.objects.count() == 2


def conflict(as_bob: Client, hearts: Page) -> dict[str, object]:
    """Bob has saved; what somebody else would send to settle the conflict with him."""
    started = hearts.current_id
    as_bob.post(EDIT, form(hearts, HEARTS.replace("to the left", "to the right")))
    hearts.refresh_from_db()
    mine = HEARTS.replace("to the left", "across")
    return {
        "conflict": "1",
        "started": started,
        "base": hearts.current_id,
        "mine": mine,
        "passage": "Pass three cards anywhere.",
    }


def test_expired_form_keeps_the_decisions_of_a_conflict(
    ada: User, as_bob: Client, hearts: Page
) -> None:
    settle = conflict(as_bob, hearts)
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    answer = client.post(EDIT, settle)
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Your session had ended" in html
    assert "Pass three cards anywhere.</textarea>" in html
    assert hidden(html, "started") == str(settle["started"])
    assert Revision.objects.count() == 2


def test_settled_text_waits_while_one_logs_in(
    client: Client, ada: User, as_bob: Client, hearts: Page
) -> None:
    client.post(EDIT, {**conflict(as_bob, hearts), "action": "login"})
    client.force_login(ada)
    html = client.get(EDIT).content.decode()
    assert "Pass three cards anywhere. Then" in html
    assert hidden(html, "base") == str(hearts.current_id)


def test_conflict_that_cannot_be_settled_overwrites_nobody(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    settle = conflict(as_bob, hearts)
    html = as_ada.post(EDIT, {**settle, "base": "0"}).content.decode()
    again = {"text": settle["mine"], "base": hidden(html, "base")}
    assert as_ada.post(EDIT, again).status_code == 409
    assert Revision.objects.count() == 2


def test_two_people_make_the_same_page(as_ada: Client, as_bob: Client) -> None:
    sent = {"title": "Nibble"}
    as_bob.post("/wiki/nibble/edit/", {**sent, "text": "Bob's words."})
    answer = as_ada.post("/wiki/nibble/edit/", {**sent, "text": "Ada's words."})
    assert answer.status_code == 409
    html = answer.content.decode()
    assert "there was nothing yet" in html
    assert "Ada&#x27;s words." in html
    assert "Bob&#x27;s" in html


def test_blanking_and_editing_at_once_is_a_conflict(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    as_bob.post(EDIT, form(hearts, ""))
    answer = as_ada.post(EDIT, form(hearts, HEARTS.replace("few", "no")))
    assert answer.status_code == 409
    assert "Take no points" in answer.content.decode()


# Revert


def test_revert_makes_a_new_revision(as_ada: Client, hearts: Page, save) -> None:
    first = hearts.current
    blank = save("")
    address = f"/wiki/hearts/revert/{first.pk}/"
    asked = as_ada.get(address).content.decode()
    assert "Take few points" in asked
    assert Revision.objects.count() == 2
    as_ada.post(address, {"current": hidden(asked, "current"), "summary": "vandal"})
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS
    assert hearts.current.number == 3
    assert hearts.current.parent == blank
    assert hearts.current.summary.startswith("Reverted to revision of ")
    assert hearts.current.summary.endswith(" by Ada: vandal")


def test_revert_refuses_what_was_not_seen_and_what_changes_nothing(
    as_ada: Client, hearts: Page, save
) -> None:
    first = hearts.current_id
    save("Other.\n")
    stale = as_ada.post(f"/wiki/hearts/revert/{first}/", {"current": first})
    assert stale.status_code == 409
    assert "Somebody saved a newer revision meanwhile" in stale.content.decode()
    hearts.refresh_from_db()
    same = as_ada.post(f"/wiki/hearts/revert/{hearts.current_id}/", {"current": hearts.current_id})
    assert same.status_code == 409
    assert Revision.objects.count() == 2


def test_visitor_reverts_as_a_guest(client: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    now = save("Spam.\n").pk
    address = f"/wiki/hearts/revert/{first}/"
    assert client.post(address, {"current": now}).status_code == 403
    assert client.post(address, {"current": now, "action": "guest"}).status_code == 302
    assert Revision.objects.latest("id").author.is_guest


# Never lost


def test_visitor_is_told_how_to_save_and_keeps_the_text(client: Client, hearts: Page) -> None:
    answer = client.post(EDIT, form(hearts, "My precious words", summary="why"))
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "save as a guest with one click, or log in" in html
    assert "My precious words" in html
    assert 'value="why"' in html
    assert Revision.objects.count() == 1


def test_visitor_saves_as_a_guest_with_one_click(client: Client, hearts: Page) -> None:
    answer = client.post(EDIT, form(hearts, HEARTS + "More.\n", action="guest"))
    assert answer.status_code == 302
    revision = Revision.objects.latest("id")
    assert revision.author.is_guest
    assert revision.author_name == revision.author.username


def test_text_waits_while_one_logs_in(client: Client, ada: User, hearts: Page) -> None:
    sent = form(hearts, HEARTS + "My precious words\n", summary="why", action="login")
    answer = client.post(EDIT, sent)
    assert answer["Location"] == "/accounts/login/?next=%2Fwiki%2Fhearts%2Fedit%2F"
    client.force_login(ada)
    html = client.get(EDIT).content.decode()
    assert "My precious words" in html
    assert 'value="why"' in html
    assert hidden(html, "base") == str(hearts.current_id)
    client.post(EDIT, form(hearts, HEARTS + "My precious words\n"))
    assert "Here is the text you wrote" not in client.get(EDIT).content.decode()


def test_too_long_text_makes_no_guest_and_is_not_kept(client: Client, hearts: Page) -> None:
    for action in ("guest", "login"):
        answer = client.post(EDIT, form(hearts, "x" * (MAX_TEXT_BYTES + 1), action=action))
        assert answer.status_code == 413
    assert not User.objects.filter(is_guest=True).exists()
    assert "wiki_drafts" not in client.session


def test_only_the_last_texts_wait(client: Client) -> None:
    for number in range(5):
        sent = {"text": f"Text {number}", "action": "login"}
        client.post(f"/wiki/page-{number}/edit/", sent)
    assert list(client.session["wiki_drafts"]) == ["page-2", "page-3", "page-4"]


def test_kept_text_can_be_discarded(client: Client, hearts: Page) -> None:
    client.post(EDIT, form(hearts, "My precious words", action="login"))
    assert "My precious words" not in client.get(f"{EDIT}?fresh=1").content.decode()
    assert "My precious words" not in client.get(EDIT).content.decode()


def test_forged_or_expired_form_saves_nothing_and_gives_the_text_back(
    ada: User, hearts: Page
) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    sent = form(hearts, "My precious words")
    answer = client.post(EDIT, sent)
    html = answer.content.decode()
    assert answer.status_code == 403
    assert "Your session had ended" in html
    assert "My precious words" in html
    assert Revision.objects.count() == 1
    again = {**sent, "csrfmiddlewaretoken": hidden(html, "csrfmiddlewaretoken")}
    assert client.post(EDIT, again).status_code == 302


def test_preview_goes_on_when_the_session_ended(hearts: Page) -> None:
    client = Client(enforce_csrf_checks=True)
    sent = {"text": "## **Fresh**", "action": "preview"}
    answer = client.post(EDIT, sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<strong>Fresh</strong>" in answer.content.decode()
    client.force_login(User.objects.get(username="Ada"))
    settle = {"conflict": "1", "started": hearts.current_id, "base": hearts.current_id}
    client.post(EDIT, {**settle, "mine": "Forged.", "action": "preview"})
    assert hearts.revisions.count() == 1  # not a way around the check


def test_valid_token_is_accepted_and_another_is_not(ada: User, hearts: Page) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    request = RequestFactory().get("/")
    get_token(request)
    stranger = {"csrfmiddlewaretoken": request.META["CSRF_COOKIE"]}
    client.get(EDIT)
    assert client.post(EDIT, form(hearts, "x", **stranger)).status_code == 403


def test_too_long_text_is_refused_and_given_back(as_ada: Client, hearts: Page) -> None:
    text = "ж" * (MAX_TEXT_BYTES // 2 + 1)
    answer = as_ada.post(EDIT, form(hearts, text))
    assert answer.status_code == 413
    assert "at most 400,000 bytes" in answer.content.decode()
    assert text in answer.content.decode()


def test_enormous_request_is_refused_in_words(as_ada: Client, hearts: Page) -> None:
    answer = as_ada.post(EDIT, form(hearts, "x" * 9_000_000))
    assert answer.status_code == 413
    assert "go back, your text is still there" in answer.content.decode()


@pytest.mark.parametrize("base", ["x", "-5", "99999999999999999999999"])
def test_base_that_is_none_is_a_conflict_not_an_overwrite(
    as_ada: Client, hearts: Page, base: str
) -> None:
    answer = as_ada.post(EDIT, {"text": "My precious words", "base": base})
    assert answer.status_code == 409
    assert "My precious words" in answer.content.decode()


def test_base_of_another_page_is_refused_and_the_text_given_back(
    as_ada: Client, hearts: Page, save
) -> None:
    other = save("x", title="Nibble")
    answer = as_ada.post(EDIT, {"text": "My precious words", "base": other.pk, "section": 1})
    assert answer.status_code == 409
    assert "is not of this page" in answer.content.decode()
    assert "My precious words" in answer.content.decode()


def test_title_taken_by_an_alias_is_refused_with_the_text(as_ada: Client, hearts: Page) -> None:
    hearts.names.create(title="Black: Lady", key="black: Lady", slug="elsewhere")
    sent = {"text": "My precious words", "title": "Black: Lady"}
    answer = as_ada.post("/wiki/black-lady/edit/", sent)
    assert answer.status_code == 409
    assert "leads to the page “Hearts” already" in answer.content.decode()
    assert "My precious words" in answer.content.decode()


def test_edit_under_an_alias_saves_the_page_itself(as_ada: Client, hearts: Page) -> None:
    hearts.names.create(title="Gamehelphearts", key="gamehelphearts", slug="gamehelphearts")
    assert as_ada.get("/wiki/gamehelphearts/edit/?section=2")["Location"] == f"{EDIT}?section=2"
    as_ada.post("/wiki/gamehelphearts/edit/", form(hearts, "Other."))
    hearts.refresh_from_db()
    assert hearts.current.text == "Other.\n"
    assert Page.objects.count() == 1


def test_edit_by_get_or_put_changes_nothing(as_ada: Client, hearts: Page) -> None:
    as_ada.get(EDIT, form(hearts, "x"))
    assert as_ada.put(EDIT).status_code == 405
    assert Revision.objects.count() == 1


def test_text_comes_back_with_its_first_empty_lines(as_ada: Client, hearts: Page) -> None:
    html = as_ada.post(EDIT, form(hearts, "\n\nx", action="preview")).content.decode()
    assert ">\n\n\nx</textarea>" in html


def test_edit_that_is_sent_twice_is_saved(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    sent = {"text": "Sent twice.", "base": hearts.current_id}
    for _time in range(2):
        answer = as_ada.post("/wiki/hearts/edit/", sent, follow=True)
        assert "Saved." in answer.content.decode()
        assert "nothing was changed" not in answer.content.decode()
    assert hearts.revisions.count() == 2
    answer = as_bob.post("/wiki/hearts/edit/", sent, follow=True)  # somebody else wrote the same
    assert "nothing was changed" in answer.content.decode()
