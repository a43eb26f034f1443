"""Chat, which is no part of the log."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from typing import Any

from django.db import transaction

from games.engine import Msg
from games.errors import NothingToSay, SlowDown
from games.models import ChatMessage, Table
from games.services import clock
from games.services.hints import chat_hint
from games.services.reading import lock_table, person_at

LONGEST = 500  # characters of a message
BURST, WINDOW = 5, timedelta(seconds=10)  # messages a person may send in a time


@transaction.atomic
def say(*, table_id: str, player: Any, text: str, key: str = "") -> ChatMessage:
    """Say ``text`` at the table; a resent ``key`` finds its own message.

    Raises TableNotFound, NotSeated, NothingToSay (empty, or longer than 500 characters), SlowDown.
    """
    table = lock_table(table_id)
    seat = person_at(table, player)
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


def message_data(message: ChatMessage) -> dict[str, Any]:
    """A message as everybody at the table reads it."""
    return {
        "id": message.pk,
        "name": message.name,
        "seat": message.seat,
        "text": message.text,
        "at": clock.milliseconds(message.at),
    }


def _shown(sign: str) -> str:
    return sign if unicodedata.category(sign)[0] != "C" or sign == "\u200d" else " "
