"""The socket of a table."""

import asyncio
import logging
from collections.abc import Awaitable, Mapping
from contextvars import copy_context
from types import MappingProxyType
from typing import Any

import msgspec
from channels.exceptions import StopConsumer
from channels.generic.websocket import AsyncWebsocketConsumer
from django.db import DatabaseError, InterfaceError

from games import door, services
from games.engine import GameError
from games.errors import TableNotFound, TooManySockets
from games.models import Ply, Table
from games.realtime import allowance, frames
from games.realtime.layer import AWAY
from games.realtime.lookout import lookout
from games.realtime.sessions import digest_of, group_of_person, still_logged_in
from games.realtime.threads import in_thread
from games.services.absence import READER_SLACK
from games.services.hints import group_of
from games.translation import Reader, read_by, wishes_of

logger = logging.getLogger(__name__)

HEARTBEAT = 30.0  # seconds between two signs of presence
FORGOTTEN = 75.0  # seconds without a sign: no longer there
LATER = 1.5  # seconds after a reader may enforce a clock, that a worker has had its chance
TABLE_NOT_FOUND = 4404  # close codes
LOGGED_OUT = 4401
TRY_AGAIN = 1013
TOO_MANY = 4429

_encode = msgspec.json.Encoder().encode
_crowd = allowance.Crowd()


