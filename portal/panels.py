"""What games add to their help pages: a tagline, facts, open tables, "Play now"."""

from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from games.engine.registry import all_games
from games.facts import game_facts
from games.listing import first_open
from portal.help import readable_help
from wiki import panels
from wiki.languages import language
from wiki.models import Page
from wiki.selectors import translations

TABLES_SHOWN = 8  # beside a help page


def register() -> None:
    panels.register(tagline, place="tagline")
    panels.register(facts_panel, place="facts")
    panels.register(play_bar, place="bar")
    panels.register(play_panel, place="aside")


def tells_of_game(page: Page) -> bool:
    return page.game in all_games()


def tagline(request: HttpRequest, page: Page) -> str:
    found = readable_help(page.game) if tells_of_game(page) else None
    return found.tagline if found else ""


def facts_panel(request: HttpRequest, page: Page) -> SafeString | str:
    if not tells_of_game(page):
        return ""
    facts = game_facts(page.game)
    pages = sorted(
        [page, *translations(page)], key=lambda one: language(one.language).name.casefold()
    )
    context = {
        "facts": facts,
        "page": page,
        "pages": [(one, language(one.language)) for one in pages],
        "texts": [language(code) for code in facts.languages],
    }
    return render_to_string("portal/_facts.html", context)


def play_panel(request: HttpRequest, page: Page) -> SafeString | str:
    return _play(request, page, "portal/_play_panel.html")


def play_bar(request: HttpRequest, page: Page) -> SafeString | str:
    return _play(request, page, "portal/_play_bar.html")


def _play(request: HttpRequest, page: Page, template: str) -> SafeString | str:
    if not tells_of_game(page):
        return ""
    if not hasattr(request, "tables_beside_page"):  # panel and bar show the same
        tables, count = first_open(request.user, page.game, TABLES_SHOWN)
        request.tables_beside_page = {"tables": tables, "count": count}
    context = {"facts": game_facts(page.game), **request.tables_beside_page}
    return render_to_string(template, context, request=request)
