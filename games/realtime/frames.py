"""Frames from clients: what they may hold, and reading them. ``docs/protocol.md`` has examples."""

from typing import Annotated, Any

import msgspec

from games.engine import Msg
from games.errors import MalformedFrame

LONGEST = 16 * 1024  # bytes of a frame

# PostgreSQL keeps no NUL
Key = Annotated[str, msgspec.Meta(min_length=1, max_length=64, pattern="^[^\\x00]*$")]
PlyNumber = Annotated[int, msgspec.Meta(ge=0, lt=2**31)]


class Frame(msgspec.Struct, frozen=True, tag_field="do"):
    """What every frame may have: ``key``, by which the answer is recognised."""


class Act(Frame, frozen=True, tag="act"):
    """Take an action. ``ply``: where the player was looking."""

    key: Key
    ply: PlyNumber
    action: dict[str, Any]


class Undo(Frame, frozen=True, tag="undo"):
    """Take one's last move back."""

    key: Key


class Check(Frame, frozen=True, tag="check"):
    """Ask whether an action would do; nothing changes."""

    ply: PlyNumber
    action: dict[str, Any]
    key: Key | None = None


class Say(Frame, frozen=True, tag="say"):
    """Say something at the table."""

    text: str
    key: Key


class Note(Frame, frozen=True, tag="note"):
    """Keep one's notes: a text, or the game's marks. ``version``: of the note that one had before."""

    text: str | msgspec.UnsetType = msgspec.UNSET
    marks: Any = msgspec.UNSET
    version: PlyNumber | None = None
    key: Key | None = None


class Sync(Frame, frozen=True, tag="sync"):
    """Ask for the state, with the log after ``ply``; without it, for everything."""

    ply: PlyNumber | None = None
    key: Key | None = None


class AllMoves(Frame, frozen=True, tag="moves"):
    """Ask for every legal move."""

    key: Key | None = None


Known = Act | Undo | Check | Say | Note | Sync | AllMoves
_decoder = msgspec.json.Decoder(Known)


def read_frame(text: str | None, data: bytes | None) -> Known:
    """The frame in a message from a socket. Raises ``MalformedFrame`` for what is binary, over 16 KiB,
    no JSON, of no known kind, or has fields of wrong types."""
    if text is None or data is not None:
        raise MalformedFrame("Frames are JSON text, not binary.")
    return read_json(text.encode(), _decoder)


def read_json(body: bytes, decoder: "msgspec.json.Decoder[Any]") -> Any:
    """``body`` decoded; see ``read_frame``."""
    if len(body) > LONGEST:
        raise MalformedFrame(Msg("That is more than {count} bytes.", count=LONGEST))
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise MalformedFrame(Msg("This cannot be understood: {why}.", why=str(error))) from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise MalformedFrame("This is not JSON.") from error


def key_in(text: str | None) -> str | None:
    """The ``key`` of a frame that may be wrong otherwise, so that its sender knows which was refused."""
    if text is None or len(text) > LONGEST:
        return None
    try:
        found = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError):
        return None
    key = found.get("key") if isinstance(found, dict) else None
    return key if isinstance(key, str) and 0 < len(key) <= 64 else None
