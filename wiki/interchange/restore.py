"""Taking our own exports back: every row under the id it had, since addresses and the ids in feeds are
made of row ids.

A wiki without any page becomes the one that was exported: it takes over that one's id (``Identity``).
The wiki that an export is from takes back what it lacks. Any other wiki imports it as that of a
stranger (``importer``), with numbers of its own.

* A row whose id is taken by another gets a new one, and keeps a key by which it is known again.
* What is there already is left alone: a second run adds nothing, and one that was stopped goes on.
* A text, a summary or an author that was left out because it was hidden is filled in by an export that
  has it.
* The newest text is read, be it of here or of the export.
* Authors become accounts of the same name only where the export is this wiki's own, or one says so.
"""

import hashlib
import logging
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import msgspec
from django.core.management.color import no_style
from django.db import connection, reset_queries, transaction
from django.db.models import Count, Max
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.files import store as pictures
from wiki.files.headers import read_header
from wiki.files.pictures import MAX_STORED
from wiki.interchange import mediawiki_xml as xml
from wiki.interchange.additions import (
    UNSET,
    Head,
    Link,
    LogData,
    PageData,
    Picture,
    RevisionData,
    Source,
    decoded,
)
from wiki.interchange.opening import open_export
from wiki.interchange.records import (
    UNKNOWN_AUTHOR,
    ImportRefused,
    ReadFile,
    digest,
    original_of,
)
from wiki.interchange.report import Progress, Report
from wiki.models import (
    FileVersion,
    Identity,
    ImportSource,
    LogEntry,
    Page,
    PageGroup,
    PageLink,
    PageName,
    Revision,
)
from wiki.search import reindex
from wiki.services.edit import name_page
from wiki.services.history import KNOWN, free_slug, outline, renumber, sha1
from wiki.services.links import keep_links
from wiki.services.locks import one_at_a_time
from wiki.titles import title_key

logger = logging.getLogger(__name__)

BATCH_ROWS, BATCH_CHARACTERS = 200, 4_000_000
WITH_IDS = (Page, PageGroup, Revision, FileVersion, LogEntry)


def is_restore(head: Head) -> bool:
    """Whether an export is of this wiki, or may become this wiki."""
    own = Identity.objects.filter(pk=1).first()
    if own is not None and str(own.uuid) == head.site:
        return True
    return not Page.everything.exists()


@dataclass
class OpenPage:
    """A page that is being taken back. ``ids``: those of its rows that got another id; ``reverted``:
    row id -> that of the row that took it back, as exported."""

    row: Page
    data: PageData
    made: bool
    ids: dict[int, int] = field(default_factory=dict)
    reverted: dict[int, int] = field(default_factory=dict)
    changed: bool = False
    added: set[int] = field(default_factory=set)  # row ids of its new revisions


