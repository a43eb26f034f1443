"""MediaWiki's Atom feed of somebody's contributions -> the same entries as of its text rendering, but
exact: white space is kept, and each has the number of its revision. Pure.

Such a feed is what ``api.php?action=feedcontributions&feedformat=atom`` answers. The summary of an
entry is HTML: ``<p>user: comment</p>``, a rule, and ``<div>`` with the whole text, escaped, ``<br />``
before each line end. The number stands in the entry's link (``diff=`` or ``oldid=``). Feeds of a
page's history and of recent changes hold differences instead of texts: they are refused.
"""

import html
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from wiki.interchange.feed_text import TextState, created_note, feed_title, state_of

ATOM = "{http://www.w3.org/2005/Atom}"
BODY = re.compile(r"<p>(?P<byline>.*?)</p>\s*<hr ?/?>\s*<div>(?P<text>.*)</div>", re.DOTALL)
NUMBER = re.compile(r"[?&](?:diff|oldid)=(\d{1,18})(?:&|$)")
COLON = re.compile(r"[ \u00a0]?[:：][ \u00a0]?")
BREAK = re.compile(r"<br ?/?>(?=\n|$)")


class AtomError(Exception):
    """The file cannot be read; the sentence says which entry."""


@dataclass(frozen=True)
class AtomEntry:
    """One edit; ``revid`` is the number of the revision there, or None."""

    title: str
    timestamp: datetime
    user: str
    summary: str
    text: str
    state: TextState
    revid: int | None
    number: int  # of the entry in the feed, from 1
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class AtomFeed:
    """``site`` and ``language`` are empty where the feed's title does not tell them."""

    site: str
    language: str
    owner: str
    entries: tuple[AtomEntry, ...]


def read(data: bytes) -> AtomFeed:
    """The entries of a feed, newest first as they stand in it. Raises AtomError."""
    try:
        root = fromstring(data, forbid_dtd=True)
    except DefusedXmlException as error:
        raise AtomError("the feed declares a document type or entities; it is not read.") from error
    except ParseError as error:
        raise AtomError(f"the feed is damaged, or was cut off: {error}.") from error
    if root.tag != f"{ATOM}feed":
        raise AtomError("this is no Atom feed.")
    title = feed_title(text_of(root, "title"))
    entries = tuple(
        entry_of(entry, number) for number, entry in enumerate(root.iter(f"{ATOM}entry"), start=1)
    )
    return AtomFeed(
        site=title.site if title else "",
        language=title.language if title else "",
        owner=entries[0].user if entries else "",
        entries=entries,
    )


def text_of(element: Element, path: str) -> str:
    found = element.find("/".join(ATOM + part for part in path.split("/")))
    return (found.text or "") if found is not None else ""


def entry_of(entry: Element, number: int) -> AtomEntry:
    title = " ".join(text_of(entry, "title").split())
    user = text_of(entry, "author/name").strip()
    said = text_of(entry, "updated").strip()
    try:
        timestamp = datetime.strptime(said, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
    except ValueError as error:
        raise AtomError(f"entry {number}: there is no such time: {said[:40]}.") from error
    body = BODY.fullmatch(text_of(entry, "summary").strip())
    if not title or body is None or "<table" in body["text"]:
        raise AtomError(
            f"entry {number}: it does not hold the text of a page. Feeds of a history or of recent "
            "changes hold differences only: ask for the contributions of a person "
            "(action=feedcontributions), or for the XML export."
        )
    byline = html.unescape(body["byline"])
    if user and byline.startswith(user) and (colon := COLON.match(byline, len(user))):
        summary = byline[colon.end() :]
    else:
        name, found, summary = byline.partition(":")
        user, summary = user or name.strip(), summary.strip() if found else ""
    if not user:
        raise AtomError(f"entry {number}: it does not say who wrote it.")
    text = html.unescape(BREAK.sub("", body["text"])).replace("\r\n", "\n").replace("\r", "\n")
    state = state_of(title, summary, text)
    revid = next(
        (
            int(found[1])
            for link in entry.iter(f"{ATOM}link")
            if (found := NUMBER.search(link.get("href", "")))
        ),
        None,
    )
    notes = created_note(summary, text) if state is TextState.PRESENT else ()
    if state is TextState.MISSING:
        notes = ("The text is empty and no summary says that the page was blanked.",)
    return AtomEntry(title, timestamp, user, summary, text, state, revid, number, notes)
