"""Finding pages by words, and names by their beginnings."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from django.db import connection

from wiki.models import Page, SearchEntry, SearchName
from wiki.search.backend import Backend, backend, single
from wiki.search.query import Query, read_query, row_of
from wiki.search.snippets import Marker, Pieces
from wiki.search.typos import closest
from wiki.search.words import folded_words, is_spelled, name_words

ANYWHERE = "all"  # as a namespace: in all of them
FEW = 3  # hits; with no more, another way to write a word may be meant
LONGEST = 100  # characters of what is typed, for suggestions
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")


@dataclass(frozen=True)
class Hit:
    """A page that was found. The pieces of its title, of the name it was found by where that is
    another, and of its text come with whether they were looked for; they are text, not HTML."""

    page: Page
    title_marked: Pieces
    snippet: Pieces
    name_marked: Pieces = field(default_factory=list)


@dataclass(frozen=True)
class Results:
    """``total`` hits, of which ``hits`` are those asked for. ``suggestion`` is the query as it may have
    been meant, or empty. ``how`` the hits were found: ``all`` hold every word. Where none does,
    ``begun`` hold words that begin so, ``meant`` those of the suggestion, ``some`` at least one word."""

    hits: list[Hit]
    total: int
    suggestion: str = ""
    how: str = "all"


@dataclass(frozen=True)
class Suggestion:
    """A page, and the name of it that begins as it was typed; ``main``: that is its title."""

    page: Page
    title: str
    main: bool


@dataclass(frozen=True)
class Scope:
    """Which pages are looked at: live ones that redirect nowhere."""

    namespace: str
    language: str = ""

    @property
    def sql(self) -> str:
        parts = ["page.deleted_at IS NULL", "page.redirect_title = ''"]
        if self.namespace != ANYWHERE:
            parts.append("page.namespace = %s")
        if self.language:
            parts.append("(page.language = %s OR page.language LIKE %s)")
        return " AND ".join(parts)

    @property
    def asked(self) -> list[str]:
        asked = [] if self.namespace == ANYWHERE else [self.namespace]
        return asked + ([self.language, f"{self.language}-%"] if self.language else [])


def search(
    query: str, *, limit: int = 20, offset: int = 0, language: str = "", namespace: str = ""
) -> Results:
    """Pages that hold what ``query`` says (``wiki.search.query``), the best first.

    A page of that very name comes first, then those whose title holds all words, then those whose
    titles and names do, then headings; within each the database's own rank decides. ``language``: only
    pages in it; ``namespace``: only pages of it, or ``ANYWHERE``. Any text is a query.
    """
    asked = read_query(query)
    scope = Scope(namespace, language if LANGUAGE.fullmatch(language) else "")
    if not asked.wanted or limit < 1 or (language and not scope.language):
        return Results([], 0)
    base = backend()
    ids, total = find(base, asked, scope, limit, offset)
    if total > FEW:
        return Results(hits_of(ids, asked), total)
    near = other_spellings(base, asked, scope)
    how, shown, suggestion = "all", asked, ""
    if not total and near.begun:
        ids, total = find(base, asked.begun, scope, limit, offset)
        how, shown = "begun", asked.begun
    elif near.meant:
        better, more = find(base, near.meant, scope, limit, offset)
        suggestion = near.meant.typed if more > total else ""
        if not total and more:
            ids, total, how, shown = better, more, "meant", near.meant
    if not total and len(asked.apart.wanted) > 1:
        ids, total = find(base, asked.apart, scope, limit, offset, any_of=True)
        how, shown = ("some", asked.apart) if total else (how, shown)
    return Results(hits_of(ids, shown), total, suggestion, how)


def find(
    base: Backend, query: Query, scope: Scope, limit: int, offset: int, *, any_of: bool = False
) -> tuple[list[int], int]:
    """Row ids of the pages wanted, the best first, and how many there are in all."""
    name = name_words(" ".join(row.typed for row in query.wanted))
    first = ["page.id IN (SELECT page_id FROM wiki_searchname WHERE words = %s)"]
    asked: list[object] = [name]
    if any_of:
        first.append(
            " + ".join(
                [f"CASE WHEN page.id IN ({base.matching}) THEN 1 ELSE 0 END"] * len(query.wanted)
            )
        )
        asked += [base.expression(single(row)) for row in query.wanted]
    else:
        for fields in (1, 2, 3):
            first.append(base.in_heads)
            asked.append(base.expression(query, fields))
    order = ", ".join(f"({part}) DESC" for part in [*first, "found.rank"])
    sought = base.expression(query, any_of=any_of)
    with connection.cursor() as cursor:
        cursor.execute(
            f"WITH found AS MATERIALIZED ({base.found}) "
            "SELECT page.id, COUNT(*) OVER () FROM found JOIN wiki_page page ON page.id = found.page_id "
            f"WHERE {scope.sql} ORDER BY {order}, page.id LIMIT %s OFFSET %s",
            [sought, *scope.asked, *asked, limit, offset],
        )
        rows = cursor.fetchall()
        if rows or not offset:
            return [pk for pk, _total in rows], rows[0][1] if rows else 0
    return [], counts(base, [sought], scope)[0]


def counts(base: Backend, expressions: Sequence[str], scope: Scope) -> list[int]:
    """How many pages each of ``expressions`` finds."""
    part = (
        f"(SELECT COUNT(*) FROM wiki_page page WHERE page.id IN ({base.matching}) AND {scope.sql})"
    )
    asked = [value for sought in expressions for value in (sought, *scope.asked)]
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {', '.join([part] * len(expressions))}", asked)
        return list(cursor.fetchone())


@dataclass(frozen=True)
class Near:
    """What else may be looked for where a query finds little. ``begun``: there are pages with words
    that begin as those of the query; ``meant``: the query with known words in place of others."""

    begun: bool = False
    meant: Query | None = None


def other_spellings(base: Backend, query: Query, scope: Scope) -> Near:
    """Of words that are equally close to one that finds few or nothing, the one on most pages is meant."""
    rows = [row for row in query.wanted if is_spelled(row.word)]
    sought = [base.expression(query.begun), *(base.expression(single(row)) for row in rows)]
    begun, *found = counts(base, sought, scope)
    rare = {row.word: count for row, count in zip(rows, found, strict=True) if count <= FEW}
    if 0 in found:  # the others may well be there as they are
        rare = {word: count for word, count in rare.items() if not count}
    near = closest(list(rare), base.alike(list(rare))) if rare else {}
    tried = [(word, other) for word, others in near.items() for other in others]
    if not tried:
        return Near(begun > 0)
    singles = [base.expression(single(row_of(other))) for _word, other in tried]
    meant: dict[str, str] = {}
    best: dict[str, int] = {}
    for (word, other), count in zip(tried, counts(base, singles, scope), strict=True):
        if count > max(best.get(word, 0), rare[word]):
            meant[word], best[word] = other, count
    return Near(begun > 0, query.with_words(meant) if meant else None)


def hits_of(ids: Sequence[int], query: Query) -> list[Hit]:
    if not ids:
        return []
    marker = Marker(query)
    entries = SearchEntry.objects.select_related("page").in_bulk(ids)
    names: dict[int, list[str]] = {}
    for row in SearchName.objects.filter(page__in=ids, main=False).order_by("title"):
        names.setdefault(row.page_id, []).append(row.title)
    return [
        hit_of(entry, names.get(pk, []), marker)
        for pk in ids
        if (entry := entries.get(pk)) is not None
    ]


def hit_of(entry: SearchEntry, names: Sequence[str], marker: Marker) -> Hit:
    page = entry.page
    marker.language = page.language
    title = marker.marked(page.title)
    hit = Hit(page, title, marker.snippet(entry.text))
    held = marks(title)
    better = [pieces for name in names if marks(pieces := marker.marked(name)) > held]
    return replace(hit, name_marked=max(better, key=marks)) if better else hit


def marks(pieces: Pieces) -> int:
    return sum(marked for _text, marked in pieces)


def suggest(query: str, *, limit: int = 8, namespace: str = "") -> list[Suggestion]:
    """Names that hold the words typed, the last one at least as a beginning; of each page the best.

    Names that begin so come first, titles before other names, short ones before long ones. Where there
    is none, a word that is written much like the last one is meant.
    """
    words = folded_words(query[:LONGEST])
    if not words:
        return []
    base = backend()
    found = names_with(base, words, Scope(namespace), limit)
    if not found and is_spelled(words[-1]):
        others = closest(words[-1:], base.alike(words[-1:]))[words[-1]]
        for other in others[:3]:
            found = found or names_with(base, [*words[:-1], other], Scope(namespace), limit)
    return found


def names_with(base: Backend, words: Sequence[str], scope: Scope, limit: int) -> list[Suggestion]:
    begun = " ".join(words)
    rows = SearchName.objects.raw(
        "SELECT name.id, name.page_id, name.title, name.main FROM wiki_searchname name "
        f"JOIN wiki_page page ON page.id = name.page_id WHERE name.id IN ({base.names}) AND {scope.sql} "
        "ORDER BY (substr(name.words, 1, %s) = %s) DESC, name.main DESC, length(name.words), name.title, "
        "name.id LIMIT %s",
        [base.beginnings(words), *scope.asked, len(begun), begun, limit * 4],
    )
    best: dict[int, SearchName] = {}
    for row in rows:
        best.setdefault(row.page_id, row)
    pages = Page.objects.in_bulk(best)
    return [Suggestion(pages[pk], row.title, row.main) for pk, row in best.items() if pk in pages][
        :limit
    ]
