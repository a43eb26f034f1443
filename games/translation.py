"""The texts of games in the reader's language. English is the key; a game's ``locale/<language>.json``
says each text in another language (empty: not yet). A sentence is told wholly in one language: where one
of its parts is not translated, all of it stays English, and says so (``lang``).

The reader is whoever asks, in the language that the account chose. The site's own words are English.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, cached_property
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

from games.engine import Msg

logger = logging.getLogger(__name__)

LIBRARY = Path(__file__).resolve().parent / "library"
SHARED = Path(__file__).resolve().parent / "locale"  # what engine and platform say at every game
ENGLISH = "en"
WORDINGS = ("text", "you", "to_you")
FIELD = re.compile(r"\{\w+\}")


class BadCatalogue(Exception):
    """A catalogue that cannot be read; says where and why."""


class Told(str):
    """A line for a page. ``lang``: the code of its language; empty where that is the page's, English."""

    lang: str

    def __new__(cls, text: str, lang: str = "") -> Told:
        told = super().__new__(cls, text)
        told.lang = "" if lang == ENGLISH else lang
        return told


class Reader:
    """Who reads, and in which languages they like to. Asked only where there is a choice."""

    def __init__(self, ask: Callable[[], Sequence[str]]) -> None:
        self._ask = ask

    @cached_property
    def wishes(self) -> Sequence[str]:
        """Codes of languages, the best first."""
        return self._ask()


_reader: ContextVar[Reader | None] = ContextVar("who reads", default=None)


def wishes_of(person: Any) -> Sequence[str]:
    """The languages that a person (an account, an anonymous one, or None) chose to read. What a browser
    asks for does not count: the pages around a game are English, and nobody should find the two mixed who
    did not choose it."""
    chosen = getattr(person, "reads", "")
    return [chosen] if chosen else []


def read_by(reader: Reader) -> None:
    """From here on, in this task, texts are for ``reader``."""
    _reader.set(reader)


@contextmanager
def reading(reader: Reader) -> Iterator[Reader]:
    """Texts are for ``reader`` meanwhile."""
    token = _reader.set(reader)
    try:
        yield reader
    finally:
        _reader.reset(token)


def language_of(slug: str) -> str:
    """The language in which the texts of a game are told to the present reader; where nobody in
    particular reads, or nothing fits, that of the site."""
    known = languages_of(slug)
    if len(known) == 1:
        return ENGLISH
    reader = _reader.get()
    wishes = [] if reader is None else reader.wishes
    for wish in [*wishes, get_language() or ENGLISH]:
        wish = wish.lower()
        for code in (wish, wish.partition("-")[0]):
            if code in known:
                return code
    return ENGLISH


def translated(data: Any, slug: str) -> Any:
    """``data`` (``Msg.data()``, or anything as JSON that holds such) in the reader's language. A text that
    stays English where the reader has chosen another language has ``lang``, its code."""
    language = language_of(slug)
    return data if language == ENGLISH else _translated(data, catalogue(slug, language))


def translated_text(text: str, slug: str) -> Told:
    """``text`` of a game in the reader's language, or in English."""
    language = language_of(slug)
    found = None if language == ENGLISH else catalogue(slug, language).get(text)
    return Told(text) if found is None else Told(found, language)


def told(msg: Msg, slug: str, names: Sequence[str], viewer: int | None) -> Told:
    """``msg`` in the reader's language as one line, as the person at seat ``viewer`` reads it."""
    data = translated(msg.data(), slug)
    return Told(Msg.from_data(data).plain(names, viewer), data.get("lang", language_of(slug)))


def languages_of(slug: str) -> tuple[str, ...]:
    """Codes of the languages in which the texts of a game are there: English, then its catalogues."""
    return _languages(LIBRARY, slug)


@cache
def _languages(library: Path, slug: str) -> tuple[str, ...]:
    found = {path.stem.lower() for path in (library / slug / "locale").glob("*.json")}
    return (ENGLISH, *sorted(found - {ENGLISH}))


def all_languages(slugs: Sequence[str]) -> list[str]:
    """Codes of all languages in which one of these games can be read."""
    return sorted({code for slug in slugs for code in languages_of(slug)})


def catalogue(slug: str, language: str) -> Mapping[str, str]:
    """English text -> text, of the game and of what is said at every game. What is not translated yet is
    not in it; nor is a file that cannot be read, which the log says once."""
    return _catalogue(LIBRARY, slug, language)


@cache
def _catalogue(library: Path, slug: str, language: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for folder in (SHARED, library / slug / "locale"):
        for path in folder.glob("*.json"):
            if path.stem.lower() != language:
                continue
            try:
                found |= {key: text for key, text in read_catalogue(path).items() if text}
            except BadCatalogue:
                logger.exception("catalogue left out: game=%s language=%s", slug, language)
    return found


def read_catalogue(path: Path) -> dict[str, str]:
    """Raises BadCatalogue."""
    where = f"{path.parent.parent.name}/locale/{path.name}"
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise BadCatalogue(f"{where}: {error}") from error
    if not isinstance(found, dict) or not all(isinstance(text, str) for text in found.values()):
        raise BadCatalogue(f"{where}: this is no object of texts.")
    return found


def _translated(value: Any, texts: Mapping[str, str]) -> Any:
    if isinstance(value, list | tuple):
        return [_translated(part, texts) for part in value]
    if not isinstance(value, dict):
        return value
    if not isinstance(value.get("params"), dict):
        return {name: _translated(part, texts) for name, part in value.items()}
    try:
        return _whole(value, texts)
    except KeyError:
        return {**value, "lang": ENGLISH}


def _whole(value: Any, texts: Mapping[str, str]) -> Any:
    """A text with all that fills it. Raises KeyError where a part is not translated."""
    if isinstance(value, list | tuple):
        return [_whole(part, texts) for part in value]
    if not isinstance(value, dict):
        return value
    if not isinstance(value.get("params"), dict):
        return {name: _whole(part, texts) for name, part in value.items()}
    out = dict(value)
    for name in WORDINGS:
        if name in out and (out[name] in texts or not _is_neutral(out[name])):
            out[name] = texts[out[name]]
    out["params"] = _whole(value["params"], texts)
    return out


def _is_neutral(text: str) -> bool:
    """Whether a text without its parameters has no letter, and so is the same in any language."""
    return not any(map(str.isalpha, FIELD.sub("", text)))
