"""Times as sentences and histories write them, in UTC."""

from datetime import datetime


def in_words(moment: datetime) -> str:
    """ "29 November 2026, 10:31"."""
    return f"{moment.day} {moment:%B %Y, %H:%M}"
