"""People who save at the same moment."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from threading import Barrier

import pytest
from django.core.cache import cache
from django.db import connection, transaction

from portal.models import User
from tests.site import wait_until
from wiki.errors import WikiError
from wiki.models import Page, PageName, Revision
from wiki.services import Draft, edit_page, load_page, protect
from wiki.services.delete import delete_page, undelete_page
from wiki.services.edit import EditConflict
from wiki.services.languages import link, set_language
from wiki.services.limits import refuse_uploads
from wiki.services.rename import rename
from wiki.services.talk import add_topic, reply

pytestmark = pytest.mark.django_db(transaction=True)
PEOPLE = 6
TEXT = "".join(f"## Part {n}\n\nWords of part {n}.\n\n" for n in range(PEOPLE))


def at_once(work: Callable[[int], object]) -> list[object]:
    """What ``work(0)`` ... ``work(PEOPLE - 1)`` return when they start together."""
    barrier = Barrier(PEOPLE)

    def one(number: int) -> object:
        barrier.wait()
        try:
            return work(number)
        except WikiError as refused:  # a conflict among them
            return refused
        finally:
            connection.close()

    with ThreadPoolExecutor(PEOPLE) as pool:
        return list(pool.map(one, range(PEOPLE)))


@pytest.fixture
def people() -> list[User]:
    return [User.objects.create_user(f"Person {n}") for n in range(PEOPLE)]


def test_edits_of_different_sections_all_arrive(people: list[User]) -> None:
    base = load_page(slug="hearts", title="Hearts", text=TEXT)

    def edit(number: int) -> Revision:
        text = TEXT.replace(f"part {number}.", f"part {number}, improved.")
        draft = Draft(text=text, base=base.pk)
        return edit_page(slug="hearts", title="Hearts", author=people[number], draft=draft)[0]

    assert all(isinstance(result, Revision) for result in at_once(edit))
    page = Page.objects.get()
    assert page.current.text.count("improved") == PEOPLE
    rows = list(page.revisions.order_by("number"))
    assert [row.number for row in rows] == list(range(1, PEOPLE + 2))
    assert [row.parent for row in rows[1:]] == rows[:-1]
    assert page.current == rows[-1]


def test_edits_of_one_line_let_one_through_and_tell_the_others(people: list[User]) -> None:
    base = load_page(slug="hearts", title="Hearts", text="One line.\n")

    def edit(number: int) -> Revision:
        draft = Draft(text=f"Line of {number}.\n", base=base.pk)
        return edit_page(slug="hearts", title="Hearts", author=people[number], draft=draft)[0]

    results = at_once(edit)
    assert sum(isinstance(result, Revision) for result in results) == 1
    for number, result in enumerate(results):
        if isinstance(result, EditConflict):
            assert result.mine == f"Line of {number}.\n"
    assert Revision.objects.count() == 2


def test_page_made_by_many_is_one_page(people: list[User]) -> None:
    def write(number: int) -> Revision:
        draft = Draft(text=f"Written by {number}.")
        return edit_page(slug="nibble", title="Nibble", author=people[number], draft=draft)[0]

    results = at_once(write)
    assert sum(isinstance(result, Revision) for result in results) == 1
    assert sum(isinstance(result, EditConflict) for result in results) == PEOPLE - 1
    assert Page.objects.count() == PageName.objects.count() == Revision.objects.count() == 1


def test_of_many_translations_into_one_language_one_is_made(people: list[User]) -> None:
    source = load_page(slug="hearts", title="Hearts", text=TEXT).page

    def translate(number: int) -> Page:
        return edit_page(
            slug=f"srce-{number}",
            title=f"Srce {number}",
            author=people[number],
            draft=Draft(text="Uzmi malo."),
            language="sr",
            translates=source.pk,
        )[0].page

    results = at_once(translate)
    made = [result for result in results if isinstance(result, Page)]
    refused = [result.code for result in results if isinstance(result, WikiError)]
    assert len(made) == 1
    assert refused == ["language_taken"] * (PEOPLE - 1)
    assert Page.objects.count() == 2
    assert made[0].group == Page.objects.get(pk=source.pk).group


def test_pages_linked_in_a_ring_at_once_are_one_group(people: list[User]) -> None:
    codes = ("en", "sr", "de", "fr", "he", "it")
    pages = [
        edit_page(slug=code, title=code, author=people[0], draft=Draft(text=code), language=code)[
            0
        ].page
        for code in codes
    ]

    def join(number: int) -> object:
        other = pages[(number + 1) % PEOPLE]
        return link(page_id=pages[number].pk, other_id=other.pk, author=people[number])

    results = at_once(join)
    assert {result.code for result in results if isinstance(result, WikiError)} <= {"linked"}
    groups = set(Page.objects.values_list("group", flat=True))
    assert len(groups) == 1
    assert None not in groups


def test_people_who_begin_the_talk_at_once_share_one_talk_page(people: list[User]) -> None:
    page = load_page(slug="hearts", title="Hearts", text=TEXT).page

    def begin(number: int) -> Revision:
        return add_topic(
            page_id=page.pk, author=people[number], heading=f"Topic {number}", text=f"Word {number}"
        )

    assert all(isinstance(result, Revision) for result in at_once(begin))
    talk = Page.objects.get(namespace="talk")
    assert talk.subject == page
    assert talk.revisions.count() == PEOPLE
    seen = talk.current_id

    def answer(number: int) -> Revision:
        return reply(
            page_id=page.pk, author=people[number], number=1, seen_id=seen, text=f"Answer {number}"
        )

    assert all(isinstance(result, Revision) for result in at_once(answer))
    text = Page.objects.get(pk=talk.pk).current.text
    for number in range(PEOPLE):
        assert text.count(f"Word {number} — [[User:Person {number}]]") == 1
        assert text.count(f"- Answer {number} — [[User:Person {number}]]") == 1
    first = talk.revisions.get(number=PEOPLE).text.split("\n")[0]
    assert text[text.index(first) :].index("Answer") < text[text.index(first) :].index(
        "## Topic", 5
    )


def waits_for_a_lock() -> bool:
    """Whether a statement waits for another one to end; on SQLite, where one writes at a time, it does
    or comes later."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM pg_stat_activity "
            "WHERE datname = current_database() AND wait_event_type = 'Lock'"
        )
        return cursor.fetchone()[0] > 0