@dataclass
class Restore:
    """One run over one file."""

    source: ReadFile
    head: Head
    accounts: bool
    report: Report = field(default_factory=Report)
    sources: dict[str, ImportSource] = field(default_factory=dict)
    users: dict[str, User | None] = field(default_factory=dict)
    page_ids: dict[int, int] = field(default_factory=dict)  # of pages that got another id
    subjects: dict[int, int] = field(default_factory=dict)  # talk page -> page, as exported
    redirects: dict[int, int] = field(default_factory=dict)
    links: list[tuple[int, Link]] = field(default_factory=list)  # from which page
    pictures: set[tuple[str, str]] = field(default_factory=set)  # sha256, kind
    page: OpenPage | None = None

    def run(self, items: Iterable[xml.Item], progress: Progress | None) -> Report:
        for batch in batches(items):
            with transaction.atomic():
                lock(self.head.site)
                self.adopt()
                waiting: list[xml.XmlRevision] = []
                for item in batch:
                    if isinstance(item, xml.XmlRevision):
                        waiting.append(item)
                        continue
                    self.rows(waiting)
                    waiting = []
                    if isinstance(item, xml.XmlPage):
                        self.begin(item)
                    elif isinstance(item, xml.PageEnd):
                        self.end()
                    elif isinstance(item, xml.LogItem):
                        self.log(item)
                self.rows(waiting)
                correct_sequences()
            reset_queries()
            if progress is not None:
                progress(self.report, self.source)
        with transaction.atomic():
            self.tie()
        return self.report

    def adopt(self) -> None:
        """Become the wiki of the export, where that is not so yet."""
        Identity.objects.update_or_create(pk=1, defaults={"uuid": self.head.site})

    def told(self, line: int, warning: str) -> None:
        self.report.warn([f"{self.source.name}, line {line}: {warning}"])

    def read(self, line: int, data: dict[str, Any], kind: type[Any]) -> Any:
        return read_data(self.source.name, line, data, kind)

    # pages

    def begin(self, item: xml.XmlPage) -> None:
        data: PageData = self.read(item.line, item.data, PageData)
        row = known_page(item, data)
        made = row is None
        if row is None:
            row = new_page(item, data)
            if data.group:
                row.group = PageGroup.objects.get_or_create(pk=data.group)[0]
                row.save(update_fields=["group"])
            Page.everything.filter(pk=row.pk).update(created_at=data.created)
        if row.pk != item.id:
            self.page_ids[item.id] = row.pk
        if row.deleted_at is None:
            for title in data.names:
                if not PageName.objects.filter(key=title_key(title)).exists():
                    name_page(row, title)
        if data.subject and row.subject_id is None:
            self.subjects[row.pk] = data.subject
        for link in data.links if row.deleted_at is None else ():
            self.links.append((row.pk, link))
        if data.redirect_to and row.redirect_to_id is None and row.redirect_title == data.redirect:
            self.redirects[row.pk] = data.redirect_to
        self.page = OpenPage(row, data, made)
        self.report.pages.add(row.pk)
        for picture in data.pictures:
            self.picture(picture, row)

    def picture(self, one: Picture, page: Page) -> None:
        self.pictures.add((one.sha256, one.kind))
        if FileVersion.objects.filter(page=page, number=one.number).exists():
            return
        taken = FileVersion.objects.filter(pk=one.id).exists()
        FileVersion.objects.create(
            pk=None if taken else one.id,
            page=page,
            number=one.number,
            sha256=one.sha256,
            sent_sha256=one.sent_sha256,
            kind=one.kind,
            width=one.width,
            height=one.height,
            frames=one.frames,
            size=one.size,
            licence=one.licence,
            source=one.source,
            comment=one.comment,
            uploader=self.user(one.account),
            uploader_name=one.uploader,
            uploaded_at=one.uploaded,
            hidden_at=one.hidden,
            hidden_by=one.hidden_by,
            hidden_reason=one.hidden_reason,
        )

    def end(self) -> None:
        """Settle what the whole history of the page is needed for."""
        page = self.page
        self.page = None
        if page is None or not (page.changed or page.made or page.row.current_id is None):
            return
        row = Page.everything.select_for_update(no_key=True).get(pk=page.row.pk)
        numbers = row.revisions.aggregate(
            count=Count("pk"), last=Max("number"), different=Count("number", distinct=True)
        )
        if page.ids or not numbers["count"] == (numbers["last"] or 0) == numbers["different"]:
            renumber(row)
        for old, by in page.reverted.items():
            later = page.ids.get(by, by)
            if row.revisions.filter(pk=later).exists():
                Revision.objects.filter(pk=page.ids.get(old, old)).update(reverted_by=later)
        current = page.ids.get(page.data.current or 0, page.data.current)
        if page.made or row.current_id is None:
            row.current = row.revisions.filter(pk=current).first()
            row.save(update_fields=["current"])
        elif (newer := self.newer(row, page)) is not None:
            row.current = newer
            row.save(update_fields=["current"])
        keep_links(row)
        reindex(row)

    def newer(self, row: Page, page: OpenPage) -> Revision | None:
        """The revision to be read of a page that was here, where one came that is newer than it."""
        rows = row.revisions.filter(text_state__in=KNOWN, text_hidden=False).order_by("-number")
        newest = rows.first()
        return newest if newest is not None and newest.pk in page.added else None

    # revisions

    def rows(self, items: list[xml.XmlRevision]) -> None:
        page = self.page
        if not items or page is None:
            return
        once = {item.id: item for item in items}
        self.report.unchanged += len(items) - len(once)
        items = list(once.values())
        read = [(item, self.read(item.line, item.data, RevisionData)) for item in items]
        found = Revision.objects.filter(pk__in=[item.id for item in items]).defer("rendered")
        there = {row.pk: row for row in found}
        keys = [self.key(item, data) for item, data in read]
        keyed = {row.origin_key: row for row in Revision.objects.filter(origin_key__in=keys)}
        new: list[tuple[Revision, datetime]] = []
        mine = set(page.row.revisions.values_list("pk", flat=True))
        for (item, data), key in zip(read, keys, strict=True):
            row = made_row(item, data, page.row)
            self.count(row, item)
            known = there.get(item.id)
            if known is None or not same(known, row):
                known = keyed.get(key)
            if data.reverted_by:
                page.reverted[item.id] = data.reverted_by
            if known is not None and known.page_id == page.row.pk:
                if known.pk != item.id:
                    page.ids[item.id] = known.pk
                self.meet(known, row, item, data)
                continue
            row.author = self.user(data.account)
            row.patrolled_by = self.user(data.patrolled_by)
            row.origin = self.origin(data.source)
            if item.id in there:
                row.pk = None
                row.origin_key = key
            else:
                row.pk = item.id
                mine.add(item.id)
            row.parent_id = item.parent if item.parent in mine else None
            new.append((row, data.created))
        if new:
            rows = [row for row, _created in new]
            Revision.objects.bulk_create(rows)
            for row, created in new:  # which saving had set to now
                row.created_at = created
            Revision.objects.bulk_update(rows, ["created_at"])
            page.changed = True
            page.added |= {row.pk for row in rows}
            self.report.added += len(rows)
            new_ids = {row.pk for row in rows} - {item.id for item in items}
            if new_ids:
                by_key = {row.origin_key: row.pk for row in rows}
                for (item, _data), key in zip(read, keys, strict=True):
                    if by_key.get(key) in new_ids:
                        page.ids[item.id] = by_key[key]

    def key(self, item: xml.XmlRevision, data: RevisionData) -> str:
        return data.origin_key or digest("parlour", self.head.site, str(item.id))

    def count(self, row: Revision, item: xml.XmlRevision) -> None:
        report = self.report
        report.entries += 1
        report.texts += row.text_state == Revision.TextState.PRESENT
        report.blank += row.text_state == Revision.TextState.BLANK
        report.files += row.text_state == Revision.TextState.FILE
        report.missing += row.text_state == Revision.TextState.MISSING
        for slot in item.slots:
            if slot.damaged:
                report.refused += slot.role == "main"
                self.told(item.line, f"{row.page.title}: {slot.trouble}")

    def meet(
        self, known: Revision, row: Revision, item: xml.XmlRevision, data: RevisionData
    ) -> None:
        told = self.told_now(known, row, data)
        if known.text_state in KNOWN or row.text_state not in KNOWN:
            if told:
                known.save()
            self.report.completed += told
            self.report.unchanged += not told
            return
        for name in ("text", "text_sha1", "text_state", "size", "source_text", "source_sha256"):
            setattr(known, name, getattr(row, name))
        for name in ("rendered_toc", "warnings", "text_hidden", "delta", "converter_version"):
            setattr(known, name, getattr(row, name))
        known.renderer_version = ""
        known.save()
        self.report.completed += 1
        if self.page is not None:
            self.page.changed = True

    def told_now(self, known: Revision, row: Revision, data: RevisionData) -> bool:
        """Bring in who wrote a revision and why, where that had been left out; whether it was."""
        told = False
        if known.author_hidden and known.author_name == UNKNOWN_AUTHOR != row.author_name:
            known.author_name, known.author, told = row.author_name, self.user(data.account), True
        if known.summary_hidden and row.summary and not known.summary:
            known.summary, told = row.summary, True
        return told

    # what rows name

    def user(self, name: str) -> User | None:
        if not self.accounts or not name:
            return None
        if name not in self.users:
            self.users[name] = User.objects.filter(username=name).first()
        return self.users[name]

    def origin(self, sha256: str) -> ImportSource | None:
        if not sha256:
            return None
        if sha256 not in self.sources:
            said = next((one for one in self.head.sources if one.sha256 == sha256), None)
            if said is None:
                return None
            self.sources[sha256] = source_row(said)
        return self.sources[sha256]

    def log(self, item: xml.LogItem) -> None:
        data: LogData = self.read(item.line, item.data, LogData)
        said = {"kind": data.kind, "at": data.time, "title": data.title}
        page = self.page_ids.get(data.page or 0, data.page)
        known = LogEntry.objects.filter(**said, actor_name=item.user or "")
        if known.exists():  # its page may have come with this export
            if Page.everything.filter(pk=page).exists():
                known.filter(page=None).update(page=page)
            return
        LogEntry.objects.create(
            pk=None if LogEntry.objects.filter(pk=item.id).exists() else item.id,
            **said,
            actor=self.user(data.account),
            actor_name=(item.user or "")[:255],
            page=Page.everything.filter(pk=page).first(),
            reason=(item.comment or "")[:500],
            detail=data.detail,
        )

    def tie(self) -> None:
        """Tie pages to pages, now that all are there."""
        for source, link in self.links:
            target = Page.everything.filter(pk=self.page_ids.get(link.target, link.target)).first()
            rows = PageLink.objects.filter(source=source, kind=link.kind, key=link.key)
            if target is not None:
                rows.update(target=target)
        for name, ties in (("subject", self.subjects), ("redirect_to", self.redirects)):
            for pk, wanted in ties.items():
                other = Page.everything.filter(pk=self.page_ids.get(wanted, wanted)).first()
                taken = name == "subject" and Page.everything.filter(subject=other).exists()
                if other is not None and not taken:
                    Page.everything.filter(pk=pk).update(**{name: other})
                    reindex(Page.everything.get(pk=pk))


