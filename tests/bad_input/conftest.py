"""What tests of bad input share: the tables, people and sockets of the tests of games."""

from tests.games.conftest import nudged, person, play, time, tiny
from tests.games.realtime.conftest import dial, let_go
from tests.portal.conftest import ada, bob, empty_cache

__all__ = [
    "ada",
    "bob",
    "dial",
    "empty_cache",
    "let_go",
    "nudged",
    "person",
    "play",
    "time",
    "tiny",
]
