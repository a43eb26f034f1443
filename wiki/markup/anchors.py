"""Ids of headings: our own prefix, so that no text can take the id of a part of the site."""

import re
import unicodedata

PREFIX = "s-"


def anchor(heading: str, separator: str = "-") -> str:
    """The id of a heading that reads ``heading``; letters of all scripts stay, case does not."""
    words = re.findall(r"[^\W_]+", unicodedata.normalize("NFC", heading).lower())
    return PREFIX + (separator.join(words)[:120] or "section")
