"""``manage.py load_help``: the games' help texts become, or renew, pages of the wiki."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.registry import all_games
from portal.help import BadFrontMatter, shipped_help
from wiki.services import load_page


class Command(BaseCommand):
    help = (
        "Loads each game's help.md into the wiki. Running it again changes nothing; a page that "
        "people have edited stays as they left it."
    )

    def handle(self, *, verbosity: int, **options: Any) -> None:
        for slug in all_games():
            try:
                found = shipped_help(slug)
            except BadFrontMatter as error:
                raise CommandError(str(error)) from None
            if found is None:
                continue
            added = load_page(
                slug=slug,
                title=found.title,
                aliases=found.aliases,
                language=found.language,
                text=found.text,
                game=slug,
                summary=found.summary,
            )
            if verbosity:
                self.stdout.write(f"{found.title}: {'loaded' if added else 'nothing new'}")
