"""No page asks the database more often because there is more to show."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.db import connection, models
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import services
from games.ids import new_public_id
from games.models import Seat, Table
from portal.models import User
from wiki.models import Page
from wiki.services import Draft, edit_page
from wiki.services.languages import link
from wiki.services.talk import add_topic, reply
from wiki.services.watch import watch
from wiki.titles import make_slug

MOST = 12  # the session and the person among them
OPEN, MINE, REVISIONS, ANSWERS = 60, 40, 500, 20
PAGES = [
    "/",
    "/open-tables/",
    "/tables/",
    "/tables/waiting",
    "/tables/new/?game=hearts",
    "/tables/{table}/",
    "/tables/{table}/?ply=0",
    "/tables/{table}/state",
    "/tables/{open}/",
    "/games/",
    "/people/Ada/",
    "/people/Bob/",
    "/preferences/",
    "/wiki/",
    "/wiki/changes/",
    "/wiki/changes/feed/?limit=500",
    "/wiki/watchlist/",
    "/wiki/drafts/",
    "/wiki/search/?q=hearts",
    "/wiki/search/?q=zzzzq+herats+vvvvp&in=all",
    "/wiki/search/suggest/?q=h",
    "/wiki/contributions/Bob/",
    "/wiki/files/",
    "/wiki/reports/shortcodes/",
    "/wiki/reports/known-shortcodes/",
    "/wiki/hearts/",
    "/wiki/hearts/history/",
    "/wiki/hearts/history/feed/?limit=500",
    "/wiki/hearts/diff/0/{new}/",
    "/wiki/hearts/edit/",
    "/wiki/hearts/source/",
    "/wiki/talk-hearts/",
    "/wiki/notices/",
    "/wiki/reports/",
    "/wiki/reports/wanted/",
    "/wiki/reports/orphans/",
    "/wiki/reports/dead-ends/",
    "/wiki/reports/double-redirects/",
    "/wiki/reports/broken-redirects/",
    "/wiki/reports/uncategorised/",
    "/wiki/categories/",
    "/wiki/statistics/",
    "/wiki/hearts/links/",
    "/wiki/hearts/rename/",
    "/wiki/hearts/export/",
    "/wiki/hearts/export/?form=history",
    "/wiki/hearts/protect/",
    "/wiki/log/",
    "/wiki/reports/groups/",
    "/wiki/reports/blocks/",
    "/wiki/hearts/language/",
    "/wiki/hearts/?from=Old+Hearts",
    "/wiki/hearts/?printable=yes",
    "/wiki/hearts/?rev={new}",
    "/wiki/hearts/?rev={first}",
    "/wiki/hearts/diff/{first}/{new}/",
    "/wiki/hearts/revert/{first}/",
    "/wiki/hearts/edit/?section=1",
    "/wiki/old-hearts/?redirect=no",
    "/wiki/srce/?variant=sr-ec",
    "/wiki/category-cards/",
    "/wiki/category-all/",
    "/wiki/talk-hearts/edit/",
    "/wiki/nothing-like-this/",
    "/wiki/nothing-like-this/?title=Nothing+like+this",
    "/accounts/tokens/",
    "/api/wiki/v1/",
    "/api/wiki/v1/pages?namespace=*",
    "/api/wiki/v1/pages/hearts",
    "/api/wiki/v1/pages/hearts/revisions?limit=200",
    "/api/wiki/v1/revisions/{new}",
    "/api/wiki/v1/diff/0/{new}",
    "/api/wiki/v1/changes?limit=200",
    "/api/wiki/v1/people/Bob/contributions?limit=200",
    "/api/wiki/v1/search?q=hearts",
    "/api/wiki/v1/files",
    "/api/wiki/v1/log?limit=200",
]
MODERATED = [
    "/wiki/changes/?unpatrolled=1",
    "/wiki/hearts/hide/{new}/",
    "/wiki/hearts/rollback/{new}/",
    "/wiki/reports/deleted/",
    "/people/Bob/",
]


def copies(row: models.Model, count: int, **changed: Any) -> list[Any]:
    """``count`` more rows like ``row``; what of ``changed`` can be called is called for each."""
    kept = {
        field.attname: getattr(row, field.attname)
        for field in row._meta.concrete_fields
        if not field.primary_key
    }
    made = [
        type(row)(
            **kept | {name: new(n) if callable(new) else new for name, new in changed.items()}
        )
        for n in range(count)
    ]
    return type(row)._default_manager.bulk_create(made)


def more_tables(table: Table, count: int) -> None:
    """``count`` more tables like ``table``, with the same people."""
    for one in copies(table, count, public_id=lambda n: new_public_id()):
        Seat.objects.bulk_create(
            [
                Seat(
                    table=one,
                    index=seat.index,
                    kind=seat.kind,
                    user_id=seat.user_id,
                    asked_since=seat.asked_since,
                    asked_at=seat.asked_at,
                )
                for seat in table.seats.all()
            ]
        )


def more_pages(author: User) -> None:
    """Pages that name what is there, what is not, files, categories and redirects, in two languages."""
    named = (
        "[[Backgammon]], [[Nowhere]], [[Old Hearts]] ![x](file:X.png) {{die|6}} [[Category:Cards]]"
    )
    made = {}
    for title, text, language in (
        ("Hearts", f"## Goal\n\n{named} [[Category:Nowhere]]\n", "en"),
        ("Category:Cards", f"Of cards. [[Category:All]] {named}\n", "en"),
        ("Srce", f"Srpski. {named}\n", "sr"),
        ("Old Hearts", "#REDIRECT [[Hearts]]\n", "en"),
    ):
        page = Page.objects.filter(title=title).first()
        draft = Draft(text=text, base=page.current_id if page else None, unnamed=True)
        slug = page.slug if page else make_slug(title)
        saved, _new = edit_page(
            slug=slug, title=title, author=author, draft=draft, language=language
        )
        made[title] = saved.page
    link(page_id=made["Hearts"].pk, other_id=made["Srce"].pk, author=author)


@pytest.fixture
def crowded(db: None, ada: User, bob: User) -> dict[str, str]:
    """A site on which much has happened; parts of addresses by name."""
    call_command("load_help", verbosity=0)
    open_table = services.open_table(player=bob, game="hearts", seats=["open", "bot", "open"])
    more_tables(open_table, OPEN - 1)
    mine = services.open_table(player=ada, game="hearts", seats=["open"] + ["bot"] * 2, pace="1d")
    services.join(table_id=mine.public_id, player=bob)  # all four pass at the same time
    bots = mine.seats.filter(kind=Seat.BOT)
    bots.update(expires_at=timezone.now() + timedelta(hours=1))  # no page need move for them
    mine.refresh_from_db()
    more_tables(mine, MINE - 1)
    more_pages(ada)
    page = Page.objects.get(slug="hearts")
    first = page.current
    many = copies(
        first,
        REVISIONS,
        number=lambda n: first.number + n + 1,
        author_id=bob.pk,
        author_name=bob.username,
        timestamp=lambda n: timezone.now(),
        summary="/* Passing */ why",
        event="",
        origin_id=None,
        origin_key=lambda n: f"copy {n}",
        rendered="",
    )
    Page.objects.filter(pk=page.pk).update(current=many[-1])
    for watched in Page.objects.all():
        watch(page=watched, user=ada)
    begun = add_topic(page_id=page.pk, author=ada, heading="Passing", text="Which way?")
    for n in range(ANSWERS):
        reply(page_id=page.pk, author=bob, number=1, seen_id=begun.pk, text=f"{n} @Ada")
    return {
        "table": mine.public_id,
        "open": open_table.public_id,
        "new": str(many[-1].pk),
        "first": str(first.pk),
    }


def test_every_page_asks_few_questions(crowded: dict[str, str], ada: User) -> None:
    client = Client()
    client.force_login(ada)
    asked = {}
    for page in PAGES:
        address = page.format(**crowded)
        client.get(address)  # what is rendered once is kept
        if "from=" not in page:
            ada.wiki_watches.update(seen=0)  # the page is new to her
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == (404 if "nothing" in page else 200), address
        asked[page] = len(seen)
    assert {page: count for page, count in asked.items() if count > MOST} == {}


def test_moderators_ask_few_questions_too(crowded: dict[str, str]) -> None:
    moderator = User.objects.create_user("Mo")
    moderator.groups.add(Group.objects.get(name="moderator"))
    client = Client()
    client.force_login(moderator)
    asked = {}
    for page in [*MODERATED, *(page for page in PAGES if page.startswith("/wiki/"))]:
        address = page.format(**crowded)
        client.get(address)
        with CaptureQueriesContext(connection) as seen:
            assert client.get(address).status_code == (404 if "nothing" in page else 200), address
        asked[page] = len(seen)
    assert {page: count for page, count in asked.items() if count > MOST} == {}


def test_the_site_is_as_crowded_as_it_says(crowded: dict[str, str], ada: User) -> None:
    client = Client()
    client.force_login(ada)
    assert Table.objects.filter(status=Table.OPEN).count() == OPEN
    assert len(client.get("/tables/").context["waiting"]) == MINE
    assert len(client.get("/wiki/hearts/history/").context["sheet"].paginator.page_range) > 10
