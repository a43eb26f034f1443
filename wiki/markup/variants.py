"""Serbian in both of its scripts, letter by letter, as MediaWiki's converter writes it.

``sr-ec`` is Cyrillic, ``sr-el`` is Latin. The way back is not unique: ``лј`` and ``љ`` are both ``lj``
in Latin, and Latin letters that Serbian has not (q w x y) stay Latin in both.
"""

import re

# One letter of Latin for one of Cyrillic, in the order of the Latin alphabet.
LATIN = "abcčćdđefghijklmnoprsštuvzž"
CYRILLIC = "абцчћдђефгхијклмнопрсштувзж"
# Two letters of Latin that are one of Cyrillic; a "!" between them writes them apart.
PAIRS = {"lj": "љ", "nj": "њ", "dž": "џ"}

_letters = str.maketrans(LATIN + LATIN.upper(), CYRILLIC + CYRILLIC.upper())
_letters_back = str.maketrans(
    {
        **dict(zip(CYRILLIC + CYRILLIC.upper(), LATIN + LATIN.upper(), strict=True)),
        **{one: two for two, one in PAIRS.items()},
        **{one.upper(): two.capitalize() for two, one in PAIRS.items()},
    }
)
_pairs = {
    **PAIRS,
    **{two.capitalize(): one.upper() for two, one in PAIRS.items()},
    **{two.upper(): one.upper() for two, one in PAIRS.items()},
}
_pair = re.compile("|".join(rf"{first}!?{second}" for first, second in _pairs))
# A numeral is spared only between characters of ASCII that are in no word, and its match takes them
# with it: in "C D M" the middle one is converted. Every other character counts as part of a word.
_numeral = re.compile(
    r"(?:\A|[^\w\x80-\U0010ffff])"
    r"(?=[MDCLXVI])M{0,4}(?:C[DM]|D?C{0,3})(?:X[LC]|L?X{0,3})(?:I[VX]|V?I{0,3})"
    r"(?:\Z|[^\w\x80-\U0010ffff])",
    re.ASCII,
)


def to_cyrillic(text: str) -> str:
    """Plain ``text`` in Cyrillic script; Roman numerals stay as they are.

    >>> to_cyrillic("Ljudi i konji, glava XIV, in!jekcija")
    'Људи и коњи, глава XIV, инјекција'
    """
    pieces, start = [], 0
    for numeral in _numeral.finditer(text):
        pieces += [_cyrillic(text[start : numeral.start()]), numeral[0]]
        start = numeral.end()
    return "".join([*pieces, _cyrillic(text[start:])])


def to_latin(text: str) -> str:
    """Plain ``text`` in Latin script.

    >>> to_latin("Људи и коњи, ЏЕП")
    'Ljudi i konji, DžEP'
    """
    return text.translate(_letters_back)


def _cyrillic(text: str) -> str:
    return _pair.sub(_join_pair, text).translate(_letters)


def _join_pair(pair: re.Match[str]) -> str:
    """One letter for two; letters parted by "!" stay two and lose the mark."""
    return _pairs[pair[0]] if pair[0] in _pairs else pair[0].replace("!", "")
