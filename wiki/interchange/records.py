"""What an importer stores, whatever kind of file it came from: entries of feeds, revisions of exports.

Kinds, the best last: the text of a page, the text rendering of a feed, a feed, an export. ``Record.key``
is the same for the same entry in any file of its kind: of an entry with a number (of its revision
there) it is made of site and number, of one without of site, title, time and author.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from wiki.errors import WikiError
from wiki.interchange import mediawiki_xml as xml
from wiki.interchange.additions import UNSET, Head, PageData, RevisionData, Source, decoded
from wiki.interchange.contributions_atom import AtomEntry, AtomFeed
from wiki.interchange.feed_text import Entry, Feed, PlainText, TextState
from wiki.interchange.opening import open_export
from wiki.titles import check_title, title_key

UNKNOWN_AUTHOR = "unknown"
MAX_NAME = 255  # characters of an author's name
RANKS = {"page-text": 0, "feed-text": 1, "atom": 2, "xml": 3, "parlour": 3}
# Namespaces of MediaWiki by number; every odd one holds the talk pages of the one before it.
FILES, CATEGORIES = 6, 14
LEFT_OUT = {2: "pages about people", 3: "talk pages of people", 8: "messages of the software"}
LEFT_OUT |= {9: "talk pages of messages", 828: "modules of code", 829: "talk pages of modules"}
NOTED = {10: "A template of the wiki it comes from: pages here do not use it."}


class ImportRefused(Exception):
    """A file that cannot be imported; the sentence names the file, and the line if there is one."""


@dataclass(frozen=True)
class Record:
    """One entry to store."""

    title: str  # as read
    timestamp: datetime | None
    author_name: str
    summary: str
    text: str  # wikitext as read
    state: TextState
    line: int
    key: str  # the same for the same entry in any file
    order: int = 0  # among entries of the same page and second: the larger is the later
    notes: tuple[str, ...] = ()
    called: str = ""  # what the page is called here, where that is not made of the title
    revid: int | None = None  # its number there
    parent: int | None = None  # the number of the revision before it there
    minor: bool = False
    refused: bool = False  # its text is damaged
    literal: bool = False  # ``text`` is no wikitext and is shown as it stands
    namespaces: Mapping[str, str] = field(default_factory=dict)  # see ``wikitext.convert``
    # Of a revision of another wiki like this one:
    markdown: str | None = None
    written_there: bool = False  # ``text`` is the Markdown: there is no other original
    event: str = ""
    language: str = ""
    aliases: tuple[str, ...] = ()
    # Of one that the other wiki had imported itself: from which file, under which title; and the key by
    # which it is known where it was taken for an edit of that wiki.
    source: Source | None = None
    origin_title: str = ""
    also: str = ""


@dataclass(frozen=True)
class ReadFile:
    """A file that was read whole, or looked through, and may be stored.

    ``records`` can be gone through any number of times; where ``streamed`` is set they are read from
    the file each time. ``left_out`` counts pages that are not imported, by why.
    """

    name: str
    sha256: str
    kind: str
    site: str
    owner: str
    source_language: str  # as the file says
    page_language: str  # of pages that it makes
    records: Iterable[Record]
    notes: tuple[str, ...] = ()
    count: int = 0  # of records
    whole: int = 0  # of an export: all its revisions, also those that ``records`` leaves out
    streamed: bool = False
    path: Path | None = None
    head: Head | None = None  # of an export of ours
    left_out: dict[str, int] = field(default_factory=dict)

    def rank(self, record: Record) -> int:
        """How good a source of ``record`` this file is: as good as the one that it comes from."""
        return RANKS.get(record.source.kind, 0) if record.source else RANKS[self.kind]

    def site_of(self, record: Record) -> str:
        """The wiki that ``record`` was written on."""
        return record.source.site if record.source else self.site


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def number_key(site: str, revid: int) -> str:
    return digest("revision", site, str(revid))


def feed_records(feed: Feed | AtomFeed, site: str) -> Iterator[Record]:
    """The entries of ``feed``. Of those that name the same second the upper one is the later."""
    seen: Counter[tuple[str, ...]] = Counter()
    for entry in reversed(feed.entries):
        identity = (site, entry.title, entry.timestamp.isoformat(), entry.user)
        order = seen[identity]
        seen[identity] += 1
        revid = entry.revid if isinstance(entry, AtomEntry) else None
        key = digest(*identity, *([str(order)] if order else []))
        yield Record(
            title=entry.title,
            timestamp=entry.timestamp,
            author_name=entry.user,
            summary=entry.summary,
            text=entry.text,
            state=entry.state,
            line=entry.line if isinstance(entry, Entry) else entry.number,
            key=key if revid is None else number_key(site, revid),
            order=order,
            notes=entry.notes,
            revid=revid,
        )


def page_record(found: PlainText, title: str) -> Record:
    """The text of a page, of unknown author and time; known again by title and text."""
    return Record(
        title=title,
        timestamp=None,
        author_name=UNKNOWN_AUTHOR,
        summary="",
        text=found.text,
        state=TextState.PRESENT,
        line=1,
        key=digest("page-text", title_key(title), found.text),
    )


@dataclass(frozen=True)
class XmlRecords:
    """The revisions of an export, read from its file each time."""

    path: Path
    site: str

    def __iter__(self) -> Iterator[Record]:
        with open_export(self.path) as stream:
            yield from self.of(xml.read(stream))

    def of(
        self, items: Iterable[xml.Item], left_out: Counter[str] | None = None
    ) -> Iterator[Record]:
        """Records of the pages that are imported; counts the others in ``left_out``, by why."""
        site: xml.Site | None = None
        names: dict[str, str] = {}
        ours = False  # the export is of a wiki like this one
        sources: dict[str, Source] = {}  # which that wiki had imported
        called: str | None = ""
        page: xml.XmlPage | None = None
        seen: Counter[tuple[str, str]] = Counter()
        held: Record | None = None  # the latest, which may get a note once its page has ended
        for item in items:
            if isinstance(item, xml.Site):
                site, names, ours = item, names_of(item), bool(item.data)
                head: Head | None = decoded(item.data, Head) if ours else None
                sources = {one.sha256: one for one in head.sources} if head else {}
            elif isinstance(item, xml.XmlPage):
                page, seen = item, Counter()
                called, why = name_here(item, site or xml.Site())
                if ours and item.data.get("deleted"):
                    called, why = None, "deleted pages"
                if called is None and left_out is not None:
                    left_out[why] += 1
            elif isinstance(item, xml.PageEnd):
                if held is not None:
                    yield with_uploads(held, item.page)
                held = None
            elif isinstance(item, xml.XmlRevision) and page is not None and called is not None:
                if held is not None:
                    yield held
                if ours:
                    held = our_record(item, page, self.site, sources)
                else:
                    held = xml_record(item, page, called, self.site, seen, names)


def names_of(site: xml.Site) -> dict[str, str]:
    """What ``site`` calls the namespaces that have a meaning here, in lower case, and what we do."""
    ours = {FILES: "File", CATEGORIES: "Category", 1: "Talk"}
    return {
        name.lower(): ours[number] for number, name in site.namespaces.items() if number in ours
    }


def name_here(page: xml.XmlPage, site: xml.Site) -> tuple[str | None, str]:
    """What ``page`` is called here and "", or None and why it is left out.

    Numbers say which namespace a page is in, whatever the wiki's language calls it.
    """
    if page.ns in LEFT_OUT:
        return None, LEFT_OUT[page.ns]
    if page.ns < 0:
        return None, "special pages"
    name = page.title
    prefix = site.namespaces.get(page.ns, "")
    if page.ns and prefix and name.lower().startswith(f"{prefix.lower()}:"):
        name = name[len(prefix) + 1 :].strip()
    elif page.ns and ":" in name:
        name = name.partition(":")[2].strip()
    subject = page.ns - page.ns % 2
    if subject == FILES:
        name = f"File:{name}"
    elif subject == CATEGORIES:
        name = f"Category:{name}"
    elif subject:
        own = site.namespaces.get(subject, "")
        name = f"{own}:{name}" if own else page.title
    if page.ns % 2:
        name = f"Talk:{name}"
    try:
        check_title(name)
    except WikiError:
        return None, "pages that cannot be called so here"
    return name, ""


def xml_record(
    item: xml.XmlRevision,
    page: xml.XmlPage,
    called: str,
    site: str,
    seen: Counter[tuple[str, str]],
    names: Mapping[str, str],
) -> Record:
    slot = item.main
    notes = []
    if item.user is None:
        notes.append("The wiki it comes from had hidden its author.")
    if item.comment is None:
        notes.append("The wiki it comes from had hidden its summary.")
    if slot.trouble:
        notes.append(slot.trouble)
    for other in item.slots:
        if other.role != "main":
            notes.append(f"A second text ({other.role}) is left out.")
    literal = slot.model not in ("wikitext", "")
    if slot.text is not None and literal:
        notes.append(f"Its text is no wikitext but {slot.model}; it is shown as it stands.")
    if page.ns in NOTED:
        notes.append(NOTED[page.ns])
    text = slot.text or ""
    if slot.text is None:
        state = TextState.MISSING
    elif text.strip():
        state = TextState.PRESENT
    else:
        state = TextState.FILE if page.ns == FILES else TextState.BLANK
    user = (item.user or UNKNOWN_AUTHOR)[:MAX_NAME]
    moment = item.timestamp
    order = seen[identity := (moment.isoformat() if moment else "", user)]
    seen[identity] += 1
    return Record(
        title=page.title,
        called=called if page.ns else "",
        timestamp=moment,
        author_name=user,
        summary=item.comment or "",
        text=text,
        state=state,
        line=item.line,
        key=number_key(site, item.id),
        order=order,
        notes=tuple(notes),
        revid=item.id,
        parent=item.parent,
        minor=item.minor,
        refused=slot.damaged,
        literal=literal,
        namespaces=names,
    )


def original_of(item: xml.XmlRevision, data: RevisionData) -> str | None:
    """The wikitext that a revision of an export of ours was converted from; exports of before
    December 2026 have it as a second text."""
    if data.original is not UNSET:
        return data.original
    return next((slot.text for slot in item.slots if slot.role == "original"), None)


def our_record(
    item: xml.XmlRevision, page: xml.XmlPage, site: str, sources: Mapping[str, Source]
) -> Record:
    """A revision of an export of another wiki like this one, without what is hidden there. What that
    wiki had imported keeps the key it has there, so that other sources find it. Raises
    msgspec.ValidationError."""
    user = item.user or UNKNOWN_AUTHOR
    about: PageData = decoded(page.data, PageData)
    data: RevisionData = decoded(item.data, RevisionData)
    main = item.main
    known = main.text is not None and "text" not in data.hidden
    text = (main.text or "") if known else ""
    wikitext = original_of(item, data) if known else None
    source = sources.get(data.source) if data.origin_key else None
    here = number_key(site, item.id)
    return Record(
        title=page.title,
        called=page.title,
        timestamp=data.time,
        author_name=UNKNOWN_AUTHOR if "author" in data.hidden else user[:MAX_NAME],
        summary="" if "summary" in data.hidden else item.comment or "",
        text=text if wikitext is None else wikitext,
        markdown=text,
        written_there=wikitext is None,
        state=TextState(data.state) if known else TextState.MISSING,
        line=item.line,
        key=data.origin_key if source and data.origin_key else here,
        also=here if source else "",
        source=source,
        origin_title=data.origin_title if source else "",
        order=data.origin_order,
        notes=(main.trouble,) if main.trouble else (),
        revid=data.origin_revid if source else item.id,
        parent=data.origin_parent if source else item.parent,
        minor=item.minor,
        refused=main.damaged,
        event=data.event,
        language=about.language,
        aliases=tuple(about.names),
    )


def with_uploads(record: Record, page: xml.XmlPage) -> Record:
    """``record`` with what the export tells of the pictures of ``page``, whose bytes did not come."""
    if not page.uploads:
        return record
    newest = max(page.uploads, key=lambda one: one.timestamp.timestamp() if one.timestamp else 0)
    when = f" on {newest.timestamp:%Y-%m-%d}" if newest.timestamp else ""
    versions = f" ({len(page.uploads)} versions)" if len(page.uploads) > 1 else ""
    note = (
        f"The picture {newest.filename} of {newest.size:,} bytes, uploaded{when} by "
        f"{newest.user or UNKNOWN_AUTHOR}{versions}, did not come along: upload it on its page."
    )
    return replace(record, notes=(*record.notes, note))
