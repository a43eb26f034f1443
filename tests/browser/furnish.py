"""A site full of what pages can show: people with long names, tables in every state, pages with a history.

``python -m tests.browser.furnish`` fills the site of its own settings and prints, as JSON, ``cookies`` of
people by name, ``at`` (addresses by name) and ``pages`` (what cannot be reached at will, as HTML by status).
"""

import io
import json
import random
import sys
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import django
import msgspec

django.setup()

from django.conf import settings  # noqa: E402
from django.contrib.auth.models import AnonymousUser  # noqa: E402
from django.db import transaction  # noqa: E402
from django.template.loader import render_to_string  # noqa: E402
from django.test import Client, RequestFactory  # noqa: E402
from django.urls import reverse  # noqa: E402
from django.utils import timezone  # noqa: E402
from PIL import Image  # noqa: E402

from games import services  # noqa: E402
from games.engine import all_games, bots  # noqa: E402
from games.models import Table  # noqa: E402
from games.services import seating  # noqa: E402
from portal import addresses, blocks, bodies, errors  # noqa: E402
from portal.models import User  # noqa: E402
from portal.people import create_guest  # noqa: E402
from wiki.models import ApiToken, Page, SavedDraft, Watch  # noqa: E402
from wiki.services import Draft, Upload, delete_page, edit_page, upload_file  # noqa: E402
from wiki.services.hide import set_hidden  # noqa: E402
from wiki.services.protect import protect  # noqa: E402
from wiki.services.talk import add_topic, reply  # noqa: E402
from wiki.services.tokens import make_token  # noqa: E402

LONG = "Rhabarberbarbarabarbarbarenbar"  # as long as a name may be, and nowhere to break it
PEOPLE = ["Ada", "Bob", LONG, "Вероника", "Zoë 🎲"]
WIDE_TABLE = f"| {'u' * 60} | {'v' * 60} |\n|--|--|\n" + f"| {'w' * 30} | x |\n" * 2
HEBREW = """## המטרה

צברו מעט נקודות, ראו [[Hearts]]: {{card|QS}}, `code`.

* רשימה

| יד | אל |
|--|--|
| 1 | שמאלה |

```
code
```
"""
LONG_TITLE = "Donaudampfschifffahrtsgesellschaftskapitänsmützen"
TEXT = """## Goal

Take few points. {{card|QS}} costs thirteen, {{die|5}} decides, and every heart costs one.

## Passing

Pass three cards to the left. Then look at what you got.

| Hand | To |
| ---- | -- |
| 1 | left |
| 2 | right |

### On the fourth hand

Nothing is passed. See [[Nowhere]] and {{whist|1}}, `code that is quite long and does not break`.

> Who shoots the moon may laugh.

## Scoring

1. Count the hearts.
2. Add the queen.
"""


def person(name: str) -> User:
    return User.objects.create_user(name)


def cookie(user: User) -> str:
    client = Client()
    client.force_login(user)
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def seat(people: list[User], game: str, **how: Any) -> Table:
    """A table of these people, which begins."""
    table = services.open_table(
        player=people[0], game=game, seats=["open"] * (len(people) - 1), **how
    )
    for other in people[1:]:
        services.join(table_id=table.public_id, player=other)
    return Table.objects.get(pk=table.pk)


def play(table: Table, stop: Callable[[Any, set[int]], bool] = lambda match, asked: False) -> None:
    """Everybody plays as an easy bot would, until ``stop(match, asked seats)`` or the end."""
    while (table := Table.objects.get(pk=table.pk)).status == Table.PLAYING:
        seats = services.seats_of(table)
        match = services.match_of(table, len(seats))
        asked = set(match.pending())
        if stop(match, asked):
            return
        index = min(asked)
        services.act(
            table_id=table.public_id,
            player=seats[index].user,
            ply=table.ply,
            key=f"key-{table.ply}",
            action=msgspec.to_builtins(bots.choose(match, index, 1)),
        )


def index_of(table: Table, user: User) -> int:
    return int(table.seats.get(user=user).index)


