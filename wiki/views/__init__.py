"""Pages of the wiki: translate requests to services and selectors, and back."""

from wiki.views.changes import (
    changes,
    compare,
    contributions,
    diff,
    history,
)
from wiki.views.editing import edit
from wiki.views.feeds import changes_feed, contributions_feed, history_feed, watchlist_feed
from wiki.views.noticing import notices, open_notice
from wiki.views.pages import index, page_view, source, special_view, wikitext
from wiki.views.protecting import protect
from wiki.views.reports import shortcodes
from wiki.views.reverting import revert
from wiki.views.searching import search, suggest
from wiki.views.shortcode_list import known_shortcodes
from wiki.views.talk import talk
from wiki.views.watching import watch, watchlist

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
    "known_shortcodes",
    "notices",
    "open_notice",
    "page_view",
    "protect",
    "revert",
    "search",
    "shortcodes",
    "source",
    "special_view",
    "suggest",
    "talk",
    "watch",
    "watchlist",
    "watchlist_feed",
    "wikitext",
]
