"""Markdown to safe HTML, in three steps.

1. Python-Markdown with the extensions of ``extensions`` and nothing else: no ``attr_list`` and no
   ``md_in_html``, since those let a text set ids and classes. ``wiki.markup.bounds`` keeps the work
   in proportion to the length of the text.
2. ``wiki.markup.sanitise.clean``, always the last step that can add anything.
3. When a page is shown, ``wiki.markup.links.resolve`` says which wiki links lead nowhere yet and puts
   pictures where they are named, so that a kept rendering need not be made again when another page
   is created or a file uploaded.

What a text may hold is told to editors in ``docs/markup.md``.
"""

import html
import logging
import re
from collections import Counter
from dataclasses import dataclass, field
from threading import local

import markdown
from markdown.extensions.toc import TocExtension

from wiki.markup import shortcodes
from wiki.markup.anchors import anchor
from wiki.markup.bounds import Bounds
from wiki.markup.footnotes import Footnotes
from wiki.markup.inline import WikiInline
from wiki.markup.plain import FOOTNOTE
from wiki.markup.sanitise import clean
from wiki.markup.wikitable import WikiTableExtension
from wiki.models import Page
from wiki.redirects import REDIRECT, redirect_of

logger = logging.getLogger(__name__)

VERSION = 6  # goes up when the same text would give other HTML
NOT_HERE = re.compile(r'<span class="sr">Image not available: </span>')  # it may come yet
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
MARKED = re.compile(r"[\\`*_\[\]{}<>&]")
AS_WRITTEN = "The marks of this text could not be laid out. Here it is as it was written."

_workers = local()  # Python-Markdown keeps state between calls: one instance a thread


@dataclass(frozen=True)
class Rendered:
    """``html`` is safe to show; ``toc`` is [level 2 to 6, id, text]; ``warnings`` are sentences."""

    html: str
    toc: list[tuple[int, str, str]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    unknown: dict[str, int] = field(default_factory=dict)  # uses of shortcodes nobody registered
    links: list[str] = field(default_factory=list)  # titles that the text links to, its own too
    categories: list[str] = field(default_factory=list)  # names without their namespace
    files: list[str] = field(default_factory=list)  # names of pictures
    unnamed: dict[str, int] = field(default_factory=dict)  # pictures without words: times


def extensions() -> list[object]:
    """The documented set."""
    return [
        Bounds(),
        "sane_lists",
        "def_list",
        Footnotes(),
        TocExtension(marker="", slugify=anchor, toc_depth="2-6"),
        WikiInline(),
        WikiTableExtension(),
    ]


def renderer_version() -> str:
    """Names what would render a text the same way; differs when a shortcode is added."""
    return f"{VERSION}:{shortcodes.fingerprint()}"


def render(text: str, *, page: Page | None = None) -> Rendered:
    """The HTML of ``text``, safe to show. ``page`` is where it stands: links to itself are plain.

    Takes time in proportion to the length of ``text`` and raises for none: where the library fails
    all the same, the log has the error and the reader the text as written, with a warning. Pure but
    for the registry of shortcodes; asks no database.
    """
    source = CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    if target := redirect_of(source):
        source = REDIRECT.sub(lambda _mark: f"→ [[:{target}]]", source, count=1)
    try:
        worker, made = _converted(source, page.title if page else "")
        return Rendered(
            html=clean(made),
            toc=list(_flat(worker.toc_tokens)),
            warnings=[
                f"“{name}” is no shortcode that this site knows."
                for name in dict.fromkeys(worker.wiki_unknown)
            ]
            + [
                f"“{name}” has no alternative text: say in its brackets what it shows, for those who "
                "cannot see it."
                for name in dict.fromkeys(worker.wiki_unnamed)
            ],
            unknown=dict(Counter(worker.wiki_unknown)),
            links=list(dict.fromkeys(worker.wiki_links)),
            categories=list(dict.fromkeys(worker.wiki_categories)),
            files=list(dict.fromkeys(worker.wiki_files)),
            unnamed=dict(Counter(worker.wiki_unnamed)),
        )
    except Exception:
        logger.exception("markup failed: page=%s characters=%s", page and page.pk, len(text))
        _workers.__dict__.clear()  # who knows in which state it was left
        return Rendered(
            html=f"<p>{html.escape(AS_WRITTEN)}</p>\n<pre>{html.escape(source)}</pre>",
            warnings=[AS_WRITTEN],
        )


def heading_words(heading: str) -> str:
    """How a heading that is written ``heading`` reads."""
    if not MARKED.search(heading):
        return heading
    toc = render(f"## {FOOTNOTE.sub('', heading)}").toc
    return toc[0][2] if toc else heading


def _converted(source: str, title: str) -> tuple[markdown.Markdown, str]:
    """The converter of this thread after its work, and the HTML it made, not cleaned yet."""
    worker = getattr(_workers, "markdown", None)
    if worker is None or _workers.version != renderer_version():
        worker = _workers.markdown = markdown.Markdown(
            extensions=extensions(), output_format="html"
        )
        _workers.version = renderer_version()
    worker.reset()
    worker.wiki_unknown, worker.wiki_unnamed = [], []
    worker.wiki_links, worker.wiki_categories, worker.wiki_files = [], [], []
    worker.wiki_title = title
    return worker, worker.convert(source)


def _flat(tokens: list[dict]) -> list[tuple[int, str, str]]:
    rows = []
    for token in tokens:
        text = " ".join(shortcodes.spoken(NOT_HERE.sub("", token["html"])).split())
        rows.append((token["level"], token["id"], text))
        rows.extend(_flat(token["children"]))
    return rows
