"""What the editor's toolbar offers: marks, and the shortcodes of the registry."""

from dataclasses import dataclass

from wiki.markup import shortcodes
from wiki.models import Page
from wiki.views.shortcode_list import Sample, samples


@dataclass(frozen=True)
class Tool:
    """A button; ``mark`` is what ``toolbar.js`` calls it, ``asks``: it opens a dialog."""

    mark: str
    name: str
    icon: str
    key: str = ""  # "Ctrl+B"
    asks: bool = False

    @property
    def aria_key(self) -> str:
        return self.key.replace("Ctrl", "Control")


HEADINGS = [Tool("heading", "Heading", "heading"), Tool("subheading", "Subheading", "subheading")]
WORDS = [
    Tool("bold", "Bold", "bold", "Ctrl+B"),
    Tool("italic", "Italic", "italic", "Ctrl+I"),
    Tool("link", "Link", "link", "Ctrl+K"),
]
BLOCKS = [
    Tool("list", "List", "list"),
    Tool("numbers", "Numbered list", "numbers"),
    Tool("table", "Table", "grid"),
]
THINGS = [
    Tool("picture", "Picture", "picture", asks=True),
    Tool("shortcode", "Shortcode: card, die and others", "card", asks=True),
]
SIGN = Tool("sign", "Sign with your name and the time", "sign")


def tools(page: Page | None) -> list[Tool | None]:
    """The buttons in order, with None between groups; only talk pages are signed."""
    things = [*THINGS, SIGN] if page is not None and page.namespace == "talk" else THINGS
    return [*HEADINGS, None, *WORDS, None, *BLOCKS, None, *things]


def examples() -> list[Sample]:
    """The shortcodes that may be put in, as one writes them and as they look."""
    return [sample for known in shortcodes.known() for sample in samples(known)]
