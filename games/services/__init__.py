"""What can be done with a table. Each function is one transaction with keyword arguments.

Seating (``seating``): before the start; handing over (``handing``): from a guest to an account. Playing
(``playing``): one's own moves. Absence (``absence``): clocks, bots, leaving and coming back. Talking
(``talking``): chat; advising (``advising``): hints; noting (``noting``): for oneself; telling (``telling``): mail. ``past`` is what stood after
any row; ``reading`` finds and locks; ``writing`` is the one way in which the log grows; ``clock`` the one place
that knows the time; ``hints`` tell others.
"""

from games.services.absence import (
    abandon,
    come_back,
    complaints,
    enforce,
    leave,
    may_be_claimed,
    may_be_set_aside,
    overdue,
    patient_until,
    set_aside,
    take_over,
)
from games.services.advising import ask_hint, find_hint, gives_hints
from games.services.handing import hand_over
from games.services.noting import save_note
from games.services.past import match_at
from games.services.playing import act, check, undo
from games.services.reading import find_table, game_of, seats_of
from games.services.seating import (
    BadTable,
    close_old_tables,
    default_absence,
    fewest,
    fill_with_bots,
    get_up,
    join,
    may_start,
    open_table,
    open_until,
    play_now,
    rematch,
    start,
)
from games.services.talking import message_data, say
from games.services.telling import people_to_tell, tell
from games.services.writing import match_of

__all__ = [
    "BadTable",
    "abandon",
    "act",
    "ask_hint",
    "check",
    "close_old_tables",
    "come_back",
    "complaints",
    "default_absence",
    "enforce",
    "fewest",
    "fill_with_bots",
    "find_hint",
    "find_table",
    "game_of",
    "get_up",
    "gives_hints",
    "hand_over",
    "join",
    "leave",
    "match_at",
    "match_of",
    "may_be_claimed",
    "may_be_set_aside",
    "may_start",
    "message_data",
    "open_table",
    "open_until",
    "overdue",
    "patient_until",
    "people_to_tell",
    "play_now",
    "rematch",
    "save_note",
    "say",
    "seats_of",
    "set_aside",
    "start",
    "take_over",
    "tell",
    "undo",
]
