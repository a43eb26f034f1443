"""How fast and how much guests, new accounts and others may write; what is refused comes back."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import HEARTS
from wiki.errors import WikiError
from wiki.models import LogEntry, Page, Revision
from wiki.services.limits import refuse_renames, refuse_uploads

pytestmark = [pytest.mark.django_db, pytest.mark.stores]
EDIT = "/wiki/hearts/edit/"


@pytest.fixture(autouse=True)
def _no_memory() -> None:
    cache.clear()


def write(client: Client, text: str, *, action: str = "save", slug: str = "hearts", **more):
    page = Page.objects.filter(slug=slug).first()
    sent = {"text": text, "base": page.current_id if page else "", "action": action, **more}
    return client.post(f"/wiki/{slug}/edit/", sent)


def said(answer) -> str:
    return answer.content.decode()


def grow_old(person: User) -> None:
    User.objects.filter(pk=person.pk).update(date_joined=timezone.now() - timedelta(days=9))
    person.groups.add(Group.objects.get(name="editor"))


def test_guests_and_new_accounts_are_told_to_wait(settings, as_ada: Client, hearts: Page) -> None:
    settings.WIKI_EDITS_PER_MINUTE = (1, 2, 3)
    guest = Client()
    assert write(guest, "Guest 1.\n", action="guest").status_code == 302
    assert write(as_ada, "Ada 1.\n").status_code == 302  # the page itself was made by her too
    for client in (guest, as_ada):
        answer = write(client, "My precious words", summary="why")
        assert answer.status_code == 429
        assert 1 <= int(answer["Retry-After"]) <= 61
        assert 'data-code="slow_down"' in said(answer)
        assert "try again in" in said(answer)
        assert "My precious words" in said(answer)
        assert 'value="why"' in said(answer)
    Revision.objects.update(created_at=timezone.now() - timedelta(seconds=61))
    for client in (guest, as_ada):
        assert write(client, f"Later {id(client)}.\n").status_code == 302


def test_hours_count_too(settings, as_ada: Client, hearts: Page) -> None:
    settings.WIKI_EDITS_PER_HOUR = (1, 2, 3)
    assert write(as_ada, "Two.\n").status_code == 302
    Revision.objects.update(created_at=timezone.now() - timedelta(minutes=10))
    answer = write(as_ada, "Three.\n")
    assert answer.status_code == 429
    assert 2900 < int(answer["Retry-After"]) <= 3001
    assert "50 minutes" in said(answer) or "51 minutes" in said(answer)


def test_established_people_write_faster_and_reviewers_as_they_like(
    settings, as_ada: Client, ada: User, hearts: Page
) -> None:
    settings.WIKI_EDITS_PER_MINUTE = (1, 1, 3)
    assert write(as_ada, "2\n").status_code == 429
    grow_old(ada)
    assert [write(as_ada, f"{n}\n").status_code for n in range(3)] == [302, 302, 429]
    ada.groups.add(Group.objects.get(name="reviewer"))
    assert write(as_ada, "At last.\n").status_code == 302


def test_languages_are_changed_no_faster_than_texts(settings, as_ada: Client, hearts: Page) -> None:
    settings.WIKI_EDITS_PER_MINUTE = (1, 3, 3)
    address = "/wiki/hearts/language/"
    codes = ["de", "fr", "en", "de"]
    answers = [as_ada.post(address, {"do": "set", "language": code}) for code in codes]
    assert [answer.status_code for answer in answers] == [302, 302, 429, 429]
    assert 'data-code="slow_down"' in said(answers[-1])
    assert write(as_ada, "More.\n").status_code == 429


@pytest.mark.parametrize(
    "address",
    [
        r"https:/spam.example",
        r"https:spam.example",
        r"https:\\spam.example",
        r"https:\/\/spam.example",
        r"http:/\spam.example/x",
        "https&#58;&#47;spam.example",
    ],
)
def test_addresses_that_only_browsers_read_are_counted(
    settings, as_ada: Client, hearts: Page, address: str
) -> None:
    settings.WIKI_OUTSIDE_HOSTS = (0, 0, -1)
    answer = write(as_ada, f"{HEARTS}\n[look]({address})\n")
    assert answer.status_code == 422
    assert 'data-code="outside_links"' in said(answer)
    assert "spam.example" in said(answer)


def test_guests_of_one_network_of_version_6_are_one_address(settings, hearts: Page) -> None:
    settings.WIKI_GUEST_EDITS_PER_ADDRESS = 1
    answers = [
        write(Client(REMOTE_ADDR=f"2001:db8::{n}"), f"{n}\n", action="guest") for n in (1, 2)
    ]
    assert [answer.status_code for answer in answers] == [302, 429]


def test_new_pages_have_a_limit_of_their_own(settings, as_ada: Client, hearts: Page) -> None:
    settings.WIKI_NEW_PAGES_PER_HOUR = (1, 2, 3)
    assert write(as_ada, "x", slug="nibble").status_code == 302
    answer = write(as_ada, "My precious words", slug="verso")
    assert answer.status_code == 429
    assert "2 new pages within an hour" in said(answer)
    assert "My precious words" in said(answer)
    assert not Page.objects.filter(slug="verso").exists()
    assert write(as_ada, "y", slug="nibble").status_code == 302


def test_who_comes_as_another_guest_is_counted_by_address(settings, hearts: Page) -> None:
    settings.WIKI_GUEST_EDITS_PER_ADDRESS = 2
    answers = [write(Client(), f"{n}\n", action="guest") for n in range(3)]
    assert [answer.status_code for answer in answers] == [302, 302, 429]
    assert write(Client(REMOTE_ADDR="192.0.2.1"), "x\n", action="guest").status_code == 302


def test_reverts_and_talk_count_like_edits(settings, as_ada: Client, hearts: Page, save) -> None:
    first = hearts.current_id
    save("Other.\n")
    hearts.refresh_from_db()
    settings.WIKI_EDITS_PER_MINUTE = (1, 2, 3)
    answer = as_ada.post(f"/wiki/hearts/revert/{first}/", {"current": hearts.current_id})
    assert answer.status_code == 429
    assert answer["Retry-After"]


def test_renames_and_uploads_have_limits(settings, ada: User, hearts: Page) -> None:
    settings.WIKI_RENAMES_PER_HOUR = settings.WIKI_UPLOADS_PER_HOUR = (1, 1, 1)
    refuse_renames(ada)
    LogEntry.objects.create(kind="rename", at=timezone.now(), actor=ada, actor_name="Ada")
    refuse_uploads(ada)
    for refuse in (refuse_renames, refuse_uploads):
        with pytest.raises(WikiError) as caught:
            refuse(ada)
        assert (caught.value.code, caught.value.status) == ("slow_down", 429)


def test_tries_to_upload_count_though_they_fail(settings, as_ada: Client) -> None:
    from django.core.files.uploadedfile import SimpleUploadedFile

    settings.WIKI_UPLOADS_PER_HOUR = (1, 2, 3)
    sent = {"name": "x.png", "description": "My precious words", "licence": "own"}
    answers = [
        as_ada.post("/wiki/files/upload/", {**sent, "file": SimpleUploadedFile("x.png", b"no")})
        for _ in range(3)
    ]
    assert [answer.status_code for answer in answers][-1] == 429
    assert 429 not in [answer.status_code for answer in answers[:2]]
    assert answers[-1]["Retry-After"]
    assert "My precious words" in said(answers[-1])


LINK = "[good](https://good.example/{})"


@pytest.fixture
def linked(hearts: Page, save) -> Page:
    save(f"{HEARTS}\n{LINK.format(0)}\n")
    hearts.refresh_from_db()
    return hearts


@pytest.mark.parametrize(
    "text",
    [
        "[buy](https://spam.example/x)",
        "https://SPAM.example",
        "<https://spam.example>",
        "[x][1]\n\n[1]: http://spam.example",
        '<a href="http://spam&#46;example">x</a>',
        "<a href='HTTP://user@www.spam.example:80/'>x</a>",
    ],
)
def test_new_people_add_no_new_sites(settings, as_ada: Client, linked: Page, text: str) -> None:
    settings.WIKI_OUTSIDE_LINKS, settings.WIKI_OUTSIDE_HOSTS = (3, 3), (0, 0)
    whole = f"{linked.current.text}\n{text}\n"
    for client, action in ((as_ada, "save"), (Client(), "guest")):
        answer = write(client, whole, action=action)
        assert answer.status_code == 422
        assert 'data-code="outside_links"' in said(answer)
        assert "This leads to spam.example, which" in said(answer)
        assert "Take few points" in said(answer)
    assert linked.revisions.count() == 2


def test_new_people_add_few_links_to_known_sites(
    settings, as_ada: Client, ada: User, linked: Page
) -> None:
    settings.WIKI_OUTSIDE_LINKS, settings.WIKI_OUTSIDE_HOSTS = (1, 2), (0, 0)
    many = linked.current.text + "".join(f"{LINK.format(n)}\n" for n in range(1, 4))
    answer = write(as_ada, many)
    assert answer.status_code == 422
    assert "This adds 3 links to other sites, such as https://good.example/" in said(answer)
    grow_old(ada)
    assert write(as_ada, many).status_code == 302
    assert write(Client(), f"{many}{LINK.format(9)}\n", action="guest").status_code == 302


def test_links_that_are_there_stay_and_links_in_code_are_none(
    settings, as_ada: Client, linked: Page
) -> None:
    settings.WIKI_OUTSIDE_LINKS, settings.WIKI_OUTSIDE_HOSTS = (0, 0), (0, 0)
    settings.SITE_URL = "https://parlour.example"
    more = "\nMore, at https://parlour.example/wiki/ and `https://spam.example`.\n"
    assert write(as_ada, f"{linked.current.text}{more}").status_code == 302


def test_texts_kept_for_who_goes_to_log_in_are_bounded(settings, hearts: Page) -> None:
    settings.WIKI_GUEST_EDITS_PER_ADDRESS = 1
    long = "x" * 500_000
    talk = "/wiki/hearts/talk/"
    for address, sent, status in (
        (EDIT, {"text": long}, 413),
        (EDIT, {"text": "x", "summary": long}, 400),
        (
            "/wiki/new/edit/",
            {"text": "x", "title": f"New {long}"},
            302,
        ),  # fits no address: left out
        (talk, {"heading": "x", "text": long}, 413),
        (talk, {"heading": long[:5_000], "text": "x"}, 422),
        (talk, {"heading": "x", "text": "x"}, 429),
    ):
        stranger = Client()
        answer = stranger.post(address, {"base": "", "action": "login", **sent})
        assert answer.status_code == status, (address, sent.keys())
        kept = len(str(dict(stranger.session)))
        assert kept < 2_000, (address, kept)
