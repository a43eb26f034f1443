"""Footnotes, with ids that are numbers, and in time that grows with the text only.

The library counts all notes again at each mark, and all marks of a note at each further one. A note
inside another note is text: it would change the list that is being written.
"""

import xml.etree.ElementTree as etree
from collections import Counter

from markdown import Markdown
from markdown.extensions.footnotes import (
    FootnoteBlockProcessor,
    FootnoteExtension,
    FootnoteInlineProcessor,
)

WAYS_BACK = 20  # places in the text that a note leads back to


class Footnotes(FootnoteExtension):
    """``numbers``: from 1, by the name that the text gives to a note, once all are known."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        super().__init__(BACKLINK_TITLE="Back to the text, note {}")

    def extendMarkdown(self, md: Markdown) -> None:
        super().extendMarkdown(md)
        pattern = md.inlinePatterns["footnote"].pattern
        md.parser.blockprocessors.register(Definition(self), "footnote", 17)
        md.inlinePatterns.register(Mark(pattern, self), "footnote", 175)

    def reset(self) -> None:
        super().reset()
        self.numbers = {}
        self.places: Counter[int] = Counter()

    def makeFootnotesDiv(self, root: etree.Element) -> etree.Element | None:
        self.numbers = {name: number for number, name in enumerate(self.footnotes, start=1)}
        return super().makeFootnotesDiv(root)

    def makeFootnoteId(self, id: str) -> str:
        return f"fn:{self.numbers[id]}"

    def makeFootnoteRefId(self, id: str, found: bool = False) -> str:
        """The id of a place that a note belongs to: of the first, or of the next one ``found``."""
        number = self.numbers[id]
        first = f"fnref:{number}"
        if not found:
            return first
        self.places[number] += 1
        times = self.places[number]
        self.found_refs[first] = min(times, WAYS_BACK)
        return first if times == 1 else f"fnref{times}:{number}"


class Definition(FootnoteBlockProcessor):
    def run(self, parent: etree.Element, blocks: list[str]) -> bool:
        if not self.footnotes.numbers:
            return super().run(parent, blocks)
        if not self.RE.search(blocks[0]):
            return False
        etree.SubElement(parent, "p").text = blocks.pop(0).strip()
        return True


class Mark(FootnoteInlineProcessor):
    def handleMatch(self, m, data: str) -> tuple[etree.Element | None, int | None, int | None]:
        name = m[1]
        if name not in self.footnotes.numbers:
            return None, None, None
        place = etree.Element("sup", {"id": self.footnotes.makeFootnoteRefId(name, found=True)})
        link = etree.SubElement(place, "a", {"class": "footnote-ref"})
        link.set("href", f"#{self.footnotes.makeFootnoteId(name)}")
        link.text = str(self.footnotes.numbers[name])
        return place, m.start(0), m.end(0)