def batches(items: Iterable[xml.Item]) -> Iterator[list[xml.Item]]:
    batch: list[xml.Item] = []
    characters = 0
    for item in items:
        batch.append(item)
        if isinstance(item, xml.XmlRevision):
            characters += sum(len(slot.text or "") for slot in item.slots)
            characters += len(str(item.data.get("original", "")))
        if len(batch) >= BATCH_ROWS or characters > BATCH_CHARACTERS:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def source_row(said: Source) -> ImportSource:
    """The row of a file that the wiki of an export had imported."""
    row, made = ImportSource.objects.get_or_create(
        sha256=said.sha256,
        defaults={
            "site": said.site,
            "kind": said.kind,
            "file_name": said.file_name,
            "feed_owner": said.owner,
            "language": said.language,
        },
    )
    if made:
        row.loaded_at = said.loaded or timezone.now()
        row.save(update_fields=["loaded_at"])
    return row


def read_data(name: str, line: int, data: dict[str, Any], kind: type[Any]) -> Any:
    """``data`` of an export as ``kind``. Raises ImportRefused."""
    try:
        return decoded(data, kind)
    except msgspec.ValidationError as error:
        raise ImportRefused(
            f"{name}, line {line}: what Parlour adds to an export is damaged here ({error})."
        ) from error


