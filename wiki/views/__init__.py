"""Pages of the wiki: translate requests to services and selectors, and back."""

from wiki.views.changes import (
    changes,
    changes_feed,
    compare,
    contributions,
    contributions_feed,
    diff,
    history,
    history_feed,
)
from wiki.views.editing import edit, revert
from wiki.views.pages import index, page_view, search, source, wikitext

__all__ = [
    "changes",
    "changes_feed",
    "compare",
    "contributions",
    "contributions_feed",
    "diff",
    "edit",
    "history",
    "history_feed",
    "index",
    "page_view",
    "revert",
    "search",
    "source",
    "wikitext",
]
