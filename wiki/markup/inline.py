"""Our own marks in Markdown: ``[[links]]``, ``{{shortcodes}}``, ``file:`` images, bare addresses.

* ``[[Page]]``, ``[[Page|label]]``, ``[[Page#Section]]``, ``[[#Section]]``.
* ``[[Category:Name]]`` puts the page into a category and shows nothing; ``[[:Category:Name]]`` is a link.
* ``[[User:Ada]]``: a link to what somebody wrote; see ``wiki.markup.people``.
* ``[[Special:RecentChanges]]``: a link to what does the same here; see ``wiki.special``.
* ``{{name|argument}}``: see ``wiki.markup.shortcodes``.
* ``![alt](file:Name.png?300 "caption")`` and ``[[File:Name.png|300px|alt=alt|caption]]``: a file of
  this wiki, 300 pixels wide. A box with the alternative text stands in its place until the page is
  shown: then ``wiki.markup.links`` puts the picture there. Images of other sites become links.
* ``https://...`` is a link without further marks.
* A ``#`` heading of the first level becomes one of the second: the first is the page's title.
"""

import re
import xml.etree.ElementTree as etree
from urllib.parse import unquote, urlencode

from django.conf import settings
from django.urls import reverse
from markdown import Markdown
from markdown.extensions import Extension
from markdown.inlinepatterns import InlineProcessor
from markdown.postprocessors import Postprocessor
from markdown.preprocessors import Preprocessor
from markdown.treeprocessors import Treeprocessor
from markdown.util import HTML_PLACEHOLDER_RE, STX

from wiki.markup import shortcodes
from wiki.markup.anchors import anchor
from wiki.markup.angles import ESCAPED, HIDDEN
from wiki.markup.people import person_called
from wiki.special import split_special
from wiki.titles import fold_spaces, make_slug, split_namespace, title_key

BAR = "\x11"  # stands for "|" inside our marks, which a table would take for the end of a cell
MARK = re.compile(r"\{\{[^{}]{1,1000}\}\}|\[\[[^\[\]\n]{1,1000}\]\]")
SIZE = re.compile(r"(?:\d+x?|x)\d*px|thumb|thumbnail|frame|frameless|left|right|center|none|border")

WIDTH = re.compile(r"(\d{1,4})(?:x\d*)?px")  # of [[File:Name.png|300px]]
FILE_WIDTH = re.compile(r"(.*?)(?:\?(\d{1,4}))?", re.DOTALL)  # of file:Name.png?300


def page_address(title: str) -> str:
    """Where ``title`` leads; a page that does not exist yet learns its title from there."""
    return f"{reverse('wiki_page', args=[make_slug(title)])}?{urlencode({'title': title})}"


def file_box(
    name: str, alternative: str, *, width: str = "", caption: str = "", linked: bool = False
) -> etree.Element:
    """What stands in place of a file: read so where we do not have it, else led to the picture.

    ``width`` are digits, pixels; ``linked``: it stands inside a link and can be none itself.
    """
    box = etree.Element(
        "span",
        {
            "class": "file-missing",
            "title": f"{name}: file not available",
            "data-file": name,
            **({"data-width": width} if width else {}),
            **({"data-caption": caption} if caption else {}),
            **({"data-linked": "true"} if linked else {}),
        },
    )
    hidden = etree.SubElement(box, "span", {"class": "sr"})
    hidden.text = "Image not available: "
    hidden.tail = alternative or name
    return box


class HideBars(Preprocessor):
    def run(self, lines: list[str]) -> list[str]:
        text = MARK.sub(lambda match: match[0].replace("|", BAR), "\n".join(lines))
        return text.split("\n")


class ShowBars(Postprocessor):
    def run(self, text: str) -> str:
        return text.replace(BAR, "|")


class Mark(InlineProcessor):
    def written(self, text: str) -> str:
        """``text`` as it was written, without what stands for hidden and escaped characters."""
        shown = self.unescape(text).replace(HIDDEN, "<")
        return ESCAPED.sub(lambda match: chr(int(match[1])), shown)


class ShortcodeMark(Mark):
    def handleMatch(self, m: re.Match[str], data: str) -> tuple[str, int, int]:
        parts = re.split(rf"[|{BAR}]", m[1])
        name, *arguments = [self.written(part).strip() for part in parts]
        made = shortcodes.expand(name, arguments)
        if made is None:
            self.md.wiki_unknown.append(name)
            made = shortcodes.unknown("|".join([name, *arguments]))
        return self.md.htmlStash.store(made), m.start(0), m.end(0)


