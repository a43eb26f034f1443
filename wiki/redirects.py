"""Pages that only lead on: how a text says so. Pure."""

import re

# ``#REDIRECT`` in the languages of the wikis we import from.
WORDS = """
    REDIRECT REDIRECTION WEITERLEITUNG REDIRECCIÓN REDIRECCION RINVIA RINVIO RIMANDO
    DOORVERWIJZING REDIRECIONAMENTO REDIRECIONA PATRZ PRZEKIERUJ TAM ПЕРЕНАПРАВЛЕНИЕ ПЕРЕНАПР
    ПЕРАНАКІРАВАННЕ ПЕРАНАКІРАВАНЬНЕ ПЕРЕНАПРАВЛЕННЯ ПРЕУСМЕРИ ПРЕУСМЈЕРИ PREUSMERI PREUSMJERI
    PREUSMERITEV ПРЕНАСОЧУВАЊЕ ПРЕНАСОЧВАНЕ PŘESMĚRUJ PRESMERUJ OMDIRIGERING ÁTIRÁNYÍTÁS
    REDIRECTEAZA 転送 リダイレクト 重定向
"""
REDIRECT = re.compile(
    rf"\s*[#＃](?:{'|'.join(WORDS.split())})[ \t]*[:：]?[ \t]*"
    r"\[\[[ \t:]*(?P<target>[^\[\]{}|<>\n]{1,500})(?:\|[^\[\]\n]{0,500})?\]\][ \t]*",
    re.IGNORECASE,
)
MARK = "#REDIRECT"


def redirect_of(text: str) -> str:
    """The title, with ``#Section`` where one is named, to which a page of this text redirects; empty
    where it does not."""
    match = REDIRECT.match(text)
    target = match["target"].strip() if match else ""
    return "" if target.startswith("#") else target
