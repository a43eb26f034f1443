"""Storing what was read: entries of feeds and revisions of exports become revisions of pages.

* An entry with a number there is known by site and number, another by site, title, time and author;
  each is also found as the other. What is known already is left alone, so a second import of the
  same file adds nothing, and the order of the files does not matter.
* A better kind of file (an export is better than a feed, a feed than its text rendering) replaces the
  text and fills in numbers, parents and marks of what a worse one brought, in the same row.
* A revision takes its place in its page's history by time. Its author is a name, never an account.
* The original wikitext is kept with the revision, as read, beside its Markdown.
* A title that leads to a page already, by name or by alias, joins that page's history. The text
  somebody wrote here stays the current one unless the import takes over.
* An entry whose text is missing never is the current text; a page of a file has none.

A feed is stored in one transaction, an export in batches: each leaves every page whole, so an import
that was stopped goes on where it was when it is run again.
"""

import hashlib
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import BinaryIO

from django.conf import settings
from django.db import IntegrityError, reset_queries, transaction
from django.db.models import QuerySet

from wiki.errors import WikiError
from wiki.interchange import contributions_atom, feed_text
from wiki.interchange import mediawiki_xml as xml
from wiki.interchange.additions import FORMAT, UNSET, Head, LogData, PageData, RevisionData
from wiki.interchange.feed_text import MAX_LANGUAGE, Feed, FeedTextError, TextState
from wiki.interchange.opening import DAMAGED, HEAD, CannotOpen, Content, content_of, open_export
from wiki.interchange.records import (
    RANKS,
    UNKNOWN_AUTHOR,
    ImportRefused,
    ReadFile,
    Record,
    XmlRecords,
    feed_records,
    page_record,
)
from wiki.interchange.report import Progress, Report
from wiki.interchange.restore import is_restore, lock, read_data, restore, source_row
from wiki.interchange.set_aside import fence
from wiki.interchange.wikitext import CONVERTER_VERSION, Converted, convert
from wiki.models import ImportSource, Page, PageName, Revision
from wiki.redirects import redirect_of
from wiki.search import reindex
from wiki.services.again import again
from wiki.services.edit import create_page, name_page
from wiki.services.history import KNOWN, link_parents, place_at_end, renumber, sha1
from wiki.services.links import keep_links, redirect_key
from wiki.services.subjects import TALK, join
from wiki.titles import check_title, split_namespace, title_key

logger = logging.getLogger(__name__)

