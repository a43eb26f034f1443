"""A game's options: reading them, and describing them for a form.

A field of an options Struct is ``bool`` or a ``Literal`` of its values, first value the default,
described by ``Annotated[..., msgspec.Meta(title=..., description=..., extra_json_schema={...})]``.
``extra_json_schema`` may hold ``labels`` (value as text -> what people read), ``show_if``
({other field: value}), ``hide_if`` ({other field, or "seats": value}; where all of it holds, the option
is not asked) and ``seats`` (seat counts for which the option has a meaning).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import Annotated, Any, Literal, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from games.engine.errors import BadOptions
from games.engine.messages import Msg

O = TypeVar("O", bound=msgspec.Struct)  # noqa: E741


class OptionField(msgspec.Struct, frozen=True):
    """One option, as a form needs it."""

    name: str
    title: str
    description: str
    choices: list[tuple[Any, str]]  # (value, label), in the order shown
    default: Any
    show_if: dict[str, Any]
    hide_if: dict[str, Any]  # ``seats`` stands for the seat count
    seats: list[int]  # empty: all


@cache
def option_fields(options_type: type[msgspec.Struct]) -> list[OptionField]:
    """The options of a game in the order they are declared."""
    hints = get_type_hints(options_type, include_extras=True)
    fields = []
    for field in msgspec.structs.fields(options_type):
        kind, meta = hints[field.name], msgspec.Meta()
        if get_origin(kind) is Annotated:
            kind, meta = get_args(kind)[0], get_args(kind)[1]
        extra = meta.extra_json_schema or {}
        values = [False, True] if kind is bool else list(get_args(kind))
        if not values or (kind is not bool and get_origin(kind) is not Literal):
            raise TypeError(f"{options_type.__name__}.{field.name} is no bool and no Literal.")
        if field.default in values:
            values = [field.default, *(value for value in values if value != field.default)]
        labels = extra.get("labels", {})
        fields.append(
            OptionField(
                name=field.name,
                title=meta.title or field.name.replace("_", " ").capitalize(),
                description=meta.description or "",
                choices=[(value, labels.get(_key(value), _plain(value))) for value in values],
                default=field.default,
                show_if=extra.get("show_if", {}),
                hide_if=extra.get("hide_if", {}),
                seats=list(extra.get("seats", [])),
            )
        )
    return fields


def read_options(options_type: type[O], data: Any) -> O:
    """Options from JSON; what is left out has its default. Raises ``BadOptions``."""
    if not isinstance(data, dict):
        raise BadOptions("bad_options", "Options are a list of names and values.")
    if unknown := sorted(set(data) - set(options_type.__struct_fields__)):
        raise BadOptions("bad_options", Msg("This game has no option {name}.", name=unknown[0]))
    try:
        return msgspec.convert(data, options_type)
    except msgspec.ValidationError as error:
        raise BadOptions(
            "bad_options", Msg("An option cannot be that: {why}.", why=str(error))
        ) from error


def asked(options: msgspec.Struct, seats: int) -> list[OptionField]:
    """The options that have a meaning beside the others, with so many ``seats``."""
    values = {**msgspec.structs.asdict(options), "seats": seats}
    return [
        field
        for field in option_fields(type(options))
        if (not field.seats or seats in field.seats)
        and all(values[name] == value for name, value in field.show_if.items())
        and not (
            field.hide_if and all(values[name] == value for name, value in field.hide_if.items())
        )
    ]


def differing(options: msgspec.Struct) -> list[tuple[OptionField, Any, str]]:
    """(field, value, label) of every option that is not at its default."""
    found = []
    for field in option_fields(type(options)):
        value = getattr(options, field.name)
        if value != field.default:
            found.append(
                (field, value, {_key(v): label for v, label in field.choices}[_key(value)])
            )
    return found


def pairwise(options_type: type[O], counts: Sequence[int]) -> Iterator[tuple[int, O]]:
    """(seat count, options): every value of every option beside every value of every other, and
    beside every one of the seat ``counts``."""
    fields = option_fields(options_type)
    values = [list(counts), *([value for value, _ in field.choices] for field in fields)]
    for chosen in _pairs(values) if fields else ([index] for index in range(len(counts))):
        count, *rest = (values[k][index] for k, index in enumerate(chosen))
        yield count, options_type(**dict(zip((f.name for f in fields), rest, strict=True)))


def _pairs(values: list[list[Any]]) -> Iterator[list[int]]:
    """Rows of places in two or more lists, which together hold every pair of two lists' values."""
    columns = range(len(values))
    open_pairs = {
        (i, a, j, b)
        for i, j in combinations(columns, 2)
        for a in range(len(values[i]))
        for b in range(len(values[j]))
    }
    while open_pairs:
        row: list[int | None] = [None] * len(values)
        i, a, j, b = min(open_pairs)
        row[i], row[j] = a, b
        for k in columns:
            if row[k] is None:
                row[k] = max(range(len(values[k])), key=lambda v: _gain(open_pairs, row, k, v))
        chosen = [index for index in row if index is not None]
        open_pairs -= {(p, chosen[p], q, chosen[q]) for p, q in combinations(columns, 2)}
        yield chosen


def _gain(open_pairs: set[tuple[int, int, int, int]], row: list[int | None], k: int, v: int) -> int:
    found = 0
    for other, index in enumerate(row):
        if index is not None and other != k:
            pair = (other, index, k, v) if other < k else (k, v, other, index)
            found += pair in open_pairs
    return found


def _key(value: Any) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value).replace("_", " ")
