"""How fast a table is played: time in hand, more with each move, and how much at most."""

from dataclasses import dataclass

MINUTE, HOUR, DAY = 60_000, 3_600_000, 86_400_000  # ms


@dataclass(frozen=True)
class Pace:
    """A preset. Times are in ms; ``bank`` None: nobody is hurried."""

    key: str
    name: str  # on the form
    hint: str  # below it
    words: str  # in a row of the lobby and in the table's head
    kind: str  # live, slow or none
    bank: int | None = None
    increment: int = 0
    cap: int = 0

    @property
    def least(self) -> int:
        """ms that somebody has at least who takes a seat again, or takes it over."""
        return max(self.increment, MINUTE)


PACES: dict[str, Pace] = {
    pace.key: pace
    for pace in (
        Pace(
            "live-5",
            "Live, short",
            "5 minutes each, 10 seconds a move",
            "live, 5 minutes each",
            "live",
            5 * MINUTE,
            10_000,
            5 * MINUTE,
        ),
        Pace(
            "live-15",
            "Live",
            "15 minutes each, 15 seconds a move",
            "live, 15 minutes each",
            "live",
            15 * MINUTE,
            15_000,
            15 * MINUTE,
        ),
        Pace(
            "12h",
            "Two moves a day",
            "36 hours in hand, 12 hours more with each move",
            "about two moves a day",
            "slow",
            36 * HOUR,
            12 * HOUR,
            36 * HOUR,
        ),
        Pace(
            "1d",
            "One move a day",
            "3 days in hand, 24 hours more with each move",
            "about one move a day",
            "slow",
            3 * DAY,
            DAY,
            3 * DAY,
        ),
        Pace(
            "2d",
            "A move every two days",
            "4 days in hand, 2 days more with each move",
            "about one move in two days",
            "slow",
            4 * DAY,
            2 * DAY,
            4 * DAY,
        ),
        Pace(
            "3d",
            "A move every three days",
            "6 days in hand, 3 days more with each move",
            "about one move in three days",
            "slow",
            6 * DAY,
            3 * DAY,
            6 * DAY,
        ),
        Pace(
            "7d",
            "One move a week",
            "14 days in hand, 7 days more with each move",
            "about one move a week",
            "slow",
            14 * DAY,
            7 * DAY,
            14 * DAY,
        ),
        Pace("none", "No limit", "nobody is hurried", "no time limit", "none"),
    )
}
DEFAULT, UNHURRIED = "1d", "none"


def pace_of(key: str) -> Pace:
    """The preset ``key``; one that is no longer offered counts as "no limit" in words."""
    return PACES.get(key, PACES[UNHURRIED])
