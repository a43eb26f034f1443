"""What a request may do wrong. Everything else is a defect of ours and rises."""

from __future__ import annotations

from games.engine.messages import Msg


class GameError(Exception):
    """A refusal: ``code`` is stable, ``status`` is the HTTP status, ``msg`` a sentence to a player."""

    status = 400

    def __init__(self, code: str, msg: Msg | str) -> None:
        self.code = code
        self.msg = msg if isinstance(msg, Msg) else Msg(msg)
        super().__init__(self.msg.plain())


class IllegalMove(GameError):
    """The rules refuse the action, or it is nobody's turn to take it. Nothing has changed."""

    status = 422


class UnknownGame(GameError):
    """No folder of this slug in the library."""

    status = 404

    def __init__(self, slug: str) -> None:
        super().__init__("unknown_game", Msg("There is no game called {slug}.", slug=slug))


class BrokenGame(UnknownGame):
    """The folder of this slug is there, and its rules cannot be read."""

    def __init__(self, slug: str) -> None:
        super().__init__(slug)
        GameError.__init__(
            self, "unknown_game", Msg("The rules of {slug} cannot be read just now.", slug=slug)
        )


class BadOptions(GameError):
    """Options that this game does not have, or values it does not know."""

    status = 422
