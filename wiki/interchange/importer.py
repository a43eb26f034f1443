"""Storing what was read: entries of feeds become revisions of pages.

* An entry is known by site, title, time and author. What is known already is left alone, so a
  second import of the same file adds nothing, and the order of the files does not matter.
* A revision takes its place in its page's history by time. Its author is a name, never an account.
* The original wikitext is kept with the revision, as read, beside its Markdown.
* A title that leads to a page already, by name or by alias, joins that page's history. The text
  somebody wrote here stays the current one unless the import takes over.
* An entry whose text is missing never is the current text; a page of a file has none.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction

from wiki.errors import WikiError
from wiki.interchange.feed_text import (
    MAX_LANGUAGE,
    Feed,
    FeedTextError,
    PlainText,
    TextState,
    read,
)
from wiki.interchange.wikitext import CONVERTER_VERSION, convert
from wiki.models import ImportSource, Page, PageName, Revision
from wiki.services.edit import create_page, name_page
from wiki.services.history import KNOWN, renumber, sha1
from wiki.titles import check_title, split_namespace, title_key

logger = logging.getLogger(__name__)

UNKNOWN_AUTHOR = "unknown"
MAX_FILE_BYTES = 64 << 20  # a file is read whole
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
HELP_TITLE = re.compile(r"[Gg]amehelp(?=[^\W_])(?P<game>.+)")


class ImportRefused(Exception):
    """A file that cannot be imported; the sentence names the file, and the line if there is one."""


@dataclass(frozen=True)
class Record:
    """One entry to store, whatever kind of file it came from."""

    title: str
    timestamp: datetime | None
    author_name: str
    summary: str
    text: str  # wikitext as read
    state: TextState
    line: int
    key: str  # the same for the same entry in any file
    order: int = 0  # among entries of the same page and second: the larger is the later
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadFile:
    """A file that was read whole and may be stored."""

    name: str
    sha256: str
    kind: str
    site: str
    owner: str
    source_language: str  # as the file says
    page_language: str  # of pages that it makes
    records: tuple[Record, ...]
    notes: tuple[str, ...]


@dataclass
class Report:
    """What an import did, or would do; counts are of entries, ``pages`` are row ids it touched."""

    entries: int = 0
    texts: int = 0
    blank: int = 0
    files: int = 0
    missing: int = 0
    added: int = 0
    completed: int = 0  # their text was missing and came now
    unchanged: int = 0
    pages: set[int] = field(default_factory=set)
    warnings: list[str] = field(default_factory=list)

    def add(self, other: "Report") -> None:
        for name in ("entries", "texts", "blank", "files", "missing"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for name in ("added", "completed", "unchanged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.pages |= other.pages
        self.warnings += other.warnings

    def figures(self) -> dict[str, int | list[str]]:
        """All of it as plain values: numbers, and ``warnings`` as sentences."""
        return {**asdict(self), "pages": len(self.pages)}


def read_file(path: Path, *, title: str = "", language: str = "") -> ReadFile:
    """Read a file whole. ``title`` and ``language`` are needed for a text without a feed's title.

    For a feed, ``language`` is that of the pages it makes (the feed names that of its own words,
    not of the pages'); without it they are in the site's. Raises ImportRefused.
    """
    if language and (len(language) > MAX_LANGUAGE or not LANGUAGE.fullmatch(language)):
        raise ImportRefused(f"“{language}” is no code of a language; write it as in en or pt-br.")
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE_BYTES + 1)
    except OSError as error:
        raise ImportRefused(f"{path}: {error.strerror or error}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise ImportRefused(f"{path}: more than {MAX_FILE_BYTES >> 20} MiB; split it into files.")
    try:
        found = read(data)
    except FeedTextError as error:
        raise ImportRefused(f"{path}, {error}") from error
    digest = hashlib.sha256(data).hexdigest()
    if isinstance(found, Feed):
        if title:
            raise ImportRefused(f"{path}, line 1: this feed names its titles; leave out --title.")
        return ReadFile(
            name=path.name,
            sha256=digest,
            kind="feed-text",
            site=found.site,
            owner=found.owner,
            source_language=found.language,
            page_language=language or settings.LANGUAGE_CODE,
            records=tuple(feed_records(found)),
            notes=found.notes,
        )
    if not title or not language:
        raise ImportRefused(
            f"{path}, line 1: this is no feed but the text of a page; "
            "say which with --title and --language."
        )
    return ReadFile(
        name=path.name,
        sha256=digest,
        kind="page-text",
        site="",
        owner="",
        source_language=language,
        page_language=language,
        records=(page_record(found, _checked(title, path)),),
        notes=(),
    )


def _checked(title: str, path: Path) -> str:
    try:
        return check_title(title)
    except WikiError as error:
        raise ImportRefused(f"{path}: {error.message}") from error


def feed_records(feed: Feed) -> Iterable[Record]:
    """The entries of ``feed``. Of those that name the same second the upper one is the later."""
    seen: Counter[tuple[str, ...]] = Counter()
    for entry in reversed(feed.entries):
        identity = (feed.site, entry.title, entry.timestamp.isoformat(), entry.user)
        order = seen[identity]
        seen[identity] += 1
        yield Record(
            title=entry.title,
            timestamp=entry.timestamp,
            author_name=entry.user,
            summary=entry.summary,
            text=entry.text,
            state=entry.state,
            line=entry.line,
            key=digest(*identity, *([str(order)] if order else [])),
            order=order,
            notes=entry.notes,
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


def digest(*parts: str) -> str:
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


@transaction.atomic
def store(source: ReadFile, *, take_over: bool = False) -> Report:
    """Store a file, all of it or nothing, and report. Raises ImportRefused where a title cannot
    be a page's here.

    ``take_over``: the newest imported text becomes current even where people wrote here.
    """
    _lock(source.site)
    report = Report()
    warnings: list[tuple[int, str]] = []
    known = {
        revision.origin_key: revision
        for revision in Revision.objects.select_related("page")
        .filter(origin_key__in=[record.key for record in source.records])
        .defer("text", "rendered")
    }
    pages: dict[int, Page] = {}
    changed: set[int] = set()
    origin: ImportSource | None = None
    for record in source.records:
        count(report, record)
        revision = known.get(record.key)
        if revision is not None:
            page = revision.page
            done = complete(revision, record)
            report.completed += done
            report.unchanged += not done
            if not done and differs(revision, record):
                warnings.append(
                    (record.line, "its text is another than was imported; the old one is kept.")
                )
        else:
            page = page_of(record, source)
            origin = origin or origin_of(source)
            revision = add_revision(page, record, origin)
            report.added += 1
            done = True
        pages[page.pk] = page
        if done:
            changed.add(page.pk)
            warnings += [(record.line, warning) for warning in revision.warnings]
    for pk in sorted(changed):
        renumber(Page.objects.select_for_update().get(pk=pk))
    for pk in sorted(pages):
        settle_current(pk, source, take_over=take_over)
    report.pages = set(pages)
    titles = {record.line: record.title for record in source.records}
    report.warnings = [f"{source.name}, {note}" for note in source.notes] + [
        f"{source.name}, line {line}: {titles[line]}: {warning}"
        for line, warning in sorted(warnings, key=lambda row: row[0])
    ]
    logger.info("imported: file=%s added=%s", source.sha256[:12], report.added)
    return report


def store_all(
    sources: Sequence[ReadFile], *, take_over: bool = False, dry_run: bool = False
) -> Report:
    """Store files one after the other, each in a transaction of its own, and add up the reports.

    A dry run sees what the files before would have stored. Raises ImportRefused at the first file
    that cannot be stored; those before it stay.
    """
    total = Report()
    if not dry_run:
        for source in sources:
            total.add(store(source, take_over=take_over))
        return total
    with transaction.atomic():
        for source in sources:
            total.add(store(source, take_over=take_over))
        transaction.set_rollback(True)
    return total


def count(report: Report, record: Record) -> None:
    report.entries += 1
    report.texts += record.state is TextState.PRESENT
    report.blank += record.state is TextState.BLANK
    report.files += record.state is TextState.FILE
    report.missing += record.state is TextState.MISSING


def display_title(title: str) -> str:
    """What a page made for ``title`` is called: "Gamehelpverso" tells about "Verso"."""
    namespace, name = split_namespace(title)
    if namespace:
        return f"{namespace.title()}:{name}"
    match = HELP_TITLE.fullmatch(title)
    name = match["game"].strip() if match else title
    return name[:1].upper() + name[1:]


def page_of(record: Record, source: ReadFile) -> Page:
    """The page that the title leads to, made where there is none, locked. Raises ImportRefused."""
    shown = display_title(record.title)
    try:
        for title in (record.title, shown):
            name = PageName.objects.filter(key=title_key(title)).first()
            if name is not None:
                page = Page.objects.select_for_update().get(pk=name.page_id)
                break
        else:
            page = create_page(
                title=shown,
                language=source.page_language,
                namespace=split_namespace(record.title)[0],
            )
        name_page(page, record.title)
    except WikiError as error:
        raise ImportRefused(f"{source.name}, line {record.line}: {error.message}") from error
    return page


def origin_of(source: ReadFile) -> ImportSource:
    origin, _made = ImportSource.objects.get_or_create(
        sha256=source.sha256,
        defaults={
            "site": source.site,
            "kind": source.kind,
            "file_name": source.name[:255],
            "feed_owner": source.owner,
            "language": source.source_language,
        },
    )
    return origin


def add_revision(page: Page, record: Record, origin: ImportSource) -> Revision:
    """A row for ``record``; its number, parent and size change come with ``renumber``."""
    revision = Revision(
        page=page,
        author_name=record.author_name,
        timestamp=record.timestamp,
        summary=record.summary,
        origin=origin,
        origin_title=record.title,
        origin_key=record.key,
        origin_order=record.order,
    )
    set_text(revision, record)
    revision.save()
    return revision


def set_text(revision: Revision, record: Record) -> None:
    """Give ``revision`` the text of ``record``: the original, and its Markdown."""
    converted = convert(record.text)
    text = f"{converted.text.rstrip()}\n" if converted.text.strip() else ""
    revision.text = text
    revision.text_sha1 = sha1(text)
    revision.text_state = record.state.value
    revision.size = len(text.encode())
    revision.source_text = record.text
    revision.source_sha256 = hashlib.sha256(record.text.encode()).hexdigest()
    revision.converter_version = CONVERTER_VERSION
    revision.warnings = [*record.notes, *converted.warnings]


def complete(revision: Revision, record: Record) -> bool:
    """Fill in a text that was missing when ``revision`` was imported; whether that was so."""
    if revision.text_state in KNOWN or record.state.value not in KNOWN:
        return False
    set_text(revision, record)
    revision.renderer_version = ""
    revision.save()
    return True


def differs(revision: Revision, record: Record) -> bool:
    """Whether ``record`` brings another text than the one that was imported."""
    found = hashlib.sha256(record.text.encode()).hexdigest()
    return record.state.value in KNOWN and found != revision.source_sha256


def settle_current(page_id: int, source: ReadFile, *, take_over: bool) -> None:
    """Say which revision of a page is read now: the newest that has a text, or was blanked.

    Where people wrote here the current one stays, unless ``take_over``: then it is the newest
    imported one. A page is in the language of the file that brought its current text, so that the
    order of files does not matter; the page of a game is in the game's.
    """
    page = Page.objects.select_for_update().get(pk=page_id)
    edits = page.revisions.filter(event=Revision.Event.EDIT)
    rows = edits.filter(text_state__in=KNOWN, text_hidden=False).order_by("-number")
    written_here = edits.filter(origin=None).exists()
    if written_here and page.current_id is not None and not take_over:
        return
    newest = rows.filter(origin__isnull=False).first() if take_over else rows.first()
    if newest is not None and newest.pk != page.current_id:
        page.current = newest
        if not page.game and newest.origin is not None and newest.origin.sha256 == source.sha256:
            page.language = source.page_language
        page.save(update_fields=["current", "language"])


def _lock(site: str) -> None:
    """One import of a site at a time. SQLite's transactions are one at a time anyway."""
    if connection.vendor == "postgresql":
        number = int.from_bytes(
            hashlib.sha256(f"import {site}".encode()).digest()[:8], "big", signed=True
        )
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
