"""MediaWiki's XML export -> pages and revisions, one at a time. Pure: no Django, no database.

Read are the schemas 0.3 to 0.11, as a stream: what is held at a time is one revision. A document type,
entities and whatever else of XML points outside the file are refused (``defusedxml``). Every
refusal is an XmlError with the number of the line.

A text is checked against the SHA-1 that the export gives (in base 36): where they differ the text is
damaged, and ``Slot.trouble`` says so. What another namespace than the export's has is passed
over, but for the attribute ``data`` of our own, which holds JSON (see ``wiki.interchange.export``).
"""

import hashlib
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, BinaryIO
from xml.sax import SAXException, SAXParseException
from xml.sax.handler import ContentHandler, feature_namespaces
from xml.sax.xmlreader import AttributesNSImpl

from defusedxml import DefusedXmlException
from defusedxml.expatreader import DefusedExpatParser

from wiki.interchange.opening import DAMAGED

OURS = "urn:parlour:export"  # the namespace of our additions
SCHEMA = re.compile(r"http://www\.mediawiki\.org/xml/export-0\.(\d+)/?")
SCHEMAS = range(3, 12)
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
CHUNK = 1 << 18  # bytes read at a time
MAX_TEXT = 4 << 20  # characters; MediaWiki itself takes 2 MiB
MAX_FIELD = 1 << 16  # characters of anything else
MAX_WAIT = 32 << 20  # bytes of something that does not end, as a tag
MAX_DEPTH = 16
MOST_UPLOADS = 1_000  # of one file
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz"
IGNORED = frozenset({"discussionthreadinginfo", "thread", "restrictions"})


class XmlError(Exception):
    """The file cannot be read. ``line`` counts from 1; ``str()`` names it."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message


@dataclass
class Site:
    """What the export says of the wiki it is from; ``namespaces`` by number, the pages' own is ""."""

    name: str = ""
    base: str = ""
    dbname: str = ""
    generator: str = ""
    language: str = ""
    schema: int = 0
    namespaces: dict[int, str] = field(default_factory=dict)
    data: dict[str, Any] = field(default_factory=dict)


@dataclass
class Upload:
    """What is told of a picture; its bytes are not read."""

    timestamp: datetime | None = None
    user: str = ""
    comment: str = ""
    filename: str = ""
    size: int = 0
    sha1: str = ""


@dataclass
class XmlPage:
    """``uploads`` and ``done`` are complete once the page has ended."""

    line: int
    title: str = ""
    ns: int = 0
    id: int = 0
    redirect: str = ""
    uploads: list[Upload] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)
    revisions: int = 0


@dataclass
class Slot:
    """One text of a revision. ``text`` None: it did not come along, for the reason ``trouble``."""

    role: str = "main"
    model: str = "wikitext"
    format: str = ""
    text: str | None = None
    sha1: str = ""
    size: int | None = None
    deleted: bool = False
    trouble: str = ""
    damaged: bool = False


@dataclass
class XmlRevision:
    """One revision; ``user`` and ``comment`` are None where the wiki hid them."""

    line: int
    id: int = 0
    parent: int | None = None
    timestamp: datetime | None = None
    user: str | None = ""
    comment: str | None = ""
    minor: bool = False
    sha1: str = ""
    slots: list[Slot] = field(default_factory=list)
    data: dict[str, Any] = field(default_factory=dict)

    @property
    def main(self) -> Slot:
        return next((slot for slot in self.slots if slot.role == "main"), Slot(text=None))


@dataclass
class LogItem:
    """A line of the wiki's log."""

    line: int
    id: int = 0
    timestamp: datetime | None = None
    user: str | None = ""
    comment: str | None = ""
    kind: str = ""
    title: str = ""
    data: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PageEnd:
    page: XmlPage


Item = Site | XmlPage | XmlRevision | LogItem | PageEnd


def base36_sha1(text: str) -> str:
    """The SHA-1 of ``text`` as MediaWiki writes it: base 36, 31 digits."""
    return base36(int(hashlib.sha1(text.encode(), usedforsecurity=False).hexdigest(), 16))


def base36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = DIGITS[digit] + digits
    return digits.rjust(31, "0")


def slots_sha1(slots: list[tuple[str, str]]) -> str:
    """The SHA-1 of a revision with several texts, from ``(role, sha1)`` of each."""
    ordered = [sha1 for _role, sha1 in sorted(slots)]
    total = ordered[0]
    for sha1 in ordered[1:]:
        total = base36_sha1(total + sha1)
    return total


