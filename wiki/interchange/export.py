"""Pages with their history as MediaWiki's XML (schema 0.11), written as a stream.

The text of a revision is its Markdown, under the content model ``text``: a MediaWiki refuses a file
with a model or a slot that it does not know. What the schema has no place for, the wikitext of an
imported revision among it, stands in attributes of our own namespace (see ``additions``). Hidden texts, summaries and authors are marked ``deleted`` and left out,
as are deleted pages and pictures, unless ``everything`` is asked for.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from xml.sax.saxutils import escape, quoteattr

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F, QuerySet

from wiki.files.reading import covered
from wiki.interchange import additions
from wiki.interchange.additions import Head, Link, LogData, PageData, Picture, RevisionData, Source
from wiki.interchange.mediawiki_xml import OURS, base36_sha1
from wiki.models import FileVersion, ImportSource, LogEntry, Page, Revision
from wiki.services.history import sha1
from wiki.services.identity import site_uuid

URI = "http://www.mediawiki.org/xml/export-0.11/"
NUMBERS = {"": 0, "talk": 1, "file": 6, "category": 14}  # of namespaces there
NAMESPACES = {0: "", 1: "Talk", 6: "File", 14: "Category"}
UNDATED = datetime(1970, 1, 1, tzinfo=UTC)
# What XML 1.0 cannot hold.
UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
LINE_ENDS = {"\r": "&#13;"}  # which readers of XML would change
ROWS = 50  # revisions that are read at a time
SITE_NAME = "Parlour"


@dataclass(frozen=True)
class Wish:
    """What of the pages is written: all revisions or the current one, and whether hidden things."""

    history: bool = True
    everything: bool = False
    log: bool = False


def pages_wanted(*, everything: bool) -> QuerySet[Page]:
    """All pages, in the order in which they were made."""
    return (Page.everything if everything else Page.objects).order_by("pk")


@contextmanager
def one_moment() -> Iterator[None]:
    """What is read inside is as it was at one moment, where the database can say so without keeping
    others from writing."""
    if connection.vendor != "postgresql" or connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield


def xml_of(pages: QuerySet[Page], wish: Wish) -> Iterator[str]:
    """The whole document, in pieces."""
    yield head(pages, wish)
    for page in pages.iterator(chunk_size=100):
        yield from page_xml(page, wish)
    if wish.log:
        for entry in LogEntry.objects.select_related("actor", "page").order_by("pk").iterator(500):
            if not wish.everything:
                entry.cover()
            yield log_xml(entry)
    yield "</mediawiki>\n"


def head(pages: QuerySet[Page], wish: Wish) -> str:
    named = Revision.objects.filter(page__in=pages.order_by()).exclude(origin=None)
    sources = [
        Source(
            sha256=one.sha256,
            kind=one.kind,
            site=one.site,
            file_name=one.file_name,
            loaded=one.loaded_at,
            owner=one.feed_owner,
            language=one.language,
        )
        for one in ImportSource.objects.filter(pk__in=named.order_by().values("origin")).order_by(
            "pk"
        )
    ]
    data = Head(site=str(site_uuid()), everything=wish.everything, sources=sources)
    names = "".join(
        f'<namespace key="{key}" case="first-letter">{name}</namespace>'
        for key, name in NAMESPACES.items()
    )
    return (
        f'<mediawiki xmlns="{URI}" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" '
        f'xmlns:parlour="{OURS}" xsi:schemaLocation="{URI} {URI.removesuffix("/")}.xsd" '
        f'version="0.11" xml:lang={quoteattr(settings.LANGUAGE_CODE)}{ours(data)}>\n<siteinfo>'
        f"<sitename>{SITE_NAME}</sitename><dbname>parlour</dbname><base>{written(base())}</base>"
        f"<generator>Parlour</generator><case>first-letter</case>"
        f"<namespaces>{names}</namespaces></siteinfo>\n"
    )


def base() -> str:
    return f"{settings.SITE_URL.rstrip('/')}/wiki/"


def ours(data: additions.Struct) -> str:
    return f" parlour:data={quoteattr(additions.encoded(data))}"


def written(text: str) -> str:
    """``text`` between tags: without what XML cannot hold, with line ends that it does not change."""
    return escape(UNSPEAKABLE.sub("", text), LINE_ENDS)


def stamp(moment: datetime) -> str:
    """``moment`` to the second, its year in four digits."""
    return f"{moment.astimezone(UTC).replace(tzinfo=None, microsecond=0).isoformat()}Z"


def unless_spoken(text: str) -> str | additions.UnsetType:
    """``text`` where XML cannot hold it."""
    return text if UNSPEAKABLE.search(text) else additions.UNSET


def page_xml(page: Page, wish: Wish) -> Iterator[str]:
    number = NUMBERS[page.namespace]
    redirect = f"<redirect title={quoteattr(page.redirect_title)} />" if page.redirect_title else ""
    yield (
        f"<page{ours(page_data(page, wish))}><title>{written(page.title)}</title>"
        f"<ns>{number}</ns><id>{page.pk}</id>{redirect}\n"
    )
    rows = page.revisions.select_related("author", "patrolled_by", "origin").defer(
        "rendered", "rendered_toc", "rendered_unknown"
    )
    if not wish.history:
        rows = rows.filter(pk=page.current_id)
    for revision in rows.order_by("number").iterator(chunk_size=ROWS):
        yield revision_xml(revision, wish)
    yield "</page>\n"


def page_data(page: Page, wish: Wish) -> PageData:
    pictures = page.file_versions.select_related("uploader") if page.namespace == "file" else ()
    return PageData(
        slug=page.slug,
        created=page.created_at,
        language=page.language,
        namespace=page.namespace,
        game=page.game,
        names=list(page.names.order_by("pk").values_list("title", flat=True)),
        current=page.current_id,
        subject=page.subject_id,
        group=page.group_id,
        redirect=page.redirect_title,
        redirect_to=page.redirect_to_id,
        protection=page.protection,
        protected_until=page.protected_until,
        protection_reason=page.protection_reason,
        rename_protection=page.rename_protection,
        rename_protected_until=page.rename_protected_until,
        deleted=page.deleted_at,
        deleted_by=page.deleted_by,
        deleted_reason=page.deleted_reason,
        deleted_names=page.deleted_names,
        links=[
            Link(kind=one.kind, key=one.key, target=one.target_id)
            for one in page.links.exclude(target=None)
            .exclude(target__names__key=F("key"))
            .order_by("pk")
        ],
        pictures=[
            picture_data(one)
            for one in (pictures if wish.everything else covered(pictures))
            if wish.everything or one.hidden_at is None
        ],
    )


def picture_data(version: FileVersion) -> Picture:
    return Picture(
        id=version.pk,
        number=version.number,
        sha256=version.sha256,
        sent_sha256=version.sent_sha256,
        kind=version.kind,
        width=version.width,
        height=version.height,
        size=version.size,
        uploaded=version.uploaded_at,
        licence=version.licence,
        frames=version.frames,
        source=version.source,
        comment=version.comment,
        account=version.uploader.username if version.uploader else "",
        uploader=version.uploader_name,
        hidden=version.hidden_at,
        hidden_by=version.hidden_by,
        hidden_reason=version.hidden_reason,
    )


def revision_xml(row: Revision, wish: Wish) -> str:
    hidden = set() if wish.everything else hidden_parts(row)
    moment = row.timestamp or UNDATED
    parent = f"<parentid>{row.parent_id}</parentid>" if row.parent_id and wish.history else ""
    account = "<id>0</id>" if row.author_id is None else f"<id>{row.author_id}</id>"
    contributor = (
        '<contributor deleted="deleted" />'
        if "author" in hidden
        else f"<contributor><username>{written(row.author_name)}</username>{account}</contributor>"
    )
    comment = f"<comment>{written(row.summary)}</comment>" if row.summary else ""
    if "summary" in hidden:
        comment = '<comment deleted="deleted" />'
    clean = UNSPEAKABLE.sub("", row.text)
    sha1, size = base36_sha1(clean), len(clean.encode())
    body = f'<text bytes="{size}" deleted="deleted" />'
    if "text" not in hidden:
        body = (
            f'<text bytes="{size}" sha1="{sha1}" xml:space="preserve">'
            f"{escape(clean, LINE_ENDS)}</text><sha1>{sha1}</sha1>"
        )
    return (
        f"<revision{ours(revision_data(row, hidden))}><id>{row.pk}</id>{parent}"
        f"<timestamp>{stamp(moment)}</timestamp>{contributor}"
        f"{'<minor/>' if row.minor else ''}{comment}<origin>{row.pk}</origin>"
        f"<model>text</model><format>text/plain</format>{body}</revision>\n"
    )


def hidden_parts(row: Revision) -> set[str]:
    parts = {"text": row.text_hidden, "summary": row.summary_hidden, "author": row.author_hidden}
    return {part for part, hides in parts.items() if hides}


def revision_data(row: Revision, hidden: set[str]) -> RevisionData:
    data = RevisionData(
        number=row.number,
        created=row.created_at,
        time=row.timestamp,
        delta=row.delta,
        event=row.event,
        state=row.text_state,
        format=row.format,
        hidden=sorted(hidden_parts(row)),
        patrolled=row.patrolled_at,
        patrolled_by=row.patrolled_by.username if row.patrolled_by else "",
        reverted_by=row.reverted_by_id,
        source=row.origin.sha256 if row.origin else "",
        origin_title=row.origin_title,
        origin_revid=row.origin_revid,
        origin_parent=row.origin_parent,
        origin_order=row.origin_order,
        origin_key=row.origin_key,
        converter=row.converter_version,
    )
    if "text" not in hidden:
        data.warnings = row.warnings
        data.text = unless_spoken(row.text)
        if row.source_text is not None:
            data.original, data.original_sha1 = row.source_text, sha1(row.source_text)
    if "summary" not in hidden:
        data.summary = unless_spoken(row.summary)
    if "author" not in hidden:
        data.author = unless_spoken(row.author_name)
        data.account = row.author.username if row.author else ""
    return data


def log_xml(entry: LogEntry) -> str:
    data = LogData(
        kind=entry.kind,
        time=entry.at,
        title=entry.title,
        page=entry.page_id,
        account=entry.actor.username if entry.actor else "",
        detail=entry.detail,
    )
    return (
        f"<logitem{ours(data)}><id>{entry.pk}</id>"
        f"<timestamp>{stamp(entry.at)}</timestamp>"
        f"<contributor><username>{written(entry.actor_name)}</username>"
        f"<id>{entry.actor_id or 0}</id></contributor>"
        f"<comment>{written(entry.reason)}</comment><type>{written(entry.kind)}</type>"
        f"<action>{written(entry.kind)}</action><logtitle>{written(entry.title)}</logtitle>"
        f"</logitem>\n"
    )
