"""Texts that try to bring something active onto a page, and a reader that finds it there."""

import re
from html.parser import HTMLParser

from wiki.markup.sanitise import TAGS

ATTACKS = [
    "<script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "<svg><script>alert(1)</script></svg>",
    "<svg/onload=alert(1)>",
    "<math><mi xlink:href='javascript:alert(1)'>x</mi></math>",
    "[x](javascript:alert(1))",
    "[x](JaVaScRiPt:alert(1))",
    "[x](java\tscript:alert(1))",
    "<a href='&#106;avascript:alert(1)'>x</a>",
    "[x](data:text/html;base64,PHNjcmlwdD4=)",
    "[x](vbscript:x)",
    "<iframe src='//evil'></iframe>",
    "<form action='//evil'><input name=q></form>",
    "<base href='//evil'>",
    "<meta http-equiv=refresh content='0;url=//evil'>",
    "<style>*{display:none}</style>",
    "<p style='position:fixed'>x</p>",
    "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
    "<!-- <img src=x onerror=alert(1)> -->",
    "<img src='//evil.org/x.png'>",
    "<img src='/media/../../admin/logout'>",
    "<a href='//evil.org'>x</a>",
    "<a href='/\\evil.org'>x</a>",
    "<p id=main class='site-head'>x</p>",
    "<button onclick=alert(1)>x</button>",
    '[[Hearts" onclick="alert(1)|x]]',
    "{{card|<script>alert(1)</script>}}",
    "{{<img src=x onerror=alert(1)>}}",
    "![x](file:<script>alert(1)</script>)",
    'https://a.org/"onmouseover="alert(1)',
    "<textarea><a title='</textarea><img src=x onerror=alert(1)>'>",
]

# Pieces of texts: put together at random they make what no list of attacks holds.
WORDS = [
    *(
        "*",
        "**",
        "_",
        "`",
        "```\n",
        "[",
        "](",
        ")",
        "![",
        "[[",
        "]]",
        "{{",
        "}}",
        "|",
        "\n",
        "\n\n",
    ),
    *(
        "    ",
        "> ",
        "* ",
        "1. ",
        ": ",
        "# ",
        "---\n",
        "|-|-|\n",
        "[^a]",
        "[^a]: ",
        "[a]: ",
        "\\",
        '"',
        "'",
    ),
    *(
        "<b>",
        "</b>",
        "<a href='x'>",
        "<div>",
        "</div>",
        "<p>",
        "<!--",
        "-->",
        "<script>",
        "</script>",
    ),
    *(
        "<style>",
        "<svg>",
        "<math>",
        "<table>",
        "<tr>",
        "<td>",
        "<textarea>",
        "<title>",
        "<plaintext>",
    ),
    *(
        "<noscript>",
        "<template>",
        "<select>",
        "<iframe>",
        "<![CDATA[",
        "<?",
        "<!DOCTYPE ",
        "<img ",
        ">",
    ),
    *(
        "javascript:alert(1)",
        "&#106;",
        "&lt;",
        "&#0;",
        "onerror=alert(1)",
        "src=x",
        " ",
        "a",
        "file:x",
    ),
    *(
        "\x00",
        "\x02",
        "\x03",
        "\x10",
        "\x11",
        "\u202e",
        "\u2028",
        "die|3",
        "card|QS",
        "http://a.b",
        "//a",
    ),
    *("data-page='x'", "class='site-head'", "id=main", "style='x'", "<a@b.c>", "<http://x>", "="),
]
ATTRIBUTES = {
    *(
        "href",
        "src",
        "alt",
        "title",
        "class",
        "id",
        "rel",
        "align",
        "scope",
        "start",
        "lang",
        "dir",
    ),
    *("colspan", "rowspan", "width", "height", "loading"),
    *("data-suit", "data-die", "data-page", "data-file", "data-width", "data-caption"),
    *("data-linked", "aria-hidden"),
}


class Checked(HTMLParser):
    """Reads cleaned HTML and asserts of each tag that it is one a page may hold; ``also`` are attributes
    that are allowed besides, since they come when a page is shown."""

    def __init__(self, text: str, also: frozenset[str] = frozenset()) -> None:
        super().__init__(convert_charrefs=True)
        self.allowed = ATTRIBUTES | also
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        assert tag in TAGS
        assert set(given) <= self.allowed
        for name in ("href", "src"):
            # what a browser makes of an address before it looks for a scheme
            address = re.sub(r"[\t\n\r]", "", given.get(name) or "")
            address = address.strip("".join(map(chr, range(0x21))))
            scheme = re.match(r"([a-zA-Z][\w+.-]*):", address)
            assert scheme is None or scheme[1].lower() in ("http", "https", "mailto")
            assert not re.match(r"[/\\]{2}", address)
        source = given.get("src") or "/media/"
        assert source.startswith(("/media/", "/wiki/files/picture/"))
        assert ".." not in source
        assert re.fullmatch(r"(s-[\w-]+|fn:\d+|fnref\d*:\d+)?", given.get("id") or "")
        assert "site-head" not in (given.get("class") or "")

    def handle_comment(self, data: str) -> None:
        raise AssertionError(data)

    handle_decl = handle_pi = unknown_decl = handle_comment
