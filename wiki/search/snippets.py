"""The words around what was found, with what was found marked: pieces of text, never HTML."""

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, takewhile

from wiki.search.query import Query, Wanted
from wiki.search.words import LONE, fold, in_scripts, places, term, terms

LENGTH = 220  # characters of a snippet
LOOKED_AT = 24  # places of each word that are compared
NEAR = LENGTH * 2 // 3  # characters from the first to the last word of a snippet
SCANNED = 100_000  # characters at most, where the words cannot be found by their beginnings

Pieces = list[tuple[str, bool]]


class Marker:
    """Marks the words of a query in texts."""

    def __init__(self, query: Query) -> None:
        self.wanted = self._sought(row for row in query.wanted if not row.begins)
        self.begins = tuple(row.terms[-1] for row in query.wanted if row.begins)
        self.letters = tuple({word[0] for word in self.wanted | set(self.begins)})
        self.beginnings = {word[: max(3, len(word) - 1)] for word in self.wanted} | {*self.begins}
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
        starts = {at for begun in self.beginnings for at in beginning_with(begun, text)}
        for start in sorted(starts):
            place = next(places(text, start), None)
            if place is not None and (made := self.sought(place[0])):
                found.append((place.start(), made))
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
        """Where the snippet begins and ends: around most of the words, the rarest above all."""
        if not found:
            return 0, whole_words(text, LENGTH)
        rarity = {made: 1 / many for made, many in Counter(made for _at, made in found).items()}
        best, most = found[0][0], 0.0
        for index, (place, _made) in enumerate(found):
            near = takewhile(
                lambda other, end=place + NEAR: other[0] < end, islice(found, index, None)
            )
            worth = sum(rarity[made] for made in {made for _at, made in near})
            if worth > most:
                best, most = place, worth
        start = max(0, best - LENGTH // 4)
        if start:
            start = text.find(" ", start, best) + 1 or start
        return start, whole_words(text, start + LENGTH)


def beginning_with(begun: str, text: str) -> Iterator[int]:
    """Where words of ``text`` begin with ``begun``, in any case; at most ``LOOKED_AT`` places."""
    lower = text.lower()
    if len(lower) != len(text):  # a letter that is two in lower case
        lower = "".join(one if len(one) == 1 else "?" for one in map(str.lower, text))
    at = lower.find(begun)
    left = LOOKED_AT
    while at >= 0 and left:
        if not at or not lower[at - 1].isalnum() or LONE.match(lower[at - 1]):
            left -= 1
            yield at
        at = lower.find(begun, at + 1)


def whole_words(text: str, end: int) -> int:
    """``end``, or a little before it, so that no word is cut."""
    if end >= len(text):
        return len(text)
    space = text.rfind(" ", end - 30, end)
    return space if space > 0 else end
