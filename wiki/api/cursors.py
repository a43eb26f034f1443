"""Where a list goes on: a cursor names the last row that was given, never a count, so that nothing is
given twice or left out while others write."""

import base64
import binascii
from typing import TypeVar

import msgspec
from django.db.models import Model, Q, QuerySet, Value
from django.db.models.functions import Lower

from wiki.errors import WikiError
from wiki.models import Page

Row = TypeVar("Row", bound=Model)
Place = tuple[int, str]  # the row id, and a title where rows stand in the order of titles


def cursor_of(pk: int, title: str = "") -> str:
    return base64.urlsafe_b64encode(msgspec.json.encode((pk, title))).decode().rstrip("=")


def read_cursor(cursor: str) -> Place:
    """Raises WikiError ``bad_cursor``."""
    try:
        sent = base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4))
        pk, title = msgspec.json.decode(sent, type=Place)
    except (ValueError, binascii.Error, msgspec.DecodeError):
        raise bad_cursor() from None
    if not 0 <= pk < 2**63 or "\0" in title:
        raise bad_cursor()
    return pk, title


def bad_cursor() -> WikiError:
    return WikiError(
        "bad_cursor", "This list cannot begin there: send a next_cursor as it was given."
    )


def by_title(rows: QuerySet[Page], cursor: str | None) -> QuerySet[Page]:
    """``rows`` by title, capitals or not, after ``cursor``: also where that page is gone meanwhile."""
    rows = rows.alias(lower=Lower("title")).order_by("lower", "title", "pk")
    if cursor is None:
        return rows
    pk, title = read_cursor(cursor)
    lower = Lower(Value(title))
    same = Q(lower=lower) & (Q(title__gt=title) | Q(title=title, pk__gt=pk))
    return rows.filter(Q(lower__gt=lower) | same)


def after(rows: QuerySet[Row], moment: str, cursor: str | None) -> QuerySet[Row]:
    """``rows``, the latest first by their field ``moment``, after ``cursor``."""
    if cursor is None:
        return rows
    last = rows.model._base_manager.filter(pk=read_cursor(cursor)[0]).first()
    if last is None or (at := getattr(last, moment)) is None:
        raise bad_cursor()
    return rows.filter(Q(**{f"{moment}__lt": at}) | Q(**{moment: at}, pk__lt=last.pk))


def part(rows: QuerySet[Row], limit: int) -> tuple[list[Row], Row | None]:
    """The first ``limit`` of ``rows``, and the last of them where more follow."""
    found = list(rows[: limit + 1])
    return found[:limit], found[limit - 1] if len(found) > limit else None