EVENTS: dict[str, Callable[[Page, User], object]] = {
    "protect": lambda page, mo: protect(
        page_id=page.pk, level="accounts", span="always", reason="Quarrels.", moderator=mo
    ),
    "rename": lambda page, mo: rename(
        page_id=page.pk, title="Herz", author=mo, seen="Hearts", reason=""
    ),
    "delete": lambda page, mo: delete_page(page_id=page.pk, reason="Nonsense.", person=mo),
    "language": lambda page, mo: set_language(page_id=page.pk, code="de", author=mo),
}


@pytest.mark.parametrize("event", EVENTS)
def test_what_waits_for_an_edit_repeats_the_text_of_that_edit(people: list[User], event) -> None:
    """A page that was joined with its text as it was locked came without any."""
    base = load_page(slug="hearts", title="Hearts", text="Old.\n")
    mo = User.objects.create_user("Mo", is_staff=True)

    def wait_and_work() -> object:
        try:
            return EVENTS[event](base.page, mo)
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            draft = Draft(text="New.\n", base=base.pk)
            edit_page(slug="hearts", title="Hearts", author=people[0], draft=draft)
            waiting = pool.submit(wait_and_work)
            wait_until(waits_for_a_lock, "the second one to wait")
        waiting.result()
    page = Page.everything.get(pk=base.page_id)
    assert page.revisions.order_by("number").last().text == "New.\n"
    if event == "delete":
        page = undelete_page(page_id=page.pk, reason="Sense.", person=mo)
    assert page.current.text == "New.\n"
    assert [row.text for row in page.revisions.order_by("number")][:2] == ["Old.\n", "New.\n"]


def test_limits_count_what_comes_at_the_same_moment(people: list[User], settings) -> None:
    settings.WIKI_EDITS_PER_MINUTE = (2, 2, 2)

    def begin(number: int) -> Revision:
        draft, title = Draft(text="Buy this.\n"), f"Page {number}"
        return edit_page(slug=f"page-{number}", title=title, author=people[0], draft=draft)[0]

    refused = [result for result in at_once(begin) if isinstance(result, WikiError)]
    assert [error.code for error in refused] == ["slow_down"] * (PEOPLE - 2)
    assert Page.objects.count() == 2


def test_tries_are_counted_that_come_at_the_same_moment(people: list[User], settings) -> None:
    settings.WIKI_UPLOADS_PER_HOUR = (2, 2, 2)
    cache.clear()
    refused = [one for one in at_once(lambda _: refuse_uploads(people[0])) if one is not None]
    assert [error.code for error in refused] == ["slow_down"] * (PEOPLE - 2)


def test_pages_that_lead_to_each_other_are_saved_at_once(people: list[User]) -> None:
    """A link that is saved holds the page it leads to: nobody waits for each other for ever."""
    titles = ("Ping", "Pong")
    for title in titles:
        edit_page(slug=title.lower(), title=title, author=people[0], draft=Draft(text="Start."))

    def edit(number: int) -> int:
        mine, other = titles[number % 2], titles[1 - number % 2]
        for time in range(8):
            page = Page.objects.get(title=mine)
            text = f"[[{other}]]\n\n" if time % 2 else "Start.\n\n"
            draft = Draft(text=text, base=page.current_id)
            with suppress(WikiError):
                edit_page(slug=mine.lower(), title=mine, author=people[number], draft=draft)
        return number

    assert at_once(edit) == list(range(PEOPLE))
