"""Bounds for what people write: no text makes the work grow faster than its length.

Python-Markdown looks for the end of a link from every bracket, works through a paragraph of any
length as one piece, and nests as deep as the text does. What stands here takes those parts over:

* ``Shallow``: list items and quotes deeper than ``DEPTH`` stay at that depth.
* ``BoundedParser``: whatever nests deeper all the same becomes a paragraph, marks and all; a block
  of more than ``BLOCK`` characters is cut where a heading, a rule or a definition ends a part of it.
* ``ShortRuns``: a text of more than ``RUN`` characters is worked through in parts.
* ``LINK_PATTERNS``: brackets nest up to ``BRACKETS``, an address has up to ``ADDRESS`` characters;
  what goes beyond is text.

The numbers are far above what a page of rules needs; below them nothing changes.
"""

import re
import xml.etree.ElementTree as etree
from collections.abc import Iterator

from markdown import Markdown
from markdown.blockparser import BlockParser
from markdown.extensions import Extension
from markdown.inlinepatterns import (
    ImageInlineProcessor,
    ImageReferenceInlineProcessor,
    LinkInlineProcessor,
    ReferenceInlineProcessor,
    ShortImageReferenceInlineProcessor,
    ShortReferenceInlineProcessor,
)
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import AtomicString

from wiki.markup.angles import HideAngles, HtmlBlocks, ShowAngles
from wiki.markup.emphasis import Emphasis
from wiki.markup.fences import FencedCode

DEPTH = 16  # levels of lists and of quotes
NESTING = 2 * DEPTH + 8  # calls of the block parser inside each other; a level of a list takes two
RUN = 8_000  # characters of text that are looked at together for marks inside a line
BRACKETS = 8  # levels of square brackets in a link
BLOCK = 6_000  # characters between two empty lines that are looked at together
PIECE = 1_000  # characters after which a longer block may be cut
ADDRESS = 2_000  # characters of an address and its title
WASTE = 200_000  # characters of addresses without end that are read in a page
SHORT_ADDRESS = 120  # what is read of an address after that
REPEATED = 200_000  # characters of addresses that marks like [1] repeat in a page

BRACKET = re.compile(r"[\[\]]")
ITEM_INDENT = re.compile(rf"^ {{{4 * DEPTH},}}(?=(?:[*+-]|\d{{1,9}}\.|:|>) )", re.MULTILINE)
CUT = re.compile(  # behind rules, underlines, headings and definitions, which end what was before
    r"^ {0,3}(?:(?:=+|-+|(?:[-*_] {0,2}){3,}) *|#.*|\[[^\[\]\n]*\]:.*|: .*)\n", re.MULTILINE
)
QUOTE_MARKS = re.compile(rf"^((?: {{0,4}}>){{{DEPTH}}})(?: {{0,4}}>)+", re.MULTILINE)


class Shallow(Preprocessor):
    """Takes items and quotes back to ``DEPTH``; after fenced code and HTML were set aside."""

    def run(self, lines: list[str]) -> list[str]:
        text = ITEM_INDENT.sub(" " * (4 * DEPTH), "\n".join(lines))
        return QUOTE_MARKS.sub(r"\1", text).split("\n")


class BoundedParser(BlockParser):
    """The parser of blocks, which stops to look for blocks in blocks at ``NESTING``."""

    depth = 0

    def parseBlocks(self, parent: etree.Element, blocks: list[str]) -> None:
        if self.depth >= NESTING:
            while blocks:
                paragraph = etree.SubElement(parent, "p")
                paragraph.text = blocks.pop(0).strip()
            return
        self.depth += 1
        try:
            super().parseBlocks(parent, Blocks(blocks))
        finally:
            self.depth -= 1


class Blocks:
    """What the processors of blocks ask of a list: the first block is looked at, taken, put back.

    Kept the other way round: a list would move all blocks that follow for each one.
    """

    def __init__(self, blocks: list[str]) -> None:
        self.waiting = [piece for block in blocks for piece in pieces(block)][::-1]

    def __len__(self) -> int:
        return len(self.waiting)

    def __getitem__(self, place: int) -> str:
        return self.waiting[-1 - place]

    def pop(self, place: int) -> str:
        return self.waiting.pop(-1 - place)

    def insert(self, place: int, block: str) -> None:
        for piece in reversed(list(pieces(block))):
            self.waiting.insert(len(self.waiting) - place, piece)


def pieces(block: str) -> Iterator[str]:
    """``block``, cut where one of its parts ends if it is longer than ``BLOCK``."""
    start = 0
    if len(block) > BLOCK:
        for cut in CUT.finditer(block):
            if cut.end() - start >= PIECE:
                yield block[start : cut.end() - 1]
                start = cut.end()
    yield block[start:]