def known_page(item: xml.XmlPage, data: PageData) -> Page | None:
    """The page that ``item`` is: the one with its id if that is called so too, else by its title."""
    there = Page.everything.filter(pk=item.id).first()
    if there is not None and there.created_at == data.created:
        return there
    if data.deleted:
        return None
    names = PageName.objects.select_related("page")
    name = names.filter(key=title_key(item.title)).first()
    return name.page if name else None


def new_page(item: xml.XmlPage, data: PageData) -> Page:
    taken = Page.everything.filter(pk=item.id).exists()
    free = not Page.everything.filter(slug=data.slug).exists()
    page = Page(
        pk=None if taken else item.id,
        title=item.title[:255],
        slug=data.slug if free else free_slug(item.title),
        language=data.language,
        namespace=data.namespace,
        game=data.game,
        redirect_title=data.redirect,
        protection=data.protection,
        protected_until=data.protected_until,
        protection_reason=data.protection_reason,
        rename_protection=data.rename_protection,
        rename_protected_until=data.rename_protected_until,
        deleted_at=data.deleted,
        deleted_by=data.deleted_by,
        deleted_reason=data.deleted_reason,
        deleted_names=data.deleted_names,
    )
    page.save(force_insert=True)
    return page


def made_row(item: xml.XmlRevision, data: RevisionData, page: Page) -> Revision:
    """A row as exported, not saved, without what other rows are needed for."""
    text = said(data.text, item.main.text)
    wikitext = original_of(item, data)
    state: str = data.state if text is not None else Revision.TextState.MISSING
    return Revision(
        page=page,
        number=data.number,
        author_name=said(data.author, item.user)[:255] if item.user else UNKNOWN_AUTHOR,
        timestamp=data.time,
        summary=said(data.summary, item.comment) or "",
        minor=item.minor,
        event=data.event,
        text_hidden="text" in data.hidden,
        summary_hidden="summary" in data.hidden,
        author_hidden="author" in data.hidden,
        patrolled_at=data.patrolled,
        text=text or "",
        format=data.format,
        rendered_toc=outline(text or ""),
        text_sha1=sha1(text or ""),
        text_state=state,
        size=len((text or "").encode()),
        delta=data.delta,
        origin_title=data.origin_title,
        origin_revid=data.origin_revid,
        origin_key=data.origin_key,
        origin_parent=data.origin_parent,
        origin_order=data.origin_order,
        source_text=wikitext,
        source_sha256=hashlib.sha256(wikitext.encode()).hexdigest() if wikitext is not None else "",
        converter_version=data.converter,
        warnings=data.warnings,
    )


