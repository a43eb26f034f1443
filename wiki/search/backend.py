"""What the search asks of a database, in the database's own words. Both find the same pages.

A page has one row with the terms of its four fields. Only the terms of ``wiki.search.words`` go in:
neither database cuts, folds or stems anything by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from django.db import connection

from wiki.search.query import Query, Wanted

FIELDS = ("title", "names", "headings", "body")
WEIGHTS = (12.0, 6.0, 3.0, 1.0)  # by field


@dataclass(frozen=True)
class Terms:
    """The terms of a page by field, in order."""

    title: list[str]
    names: list[str]
    headings: list[str]
    body: list[str]


class Backend(Protocol):
    """SQL of one kind of database. Expressions are what its MATCH or ``@@`` understands."""

    found: (
        str  # a query for ``page_id``, ``rank`` (the best highest), and what ``in_heads`` looks at
    )
    in_heads: (
        str  # whether the row ``found`` of the page ``page`` holds an expression of few fields
    )
    matching: str  # a query for the ids of pages; one expression
    names: str  # a query for the ids of names; one expression

    def expression(self, query: Query, fields: int = len(FIELDS), *, any_of: bool = False) -> str:
        """What finds ``query`` in the first ``fields``; without the unwanted in fewer than all.
        ``any_of``: one of the wanted is enough."""
        ...

    def beginnings(self, words: Sequence[str]) -> str:
        """What finds names that hold all ``words``, the last one at least as a beginning."""
        ...

    def write(self, page_id: int, terms: Terms) -> None: ...

    def forget(self, page_id: int) -> None: ...

    def alike(self, words: Sequence[str]) -> list[str]:
        """Known words that share rows of letters with one of ``words``."""
        ...


def backend() -> Backend:
    """That of the database in use."""
    from wiki.search import postgresql, sqlite

    return postgresql.PostgreSQL() if connection.vendor == "postgresql" else sqlite.SQLite()


def single(row: Wanted) -> Query:
    return Query(wanted=(row,))


ALIKE = 80  # words at most that are compared letter by letter, for each one that is not known
SLACK = 2  # letters that a word which is meant may be longer or shorter


def grams(word: str) -> list[str]:
    """Rows of three letters of ``word``, its ends among them as rows with a space.

    >>> grams("dnup")
    [' dn', 'dnu', 'nup', 'up ']
    """
    padded = f" {word} "
    return list(dict.fromkeys(padded[at : at + 3] for at in range(len(padded) - 2)))
