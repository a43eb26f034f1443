"""What the portal's own pages read from games and wiki together."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from django.contrib.auth.models import AnonymousUser
from django.templatetags.static import static

from games.models import Seat, Table
from games.selectors import GameFacts, game_facts
from portal.models import User
from wiki.models import Page, Revision

FAN = 4


@dataclass
class Played:
    """How often somebody finished a game, and how often as the first."""

    slug: str
    name: str
    finished: int = 0
    won: int = 0


@dataclass
class Person:
    """A name, the account behind it if any, and what it did here."""

    name: str
    user: User | None
    played: list[Played] = field(default_factory=list)
    edits: int = 0
    last_edit: Revision | None = None


def help_page(slug: str) -> Page | None:
    """The help page of a game: the oldest page about it, our own."""
    return Page.objects.filter(game=slug).order_by("pk").first()


def help_revision(slug: str) -> int | None:
    """The revision of a game's help page that is read now; None where there is no page."""
    page = help_page(slug)
    return page.current_id if page else None


def table_count(user: User | AnonymousUser) -> int:
    """At how many tables ``user`` sits or sat."""
    return Seat.objects.filter(user=user).count() if user.is_authenticated else 0


def fan(shelf: Sequence[GameFacts]) -> list[str]:
    """Covers of at most four books, held like a hand of cards; few games get the house's too."""
    covers = [facts.cover_url for facts in shelf[:FAN]]
    return [static("portal/cover-house.svg")] * max(0, min(2, FAN - len(covers))) + covers


def person(name: str) -> Person | None:
    """Who is called ``name``, with or without an account; None if nobody is."""
    user = User.objects.filter(username__iexact=name).first()
    written = Revision.objects.filter(author_name=user.username if user else name)
    if user is None and not written.exists():
        return None
    return Person(
        name=user.username if user else name,
        user=user,
        played=games_played(user) if user else [],
        edits=written.count(),
        last_edit=written.exclude(timestamp=None).order_by("-timestamp").first(),
    )


def games_played(user: User) -> list[Played]:
    """Finished games of ``user``, the most played first."""
    by_slug: dict[str, Played] = {}
    seats = Seat.objects.filter(user=user, table__status=Table.FINISHED)
    for slug, rank in seats.values_list("table__game", "rank"):
        row = by_slug.setdefault(slug, Played(slug, game_facts(slug).name))
        row.finished += 1
        row.won += rank == 1
    return sorted(by_slug.values(), key=lambda row: (-row.finished, row.name))
