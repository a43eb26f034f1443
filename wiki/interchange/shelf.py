"""Pieces of wikitext that are set aside while the text around them is converted. Pure.

A piece leaves a mark in the text: its number between two code points that no text can hold.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

OPEN, CLOSE = "\ufdd0", "\ufdd1"
BREAK = "\ufdd2"  # a line break inside a line, as <br> makes it
RESERVED = re.compile(f"[{OPEN}{CLOSE}{BREAK}]")
MARK = re.compile(f"{OPEN}(\\d+){CLOSE}")


@dataclass(frozen=True)
class Piece:
    """``markdown`` is final; ``plain`` is how it reads without markup; a block stands alone."""

    markdown: str
    plain: str
    block: bool = False


@dataclass
class Shelf:
    """The pieces of one text, what was noticed about it, and its footnotes."""

    pieces: list[Piece] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)  # warning -> how often
    names: dict[str, dict[str, None]] = field(default_factory=dict)  # warning -> what it is about
    footnotes: list[str] = field(default_factory=list)  # Markdown of each
    footnote_names: dict[str, int] = field(default_factory=dict)  # name -> number
    numbered_links: int = 0
    # How the wiki calls its namespaces, in lower case -> "File", "Category", "Talk"
    namespaces: Mapping[str, str] = field(default_factory=dict)

    def in_our_words(self, title: str) -> str:
        """``title`` with the namespace that it names called as it is here."""
        prefix, colon, name = title.partition(":")
        ours = self.namespaces.get(" ".join(prefix.replace("_", " ").split()).lower())
        return f"{ours}:{name}" if colon and ours else title

    def keep(self, markdown: str, plain: str, *, block: bool = False) -> str:
        """Set a piece aside and return its mark."""
        self.pieces.append(Piece(markdown, plain, block))
        return f"{OPEN}{len(self.pieces) - 1}{CLOSE}"

    def warn(self, warning: str) -> None:
        self.counts[warning] = self.counts.get(warning, 0) + 1

    def warn_of(self, warning: str, name: str) -> None:
        """Add ``name`` to what ``warning`` lists, once."""
        self.names.setdefault(warning, {})[name] = None

    def warnings(self) -> list[str]:
        """Sentences, each once, with how often it applies or what it is about."""
        lists = [f"{text}: {', '.join(names)}." for text, names in self.names.items()]
        return lists + [
            f"{text}." if count == 1 else f"{text} ({count} times)."
            for text, count in self.counts.items()
        ]

    def plain(self, text: str) -> str:
        """``text`` with its marks read out plainly."""
        return MARK.sub(lambda match: self.pieces[int(match[1])].plain, text).replace(BREAK, " ")

    def markdown(self, text: str) -> str:
        """``text`` with its marks as Markdown."""
        return MARK.sub(lambda match: self.pieces[int(match[1])].markdown, text)
