"""Titles, keys and slugs: how a page is called, found and addressed.

* A *title* is what people read: at most 255 bytes of UTF-8, no control characters.
* A *key* says when two titles mean the same page: underscores are spaces, runs of white space are
  one, the first letter's case does not count, the namespaces of all languages are the same.
* A *slug* is the title as it stands in an address: lower case, letters and digits joined by ``-``.
  Titles that ask for the same slug ("C" and "C++") get ``c`` and ``c-2``.
"""

import re
import unicodedata

from wiki.errors import WikiError

MAX_TITLE_BYTES = 255
# How the wikis we import from call their namespace of files, in lower case.
FILE_PREFIXES = frozenset(
    {"file", "image", "fichier", "datei", "bild", "archivo", "imagen", "файл", "изображение"}
    | {"immagine", "bestand", "ficheiro", "plik", "slika", "датотека", "выява", "ファイル", "文件"}
)
TALK_PREFIXES = frozenset(
    {"talk", "discussion", "diskussion", "discusión", "discussione", "overleg", "discussão"}
    | {"dyskusja", "razgovor", "разговор", "обсуждение", "размовы"}
)
CATEGORY_PREFIXES = frozenset(
    {"category", "catégorie", "kategorie", "categoría", "categoria", "categorie", "kategoria"}
    | {"kategorija", "категорија", "категория", "катэгорыя", "カテゴリ", "分类"}
)
NAMESPACES = {
    **dict.fromkeys(FILE_PREFIXES, "file"),
    **dict.fromkeys(TALK_PREFIXES, "talk"),
    **dict.fromkeys(CATEGORY_PREFIXES, "category"),
}
# First parts of /wiki/ addresses that are no pages.
RESERVED_SLUGS = frozenset(
    {"changes", "search", "contributions", "files", "reports", "watchlist", "log", "random"}
    | {"statistics", "notices", "drafts", "categories", "api"}
)
# What cannot be seen and turns or parts the text around it, and what no database would look for;
# joiners within words stay.
INVISIBLE = re.compile(
    "[\x00-\x08\x0e-\x1b\x7f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]"
)


def fold_spaces(title: str) -> str:
    """``title`` without invisible marks, with underscores and runs of white space as single spaces,
    stripped."""
    return " ".join(INVISIBLE.sub("", title).replace("_", " ").split())


def check_title(title: str) -> str:
    """``title`` with its spaces folded. Raises WikiError ``bad_title`` where it cannot be one."""
    if any(unicodedata.category(mark) in ("Cc", "Cs", "Co", "Cn") for mark in title):
        raise WikiError("bad_title", "A title cannot hold control characters.")
    title = fold_spaces(title)
    if not title:
        raise WikiError("bad_title", "A page needs a title.")
    if len(title.encode()) > MAX_TITLE_BYTES:
        raise WikiError("bad_title", f"A title can have at most {MAX_TITLE_BYTES} bytes.")
    if not make_slug(title):
        raise WikiError("bad_title", "A title needs at least one letter or digit.")
    return title


def split_namespace(title: str) -> tuple[str, str]:
    """``("file", name)``, ``("talk", name)`` or ``("category", name)`` for a title in such a namespace,
    written in any language; else ``("", title)``."""
    title = fold_spaces(title)
    prefix, colon, name = title.partition(":")
    namespace = NAMESPACES.get(prefix.strip().lower(), "")
    if colon and name.strip() and namespace:
        return namespace, name.strip()
    return "", title


def title_key(title: str) -> str:
    """The key of ``title``: equal for all ways to write the same title."""
    namespace, name = split_namespace(unicodedata.normalize("NFC", title))
    name = name[:1].lower() + name[1:]
    return f"{namespace}:{name}" if namespace else name


def words_of(name: str) -> list[str]:
    """Runs of letters and digits, in lower case. A vowel sign, or an accent that stands by itself,
    belongs to the letter before it."""
    marks = unicodedata.normalize("NFC", name.lower())
    kept = (
        mark if mark.isalnum() or unicodedata.category(mark).startswith("M") else " "
        for mark in marks
    )
    return [word for word in "".join(kept).split() if any(mark.isalnum() for mark in word)]


def make_slug(title: str) -> str:
    """The slug that ``title`` asks for; another page may have it. At most 200 characters."""
    namespace, name = split_namespace(title)
    words = words_of(name)
    slug = "-".join([namespace, *words] if namespace and words else words)[:200].strip("-")
    return f"{slug}-page" if slug in RESERVED_SLUGS else slug


def fits(slug: str, title: str) -> bool:
    """Whether a page called ``title`` may stand at ``slug``."""
    wanted = make_slug(title)
    return bool(wanted) and re.fullmatch(rf"{re.escape(wanted)}(-[0-9]+)?", slug) is not None
