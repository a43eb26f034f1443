"""What a page on paper needs of its HTML."""

import re

BARE = re.compile(r'<a (?=href="(https?://[^"]*)"[^<>]*>\1</a>)')


def mark_bare(html: str) -> str:
    """``html`` whose links that show their own address have the class ``bare``: on paper the others
    are followed by theirs."""
    return BARE.sub('<a class="bare" ', html)


def at_once(html: str) -> str:
    """``html`` whose pictures are all loaded at once: who prints does not scroll to them."""
    return html.replace(' loading="lazy"', "")