def tables(people: list[User]) -> dict[str, str]:
    """Tables in every state; their addresses."""
    ada, bob, long, cyrillic, emoji = people
    four = [ada, long, cyrillic, emoji]
    made: dict[str, Table] = {}

    def trick(match: Any, asked: set[int]) -> bool:
        return match.state.phase == "play" and len(match.state.trick) == 2

    made["hearts pass"] = seat(four, "hearts", pace="1d")
    for name, asked in (("hearts turn", True), ("hearts waits", False)):
        made[name] = table = seat(four, "hearts", pace="1d")
        mine = index_of(table, ada)
        play(
            table,
            lambda match, now, mine=mine, asked=asked: trick(match, now) and (mine in now) is asked,
        )
    made["hearts zombie"] = table = seat(four, "hearts")
    services.leave(table_id=table.public_id, player=cyrillic)
    made["hearts over"] = table = seat(four, "hearts", absence="forfeit")
    play(table, lambda match, asked: match.ply > 60)
    services.leave(table_id=table.public_id, player=long)
    made["nibble turn"] = table = seat([ada, long], "nibble", pace="live-15")
    mine = index_of(table, ada)
    play(table, lambda match, asked: match.ply > 7 and mine in asked)
    for variant in ("thirteen", "hex13"):
        made[f"nibble {variant}"] = table = seat(
            [ada, long], "nibble", options={"variant": variant}
        )
        mine = index_of(table, ada)
        play(table, lambda match, asked, mine=mine: match.ply > 7 and mine in asked)
    made["nibble over"] = table = seat([ada, emoji], "nibble")
    play(table)
    for text in ("Hello!", "x" * 400, "🎲 Привет, Ада. How long shall we play?"):
        services.say(table_id=made["hearts turn"].public_id, player=cyrillic, text=text)
    made["room"] = services.open_table(
        player=ada, game="hearts", seats=["open", "bot", "open"], starts="host", least=None
    )
    made["room of others"] = services.open_table(
        player=long, game="nibble", seats=["open"], pace="3d", accounts_only=True
    )
    made["closed"] = services.open_table(player=ada, game="nibble", seats=["open"])
    Table.objects.filter(pk=made["closed"].pk).update(status=Table.EXPIRED)
    widest = max(all_games().values(), key=lambda game: (max(game.meta.seats), game.slug))
    made["widest room"] = services.open_table(
        player=bob, game=widest.slug, seats=["open"] * (max(widest.meta.seats) - 1), pace="7d"
    )
    return {name: table.get_absolute_url() for name, table in made.items()}


def every_game(ada: User) -> dict[str, str]:
    """A table of each game at which Ada is asked first, beside a name as long as may be; addresses by slug."""
    found = {}
    for slug, game in all_games().items():
        others = [User.objects.get(username=LONG)] + [
            person(f"{slug[:12]} {n}") for n in range(max(game.meta.seats) - 2)
        ]
        table = seat([ada, *others][: max(game.meta.seats)], slug)
        mine = index_of(table, ada)
        play(table, lambda match, asked, mine=mine: mine in asked)
        found[slug] = table.get_absolute_url()
    return found


def many_tables(host: User, count: int) -> None:
    for number in range(count):
        game = list(all_games().values())[number % len(all_games())]
        guest = create_guest()
        services.open_table(
            player=guest,
            game=game.slug,
            seats=["open"] * (min(game.meta.seats) - 1 or 0),
            pace="1d",
        )


