"""Text renderings of MediaWiki contribution feeds -> records. Pure: no Django, no database.

Such a file is the Atom feed of one person's contributions, newest first, with its markup lost::

    Site - User contributions [en]

    Title of a page

    2024-12-09T12:33:13Z

    User: summary

    the whole text of the page as this edit left it

A header is a title, a time and a byline, parted by exactly one blank line each, after a blank line.
The texts are not escaped, so a text may hold lines of the same shape. A header is accepted only
where nothing else can be meant:

* The first one opens the feed, right below its title; its user owns the feed. The same shape with
  another user is text: it stays in the text and is told in ``Feed.notes``. Where another user
  has as many of them as the owner, nobody knows whose feed it is: the file is refused.
* Times never rise. A header of the owner that is later than the one above it means that one of
  the two is text: the file is refused.
* A time alone on its line that stands in half a header (no byline, a blank line too few) is a
  damaged header: the file is refused.

Every refusal is a FeedTextError with the number of the line, from 1.
"""

import ipaddress
import re
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from itertools import pairwise

from wiki.errors import WikiError
from wiki.titles import check_title, split_namespace

LANGUAGE_END = re.compile(r" \[([a-z][a-z0-9-]*)\] *")
TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f]")  # what no XML, hence no feed, can hold
CREATED = re.compile(r'Created page with "(?P<start>.*)"', re.DOTALL)
# The whole of the automatic summary for an emptied page, in some languages of MediaWiki.
BLANKED = frozenset(
    {
        "Blanked the page",
        "Page blanchie",
        "Página blanqueada",
        "Página em branco",
        "Pagina svuotata",
        "Die Seite wurde geleert.",
        "Pagina leeggehaald",
        "Полностью удалено содержимое страницы",
    }
)
# In no title of MediaWiki.
TITLE_MARKS = frozenset("#<>[]{}|")
USER_MARKS = frozenset("#<>[]{}|/")
MAX_SITE, MAX_LANGUAGE, MAX_IPV6 = 255, 16, 45  # characters
ASK = "Ask for the feed as Atom or for the wiki's XML export"


class FeedTextError(Exception):
    """The file cannot be read. ``line`` counts from 1; ``str()`` names it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


class TextState(StrEnum):
    """What an entry tells of the page's text; the values are those of ``Revision.text_state``."""

    PRESENT = "present"
    BLANK = "blank"  # emptied on purpose: the summary says so
    FILE = "file"  # the page of a file; neither bytes nor description came with it
    MISSING = "missing"  # empty, and nobody knows why


@dataclass(frozen=True)
class Entry:
    """One edit. ``text`` is the wikitext as read; ``line`` is where its title stands, from 1."""

    title: str
    timestamp: datetime
    user: str
    summary: str
    text: str
    state: TextState
    line: int
    notes: tuple[str, ...] = ()  # sentences about this entry that are worth a look


@dataclass(frozen=True)
class Feed:
    """A feed as it stands in the file: entries newest first, as read."""

    site: str
    label: str
    language: str
    owner: str
    entries: tuple[Entry, ...]
    notes: tuple[str, ...] = ()  # sentences with line numbers: what looked like a header


@dataclass(frozen=True)
class PlainText:
    """A file without a feed's title: the text of one page, of unknown title, author and time."""

    text: str


@dataclass(frozen=True)
class FeedTitle:
    site: str
    label: str
    language: str


@dataclass(frozen=True)
class _Header:
    at: int  # index of the title's line
    title: str
    timestamp: datetime
    user: str
    summary: str


def decode(data: bytes) -> str:
    """The text of a file: UTF-8 with or without mark, any line ends. Raises FeedTextError."""
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FeedTextError(line, "this is not UTF-8 text.") from error
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if control := CONTROL.search(text):
        line = text.count("\n", 0, control.start()) + 1
        raise FeedTextError(line, f"a control character (U+{ord(control[0]):04X}) stands here.")
    return text