def said(exact: Any, written: str | None) -> str | None:
    return written if exact is UNSET else exact


def same(there: Revision, row: Revision) -> bool:
    """Whether two rows of one id are the same revision; what is hidden in one cannot tell, nor can the
    text of an imported one, which a better source or a newer converter may have replaced since."""
    if there.timestamp != row.timestamp or there.page_id != row.page_id:
        return False
    imported = there.origin_id is not None and bool(row.origin_key)
    known = there.text_state in KNOWN and row.text_state in KNOWN
    if known and not imported and there.text_sha1 != row.text_sha1:
        return False
    names = {there.author_name, row.author_name}
    return len(names) == 1 or UNKNOWN_AUTHOR in names


def correct_sequences() -> None:
    """Let new rows get ids above those that came with the export (PostgreSQL)."""
    statements = connection.ops.sequence_reset_sql(no_style(), WITH_IDS)
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def lock(site: str) -> None:
    """One import of a site at a time."""
    one_at_a_time(f"import {site}")


def restore(
    source: ReadFile,
    head: Head,
    *,
    accounts: bool = False,
    progress: Progress | None = None,
    keep_files: bool = True,
) -> Report:
    """Take the export ``source`` back. ``accounts``: authors are the accounts of the same name, as they
    are anyway where the export is of this very wiki. Raises ImportRefused where it is damaged; what
    was stored before stays."""
    own = Identity.objects.filter(pk=1, uuid=head.site).exists()
    source = replace(source, count=source.whole)
    work = Restore(source, head, accounts or own)
    with open_export(source.path) as stream:
        report = work.run(xml.read(stream), progress)
    without = put_files(source, work.pictures, keep=keep_files, report=report)
    if without:
        report.warn([f"{source.name}: {without:,} pictures are named whose bytes are not here."])
    logger.info("restored: file=%s added=%s", source.sha256[:12], report.added)
    return report


def put_files(source: ReadFile, wanted: set[tuple[str, str]], *, keep: bool, report: Report) -> int:
    """Store the pictures that came with the export; how many of ``wanted`` are nowhere. Only what is
    the picture that its name says is taken."""
    lacking = {one for one in wanted if not pictures.original(*one).exists()}
    if not lacking or not zipfile.is_zipfile(source.path):
        return len(lacking)
    with zipfile.ZipFile(source.path) as archive:
        for sha256, kind in sorted(lacking):
            name = f"files/{sha256}.{kind}"
            try:
                info = archive.getinfo(name)
                data = archive.read(info) if info.file_size <= MAX_STORED else b""
                good = pictures.digest(data) == sha256 and read_header(data).kind == kind
            except KeyError:
                continue
            except (WikiError, zipfile.BadZipFile):
                good = False
            if not good:
                report.warn([f"{source.name}: {name} is not the picture that its name says."])
                continue
            lacking.discard((sha256, kind))
            if keep:
                pictures.put(data, kind)
    return len(lacking)
