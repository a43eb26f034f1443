"""What of a card may be shown: never more than everybody has seen."""

from __future__ import annotations

from typing import Any

from games.library.verso.series import in_order
from games.library.verso.state import Card, Pass, Series, face, handle, points, seen


def shown(card: Card, *, open_: bool = False) -> dict[str, Any]:
    """A card off the pile; its other face only where it was seen, or all is ``open_``."""
    return {
        "face": face(card),
        "points": points(card),
        "id": handle(card),
        "back": [card[3:5], int(card[5])] if open_ or seen(card) else None,
    }


def shown_top(pile: list[Card], *, open_: bool = False) -> dict[str, Any] | None:
    """The upper face of the pile's top card; the lower one only where all is ``open_``."""
    if not pile:
        return None
    return shown(f"{pile[-1]}?{len(pile)}", open_=open_)


def shown_answer(given: Series | Pass | None) -> dict[str, Any] | None:
    """A final choice: the cards of the series, none for a pass; null where there is no answer yet."""
    if given is None:
        return None
    if isinstance(given, Pass):
        return {"cards": [], "joker_as": None}
    return {"cards": in_order(given), "joker_as": given.joker_as}
