"""Words for those who cannot see a picture: asked for whenever a text shows one without them."""

import re
from collections import Counter

from wiki.errors import WikiError
from wiki.markup import render
from wiki.titles import FILE_PREFIXES

PREFIX = "|".join(re.escape(prefix) for prefix in sorted(FILE_PREFIXES))
SHOWN = re.compile(
    rf"(?i)(?:\[\[|\()\s*<?(?:{PREFIX})[ _]*:|^ {{0,3}}\[[^\]\n]+\]:\s*<?(?:{PREFIX}):", re.M
)


def refuse_unnamed(before: str, text: str) -> None:
    """Raises WikiError ``no_alternative`` where ``text`` shows a picture without words, which ``before``
    did not show so."""
    if not SHOWN.search(text):
        return
    new = Counter(render(text).unnamed)
    if new:
        new -= Counter(render(before).unnamed)
    if new:
        raise WikiError(
            "no_alternative",
            f"“{next(iter(new))}” has no words for those who cannot see it. Say in its brackets what it "
            "shows: ![What it shows](file:Name.png), or alt= in [[File:Name.png|alt=What it shows]]. "
            "Nothing is saved yet.",
            status=422,
        )
