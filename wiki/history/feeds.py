"""Atom feeds that carry the full text of every revision.

The shape is the one that other wikis give for contributions, so that a reader, or an importer,
finds what it knows: entry title is the page's title, ``updated`` the time of the edit, and the
summary (HTML) is ``<p>user: summary</p><hr /><div>text</div>`` with the text escaped and a ``<br />``
before each line end. Imported revisions give back their title and wikitext as they were read.

Long lists come in parts (RFC 5005, "paged feeds"). Ids are made from the id of this site and the row
id of a revision: they last, and no other site has them.
"""

import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlencode
from xml.sax.saxutils import XMLGenerator

from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import escape, format_html
from django.utils.http import http_date, quote_etag

from wiki import listing
from wiki.models import LogEntry, Revision
from wiki.selectors import covered_log
from wiki.services.identity import lasting_id, site_uuid
from wiki.services.log import log_sentence
from wiki.services.summary import pieces

SHAPE = 3  # goes up when the same revisions make another feed
MOST_BYTES = 4_000_000  # of texts in one part
# What XML 1.0 cannot hold.
UNSPEAKABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
NEVER = datetime(1970, 1, 1, tzinfo=UTC)  # when a feed without entries changed


@dataclass(frozen=True)
class Wanted:
    """Which part of a feed: ``limit`` entries after the revision ``last``."""

    limit: int
    last: Revision | None = None


class PagedAtom(Atom1Feed):
    """Atom with links to the first and the next part, which changes when its entries do only."""

    def add_root_elements(self, handler: XMLGenerator) -> None:
        super().add_root_elements(handler)
        for relation in ("first", "next"):
            if address := self.feed[relation]:
                handler.addQuickElement("link", "", {"rel": relation, "href": address})

    def latest_post_date(self) -> datetime:
        return super().latest_post_date() if self.items else NEVER


def original_text(revision: Revision) -> str:
    """The text as it was written: wikitext for imported revisions, else Markdown."""
    return revision.text if revision.source_text is None else revision.source_text


def entry_html(revision: Revision, said: str) -> str:
    """``said`` is the summary as HTML."""
    text = str(escape(original_text(revision))).replace("\n", "<br />\n")
    byline = f"{escape(revision.author_name)}: {said}"
    return f"<p>{byline}</p>\n<hr />\n<div>{text}</div>"


def linked_summary(revision: Revision, site: str) -> str:
    """The summary as HTML, with links to the sections that it names; ``site`` is our address."""
    page = f"{site}{reverse('wiki_page', args=[revision.page.slug])}"
    return "".join(
        format_html('<a href="{}#{}">{}</a>', page, piece.anchor, piece.text)
        if piece.anchor
        else escape(piece.text)
        for piece in pieces(revision)
    )


def plain(text: str) -> str:
    return UNSPEAKABLE.sub("", text)


def feed_response(
    request: HttpRequest,
    *,
    name: str,
    title: str,
    html_url: str,
    revisions: QuerySet[Revision],
    wanted: Wanted,
) -> HttpResponse:
    """One part of an Atom feed of dated ``revisions``, newest first and without their texts; 304 to
    a reader that has it as it is. ``name`` says on this site which feed it is, whatever its address.
    """
    found = list(listing.before(revisions, wanted.last)[: wanted.limit + 1])
    rows = within(found[: wanted.limit], MOST_BYTES)
    more = len(rows) < len(found)
    site = site_uuid()

    def fill(feed: PagedAtom) -> None:
        for revision in with_texts(rows):
            said = escape(revision.summary)  # contributions can be read in again as they were
            if not name.startswith("contributions:"):
                said = linked_summary(revision, request.build_absolute_uri("/").rstrip("/"))
            add_entry(feed, request, revision, said, lasting_id(site, "revision", revision.pk))

    return respond(
        request,
        name=name,
        title=title,
        html_url=html_url,
        tag=fingerprint(request, site, title, rows, more),
        changed=max((row.created_at for row in rows), default=None),
        following={"limit": wanted.limit, "before": rows[-1].pk} if more else None,
        fill=fill,
    )


