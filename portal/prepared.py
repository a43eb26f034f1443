"""Questions to the database whose SQL is composed once.

The ORM composes a question anew each time it is asked, which for the few that every page asks costs several
times what the database needs to answer. Here it composes each once, with marks in place of what is asked
for, and keeps what it found out; the rows become the same objects as the ORM makes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.query import get_related_populators

M = TypeVar("M", bound=Model)
Value = str | int


@dataclass(frozen=True)
class Ready:
    """What the ORM found out about a question on one kind of database."""

    sql: str
    parameters: tuple[Any, ...]
    marks: dict[int, int]  # place among the parameters: which of the values stands there
    model: type[Model]
    own: slice  # the columns of the model itself
    names: list[str]  # of these columns
    annotations: list[tuple[str, int]]
    related: list[Any]
    converters: list[tuple[int, list[Any], Any]]


class Prepared(Generic[M]):
    """``Prepared(compose)(*values)`` is ``list(compose(*values))``.

    ``compose`` must say nothing else for other values of the same types (so no ``if``), has only whole numbers
    and texts of those to compare with, and does not prefetch.
    """

    def __init__(self, compose: Callable[..., QuerySet[M]]) -> None:
        self.compose = compose
        self.ready: dict[tuple[Any, ...], Ready] = {}

    def __call__(self, *values: Value) -> list[M]:
        key = (connection.vendor, *map(type, values))
        ready = self.ready.get(key)
        if ready is None:
            ready = self.ready[key] = get_ready(self.compose, values)
        parameters = list(ready.parameters)
        for place, number in ready.marks.items():
            parameters[place] = values[number]
        with connection.cursor() as cursor:
            cursor.execute(ready.sql, parameters)
            return [made(ready, row) for row in cursor.fetchall()]


def get_ready(compose: Callable[..., QuerySet[M]], values: Sequence[Value]) -> Ready:
    marks = [mark(value, number) for number, value in enumerate(values)]
    compiler = compose(*marks).query.get_compiler(connection=connection)
    sql, parameters = compiler.as_sql()
    columns = [column for column, _sql, _alias in compiler.select]
    own = compiler.klass_info["select_fields"]
    found = compiler.get_converters(columns)
    return Ready(
        sql=sql,
        parameters=tuple(parameters),
        marks={
            place: marks.index(parameter)
            for place, parameter in enumerate(parameters)
            if type(parameter) in (str, int) and parameter in marks
        },
        model=compiler.klass_info["model"],
        own=slice(own[0], own[-1] + 1),
        names=[columns[place].target.attname for place in own],
        annotations=list(compiler.annotation_col_map.items()),
        related=get_related_populators(compiler.klass_info, compiler.select, connection.alias),
        converters=[(place, *found[place]) for place in found],
    )


def mark(value: Value, number: int) -> Value:
    """Something of the type of ``value`` that nobody asks for."""
    return f"\ufdd0 value {number}" if isinstance(value, str) else 2**62 + number


def made(ready: Ready, given: Sequence[Any]) -> Any:
    row = list(given)
    for place, converters, column in ready.converters:
        for convert in converters:
            row[place] = convert(row[place], column, connection)
    found = ready.model.from_db(connection.alias, ready.names, row[ready.own])
    for related in ready.related:
        related.populate(row, found)
    for name, place in ready.annotations:
        setattr(found, name, row[place])
    return found
