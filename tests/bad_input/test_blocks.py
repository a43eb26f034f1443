"""Accounts that are blocked, closed or removed: what they sat at goes on, and nothing more is told to them."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from games import services
from games.models import Ply, Seat, Table
from games.realtime import consumers
from games.realtime.threads import in_thread
from games.services import hints
from portal import blocks, tasks
from portal.models import Block, User
from tests.games.conftest import at_once, rows
from tests.games.realtime.conftest import Socket, session_of

PASSWORD = "a long pass phrase"


@pytest.fixture
def moderator(db):
    return User.objects.create_user("Mona", password=PASSWORD, is_staff=True)


@pytest.fixture
def browser():
    def make(person):
        client = Client()
        client.force_login(person)
        return client

    return make


def log_in(name):
    client = Client()
    return client.post(reverse("account_login"), {"login": name, "password": PASSWORD}), client


@pytest.mark.django_db
class TestPages:
    @pytest.fixture(autouse=True)
    def _no_limit_yet(self, empty_cache):
        """Limits of tries begin anew."""

    def test_a_moderator_blocks_and_the_person_reads_why(self, browser, ada, bob, moderator):
        open_table = services.open_table(player=ada, game="nibble", seats=["open"])
        waiting = services.open_table(player=bob, game="nibble", seats=["open"])
        services.join(table_id=waiting.public_id, player=ada)  # the game begins
        hers, his = browser(ada), browser(moderator)
        assert "Block this account" in his.get("/people/Ada/").content.decode()
        answer = his.post("/people/Ada/block/", {"reason": "Threats in the chat", "days": "7"})
        assert answer.status_code == 302
        assert "Ada is blocked" in his.get("/people/Ada/").content.decode()
        assert not Table.objects.filter(pk=open_table.pk).exists()  # nobody else sat there
        left = Ply.objects.get(table=waiting, kind="leave")
        assert left.origin == Ply.MODERATOR
        assert "Log in" in hers.get("/").content.decode()
        refused, client = log_in("Ada")
        said = refused.content.decode()
        assert refused.status_code == 403
        assert "Threats in the chat" in said
        assert f"{timezone.now() + timedelta(days=7):%B %Y}" in said
        assert "_auth_user_id" not in client.session

    def test_a_block_ends_by_itself_or_by_a_moderator(self, ada, moderator):
        found = blocks.block(person=ada, by=moderator, reason="x", days=1)
        assert log_in("Ada")[0].status_code == 403
        Block.objects.update(until=timezone.now() - timedelta(seconds=1))
        assert log_in("Ada")[0].status_code == 302  # though no worker ran
        assert Block.objects.get(pk=found.pk).lifted_at is not None
        blocks.block(person=ada, by=moderator, reason="y", days=1)
        Block.objects.filter(lifted_at=None).update(until=timezone.now())
        for _ in range(2):
            tasks.lift_blocks()
        ada.refresh_from_db()
        assert ada.is_active
        blocks.block(person=ada, by=moderator, reason="z", days=0)
        tasks.lift_blocks()
        answer, _ = log_in("Ada")
        assert (answer.status_code, "any more" in answer.content.decode()) == (403, True)
        blocks.lift(person=ada, by=moderator)
        assert log_in("Ada")[0].status_code == 302

    def test_a_new_block_takes_the_place_of_the_old(self, ada, moderator):
        blocks.block(person=ada, by=moderator, reason="old", days=1)
        blocks.block(person=ada, by=moderator, reason="new", days=0)
        ended = Block.objects.get(reason="old")
        assert ended.lifted_at is not None
        Block.objects.filter(pk=ended.pk).update(until=timezone.now())
        tasks.lift_blocks()
        assert "new" in log_in("Ada")[0].content.decode()

    def test_only_moderators_block(self, browser, ada, bob, moderator):
        sent = {"reason": "x", "days": "1"}
        assert "Moderation" not in browser(ada).get("/people/Bob/").content.decode()
        assert browser(ada).post("/people/Bob/block/", sent).status_code == 403
        assert browser(ada).post("/people/Bob/unblock/").status_code == 403
        assert Client().post("/people/Bob/block/", sent).status_code == 302  # to log in
        assert browser(moderator).post("/people/Mona/block/", sent).status_code == 403
        root = User.objects.create_superuser("Rita", password=PASSWORD)
        assert browser(moderator).post("/people/Rita/block/", sent).status_code == 403
        assert browser(root).post("/people/Mona/block/", sent).status_code == 302
        assert browser(root).post("/people/Nobody/block/", sent).status_code == 404
        assert browser(root).get("/people/Bob/block/").status_code == 405
        assert list(Block.objects.values_list("person__username", flat=True)) == ["Mona"]

    @pytest.mark.parametrize(
        "forged",
        [{"reason": ""}, {"reason": " "}, {"reason": "x" * 201}, {"reason": "\0"}]
        + [{"days": days} for days in ("", "-1", "2", "x", "9" * 30)],
    )
    def test_a_forged_block_is_refused(self, browser, ada, moderator, forged):
        sent = {"reason": "x", "days": "1"} | forged
        response = browser(moderator).post("/people/Ada/block/", sent)
        assert response.status_code == 422
        assert "Moderation" in response.content.decode()
        assert not Block.objects.exists()

    def test_a_reason_is_text_wherever_it_is_shown(self, browser, ada, moderator):
        blocks.block(person=ada, by=moderator, reason="<script>x</script>", days=1)
        for html in (
            log_in("Ada")[0].content.decode(),
            browser(moderator).get("/people/Ada/").content.decode(),
        ):
            assert "<script>x" not in html
            assert "&lt;script&gt;x" in html

    def test_an_account_that_is_closed_otherwise_is_not_opened_by_a_block(self, ada, moderator):
        User.objects.filter(pk=ada.pk).update(is_active=False)
        with pytest.raises(blocks.PermissionDenied):
            blocks.block(person=ada, by=moderator, reason="x", days=1)
        answer, _ = log_in("Ada")
        assert (answer.status_code, "is closed" in answer.content.decode()) == (403, True)


# -- open sockets -----------------------------------------------------------------------------------------


@pytest.fixture
def game(play):
    return play("Ada", "Bob", "Cy", pace="live-15")


async def closed_with(socket):
    """The code with which the server closes the socket; nothing but hints comes before."""
    while True:
        frame = await socket.next("closed", "state", "chat", "ack")
        if frame["on"] == "closed":
            return socket.closed
        assert frame["on"] != "state" or frame["view"]["hand"] == [], "a hand was sent"


@pytest.mark.skipif(
    not connection.features.has_select_for_no_key_update, reason="SQLite has one writer at a time"
)
@pytest.mark.django_db(transaction=True)
def test_a_move_and_a_block_do_not_wait_for_each_other(game, moderator, monkeypatch):
    """The move has its table and refers to its person; the block has the person and wants the table."""
    ada = game.people["Ada"]
    leave = blocks.leave_tables

    def move():
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '5s'")  # else the test would never fail
            game.choose("Ada")

    def leave_after_a_move(person):
        at_once([move])
        leave(person)

    monkeypatch.setattr(blocks, "leave_tables", leave_after_a_move)
    blocks.block(person=ada, by=moderator, reason="Threats", days=1)
    assert [kind for _, kind, _ in rows(game.table)] == ["start", "act", "leave"]


@pytest.mark.django_db(transaction=True)
async def test_a_blocked_person_is_told_nothing_more(game, dial, moderator):
    ada, bob = [await dial(game, game.people[name]) for name in ("Ada", "Bob")]
    await in_thread(blocks.block, person=game.people["Ada"], by=moderator, reason="x", days=1)
    assert await closed_with(ada) == consumers.LOGGED_OUT
    frame = await bob.state(1)
    assert [row["origin"] for row in frame["log"]] == ["moderator"]
    assert (await in_thread(game.seat, "Ada")).zombie


@pytest.mark.django_db(transaction=True)
async def test_no_hand_leaves_after_a_block_though_the_hint_is_lost(
    game, dial, moderator, monkeypatch
):
    ada = await dial(game, game.people["Ada"])
    say = hints._voice.say

    def deaf(group, message):
        if message["type"] != "session.ended":
            say(group, message)

    monkeypatch.setattr(hints._voice, "say", deaf)
    await in_thread(blocks.block, person=game.people["Ada"], by=moderator, reason="x", days=1)
    await in_thread(game.choose, "Bob")
    frame = await ada.state(2)
    assert (frame["you"], frame["view"]["hand"], frame["moves"]) == (None, [], None)
    await ada.send(do="say", key="k", text="unfair")
    assert (await ada.next("refused", "ack"))["code"] == "not_seated"
    await ada.send(do="act", key="a", ply=2, action={"type": "done"})
    assert (await ada.next("refused", "ack"))["code"] == "not_seated"


@pytest.mark.django_db(transaction=True)
async def test_a_new_password_closes_what_was_opened_by_the_old(game, dial):
    def with_password():
        game.people["Ada"].set_password(PASSWORD)
        game.people["Ada"].save()
        cookies = [session_of(game.people["Ada"]) for _ in range(2)]
        browser = Client()
        browser.cookies["sessionid"] = cookies[1].decode().split("=")[1]
        return cookies, browser

    cookies, browser = await in_thread(with_password)
    sockets = [Socket(game.id, cookie) for cookie in cookies]
    for socket in sockets:
        assert await socket.open()
    new = "another pass phrase"
    sent = {"oldpassword": PASSWORD, "password1": new, "password2": new}
    answer = await in_thread(browser.post, reverse("account_change_password"), sent)
    assert answer.status_code == 302
    for socket in sockets:
        assert await closed_with(socket) == consumers.LOGGED_OUT
    mine = f"sessionid={browser.cookies['sessionid'].value}".encode()
    for cookie, seated in ((cookies[0], False), (mine, True)):
        again = Socket(game.id, cookie)
        assert await again.open()
        await again.send(do="sync")
        assert ((await again.next("state"))["you"] is not None) == seated
        await again.close()
    for socket in sockets:
        await socket.close()


def by_the_staff(how, person):
    """Whose account is ``closed``, all of a list ``removed`` or one alone, or who gets a new ``password``, in /admin/."""
    browser = Client()
    browser.force_login(User.objects.create_superuser("Rita", password=PASSWORD))
    people = "/admin/portal/user/"
    base = f"{people}{person.pk}"
    if how == "removed":
        return browser.post(f"{base}/delete/", {"post": "yes"})
    if how == "removed with others":
        sent = {"action": "delete_selected", "_selected_action": person.pk, "post": "yes"}
        return browser.post(people, sent)
    if how == "password":
        sent = {"password1": "fresh pass phrase", "password2": "fresh pass phrase"}
        return browser.post(f"{base}/password/", sent | {"usable_password": "true"})
    sent = {"username": person.username, "theme": "auto", "date_joined_0": "2026-11-01"}
    return browser.post(f"{base}/change/", sent | {"date_joined_1": "12:00:00"})


@pytest.mark.django_db
@pytest.mark.parametrize("how", ["closed", "removed", "removed with others"])
def test_who_is_closed_or_removed_by_the_staff_leaves_all_tables(how, ada, bob):
    open_table = services.open_table(
        player=ada, game="hearts", seats=["open", "bot", "bot"], starts="host"
    )
    services.join(table_id=open_table.public_id, player=bob)
    running = services.open_table(player=bob, game="nibble", seats=["open"])
    services.join(table_id=running.public_id, player=ada)
    assert by_the_staff(how, ada).status_code == 302
    open_table.refresh_from_db()
    kinds = list(open_table.seats.values_list("kind", flat=True))
    assert (open_table.host, kinds) == (bob, ["open", "person", "bot", "bot"])
    services.fill_with_bots(table_id=open_table.public_id, player=bob)
    assert Ply.objects.get(table=running, kind="leave").origin == Ply.MODERATOR


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("how", ["closed", "removed", "password"])
async def test_the_staff_closes_sockets_with_the_account(game, dial, how):
    ada = await dial(game, game.people["Ada"])
    assert (await in_thread(by_the_staff, how, game.people["Ada"])).status_code == 302
    assert await closed_with(ada) == consumers.LOGGED_OUT
    assert await in_thread(Seat.objects.filter(user__username="Ada", kind="bot").count) == 0
