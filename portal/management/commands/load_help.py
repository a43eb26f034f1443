"""``manage.py load_help``: the games' help texts become, or renew, pages of the wiki."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.engine.registry import all_games
from portal.help import BadFrontMatter, shipped_help
from wiki.errors import WikiError
from wiki.services import load_page


class LoadHelpFailed(CommandError):
    """Some help texts could not be loaded; says which and why. The others are loaded."""


class Command(BaseCommand):
    help = (
        "Loads each game's help.md into the wiki. Running it again changes nothing; a page that "
        "people have edited stays as they left it."
    )

    def handle(self, *, verbosity: int, **options: Any) -> None:
        failed = []
        for slug in all_games():
            try:
                said = load_help(slug)
            except (BadFrontMatter, WikiError) as error:
                failed.append(f"The help text of {slug} is not loaded: {error}")
                continue
            if said and verbosity:
                self.stdout.write(said)
        if failed:
            raise LoadHelpFailed(" ".join(failed))


def load_help(slug: str) -> str:
    """Load the help text of a game; says what came of it, nothing where it has none."""
    found = shipped_help(slug)
    if found is None:
        return ""
    added = load_page(
        slug=slug,
        title=found.title,
        aliases=found.aliases,
        language=found.language,
        text=found.text,
        game=slug,
        summary=found.summary,
    )
    return f"{found.title}: {'loaded' if added else 'nothing new'}"
