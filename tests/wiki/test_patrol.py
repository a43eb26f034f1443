"""Patrol marks, taking back the last edits of a page, and all edits of a person."""

import re

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from portal.models import User
from tests.wiki.conftest import HEARTS
from wiki.models import LogEntry, Notice, Page, Revision
from wiki.services import load_page, rollback
from wiki.services.delete import delete_page

pytestmark = pytest.mark.django_db
MARK, VANDAL = "/wiki/reports/patrol/", "Van"


def member(name: str, group: str) -> tuple[User, Client]:
    person = User.objects.create_user(name)
    person.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(person)
    return person, client


@pytest.fixture
def as_rita(db: None) -> Client:
    return member("Rita", "reviewer")[1]


@pytest.fixture
def as_mo(db: None) -> Client:
    return member("Mo", "moderator")[1]


@pytest.fixture
def van(db: None) -> User:
    return User.objects.create_user(VANDAL)


def unmarked(page: Page) -> list[int]:
    return [row.number for row in page.revisions.order_by("number") if row.needs_patrol]


def test_what_acts_on_a_change_says_which(as_mo: Client, hearts: Page, save) -> None:
    for text in ("Two.\n", "Three.\n", "Four.\n"):  # all in one minute
        save(text)
    for address in ("/wiki/changes/", "/wiki/hearts/history/", "/wiki/contributions/Ada/"):
        said = as_mo.get(address).content.decode()
        named = re.findall(r'<(?:a|button|input)\b[^>]* aria-label="([^"]*)"', said)
        rows = [name for name in named if name != "history of Hearts"]  # leads each to the same
        assert len(rows) > 6, address
        assert len(rows) == len(set(rows)), address
    assert "Mark as patrolled: Hearts, revision 3, " in as_mo.get("/wiki/changes/").content.decode()


def test_reviewers_mark_changes_from_lists_and_differences(
    as_rita: Client, hearts: Page, save
) -> None:
    rows = [hearts.revisions.get(), save("Two.\n"), save("Three.\n"), save("Four.\n")]
    said = as_rita.get("/wiki/changes/").content.decode()
    assert said.count("not patrolled") == 4
    sent = {"revision": rows[0].pk, "next": "/wiki/changes/?unpatrolled=1"}
    answer = as_rita.post(MARK, sent)
    assert answer["Location"] == f"/wiki/changes/?unpatrolled=1#r{rows[0].pk}"
    assert as_rita.get("/wiki/changes/?unpatrolled=1").content.decode().count("not patrolled") == 3
    address = f"/wiki/hearts/diff/{rows[0].pk}/{rows[2].pk}/"
    said = as_rita.get(address).content.decode()
    marked = re.findall(r'name="revision" value="(\d+)"', said)
    assert sorted(map(int, marked)) == [rows[1].pk, rows[2].pk]
    as_rita.post(MARK, {"revision": marked, "next": address})
    assert unmarked(hearts) == [4]
    row = hearts.revisions.get(number=2)
    assert (row.patrolled_by.username, row.patrolled_at is not None) == ("Rita", True)
    assert "Mark as patrolled" not in as_rita.get(address).content.decode()


def test_what_needs_no_mark(as_rita: Client, hearts: Page, old: Revision) -> None:
    load_page(slug="nibble", title="Nibble", text="Shipped.")
    hearts.refresh_from_db()
    sent = {"text": "Rita's.\n", "base": hearts.current_id, "action": "save"}
    assert as_rita.post("/wiki/hearts/edit/", sent).status_code == 302
    assert unmarked(hearts) == [2]  # neither the imported one nor the reviewer's own
    assert unmarked(Page.objects.get(slug="nibble")) == []


def test_others_neither_see_marks_nor_make_them(
    client: Client, as_ada: Client, hearts: Page
) -> None:
    for visitor in (client, as_ada):
        for address in ("/wiki/changes/?unpatrolled=1", "/wiki/hearts/history/"):
            said = visitor.get(address).content.decode()
            assert "Hearts" in said
            assert "patrolled" not in said.replace("unpatrolled=1", "")
        answer = visitor.post(MARK, {"revision": hearts.current_id})
        assert answer.status_code == 403
        assert 'data-code="not_reviewer"' in answer.content.decode()
    assert unmarked(hearts) == [1]


def test_nonsense_marks_nothing(as_rita: Client, hearts: Page) -> None:
    sent = {"revision": ["x", "999999", "9" * 40], "next": "//evil.example/"}
    assert as_rita.post(MARK, sent)["Location"] == "/wiki/changes/"
    assert as_rita.get(MARK).status_code == 405