def wiki(people: list[User]) -> dict[str, str]:
    """Pages with a long history, a conflict, a protection, a picture; their addresses."""
    ada, bob, long, *_ = people
    page = edit_page(slug="tall-hearts", title="Tall Hearts", author=ada, draft=Draft(text=TEXT))[
        0
    ].page
    for number in range(24):
        page.refresh_from_db()
        said = [
            f"/* Passing */ words {number}",
            "",
            "w" * 300,
            "/* Scoring */ Wer wagt, gewinnt 🎲",
        ]
        draft = Draft(
            text=TEXT.replace("three cards", f"{number + 4} cards") + "\nMore.\n" * (number % 7),
            base=page.current_id,
            summary=said[number % 4],
            minor=number % 3 == 0,
        )
        edit_page(
            slug=page.slug, title=page.title, author=(ada, bob, long)[number % 3], draft=draft
        )
    first, last = (page.revisions.order_by("pk").values_list("pk", flat=True)[n] for n in (0, 20))
    tall = edit_page(
        slug="",
        title=LONG_TITLE,
        author=long,
        draft=Draft(
            text="# " + "y" * 120 + f"\n\n{WIDE_TABLE}\n[[Category:{'k' * 60}]]\n" + "## z\n\n" * 50
        ),
    )
    begun = add_topic(
        page_id=page.pk, author=ada, heading="Passing", text="Which way, @Bob?\n\n* left\n* right"
    )
    for author, said in (
        (bob, "To the left: [[Hearts#Passing]]."),
        (long, "w" * 300),
        (bob, "> So?"),
    ):
        reply(page_id=page.pk, author=author, number=1, seen_id=begun.pk, text=said)
    seen = begun
    for depth in range(9):  # answers to answers, each to the one before
        seen = reply(
            page_id=page.pk,
            author=(ada, long)[depth % 2],
            number=1,
            seen_id=seen.pk,
            to=depth + 4 if depth else 0,
            text=f"Depth {depth}: {'as it was said before, ' * 8}\n\n* or\n* not",
        )
    add_topic(page_id=page.pk, author=bob, heading="z" * 120, text=TEXT)
    locked = edit_page(slug="locked", title="Locked", author=bob, draft=Draft(text=TEXT))[0].page
    protect(page_id=locked.pk, level="staff", span="week", reason="Too many games.", moderator=ada)
    Watch.objects.create(user=ada, page=page, seen=first)
    make_token(
        user=ada, name="The script that looks for typing errors", writes=True, lifetime="year"
    )
    make_token(user=ada, name="Old", writes=False, lifetime="week")
    ApiToken.objects.filter(name="Old").update(expires_at=timezone.now())
    SavedDraft.objects.create(
        user=ada, slug=page.slug, base=first, section=2, text=LONG * 9, saved_at=timezone.now()
    )
    SavedDraft.objects.create(user=ada, slug="not-yet", title="Not yet", saved_at=timezone.now())
    edit_page(
        slug="srce",
        title="Srce",
        author=ada,
        draft=Draft(
            text="## Cilj igre\n\nUzmi malo poena, vidi [[Tall Hearts|opis]]: {{card|QS}}."
        ),
        language="sr",
        translates=page.pk,
    )
    hebrew = edit_page(slug="", title="לבבות", author=ada, draft=Draft(text=HEBREW), language="he")[
        0
    ].page
    for title, text in (
        ("Herz", "#REDIRECT [[Hearts#Passing]]"),
        ("Herzeln", "#REDIRECT [[Herz]]"),
        ("Tricks", "As in [[Herz]] or [[Not there]].\n\n[[Category:Card games]] [[Category:Z]]"),
    ):
        edit_page(slug=title.lower(), title=title, author=bob, draft=Draft(text=text))
    before = Page.objects.get(slug="tricks").current
    tricks = edit_page(  # a page that no state edits
        slug="tricks",
        title="Tricks",
        author=long,
        draft=Draft(text=f"{before.text}\n\nNone.", base=before.pk),
    )[0]
    out = io.BytesIO()
    Image.linear_gradient("L").resize((900, 500)).save(out, "PNG")
    upload = Upload(name="Board.png", data=out.getvalue(), description="The board.", licence="own")
    picture = upload_file(author=ada, upload=upload).page
    base = reverse("wiki_page", args=[page.slug])
    gone = edit_page(slug="short-lived", title="Short lived", author=bob, draft=Draft(text=TEXT))
    delete_page(page_id=gone[0].page_id, reason=LONG, person=ada)
    hidden = page.revisions.filter(event="").order_by("-number")[1]
    parts = ["text", "author", "summary"]
    set_hidden(revision_id=hidden.pk, parts=parts, reason="A name.", person=ada)
    addresses.block_range(
        text="2001:db8::/48", by=ada, reason="Spam", days=7, accounts_too=False, named="Guest 1"
    )
    blocks.block(person=long, by=ada, reason=LONG[:200], days=0, wiki_only=True)
    return {
        "deleted": reverse("wiki_deleted_page", args=[gone[0].page_id]),
        "hide": reverse("wiki_hide", args=[page.slug, hidden.pk]),
        "hidden": f"{base}?rev={hidden.pk}",
        "right to left": hebrew.get_absolute_url(),
        "rollback": reverse("wiki_rollback", args=["tricks", tricks.pk]),
        "page": base,
        "older page": f"{base}?rev={first}",
        "diff": reverse("wiki_diff", args=[page.slug, first, last]),
        "revert": reverse("wiki_revert", args=[page.slug, first]),
        "first": str(first),
        "talk": begun.page.get_absolute_url(),
        "tall title": tall[0].page.get_absolute_url(),
        "picture": reverse("wiki_file", args=[picture.slug.removeprefix("file:")]),
        "picture hide": reverse("wiki_file_hide", args=[picture.slug.removeprefix("file:")]),
    }


def refusals() -> dict[str, str]:
    """The pages of refusals that no request reaches at will, as HTML by status."""
    request = RequestFactory().post("/wiki/hearts/edit/", {"text": TEXT}, HTTP_HOST="127.0.0.1")
    request.user = AnonymousUser()
    found = {
        status: errors.refuse(request, status, "no", "The reason for it, in one sentence.")
        for status in (400, 403, 404, 405, 413, 429)
    }
    found["csrf"] = errors.csrf_failure(request)
    pages = {str(status): answer.content.decode() for status, answer in found.items()}
    sent = [("text", TEXT), ("summary", "Why")]
    pages["503"] = render_to_string("503.html", {"reason": "Soon.", "sent": sent, "path": "/"})
    pages["500"] = render_to_string("500.html")
    pages["507"] = bodies.PAGE.format("No room", bodies.NO_ROOM, bodies.BACK.format("/"))
    return pages


@transaction.atomic  # in one go: all of it, or nothing
def main() -> None:
    deals = random.Random("furnish")  # the same tables in every run
    seating.secrets = SimpleNamespace(token_bytes=deals.randbytes)  # type: ignore[assignment]
    people = [person(name) for name in PEOPLE]
    ada, bob = people[:2]
    ada.is_staff, ada.email = True, "ada@example.org"
    ada.set_password("a long word")
    ada.save()
    found = {
        "at": {**tables(people), **wiki(people)},
        "games": every_game(ada),
        "pages": refusals(),
    }
    many_tables(bob, 24)
    newcomer = person("Newcomer")
    found["cookies"] = {
        "Ada": cookie(ada),
        "Newcomer": cookie(newcomer),
        "Guest": cookie(create_guest()),
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
