"""The others who edit a page, as one socket has heard of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

FORGOTTEN = 60.0  # seconds without a sign: no longer there
SHOWN = 10  # people in a notice


@dataclass(frozen=True)
class Editor:
    """Somebody who edits in one window. ``name`` None: a guest; ``section``: the heading, or nothing."""

    person: int
    name: str | None
    section: str


@dataclass
class Editors:
    """Windows by the channel of their sockets, each with when it was last heard of (monotonic seconds)."""

    me: int | None
    heard: dict[str, tuple[float, Editor]] = field(default_factory=dict)

    def hear(self, channel: str, editor: Editor, now: float) -> None:
        self.heard[channel] = (now, editor)

    def forget(self, channel: str) -> None:
        self.heard.pop(channel, None)

    def forget_silent(self, now: float) -> None:
        """Remove who has given no sign for a minute."""
        self.heard = {
            channel: row for channel, row in self.heard.items() if now - row[0] < FORGOTTEN
        }

    def frame(self) -> dict[str, Any]:
        """What the client shows: each person once, one's own other windows first."""
        people: dict[int, dict[str, Any]] = {}
        for _time, editor in self.heard.values():
            you = editor.person == self.me
            row = people.setdefault(
                editor.person, {"name": None if you else editor.name, "you": you, "sections": []}
            )
            if editor.section and editor.section not in row["sections"]:
                row["sections"].append(editor.section)
        rows = sorted(people.values(), key=lambda row: (not row["you"], row["name"] or "\uffff"))
        return {"on": "editors", "others": rows[:SHOWN], "more": max(0, len(rows) - SHOWN)}
