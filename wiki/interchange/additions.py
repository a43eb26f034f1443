"""What our exports say that MediaWiki's schema has no place for. Pure.

It stands as JSON in the attribute ``data`` of a namespace of its own, which other readers pass over:
of the whole export (``Head``), of a page, of a revision and of a line of the log. What has its usual
value is left out. Rows are named by their ids: addresses and the ids in feeds are made of them.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

FORMAT = 1
Name = Annotated[str, Meta(max_length=255)]
Long = Annotated[str, Meta(max_length=500)]
Short = Annotated[str, Meta(max_length=64)]
Sha1 = Annotated[str, Meta(pattern="^([0-9a-f]{40})?$")]
Sha256 = Annotated[str, Meta(pattern="^([0-9a-f]{64})?$")]
Slug = Annotated[str, Meta(max_length=255, pattern=r"^[-\w]+$")]
RowId = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Count = Annotated[int, Meta(ge=0, le=2**31 - 1)]
Delta = Annotated[int, Meta(ge=1 - 2**31, le=2**31 - 1)]
NumberThere = Annotated[int, Meta(ge=0, le=2**63 - 1)]  # of a revision in the wiki it is from
Level = Literal["open", "accounts", "established", "reviewers", "staff", "admins"]


class Source(Struct, omit_defaults=True):
    """A file that an import had read, as ``ImportSource`` has it."""

    sha256: Sha256
    kind: Annotated[str, Meta(max_length=20)]
    site: Name = ""
    file_name: Name = ""
    loaded: datetime | None = None
    owner: Name = ""
    language: Annotated[str, Meta(max_length=16)] = ""


class Head(Struct, omit_defaults=True):
    """``site`` is the id of the wiki (``Identity``); ``everything``: hidden and deleted things too."""

    site: Annotated[str, Meta(pattern="^[0-9a-f-]{36}$")]
    format: int = FORMAT
    everything: bool = False
    sources: list[Source] = []


class Picture(Struct, omit_defaults=True):
    """A version of a file, as ``FileVersion`` has it; the bytes are beside the export."""

    id: RowId
    number: Count
    sha256: Sha256
    sent_sha256: Sha256
    kind: Literal["png", "jpg", "webp", "gif"]
    width: Count
    height: Count
    size: Count
    uploaded: datetime
    licence: Annotated[str, Meta(max_length=10)]
    frames: Count = 1
    source: Long = ""
    comment: Long = ""
    account: Name = ""
    uploader: Name = ""
    hidden: datetime | None = None
    hidden_by: Name = ""
    hidden_reason: Long = ""


class Link(Struct, omit_defaults=True):
    """A link that leads to a page which is not called so any more."""

    kind: Annotated[str, Meta(max_length=10)]
    key: Name
    target: RowId


class PageData(Struct, omit_defaults=True):
    slug: Slug
    created: datetime
    language: Annotated[str, Meta(max_length=16)] = "en"
    namespace: Literal["", "file", "talk", "category"] = ""
    game: Short = ""
    names: list[Name] = []
    current: RowId | None = None
    subject: RowId | None = None  # the page that a talk page is about
    group: RowId | None = None
    redirect: Name = ""
    redirect_to: RowId | None = None
    protection: Level = "open"
    protected_until: datetime | None = None
    protection_reason: Annotated[str, Meta(max_length=300)] = ""
    rename_protection: Level = "open"
    rename_protected_until: datetime | None = None
    deleted: datetime | None = None
    deleted_by: Name = ""
    deleted_reason: Long = ""
    deleted_names: list[Name] = []
    pictures: list[Picture] = []
    links: list[Link] = []


class RevisionData(Struct, omit_defaults=True):
    """``time`` is the exact one, None of an undated revision; ``original`` is the wikitext it was
    converted from, with its SHA-1; ``text``, ``summary`` and ``author`` stand here only where XML cannot hold them."""

    number: Count
    created: datetime
    time: datetime | None = None
    delta: Delta | None = None
    event: Annotated[str, Meta(max_length=12)] = ""
    state: Literal["present", "blank", "file", "missing"] = "present"
    format: Annotated[str, Meta(max_length=10)] = "markdown"
    account: Name = ""
    hidden: list[Literal["text", "summary", "author"]] = []
    patrolled: datetime | None = None
    patrolled_by: Name = ""
    reverted_by: RowId | None = None
    source: Sha256 = ""  # of the file it was imported from
    origin_title: Name = ""
    origin_revid: NumberThere | None = None
    origin_key: Annotated[str, Meta(max_length=700)] | None = None
    origin_parent: NumberThere | None = None
    origin_order: Count = 0
    converter: Count = 0
    warnings: list[str] = []
    text: str | UnsetType = UNSET
    original: str | UnsetType = UNSET
    original_sha1: Sha1 = ""
    summary: str | UnsetType = UNSET
    author: Name | UnsetType = UNSET


class LogData(Struct, omit_defaults=True):
    kind: Annotated[str, Meta(max_length=10)]
    time: datetime
    title: Name = ""
    page: RowId | None = None
    account: Name = ""
    detail: dict[str, Any] = {}


def encoded(data: Struct) -> str:
    """JSON in plain ASCII, which any attribute can hold."""
    said = msgspec.json.encode(data).decode()
    if said.isascii():
        return said
    return "".join(mark if mark.isascii() else _escaped(mark) for mark in said)


def _escaped(mark: str) -> str:
    units = mark.encode("utf-16-be")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))


def decoded(data: dict[str, Any], kind: type[Any]) -> Any:
    """``data`` as ``kind``. Raises msgspec.ValidationError."""
    return msgspec.convert(data, kind, strict=True)
