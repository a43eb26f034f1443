"""The exports of real wikis: figures, structure, and the way back out. Skipped where absent."""

import html
import json
import re
from collections import Counter
from io import StringIO
from itertools import permutations
from pathlib import Path

import feedparser
import pytest
from django.core.management import call_command
from django.test import Client
from django.urls import reverse

from tests.wiki.interchange.conftest import seed
from tests.wiki.interchange.test_importer import histories
from wiki.interchange.feed_text import Feed, TextState, read
from wiki.interchange.wikitext import convert
from wiki.markup import render
from wiki.models import ImportSource, Page, PageName, Revision


def run(*files: Path, **options) -> dict:
    out = StringIO()
    call_command("import_wiki", *map(str, files), json=True, stdout=out, **options)
    return json.loads(out.getvalue())


def feeds(seeds: list[Path]) -> list[Feed]:
    found = [read(path.read_bytes()) for path in seeds]
    assert all(isinstance(one, Feed) for one in found)
    return found


@pytest.fixture(scope="module")
def texts(seeds: list[Path]) -> list[str]:
    return [
        entry.text
        for one in feeds(seeds)
        for entry in one.entries
        if entry.state is TextState.PRESENT
    ]


@pytest.fixture(scope="module")
def pages(texts: list[str]) -> list[str]:
    return [render(convert(text).text).html for text in texts]


def test_entries_and_states(seeds):
    found = feeds(seeds)
    assert [len(one.entries) for one in found] == [7, 13, 5, 25]
    assert [one.owner for one in found] == ["Tchobello", "Fearinn", "Pabloesc", "Excel13"]
    assert all(one.notes == () for one in found)
    states = Counter(entry.state.value for one in found for entry in one.entries)
    assert states == {"present": 32, "blank": 1, "file": 14, "missing": 3}
    assert sum(len(entry.text.encode()) for one in found for entry in one.entries) == 110_285


def test_structure_of_all_texts(pages):
    made = "\n".join(pages)
    tags = Counter(re.findall(r"<(\w+)", made))
    assert [tags[f"h{level}"] for level in (1, 2, 3, 4, 5, 6)] == [0, 102, 81, 12, 3, 0]
    assert tags["b"] + tags["strong"] == 255
    assert tags["i"] + tags["em"] == 6
    assert tags["hr"] == 6
    assert tags["pre"] == 4
    assert (tags["table"], tags["caption"]) == (2, 2)
    assert (tags["tr"], tags["th"], tags["td"]) == (34, 6, 96)
    numbered = "".join(re.findall(r"<ol>.*?</ol>", made, re.DOTALL)).count("<li>")
    assert (tags["ol"], numbered) == (1, 3)
    assert tags["li"] == 131  # the three numbered ones among them: 128 lines begin with a star


def test_lists_are_what_the_sources_have(texts, pages):
    for text, made in zip(texts, pages, strict=True):
        lines = [line for line in text.split("\n") if line[:1] == "*"]
        bulleted = re.sub(r"<ol>.*?</ol>", "", made, flags=re.DOTALL)
        assert bulleted.count("<li>") == len(lines)


def test_all_templates_are_visible(texts, pages):
    assert sum(text.count("{{") for text in texts) == 87
    assert sum(len(re.findall('class="in-(?:die|symbol|unknown)"', made)) for made in pages) == 87


def test_images_that_do_not_exist_say_so(texts, pages):
    used = sum(len(re.findall(r"\[\[(?:File|Fichier):", text)) for text in texts)
    assert used == 35
    assert sum(made.count('class="file-missing"') for made in pages) == used