def test_last_edits_of_a_person_go_with_one_button(
    as_rita: Client, hearts: Page, save, van: User
) -> None:
    rows = [save("Bad.\n", author=van), save("Worse.\n", author=van)]
    said = as_rita.get("/wiki/hearts/history/").content.decode()
    address = f"/wiki/hearts/rollback/{rows[1].pk}/"
    assert f'id="rollback" method="post" action="{address}"' in said
    assert address in as_rita.get(f"/wiki/contributions/{VANDAL}/").content.decode()
    shown = as_rita.get(address).content.decode()
    assert "Take back two edits" in shown
    assert "<ins>" in shown or 'class="new"' in shown
    assert as_rita.post(address).status_code == 302
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS
    assert re.fullmatch(
        r"Took back 2 edits by Van, to the revision of .* by Ada", hearts.current.summary
    )
    for row in hearts.revisions.filter(pk__in=[row.pk for row in rows]):
        assert (row.reverted_by_id, row.needs_patrol) == (hearts.current_id, False)
    assert Notice.objects.filter(user=van, kind="revert").count() == 1


def test_rollback_does_nothing_when_somebody_edited_since(
    as_rita: Client, hearts: Page, save, van: User, bob: User
) -> None:
    bad = save("Bad.\n", author=van)
    save("Bad. But better.\n", author=bob)
    answer = as_rita.post(f"/wiki/hearts/rollback/{bad.pk}/")
    assert answer.status_code == 409
    assert 'data-code="stale"' in answer.content.decode()
    assert "Bob has edited this page since" in answer.content.decode()
    hearts.refresh_from_db()
    assert hearts.current.text == "Bad. But better.\n"


def test_page_of_one_author_cannot_be_rolled_back(as_rita: Client, hearts: Page) -> None:
    for answer in (
        as_rita.get(f"/wiki/hearts/rollback/{hearts.current_id}/"),
        as_rita.post(f"/wiki/hearts/rollback/{hearts.current_id}/"),
    ):
        assert (answer.status_code, "only_author" in answer.content.decode()) == (409, True)


def test_only_reviewers_roll_back_and_nobody_against_a_protection(
    client: Client, as_ada: Client, as_rita: Client, hearts: Page, save, van: User
) -> None:
    bad = save("Bad.\n", author=van)
    address = f"/wiki/hearts/rollback/{bad.pk}/"
    for visitor in (client, as_ada):
        for answer in (visitor.get(address), visitor.post(address)):
            assert (answer.status_code, "not_reviewer" in answer.content.decode()) == (403, True)
        assert "rollback" not in visitor.get("/wiki/hearts/history/").content.decode()
    Page.objects.update(protection="staff")
    answer = as_rita.post(address)
    assert (answer.status_code, "protected" in answer.content.decode()) == (403, True)


def test_rollback_goes_past_rows_that_only_tell_and_hidden_texts(
    as_mo: Client, hearts: Page, save, van: User, bob: User
) -> None:
    hidden = save("Secret.\n", author=bob)
    bad = save("Bad.\n", author=van)
    as_mo.post(f"/wiki/hearts/hide/{hidden.pk}/", {"part": "text", "reason": "x"})
    as_mo.post("/wiki/hearts/protect/", {"level": "accounts", "span": "day", "reason": "x"})
    assert as_mo.post(f"/wiki/hearts/rollback/{bad.pk}/").status_code == 302
    hearts.refresh_from_db()
    assert hearts.current.text == HEARTS


@pytest.fixture
def spree(hearts: Page, save, van: User, bob: User) -> dict[str, Page]:
    """What Van did: the last word on one page, something in the middle of another, a line that Bob
    changed since, and a page of his own."""
    top = hearts
    save(HEARTS + "Spam.\n", author=van)
    middle = save("One.\n\nTwo.\n\nThree.\n", title="Nibble", author=bob).page
    save("One spam.\n\nTwo.\n\nThree.\n", title="Nibble", author=van)
    save("One spam.\n\nTwo.\n\nThree, and more.\n", title="Nibble", author=bob)
    stuck = save("One.\n", title="Verso", author=bob).page
    save("One spam.\n", title="Verso", author=van)
    save("One spam, they say.\n", title="Verso", author=bob)
    own = save("Spam.\n", title="Cheap things", author=van).page
    return {"top": top, "middle": middle, "stuck": stuck, "own": own}


ALL = f"/wiki/contributions/{VANDAL}/revert/"


