"""Chat, which is no part of the log."""

from __future__ import annotations

import unicodedata
from datetime import timedelta
from typing import Any

from django.db import transaction

from games.engine import Msg
from games.errors import KeyUsed, NothingToSay, SlowDown
from games.models import ChatMessage, Table
from games.services import clock
from games.services.hints import chat_hint
from games.services.reading import lock_table, person_at

LONGEST = 500  # characters of a message
MARKS = 4  # upon a sign: Vietnamese has two, Hebrew with all its points three or four
JOINER = "\u200d"  # holds signs together, which are one picture then
BLANKS = "\u115f\u1160\u2800\u3164\uffa0"  # letters and symbols without any shape
BURST, WINDOW = 5, timedelta(seconds=10)  # messages a person may send in a time


@transaction.atomic
def say(*, table_id: str, player: Any, text: str, key: str = "") -> ChatMessage:
    """Say ``text`` at the table; a resent ``key`` finds its own message.

    Raises TableNotFound, NotSeated, NothingToSay (nothing to see in it, or longer than 500 characters),
    SlowDown, KeyUsed (something else was said with this key).
    """
    table = lock_table(table_id)
    seat = person_at(table, player)
    words = plain_words(text)
    if key and (known := table.chat.filter(user=player, key=key).first()):
        if known.text != words:
            raise KeyUsed
        return known
    if not any(is_visible(sign) for sign in words):
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


def plain_words(text: str) -> str:
    """``text`` on one line, without what turns its direction, hides in it or piles marks upon a sign."""
    signs, marks = [], 0
    for sign in text:
        kind = unicodedata.category(sign)
        marks = marks + 1 if kind[0] == "M" else 0
        if marks > MARKS:
            continue
        signs.append(" " if kind[0] == "C" and sign != JOINER else sign)
    return " ".join("".join(signs).split())


def is_visible(sign: str) -> bool:
    """Whether one sees ``sign`` where it stands alone."""
    return unicodedata.category(sign)[0] in "LNPS" and sign not in BLANKS