def test_no_word_is_lost(texts, pages):
    """Every word of a source, markup aside, stands in its page, in order."""
    for text, made in zip(texts, pages, strict=True):
        source = re.sub(r"<pre>|</pre>|<nowiki>|</nowiki>|</?div>|'''?|\{\|.*", " ", text)
        source = re.sub(r"\[\[\w+:\s*([^|\]]*)[^\]]*\]\]|\{\{[^}]*\}\}", " ", source)
        source = re.sub(r"\[\[?(?:https?:[^\s\]]*)\s*([^\]]*)\]", r"\1", source)
        shown = html.unescape(re.sub(r"<[^<>]*>", " ", made))
        words = iter(re.findall(r"\w+", shown))
        lost = [word for word in re.findall(r"\w+", source) if word not in words]
        assert lost == []


@pytest.mark.parametrize(
    "text",
    [
        "*X* points",
        "1) Send",
        "- Take the top card",
        "__wiz__",
        "`dirname $0`",
        "<your SFTP username>",
        "<originalProjectPath>",
        "===There is another way",
        "[Alexis Allard, Joan Dufour]",
    ],
)
def test_traps_read_as_they_stand(pages, text: str):
    shown = html.unescape(re.sub(r"<[^<>]*>", "", "\n".join(pages)))
    assert text.removeprefix("*") in shown


@pytest.mark.django_db
def test_import_twice(seeds):
    first = run(*seeds)
    figures = {name: first[name] for name in ("entries", "texts", "blank", "files", "missing")}
    assert figures == {"entries": 50, "texts": 32, "blank": 1, "files": 14, "missing": 3}
    assert first["added"] == 50
    before = histories()
    second = run(*seeds)
    assert (second["added"], second["unchanged"], second["warnings"]) == (0, 50, [])
    assert histories() == before
    assert Page.objects.filter(namespace="file").count() == 14
    pacts = Page.objects.get(slug="pacts")
    assert (pacts.current.text_state, pacts.revisions.count()) == ("blank", 1)
    missing = Revision.objects.filter(text_state="missing")
    assert missing.count() == 3
    assert not Page.objects.filter(current__in=missing).exists()
    assert all(row.author is None for row in Revision.objects.all())


@pytest.mark.django_db
def test_files_in_any_order_give_the_same_history(seeds):
    orders = list(permutations([*seeds, seed("001")]))
    found = []
    for order in (orders[0], orders[-1], orders[57]):
        for path in order:
            if path.name.startswith("001"):
                run(path, title="Gamehelpmachiavelli", language="en")
            else:
                run(path)
        found.append(histories())
        Page.objects.update(current=None)
        for model in (Revision, PageName, Page, ImportSource):
            model.objects.all().delete()
    assert found[0] == found[1] == found[2]


@pytest.mark.django_db
def test_page_text_is_an_undated_revision(seeds):
    path = seed("001")
    run(seeds[0])
    assert run(path, title="Gamehelpmachiavelli", language="sr")["added"] == 1
    rows = list(Page.objects.get(slug="machiavelli").revisions.order_by("number"))
    assert [row.timestamp is None for row in rows] == [True, False, False, False]
    assert rows[0].source_text == path.read_text(encoding="utf-8")


@pytest.mark.django_db
@pytest.mark.parametrize("place", range(4))
def test_contributions_feed_gives_back_the_import(client: Client, seeds, place: int):
    """Titles, times, summaries and original texts, as the file has them."""
    found = feeds(seeds)[place]
    run(*seeds)
    response = client.get(reverse("wiki_contributions_feed", args=[found.owner]))
    back = feedparser.parse(response.content, sanitize_html=False, resolve_relative_uris=False)
    entries = []
    for item in back.entries:
        byline, text = re.fullmatch(
            r"<p>(.*?)</p>\n<hr />\n<div>(.*)</div>", item.summary, re.DOTALL
        ).groups()
        user, _colon, summary = html.unescape(byline).partition(":")
        text = html.unescape(text.replace("<br />\n", "\n"))
        entries.append((item.title, item.updated[:19], user, summary.removeprefix(" "), text))
    assert sorted(entries) == sorted(
        (one.title, f"{one.timestamp:%Y-%m-%dT%H:%M:%S}", one.user, one.summary, one.text)
        for one in found.entries
    )
