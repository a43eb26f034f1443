"""What counts as a word, and when two words are the same.

Both databases index and look for the *terms* that are made here, and know nothing of words themselves:
so the same query finds the same pages on both.

* A word is a run of letters and digits. What is written without spaces (Chinese, Japanese, Korean, Thai
  and their neighbours) is indexed sign by sign and found as a row of signs.
* Case, accents and ways to write the same sign (full width, ligatures) do not count.
* English endings do not count: "passing" finds "pass". Other languages keep theirs.
* The words of a Serbian page are there in both scripts.
"""

import re
import threading
import unicodedata
from collections.abc import Callable, Iterator
from functools import lru_cache, wraps

import snowballstemmer

from wiki.markup.variants import to_cyrillic, to_latin

MAX_TERM = 64  # characters; longer words are cut
MAX_WRITTEN = 4 * MAX_TERM  # characters with all their marks
MAX_NAME = 255  # characters
GAP = "¶"  # between texts that are indexed as one: no row of words goes across it
# Scripts whose words stand together without spaces, or hold what elsewhere is a word of its own.
ALONE = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
ACCENTS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0670\u20d0-\u20f0"
SIGNS_OF_VOWELS = "\u0900-\u0903\u093a-\u094f\u0951-\u0963\u0981-\u0dff"
LETTER = rf"[^\W_{ALONE}]"
WORD = re.compile(rf"[{ALONE}]|{LETTER}+(?:[{ACCENTS}{SIGNS_OF_VOWELS}]+{LETTER}*)*")
ACCENT = re.compile(f"[{ACCENTS}]")
NO_PART = re.compile(rf"[\W_](?<![{SIGNS_OF_VOWELS}])")
LONE = re.compile(f"[{ALONE}]")
# Letters that are drawn with a stroke and not composed with one.
STROKES = str.maketrans("đøłħŧıðþ", "dolhtidt") | str.maketrans({"æ": "ae", "œ": "oe"})

_own = threading.local()  # a stemmer keeps the word it works on in itself


def kept(work: Callable[[str], str]) -> Callable[[str], str]:
    """``work`` done once for each of the words met last, which are cut first: a page may be one word of 400 kB."""
    once = lru_cache(maxsize=1 << 16)(work)

    @wraps(work)
    def short(word: str) -> str:
        return once(word[:MAX_WRITTEN])

    return short


@kept
def fold(word: str) -> str:
    """``word`` without case, accents and other ways to write the same; empty where nothing is left.

    >>> fold("Čvorović"), fold("ＡＢＣ"), fold("Straße")
    ('cvorovic', 'abc', 'strasse')
    """
    plain = ACCENT.sub("", unicodedata.normalize("NFKD", word.casefold()))
    plain = unicodedata.normalize("NFC", plain.casefold()).translate(STROKES)
    return NO_PART.sub("", plain)[:MAX_TERM]


@kept
def term(word: str) -> str:
    """The term of ``word``: the same for all forms that find each other; may be empty.

    >>> term("Artichokes"), term("passing"), term("Čvorovići")
    ('artichok', 'pass', 'cvorovici')
    """
    folded = fold(word)
    if len(folded) < 3 or not (folded.isascii() and folded.isalpha()):
        return folded
    if not hasattr(_own, "stemmer"):
        _own.stemmer = snowballstemmer.stemmer("english")
    return _own.stemmer.stemWord(folded)


def terms(text: str) -> list[str]:
    """The terms of ``text``, in order."""
    return [found for word in WORD.findall(text) if (found := term(word))]


def folded_words(text: str) -> list[str]:
    """The words of ``text`` with their endings, folded, in order."""
    return [found for word in WORD.findall(text) if (found := fold(word))]


def name_words(name: str) -> str:
    """The folded words of ``name`` by single spaces: equal for names that differ in nothing else."""
    return " ".join(folded_words(name))[:MAX_NAME].strip()


def is_spelled(word: str) -> bool:
    """Whether a folded ``word`` is one in which letters can be mistaken for others."""
    return word.isalpha() and len(word) > 3 and not LONE.search(word)


def in_scripts(text: str, language: str) -> list[str]:
    """``text`` in each script in which a page in ``language`` is looked for, as it stands first."""
    if language.split("-")[0] != "sr":
        return [text]
    return list(dict.fromkeys([text, to_latin(text), to_cyrillic(text)]))


def places(text: str, start: int = 0, end: int | None = None) -> Iterator[re.Match[str]]:
    """The words of ``text`` where they stand."""
    return WORD.finditer(text, start, len(text) if end is None else end)
