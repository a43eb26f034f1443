"""The form for a new table: made from a game's own description of its options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from games.engine import Game, OptionField, option_fields
from games.models import Seat, Table
from games.paces import DEFAULT, PACES, UNHURRIED, Pace
from games.services import default_absence
from games.translation import translated_text

# for whom free seats are: (unlisted, for accounts only)
WHO = {
    (False, False): "open to everybody",
    (False, True): "for people with an account",
    (True, False): "for people with the link",
    (True, True): "for people with an account and the link",
}
OFFERED = ("none", "live-5", "live-15", "12h", "1d", "2d", "3d", "7d")


@dataclass
class Choice:
    """One value of an option, as the form shows it."""

    key: str
    label: str
    chosen: bool


@dataclass
class Option:
    """An option of the game as a control: a box to tick, or a list to choose from."""

    name: str
    title: str
    description: str
    is_box: bool
    choices: list[Choice]
    ticked: bool
    default: str
    show_if: str  # JSON, ``{"other": "value"}``; empty where it is always asked
    hide_if: str  # the same, of what takes it away


@dataclass
class NewTableForm:
    """The form, filled with the defaults or with what somebody sent."""

    game: Game[Any, Any, Any]
    seats: int
    kinds: list[str] = field(default_factory=list)  # of the chairs after the first: open or bot
    pace: str = DEFAULT
    absence: str = Table.ZOMBIE
    unlisted: bool = False
    may_take_over: bool = True
    starts: str = Table.FULL
    least: str = ""  # players without whom it does not begin; empty: as few as the game allows
    accounts_only: bool = False
    options: dict[str, Any] = field(default_factory=dict)

    @classmethod
    def fresh(cls, game: Game[Any, Any, Any], seats: int) -> NewTableForm:
        """All defaults: one chair open for another person, as many as the game has."""
        return cls(
            game=game,
            seats=seats,
            kinds=[Seat.OPEN] * (seats - 1),
            absence=default_absence(seats),
            options={one.name: one.default for one in option_fields(game.options_type)},
        )

    @classmethod
    def sent(cls, game: Game[Any, Any, Any], seats: int, data: Mapping[str, Any]) -> NewTableForm:
        """What was sent. Values nobody offered are kept, for the service to refuse."""
        filling = "fill" in data
        return cls(
            game=game,
            seats=seats,
            kinds=[
                Seat.BOT if filling else str(data.get(f"seat-{index}", Seat.OPEN))
                for index in range(1, seats)
            ],
            pace=UNHURRIED if filling else str(data.get("pace", DEFAULT)),
            absence=str(data.get("absence", "")),
            unlisted="unlisted" in data,
            may_take_over="may_take_over" in data,
            starts=str(data.get("starts", Table.FULL)),
            least=str(data.get("least", "")),
            accounts_only="accounts_only" in data,
            options={
                one.name: _value(one, data.get(f"option-{one.name}"))
                for one in option_fields(game.options_type)
            },
        )

    def values(self) -> dict[str, Any]:
        """Arguments of ``services.open_table``."""
        return {
            "game": self.game.slug,
            "seats": self.kinds,
            "options": self.options,
            "pace": self.pace,
            "absence": self.absence or None,
            "unlisted": self.unlisted,
            "may_take_over": self.may_take_over,
            "starts": self.starts,
            "least": self._least(),
            "accounts_only": self.accounts_only,
        }

    def _least(self) -> int | None:
        """As the service takes it; 0, which it refuses, for what nobody offered."""
        offered = {str(count): count for count in self.game.meta.seats}
        return offered.get(self.least, 0) if self.least else None

    @property
    def fewer(self) -> list[tuple[int, bool]]:
        """(players, chosen) of the numbers that are more than the game needs."""
        counts = self.game.meta.seats
        more = [count for count in counts if min(counts) < count <= self.seats]
        return [(count, str(count) == self.least) for count in more]

    @property
    def chairs(self) -> list[tuple[int, str]]:
        """(index, kind) of the chairs after one's own."""
        return list(enumerate(self.kinds, 1))

    @property
    def paces(self) -> list[tuple[Pace, bool]]:
        return [(PACES[key], key == self.pace) for key in OFFERED]

    @property
    def changed(self) -> int:
        """How many options differ from their defaults."""
        fields = option_fields(self.game.options_type)
        return sum(self.options.get(one.name) != one.default for one in fields)

    @property
    def summary(self) -> str:
        """The table in one line, as it would be opened now; the page's script keeps it true."""
        bots = self.kinds.count(Seat.BOT)
        parts = [f"{self.game.meta.name} for {self.seats}"]
        if bots:
            parts.append("one bot" if bots == 1 else f"{bots} bots")
        if self.pace in PACES:
            parts.append(PACES[self.pace].words)
        if Seat.OPEN not in self.kinds:
            parts.append("begins at once")
        else:
            parts += self._beginning()
            parts.append(WHO[self.unlisted, self.accounts_only])
        return f"{', '.join(parts)}."

    def _beginning(self) -> list[str]:
        """How a table with free seats begins, where that is not by itself."""
        least = f"with {self.least} or more" if self.least else ""
        if self.starts == Table.HOST:
            return [f"begins when you start it {least}".rstrip()]
        return [f"may begin {least}"] if least else []

    @property
    def controls(self) -> list[Option]:
        """The options that mean something with so many seats."""
        return [
            Option(
                name=one.name,
                title=translated_text(one.title, self.game.slug),
                description=translated_text(one.description, self.game.slug),
                is_box=isinstance(one.default, bool),
                choices=[
                    Choice(
                        _key(value),
                        translated_text(label, self.game.slug),
                        value == self.options.get(one.name),
                    )
                    for value, label in one.choices
                ],
                ticked=self.options.get(one.name) is True,
                default=_key(one.default),
                show_if=_conditions(one.show_if),
                hide_if=_conditions(one.hide_if, self.seats),
            )
            for one in option_fields(self.game.options_type)
            if not one.seats or self.seats in one.seats
        ]


def _conditions(values: dict[str, Any], seats: int | None = None) -> str:
    """JSON of ``values`` of other options as controls have them; empty where none can hold with ``seats``."""
    if values.get("seats", seats) != seats:
        return ""
    others = {name: _key(value) for name, value in values.items() if name != "seats"}
    return json.dumps(others) if others else ""


def _key(value: Any) -> str:
    return json.dumps(value) if isinstance(value, bool) else str(value)


def _value(one: OptionField, sent: str | None) -> Any:
    if isinstance(one.default, bool):
        return sent is not None
    if sent is None:
        return one.default
    return next((value for value, _ in one.choices if _key(value) == sent), sent)
