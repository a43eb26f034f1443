"""Languages of pages: codes, names as their readers write them, directions, what a reader prefers.

Codes are those of Django's own list, with MediaWiki's two for Serbian by its script.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.conf.locale import LANG_INFO
from django.utils.translation.trans_real import parse_accept_lang_header

# What the list lacks: the name of the language in itself and in English, and whether it runs from
# right to left.
MORE = {
    "fil": ("Filipino", "Filipino", False),
    "la": ("Latina", "Latin", False),
    "mt": ("Malti", "Maltese", False),
    "ps": ("پښتو", "Pashto", True),
    "sr-ec": ("српски (ћирилица)", "Serbian, Cyrillic", False),
    "sr-el": ("srpski (latinica)", "Serbian, Latin", False),
    "yi": ("ייִדיש", "Yiddish", True),
}
LEFT_OUT = {"sr-latn"}  # the same as sr-el
SCRIPTS = {"sr-ec": "sr-Cyrl", "sr-el": "sr-Latn"}


@dataclass(frozen=True)
class Language:
    """A language a page can be in. ``tag`` is its name in HTML, ``rtl``: it runs from right to left."""

    code: str
    name: str  # in the language itself
    english: str
    rtl: bool = False

    @property
    def tag(self) -> str:
        return SCRIPTS.get(self.code) or standard_tag(self.code)

    @property
    def both_names(self) -> str:
        """ "српски – Serbian"."""
        return self.name if self.name == self.english else f"{self.name} – {self.english}"


def standard_tag(code: str) -> str:
    """``code`` with its parts in the case in which they are usually written: "zh-Hans", "pt-BR"."""
    first, *others = code.split("-")
    return "-".join(
        [first, *(part.upper() if len(part) == 2 else part.capitalize() for part in others)]
    )


def _all() -> dict[str, Language]:
    found = {
        code: Language(code, info["name_local"], info["name"], info["bidi"])
        for code, info in LANG_INFO.items()
        if "name_local" in info and code not in LEFT_OUT
    }
    found |= {code: Language(code, *said) for code, said in MORE.items()}
    return dict(sorted(found.items(), key=lambda pair: pair[1].english.casefold()))


LANGUAGES = _all()


def language(code: str) -> Language:
    """The language of ``code``; one that an import brought and nobody knows is called by its code."""
    known = LANGUAGES.get(code.lower())
    if known is not None:
        return known
    parent = LANGUAGES.get(code.lower().split("-")[0])
    return Language(code, code, code, parent.rtl if parent else False)


def wanted(accept_language: str) -> list[str]:
    """Codes of an ``Accept-Language`` header, the best first; what cannot be read is passed over."""
    return [code for code, weight in parse_accept_lang_header(accept_language) if weight > 0]


def best(available: Sequence[str], wishes: Iterable[str]) -> str | None:
    """The one of ``available`` that fits the first wish which any fits.

    "de-AT" is content with "de", "sr" with "sr-el", "sr-Latn" with "sr-el" before "sr".
    """
    for wish in wishes:
        wish = wish.lower()
        exact = [code for code in available if wish in (code.lower(), language(code).tag.lower())]
        stem = wish.split("-")[0]
        near = sorted(code for code in available if code.lower().split("-")[0] == stem)
        if exact or near:
            return (exact or near)[0]
    return None
