"""The search on PostgreSQL: a ``tsvector`` with a GIN index, written and asked without its parser.

``ts_rank`` gets the column itself: given its name as a text it would parse the rows anew. The GIN index
knows no fields, so whether a word stands in a title is read from the row: from its small column
``heads``, which the database makes of ``terms``, and not from the terms of the whole text.
"""

from collections import defaultdict
from collections.abc import Sequence

from django.db import DatabaseError, connection, transaction

from wiki.search.backend import ALIKE, FIELDS, SLACK, WEIGHTS, Terms, grams
from wiki.search.query import Query, Wanted

LETTERS = "ABCD"  # the weights of the fields, as PostgreSQL calls them
FIELD_GAP = 50  # places between fields, so that no row of words goes from one to the next
LAST_PLACE = 16_383  # of a word in a tsvector; later ones have none
PLACES = 255  # of one term
MAX_BYTES = 900_000  # a tsvector can have 1 MiB


def quoted(row: Wanted, letters: str) -> str:
    marks = f":{letters}" if letters else ""
    last = len(row.terms) - 1
    words = [
        f"'{word.replace(chr(39), chr(39) * 2)}'"
        + ((marks or ":") + "*" if row.begins and index == last else marks)
        for index, word in enumerate(row.terms)
    ]
    return "(" + " <-> ".join(words) + ")"


def vector(terms: Terms) -> str:
    """``terms`` as the text of a tsvector. What is too much for one is left out, from the end."""
    places: defaultdict[str, list[str]] = defaultdict(list)
    place, size = 1, 0
    for field, letter in zip(FIELDS, LETTERS, strict=True):
        for term in getattr(terms, field):
            if term not in places:
                size += len(term.encode()) + 8
            if size > MAX_BYTES:
                break
            if place <= LAST_PLACE and len(places[term]) < PLACES:
                places[term].append(f"{place}{letter}")
                size += 2
            elif term not in places:
                places[term] = []
            place += 1
        place += FIELD_GAP
    return " ".join(
        f"'{term.replace(chr(39), chr(39) * 2)}'" + (f":{','.join(at)}" if at else "")
        for term, at in places.items()
    )


class PostgreSQL:
    found = (
        "SELECT page_id, heads, ts_rank(ARRAY["
        + ", ".join(str(weight / WEIGHTS[0]) for weight in reversed(WEIGHTS))
        + "]::real[], terms, sought, 1) AS rank "
        "FROM wiki_searchentry, (SELECT %s::tsquery AS sought) asked WHERE terms @@ sought"
    )
    in_heads = "found.heads @@ %s::tsquery"
    matching = "SELECT page_id FROM wiki_searchentry WHERE terms @@ %s::tsquery"
    names = (
        "SELECT id FROM wiki_searchname "
        "WHERE array_to_tsvector(string_to_array(words, ' ')) @@ %s::tsquery"
    )

    def expression(self, query: Query, fields: int = len(FIELDS), *, any_of: bool = False) -> str:
        letters = LETTERS[:fields] if fields < len(FIELDS) else ""
        wanted = (" | " if any_of else " & ").join(quoted(row, letters) for row in query.wanted)
        if letters or not query.unwanted:
            return wanted
        return f"({wanted}) & " + " & ".join(f"!{quoted(row, '')}" for row in query.unwanted)

    def beginnings(self, words: Sequence[str]) -> str:
        *whole, last = (f"'{word}'" for word in words)
        return " & ".join([*whole, f"{last}:*"])

    def write(self, page_id: int, terms: Terms) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE wiki_searchentry SET terms = %s::tsvector WHERE page_id = %s",
                [vector(terms), page_id],
            )

    def forget(self, page_id: int) -> None:
        """Nothing: the terms go with the row."""

    def alike(self, words: Sequence[str]) -> list[str]:
        """By LIKE: an index of ``pg_trgm`` makes it fast, and without one it finds the same."""
        parts, asked = [], []
        for word in words:
            patterns = [like(gram) for gram in grams(word)]
            either = " OR ".join(["lower(word) LIKE %s"] * len(patterns))
            shared = " + ".join(["(lower(word) LIKE %s)::int"] * len(patterns))
            parts.append(
                f"(SELECT word FROM wiki_searchword WHERE ({either}) "
                f"AND length(word) BETWEEN %s AND %s ORDER BY {shared} DESC, word LIMIT %s)"
            )
            asked += [*patterns, len(word) - SLACK, len(word) + SLACK, *patterns, ALIKE]
        with connection.cursor() as cursor:
            cursor.execute(" UNION ".join(parts), asked)
            return [word for (word,) in cursor.fetchall()]


def like(gram: str) -> str:
    """The pattern of words that hold ``gram``, whose spaces are the ends of the word."""
    begin, end = ("" if gram.startswith(" ") else "%"), ("" if gram.endswith(" ") else "%")
    return f"{begin}{gram.strip()}{end}"


# Of ``lower(word)``, which is the word itself: else PostgreSQL takes it for ``word = ...`` too, and that is slow.
TRIGRAMS = [
    "CREATE EXTENSION IF NOT EXISTS pg_trgm",
    "CREATE INDEX IF NOT EXISTS wiki_searchword_trigrams ON wiki_searchword "
    "USING gin (lower(word) gin_trgm_ops)",
]


def make_trigram_index() -> str:
    """Make the index that finds words like another fast, if there is none; where it cannot be made, why
    and what to do, in words."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            for statement in TRIGRAMS:
                cursor.execute(statement)
    except DatabaseError as error:
        why = str(error).strip().splitlines()[0]
        return (
            f"PostgreSQL's extension pg_trgm cannot be created here ({why}). The search works without "
            "it; only its help with mistyped words is slower on a large wiki. To have it, let an "
            "administrator of the database install PostgreSQL's contrib modules and run "
            "“CREATE EXTENSION pg_trgm;” in this database, and then run “manage.py reindex_wiki”."
        )
    return ""
