"""The socket of an editor: who else is writing, and that the page was saved meanwhile."""

import asyncio
import json
import logging
from collections import Counter
from typing import Any

from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError, InterfaceError
from redis.exceptions import RedisError

from portal.visitor import network
from wiki.realtime import reading
from wiki.realtime.editors import Editor, Editors
from wiki.services.history import group_of

logger = logging.getLogger(__name__)

LONGEST = 1_024  # characters of a frame
LEAST_PAUSE = 0.5  # seconds between two frames that are heeded
LOOK_AROUND = 5.0  # seconds between two looks for who has gone silent
MOST_SOCKETS = (
    40  # of one person, or one address (of IPv6: network) of people not logged in, in one process
)
AWAY = (OSError, RedisError, TimeoutError)  # what the channel layer raises while Redis is away
TOO_MANY, LOGGED_OUT, TRY_AGAIN = 4429, 4401, 1013  # close codes
_open: Counter[str] = Counter()


class EditingConsumer(AsyncWebsocketConsumer):
    """Tells the editors of one page of each other. It locks nothing and keeps nothing: a message that is
    lost costs a notice. Who is not logged in is told, and not told of."""

    group = ""
    owner = ""
    told = 0  # row id of the newest revision that the client has been told of, or knows
    last_frame = float("-inf")
    here = False  # whether the others have been told of this window
    watch: asyncio.Task[None] | None = None

    async def __call__(self, *line: Any) -> None:
        """Serve the socket; however that ends, nothing of it goes on."""
        try:
            await super().__call__(*line)
        finally:
            if self.watch is not None:
                self.watch.cancel()
            if self.owner:
                _open[self.owner] -= 1
                if _open[self.owner] <= 0:
                    del _open[self.owner]

    async def connect(self) -> None:
        user = self.scope.get("user")
        self.user = user if user is not None and user.is_authenticated else None
        self.others = Editors(me=self.user.pk if self.user else None)
        self.said: dict[str, Any] = self.others.frame()
        address = (self.scope.get("client") or [""])[0]
        owner = f"person {self.user.pk}" if self.user else f"address {network(address)}"
        await self.accept()
        if _open[owner] >= MOST_SOCKETS:
            await self.refuse("too_many_sockets", "You have too many pages of the editor open.")
            await self.close(TOO_MANY)
            return
        self.owner = owner
        _open[owner] += 1
        try:
            slug = self.scope["url_route"]["kwargs"]["slug"]
            self.place = await in_thread(reading.place_of, slug)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("editing socket: %r", error)
            await self.close(TRY_AGAIN)
            return
        self.group = group_of(self.place.page_id, self.place.slug)
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.tell({"type": "editing.roll_call", "from": self.channel_name})
        self.watch = asyncio.create_task(self.look_around())

    async def disconnect(self, code: int) -> None:
        if self.group:
            if self.here:
                await self.tell({"type": "editing.gone", "from": self.channel_name})
            await self.channel_layer.group_discard(self.group, self.channel_name)
        raise StopConsumer

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        """``{"do": "here", "section": number, "base": row id}``: one is still writing, in that section of
        that revision. Anything else is refused; what comes too fast is passed over."""
        now = asyncio.get_running_loop().time()
        if not self.group or now - self.last_frame < LEAST_PAUSE:
            return
        self.last_frame = now
        frame = read_frame(text_data)
        if frame is None:
            await self.refuse("malformed_frame", "This cannot be understood.")
            return
        section, base = frame
        self.told = max(self.told, base)
        try:
            found = await in_thread(
                reading.look,
                place=self.place,
                base=base,
                section=section,
                known=self.told,
                user=self.user,
                session=self.scope["session"].session_key,
            )
        except (DatabaseError, InterfaceError) as error:
            logger.warning("editing socket: %r", error)
            return
        if self.user is not None and not found.logged_in:
            await self.close(LOGGED_OUT)
            return
        if self.user is not None:
            name = None if self.user.is_guest else self.user.get_username()
            self.editor = Editor(self.user.pk, name, found.heading)
            self.here = True
            await self.tell(self.sign())
        await self.tell_saved(found.saved)

    # Messages of the group

    async def editing_here(self, event: dict[str, Any]) -> None:
        if event["from"] == self.channel_name:
            return
        editor = Editor(event["person"], event["name"], event["section"])
        self.others.hear(event["from"], editor, asyncio.get_running_loop().time())
        await self.show()

    async def editing_gone(self, event: dict[str, Any]) -> None:
        self.others.forget(event["from"])
        await self.show()

    async def editing_roll_call(self, event: dict[str, Any]) -> None:
        """Somebody came: tell that one is here."""
        if not self.here or event["from"] == self.channel_name:
            return
        try:
            await self.channel_layer.send(event["from"], self.sign())
        except AWAY as error:
            logger.debug("sign lost: %r", error)

    async def page_saved(self, event: dict[str, Any]) -> None:
        """The page has a new version; before its first sign the client has not said what it knows."""
        if self.last_frame < 0:
            return
        try:
            saved = await in_thread(reading.saved_since, self.place, self.told, self.user)
        except (DatabaseError, InterfaceError) as error:
            logger.warning("editing socket: %r", error)
            return
        await self.tell_saved(saved)

    # Inside

    async def look_around(self) -> None:
        """Forget who has gone silent, as long as the socket is open."""
        while True:
            await asyncio.sleep(LOOK_AROUND)
            self.others.forget_silent(asyncio.get_running_loop().time())
            await self.show()

    def sign(self) -> dict[str, Any]:
        return {
            "type": "editing.here",
            "from": self.channel_name,
            "person": self.editor.person,
            "name": self.editor.name,
            "section": self.editor.section,
        }

    async def tell(self, message: dict[str, Any]) -> None:
        try:
            await self.channel_layer.group_send(self.group, message)
        except AWAY as error:
            logger.debug("message lost: %r", error)

    async def show(self) -> None:
        """Send who is there, if that is another list than the last."""
        frame = self.others.frame()
        if frame != self.said:
            self.said = frame
            await self.say(frame)

    async def tell_saved(self, saved: dict[str, Any] | None) -> None:
        if saved is not None and saved["revision"] > self.told:
            self.told = saved["revision"]
            await self.say({"on": "saved", **saved})

    async def refuse(self, code: str, reason: str) -> None:
        await self.say({"on": "refused", "code": code, "reason": reason})

    async def say(self, frame: dict[str, Any]) -> None:
        try:
            await self.send(text_data=json.dumps(frame))
        except OSError as error:  # gone already: ``disconnect`` comes
            logger.debug("editing socket gone: %r", error)


def read_frame(text: str | None) -> tuple[int, int] | None:
    """``(section, base)`` of a sign that one is here; None where it is anything else."""
    if text is None or len(text) > LONGEST:
        return None
    try:
        frame = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(frame, dict) or frame.get("do") != "here":
        return None
    numbers = [frame.get("section"), frame.get("base")]
    if not all(type(number) is int and 0 <= number < 2**63 for number in numbers):
        return None
    return numbers[0], numbers[1]


async def in_thread(work: Any, *args: Any, **kwargs: Any) -> Any:
    """``work``, which asks the database, on a thread."""
    return await database_sync_to_async(work, thread_sensitive=False)(*args, **kwargs)
