"""Who else is editing: the whole door, from the origin check to the database."""

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
import pytest_asyncio
from asgiref.sync import sync_to_async
from asgiref.testing import ApplicationCommunicator
from django.conf import settings
from django.test import Client

from portal.asgi import application
from portal.models import User
from portal.people import create_guest
from tests.wiki.conftest import HEARTS
from wiki.models import Page
from wiki.realtime import consumers, reading
from wiki.realtime.editors import FORGOTTEN, Editor, Editors
from wiki.services import Draft, edit_page

pytestmark = pytest.mark.django_db(transaction=True)
WAIT = 30  # seconds for a frame, on a machine that is busy


class Socket:
    """An editor's socket, as a web server hands it to the application."""

    def __init__(
        self,
        slug: str,
        user: User | None,
        origin: bytes = b"http://localhost",
        address: str = "127.0.0.1",
    ) -> None:
        headers = [(b"host", b"localhost"), (b"origin", origin)]
        self.client = Client()
        if user is not None:
            self.client.force_login(user)
            cookie = self.client.cookies[settings.SESSION_COOKIE_NAME].value
            headers.append((b"cookie", f"{settings.SESSION_COOKIE_NAME}={cookie}".encode()))
        path = f"/ws/wiki/{slug}"
        scope = {
            "type": "websocket",
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": headers,
            "client": [address, 50000],
            "subprotocols": [],
        }
        self.line = ApplicationCommunicator(application, scope)

    async def open(self) -> bool:
        await self.line.send_input({"type": "websocket.connect"})
        return (await self.line.receive_output(WAIT))["type"] == "websocket.accept"

    async def sign(self, base: int, section: int = 0) -> None:
        await self.text(json.dumps({"do": "here", "section": section, "base": base}))

    async def text(self, text: str) -> None:
        await self.line.send_input({"type": "websocket.receive", "text": text})

    async def next(self, kind: str) -> dict[str, Any]:
        while True:
            output = await self.line.receive_output(WAIT)
            if output["type"] == "websocket.close":
                return {"on": "closed", "code": output["code"]}
            frame = json.loads(output["text"])
            if frame["on"] == kind:
                return frame

    async def others(self, *expected: str) -> None:
        """Wait until the notice names these people."""
        seen: list[str] = []
        while seen != list(expected):
            seen = [
                ("you" if row["you"] else row["name"] or "a guest")
                + "".join(f", {section}" for section in row["sections"])
                for row in (await self.next("editors"))["others"]
            ]

    async def quiet(self) -> bool:
        return await self.line.receive_nothing(0.3)

    async def close(self) -> None:
        if not self.line.future.done():
            await self.line.send_input({"type": "websocket.disconnect", "code": 1000})
            await self.line.wait(WAIT)


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(consumers, "LEAST_PAUSE", 0.0)
    monkeypatch.setattr(consumers, "LOOK_AROUND", 0.05)


@pytest_asyncio.fixture
async def dial() -> AsyncIterator[Callable[..., Awaitable[Socket]]]:
    opened: list[Socket] = []

    async def open_socket(user: User | None, slug: str = "hearts", **how: Any) -> Socket:
        socket = await sync_to_async(Socket)(slug, user, **how)
        opened.append(socket)
        assert await socket.open()
        return socket

    yield open_socket
    for socket in opened:
        await socket.close()


async def test_editors_are_told_of_each_other_until_they_leave(
    hearts: Page, ada: User, bob: User, dial
) -> None:
    first = await dial(ada)
    await first.sign(hearts.current_id, 2)
    second = await dial(bob)
    await second.others("Ada, Passing")
    await second.sign(hearts.current_id)
    await first.others("Bob")
    await second.close()
    await first.others()


