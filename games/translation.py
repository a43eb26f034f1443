"""The texts of games in the reader's language. English is the key; catalogues lie in each game's
``locale/<language>/LC_MESSAGES/game.mo``; without one, the English text stays."""

from __future__ import annotations

import gettext
from functools import cache
from pathlib import Path
from typing import Any

from django.utils.translation import get_language

LIBRARY = Path(__file__).resolve().parent / "library"


def translated(data: dict[str, Any], slug: str) -> dict[str, Any]:
    """``Msg.data()`` with its texts, also those inside its parameters, in the present language."""
    language = get_language() or "en"
    if language.startswith("en"):
        return data
    return _translated(data, _catalogue(slug, language))


def translated_text(text: str, slug: str) -> str:
    """``text`` of a game in the present language."""
    return str(translated({"text": text}, slug)["text"])


@cache
def languages_of(slug: str) -> tuple[str, ...]:
    """Codes of the languages in which the texts of a game are there: English, then its catalogues."""
    catalogues = (LIBRARY / slug / "locale").glob("*/LC_MESSAGES/game.mo")
    return (
        "en",
        *sorted({path.parts[-3].lower().replace("_", "-") for path in catalogues} - {"en"}),
    )


@cache
def _catalogue(slug: str, language: str) -> gettext.NullTranslations:
    folders = [language, language.partition("-")[0]]
    return gettext.translation("game", LIBRARY / slug / "locale", folders, fallback=True)


def _translated(value: Any, catalogue: gettext.NullTranslations) -> Any:
    if isinstance(value, list):
        return [_translated(part, catalogue) for part in value]
    if not isinstance(value, dict) or "text" not in value:
        return value
    out = dict(value)
    for name in ("text", "you", "to_you"):
        if name in out:
            out[name] = catalogue.gettext(out[name])
    out["params"] = {
        name: _translated(part, catalogue) for name, part in value.get("params", {}).items()
    }
    return out