def read(stream: BinaryIO) -> Iterator[Item]:
    """What ``stream`` holds, in order: the site first, then of each page the page, its revisions and
    its end. Raises XmlError."""
    handler = _Handler()
    parser = DefusedExpatParser(
        namespaceHandling=1, forbid_dtd=True, forbid_entities=True, forbid_external=True
    )
    parser.setFeature(feature_namespaces, True)
    parser.setContentHandler(handler)
    fed = 0
    try:
        while chunk := stream.read(CHUNK):
            parser.feed(chunk)
            fed += len(chunk)
            if fed - parser._parser.CurrentByteIndex > MAX_WAIT:
                raise XmlError(handler.line, "a tag begins here that does not end.")
            yield from handler.take()
        parser.close()
    except DefusedXmlException as error:
        raise XmlError(
            max(handler.line, 1),
            "the file declares a document type or entities. No export of a wiki does, and such "
            "files can be made to harm who reads them: it is not read.",
        ) from error
    except SAXParseException as error:
        if not handler.seen:
            raise XmlError(error.getLineNumber() or 1, "this is no XML.") from error
        raise XmlError(
            error.getLineNumber() or 1,
            f"the XML is damaged here, or the file was cut off ({error.getMessage()}).",
        ) from error
    except (SAXException, *DAMAGED) as error:
        raise XmlError(max(handler.line, 1), f"the file cannot be read on: {error}.") from error
    yield from handler.take()
    if handler.site is None:
        raise XmlError(1, "the export says nothing about the wiki it is from (<siteinfo>).")


