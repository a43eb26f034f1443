"""The words around what was found, with what was found marked: pieces of text, never HTML."""

import re
from collections.abc import Iterable

from wiki.search.query import Query, Wanted
from wiki.search.words import fold, in_scripts, places, term, terms

LENGTH = 220  # characters of a snippet
LOOKED_AT = 60  # places of words that are compared
SCANNED = 100_000  # characters at most, where the words cannot be found by their beginnings

Pieces = list[tuple[str, bool]]


class Marker:
    """Marks the words of a query in texts."""

    def __init__(self, query: Query) -> None:
        self.wanted = self._sought(row for row in query.wanted if not row.begins)
        self.begins = tuple(row.terms[-1] for row in query.wanted if row.begins)
        self.letters = tuple({word[0] for word in self.wanted | set(self.begins)})
        beginnings = {re.escape(word[: max(3, len(word) - 1)]) for word in self.wanted}
        beginnings |= {re.escape(word) for word in self.begins}
        self.beginning = re.compile("|".join(sorted(beginnings)), re.IGNORECASE)
        self.language = ""

    def _sought(self, rows: Iterable[Wanted]) -> frozenset[str]:
        found = {word for row in rows for word in row.terms}
        return frozenset(
            found
            | {made for word in found for one in in_scripts(word, "sr") for made in terms(one)}
        )

    def sought(self, word: str) -> str:
        """The term that ``word`` of a text was looked for by, or nothing."""
        for written in in_scripts(word, self.language):
            if not fold(written).startswith(self.letters):
                continue  # no ending changes the first letter
            made = term(written)
            if made in self.wanted or (self.begins and made.startswith(self.begins)):
                return made
        return ""

    def marked(self, text: str, start: int = 0, end: int | None = None) -> Pieces:
        """``text`` in pieces, each with whether it was looked for. Signs that belong together because
        no space parts them are one piece."""
        end = len(text) if end is None else end
        pieces: Pieces = []
        done = start
        for place in places(text, start, end):
            if not self.sought(place[0]):
                continue
            if place.start() > done or not pieces or not pieces[-1][1]:
                if place.start() > done:
                    pieces.append((text[done : place.start()], False))
                pieces.append((place[0], True))
            else:
                pieces[-1] = (pieces[-1][0] + place[0], True)
            done = place.end()
        if done < end:
            pieces.append((text[done:end], False))
        return pieces

    def snippet(self, text: str) -> Pieces:
        """The stretch of ``text`` that holds most of the words, marked; its beginning where it holds
        none."""
        found = self._found(text)
        start, end = self._stretch(text, found)
        pieces = self.marked(text, start, end)
        if start:
            pieces.insert(0, ("…", False))
        if end < len(text):
            pieces.append(("…", False))
        return pieces

    def _found(self, text: str) -> list[tuple[int, str]]:
        """Places of words that were looked for, the first ones, with their terms."""
        found: list[tuple[int, str]] = []
        if self.beginning.pattern:
            for begun in self.beginning.finditer(text):
                start = begun.start()
                if start and text[start - 1].isalnum() and text[start - 1].isascii():
                    continue
                place = next(places(text, start), None)
                if place is not None and (made := self.sought(place[0])):
                    found.append((place.start(), made))
                    if len(found) == LOOKED_AT:
                        return found
        if found:
            return found
        for place in places(text, 0, min(len(text), SCANNED)):  # other accents, another script
            if made := self.sought(place[0]):
                found.append((place.start(), made))
                if len(found) == LOOKED_AT:
                    break
        return found

    @staticmethod
    def _stretch(text: str, found: list[tuple[int, str]]) -> tuple[int, int]:
        if not found:
            return 0, whole_words(text, LENGTH)
        best, most = found[0][0], 0
        for index, (place, _made) in enumerate(found):
            near = {made for at, made in found[index:] if at < place + LENGTH * 2 // 3}
            if len(near) > most:
                best, most = place, len(near)
        start = max(0, best - LENGTH // 4)
        if start:
            start = text.find(" ", start, best) + 1 or start
        return start, whole_words(text, start + LENGTH)


def whole_words(text: str, end: int) -> int:
    """``end``, or a little before it, so that no word is cut."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", end - 30, end)
    return space if space > 0 else end
