"""Notes that one keeps at a table, for oneself alone. They are no part of the log.

A note is its writer's, not the seat's: whoever takes the seat over begins an empty one.
"""

from __future__ import annotations

import unicodedata
from typing import Any

import msgspec
from django.db import transaction
from msgspec import UNSET

from games.engine import Msg, all_games
from games.errors import NotedElsewhere, NothingToSay
from games.models import SeatNote, Table
from games.services import clock
from games.services.reading import find_table, person_at

LONGEST = 4000  # characters of the text
MARKS_BYTES = 8192


@transaction.atomic
def save_note(
    *,
    table_id: str,
    player: Any,
    text: Any = UNSET,
    marks: Any = UNSET,
    version: int | None = None,
) -> SeatNote:
    """Keep ``text`` and ``marks`` (the game's ``notes_type``) of the player; what is not given stays.

    ``version`` is that of the note which the writer had before; where it has changed since, on another
    page of theirs, this is refused, and without ``version`` the newest wins. Raises TableNotFound,
    NotSeated, NothingToSay (too long, or not of that shape), NotedElsewhere.
    """
    table = find_table(table_id)
    person_at(table, player)
    given: dict[str, Any] = {}
    if text is not UNSET:
        given["text"] = _plain(text)
    if marks is not UNSET:
        given["marks"] = _marks(table, marks)
    note, _ = SeatNote.objects.select_for_update().get_or_create(
        table=table, user=player, defaults={"saved_at": clock.now()}
    )
    changed = {name: value for name, value in given.items() if getattr(note, name) != value}
    if not changed:  # sent again, say
        return note
    if version not in (None, note.version):
        raise NotedElsewhere
    for name, value in changed.items():
        setattr(note, name, value)
    note.version += 1
    note.saved_at = clock.now()
    note.save()
    return note


def _plain(text: str) -> str:
    """``text`` without control characters but for line ends and tabs."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    plain = "".join(sign for sign in lines if sign in "\n\t" or unicodedata.category(sign) != "Cc")
    if len(plain) > LONGEST:
        raise NothingToSay(Msg("A note has {count} characters at most.", count=LONGEST))
    return plain


def _marks(table: Table, marks: Any) -> Any:
    game = all_games().get(table.game)
    shape = None if game is None else game.notes_type
    if shape is None:
        raise NothingToSay("This game has no marks to keep.")
    written = msgspec.json.encode(marks)
    if len(written) > MARKS_BYTES:
        raise NothingToSay("These are too many marks.")
    if rb"\u0000" in written:  # PostgreSQL keeps none
        raise NothingToSay("Marks have no NUL in them.")
    try:
        return msgspec.to_builtins(msgspec.convert(marks, shape))
    except msgspec.ValidationError as error:
        raise NothingToSay(
            Msg("These are no marks of this game: {why}.", why=str(error))
        ) from error