class _Handler(ContentHandler):
    """Gathers items; ``take`` hands them out."""

    def __init__(self) -> None:
        super().__init__()
        self.items: list[Item] = []
        self.path: list[str] = []
        self.skipped = 0  # levels inside something that is not read
        self.namespace: str | None = ""
        self.buffer: list[str] = []
        self.length = 0
        self.too_long = False
        self.seen = False
        self.opening = Site()
        self.site: Site | None = None  # complete
        self.page: XmlPage | None = None
        self.revision: XmlRevision | None = None
        self.slot: Slot | None = None
        self.upload: Upload | None = None
        self.log: LogItem | None = None
        self.ns_key = 0

    @property
    def line(self) -> int:
        return (self._locator.getLineNumber() or 1) if self._locator else 1

    def take(self) -> list[Item]:
        items, self.items = self.items, []
        return items

    def refuse(self, message: str) -> None:
        raise XmlError(self.line, message)

    # what SAX calls

    def startElementNS(
        self, name: tuple[str | None, str], qname: str | None, attrs: AttributesNSImpl
    ) -> None:
        uri, tag = name
        self.seen = True
        if self.skipped:
            self.skipped += 1
            return
        if not self.path:
            self._root(uri, tag, attrs)
        elif uri != self.namespace or tag in IGNORED:
            self.skipped = 1
            return
        if len(self.path) >= MAX_DEPTH:
            self.refuse("the XML is nested deeper than an export is.")
        self.path.append(tag)
        self.buffer, self.length, self.too_long = [], 0, False
        getattr(self, f"_start_{tag}", lambda attrs: None)(attrs)

    def characters(self, content: str) -> None:
        if self.skipped or self.too_long:
            return
        self.length += len(content)
        if self.length > (MAX_TEXT if self.path[-1:] == ["text"] else MAX_FIELD):
            if self.path[-1:] not in (["text"], ["contents"]):
                self.refuse(f"<{self.path[-1]}> is longer than in any export.")
            self.too_long = True
            self.buffer = []
            return
        self.buffer.append(content)

    def endElementNS(self, name: tuple[str | None, str], qname: str | None) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        tag = self.path.pop()
        text = "".join(self.buffer)
        self.buffer, self.length = [], 0
        end = getattr(self, f"_end_{tag}", None)
        if end is not None:
            end(text)
        self.too_long = False

    # the document

    def _root(self, uri: str | None, tag: str, attrs: AttributesNSImpl) -> None:
        schema = SCHEMA.fullmatch(uri or "")
        if tag != "mediawiki" or (uri and not schema):
            self.refuse(f"this is no export of MediaWiki but <{tag}>.")
        version = attribute(attrs, "version")
        minor = schema[1] if schema else version.removeprefix("0.")
        if not minor.isdigit() or int(minor) not in SCHEMAS:
            self.refuse(
                f"the export is of schema 0.{minor or '?'}; known are 0.{SCHEMAS[0]} to "
                f"0.{SCHEMAS[-1]}."
            )
        self.namespace = uri
        self.opening.schema = int(minor)
        self.opening.language = attrs.get(("http://www.w3.org/XML/1998/namespace", "lang"), "")
        self.opening.data = self._data(attrs)

    def _data(self, attrs: AttributesNSImpl) -> dict[str, Any]:
        said = attrs.get((OURS, "data"), "")
        if not said:
            return {}
        try:
            data = json.loads(said)
            sound = storable(data)
        except (ValueError, RecursionError):
            data, sound = None, False
        if not isinstance(data, dict) or not sound:
            self.refuse("what Parlour adds to an export is damaged here.")
        return data

    def _number(self, text: str, what: str) -> int:
        text = text.strip()
        if not re.fullmatch(r"-?[0-9]{1,18}", text):
            self.refuse(f"<{what}> holds no number.")
        return int(text)

    def _time(self, text: str) -> datetime:
        try:
            return datetime.strptime(text.strip(), "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC)
        except ValueError:
            self.refuse(f"there is no such time: {text.strip()[:40]}.")
            raise

    # the site

    def _end_sitename(self, text: str) -> None:
        self.opening.name = " ".join(text.split())

    def _end_base(self, text: str) -> None:
        self.opening.base = text.strip()

    def _end_dbname(self, text: str) -> None:
        self.opening.dbname = text.strip()

    def _end_generator(self, text: str) -> None:
        self.opening.generator = text.strip()

    def _start_namespace(self, attrs: AttributesNSImpl) -> None:
        self.ns_key = self._number(attribute(attrs, "key"), "namespace")

    def _end_namespace(self, text: str) -> None:
        if len(self.opening.namespaces) < 1_000:
            self.opening.namespaces[self.ns_key] = " ".join(text.replace("_", " ").split())

    def _end_siteinfo(self, _text: str) -> None:
        if self.site is None:
            self.site = self.opening
            self.items.append(self.site)

    # pages

    def _start_page(self, attrs: AttributesNSImpl) -> None:
        if self.site is None:
            self.refuse("a page stands before <siteinfo>.")
        if len(self.path) != 2:
            self.refuse("a page stands inside another element.")
        self.page = XmlPage(self.line, data=self._data(attrs))

    def _start_redirect(self, attrs: AttributesNSImpl) -> None:
        if self.page is not None:
            self.page.redirect = attribute(attrs, "title")

    def _end_title(self, text: str) -> None:
        if self.page is not None and self.path[-1] == "page":
            self.page.title = " ".join(text.replace("_", " ").split())

    def _end_ns(self, text: str) -> None:
        if self.page is not None:
            self.page.ns = self._number(text, "ns")

    def _end_page(self, _text: str) -> None:
        if self.page is None:
            return
        self._tell_page()
        self.items.append(PageEnd(self.page))
        self.page = None

    def _tell_page(self) -> None:
        """Hand the page out once, when all that stands before its revisions is known."""
        if self.page is not None and not self.page.revisions:
            if not self.page.title:
                self.refuse("a page has no title.")
            self.items.append(self.page)

    def _end_id(self, text: str) -> None:
        parent = self.path[-1]
        if parent == "page" and self.page is not None:
            self.page.id = self._number(text, "id")
        elif parent == "revision" and self.revision is not None:
            self.revision.id = self._number(text, "id")
        elif parent == "logitem" and self.log is not None:
            self.log.id = self._number(text, "id")

    # revisions

    def _start_revision(self, attrs: AttributesNSImpl) -> None:
        if self.page is None or self.path[-2] != "page":
            self.refuse("a revision stands outside of a page.")
        self._tell_page()
        self.page.revisions += 1
        self.revision = XmlRevision(self.line, data=self._data(attrs))
        self.slot = Slot()

    def _end_parentid(self, text: str) -> None:
        if self.revision is not None:
            self.revision.parent = self._number(text, "parentid") or None

    def _end_timestamp(self, text: str) -> None:
        owner = self.revision or self.upload or self.log
        if owner is not None:
            owner.timestamp = self._time(text)

    def _start_contributor(self, attrs: AttributesNSImpl) -> None:
        owner = self.revision or self.log
        if owner is not None and attribute(attrs, "deleted"):
            owner.user = None

    def _end_username(self, text: str) -> None:
        owner = self.revision or self.upload or self.log
        if owner is not None and owner.user is not None:
            owner.user = " ".join(text.replace("_", " ").split())

    _end_ip = _end_username

    def _start_comment(self, attrs: AttributesNSImpl) -> None:
        owner = self.revision or self.log
        if owner is not None and attribute(attrs, "deleted"):
            owner.comment = None

    def _end_comment(self, text: str) -> None:
        owner = self.revision or self.upload or self.log
        if owner is not None and owner.comment is not None:
            owner.comment = text

    def _end_minor(self, _text: str) -> None:
        if self.revision is not None:
            self.revision.minor = True

    def _end_sha1(self, text: str) -> None:
        if self.revision is not None:
            self.revision.sha1 = text.strip().lower()

    def _start_content(self, _attrs: AttributesNSImpl) -> None:
        if self.revision is None:
            return
        self._keep_slot()
        self.slot = Slot(role="")

    def _end_content(self, _text: str) -> None:
        self._keep_slot()

    def _end_role(self, text: str) -> None:
        if self.slot is not None:
            self.slot.role = text.strip()

    def _end_model(self, text: str) -> None:
        if self.slot is not None:
            self.slot.model = text.strip()

    def _end_format(self, text: str) -> None:
        if self.slot is not None:
            self.slot.format = text.strip()

    def _start_text(self, attrs: AttributesNSImpl) -> None:
        if self.slot is None:
            return
        self.slot.deleted = bool(attribute(attrs, "deleted"))
        self.slot.sha1 = attribute(attrs, "sha1").lower()
        size = attribute(attrs, "bytes")
        self.slot.size = self._number(size, "text bytes") if size else None

    def _end_text(self, text: str) -> None:
        if self.slot is None:
            return
        if self.slot.deleted:
            self.slot.trouble = "The wiki it comes from had hidden the text."
        elif self.too_long:
            self.slot.trouble = f"The text has more than {MAX_TEXT >> 20} million signs."
        elif not text and self.slot.size:
            self.slot.trouble = "The export was made without texts."
        else:
            self.slot.text = text

    def _keep_slot(self) -> None:
        if self.slot is not None and self.revision is not None:
            if any(slot.role == self.slot.role for slot in self.revision.slots):
                self.refuse("a revision holds two texts of one kind.")
            self.revision.slots.append(self.slot)
        self.slot = None

    def _end_revision(self, _text: str) -> None:
        revision = self.revision
        if revision is None:
            return
        self._keep_slot()
        if revision.timestamp is None:
            self.refuse("a revision has no time.")
        if revision.id < 1:
            self.refuse("a revision has no number.")
        check(revision)
        self.items.append(revision)
        self.revision = None

    # uploads and the log

    def _start_upload(self, _attrs: AttributesNSImpl) -> None:
        self.upload = Upload()

    def _end_filename(self, text: str) -> None:
        if self.upload is not None:
            self.upload.filename = " ".join(text.replace("_", " ").split())

    def _end_size(self, text: str) -> None:
        if self.upload is not None:
            self.upload.size = self._number(text, "size")

    def _end_sha1base36(self, text: str) -> None:
        if self.upload is not None:
            self.upload.sha1 = text.strip()

    def _end_upload(self, _text: str) -> None:
        if self.upload and self.page is not None and len(self.page.uploads) < MOST_UPLOADS:
            self.page.uploads.append(self.upload)
        self.upload = None

    def _start_logitem(self, attrs: AttributesNSImpl) -> None:
        self.log = LogItem(self.line, data=self._data(attrs))

    def _end_type(self, text: str) -> None:
        if self.log is not None:
            self.log.kind = text.strip()

    def _end_logtitle(self, text: str) -> None:
        if self.log is not None:
            self.log.title = text.strip()

    def _end_logitem(self, _text: str) -> None:
        if self.log is not None:
            self.items.append(self.log)
        self.log = None


def storable(data: Any) -> bool:
    """Whether a database can hold all texts in ``data``."""
    if isinstance(data, dict):
        return all(storable(part) for pair in data.items() for part in pair)
    if isinstance(data, list):
        return all(storable(part) for part in data)
    return not isinstance(data, str) or not UNSTORABLE.search(data)


def attribute(attrs: AttributesNSImpl, name: str) -> str:
    return attrs.get((None, name), "")


def check(revision: XmlRevision) -> None:
    """Take away the texts that are not what their SHA-1 says, and say so."""
    found = {slot.role: base36_sha1(slot.text) for slot in revision.slots if slot.text is not None}
    for slot in revision.slots:
        if slot.text is not None and slot.sha1 and slot.sha1 != found[slot.role]:
            _damaged(slot)
    if not revision.sha1 or len(found) != len(revision.slots):
        return
    if revision.sha1 != slots_sha1(list(found.items())) and revision.sha1 != found.get("main"):
        for slot in revision.slots:
            _damaged(slot)


def _damaged(slot: Slot) -> None:
    slot.text, slot.damaged = None, True
    slot.trouble = (
        "The text is not the one that the export's SHA-1 is of: it was damaged on its way."
    )
