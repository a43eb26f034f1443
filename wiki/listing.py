"""Lists of changes over many pages: which rows are wished for, and stretches of them that last.

A stretch begins after a row, not at a count: while one reads, new changes push nothing onto the next
page. Runs of imported rows, which tell little one by one, are folded into one line.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q, QuerySet
from django.http import QueryDict
from django.utils import timezone

from portal.models import User
from wiki.models import Revision
from wiki.services.patrol import UNPATROLLED
from wiki.services.rights import is_reviewer

LINES = 50  # of a stretch
LOOKED_AT = 500  # rows at most, to fill a stretch whose imports are folded
FOLDED_FROM = 3  # imported rows in a row
SPANS = {1: "the last day", 3: "3 days", 7: "7 days", 30: "30 days", 90: "90 days"}


@dataclass(frozen=True)
class Wish:
    """Which changes somebody wants to see."""

    days: int = 0  # 0: of all times
    minor: bool = True
    mine: bool = True
    imports: bool = True
    unpatrolled: bool = False  # only those that no reviewer has looked at; reviewers may ask

    @classmethod
    def read(cls, query: QueryDict) -> "Wish":
        days = query.get("days", "")
        return cls(
            days=int(days) if days in map(str, SPANS) else 0,
            minor=query.get("minor") != "0",
            mine=query.get("mine") != "0",
            imports=query.get("imports") != "0",
            unpatrolled=query.get("unpatrolled") == "1",
        )

    def of(self, rows: QuerySet[Revision], viewer: User | AnonymousUser) -> QuerySet[Revision]:
        if self.days:
            rows = rows.filter(timestamp__gte=timezone.now() - timedelta(days=self.days))
        if not self.minor:
            rows = rows.filter(minor=False)
        if not self.imports:
            rows = rows.filter(origin=None)
        if not self.mine and viewer.is_authenticated:
            rows = rows.exclude(author=viewer)
        if self.unpatrolled and is_reviewer(viewer):
            rows = rows.filter(UNPATROLLED)
        return rows

    @property
    def said(self) -> dict[str, object]:
        """What an address must say to mean the same."""
        given: dict[str, object] = {"days": self.days} if self.days else {}
        if self.unpatrolled:
            given["unpatrolled"] = 1
        return given | {name: 0 for name in ("minor", "mine", "imports") if not getattr(self, name)}


@dataclass
class Block:
    """Rows below one heading: those of a day, or imported ones that are folded."""

    rows: list[Revision] = field(default_factory=list)
    folded: bool = False

    @property
    def day(self) -> datetime | None:
        return self.rows[0].timestamp

    @property
    def oldest(self) -> datetime | None:
        return self.rows[-1].timestamp

    @property
    def titles(self) -> list[str]:
        return list(dict.fromkeys(row.page.title for row in self.rows))

    @property
    def new(self) -> int:
        """How many of the rows are new to the reader of a watch list."""
        return sum(getattr(row, "new", False) for row in self.rows)


@dataclass(frozen=True)
class Stretch:
    """``older``: the row id after which the next stretch begins; None: this is the last."""

    blocks: list[Block]
    older: int | None


def before(rows: QuerySet[Revision], last: Revision | None) -> QuerySet[Revision]:
    """Those of ``rows``, newest first and undated ones at the end, that come after ``last``."""
    if last is None:
        return rows
    if last.timestamp is None:
        return rows.filter(timestamp=None, pk__lt=last.pk)
    same = Q(timestamp=last.timestamp, pk__lt=last.pk)
    return rows.filter(Q(timestamp__lt=last.timestamp) | same | Q(timestamp=None))


def stretch(rows: QuerySet[Revision], last: Revision | None = None) -> Stretch:
    """The next lines of ``rows`` after ``last``, in blocks."""
    found = list(before(rows, last)[: LOOKED_AT + 1])
    more = len(found) > LOOKED_AT
    blocks: list[Block] = []
    used = lines = 0
    for run in runs(found[:LOOKED_AT]):
        if lines == LINES:
            break
        if not run.folded:
            run.rows = run.rows[: LINES - lines]
        blocks.append(run)
        lines += 1 if run.folded else len(run.rows)
        used += len(run.rows)
    older = found[used - 1].pk if used and (more or used < len(found)) else None
    return Stretch(blocks, older)


def runs(rows: Iterable[Revision]) -> Iterator[Block]:
    """``rows`` in blocks: runs of imported ones folded, the others by day."""
    waiting: list[Revision] = []
    for imported, group in groupby(rows, key=lambda row: row.origin_id is not None):
        run = list(group)
        if imported and len(run) >= FOLDED_FROM:
            yield from days(waiting)
            waiting = []
            yield Block(run, folded=True)
        else:
            waiting += run
    yield from days(waiting)


def days(rows: list[Revision]) -> Iterator[Block]:
    for _day, group in groupby(rows, key=lambda row: row.timestamp and row.timestamp.date()):
        yield Block(list(group))
