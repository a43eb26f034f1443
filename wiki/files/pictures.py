"""Pictures made anew: decoded whole, turned upright, and encoded without anything but the picture.

What is kept is what one sees: pixels, transparency, frames and their times. Names of cameras, places,
dates, comments, profiles and small previews are left behind; colours are brought to sRGB first.
"""

import io
import struct
import zlib
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any

from PIL import Image, ImageCms, ImageOps, JpegImagePlugin

from wiki.errors import WikiError
from wiki.files.headers import Header, broken, read_header

MAX_BYTES = 8 << 20
MAX_PIXELS = 40_000_000  # of all frames together
FORMATS = {"png": "PNG", "jpg": "JPEG", "webp": "WEBP", "gif": "GIF"}
CONTENT_TYPES = {"png": "image/png", "jpg": "image/jpeg", "webp": "image/webp", "gif": "image/gif"}
NAMES = {"png": "PNG", "jpg": "JPEG", "webp": "WebP", "gif": "GIF"}
EXTENSIONS = {"png": ("png",), "jpg": ("jpg", "jpeg"), "webp": ("webp",), "gif": ("gif",)}
MAX_STORED = 3 * MAX_BYTES  # bytes of a picture made anew, which may be more than were sent
QUALITY = {"jpg": 92, "webp": 90}  # of a picture whose own quality is not known
THUMBNAIL_QUALITY = {"jpg": 85, "webp": 85}
CLEAR = 0  # alpha of a pixel that is not there
# What Pillow's decoders raise for files that lie; MemoryError for a size that slipped through.
DECODING = (
    OSError,
    SyntaxError,
    ValueError,
    IndexError,
    KeyError,
    TypeError,
    EOFError,
    struct.error,
)
DECODING += (OverflowError, ZeroDivisionError, MemoryError, RuntimeError, zlib.error)

_at_work = BoundedSemaphore(2)  # pictures in memory at once, of up to 160 MB each


@dataclass(frozen=True)
class Picture:
    """Bytes to store, and what they show."""

    data: bytes
    kind: str
    width: int
    height: int
    frames: int


def read_picture(data: bytes) -> Picture:
    """The picture in ``data``, made anew. Raises WikiError: those of ``read_header``, ``too_large``
    and ``too_many_pixels``."""
    if len(data) > MAX_BYTES:
        raise too_large()
    header = read_header(data)
    if header.pixels > MAX_PIXELS:
        raise too_many_pixels(header.width, header.height, header.frames)
    try:
        with _at_work, opened(data, header.kind) as image:
            if image.size != (header.width, header.height):
                raise broken()
            made = made_anew(image, header, data)
    except DECODING as error:
        raise broken() from error
    if len(made.data) > MAX_STORED:
        raise too_large()
    return made


def too_large() -> WikiError:
    return WikiError(
        "too_large",
        f"A picture can have at most {MAX_BYTES >> 20} MB. Make it smaller, or save it as a JPEG.",
        status=413,
    )


def too_many_pixels(width: int, height: int, frames: int) -> WikiError:
    times = f" in {frames} frames" if frames > 1 else ""
    return WikiError(
        "too_many_pixels",
        f"That picture has {width:,} × {height:,} pixels{times}; at most "
        f"{MAX_PIXELS // 1_000_000} million are taken. Make it smaller.",
        status=422,
    )


def opened(data: bytes, kind: str) -> Image.Image:
    return Image.open(io.BytesIO(data), formats=[FORMATS[kind]])


def made_anew(image: Image.Image, header: Header, data: bytes) -> Picture:
    kind = header.kind
    if moves(image, kind):
        if image.n_frames > header.frames + 1:  # one may be shown only where nothing moves
            raise broken()
        frames, times = frames_of(image)
        return encoded(frames, kind, moving_options(image, kind, frames, times))
    options: dict[str, Any] = {}
    if kind == "jpg":
        options = jpeg_options(image)
    elif kind == "webp":
        options = {"lossless": True} if b"VP8L" in data[12:64] else {"quality": QUALITY["webp"]}
    image.load()
    ImageOps.exif_transpose(image, in_place=True)
    return encoded([plain(in_srgb(image), kind)], kind, options)


