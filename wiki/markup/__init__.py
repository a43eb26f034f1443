"""Markdown to safe HTML, in three steps.

1. Python-Markdown with the extensions of ``EXTENSIONS`` and nothing else: no ``attr_list`` and no
   ``md_in_html``, since those let a text set ids and classes.
2. ``wiki.markup.sanitise.clean``, always the last step that can add anything.
3. When a page is shown, ``wiki.markup.links.resolve`` says which wiki links lead nowhere yet, so
   that a kept rendering need not be made again when another page is created.

What a text may hold is told to editors in ``docs/markup.md``.
"""

import html
import importlib.util
import re
from dataclasses import dataclass, field
from threading import local

import markdown
from markdown.extensions.footnotes import FootnoteExtension
from markdown.extensions.toc import TocExtension

from wiki.markup import shortcodes
from wiki.markup.anchors import anchor
from wiki.markup.bounds import Bounds
from wiki.markup.inline import WikiInline
from wiki.markup.sanitise import clean
from wiki.models import Page

VERSION = 1  # goes up when the same text would give other HTML
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
UNSPOKEN = re.compile(r'<span aria-hidden="true">[^<]*</span>')
TAG = re.compile(r"<[^<>]*>")

_workers = local()  # Python-Markdown keeps state between calls: one instance a thread


@dataclass(frozen=True)
class Rendered:
    """``html`` is safe to show; ``toc`` is [level 2 to 6, id, text]; ``warnings`` are sentences."""

    html: str
    toc: list[tuple[int, str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)  # names of shortcodes that nobody registered


def extensions() -> list[object]:
    """The documented set; the one of our own tables with captions where it is installed."""
    found: list[object] = [
        Bounds(),
        "sane_lists",
        "fenced_code",
        "def_list",
        FootnoteExtension(BACKLINK_TITLE="Back to the text, note {}"),
        TocExtension(marker="", slugify=anchor, toc_depth="2-6"),
        WikiInline(),
    ]
    if importlib.util.find_spec("wiki.markup.wikitable"):
        found.append("wiki.markup.wikitable")
    return found


def renderer_version() -> str:
    """Names what would render a text the same way; differs when a shortcode is added."""
    return f"{VERSION}:{shortcodes.fingerprint()}"


def render(text: str, *, page: Page | None = None) -> Rendered:
    """The HTML of ``text``, safe to show. ``page`` is where it stands: links to itself are plain.

    Pure but for the registry of shortcodes; asks no database.
    """
    worker = getattr(_workers, "markdown", None)
    if worker is None or _workers.version != renderer_version():
        worker = _workers.markdown = markdown.Markdown(
            extensions=extensions(), output_format="html"
        )
        _workers.version = renderer_version()
    worker.reset()
    worker.wiki_unknown = []
    worker.wiki_waste = 0
    worker.wiki_title = page.title if page else ""
    made = worker.convert(CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    unknown = list(dict.fromkeys(worker.wiki_unknown))
    return Rendered(
        html=clean(made),
        toc=list(_flat(worker.toc_tokens)),
        warnings=[f"“{name}” is no shortcode that this site knows." for name in unknown],
        unknown=unknown,
    )


def _flat(tokens: list[dict]) -> list[tuple[int, str, str]]:
    rows = []
    for token in tokens:
        spoken = UNSPOKEN.sub("", token["html"])
        text = " ".join(html.unescape(TAG.sub("", spoken)).split())
        rows.append((token["level"], token["id"], text))
        rows.extend(_flat(token["children"]))
    return rows
