"""What a request about a table may do wrong. The rules' own refusals are in ``games.engine.errors``.

Each has a stable ``code``, an HTTP ``status`` and a sentence to a player; ``docs/protocol.md`` lists
them. Views and consumers map them once, at the door.
"""

from games.engine.errors import GameError
from games.engine.messages import Msg

__all__ = [
    "AccountNeeded",
    "CannotGoOn",
    "DiskFull",
    "GameError",
    "KeyUsed",
    "MalformedFrame",
    "NoHints",
    "NoSuchPly",
    "NotAbsent",
    "NotFinished",
    "NotOpen",
    "NotPlaying",
    "NotSeated",
    "NotYourTable",
    "NotedElsewhere",
    "NothingToSay",
    "NothingWaits",
    "RulesAway",
    "SeatLeft",
    "SeatTaken",
    "ServerError",
    "SlowDown",
    "StaleView",
    "TableNotFound",
    "TooManySockets",
    "TooManyTables",
    "Unavailable",
]


class TableNotFound(GameError):
    """No table of this id, or none that this person may see."""

    status = 404

    def __init__(self) -> None:
        super().__init__("table_not_found", "There is no such table.")


class NoHints(GameError):
    """The game has none, or the table is played against time."""

    status = 409

    def __init__(self) -> None:
        super().__init__("no_hints", "There are no hints at this table.")


class NotSeated(GameError):
    """The person sits at no seat of this table, or not at that one."""

    status = 403

    def __init__(self, msg: Msg | str = "Only those who sit at the table may do that.") -> None:
        super().__init__("not_seated", msg)


class AccountNeeded(GameError):
    """A guest, or a stranger, at a table for people with an account."""

    status = 403

    def __init__(
        self,
        msg: Msg
        | str = "Only people with an account sit down at this table. Sign up or log in, then come back.",
    ) -> None:
        super().__init__("account_needed", msg)


class NotYourTable(GameError):
    """Only the person who opened the table may do that."""

    status = 403

    def __init__(self) -> None:
        super().__init__("not_your_table", "Only the person who opened the table may do that.")


class StaleView(GameError):
    """The choice was made before the seat was asked its present question."""

    status = 409

    def __init__(self) -> None:
        super().__init__("stale_view", "That choice is no longer open: look at the table again.")


class NotOpen(GameError):
    """The table has begun, or ended: nobody can sit down or stand up any more."""

    status = 409

    def __init__(self, msg: Msg | str = "This table has begun already.") -> None:
        super().__init__("not_open", msg)


class NotPlaying(GameError):
    """The table has not begun yet, or is over."""

    status = 409

    def __init__(self, msg: Msg | str = "This table is not being played.") -> None:
        super().__init__("not_playing", msg)


class CannotGoOn(GameError):
    """The rules of today cannot read the table's state, nor bring it up to them."""

    status = 409

    def __init__(
        self,
        msg: Msg
        | str = "This table was begun by other rules than today's and cannot go on. What happened stays.",
    ) -> None:
        super().__init__("old_rules", msg)


class RulesAway(CannotGoOn):
    """The rules of the table's game cannot be read at all: its folder is broken, or not there."""

    def __init__(self) -> None:
        super().__init__(
            "The rules of this game cannot be read just now. What happened stays, and the table goes "
            "on when they are back."
        )
        self.code = "rules_away"


class NoSuchPly(GameError):
    """The log has no row of this number."""

    status = 404

    def __init__(self, last: int) -> None:
        super().__init__("no_such_ply", Msg("This table has moves 0 to {count}.", count=last))


class NotFinished(GameError):
    """What is told only once the game is over."""

    status = 409

    def __init__(self, msg: Msg | str = "That is told when the game is over.") -> None:
        super().__init__("not_finished", msg)


class SeatLeft(GameError):
    """The person's seat is played by the engine until they take it again."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "seat_left", "The game plays for you. Take your seat again, then you may move."
        )


class NotAbsent(GameError):
    """The person cannot be set aside: they have time, are asked nothing, or do not sit there."""

    status = 409

    def __init__(self, msg: Msg | str = "They still have time to answer.") -> None:
        super().__init__("not_absent", msg)


class SeatTaken(GameError):
    """Somebody sits there, or the person sits at this table already."""

    status = 409

    def __init__(self, msg: Msg | str = "That seat is taken.") -> None:
        super().__init__("seat_taken", msg)


class TooManyTables(GameError):
    """The person has as many tables as one may have: open ones, or games against bots alone."""

    status = 429

    def __init__(
        self, limit: int, text: str = "You have {count} open tables already: close one first."
    ) -> None:
        super().__init__("too_many_tables", Msg(text, count=limit))


class TooManySockets(GameError):
    """A person, or everybody behind an address, holds as many sockets open as the server bears."""

    status = 429

    def __init__(self) -> None:
        super().__init__(
            "too_many_sockets", "You have tables open too often: close some of their pages first."
        )


class KeyUsed(GameError):
    """The key is that of another order, which was taken; this one was not."""

    status = 409

    def __init__(self) -> None:
        super().__init__(
            "key_used", "Something else was sent under the same key. Please try again."
        )


class NothingToSay(GameError):
    """A chat message without text, or with too much of it; a note this game does not know."""

    status = 422

    def __init__(self, msg: Msg | str) -> None:
        super().__init__("bad_text", msg)


class NothingWaits(GameError):
    """The person asked for the next table that waits for them."""

    status = 404

    def __init__(self) -> None:
        super().__init__("nothing_waits", "No other table waits for you just now.")


class NotedElsewhere(GameError):
    """The writer has changed the note on another page since."""

    status = 409

    def __init__(self) -> None:
        super().__init__("note_changed", "You have changed this note on another page meanwhile.")


class SlowDown(GameError):
    """Too many messages or frames in a short time."""

    status = 429

    def __init__(self, msg: Msg | str = "That was too fast. Wait a moment.") -> None:
        super().__init__("slow_down", msg)


class MalformedFrame(GameError):
    """What came over the socket, or in the body of a request, is nothing we know."""

    status = 400

    def __init__(self, msg: Msg | str) -> None:
        super().__init__("malformed_frame", msg)


class Unavailable(GameError):
    """The database does not answer, or has no time for this. Whether something was changed a resent
    key will show."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            "unavailable", "The server cannot reach its tables just now. Try again in a moment."
        )


class DiskFull(GameError):
    """There is no room to write anything down."""

    status = 507

    def __init__(self) -> None:
        super().__init__(
            "disk_full",
            "The server has no room left to write that down. Nothing was changed; try again later.",
        )


class ServerError(GameError):
    """Our defect."""

    status = 500

    def __init__(self) -> None:
        super().__init__(
            "server_error", "Something went wrong here. It is our defect, not yours. Try again."
        )