def moves(image: Image.Image, kind: str) -> bool:
    return kind != "jpg" and getattr(image, "n_frames", 1) > 1


def jpeg_options(image: Image.Image) -> dict[str, Any]:
    """How ``image`` was encoded, so that it loses nothing to speak of when it is again."""
    if image.mode not in ("L", "RGB"):
        return {"quality": QUALITY["jpg"]}
    sampling = JpegImagePlugin.get_sampling(image)
    return {"qtables": image.quantization, "subsampling": sampling, "optimize": True}


def in_srgb(image: Image.Image) -> Image.Image:
    """``image`` in the colours that it has without its profile, where that can be worked out."""
    profile = image.info.get("icc_profile")
    if not profile or image.mode not in ("RGB", "RGBA", "CMYK"):
        return image
    mode = "RGBA" if image.mode == "RGBA" else "RGB"
    try:
        theirs = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        if "sRGB" in ImageCms.getProfileDescription(theirs) and image.mode == mode:
            return image
        ours = ImageCms.createProfile("sRGB")
        return ImageCms.profileToProfile(image, theirs, ours, outputMode=mode) or image
    except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
        return image  # a profile that cannot be read says nothing


def plain(image: Image.Image, kind: str) -> Image.Image:
    """``image`` without its words, in a mode that ``kind`` can have."""
    if kind == "jpg" and image.mode not in ("L", "RGB"):
        image = image.convert("RGB")
    see_through = image.info.get("transparency")
    image.info = {} if see_through is None else {"transparency": see_through}
    return image


def frames_of(image: Image.Image) -> tuple[list[Image.Image], list[float]]:
    """The frames of a moving picture, each whole, and how long each is shown (milliseconds)."""
    frames, times = [], []
    first = 1 if getattr(image, "default_image", False) else 0  # shown only where nothing moves
    for number in range(first, image.n_frames):
        image.seek(number)
        frame = image.convert("RGBA")
        frame.info = {}
        frames.append(frame)
        times.append(image.info.get("duration", 0))
    return frames, times


def moving_options(
    image: Image.Image, kind: str, frames: list[Image.Image], times: list[float]
) -> dict[str, Any]:
    options: dict[str, Any] = {"save_all": True, "append_images": frames[1:]}
    options["duration"] = [round(time) for time in times]
    if "loop" in image.info:
        options["loop"] = image.info["loop"]
    see_through = any(frame.getextrema()[3][0] == CLEAR for frame in frames)
    if kind == "gif" and see_through:
        options["disposal"] = 2  # a frame does not show through the next one
    if kind == "webp":
        options |= {"quality": QUALITY["webp"], "method": 2}
    return options


def encoded(frames: list[Image.Image], kind: str, options: dict[str, Any]) -> Picture:
    out = io.BytesIO()
    frames[0].save(out, FORMATS[kind], **options)
    return Picture(out.getvalue(), kind, frames[0].width, frames[0].height, len(frames))


def thumbnail(data: bytes, kind: str, width: int) -> bytes:
    """A stored picture made ``width`` pixels wide, in the same kind; it moves where the picture
    does."""
    with _at_work, opened(data, kind) as image:
        size = (width, max(1, round(image.height * width / image.width)))
        if moves(image, kind):
            frames, times = frames_of(image)
            small = [frame.resize(size, Image.Resampling.BOX) for frame in frames]
            return encoded(small, kind, moving_options(image, kind, small, times)).data
        if kind == "jpg":
            image.draft(None, (2 * size[0], 2 * size[1]))
        made = shaded(image).resize(size, Image.Resampling.LANCZOS)
        made.info = {}
        options = {"quality": THUMBNAIL_QUALITY[kind]} if kind in THUMBNAIL_QUALITY else {}
        return encoded([made], kind, options).data


def shaded(image: Image.Image) -> Image.Image:
    """``image`` in a mode in which colours between two others exist."""
    if image.mode in ("L", "LA", "RGB", "RGBA") and "transparency" not in image.info:
        return image
    if image.mode in ("1", "I", "I;16") and "transparency" not in image.info:
        return image.convert("L")
    return image.convert("RGBA")
