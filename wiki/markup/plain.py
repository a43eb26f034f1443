"""The words of a Markdown source, for summaries and search results."""

import re

HEADING = re.compile(r"^#{1,6}[^\n]*$", re.MULTILINE)
SHORTCODE = re.compile(r"\{\{[^{}|]*(?:\|([^{}]*))?\}\}")
LINK = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]|!?\[([^\[\]\n]*)\]\([^()\n]*\)")
RULES = re.compile(r"^[-=*_|: ]{3,}$", re.MULTILINE)
MARKS = re.compile(r"\\(?=[^\w\s])|[*`|]|^#{1,6} |^[->] ", re.MULTILINE)


def plain_words(text: str, *, headings: bool = True) -> str:
    """``text`` in one line without its marks, roughly: never to be shown as HTML."""
    if not headings:
        text = HEADING.sub("", text)
    text = SHORTCODE.sub(lambda match: match[1] or "", RULES.sub("", text))
    text = LINK.sub(lambda match: match[1] or match[2] or "", text)
    return " ".join(MARKS.sub("", text).split())
