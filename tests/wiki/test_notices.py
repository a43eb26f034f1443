"""Notices: who is told of an answer, a mention, a revert; once, never of one's own deeds."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.test_talk import TALK, answer_to, begin
from wiki.models import Notice, Page, Revision, WatchList
from wiki.services import revert_to
from wiki.services.notices import KEPT_DAYS, hand_over, told_of_revert
from wiki.services.watch import watch
from wiki.tasks import clean_up, send_digests

pytestmark = pytest.mark.django_db
LIST = "/wiki/notices/"


@pytest.fixture
def cy(db: None) -> User:
    return User.objects.create_user("Cy", password="pass")


@pytest.fixture
def as_cy(cy: User) -> Client:
    client = Client()
    client.force_login(cy)
    return client


def told() -> set[tuple[str, str]]:
    return set(Notice.objects.values_list("user__username", "kind"))


def test_answer_is_told_to_who_wrote_in_the_topic(
    as_ada: Client, as_bob: Client, as_cy: Client, hearts: Page
) -> None:
    begin(as_cy, "Scoring", "How much?")
    begin(as_ada)
    Notice.objects.all().delete()
    answer_to(as_bob, 2, "Left.")
    # Ada wrote in the topic; Cy began the page
    assert told() == {("Ada", "reply"), ("Cy", "reply")}
    Notice.objects.all().delete()
    answer_to(as_ada, 1, "Much.")
    assert told() == {("Cy", "reply")}
    Notice.objects.all().delete()
    answer_to(as_ada, 2, "Thanks.")
    assert told() == {("Bob", "reply"), ("Cy", "reply")}


def test_talk_about_a_watched_page_is_told(
    as_ada: Client, as_bob: Client, bob: User, cy: User, hearts: Page
) -> None:
    watch(page=hearts, user=bob)
    begin(as_ada)
    assert told() == {("Bob", "talk")}
    answer_to(as_bob, 1, "Left.")  # nothing of one's own
    assert told() == {("Bob", "talk"), ("Ada", "reply")}


@pytest.mark.parametrize(
    "said", ["@Bob, see", "(@bob)", "Ask [[User:Bob]].", "[[benutzer: Bob|him]]"]
)
def test_mention_is_told_once(as_ada: Client, bob: User, hearts: Page, said: str) -> None:
    watch(page=hearts, user=bob)
    begin(as_ada, text=f"{said} and @Bob again, @Nobody, @Ada")
    assert told() == {("Bob", "mention")}


@pytest.mark.parametrize("said", ["bob@Bob.example", "`@Bob`", "```\n@Bob\n```", "@Bobby"])
def test_what_calls_nobody(as_ada: Client, bob: User, hearts: Page, said: str) -> None:
    begin(as_ada, text=said)
    assert told() == set()


def test_old_mentions_and_moved_signatures_call_nobody_again(
    as_ada: Client, as_bob: Client, as_cy: Client, hearts: Page, save: Callable[..., Revision]
) -> None:
    begin(as_bob, text="Ask @Cy")
    text = Page.objects.get(slug="talk-hearts").current.text
    Notice.objects.all().delete()
    save(f"Before.\n\n{text}", title="Talk:Hearts", minor=True)
    assert told() == set()
    save(f"Before.\n\n{text}".replace("Ask", "- Do ask"), title="Talk:Hearts", minor=True)
    assert told() == {("Cy", "mention")}  # the line is another, its signature calls nobody


def test_mentions_on_other_pages_are_text(bob: User, save: Callable[..., Revision]) -> None:
    save("Ask @Bob and [[User:Bob]]")
    assert told() == set()


def test_restore_is_told_to_those_whose_edits_it_takes_back(
    as_cy: Client, ada: User, bob: User, cy: User, hearts: Page, save: Callable[..., Revision]
) -> None:
    first = hearts.current
    save("One\n", author=bob)
    save("Two\n", author=ada)
    hearts.refresh_from_db()
    made = revert_to(
        page_id=hearts.pk, revision_id=first.pk, author=ada, current_id=hearts.current_id
    )
    assert told() == {("Bob", "revert")}
    told_of_revert(made, hearts.revisions.filter(author=bob))  # once, however often it is said
    assert Notice.objects.count() == 1


def test_bell_counts_and_opening_reads(
    client: Client, as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    assert 'class="tool bell"' not in client.get("/").content.decode()
    assert 'aria-label="Notices"' in as_ada.get("/").content.decode()
    answer_to(as_bob, 1, "Left.")
    assert 'aria-label="Notices: 1 new"' in as_ada.get("/").content.decode()
    html = as_ada.get(LIST).content.decode()
    assert "Bob wrote on a talk page where you wrote" in html
    assert "Talk:Hearts" in html
    notice = Notice.objects.get()
    opened = as_ada.get(f"{LIST}{notice.pk}/")
    assert opened["Location"] == "/wiki/talk-hearts/#s-passing"
    html = as_ada.get(LIST).content.decode()
    assert 'aria-label="Notices"' in html
    assert "is-new" not in html
    assert as_bob.get(f"{LIST}{notice.pk}/").status_code == 404


def test_reading_the_talk_page_is_reading_its_notices(
    as_ada: Client, as_bob: Client, hearts: Page
) -> None:
    begin(as_ada)
    answer_to(as_bob, 1, "Left.")
    assert 'aria-label="Notices"' in as_ada.get("/wiki/talk-hearts/").content.decode()


def test_all_are_read_at_once(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada)
    for words in ("One", "Two"):
        answer_to(as_bob, 1, words)
    assert "Two notices</b> you have not read" in as_ada.get(LIST).content.decode()
    assert as_ada.post(LIST, {"action": "seen"})["Location"] == LIST
    assert "you have not read" not in as_ada.get(LIST).content.decode()
    assert as_ada.post(LIST, {"action": "burn"}).status_code == 400


def test_kinds_are_chosen(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada)
    as_ada.post(LIST, {"action": "kinds", "kind": ["mention", "revert"]})
    answer_to(as_bob, 1, "Left.")
    assert told() == set()
    answer_to(as_bob, 1, "@Ada?")
    assert told() == {("Ada", "mention")}
    answer = as_ada.post(LIST, {"action": "kinds", "kind": ["gossip"]})
    assert answer.status_code == 400
    assert 'data-code="bad_kind"' in answer.content.decode()


def test_strangers_have_no_notices(client: Client) -> None:
    assert client.get(LIST)["Location"] == f"/accounts/login/?next={LIST}"


@pytest.mark.parametrize(
    "hide",
    [
        lambda row: Page.objects.filter(pk=row.page_id).update(deleted_at=timezone.now()),
        lambda row: Revision.objects.filter(pk=row.pk).update(text_hidden=True),
        lambda row: Revision.objects.filter(pk=row.pk).update(author_hidden=True),
    ],
)
def test_what_is_gone_is_told_no_more(
    as_ada: Client, as_bob: Client, hearts: Page, hide: Callable[[Revision], object]
) -> None:
    begin(as_ada)
    answer_to(as_bob, 1, "Left.")
    hide(Notice.objects.get().revision)
    assert 'aria-label="Notices"' in as_ada.get("/").content.decode()
    assert "Nothing concerns you yet." in as_ada.get(LIST).content.decode()
    assert as_ada.get(f"{LIST}{Notice.objects.get().pk}/").status_code == 404


def test_hidden_summary_is_not_told(as_ada: Client, as_bob: Client, hearts: Page) -> None:
    begin(as_ada, "Secret")
    answer_to(as_bob, 1, "Left.")
    Revision.objects.update(summary_hidden=True)
    assert "Secret" not in as_ada.get(LIST).content.decode()
    opened = as_ada.get(f"{LIST}{Notice.objects.get().pk}/")
    assert opened["Location"] == "/wiki/talk-hearts/"


def test_daily_mail_tells_notices_too(
    as_ada: Client, as_bob: Client, ada: User, hearts: Page, django_capture_on_commit_callbacks
) -> None:
    EmailAddress.objects.create(user=ada, email="ada@example.org", verified=True)
    as_ada.post("/wiki/watchlist/", {"action": "wishes", "mail": "1"})
    begin(as_ada)
    User.objects.update(last_seen=timezone.now() - timedelta(hours=2))
    for _run in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            send_digests()
    assert mail.outbox == []
    answer_to(as_bob, 1, "Left.")
    User.objects.update(last_seen=timezone.now() - timedelta(hours=2))
    for _run in range(2):
        with django_capture_on_commit_callbacks(execute=True):
            send_digests()
    [sent] = mail.outbox
    assert sent.subject == "Your watch list: 1 notice"
    assert "Bob wrote on a talk page where you wrote: Talk:Hearts" in sent.body
    assert f"/wiki/notices/{Notice.objects.get().pk}/" in sent.body
    WatchList.objects.update(mailed_at=timezone.now() - timedelta(hours=25))
    Notice.objects.update(at=timezone.now() - timedelta(hours=26))
    with django_capture_on_commit_callbacks(execute=True):
        send_digests()
    assert len(mail.outbox) == 1  # told already


def test_mail_tells_a_change_and_its_notice_once(
    as_ada: Client, as_bob: Client, bob: User, hearts: Page, django_capture_on_commit_callbacks
) -> None:
    EmailAddress.objects.create(user=bob, email="bob@example.org", verified=True)
    as_bob.post("/wiki/watchlist/", {"action": "wishes", "mail": "1"})
    watch(page=hearts, user=bob)
    begin(as_ada)
    User.objects.update(last_seen=timezone.now() - timedelta(hours=2))
    with django_capture_on_commit_callbacks(execute=True):
        send_digests()
    [sent] = mail.outbox
    assert sent.subject == "Your watch list: 1 notice"
    assert sent.body.count("Talk:Hearts") == 1


def test_notices_of_a_guest_come_along(ada: User, bob: User, hearts: Page) -> None:
    told_of_revert(hearts.current, [Revision(author=bob)])
    hand_over(guest=bob, account=ada)
    assert told() == {("Ada", "revert")}


def test_talk_form_says_how_to_call_somebody(as_ada: Client, hearts: Page) -> None:
    assert "<code>@Name</code> calls somebody" in as_ada.get(TALK).content.decode()


def test_notice_goes_by_itself_long_after_it_was_read(
    as_ada: Client, as_bob: Client, ada: User, hearts: Page
) -> None:
    begin(as_ada)
    for words in ("One.", "Two.", "Three."):
        answer_to(as_bob, 1, words)
    old, young, unread = Notice.objects.filter(user=ada).order_by("pk")
    limit = timezone.now() - timedelta(days=KEPT_DAYS)
    Notice.objects.update(at=limit - timedelta(days=9))
    Notice.objects.filter(pk=old.pk).update(seen_at=limit - timedelta(minutes=1))
    Notice.objects.filter(pk=young.pk).update(seen_at=limit + timedelta(hours=1))
    assert f"{KEPT_DAYS} days after you have read it" in as_ada.get(LIST).content.decode()
    assert clean_up() == 1
    assert clean_up() == 0
    assert set(Notice.objects.filter(user=ada)) == {young, unread}