class WikiLinkMark(Mark):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(
        self, m: re.Match[str], data: str
    ) -> tuple[etree.Element | str | None, int | None, int | None]:
        target, *labels = [part.strip() for part in re.split(rf"[|{BAR}]", m[1])]
        target = self.written(target)
        if "://" in target or not target.strip("#: ") or STX in target:
            return None, None, None
        namespace, name = split_namespace(target)
        if namespace == "file":
            return self.file(name, labels), m.start(0), m.end(0)
        if namespace == "category" and make_slug(target):
            self.md.wiki_categories.append(name)
            return "", m.start(0), m.end(0)
        if person := person_called(target):
            link = etree.Element("a", {"href": reverse("wiki_contributions", args=[person])})
            link.text = labels[0] if labels and labels[0] else person
            return link, m.start(0), m.end(0)
        title, mark, section = target.lstrip(":").partition("#")
        if split_special(title):
            link = etree.Element("a", {"href": reverse("wiki_special", args=[fold_spaces(title)])})
            link.text = labels[0] if labels and labels[0] else target.lstrip(":")
            return link, m.start(0), m.end(0)
        link = etree.Element("a")
        link.text = labels[0] if labels and labels[0] else target.lstrip(":#")
        own = not title or title_key(title) == title_key(self.md.wiki_title)
        if make_slug(title):
            self.md.wiki_links.append(title.strip())
        if own and mark:
            link.set("href", f"#{anchor(section)}")
        elif not make_slug(title):
            return None, None, None
        else:
            link.set("class", "wiki-link")
            link.set("data-page", title.strip())
            link.set("href", page_address(title.strip()) + (f"#{anchor(section)}" if mark else ""))
        return link, m.start(0), m.end(0)

    def file(self, name: str, labels: list[str]) -> etree.Element:
        """The box of ``[[File:name|...]]``. Of the words that are no settings the last is the
        caption; it is the alternative text too where no ``alt=`` says another."""
        words = [self.written(label) for label in labels if not SIZE.fullmatch(label)]
        alternative = next((word[4:] for word in words if word.startswith("alt=")), "")
        caption = next((word for word in reversed(words) if not word.startswith("alt=")), "")
        sizes = (WIDTH.fullmatch(label) for label in labels)
        width = next((size[1] for size in sizes if size), "")
        self.md.wiki_files.append(name)
        if not alternative and not caption:
            self.md.wiki_unnamed.append(name)
        return file_box(
            name,
            alternative or caption,
            width=width,
            caption=caption if alternative else "",
        )


class EmptyParagraphs(Treeprocessor):
    """A paragraph of categories alone is none."""

    def run(self, root: etree.Element) -> None:
        for parent in list(root.iter()):
            for child in list(parent):
                if child.tag == "p" and not len(child) and not (child.text or "").strip():
                    parent.remove(child)


class BareLink(InlineProcessor):
    ANCESTOR_EXCLUDES = ("a",)

    def handleMatch(self, m: re.Match[str], data: str) -> tuple[etree.Element, int, int]:
        address = m[0].rstrip(".,;:!?'*_")
        while address.endswith(")") and address.count("(") < address.count(")"):
            address = address[:-1].rstrip(".,;:!?'*_")
        link = etree.Element("a", {"href": address})
        link.text = address
        return link, m.start(0), m.start(0) + len(address)


class Images(Treeprocessor):
    """Files of this wiki stay, or say that they are missing; images from elsewhere become links."""

    def run(self, root: etree.Element) -> None:
        inside = {part for link in root.iter("a") for part in link.iter()}
        for parent in list(root.iter()):
            for index, child in enumerate(list(parent)):
                if child.tag == "h1":
                    child.tag = "h2"
                linked = parent in inside
                if child.tag == "img" and (other := self.instead(child, linked)) is not None:
                    other.tail = child.tail
                    parent[index] = other

    def instead(self, image: etree.Element, linked: bool) -> etree.Element | None:
        source, alternative = image.get("src", ""), image.get("alt", "").strip()
        address, width = FILE_WIDTH.fullmatch(source).groups("")
        namespace, name = split_namespace(unquote(address))
        if namespace == "file":
            self.md.wiki_files.append(name)
            if not alternative:
                self.md.wiki_unnamed.append(name)
            caption = image.get("title", "").strip()
            return file_box(name, alternative, width=width, caption=caption, linked=linked)
        if source.startswith(settings.MEDIA_URL):
            return None
        link = etree.Element("a", {"href": source})
        link.text = alternative or source
        return link


class PlainAttributes(Treeprocessor):
    """Attributes hold the words of HTML that was set aside, not its tags."""

    def run(self, root: etree.Element) -> None:
        for element in root.iter():
            for name, value in element.items():
                if isinstance(value, str) and HTML_PLACEHOLDER_RE.search(value):
                    element.set(name, HTML_PLACEHOLDER_RE.sub(self.words, value))

    def words(self, match: re.Match[str]) -> str:
        return shortcodes.spoken(self.md.htmlStash.rawHtmlBlocks[int(match[1])])


class WikiInline(Extension):
    def extendMarkdown(self, md: Markdown) -> None:
        md.wiki_unknown = []
        md.wiki_unnamed = []
        md.wiki_links = []
        md.wiki_files = []
        md.wiki_categories = []
        md.wiki_title = ""
        md.preprocessors.register(HideBars(md), "wiki_bars", 5)
        # After code and backslashes; before Markdown's own links and all emphasis.
        md.inlinePatterns.register(
            ShortcodeMark(r"\{\{([^{}]{1,1000})\}\}", md), "wiki_shortcode", 178
        )
        md.inlinePatterns.register(
            WikiLinkMark(r"\[\[([^\[\]\n]{1,1000})\]\]", md), "wiki_link", 176
        )
        # After raw HTML, whose attributes hold addresses too.
        md.inlinePatterns.register(
            BareLink(r"(?<![\w/])https?://[^\s<>\"\[\]\x02\x03|\x10\x11]+", md),
            "wiki_bare_link",
            85,
        )
        md.treeprocessors.register(PlainAttributes(md), "wiki_attributes", 9)
        md.treeprocessors.register(Images(md), "wiki_images", 8)
        md.treeprocessors.register(EmptyParagraphs(md), "wiki_paragraphs", 7)
        md.postprocessors.register(ShowBars(md), "wiki_bars", 1)
