"""Full-text search of the wiki: titles, other names, headings and texts, on SQLite and PostgreSQL.

``search`` and ``suggest`` read; ``reindex`` is called by whatever changes the current text, the title,
the names, the language or the deletion of a page, in the same transaction.
"""

from wiki.search.find import ANYWHERE, Hit, Results, Suggestion, search, suggest
from wiki.search.index import reindex

__all__ = ["ANYWHERE", "Hit", "Results", "Suggestion", "reindex", "search", "suggest"]
