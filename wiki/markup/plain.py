"""The words of a Markdown source, for summaries and search results."""

import html
import re

from wiki.markup.sanitise import TAGS

HEADING = re.compile(r"^#{1,6}[^\n]*$", re.MULTILINE)
SHORTCODE = re.compile(r"\{\{[^{}|]*(?:\|([^{}]*))?\}\}")
LINK = re.compile(r"\[\[(?:[^\[\]|\n]*\|)?([^\[\]|\n]*)\]\]|!?\[([^\[\]\n]*)\]\([^()\n]*\)")
RULES = re.compile(r"^[-=*_|: ]{3,}$", re.MULTILINE)
FENCE = re.compile(r"^(?:```|~~~).*$", re.MULTILINE)
TAG = re.compile(rf"</?(?:{'|'.join(sorted(TAGS))})\b[^<>]*>", re.IGNORECASE)
FOOTNOTE = re.compile(r"\[\^[^\[\]\n]{1,40}\]:?")
MARKS = re.compile(
    r"\\(?=[^\w\s])|[*`|]|~~|^#{1,6} |^[->] |(?<![\w_])_{1,2}(?=\w)|(?<=[^\W_])_{1,2}(?![\w_])",
    re.MULTILINE,
)


def plain_words(text: str, *, headings: bool = True) -> str:
    """``text`` in one line without its marks, roughly: never to be shown as HTML."""
    if not headings:
        text = HEADING.sub("", text)
    text = FOOTNOTE.sub("", TAG.sub(" ", FENCE.sub("", text)))
    text = SHORTCODE.sub(lambda match: match[1] or "", RULES.sub("", text))
    text = LINK.sub(lambda match: match[1] or match[2] or "", text)
    return " ".join(html.unescape(MARKS.sub("", text)).split())