class TableConsumer(AsyncWebsocketConsumer):
    """Translates frames to services and back; knows no rules and no SQL.

    A hint from the group only says that the table has changed: each socket then reads what its own
    person may see. Frames that cannot be taken are refused in words; the socket stays.
    """

    table_id: str
    game = ""  # slug of what is played there
    group: str | None = None
    session: str | None = None  # key of the session of a person who is logged in
    sent: int | None = None  # ply of the last state the client has
    status: str = Table.OPEN
    heard = 0  # id of the last message the client has
    me: int | None = None  # the person's seat once the game has begun
    watch: asyncio.Task[None] | None = None
    late: asyncio.TimerHandle | None = None
    asking: asyncio.Task[None] | None = None
    owners: Mapping[str, int] = MappingProxyType({})  # under which names this socket is counted
    closing = False  # nothing more is sent

    async def __call__(self, *line: Any) -> None:
        """Serve the socket; however that ends, nothing of it goes on."""
        try:
            await super().__call__(*line)
        finally:
            self.closing = True
            _crowd.leave(self.owners)
            lookout().remove(self)
            for task in (self.watch, self.late, self.asking):
                if task is not None:
                    task.cancel()

    async def connect(self) -> None:
        self.here: dict[int, float] = {}  # seat -> when it was last heard of
        self.told: list[int] = []
        self.telling = asyncio.Lock()  # one state after the other
        self.allowance = allowance.Allowance()
        self.user = self.scope.get("user")
        read_by(Reader(lambda: wishes_of(self.user)))
        self.context = copy_context()
        await self._while_there(self.accept())
        if self.closing:
            return
        try:
            self._enter()
            table = await in_thread(
                services.find_table, self.scope["url_route"]["kwargs"]["table_id"]
            )
        except TooManySockets as error:
            await self._send_off(error, TOO_MANY)
            return
        except TableNotFound as error:
            await self._send_off(error, TABLE_NOT_FOUND)
            return
        self.table_id, self.game = table.public_id, table.game
        self.group = group_of(table.public_id)
        await self.channel_layer.group_add(self.group, self.channel_name)
        if self.user is not None and self.user.is_authenticated:
            self.session = self.scope["session"].session_key
            mine = group_of_person(self.user.pk)
            await self.channel_layer.group_add(mine, self.channel_name)
        self.watch = asyncio.create_task(self._keep_watch())
        lookout().add(self)

    def _enter(self) -> None:
        """Be counted. Raises ``TooManySockets``."""
        address = (self.scope.get("client") or [""])[0]
        owners = allowance.socket_owners(self.user, address)
        _crowd.enter(owners)
        self.owners = owners

    async def _send_off(self, error: GameError, code: int) -> None:
        await self._send(door.refusal(error))
        await self._close(code)

    async def _close(self, code: int) -> None:
        if not self.closing:
            self.closing = True
            await self._while_there(self.close(code))

    async def disconnect(self, code: int) -> None:
        self.closing = True
        if self.group is not None:
            await self._tell_presence(here=False)
            await self.channel_layer.group_discard(self.group, self.channel_name)
        if self.session is not None:
            mine = group_of_person(self.user.pk)
            await self.channel_layer.group_discard(mine, self.channel_name)

    async def receive(self, text_data: str | None = None, bytes_data: bytes | None = None) -> None:
        if self.group is None or self.closing:
            return
        key = None
        try:
            if not self.allowance.take():
                return
            key = frames.key_in(text_data)
            await self._answer(frames.read_frame(text_data, bytes_data))
        except GameError as error:
            await self._send(door.refusal(error, key, self.game))
        except Exception as error:  # noqa: BLE001 - told and logged
            await self._send(door.refusal(self._failure(error, "frame"), key))

    async def _answer(self, frame: frames.Known) -> None:
        where: dict[str, Any] = {"table_id": self.table_id, "player": self.user}
        match frame:
            case frames.Act(key=key, ply=ply, action=action):
                row = await in_thread(services.act, **where, ply=ply, key=key, action=action)
                await self._acknowledge(key, row)
            case frames.Undo(key=key):
                row = await in_thread(services.undo, **where, key=key)
                await self._acknowledge(key, row)
            case frames.Check(key=key, ply=ply, action=action):
                label = await in_thread(services.check, **where, ply=ply, action=action)
                await self._send(door.checked(label, key, self.game))
            case frames.Say(key=key, text=text):
                said = await in_thread(services.say, **where, text=text, key=key)
                await self._send({"on": "ack", "key": key})
                await self._send_message(services.message_data(said))
            case frames.Note(key=key, text=text, marks=marks, version=version):
                note = await in_thread(
                    services.save_note, **where, text=text, marks=marks, version=version
                )
                await self._send({"on": "ack", "key": key, "version": note.version})
            case frames.AllMoves(key=key):
                found = await in_thread(door.moves, table_id=self.table_id, viewer=self.user)
                await self._send({**found, "key": key})
            case frames.Sync(key=key, ply=ply):
                await self._send_state(ply, key, chat=True)

    # -- hints of the group ---------------------------------------------------------------------

    async def table_changed(self, event: dict[str, Any]) -> None:
        """The table has changed. Before its first sync the client has asked for nothing yet."""
        known = self.sent is not None and event["ply"] <= self.sent
        if self.sent is None or (known and self.status == Table.PLAYING):
            return
        await self._try_state()

    async def session_ended(self, event: dict[str, Any]) -> None:
        """Its person has logged out, has another password or no account any more: the page may come
        again as whoever it is then."""
        if self.session is not None and event["session"] in (None, digest_of(self.session)):
            await self._close(LOGGED_OUT)

    async def table_chat(self, event: dict[str, Any]) -> None:
        await self._send_message(event["message"])

    async def table_presence(self, event: dict[str, Any]) -> None:
        """Somebody came or went. One's own other page keeps the seat present."""
        now = asyncio.get_running_loop().time()
        if event["here"]:
            self.here[event["seat"]] = now
        elif event["seat"] == self.me:
            await self._tell_presence(here=True)
        else:
            self.here.pop(event["seat"], None)
        await self._show_presence()

    async def table_roll_call(self, event: dict[str, Any]) -> None:
        """Tell the socket that asks that one is here; where many come at once, all would tell all."""
        if self.me is None or event["from"] == self.channel_name:
            return
        try:
            await self.channel_layer.send(event["from"], self._presence(here=True))
        except AWAY as error:
            self._log_lost(error)

    # -- inside -----------------------------------------------------------------------------------

    async def dispatch(self, message: dict[str, Any]) -> None:
        """As Channels does it, but what fails here does not take the socket along. One that could not
        be opened closes, and the client comes again."""
        try:
            await super().dispatch(message)
        except (StopConsumer, asyncio.CancelledError):
            raise
        except Exception as error:
            found = self._failure(error, message["type"])
            if message["type"] == "websocket.connect":
                await self._send(door.refusal(found))
                await self._close(TRY_AGAIN)
            elif message["type"] == "websocket.disconnect":
                raise StopConsumer from error

    def _failure(self, error: Exception, doing: str) -> GameError:
        table = getattr(self, "table_id", None)
        return door.failure(error, table=table, ply=self.sent, doing=doing)

    async def _send(self, frame: dict[str, Any]) -> None:
        if not self.closing:
            await self._while_there(self.send(text_data=_encode(frame).decode()))

    async def _while_there(self, said: Awaitable[None]) -> None:
        """Say something on the line. Who is gone already, as phones go, is no fault: ``disconnect`` comes."""
        try:
            await said
        except OSError as error:
            self.closing = True
            logger.debug("socket gone: %r", error)

    async def _send_message(self, message: dict[str, Any]) -> None:
        self.heard = max(self.heard, message["id"])
        await self._send({"on": "chat", "message": message})

    async def _acknowledge(self, key: str, row: Ply) -> None:
        """Tell that ``row`` is stored, and what has become of the table: one's own move is seen also
        where hints are lost."""
        await self._send({"on": "ack", "key": key, "ply": row.number})
        if self.sent is not None and row.number > self.sent:
            await self._try_state()

    async def _try_state(self, *, chat: bool = False) -> None:
        try:
            await self._send_state(self.sent, chat=chat)
        except GameError as error:  # the table is gone
            await self._send(door.refusal(error))

    async def _send_state(
        self, since: int | None, key: str | None = None, *, chat: bool = False
    ) -> None:
        async with self.telling:
            first, before = self.sent is None, self.me
            await self._read_and_send(since, key, chat=chat)
        if first or before != self.me:
            await self._tell_presence(here=True)
        if first:
            await self._group_send({"type": "table.roll_call", "from": self.channel_name})

    async def _read_and_send(self, since: int | None, key: str | None, *, chat: bool) -> None:
        payload = await in_thread(
            door.state, table_id=self.table_id, viewer=self.user, since=since, chat=chat
        )
        self.sent, self.status, self.me = payload["ply"], payload["status"], payload["you"]
        if payload.get("chat"):
            self.heard = max(self.heard, payload["chat"][-1]["id"])
        await self._send(payload if key is None else {**payload, "key": key})
        self._mind_the_clock(payload)

    def _mind_the_clock(self, payload: dict[str, Any]) -> None:
        """Look again when a clock is overdue, so that an open page keeps its table going even where
        no worker runs. No hint is needed for that, so it goes on without Redis too."""
        if payload["next_at"] is None:
            self._look_in(None)
            return
        wait = (payload["next_at"] - payload["now"]) / 1000 + READER_SLACK.total_seconds()
        self._look_in(max(wait, 0) + LATER)

    def _look_in(self, seconds: float | None) -> None:
        """Look again after ``seconds`` instead of whenever that was to be; None: not at all."""
        if self.late is not None:
            self.late.cancel()
        loop = asyncio.get_running_loop()
        self.late = None if seconds is None else loop.call_later(seconds, self.look_again)

    def look_again(self, *, chat: bool = False) -> None:
        """Read the table and send what has become of it, unless that is under way already."""
        if self.asking is None or self.asking.done():
            self.asking = asyncio.create_task(self._catch_up(chat), context=self.context)

    async def _catch_up(self, chat: bool) -> None:
        try:
            await self._try_state(chat=chat)
        except (DatabaseError, InterfaceError) as error:
            self._complain("table not read", error)
            self._look_in(LATER)
        except Exception as error:  # noqa: BLE001 - logged
            self._failure(error, "look again")

    def _complain(self, event: str, error: Exception) -> None:
        """Log what fails again and again, for each socket of the table: once a minute."""
        if services.complaints.due(f"{event} {self.table_id}"):
            logger.warning("%s: table=%s ply=%s error=%r", event, self.table_id, self.sent, error)

    async def _keep_watch(self) -> None:
        while not self.closing:
            await asyncio.sleep(HEARTBEAT)
            try:
                if self.session and not await in_thread(still_logged_in, self.session, self.user):
                    await self._close(LOGGED_OUT)
                    return
                await self._tell_presence(here=True)
            except (*AWAY, DatabaseError, InterfaceError) as error:  # the next beat asks again
                self._complain("heartbeat failed", error)
            old = asyncio.get_running_loop().time() - FORGOTTEN
            self.here = {seat: at for seat, at in self.here.items() if at > old}
            await self._show_presence()

    async def _tell_presence(self, *, here: bool) -> None:
        if self.me is not None:
            await self._group_send(self._presence(here=here))

    def _presence(self, *, here: bool) -> dict[str, Any]:
        return {"type": "table.presence", "seat": self.me, "here": here}

    async def _show_presence(self) -> None:
        if (seats := sorted(self.here)) != self.told:
            self.told = seats
            await self._send({"on": "presence", "seats": seats})

    async def _group_send(self, message: dict[str, Any]) -> None:
        try:
            await self.channel_layer.group_send(self.group, message)
        except AWAY as error:
            self._log_lost(error)

    def _log_lost(self, error: Exception) -> None:
        logger.info("hint lost: table=%s ply=%s error=%r", self.table_id, self.sent, error)
