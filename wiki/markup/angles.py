"""HTML inside a text: which ``<`` may begin a tag, and tags that close what they open.

A ``<`` that no ``>`` follows makes a parser read to the end of the text, from each of them. An
element left open is opened again by a parser in every paragraph that follows, with all its
attributes: twenty kilobytes became twenty-five megabytes. Both end here.
"""

import re
from html import escape

from markdown.htmlparser import HTMLExtractor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.util import HTML_PLACEHOLDER_RE, INLINE_PLACEHOLDER_RE

HIDDEN = "\x10"  # stands for a "<" that begins no tag; texts hold no such character

ESCAPED = re.compile("\x02(\\d+)\x03")  # how the library keeps a character behind a backslash
LONGEST = 2_000  # characters of a tag
BEGINS = re.compile(r"<(?=[a-zA-Z/!?])")
PLAIN_TAG = re.compile(r"<[^<>]*+>")
QUOTED_TAG = re.compile(
    r"</?[a-zA-Z][^\s<>\"'/=]*+"
    r"(?:\s++[^\s<>\"'/=]++(?:\s*+=\s*+(?:\"[^\"]*+\"|'[^']*+'|[^\s<>\"'=]++))?+)*+\s*+/?>"
)


class HideAngles(Preprocessor):
    """Hides each ``<`` before a letter, "/", "!" or "?" that begins neither a tag nor a comment."""

    def run(self, lines: list[str]) -> list[str]:
        return hide("\n".join(lines)).split("\n")


def hide(text: str) -> str:
    made: list[str] = []
    at = last_comment_end = 0
    while found := BEGINS.search(text, at):
        start = found.start()
        made.append(text[at:start])
        at = start + 1
        if text.startswith("<!--", start) and last_comment_end >= 0:
            last_comment_end = text.find("-->", start + 4)
            if last_comment_end >= 0:
                at = last_comment_end + 3
                made.append(text[start:at])
                continue
        window = text[start : start + LONGEST]
        tag = PLAIN_TAG.match(window) or QUOTED_TAG.match(window)
        if tag and not window.startswith("<!--"):
            at = start + tag.end()
            made.append(tag[0])
        else:
            made.append(HIDDEN)
    return "".join(made) + text[at:]


class ShowAngles(Postprocessor):
    """Shows what was hidden, and what the library forgot to put back: escapes inside code, and the
    words of marks inside marks that it looked at twice."""

    def run(self, text: str) -> str:
        for _level in range(2):
            text = INLINE_PLACEHOLDER_RE.sub(self.words, text)
        text = HTML_PLACEHOLDER_RE.sub(self.tag, text)
        text = ESCAPED.sub(lambda match: escape(chr(int(match[1]))), text)
        return text.replace(HIDDEN, "&lt;")

    def words(self, match: re.Match[str]) -> str:
        node = self.md.treeprocessors["inline"].stashed_nodes.get(match[1], "")
        return escape(node if isinstance(node, str) else "".join(node.itertext()))

    def tag(self, match: re.Match[str]) -> str:
        kept = self.md.htmlStash.rawHtmlBlocks
        return escape(kept[int(match[1])]) if int(match[1]) < len(kept) else ""


class Extractor(HTMLExtractor):
    """The library's, which looked for the end of each open tag behind each comment."""

    NEAR = 1_000  # characters behind a comment
    OPEN = 5  # tags opened last

    def inline_close_follows(self, text: str) -> bool:
        if not self.inline_stack:
            return False
        start = self.line_offset + self.offset + len(text)
        near = self.rawdata[start : start + self.NEAR].split("\n\n", 1)[0].lower()
        return any(f"</{tag}" in near for tag in self.inline_stack[-self.OPEN :])


class HtmlBlocks(Preprocessor):
    """Sets blocks of HTML aside, as the library does."""

    def run(self, lines: list[str]) -> list[str]:
        extractor = Extractor(self.md)
        extractor.feed("\n".join(lines))
        extractor.close()
        return "".join(extractor.cleandoc).split("\n")
