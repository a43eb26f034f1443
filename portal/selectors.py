"""What the portal's own pages read from games and wiki together."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.templatetags.static import static

from games.facts import GameFacts, game_facts
from games.hooks import HelpPage
from games.listing import TableRow, tables_of
from games.models import Seat, Table
from portal.models import User
from wiki.languages import best
from wiki.models import Page, Revision
from wiki.selectors import contributions
from wiki.services.languages import own_page

FAN = 4
TABLES_SHOWN = 10


@dataclass
class Played:
    """How often somebody finished a game, and how often as the first, or as one who won it alone."""

    slug: str
    name: str
    finished: int = 0
    won: int = 0


@dataclass
class Person:
    """A name, the account behind it if any, and what it did here."""

    name: str
    user: User | None
    played: list[Played]
    tables: list[TableRow]  # listed ones, the newest first
    edits: int
    last_edit: Revision | None


def help_page(slug: str, wishes: Sequence[str] = ()) -> Page | None:
    """The help page of a game in the first of the languages ``wishes`` that there is, else in the
    site's, else the one that the game brings."""
    pages = list(Page.objects.filter(game=slug))
    fits = best([page.language for page in pages], [*wishes, settings.LANGUAGE_CODE])
    chosen = [page for page in pages if fits in (None, page.language)]
    return chosen[0] if len(chosen) == 1 else own_page(chosen)


def help_link(slug: str) -> HelpPage | None:
    """Where the help page of a game stands in the site's language, and which revision is read now;
    None where there is no page."""
    page = help_page(slug)
    return HelpPage(page.get_absolute_url(), page.current_id) if page else None


def table_count(user: User | AnonymousUser) -> int:
    """At how many tables ``user`` sits or sat."""
    return Seat.objects.filter(user=user).count() if user.is_authenticated else 0


def fan(shelf: Sequence[GameFacts]) -> list[str]:
    """Covers of at most four books, held like a hand of cards; few games get the house's too."""
    covers = [facts.cover_url for facts in shelf[:FAN]]
    return [static("portal/cover-house.svg")] * max(0, min(2, FAN - len(covers))) + covers


def person(name: str, viewer: User | AnonymousUser) -> Person | None:
    """Who is called ``name``, with or without an account, as ``viewer`` sees it; None if nobody is."""
    user = User.objects.filter(username__iexact=name).first()
    name = user.username if user else name
    written = contributions(name)
    edits = written.count()
    if user is None and not edits:
        return None
    return Person(
        name=name,
        user=user,
        played=games_played(user) if user else [],
        tables=tables_of(user, viewer)[:TABLES_SHOWN] if user else [],
        edits=edits,
        last_edit=written.exclude(timestamp=None).first(),
    )


def games_played(user: User) -> list[Played]:
    """Games that ``user`` finished, the most played first; not those in which they left the end to the
    engine."""
    by_slug: dict[str, Played] = {}
    seats = Seat.objects.filter(user=user, zombie=False, table__status=Table.FINISHED)
    for slug, rank, outcome in seats.values_list("table__game", "rank", "table__outcome"):
        row = by_slug.setdefault(slug, Played(slug, game_facts(slug).name))
        row.finished += 1
        alone = len(outcome["ranks"]) == 1
        row.won += rank == 1 and (not alone or outcome.get("won") is True)
    return sorted(by_slug.values(), key=lambda row: (-row.finished, row.name))
