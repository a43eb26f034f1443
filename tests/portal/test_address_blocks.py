"""Blocks of addresses and ranges, and of accounts from the wiki alone."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Group
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from portal import addresses, visitor
from portal.addresses import BadRange, block_on, read_range
from portal.models import AddressBlock, Block, User
from wiki.models import LogEntry, Page
from wiki.services import load_page
from wiki.services.rights import refuse_unless_editor

pytestmark = pytest.mark.django_db
BLOCKS, EDIT = "/wiki/reports/blocks/", "/wiki/hearts/edit/"
WISH = {"range": "192.0.2.0/24", "reason": "Spam <b>", "days": "7"}


@pytest.fixture
def mo(db: None) -> Client:
    person = User.objects.create_user("Mo")
    person.groups.add(Group.objects.get(name="moderator"))
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def page(db: None) -> Page:
    load_page(slug="hearts", title="Hearts", text="Take few points.\n")
    return Page.objects.get()


def at(address: str, person: User | None = None) -> Client:
    client = Client(REMOTE_ADDR=address)
    if person:
        client.force_login(person)
    return client


def write(client: Client, page: Page, action: str = "save"):
    page.refresh_from_db()
    words = f"My precious words {page.current_id}"
    return client.post(EDIT, {"text": words, "base": page.current_id, "action": action})


@pytest.mark.parametrize(
    ("text", "inside", "outside"),
    [
        ("192.0.2.7", ["192.0.2.7", "::ffff:192.0.2.7"], ["192.0.2.8", "2001:db8::7"]),
        ("192.0.2.7/24", ["192.0.2.0", "192.0.2.255"], ["192.0.1.255", "192.0.3.0"]),
        ("2001:db8::/48", ["2001:db8::1", "2001:db8:0:ffff::"], ["2001:db8:1::", "192.0.2.7"]),
        ("::ffff:192.0.2.0/120", ["192.0.2.9"], ["192.0.3.9"]),
    ],
)
def test_ranges_of_both_versions(mo: Client, text: str, inside: list, outside: list) -> None:
    assert mo.post(BLOCKS, {**WISH, "range": text}).status_code == 302
    assert [address for address in inside if not block_on(address)] == []
    assert [address for address in outside if block_on(address)] == []


@pytest.mark.parametrize(
    "text", ["", "x", "192.0.2", "10.0.0.0/8", "::/0", "192.0.2.0/33", "1" * 60]
)
def test_nonsense_and_very_wide_ranges_are_refused_in_words(mo: Client, text: str) -> None:
    answer = mo.post(BLOCKS, {**WISH, "range": text})
    assert answer.status_code == 422
    assert not AddressBlock.objects.exists()
    assert 'value="Spam &lt;b&gt;"' in answer.content.decode()
    if text:
        with pytest.raises(BadRange):
            read_range(text)


def test_guests_of_a_blocked_address_read_why_and_keep_their_text(mo: Client, page: Page) -> None:
    guest, stranger = at("192.0.2.9"), at("192.0.2.10")
    assert write(guest, page, "guest").status_code == 302
    mo.post(BLOCKS, WISH)
    for client, action in ((guest, "save"), (stranger, "guest")):
        answer = write(client, page, action)
        said = answer.content.decode()
        assert answer.status_code == 403
        assert 'data-code="address_blocked"' in said
        assert "by Mo until" in said
        assert "Spam &lt;b&gt;" in said
        assert "My precious words" in said
        assert 'data-code="address_blocked"' in client.get(EDIT).content.decode()
    assert write(at("192.0.3.9"), page, "guest").status_code == 302
    AddressBlock.objects.update(until=timezone.now())
    assert write(stranger, page, "guest").status_code == 302


def test_nobody_becomes_a_guest_or_signs_up_from_there(mo: Client) -> None:
    mo.post(BLOCKS, WISH)
    count = User.objects.count()
    client = at("192.0.2.9")
    answer = client.post("/tables/new/", {"game": "nibble"}, follow=True)
    assert User.objects.count() == count, answer.status_code
    sent = {"username": "Newcomer", "password1": "correct horse 9", "password2": "correct horse 9"}
    answer = client.post("/accounts/signup/", sent)
    assert "Nobody can sign up from your address" in answer.content.decode()
    assert User.objects.count() == count


def test_accounts_write_on_unless_the_block_says_so(mo: Client, page: Page) -> None:
    ada = User.objects.create_user("Ada")
    client = at("192.0.2.9", ada)
    mo.post(BLOCKS, WISH)
    assert write(client, page).status_code == 302
    mo.post(BLOCKS, {**WISH, "accounts_too": "on"})
    assert addresses.in_force().count() == 1  # the new one in place of the old
    answer = write(client, page)
    assert answer.status_code == 403
    assert "Nobody may write pages from your address" in answer.content.decode()
    moderator = at("192.0.2.9", User.objects.get(username="Mo"))
    assert write(moderator, page).status_code == 302


def test_moderators_see_addresses_and_end_blocks(mo: Client, page: Page) -> None:
    mo.post(BLOCKS, WISH)
    said = mo.get(BLOCKS).content.decode()
    assert "192.0.2.0/24" in said
    block = AddressBlock.objects.get()
    for visitor_client in (Client(), at("192.0.2.9", User.objects.create_user("Ada"))):
        assert "192.0.2" not in visitor_client.get(BLOCKS).content.decode()
        assert "192.0.2" not in visitor_client.get("/wiki/log/").content.decode()
        assert visitor_client.post(BLOCKS, WISH).status_code == 403
        assert visitor_client.post(BLOCKS, {"lift": block.pk}).status_code == 403
    assert mo.post(BLOCKS, {"lift": block.pk}).status_code == 302
    assert mo.post(BLOCKS, {"lift": block.pk}).status_code == 404
    assert mo.post(BLOCKS, {"lift": "x"}).status_code == 404
    assert block_on("192.0.2.9") is None
    kinds = list(LogEntry.objects.values_list("kind", flat=True))
    assert sorted(kinds) == ["block", "unblock"]


def test_account_blocked_from_the_wiki_plays_on(mo: Client, page: Page) -> None:
    ada = User.objects.create_user("Ada")
    client = at("192.0.2.9", ada)
    sent = {"reason": "Quarrels <b>", "days": "7", "wiki_only": "wiki"}
    assert mo.post("/people/Ada/block/", sent).status_code == 302
    answer = write(client, page)
    said = answer.content.decode()
    assert answer.status_code == 403
    assert 'data-code="account_blocked"' in said
    assert "Quarrels &lt;b&gt;" in said
    assert "My precious words" in said
    assert client.get("/preferences/").status_code == 200
    assert "Ada</a>" in Client().get(BLOCKS).content.decode()
    Block.objects.update(until=timezone.now() - timedelta(seconds=1))
    assert write(client, page).status_code == 302


def test_end_of_a_block_from_the_wiki_reopens_no_closed_account(mo: Client) -> None:
    ada = User.objects.create_user("Ada")
    mo.post("/people/Ada/block/", {"reason": "x", "days": "7", "wiki_only": "wiki"})
    User.objects.filter(pk=ada.pk).update(is_active=False)
    mo.post("/people/Ada/unblock/")
    ada.refresh_from_db()
    assert not ada.is_active
    assert LogEntry.objects.filter(kind="unblock", title="Ada").exists()


def test_address_somebody_wrote_from_is_blocked_without_being_shown(mo: Client, page: Page) -> None:
    cache.clear()
    guest = at("2001:db8::9")
    write(guest, page, "guest")
    name = page.revisions.latest("number").author_name
    said = mo.get(f"/people/{name}/").content.decode()
    assert "Also the address they wrote from last" in said
    assert "2001:db8" not in said
    sent = {"reason": "Spam", "days": "1", "wiki_only": "wiki", "address": "on"}
    assert mo.post(f"/people/{name}/block/", sent).status_code == 302
    assert AddressBlock.objects.get().network == "2001:db8::/64"
    assert write(at("2001:db8::ffff"), page, "guest").status_code == 403
    assert f"the address of {name}" in Client().get("/wiki/log/").content.decode()


def test_a_command_comes_from_nowhere(page: Page) -> None:
    assert visitor.address.get() == ""
    refuse_unless_editor(page, User.objects.create_user("Ada"))


def test_others_than_moderators_are_refused_whatever_they_send(page: Page) -> None:
    ada = Client()
    ada.force_login(User.objects.create_user("Ada Other"))
    for client in (Client(), ada):
        for sent in ({"range": "192.0.2.7", "reason": "x", "days": "1"}, {"reason": ""}, {}):
            assert client.post("/wiki/reports/blocks/", sent).status_code == 403