async def test_guests_are_a_guest_and_strangers_only_look(hearts: Page, ada: User, dial) -> None:
    guest = await sync_to_async(create_guest)()
    stranger, member, unnamed = await dial(None), await dial(ada), await dial(guest)
    await stranger.sign(hearts.current_id)
    await unnamed.sign(hearts.current_id)
    await stranger.others("a guest")
    await member.others("a guest")
    await member.sign(hearts.current_id)
    await stranger.others("Ada", "a guest")


async def test_own_other_window_is_said_as_such(hearts: Page, ada: User, bob: User, dial) -> None:
    one, two, other = await dial(ada), await dial(ada), await dial(bob)
    await one.sign(hearts.current_id, 1)
    await two.others("you, Goal")
    await two.sign(hearts.current_id, 3)
    await one.others("you, Scoring")
    await other.others("Ada, Goal, Scoring")  # once, whatever windows


async def test_who_is_silent_for_a_minute_is_gone(
    hearts: Page, ada: User, bob: User, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki.realtime.editors.FORGOTTEN", 0.3)
    first, second = await dial(ada), await dial(bob)
    await second.sign(hearts.current_id)
    await first.others("Bob")
    await first.others()


def test_a_minute_is_a_minute() -> None:
    editors = Editors(me=1)
    editors.hear("channel", Editor(2, "Bob", ""), 100.0)
    editors.forget_silent(100.0 + FORGOTTEN - 1)
    assert editors.frame()["others"] == [{"name": "Bob", "you": False, "sections": []}]
    editors.forget_silent(100.0 + FORGOTTEN)
    assert editors.frame()["others"] == []


def test_many_editors_are_a_number() -> None:
    editors = Editors(me=None)
    for person in range(15):
        editors.hear(f"channel {person}", Editor(person, f"P{person}", ""), 0.0)
    assert (len(editors.frame()["others"]), editors.frame()["more"]) == (10, 5)


async def test_saved_page_is_told_at_once(hearts: Page, ada: User, bob: User, dial) -> None:
    first, second = await dial(ada), await dial(bob)
    base = hearts.current_id
    await first.sign(base)
    await second.sign(base)
    await second.others("Ada")
    draft = Draft(text=HEARTS + "More.\n", base=base)
    made = await sync_to_async(edit_page)(slug="hearts", title="Hearts", author=bob, draft=draft)
    saved = await first.next("saved")
    assert (saved["by"], saved["revision"]) == ("Bob", made[0].pk)
    assert saved["changes"] == f"/wiki/hearts/diff/{base}/{made[0].pk}/"
    assert (await second.next("saved"))["by"] is None  # himself, in another window


async def test_saved_page_is_told_with_the_next_sign_where_the_hint_was_lost(
    hearts: Page, ada: User, bob: User, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki.hooks._tell_sockets", None)
    socket = await dial(ada)
    base = hearts.current_id
    await socket.sign(base)
    draft = Draft(text=HEARTS + "More.\n", base=base)
    await sync_to_async(edit_page)(slug="hearts", title="Hearts", author=bob, draft=draft)
    await socket.sign(base)
    assert (await socket.next("saved"))["by"] == "Bob"
    await socket.sign(base)
    assert await socket.quiet()  # told once


async def test_hidden_author_is_not_named(hearts: Page, ada: User, bob: User, dial) -> None:
    base = hearts.current_id
    draft = Draft(text=HEARTS + "More.\n", base=base)
    edit = sync_to_async(edit_page)
    made, _new = await edit(slug="hearts", title="Hearts", author=bob, draft=draft)
    await sync_to_async(hearts.revisions.filter(pk=made.pk).update)(author_hidden=True)
    socket = await dial(ada)
    await socket.sign(base)
    assert "Bob" not in (await socket.next("saved"))["by"]


async def test_editors_of_a_page_that_is_not_there_yet_meet(ada: User, bob: User, dial) -> None:
    first, second = await dial(ada, "black-lady"), await dial(bob, "black-lady")
    await first.sign(0)
    await second.others("Ada")
    await second.sign(0)
    await first.others("Bob")
    edit, draft = sync_to_async(edit_page), Draft(text="Hearts once more.")
    await edit(slug="black-lady", title="Black Lady", author=bob, draft=draft)
    assert (await first.next("saved"))["by"] == "Bob"


async def test_renamed_page_has_the_same_editors(hearts: Page, ada: User, bob: User, dial) -> None:
    first = await dial(ada)
    base = hearts.current_id
    await first.sign(base)
    await sync_to_async(Page.objects.filter(pk=hearts.pk).update)(slug="cups")
    second = await dial(bob, "cups")
    await second.others("Ada")
    draft = Draft(text=HEARTS + "More.\n", base=base)
    await sync_to_async(edit_page)(slug="cups", title="Hearts", author=bob, draft=draft)
    assert (await first.next("saved"))["changes"].startswith(f"/wiki/cups/diff/{base}/")


async def test_who_logged_out_is_not_shown_any_more(
    hearts: Page, ada: User, bob: User, dial
) -> None:
    first, second = await dial(ada), await dial(bob)
    await first.sign(hearts.current_id)
    await second.others("Ada")
    await sync_to_async(first.client.logout)()
    await first.sign(hearts.current_id)
    assert await first.next("saved") == {"on": "closed", "code": 4401}
    await first.close()
    await second.others()


async def test_another_site_gets_no_socket(hearts: Page, ada: User) -> None:
    socket = await sync_to_async(Socket)("hearts", ada, origin=b"http://evil.example")
    assert not await socket.open()


BROKEN = ["", "x", "[]", "{}", "[" * 500, "x" * 5000, '{"do": "here"}']
BROKEN += [
    f'{{"do": "here", "section": {section}, "base": {base}}}'
    for section, base in [('"1"', 1), ("true", 1), (-1, 1), (1, 10**20), (1.5, 1), ("null", 1)]
]


async def test_broken_frames_are_refused_and_the_socket_stays(
    hearts: Page, ada: User, bob: User, dial
) -> None:
    first, second = await dial(ada), await dial(bob)
    for text in BROKEN:
        await first.text(text)
        assert (await first.next("refused"))["code"] == "malformed_frame", text[:60]
    await first.sign(hearts.current_id, 77)
    await second.others("Ada")


async def test_what_comes_too_fast_is_passed_over(
    hearts: Page, ada: User, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "LEAST_PAUSE", 60.0)
    socket = await dial(ada)
    await socket.text("x")
    await socket.next("refused")
    await socket.text("x")
    assert await socket.quiet()


async def test_too_many_sockets_are_refused(
    hearts: Page, ada: User, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "MOST_SOCKETS", 2)
    first, _second, third = [await dial(ada) for _number in range(3)]
    assert (await third.next("refused"))["code"] == "too_many_sockets"
    assert (await third.next("editors"))["code"] == 4429
    await first.close()
    await dial(ada)
    await asyncio.sleep(0)


async def test_strangers_of_one_network_are_counted_together(
    hearts: Page, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(consumers, "MOST_SOCKETS", 1)
    await dial(None, address="2001:db8::1")
    second = await dial(None, address="2001:db8::2")
    assert (await second.next("refused"))["code"] == "too_many_sockets"
    other = await dial(None, address="2001:db8:1::1")
    assert await other.quiet()


async def test_a_socket_that_fails_is_counted_no_more_and_goes_on_no_more(
    hearts: Page, ada: User, dial, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(**_: Any) -> None:
        raise RuntimeError("a defect")

    socket = await dial(ada)
    owner = f"person {ada.pk}"
    assert consumers._open[owner] == 1
    monkeypatch.setattr(reading, "look", broken)
    await socket.sign(base=1)
    with pytest.raises(RuntimeError):
        await socket.line.wait(WAIT)
    assert owner not in consumers._open
    names = {task.get_coro().__qualname__ for task in asyncio.all_tasks()}
    assert "EditingConsumer.look_around" not in names