class ShortRuns(Treeprocessor):
    """Parts long texts before the marks in them are looked for.

    The elements named ``PART`` go when the HTML is cleaned, which knows no such tag.
    """

    PART = "part"

    def run(self, root: etree.Element) -> None:
        for element in list(root.iter()):
            if is_long(element.text):
                first, *others = parts(element.text)
                element.text = first
                for place, text in enumerate(others):
                    element.insert(place, self.part(text))
            if any(is_long(child.tail) for child in element):
                children = list(element)
                for child in children:
                    element.remove(child)
                for child in children:
                    element.append(child)
                    if is_long(child.tail):
                        child.tail, *others = parts(child.tail)
                        element.extend(self.part(text) for text in others)

    def part(self, text: str) -> etree.Element:
        element = etree.Element(self.PART)
        element.text = text
        return element


def is_long(text: str | None) -> bool:
    return text is not None and len(text) > RUN and not isinstance(text, AtomicString)


def parts(text: str) -> Iterator[str]:
    """``text`` in pieces of at most ``RUN`` characters, cut at white space where there is some."""
    start = 0
    while len(text) - start > RUN:
        cut = max(text.rfind(" ", start, start + RUN), text.rfind("\n", start, start + RUN))
        end = cut if cut > start else start + RUN
        yield text[start:end]
        start = end
    yield text[start:]


class BoundedLink(LinkInlineProcessor):
    """How all marks with brackets find their ends. Each character is read a fixed number of times:

    a search that meets a deeper bracket than ``BRACKETS`` ends there, and no more than ``WASTE``
    characters of a page are read in vain behind the opening parenthesis of an address.
    """

    def getText(self, data: str, index: int) -> tuple[str, int, bool]:
        depth = 1
        for bracket in BRACKET.finditer(data, index):
            depth += 1 if bracket[0] == "[" else -1
            if depth == 0:
                return data[index : bracket.start()], bracket.end(), True
            if depth > BRACKETS:
                break
        return "", index, False

    def getLink(self, data: str, index: int) -> tuple[str, str | None, int, bool]:
        if not data.startswith("(", index):
            return "", None, index, False
        limit = ADDRESS if self.md.wiki_waste < WASTE else SHORT_ADDRESS
        window = data[index : index + limit]
        if ")" not in window:
            return "", None, index, False
        href, title, end, handled = super().getLink(window, 0)
        handled = handled and end > 0  # the library loses its place in [a]("b (c) d
        if not handled:
            self.md.wiki_waste += len(window)
        return href, title, index + end, handled


class Image(BoundedLink, ImageInlineProcessor):
    pass


class BoundedReference(BoundedLink, ReferenceInlineProcessor):
    """``[text][1]``, ``[1]``: an address written once and repeated at each mark."""

    def makeTag(self, href: str, title: str | None, text: str) -> etree.Element | None:
        """The link or image; None, by which the mark stays text, where too much is repeated."""
        self.md.wiki_repeated += len(href) + len(title or "")
        return super().makeTag(href, title, text) if self.md.wiki_repeated <= REPEATED else None


class ShortReference(BoundedReference, ShortReferenceInlineProcessor):
    pass


class ImageReference(BoundedReference, ImageReferenceInlineProcessor):
    pass


class ShortImageReference(BoundedReference, ShortImageReferenceInlineProcessor):
    pass


LINK_PATTERNS = (  # name and priority as in the library
    (BoundedReference, "reference", 170),
    (BoundedLink, "link", 160),
    (Image, "image_link", 150),
    (ImageReference, "image_reference", 140),
    (ShortReference, "short_reference", 130),
    (ShortImageReference, "short_image_ref", 125),
)


class Bounds(Extension):
    """Takes over; to be the first of the extensions, since others keep the parser of blocks."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.registerExtension(self)
        self.md = md
        bounded = BoundedParser(md)
        for processor in md.parser.blockprocessors:
            processor.parser = bounded
        bounded.blockprocessors = md.parser.blockprocessors
        md.parser = bounded
        md.preprocessors.register(FencedCode(md), "fenced_code_block", 25)
        md.preprocessors.register(HideAngles(md), "wiki_angles", 22)  # after fenced code
        md.preprocessors.register(HtmlBlocks(md), "html_block", 20)
        md.preprocessors.register(Shallow(md), "wiki_shallow", 10)
        md.postprocessors.register(ShowAngles(md), "wiki_angles", 1)
        md.treeprocessors.register(ShortRuns(md), "wiki_short_runs", 21)
        md.inlinePatterns.register(Emphasis(md), "em_strong", 60)
        for processor, name, priority in LINK_PATTERNS:
            pattern = md.inlinePatterns[name].pattern
            md.inlinePatterns.register(processor(pattern, md), name, priority)

    def reset(self) -> None:
        self.md.wiki_waste = self.md.wiki_repeated = 0
