"""What somebody types into the search box: words that must all be there, "words in a row", -words that
must not be there, and begin* of a word. Anything can be typed; what holds no word is passed over."""

import re
from dataclasses import dataclass, replace

from wiki.search.words import WORD, fold, term

MAX_QUERY = 300  # characters; the rest is passed over
MAX_WANTED = 16  # words or rows of words
PART = re.compile(r'(-?)"([^"]*)"|(\S+)')
QUOTES = str.maketrans("“”„«»", '"' * 5)


@dataclass(frozen=True)
class Wanted:
    """Words that stand in a row; most often one. ``typed`` are they as they were typed."""

    terms: tuple[str, ...]
    typed: str
    begins: bool = False  # the last one need only begin so

    @property
    def word(self) -> str:
        """The folded word, where it is a single whole one; else nothing."""
        return "" if self.begins or len(self.terms) != 1 else fold(WORD.search(self.typed)[0])


@dataclass(frozen=True)
class Query:
    """``wanted`` must all be there, ``unwanted`` none of them."""

    wanted: tuple[Wanted, ...] = ()
    unwanted: tuple[Wanted, ...] = ()

    @property
    def typed(self) -> str:
        """The query as one would type it."""
        return " ".join(
            [row.typed for row in self.wanted] + [f"-{row.typed}" for row in self.unwanted]
        )

    def with_words(self, others: dict[str, str]) -> "Query":
        """The query with other words in place of some folded ones."""
        return replace(
            self,
            wanted=tuple(
                row_of(others[row.word]) if row.word in others else row for row in self.wanted
            ),
        )

    @property
    def begun(self) -> "Query":
        """The query with every single word as a beginning."""
        return replace(
            self,
            wanted=tuple(
                Wanted((row.word,), row.typed, begins=True) if len(row.word) > 2 else row
                for row in self.wanted
            ),
        )

    @property
    def apart(self) -> "Query":
        """The query with no words that must stand in a row."""
        rows = {
            word: Wanted((word,), word)
            for row in self.wanted
            if not row.begins
            for word in row.terms
        }
        kept = [row for row in self.wanted if row.begins]
        return replace(self, wanted=(*rows.values(), *kept)[:MAX_WANTED])


def read_query(text: str) -> Query:
    """The query that ``text`` says.

    >>> [row.terms for row in read_query('"pass left" it\\'s -(bad').wanted]
    [('pass', 'left'), ('it', 's')]
    """
    wanted: list[Wanted] = []
    unwanted: list[Wanted] = []
    for minus, quoted, word in PART.findall(text[:MAX_QUERY].translate(QUOTES)):
        if word:
            minus = "-" if word.startswith("-") else ""
            row = row_of(word.lstrip("-"))
        else:
            row = row_of(quoted, quoted=True)
        rows = unwanted if minus else wanted
        if row.terms and len(rows) < MAX_WANTED and all(row.terms != other.terms for other in rows):
            rows.append(row)
    return Query(tuple(wanted), tuple(unwanted))


def row_of(text: str, *, quoted: bool = False) -> Wanted:
    words = WORD.findall(text)
    begins = not quoted and text.endswith("*") and bool(words)
    found = [fold(word) if begins and word is words[-1] else term(word) for word in words]
    typed = f'"{text}"' if quoted else text
    return Wanted(tuple(filter(None, found)), typed, begins)