def read(data: bytes) -> Feed | PlainText:
    """Read a file: a feed when its first line is a feed's title, else the text of a page.

    Raises FeedTextError where the file is damaged or can be read in two ways.
    """
    text = decode(data).removesuffix("\n").removesuffix("\n")  # line end, one blank line
    lines = text.split("\n")
    title = feed_title(lines[0])
    if title is None or (len(lines) > 1 and lines[1]):
        return _plain(text, lines)
    if len(title.language) > MAX_LANGUAGE or len(title.site) > MAX_SITE:
        raise FeedTextError(1, "no site has so long a name or a language so long a code.")
    if len(lines) < 3:
        raise FeedTextError(1, "the feed has a title and nothing below it.")
    headers, notes = _headers(lines, title.site)
    entries = [
        _entry(header, lines, after.at - 1 if after else len(lines))
        for header, after in zip(headers, [*headers[1:], None], strict=True)
    ]
    entries[-1] = _look_at_end(entries)
    notes += [
        f"line {entry.line}: two entries of {entry.title} name the same second; "
        "the upper one is taken as the later."
        for entry, after in pairwise(entries)
        if (entry.title, entry.timestamp) == (after.title, after.timestamp)
    ]
    return Feed(
        site=title.site,
        label=title.label,
        language=title.language,
        owner=headers[0].user,
        entries=tuple(entries),
        notes=tuple(notes),
    )


def feed_title(line: str) -> FeedTitle | None:
    """The parts of "Site - label [language]". One look at the line: a text may hold long ones."""
    start = line.rfind(" [")
    end = LANGUAGE_END.fullmatch(line, start) if start > 0 else None
    if end is None:
        return None
    site, _dash, label = line[:start].partition(" - ")
    if not site[:1].strip() or not label[:1].strip():
        return None
    return FeedTitle(site, label, end[1])


def _plain(text: str, lines: list[str]) -> PlainText:
    """The text of one page. Raises FeedTextError when it is empty or holds a feed's headers."""
    if not text.strip():
        raise FeedTextError(1, "the file is empty.")
    for at, line in enumerate(lines):
        if TIME.fullmatch(line.rstrip()) and _header_around(lines, at):
            raise FeedTextError(
                at - 1, "an entry header stands here, but the file begins with no feed title."
            )
    return PlainText(text.strip("\n"))


def split_byline(line: str) -> tuple[str, str] | None:
    """``(user, summary)`` of "user: summary" with any wiki's colon; None where it is no byline.

    A user may be an IPv6 address, whose own colons come first.
    """
    colons = [match.start() for match in re.finditer("[:：]", line)]
    for at in reversed([at for at in colons if at <= MAX_IPV6 + 2]):
        user = line[:at].strip(" \u00a0")
        if ":" in user and _is_ipv6(user) and line[at + 1 : at + 2] in ("", " "):
            return user, line[at + 1 :].removeprefix(" ")
    if not colons:
        return None
    user = line[: colons[0]].rstrip(" \u00a0")
    if not _is_name(user, USER_MARKS):
        return None
    return user, line[colons[0] + 1 :].removeprefix(" ")


def _is_ipv6(text: str) -> bool:
    try:
        ipaddress.IPv6Address(text)
    except ValueError:
        return False
    return True


def _is_name(text: str, refused: frozenset[str]) -> bool:
    """Whether a wiki lets a page or a person be called so."""
    try:
        check_title(text)
    except WikiError:
        return False
    return text == text.strip() and not refused.intersection(text)


def _headers(lines: list[str], site: str) -> tuple[list[_Header], list[str]]:
    """The headers of a feed, and notes on what looked like one. Raises FeedTextError."""
    found: list[_Header] = []
    times = [at for at, line in enumerate(lines) if TIME.fullmatch(line.rstrip())]
    shaped = {at: header for at in times if (header := _header_around(lines, at))}
    first = shaped.get(4)
    if first is None:
        raise FeedTextError(3, "the first entry (title, time, byline) must stand here.")
    owner = first.user
    notes: list[str] = []
    others: dict[str, list[int]] = {}
    last = max(at for at, line in enumerate(lines) if line.strip())
    for at in times:
        header = shaped.get(at)
        if header is None:
            _check_lone_time(lines, at, owner, last)
            notes.append(f"line {at + 1}: a time alone on its line is taken as text.")
        elif header.user != owner:
            others.setdefault(header.user, []).append(at - 1)
        elif not _is_name(header.title, TITLE_MARKS):
            notes.append(f"line {at - 1}: no page can have this title; taken as text.")
        else:
            found.append(header)
    for before, header in pairwise(found):
        if header.timestamp > before.timestamp:
            raise FeedTextError(
                header.at + 1,
                "this entry is later than the one above it, and a feed runs newest first: either "
                f"this header or the one at line {before.at + 1} is the text of a page. {ASK}.",
            )
    for user, places in others.items():
        if len(places) >= len(found):
            raise FeedTextError(
                places[0],
                f"this could be an entry of {user} or the text of a page of {owner}'s. {ASK}.",
            )
        notes += [f"line {line}: a header of {user}'s is taken as text." for line in places]
    for at, line in enumerate(lines[1:], start=1):
        if at + 4 in shaped and (title := feed_title(line)) and title.site == site:
            raise FeedTextError(at + 1, "a second feed begins here; give each its own file.")
    return found, notes


