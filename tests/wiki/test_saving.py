"""What a save asks of the database, and that it is done whole or not at all."""

from collections import Counter

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from portal.models import User
from wiki.models import Page, SavedDraft, Watch

pytestmark = pytest.mark.django_db(transaction=True)
EDIT = "/wiki/hearts/edit/"
NEW = "## Goal\n\nSee [[Hearts]] and [[Nowhere]].\n"
MOST, MOST_COMMITS = 40, 2  # of who watches the page already; the session is the second


def sent(page: Page, text: str, draft: str) -> dict[str, object]:
    return {"text": text, "base": page.current_id, "draft": draft, "can_watch": "1", "watch": "1"}


def draft_of(client: Client, page: Page, text: str) -> str:
    answer = client.post("/wiki/hearts/draft/", {"text": text, "base": page.current_id})
    return answer.json()["version"]


def test_text_draft_and_watch_list_are_saved_together_or_not_at_all(
    as_ada: Client, ada: User, hearts: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    form = sent(hearts, NEW, draft_of(as_ada, hearts, NEW))
    as_ada.raise_request_exception = False
    before = hearts.current_id
    with monkeypatch.context() as patch:
        patch.setattr("wiki.views.editing.watch", lambda **_said: 1 / 0)  # as if killed there
        assert as_ada.post(EDIT, form).status_code == 500
    hearts.refresh_from_db()
    assert (hearts.current_id, hearts.revisions.count()) == (before, 1)
    assert SavedDraft.objects.get().text == NEW
    assert as_ada.post(EDIT, form).status_code == 302
    hearts.refresh_from_db()
    assert hearts.current.text == NEW
    assert not SavedDraft.objects.exists()
    assert Watch.objects.get(user=ada, page=hearts).seen == hearts.current_id


def test_saving_asks_few_questions_in_one_transaction(as_ada: Client, hearts: Page) -> None:
    for text in (NEW, NEW.replace("See", "Nowhere")):
        form = sent(hearts, text, draft_of(as_ada, hearts, text))
        with CaptureQueriesContext(connection) as asked:
            assert as_ada.post(EDIT, form).status_code == 302
        hearts.refresh_from_db()
    said = [query["sql"] for query in asked.captured_queries]
    assert len(said) <= MOST, "\n".join(line[:200] for line in said)
    assert Counter(said)["COMMIT"] <= MOST_COMMITS, "\n".join(line[:200] for line in said)