ADDED = {xml.XmlPage: PageData, xml.XmlRevision: RevisionData, xml.LogItem: LogData}
MAX_FILE_BYTES = 64 << 20  # a feed or a text is read whole; exports are not
MAX_SITE = 255  # characters
BATCH_ROWS, BATCH_CHARACTERS = 200, 2_000_000  # of an export that are stored at once
LANGUAGE = re.compile(r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*")
HELP_TITLE = re.compile(r"[Gg]amehelp(?=[^\W_])(?P<game>.+)")


def read_file(path: Path, *, title: str = "", language: str = "", site: str = "") -> ReadFile:
    """Read a file whole, or look through an export to its end. ``title`` and ``language`` are needed
    for a text without a feed's title.

    For a feed, ``language`` is that of the pages it makes (the feed names that of its own words,
    not of the pages'); without it they are in the site's, those of an export in the export's.
    ``site`` is what to call the wiki that it comes from. Raises ImportRefused.
    """
    if language and (len(language) > MAX_LANGUAGE or not LANGUAGE.fullmatch(language)):
        raise ImportRefused(f"“{language}” is no code of a language; write it as in en or pt-br.")
    try:
        with path.open("rb") as file:
            sha256 = hashlib.file_digest(file, "sha256").hexdigest()
        with open_export(path) as stream:
            content = content_of(stream.read(HEAD))
        if title and content is not Content.TEXT:
            raise ImportRefused(f"{path}: this file names its titles; leave out --title.")
        if content is Content.EXPORT:
            return look_through(path, sha256, language=language, site=site)
        with open_export(path) as stream:
            data = stream.read(MAX_FILE_BYTES + 1)
    except CannotOpen as error:
        raise ImportRefused(f"{path}: {error}") from error
    except DAMAGED as error:
        said = getattr(error, "strerror", "") or f"the file cannot be read on: {error}"
        raise ImportRefused(f"{path}: {said.rstrip('.')}.") from error
    if len(data) > MAX_FILE_BYTES:
        raise ImportRefused(f"{path}: more than {MAX_FILE_BYTES >> 20} MiB; split it into files.")
    if content is Content.ATOM:
        return read_atom(path, data, sha256, language=language, site=site)
    return read_text(path, data, sha256, title=title, language=language, site=site)


def read_text(
    path: Path, data: bytes, sha256: str, *, title: str, language: str, site: str
) -> ReadFile:
    try:
        found = feed_text.read(data)
    except FeedTextError as error:
        raise ImportRefused(f"{path}, {error}") from error
    if isinstance(found, Feed):
        if title:
            raise ImportRefused(f"{path}, line 1: this feed names its titles; leave out --title.")
        return ReadFile(
            name=path.name,
            sha256=sha256,
            kind="feed-text",
            site=site or found.site,
            owner=found.owner,
            source_language=found.language,
            page_language=language or settings.LANGUAGE_CODE,
            records=tuple(feed_records(found, site or found.site)),
            notes=found.notes,
            count=len(found.entries),
        )
    if not title or not language:
        raise ImportRefused(
            f"{path}, line 1: this is no feed but the text of a page; "
            "say which with --title and --language."
        )
    return ReadFile(
        name=path.name,
        sha256=sha256,
        kind="page-text",
        site=site,
        owner="",
        source_language=language,
        page_language=language,
        records=(page_record(found, _checked(title, path)),),
        count=1,
    )


def read_atom(path: Path, data: bytes, sha256: str, *, language: str, site: str) -> ReadFile:
    try:
        feed = contributions_atom.read(data)
    except contributions_atom.AtomError as error:
        raise ImportRefused(f"{path}: {error}") from error
    site = site or feed.site
    if not site:
        raise ImportRefused(f"{path}: the feed does not name its wiki; say which with --site.")
    if len(site) > MAX_SITE or len(feed.language) > MAX_LANGUAGE:
        raise ImportRefused(f"{path}: no site has so long a name or a language so long a code.")
    return ReadFile(
        name=path.name,
        sha256=sha256,
        kind="atom",
        site=site,
        owner=feed.owner[:MAX_SITE],
        source_language=feed.language,
        page_language=language or settings.LANGUAGE_CODE,
        records=tuple(feed_records(feed, site)),
        count=len(feed.entries),
    )


def look_through(path: Path, sha256: str, *, language: str, site: str) -> ReadFile:
    """An export, read to its end once so that one that is damaged imports nothing."""
    found = xml.Site()
    head: Head | None = None
    count = whole = 0
    left_out: Counter[str] = Counter()

    def items(stream: BinaryIO) -> Iterator[xml.Item]:
        nonlocal found, head, whole
        for item in xml.read(stream):
            if isinstance(item, xml.Site):
                found = item
                head = head_of(path, item)
            elif head is not None and type(item) in ADDED:
                added = read_data(str(path), item.line, item.data, ADDED[type(item)])
                refuse_damaged(path, item.line, added)
            whole += isinstance(item, xml.XmlRevision)
            yield item

    try:
        with open_export(path) as stream:
            for _record in XmlRecords(path, site).of(items(stream), left_out):
                count += 1
    except xml.XmlError as error:
        raise ImportRefused(f"{path}, {error}") from error
    name = site or found.name
    if head is not None and not site:
        name = f"{name} {head.site[:8]}"
    if not name or len(name) > MAX_SITE:
        raise ImportRefused(f"{path}: the export does not name its wiki; say which with --site.")
    spoken = found.language[:MAX_LANGUAGE] if LANGUAGE.fullmatch(found.language) else ""
    return ReadFile(
        name=path.name,
        sha256=sha256,
        kind="xml" if head is None else "parlour",
        site=name,
        owner="",
        source_language=spoken,
        page_language=language or spoken or settings.LANGUAGE_CODE,
        records=XmlRecords(path, name),
        notes=tuple(f"{count:,} {why} left out." for why, count in sorted(left_out.items())),
        count=count,
        whole=whole,
        streamed=True,
        path=path,
        head=head,
    )


def refuse_damaged(path: Path, line: int, data: object) -> None:
    """Raises ImportRefused where the wikitext of a revision of ours is not the one that was exported."""
    if not isinstance(data, RevisionData) or not data.original_sha1:
        return
    if data.original is UNSET or sha1(data.original) != data.original_sha1:
        raise ImportRefused(f"{path}, line {line}: the original text was damaged (SHA-1).")


def head_of(path: Path, site: xml.Site) -> Head | None:
    """What an export of ours says of itself; None for one of MediaWiki. Raises ImportRefused."""
    if not site.data:
        return None
    head: Head = read_data(str(path), 1, site.data, Head)
    if head.format > FORMAT:
        raise ImportRefused(f"{path}: a newer Parlour wrote this export; import it with that one.")
    return head


def _checked(title: str, path: Path) -> str:
    try:
        return check_title(title)
    except WikiError as error:
        raise ImportRefused(f"{path}: {error.message}") from error


def store(
    source: ReadFile,
    *,
    take_over: bool = False,
    accounts: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Store a file and report: a feed all of it or nothing, an export batch by batch. Raises
    ImportRefused where a title of a feed cannot be a page's here.

    ``take_over``: the newest imported text becomes current even where people wrote here.
    ``accounts``: see ``restore``. ``dry_run``: the caller takes it all back.
    """
    if source.head is not None and is_restore(source.head):
        return restore(
            source, source.head, accounts=accounts, progress=progress, keep_files=not dry_run
        )
    report = Report()
    report.warn(f"{source.name}, {note}" for note in source.notes)
    for records in batches(source.records) if source.streamed else [list(source.records)]:
        ready = prepared(source, records)
        work = partial(stored, source, records, ready, take_over=take_over)
        try:
            done = again(work)
        except IntegrityError:  # somebody made a page of that name just now: look again
            done = again(work)
        report.add(done)
        reset_queries()
        if progress is not None:
            progress(report, source)
    with transaction.atomic():
        find_subjects()
    logger.info("imported: file=%s added=%s", source.sha256[:12], report.added)
    return report


def batches(records: Iterable[Record]) -> Iterator[list[Record]]:
    batch: list[Record] = []
    characters = 0
    for record in records:
        batch.append(record)
        characters += len(record.text)
        if len(batch) == BATCH_ROWS or characters > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def prepared(source: ReadFile, records: Sequence[Record]) -> dict[str, Converted]:
    """The Markdown of those that are not known yet, by key, but of what the file holds twice: made
    before anything is locked."""
    known = known_rows(source, records)
    times = Counter(record.key for record in records)
    return {
        record.key: converted(record)
        for record in records
        if times[record.key] == 1
        and ((row := known.get(record.key)) is None or row.text_state not in KNOWN or outdated(row))
    }


def known_rows(source: ReadFile, records: Sequence[Record]) -> dict[str, Revision]:
    """The rows that ``records`` are in already, by the records' keys.

    One without a number is found as the one that has it, and the other way round: by site, title,
    time and author (who may be hidden in one of them), in the order of those of one second.
    """
    rows = Revision.objects.select_related("page", "origin").defer(*Revision.TEXTS)
    keys = {key for record in records for key in (record.key, record.also) if key}
    by_key = {row.origin_key: row for row in rows.filter(origin_key__in=keys)}
    found: dict[str, Revision] = {}
    for record in records:
        if (known := by_key.get(record.key) or by_key.get(record.also)) is not None:
            found[record.key] = known
    rest = [
        record
        for record in records
        if record.key not in found and record.timestamp and source.site_of(record)
    ]
    if not rest:
        return found
    taken = {row.pk for row in found.values()}
    same_time: dict[object, list[Revision]] = {}
    sites = {source.site_of(record) for record in rest}
    times = {record.timestamp for record in rest}
    titles = {title_there(record) for record in rest}
    there = rows.filter(origin__site__in=sites, timestamp__in=times, origin_title__in=titles)
    for row in there.order_by("origin_order", "origin_revid", "pk"):
        if row.pk not in taken and row.origin is not None:
            place = (row.origin.site, row.origin_title, row.timestamp)
            same_time.setdefault(place, []).append(row)
    for record in rest:
        place = (source.site_of(record), title_there(record), record.timestamp)
        waiting = same_time.get(place, [])
        for row in waiting:
            numbered = row.origin_revid is not None and record.revid is not None
            if not numbered and same_author(row, record):
                found[record.key] = row
                waiting.remove(row)
                break
    return found


def title_there(record: Record) -> str:
    """The title under which ``record`` was written."""
    return record.origin_title or record.title


def same_author(row: Revision, record: Record) -> bool:
    names = {row.author_name, record.author_name}
    return len(names) == 1 or UNKNOWN_AUTHOR in names


@transaction.atomic
def stored(
    source: ReadFile, records: Sequence[Record], ready: dict[str, Converted], *, take_over: bool
) -> Report:
    lock(source.site)
    return store_batch(source, records, ready, take_over=take_over)


def store_batch(
    source: ReadFile,
    records: Sequence[Record],
    ready: dict[str, Converted],
    *,
    take_over: bool,
) -> Report:
    """Store ``records``, which leaves all their pages in order. Inside a caller's transaction."""
    report = Report()
    warnings: list[tuple[int, str, str]] = []
    known = known_rows(source, records)
    alone = unedited({row.page_id for row in known.values() if outdated(row)})
    pages: dict[int, Page] = {}
    called: dict[str, Page | None] = {}
    changed: set[int] = set()
    new: dict[int, list[Revision]] = {}
    fresh: dict[str, Revision] = {}  # those in ``new``, by the records' keys
    origins: dict[str, ImportSource] = {}

    def origin(record: Record) -> ImportSource:
        said = record.source
        file = said.sha256 if said else source.sha256
        if file not in origins:
            origins[file] = source_row(said) if said else origin_of(source)
        return origins[file]

    for record in records:
        count(report, record)
        row = known.get(record.key)
        if row is None and record.key in fresh:  # the file holds it twice
            done = meet(fresh[record.key], record, source, None, {}, warnings, anew=False)
            report.unchanged += done == "unchanged"
            report.completed += done == "completed"
            continue
        if row is not None:
            better = source.rank(record) > rank_of(row) or row.origin_key == record.also
            anew = row.page_id in alone and outdated(row)
            done = meet(
                row, record, source, origin(record) if better else None, ready, warnings, anew=anew
            )
            setattr(report, done, getattr(report, done) + 1)
            pages[row.page_id] = row.page
            if done != "unchanged":
                changed.add(row.page_id)
            continue
        if record.title not in called:
            called[record.title] = found_page(record, source, warnings)
        page = called[record.title]
        if page is None:
            continue
        row = new_row(page, record, origin(record), ready.get(record.key) or converted(record))
        new.setdefault(page.pk, []).append(row)
        fresh[record.key] = row
        pages[page.pk] = page
        report.added += 1
        warnings += [(record.line, record.title, warning) for warning in row.warnings]
    locked = {
        page.pk: page
        for page in Page.everything.select_for_update(no_key=True)
        .filter(pk__in=changed | set(new))
        .order_by("pk")
    }
    placed = {
        pk: None if pk in changed else place_at_end(locked[pk], rows) for pk, rows in new.items()
    }
    Revision.objects.bulk_create(row for rows in new.values() for row in rows)
    for pk, page in locked.items():
        if (first := placed.get(pk)) is not None:
            link_parents(page, first)
        else:
            renumber(page)
    for pk in sorted(pages):
        settle_current(pk, source, take_over=take_over)
    for pk in sorted(changed | set(new)):
        reindex(pages[pk])
    report.pages = set(pages)
    report.warn(
        f"{source.name}, {'entry' if source.kind == 'atom' else 'line'} {line}: {title}: {warning}"
        for line, title, warning in sorted(warnings)
    )
    return report


def outdated(row: Revision) -> bool:
    """Whether an older converter made the text of ``row``."""
    return 0 < row.converter_version < CONVERTER_VERSION


def unedited(pages: set[int]) -> set[int]:
    """Those of ``pages`` whose texts nobody went on writing here: only they may change in place."""
    edits = Revision.objects.filter(page__in=pages, origin=None, event=Revision.Event.EDIT)
    return pages - set(edits.order_by().values_list("page", flat=True)) if pages else pages


def rank_of(row: Revision) -> int:
    return RANKS.get(row.origin.kind, 0) if row.origin else max(RANKS.values())


def meet(
    row: Revision,
    record: Record,
    source: ReadFile,
    origin: ImportSource | None,
    ready: dict[str, Converted],
    warnings: list[tuple[int, str, str]],
    *,
    anew: bool,
) -> str:
    """Bring what ``record`` knows better into ``row``, which is the same revision; says what that
    was: "completed", "upgraded" or "unchanged". ``anew``: an older converter made its text, which may
    be made again."""

    def tell(warning: str) -> None:
        warnings.append((record.line, record.title, warning))

    done = "unchanged"
    better = source.rank(record) > rank_of(row)
    brings = record.state.value in KNOWN
    differs = hashlib.sha256(record.text.encode()).hexdigest() != row.source_sha256
    if brings and row.text_state not in KNOWN:
        done = "completed"
    elif brings and differs and better:
        done = "upgraded"
        tell("its text is replaced by that of a better source.")
    elif brings and differs:
        tell("its text is another than was imported; the old one is kept.")
    elif brings and anew and source.rank(record) >= rank_of(row):
        done = "upgraded"
    if done != "unchanged":
        set_text(row, record, ready.get(record.key) or converted(record))
        row.renderer_version = ""
        warnings += [(record.line, record.title, warning) for warning in row.warnings]
    if better:
        said = {
            "origin_revid": record.revid,
            "origin_parent": record.parent,
            "minor": record.minor,
            "summary": record.summary,
            "author_name": record.author_name,
        }
        told = {
            name: value
            for name, value in said.items()
            if value not in (None, "", UNKNOWN_AUTHOR) and value != getattr(row, name)
        }
        for name, value in told.items():
            setattr(row, name, value)
        if record.revid is not None:
            row.origin_key = record.key
        row.origin = origin
        if told and done == "unchanged":
            done = "upgraded"
    if (
        record.also and row.origin_key == record.also
    ):  # taken for an edit of the wiki that had imported it
        row.origin, row.origin_key, row.origin_title = origin, record.key, title_there(record)
        row.origin_revid, row.origin_parent = record.revid, record.parent
        done = "upgraded" if done == "unchanged" else done
    if row.pk is not None and (better or done != "unchanged"):
        row.save()
    return done


def store_all(
    sources: Sequence[ReadFile],
    *,
    take_over: bool = False,
    accounts: bool = False,
    dry_run: bool = False,
    progress: Progress | None = None,
) -> Report:
    """Store files one after the other, each in transactions of its own, and add up the reports.

    A dry run sees what the files before would have stored. Raises ImportRefused at the first file
    that cannot be stored; those before it stay.
    """
    total = Report()
    how = {"take_over": take_over, "accounts": accounts, "progress": progress}
    if not dry_run:
        for source in sources:
            total.add(store(source, **how))
        return total
    with transaction.atomic():
        for source in sources:
            total.add(store(source, dry_run=True, **how))
        transaction.set_rollback(True)
    return total


def count(report: Report, record: Record) -> None:
    report.entries += 1
    report.texts += record.state is TextState.PRESENT
    report.blank += record.state is TextState.BLANK
    report.files += record.state is TextState.FILE
    report.missing += record.state is TextState.MISSING
    report.refused += record.refused


def display_title(title: str) -> str:
    """What a page made for ``title`` is called: "Gamehelpverso" tells about "Verso"."""
    namespace, name = split_namespace(title)
    if namespace:
        return f"{namespace.title()}:{display_title(name) if namespace == TALK else name}"
    match = HELP_TITLE.fullmatch(title)
    name = match["game"].strip() if match else title
    return name[:1].upper() + name[1:]


def found_page(
    record: Record, source: ReadFile, warnings: list[tuple[int, str, str]]
) -> Page | None:
    """The page that the title leads to, made where there is none. None, and told, where a title of an
    export cannot be a page's here; raises ImportRefused for one of a feed."""
    shown = record.called or record.title
    if not record.called or split_namespace(shown)[0] == TALK:
        shown = display_title(shown)
    try:
        with transaction.atomic():
            for title in (record.title, shown):
                name = PageName.objects.select_related("page").filter(key=title_key(title)).first()
                if name is not None:
                    page = name.page
                    break
            else:
                page = create_page(
                    title=shown,
                    language=record.language or source.page_language,
                    namespace=split_namespace(shown)[0],
                )
            name_page(page, record.title)
            for title in record.aliases:
                if not PageName.objects.filter(key=title_key(title)).exists():
                    name_page(page, title)
    except WikiError as error:
        if source.streamed:
            warnings.append((record.line, record.title, f"{error.message} It is left out."))
            return None
        raise ImportRefused(f"{source.name}, line {record.line}: {error.message}") from error
    return page


def find_subjects() -> None:
    """Tie talk pages that came before the pages that they are about, or under an alias of them."""
    for talk in Page.objects.filter(namespace=TALK, subject=None):
        join(talk)


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


def new_row(page: Page, record: Record, origin: ImportSource, converted: Converted) -> Revision:
    """A row for ``record``, not saved; its number, parent and size change come when it is placed."""
    row = Revision(
        page=page,
        author_name=record.author_name,
        timestamp=record.timestamp,
        summary=record.summary,
        minor=record.minor,
        event=record.event,
        origin=origin,
        origin_title=title_there(record),
        origin_key=record.key,
        origin_revid=record.revid,
        origin_parent=record.parent,
        origin_order=record.order,
    )
    set_text(row, record, converted)
    return row


def converted(record: Record) -> Converted:
    """The Markdown of ``record``."""
    if record.markdown is not None:
        return Converted(record.markdown, [])
    if record.literal and record.text.strip():
        return Converted(fence(record.text), [])
    return convert(record.text, record.namespaces)


def set_text(revision: Revision, record: Record, converted: Converted) -> None:
    """Give ``revision`` the text of ``record``: the original, and its Markdown."""
    text = f"{converted.text.rstrip()}\n" if converted.text.strip() else ""
    revision.text = text
    revision.text_sha1 = sha1(text)
    revision.text_state = record.state.value
    revision.size = len(text.encode())
    revision.source_text = None if record.written_there else record.text
    revision.source_sha256 = hashlib.sha256(record.text.encode()).hexdigest()
    revision.converter_version = CONVERTER_VERSION
    revision.warnings = [*record.notes, *converted.warnings]


def readable(page: Page, rows: QuerySet[Revision]) -> Revision | None:
    """The first of ``rows`` that was written here, or does not lead to ``page`` itself."""
    own: set[str] | None = None
    for row in rows.iterator(chunk_size=10):
        target = redirect_of(row.text) if row.origin_id else ""
        if target and own is None:
            own = set(page.names.values_list("key", flat=True))
        if not (target and redirect_key(target) in (own or ())):
            return row
    return None


def settle_current(page_id: int, source: ReadFile, *, take_over: bool) -> None:
    """Say which revision of a page is read now: the newest that has a text, or was blanked.

    Where people wrote here the current one stays, unless ``take_over``: then it is the newest
    imported one. One that only leads to the page itself (where "Gamehelpgo" and "Go", which are one
    page here, led from one to the other) is not read. A page is in the language of the file that
    brought its current text, so that the order of files does not matter; the page of a game is in
    the game's.
    """
    page = Page.everything.select_for_update(no_key=True).get(pk=page_id)
    edits = page.revisions.filter(event=Revision.Event.EDIT)
    rows = edits.filter(text_state__in=KNOWN, text_hidden=False).order_by("-number")
    written_here = edits.filter(origin=None).exists()
    if page.deleted_at or (written_here and page.current_id is not None and not take_over):
        return
    newest = readable(page, rows.filter(origin__isnull=False) if take_over else rows)
    if newest is not None and newest.pk != page.current_id:
        page.current = newest
        ours = source.kind == "parlour"  # whose pages say their languages themselves
        if (
            not page.game
            and not ours
            and newest.origin is not None
            and newest.origin.sha256 == source.sha256
        ):
            page.language = source.page_language
        page.save(update_fields=["current", "language"])
        keep_links(page)
    elif page.current is not None and not page.current.renderer_version:  # it was filled in
        keep_links(page)