def log_response(
    request: HttpRequest,
    *,
    title: str,
    html_url: str,
    entries: QuerySet[LogEntry],
    limit: int,
    last: LogEntry | None = None,
) -> HttpResponse:
    """One part of an Atom feed of the log, as everybody may read it: ``limit`` entries after ``last``."""
    if last is not None:
        entries = entries.filter(Q(at__lt=last.at) | Q(at=last.at, pk__lt=last.pk))
    found = covered_log(entries[: limit + 1])
    rows, more = found[:limit], len(found) > limit
    site = site_uuid()
    asked = {key: said for key, said in request.GET.items() if key not in ("limit", "before")}

    def fill(feed: PagedAtom) -> None:
        for row in rows:
            there = row.page is not None and row.page.deleted_at is None
            feed.add_item(
                title=plain(f"{row.actor_name} {log_sentence(row)}"),
                link=request.build_absolute_uri(row.page.get_absolute_url() if there else html_url),
                description=plain(str(escape(row.reason))),
                author_name=plain(row.actor_name),
                unique_id=lasting_id(site, "log", row.pk),
                updateddate=row.at,
                pubdate=row.at,
            )

    told = [
        (row.pk, row.actor_name, log_sentence(row), row.reason, row.page and row.page.slug)
        for row in rows
    ]
    return respond(
        request,
        name=f"log:{urlencode(asked)}" if asked else "log",
        title=title,
        html_url=html_url,
        tag=digest([SHAPE, site, request.build_absolute_uri(), title, more, told]),
        changed=rows[0].at if rows else None,
        following=asked | {"limit": limit, "before": rows[-1].pk} if more else None,
        fill=fill,
    )


def respond(
    request: HttpRequest,
    *,
    name: str,
    title: str,
    html_url: str,
    tag: str,
    changed: datetime | None,
    following: dict[str, object] | None,
    fill: Callable[[PagedAtom], None],
) -> HttpResponse:
    """The feed that ``fill`` puts entries into; 304 to a reader that has what ``tag`` names.
    ``following`` is the query of the next part. ``changed`` is when the newest of its rows came; what was
    hidden, deleted or renamed since makes it another feed as well, and stands in the log."""
    quoted = quote_etag(tag)
    logged = LogEntry.objects.order_by("-at").values_list("at", flat=True).first()
    stamp = int(max(changed, logged or changed).timestamp()) if changed else None
    response = get_conditional_response(request, etag=quoted, last_modified=stamp)
    if response is None:
        absolute = request.build_absolute_uri
        feed = PagedAtom(
            title=plain(title),
            link=absolute(html_url),
            feed_url=absolute(request.get_full_path()),
            feed_guid=lasting_id(site_uuid(), "feed", name),
            description=None,
            language="en",
            first=absolute(request.path),
            next=absolute(f"{request.path}?{urlencode(following)}") if following else None,
        )
        fill(feed)
        response = HttpResponse(
            feed.writeString("utf-8"), content_type="application/atom+xml; charset=utf-8"
        )
    response["ETag"] = quoted
    response["Cache-Control"] = "no-cache"
    if stamp is not None:
        response["Last-Modified"] = http_date(stamp)
    return response


def add_entry(
    feed: PagedAtom, request: HttpRequest, revision: Revision, said: str, entry_id: str
) -> None:
    link = reverse("wiki_diff", args=[revision.page.slug, revision.parent_id or 0, revision.pk])
    feed.add_item(
        title=plain(revision.origin_title or revision.page.title),
        link=request.build_absolute_uri(link),
        description=plain(entry_html(revision, said)),
        author_name=plain(revision.author_name),
        unique_id=entry_id,
        updateddate=revision.timestamp,
        pubdate=revision.timestamp,
    )


def fingerprint(
    request: HttpRequest, site: object, title: str, rows: list[Revision], more: bool
) -> str:
    """Differs when one of the things differs that a feed of ``rows`` is made of."""
    parts: list[object] = [SHAPE, site, request.build_absolute_uri(), title, more]
    for row in rows:
        parts += [row.pk, row.page.title, row.page.slug, row.page.current_id]
        parts += [row.origin_title, row.parent_id]
        parts += [
            row.text_state,
            row.author_name,
            row.timestamp,
            row.summary,
            row.text_sha1,
            row.source_sha256,
        ]
    return digest(parts)


def digest(parts: list[object]) -> str:
    return hashlib.sha256(repr(parts).encode("utf-8", "replace")).hexdigest()[:32]


def within(rows: list[Revision], most: int) -> list[Revision]:
    """As many of ``rows`` as have no more than ``most`` bytes of text together; at least one."""
    total = 0
    for number, row in enumerate(rows):
        total += row.size
        if number and total > most:
            return rows[:number]
    return rows


def with_texts(rows: list[Revision]) -> list[Revision]:
    """``rows`` with what was left out when they were read, but for what is hidden."""
    open_to_all = [row for row in rows if row.text_state != Revision.HIDDEN]
    found = Revision.objects.only("text", "source_text")
    texts = found.in_bulk([row.pk for row in open_to_all])
    for row in open_to_all:
        row.text, row.source_text = texts[row.pk].text, texts[row.pk].source_text
    return rows
