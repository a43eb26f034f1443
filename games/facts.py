"""What a shelf or a help page says about a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.templatetags.static import static

from games.engine import all_games, game_name
from games.engine.game import Meta
from games.finders import has_file
from games.translation import languages_of


@dataclass(frozen=True)
class GameFacts:
    """What a shelf or a help page says about a game."""

    slug: str
    name: str
    seats: tuple[int, ...]
    seats_words: str  # "2 players", "3 to 5 players"
    minutes: int
    complexity: int  # 1 to 5
    designer: str
    cover_url: str
    hides: bool  # some of it is secret to some until the end
    languages: tuple[str, ...]  # codes of those its texts are in


def game_facts(slug: str) -> GameFacts:
    """Facts of one game; of one whose rules are not there, its name and cover. Kept tables have such."""
    game = all_games().get(slug)
    meta = (
        Meta(name=game_name(slug), seats=(), minutes=0, complexity=1) if game is None else game.meta
    )
    return GameFacts(
        slug=slug,
        name=meta.name,
        seats=meta.seats,
        seats_words=_players(meta.seats) if meta.seats else "",
        minutes=meta.minutes,
        complexity=meta.complexity,
        designer=meta.designer,
        cover_url=cover_url(slug),
        hides=meta.hidden,
        languages=languages_of(slug),
    )


def all_facts() -> list[GameFacts]:
    """Facts of every game, by name."""
    return sorted(
        (game_facts(slug) for slug in all_games()), key=lambda facts: facts.name.casefold()
    )


def cover_url(slug: str) -> str:
    """The game's cover, or the house's binding for one without."""
    brought = has_file(slug, "cover.svg")
    return static(f"games/{slug}/cover.svg" if brought else "portal/cover-house.svg")


def _players(seats: Sequence[int]) -> str:
    if len(seats) == 1:
        return f"{seats[0]} player{'' if seats[0] == 1 else 's'}"
    if list(seats) == list(range(seats[0], seats[-1] + 1)):
        joint = "or" if len(seats) == 2 else "to"
        return f"{seats[0]} {joint} {seats[-1]} players"
    return f"{', '.join(map(str, seats[:-1]))} or {seats[-1]} players"