def _header_around(lines: list[str], at: int) -> _Header | None:
    """The header whose time stands at index ``at``, if title, byline and blank lines are there."""
    if at < 4 or at + 2 >= len(lines):
        return None
    if lines[at - 3] or lines[at - 1] or lines[at + 1] or not lines[at - 2]:
        return None
    if at + 3 < len(lines) and lines[at + 3]:
        return None
    byline = split_byline(lines[at + 2])
    if byline is None:
        return None
    try:
        timestamp = datetime.strptime(lines[at].rstrip(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise FeedTextError(at + 1, f"there is no such time: {lines[at].rstrip()}.") from error
    return _Header(at - 2, lines[at - 2], timestamp, *byline)


def _check_lone_time(lines: list[str], at: int, owner: str, last: int) -> None:
    """Refuse a time that stands in half a header. Raises FeedTextError.

    ``last`` is the index of the last line that is not blank.
    """
    below = lines[at + 1 : at + 4]
    half = (
        at == last
        or any((split_byline(line) or ("",))[0] == owner for line in below)
        or (not lines[at - 1] and not lines[at - 3] and lines[at - 2] and not lines[at + 1])
    )
    if half:
        raise FeedTextError(
            at + 1, f"a time stands here, but no whole entry header is around it. {ASK}."
        )


def _entry(header: _Header, lines: list[str], end: int) -> Entry:
    """The entry below ``header``; ``end`` is the index after its text and the blank line below."""
    body = lines[header.at + 5 : end]
    body = body[1:] if body and not body[0] else body
    text = "\n".join(body)
    state = state_of(header.title, header.summary, text)
    notes: tuple[str, ...] = ()
    if state is TextState.MISSING:
        notes = ("The text is empty and no summary says that the page was blanked.",)
    elif state is TextState.PRESENT:
        notes = created_note(header.summary, text)
    return Entry(
        title=header.title,
        timestamp=header.timestamp,
        user=header.user,
        summary=header.summary,
        text=text,
        state=state,
        line=header.at + 1,
        notes=notes,
    )


def state_of(title: str, summary: str, text: str) -> TextState:
    """What an entry with ``text`` tells of the page's text."""
    if text.strip():
        return TextState.PRESENT
    if summary in BLANKED:
        return TextState.BLANK
    return TextState.FILE if split_namespace(title)[0] == "file" else TextState.MISSING


def created_note(summary: str, text: str) -> tuple[str, ...]:
    """A sentence where the summary of a page's creation quotes another text than ``text``."""
    created = CREATED.fullmatch(summary)
    if created is None:
        return ()
    start = "".join(created["start"].removesuffix("...").removesuffix("…").split())
    if "".join(text.split()).startswith(start):
        return ()
    return ("The text does not begin as the summary of its creation says.",)


def _look_at_end(entries: list[Entry]) -> Entry:
    """The last entry, with a note where the file may have been cut off inside it."""
    last = entries[-1]
    newer = [len(entry.text) for entry in entries[:-1] if entry.title == last.title and entry.text]
    cut = last.state is TextState.MISSING or (newer and 2 * len(last.text) < newer[-1])
    if not cut or last.state is TextState.BLANK:
        return last
    return replace(last, notes=(*last.notes, "It ends the file, which may have been cut off."))
