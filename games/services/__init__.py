"""What can be done with a table. Each function is one transaction with keyword arguments.

Seating (``seating``): before the start. Playing (``playing``): one's own moves. Absence (``absence``):
clocks, bots, leaving and coming back. Talking (``talking``): chat and notes; telling
(``telling``): mail. ``writing`` is the one way
in which the log grows; ``clock`` the one place that knows the time; ``hints`` tell others.
"""

from games.services.absence import abandon, come_back, enforce, leave, overdue, take_over
from games.services.playing import act, check, undo
from games.services.seating import (
    BadTable,
    close_old_tables,
    default_absence,
    fill_with_bots,
    get_up,
    join,
    open_table,
    play_now,
    rematch,
    start,
)
from games.services.talking import message_data, save_note, say
from games.services.telling import people_to_tell, tell
from games.services.writing import find_table, match_of

__all__ = [
    "BadTable",
    "abandon",
    "act",
    "check",
    "close_old_tables",
    "come_back",
    "default_absence",
    "enforce",
    "fill_with_bots",
    "find_table",
    "get_up",
    "join",
    "leave",
    "match_of",
    "message_data",
    "open_table",
    "overdue",
    "people_to_tell",
    "play_now",
    "rematch",
    "save_note",
    "say",
    "start",
    "take_over",
    "tell",
    "undo",
]
