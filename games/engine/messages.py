"""Texts that players read, kept apart from what fills them in.

The English text is the key of its translation. A parameter's name tells how it is shown:

* ``seat``, ``seat_to``, ...: an ``int`` (or a list of them), shown as the name of the person there;
* ``card``, ``cards``, ...: a card such as ``"QS"`` (or a list of them), shown as a small card;
* anything else: a number, a text, another ``Msg``, or a list of these.

``you`` is the wording for the person who sits at ``seat``, ``to_you`` for the one at ``seat_to``:
``Msg("{seat} gives {seat_to} a card.", you="You give {seat_to} a card.", to_you="{seat} gives you a
card.", seat=2, seat_to=0)``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypeAlias

from games.engine.cards import card_name

Param: TypeAlias = "int | str | Msg | list[int] | list[str] | list[Msg]"

_FIELD = re.compile(r"\{(\w+)\}")


class Msg:
    """A text with parameters. Immutable by convention; equal when text and parameters are."""

    __slots__ = ("params", "text", "to_you", "you")

    def __init__(
        self, text: str, /, *, you: str | None = None, to_you: str | None = None, **params: Param
    ) -> None:
        self.text = text
        self.you = you
        self.to_you = to_you
        self.params = params

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Msg) and self.data() == other.data()

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Msg({self.plain()!r})"

    def data(self) -> dict[str, Any]:
        """As JSON: ``{"text", "params"}``, with ``"you"`` and ``"to_you"`` where there are such; a
        ``Msg`` inside likewise."""
        out: dict[str, Any] = {
            "text": self.text,
            "params": {name: _param_data(value) for name, value in self.params.items()},
        }
        if self.you is not None:
            out["you"] = self.you
        if self.to_you is not None:
            out["to_you"] = self.to_you
        return out

    @classmethod
    def from_data(cls, data: dict[str, Any]) -> Msg:
        """The inverse of ``data``."""
        params = {name: _param_from(value) for name, value in data.get("params", {}).items()}
        return cls(data["text"], you=data.get("you"), to_you=data.get("to_you"), **params)

    def plain(self, names: Sequence[str] = (), viewer: int | None = None) -> str:
        """As one line of text, with ``names`` by seat, as the person at seat ``viewer`` reads it."""
        text = self.text
        if self.you is not None and viewer is not None and self.params.get("seat") == viewer:
            text = self.you
        elif (
            self.to_you is not None and viewer is not None and self.params.get("seat_to") == viewer
        ):
            text = self.to_you

        def fill(field: re.Match[str]) -> str:
            name = field[1]
            if name not in self.params:
                return field[0]
            value = self.params[name]
            parts = value if isinstance(value, list) else [value]
            return ", ".join(_shown(name, part, names, viewer) for part in parts)

        return _FIELD.sub(fill, text)


def _shown(name: str, value: int | str | Msg, names: Sequence[str], viewer: int | None) -> str:
    if isinstance(value, Msg):
        return value.plain(names, viewer)
    if name.startswith("seat") and isinstance(value, int):
        return names[value] if value < len(names) else f"Seat {value + 1}"
    if name.startswith("card") and isinstance(value, str):
        return card_name(value)
    return str(value)


def _param_data(value: Any) -> Any:
    if isinstance(value, Msg):
        return value.data()
    if isinstance(value, list):
        return [_param_data(part) for part in value]
    return value


def _param_from(value: Any) -> Any:
    if isinstance(value, dict):
        return Msg.from_data(value)
    if isinstance(value, list):
        return [_param_from(part) for part in value]
    return value
