"""The search on SQLite: FTS5 tables beside those of the models, whose rows go by triggers.

The tokenizer ``ascii`` parts only at spaces here, since terms hold nothing else that it parts at. Every
term is quoted: nothing that is typed is an operator.
"""

from collections.abc import Sequence

from django.db import connection

from wiki.search.backend import ALIKE, FIELDS, SLACK, WEIGHTS, Terms, grams
from wiki.search.query import Query, Wanted


def quoted(row: Wanted) -> str:
    words = '"' + " ".join(row.terms).replace('"', '""') + '"'
    return f"{words}*" if row.begins else words


class SQLite:
    found = (
        f"SELECT rowid AS page_id, -bm25(wiki_search_fts, {', '.join(map(str, WEIGHTS))}) AS rank "
        "FROM wiki_search_fts WHERE wiki_search_fts MATCH %s"
    )
    matching = "SELECT rowid FROM wiki_search_fts WHERE wiki_search_fts MATCH %s"
    in_heads = f"page.id IN ({matching})"
    names = "SELECT rowid FROM wiki_searchname_fts WHERE wiki_searchname_fts MATCH %s"

    def expression(self, query: Query, fields: int = len(FIELDS), *, any_of: bool = False) -> str:
        wanted = (" OR " if any_of else " AND ").join(map(quoted, query.wanted))
        if fields < len(FIELDS):
            return f"{{{' '.join(FIELDS[:fields])}}} : ({wanted})"
        if query.unwanted:
            return f"({wanted}) NOT ({' OR '.join(map(quoted, query.unwanted))})"
        return wanted

    def beginnings(self, words: Sequence[str]) -> str:
        *whole, last = (f'"{word}"' for word in words)
        return " AND ".join([*whole, f"{last}*"])

    def write(self, page_id: int, terms: Terms) -> None:
        self.forget(page_id)
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO wiki_search_fts(rowid, title, names, headings, body) "
                "VALUES (%s, %s, %s, %s, %s)",
                [page_id, *(" ".join(getattr(terms, field)) for field in FIELDS)],
            )

    def forget(self, page_id: int) -> None:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM wiki_search_fts WHERE rowid = %s", [page_id])

    def alike(self, words: Sequence[str]) -> list[str]:
        parts, asked = [], []
        for word in words:
            parts.append(
                "SELECT * FROM (SELECT known.word FROM wiki_searchword_fts JOIN wiki_searchword known "
                "ON known.id = wiki_searchword_fts.rowid WHERE wiki_searchword_fts MATCH %s "
                "AND length(known.word) BETWEEN %s AND %s ORDER BY wiki_searchword_fts.rank LIMIT %s)"
            )
            sought = " OR ".join(f'"{gram}"' for gram in grams(word))
            asked += [sought, len(word) - SLACK, len(word) + SLACK, ALIKE]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ".join(parts), asked)
            return [word for (word,) in cursor.fetchall()]
