"""Search of a wiki of 2,000 pages of 600 words: p50 and p99 in ms, of the search and of its suggestions.

Runs on SQLite in a folder of its own, and again on PostgreSQL where --postgresql or TEST_DATABASE_URL gives
the address of an empty database; what it makes there it takes away again. Prints what each kind of query takes
in the service, and how long it takes to index all pages and to save one.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

SYLLABLES = [
    first + then for first in "bdfgklmnprstvz" for then in ("a", "e", "i", "o", "u", "an", "er")
]
COMMON = ["the", "of", "to", "a", "and", "in", "is", "you", "may", "card", "player", "turn", "take"]
AT_ONCE = 100


def vocabulary(chance: random.Random, size: int = 9_000) -> list[str]:
    made: dict[str, None] = {}
    while len(made) < size:
        made["".join(chance.choice(SYLLABLES) for _ in range(chance.randint(2, 4)))] = None
    return list(made)


def text(chance: random.Random, words: list[str], length: int) -> str:
    """A text of ``length`` words, a fourth of them common ones, the rest by Zipf's law, with headings."""
    found = []
    for number in range(length):
        if number % 150 == 0:
            found.append(f"\n\n## {chance.choice(words).title()} and {chance.choice(words)}\n\n")
        if chance.random() < 0.25:
            found.append(chance.choice(COMMON))
        else:
            found.append(words[min(int(chance.paretovariate(0.9)) * 3, len(words) - 1)])
    return " ".join(found)


def make_pages(count: int, length: int) -> tuple[list[str], list[str], float]:
    """Titles, words of the texts, and the seconds it took to index the pages."""
    from django.core.management import call_command
    from django.utils import timezone

    from wiki.models import Page, PageName, Revision
    from wiki.titles import make_slug, title_key

    chance = random.Random(2026)
    words = vocabulary(chance)
    titles = list(
        {f"{chance.choice(words)} {chance.choice(words)}".title() for _ in range(count * 2)}
    )
    titles = sorted(titles)[:count]
    for start in range(0, count, AT_ONCE):
        some = titles[start : start + AT_ONCE]
        pages = Page.objects.bulk_create(Page(title=title, slug=make_slug(title)) for title in some)
        PageName.objects.bulk_create(
            PageName(page=page, title=page.title, key=title_key(page.title), slug=page.slug)
            for page in pages
        )
        revisions = Revision.objects.bulk_create(
            Revision(
                page=page,
                number=1,
                author_name="Bench",
                timestamp=timezone.now(),
                text=text(chance, words, length),
                text_sha1="",
            )
            for page in pages
        )
        for page, revision in zip(pages, revisions, strict=True):
            page.current = revision
        Page.objects.bulk_update(pages, ["current"])
    began = time.perf_counter()
    call_command("reindex_wiki", verbosity=0)
    return titles, words, time.perf_counter() - began


def mistyped(word: str, chance: random.Random) -> str:
    at = chance.randrange(1, len(word) - 1)
    return word[:at] + word[at + 1] + word[at] + word[at + 2 :]


def queries(titles: list[str], words: list[str], count: int) -> dict[str, list[str]]:
    """``count`` queries of each kind."""
    chance = random.Random(7)
    rare = [words[chance.randrange(60, 900)] for _ in range(count)]
    return {
        "a rare word": rare,
        "a common word": [chance.choice(COMMON) for _ in range(count)],
        "two words": [f"{word} {chance.choice(words[:60])}" for word in rare],
        "a title": [chance.choice(titles) for _ in range(count)],
        "words in a row": [
            f'"{chance.choice(COMMON)} {chance.choice(words[:30])}"' for _ in range(count)
        ],
        "a mistyped word": [
            mistyped(chance.choice(titles).split()[0], chance) for _ in range(count)
        ],
        "some of four words": [
            f"{word} {chance.choice(words)} {chance.choice(COMMON)} nowhere" for word in rare
        ],
    }


def times(work: Callable[[str], Any], asked: list[str]) -> dict[str, float]:
    """What ``work`` takes for each; each is asked once before it counts."""
    for one in asked:
        work(one)
    return figures([spent(lambda one=one: work(one)) for one in asked])


def spent(work: Callable[[], Any]) -> tuple[float, float]:
    """ms by the clock, and of this process's own work: where others keep the machine busy, that tells more."""
    began, worked = time.perf_counter(), time.process_time()
    work()
    return (time.perf_counter() - began) * 1000, (time.process_time() - worked) * 1000


def figures(found: list[tuple[float, float]]) -> dict[str, float]:
    clock, own = (sorted(part) for part in zip(*found, strict=True))
    last = min(len(clock) - 1, int(len(clock) * 0.99))
    return {
        "p50_ms": round(clock[len(clock) // 2], 1),
        "p99_ms": round(clock[last], 1),
        "own_p50_ms": round(own[len(own) // 2], 1),
        "own_p99_ms": round(own[last], 1),
    }


def measure(pages: int, length: int, count: int) -> dict[str, Any]:
    import django

    django.setup()
    from django.core.management import call_command
    from django.db import connection

    from portal.models import User
    from wiki.models import Page
    from wiki.search import search, suggest
    from wiki.services import Draft, edit_page

    logging.disable(logging.WARNING)  # that nobody can be told of a save: no Redis runs here
    call_command("migrate", verbosity=0)
    try:
        titles, words, seconds = make_pages(pages, length)
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("ANALYZE")
        report: dict[str, Any] = {"database": connection.vendor, "index_s": round(seconds, 1)}
        for kind, asked in queries(titles, words, count).items():
            report[f"search, {kind}"] = times(search, asked)
        begun = [
            title[: 1 + number % 6]
            for number, title in enumerate(random.Random(3).sample(titles, count))
        ]
        report["suggest"] = times(suggest, begun)
        author = User.objects.create_user("Bench", is_staff=True)  # held to no limit
        saved = []
        for page in Page.objects.select_related("current").order_by("pk")[:count]:
            draft = Draft(text=page.current.text + "\n\nOne more line.\n", base=page.current_id)
            said = {"slug": page.slug, "title": page.title, "author": author, "draft": draft}
            saved.append(spent(lambda said=said: edit_page(**said)))
        report["save of a page"] = figures(saved)
        return report
    finally:
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("DROP SCHEMA public CASCADE")
                cursor.execute("CREATE SCHEMA public")


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/bench search", description=__doc__)
    parser.add_argument("--pages", type=int, default=2_000)
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument("--queries", type=int, default=50, help="of each kind")
    parser.add_argument("--postgresql", default=os.environ.get("TEST_DATABASE_URL", ""))
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)
    given = parser.parse_args(argv)
    if given.here:
        print(json.dumps(measure(given.pages, given.words, given.queries)))  # noqa: T201
        return
    for address in ["", *([given.postgresql] if given.postgresql else [])]:
        with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
            env = os.environ | {"PARLOUR_DATA": folder, "DATABASE_URL": address}
            env["DJANGO_SETTINGS_MODULE"] = "portal.settings"
            run = subprocess.run(
                [sys.executable, __file__, "--here", *argv],
                env=env,
                check=True,
                stdout=subprocess.PIPE,
                text=True,
            )
        report = json.loads(run.stdout)
        if given.json:
            print(run.stdout, end="")  # noqa: T201
            continue
        for name, value in report.items():
            shown = (
                ", ".join(f"{key} {one}" for key, one in value.items())
                if isinstance(value, dict)
                else value
            )
            print(f"{name}: {shown}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
