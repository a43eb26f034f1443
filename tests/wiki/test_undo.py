"""Older edits are taken out of the text as it is now; what cannot be merged is asked."""

import pytest
from django.test import Client

from tests.wiki.conftest import HEARTS, hidden
from wiki.models import Page, Revision

pytestmark = pytest.mark.django_db
EDIT = "/wiki/hearts/edit/"


def fields(html: str, *names: str) -> dict[str, str]:
    return {name: hidden(html, name) for name in names}


def test_older_change_is_shown_and_taken_out_by_itself(as_ada: Client, hearts: Page, save) -> None:
    change = save(HEARTS.replace("few", "no"))
    later = save(change.text.replace("thirteen", "13"))
    html = as_ada.get(f"{EDIT}?undo={change.pk}").content.decode()
    assert "<del>no</del>" in html  # what saving would change, before anything is saved
    assert "<ins>few</ins>" in html
    assert "Undid the edit of" in html
    assert Revision.objects.count() == 3
    text = HEARTS.replace("thirteen", "13")
    sent = {"text": text, "summary": "why"} | fields(html, "base", "undo", "undoafter")
    as_ada.post(EDIT, sent)
    hearts.refresh_from_db()
    assert hearts.current.text == text
    change.refresh_from_db()
    later.refresh_from_db()
    assert change.reverted_by == hearts.current
    assert later.reverted_by is None
    assert as_ada.get("/wiki/hearts/history/").content.decode().count("taken back</span>") == 1


def test_several_changes_are_taken_out_at_once(as_ada: Client, hearts: Page, save) -> None:
    first = hearts.current
    changes = [save(HEARTS.replace("few", "no"))]
    changes.append(save(changes[0].text.replace("left", "right")))
    later = save(changes[1].text.replace("thirteen", "13"))
    asked = f"{EDIT}?undoafter={first.pk}&undo={changes[1].pk}"
    difference = as_ada.get(f"/wiki/hearts/diff/{first.pk}/{changes[1].pk}/").content.decode()
    assert asked.replace("&", "&amp;") in difference
    html = as_ada.get(asked).content.decode()
    assert "Undid 2 edits from" in html
    text = HEARTS.replace("thirteen", "13")
    as_ada.post(EDIT, {"text": text} | fields(html, "base", "undo", "undoafter"))
    hearts.refresh_from_db()
    assert hearts.current.text == text
    by = dict(Revision.objects.values_list("pk", "reverted_by"))
    assert [by[row.pk] for row in changes] == [hearts.current_id] * 2
    assert by[first.pk] is by[later.pk] is None


def test_changes_compared_backwards_offer_no_undo(as_ada: Client, hearts: Page, save) -> None:
    first, newer = hearts.current, save(HEARTS.replace("few", "no"))
    difference = as_ada.get(f"/wiki/hearts/diff/{newer.pk}/{first.pk}/").content.decode()
    assert "undo=" not in difference  # 400 bad_range
    assert f"/wiki/hearts/revert/{first.pk}/" in difference


def test_undo_that_was_changed_before_saving_marks_nothing(
    as_ada: Client, hearts: Page, save
) -> None:
    change = save(HEARTS.replace("few", "no"))
    html = as_ada.get(f"{EDIT}?undo={change.pk}").content.decode()
    sent = {"text": HEARTS.replace("few", "all")} | fields(html, "base", "undo", "undoafter")
    as_ada.post(EDIT, sent)
    change.refresh_from_db()
    assert hearts.revisions.count() == 3
    assert change.reverted_by is None


def test_change_that_others_changed_again_is_asked_about(
    as_ada: Client, as_bob: Client, hearts: Page, save
) -> None:
    change = save(HEARTS.replace("few", "no"))
    save(HEARTS.replace("few", "<all>").replace("thirteen", "13"))
    answer = as_ada.get(f"{EDIT}?undo={change.pk}")
    html = answer.content.decode()
    assert answer.status_code == 200
    assert 'data-code="undo_conflict"' in html
    assert "Without that edit" in html
    assert "&lt;all&gt;" in html
    sent = {"conflict": "1", "mine": HEARTS} | fields(html, "started", "base", "undo", "undoafter")
    taken = as_ada.post(EDIT, {**sent, "passage": "x", "take": "0:mine"}).content.decode()
    assert "Take few points.</textarea>" in taken
    assert "Without that edit" in taken
    as_ada.post(EDIT, {**sent, "passage": "Take some points.", "action": "save"})
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS.replace("few", "some").replace("thirteen", "13")
    change.refresh_from_db()
    assert change.reverted_by == hearts.current


def test_every_known_edit_of_the_history_offers_its_undo(
    as_ada: Client, hearts: Page, save
) -> None:
    change = save(HEARTS.replace("few", "no"))
    save(change.text + "More.\n")
    html = as_ada.get("/wiki/hearts/history/").content.decode()
    assert html.count("?undo=") == 3
    html = as_ada.get(f"{EDIT}?undo={hearts.revisions.get(number=1).pk}").content.decode()
    assert "1 passage" in html or "One passage" in html


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("undo=0", 404, "no_revision"),
        ("undo=x", 404, "no_revision"),
        ("undo={old}&undoafter=77777", 404, "no_revision"),
        ("undo={old}&undoafter={new}", 400, "bad_range"),
        ("undo={old}&undoafter={old}", 400, "bad_range"),
    ],
)
def test_undo_of_what_is_not_there_is_refused(
    as_ada: Client, hearts: Page, save, query: str, status: int, code: str
) -> None:
    old, new = hearts.current_id, save(HEARTS + "More.\n").pk
    answer = as_ada.get(f"{EDIT}?{query.format(old=old, new=new)}")
    assert answer.status_code == status
    assert f'data-code="{code}"' in answer.content.decode()


def test_undo_of_what_is_undone_already_says_so(as_ada: Client, hearts: Page, save) -> None:
    change = save(HEARTS.replace("few", "no"))
    save(HEARTS)
    answer = as_ada.get(f"{EDIT}?undo={change.pk}")
    assert answer.status_code == 409
    assert 'data-code="undone_already"' in answer.content.decode()


def test_text_that_the_import_did_not_bring_cannot_be_undone(
    as_ada: Client, hearts: Page, old: Revision
) -> None:
    Revision.objects.filter(pk=old.pk).update(text_state="missing", text="")
    answer = as_ada.get(f"{EDIT}?undo={hearts.current_id}")
    assert answer.status_code == 409
    assert 'data-code="no_text"' in answer.content.decode()


def test_restoring_marks_what_it_takes_back(as_ada: Client, hearts: Page, save) -> None:
    first = hearts.current
    change = save(HEARTS.replace("few", "no"))
    as_ada.post(f"/wiki/hearts/revert/{first.pk}/", {"current": change.pk})
    hearts.refresh_from_db()
    change.refresh_from_db()
    first.refresh_from_db()
    assert change.reverted_by == hearts.current
    assert first.reverted_by is hearts.current.reverted_by is None
