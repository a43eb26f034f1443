"""Chat, and the private notes of a seat. Neither is part of the log."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from typing import Any

import msgspec
from django.db import transaction

from games.engine import Msg, get_game
from games.errors import NothingToSay, NotSeated, SlowDown
from games.models import ChatMessage, Seat, SeatNote, Table
from games.services import clock
from games.services.hints import chat_hint
from games.services.reading import find_table, lock_table

LONGEST = 500  # characters of a message
BURST, WINDOW = 5, timedelta(seconds=10)  # messages a person may send in a time
NOTE_BYTES = 8192


@transaction.atomic
def say(*, table_id: str, player: Any, text: str, key: str = "") -> ChatMessage:
    """Say ``text`` at the table; a resent ``key`` finds its own message.

    Raises TableNotFound, NotSeated, NothingToSay (empty, or longer than 500 characters), SlowDown.
    """
    table = lock_table(table_id)
    seat = _seat_of(table, player)
    if key and (known := table.chat.filter(user=player, key=key).first()):
        return known
    words = " ".join("".join(_shown(sign) for sign in text).split())
    if not words:
        raise NothingToSay("There is nothing to say.")
    if len(words) > LONGEST:
        raise NothingToSay(Msg("A message has {count} characters at most.", count=LONGEST))
    moment = clock.now()
    if table.chat.filter(user=player, at__gt=moment - WINDOW).count() >= BURST:
        raise SlowDown("You are talking fast. Wait a moment.")
    message = ChatMessage.objects.create(
        table=table,
        user=player,
        name=player.get_username(),
        seat=seat.index if table.status != Table.OPEN else None,
        text=words,
        at=moment,
        key=key or None,
    )
    chat_hint(table.public_id, message_data(message))
    return message


@transaction.atomic
def save_note(*, table_id: str, player: Any, data: Any) -> SeatNote:
    """Keep the notes of the player's seat, in the game's ``notes_type``.

    Raises TableNotFound, NotSeated, NothingToSay (a game without notes, or not of their shape).
    """
    table = find_table(table_id)
    seat = _seat_of(table, player)
    shape = get_game(table.game).notes_type
    if shape is None:
        raise NothingToSay("This game has no notes.")
    if len(msgspec.json.encode(data)) > NOTE_BYTES:
        raise NothingToSay("These notes are too long.")
    try:
        found = msgspec.convert(data, shape)
    except msgspec.ValidationError as error:
        raise NothingToSay(Msg("These are no notes of this game: {why}", why=str(error))) from error
    note, _ = SeatNote.objects.update_or_create(
        table=table,
        seat=seat.index,
        defaults={"data": msgspec.to_builtins(found), "saved_at": clock.now()},
    )
    return note


def message_data(message: ChatMessage) -> dict[str, Any]:
    """A message as everybody at the table reads it."""
    return {
        "id": message.pk,
        "name": message.name,
        "seat": message.seat,
        "text": message.text,
        "at": clock.milliseconds(message.at),
    }


def _seat_of(table: Table, player: Any) -> Seat:
    seat = None
    if player is not None and player.pk:
        seat = table.seats.filter(user=player, user__is_active=True).first()
    if seat is None:
        raise NotSeated
    return seat


def _shown(sign: str) -> str:
    return sign if unicodedata.category(sign)[0] != "C" or sign == "\u200d" else " "
