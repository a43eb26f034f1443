"""Opening a file of another wiki: what kind it is, by its content, and its bytes, unpacked. Pure."""

import bz2
import gzip
import lzma
import re
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import BinaryIO

HEAD = 4096  # bytes that are looked at
EXPORT_IN_ZIP = "wiki.xml"
PACKED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
# What reading raises where the packing is damaged or the disk fails.
DAMAGED = (OSError, EOFError, zlib.error, lzma.LZMAError, zipfile.BadZipFile)
ROOT = re.compile(rb"<(?:[A-Za-z_][\w.-]*:)?([A-Za-z_][\w.-]*)")
BEFORE_ROOT = re.compile(rb"\s+|<\?.*?\?>|<!--.*?-->", re.DOTALL)


class Content(StrEnum):
    """What a file holds; XML of other roots is refused, anything else is text."""

    EXPORT = "export"
    ATOM = "atom"
    TEXT = "text"


class CannotOpen(Exception):
    """The sentence says why."""


@contextmanager
def open_export(path: Path) -> Iterator[BinaryIO]:
    """The bytes of ``path``, unpacked where they are packed. Raises CannotOpen; while one reads,
    what is in DAMAGED."""
    try:
        with path.open("rb") as file:
            head = file.read(8)
    except OSError as error:
        raise CannotOpen(f"{error.strerror or error}.") from error
    if head.startswith(b"PK\x03\x04"):
        with ExitStack() as stack:
            try:
                archive = stack.enter_context(zipfile.ZipFile(path))
                stream = stack.enter_context(archive.open(EXPORT_IN_ZIP))
            except (zipfile.BadZipFile, KeyError, RuntimeError, NotImplementedError) as error:
                raise CannotOpen(
                    f"this is no archive that export_wiki wrote: it holds no {EXPORT_IN_ZIP}, or "
                    "was cut off."
                ) from error
            yield stream
        return
    if head.startswith(b"7z\xbc\xaf"):
        raise CannotOpen("a 7z archive cannot be read; unpack it first (7z x).")
    opener = next((opener for mark, opener in PACKED.items() if head.startswith(mark)), None)
    if opener is None:
        with path.open("rb") as stream:
            yield stream
        return
    with opener(path, "rb") as stream:
        yield stream


def content_of(head: bytes) -> Content:
    """What begins with ``head``. Raises CannotOpen for pages and feeds of other kinds."""
    rest = head.removeprefix(b"\xef\xbb\xbf")
    at = 0
    while match := BEFORE_ROOT.match(rest, at):
        at = match.end()
    rest = rest[at:]
    doctype = rest[:9].lower() == b"<!doctype"
    root = ROOT.match(rest)
    name = root[1].lower() if root else b""
    if name == b"mediawiki" or (doctype and b"html" not in rest[:200].lower()):
        return Content.EXPORT  # whose reader refuses document types
    if name == b"feed":
        return Content.ATOM
    if name in (b"rss", b"rdf"):
        raise CannotOpen("this is an RSS feed; ask for feedformat=atom, which has the numbers.")
    if name == b"html" or doctype:
        raise CannotOpen("this is a web page, no export: perhaps the wiki asked to log in.")
    if name == b"api":
        raise CannotOpen("this is an answer of the wiki's API, no feed and no export.")
    return Content.TEXT