def test_all_edits_of_a_person_are_taken_back_as_far_as_can_be(
    client: Client, as_mo: Client, spree: dict[str, Page]
) -> None:
    said = as_mo.get(ALL).content.decode()
    for words in (
        "the page is deleted: nobody else wrote it",
        "cannot be: later edits stand in the way",
    ):
        assert words in said
    assert said.count("one edit") == 2
    assert ALL in as_mo.get(f"/wiki/contributions/{VANDAL}/").content.decode()
    sent = {"page": [page.pk for page in spree.values()], "reason": "Spam <b>"}
    told = as_mo.post(ALL, sent).content.decode()
    assert "Cheap things: deleted, nobody else wrote it" in told
    assert "nothing could be taken back, later edits stand in the way" in told
    for page in spree.values():
        page.refresh_from_db()
    assert spree["top"].current.text == HEARTS
    assert spree["middle"].current.text == "One.\n\nTwo.\n\nThree, and more.\n"
    assert spree["stuck"].current.text == "One spam, they say.\n"
    assert spree["own"].deleted_at is not None
    assert client.get("/wiki/cheap-things/").status_code == 410
    assert spree["middle"].current.summary == "Took back 1 edit by Van: Spam <b>"
    taken = Revision.objects.filter(reverted_by__isnull=False)
    assert {row.page_id for row in taken} == {spree["top"].pk, spree["middle"].pk}
    entry = LogEntry.objects.get(kind="revert")
    assert (entry.title, entry.detail) == (VANDAL, {"edits": 3, "pages": 3, "deleted": 1})
    assert "Verso" in as_mo.get(ALL).content.decode()
    as_mo.post(ALL, {"page": spree["stuck"].pk, "reason": "Again"})  # which does nothing
    assert LogEntry.objects.filter(kind="revert").count() == 1


def test_page_that_goes_while_all_is_taken_back_stops_nothing(
    as_mo: Client, spree: dict[str, Page], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As where the form is sent twice: what the other one deleted is told, the rest is done."""
    attempt, mo = rollback.attempt, User.objects.get(username="Mo")

    def after_the_other(*asked: object) -> rollback.Attempt:
        if not Page.everything.exclude(deleted_at=None).exists():
            delete_page(page_id=spree["middle"].pk, reason="Spam", person=mo)
        return attempt(*asked)

    monkeypatch.setattr(rollback, "attempt", after_the_other)
    chosen = {"page": [page.pk for page in spree.values()], "reason": "Spam"}
    answer = as_mo.post(ALL, chosen)
    assert answer.status_code == 200
    assert "Nibble: it is deleted already" in answer.content.decode()
    assert LogEntry.objects.get(kind="revert").detail == {"edits": 2, "pages": 2, "deleted": 1}


def test_report_of_a_form_that_is_sent_twice_names_every_page(
    as_mo: Client, spree: dict[str, Page]
) -> None:
    chosen = {"page": [spree["own"].pk, spree["top"].pk], "reason": "Spam"}
    as_mo.post(ALL, chosen)
    told = as_mo.post(ALL, chosen).content.decode()
    assert "Cheap things: it is deleted already" in told
    assert "nothing could be taken back, nothing of them is left" in told
    assert LogEntry.objects.filter(kind="revert").count() == 1


def test_only_what_is_chosen_is_taken_back(as_mo: Client, spree: dict[str, Page]) -> None:
    as_mo.post(ALL, {"page": spree["top"].pk, "reason": "x"})
    spree["middle"].refresh_from_db()
    spree["own"].refresh_from_db()
    assert "spam" in spree["middle"].current.text
    assert spree["own"].deleted_at is None


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"reason": "x"}, "no_pages"),
        ({"page": "1", "reason": " "}, "no_reason"),
        ({"page": [str(n) for n in range(1, 60)], "reason": "x"}, "too_many_pages"),
    ],
)
def test_wrong_mass_reverts_are_refused(as_mo: Client, spree: dict, sent: dict, code: str) -> None:
    answer = as_mo.post(ALL, sent)
    assert answer.status_code == 422
    assert f'data-code="{code}"' in answer.content.decode()
    assert not LogEntry.objects.filter(kind="revert").exists()


def test_only_moderators_take_back_all(
    client: Client, as_rita: Client, as_mo: Client, spree: dict[str, Page]
) -> None:
    for visitor in (client, as_rita):
        for answer in (visitor.get(ALL), visitor.post(ALL, {"page": 1, "reason": "x"})):
            assert answer.status_code == 403
    assert (
        "There is nothing to take back."
        in as_mo.get("/wiki/contributions/Nobody/revert/?days=7").content.decode()
    )
