"""What a picture's file says of itself, read without decoding a single pixel.

Sizes come first, since a file of a few kilobytes may ask for gigabytes of memory; where the picture
ends comes second, since what stands behind it may be a program or a page of another kind.
"""

import re
import struct
from collections.abc import Callable
from dataclasses import dataclass

from wiki.errors import WikiError

MAX_FRAMES = 500

SVG = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*|<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<svg\b", re.DOTALL
)
JPEG_END = re.compile(rb"\xff(?![\x00\xff\xd0-\xd7])")  # a marker that ends a scan
JPEG_SIZES = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}
# Beginnings of what a browser or a system would run or unpack behind a picture.
FOREIGN = re.compile(
    rb"<script|<html|<svg|<!doctype|<\?php|%PDF-|PK\x03\x04|PK\x05\x06|Rar!\x1a|7z\xbc\xaf", re.I
)


@dataclass(frozen=True)
class Header:
    """``kind`` is "png", "jpg", "webp" or "gif"; ``end`` the place behind the picture's last byte."""

    kind: str
    width: int  # pixels
    height: int
    frames: int
    end: int

    @property
    def pixels(self) -> int:
        """Of all frames together."""
        return self.width * self.height * self.frames


def read_header(data: bytes) -> Header:
    """The header of a PNG, JPEG, WebP or GIF that ends where it should.

    Raises WikiError ``empty_file``, ``svg_refused``, ``not_an_image``, ``broken_image``,
    ``too_many_frames`` or ``more_than_an_image``.
    """
    if not data:
        raise WikiError("empty_file", "The file is empty. Choose a picture.", status=422)
    reader = next((read for start, read in READERS if start.match(data)), None)
    if reader is None:
        raise no_picture(data)
    try:
        header = reader(data)
    except (IndexError, struct.error):  # it speaks of bytes that are not there
        raise broken() from None
    if not header.width or not header.height or header.end > len(data):
        raise broken()
    refuse_passengers(header, data)
    return header


def no_picture(data: bytes) -> WikiError:
    if SVG.match(data[:4096]):
        return WikiError(
            "svg_refused",
            "SVG drawings are not taken, since they can hold programs. Export it as a PNG picture "
            "and upload that.",
            status=422,
        )
    return WikiError(
        "not_an_image",
        "That file is no picture that this site can read. Choose a PNG, JPEG, WebP or GIF.",
        status=422,
    )


def broken() -> WikiError:
    return WikiError(
        "broken_image",
        "That picture is damaged or was cut off on its way. Open it, save it anew, and upload that.",
        status=422,
    )


def too_many_frames() -> WikiError:
    return WikiError(
        "too_many_frames",
        f"A moving picture can have at most {MAX_FRAMES} frames. Shorten it.",
        status=422,
    )


def refuse_passengers(header: Header, data: bytes) -> None:
    """Raises WikiError ``more_than_an_image`` where something rides behind the picture.

    Cameras put second pictures and short films behind a JPEG: those are left behind without a word.
    """
    rest = data[header.end :].strip(b"\x00\t\n\r ")
    if rest and (header.kind != "jpg" or FOREIGN.search(rest)):
        raise WikiError(
            "more_than_an_image",
            "That file holds something else behind the picture. Open it, save the picture alone, and "
            "upload that.",
            status=422,
        )


def read_png(data: bytes) -> Header:
    width, height = struct.unpack_from(">II", data, 16)
    frames, at = 1, 8
    while True:
        size, kind = struct.unpack_from(">I4s", data, at)
        if kind == b"acTL":
            frames = max(frames, *struct.unpack_from(">I", data, at + 8))
        at += 12 + size
        if kind == b"IEND":
            break
    if frames > MAX_FRAMES:
        raise too_many_frames()
    return Header("png", width, height, max(1, frames), at)


def read_jpeg(data: bytes) -> Header:
    width = height = 0
    at = 2
    while True:
        while data[at] == 0xFF and data[at + 1] == 0xFF:  # padding
            at += 1
        if data[at] != 0xFF:
            raise broken()
        marker = data[at + 1]
        if marker == 0xD9:
            return Header("jpg", width, height, 1, at + 2)
        (size,) = struct.unpack_from(">H", data, at + 2)
        if marker in JPEG_SIZES and not width:
            height, width = struct.unpack_from(">HH", data, at + 5)
        at += 2 + size
        if marker == 0xDA:
            found = JPEG_END.search(data, at)
            if found is None:
                raise broken()
            at = found.start()


def read_gif(data: bytes) -> Header:
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13 + palette_size(flags)
    frames = 0
    while data[at] != 0x3B:
        if data[at] == 0x21:
            at = after_blocks(data, at + 2)
        elif data[at] == 0x2C:
            left, top, wide, high, flags = struct.unpack_from("<HHHHB", data, at + 1)
            width, height = max(width, left + wide), max(height, top + high)
            at = after_blocks(data, at + 11 + palette_size(flags))
            frames += 1
            if frames > MAX_FRAMES:
                raise too_many_frames()
        else:
            raise broken()
    if not frames:
        raise broken()
    return Header("gif", width, height, frames, at + 1)


def palette_size(flags: int) -> int:
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def after_blocks(data: bytes, at: int) -> int:
    """The place behind a GIF's run of blocks, which an empty one ends."""
    while data[at]:
        at += 1 + data[at]
    return at + 1


def read_webp(data: bytes) -> Header:
    (size,) = struct.unpack_from("<I", data, 4)
    end = 8 + size + (size & 1)
    width = height = frames = 0
    at = 12
    while at < min(8 + size, len(data)):
        kind, length = struct.unpack_from("<4sI", data, at)
        body = at + 8
        if kind == b"VP8X":
            width = 1 + int.from_bytes(data[body + 4 : body + 7], "little")
            height = 1 + int.from_bytes(data[body + 7 : body + 10], "little")
        elif kind == b"VP8 " and not width:
            width, height = (side & 0x3FFF for side in struct.unpack_from("<HH", data, body + 6))
        elif kind == b"VP8L" and not width:
            (bits,) = struct.unpack_from("<I", data, body + 1)
            width, height = 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
        elif kind == b"ANMF":
            frames += 1
            if frames > MAX_FRAMES:
                raise too_many_frames()
        at = body + length + (length & 1)
    return Header("webp", width, height, max(1, frames), end)


READERS: tuple[tuple[re.Pattern[bytes], Callable[[bytes], Header]], ...] = (
    (re.compile(rb"\x89PNG\r\n\x1a\n....IHDR", re.DOTALL), read_png),
    (re.compile(rb"\xff\xd8\xff"), read_jpeg),
    (re.compile(rb"GIF8[79]a"), read_gif),
    (re.compile(rb"RIFF....WEBP", re.DOTALL), read_webp),
)
