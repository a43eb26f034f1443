"""The search: what is found, in which order, how it is shown; the same on both databases."""

import random
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.interchange.conftest import entry, feed
from wiki.interchange.importer import read_file, store
from wiki.models import Page, Revision, SearchEntry, SearchName
from wiki.search import ANYWHERE, Results, postgresql, reindex, search, suggest
from wiki.search.backend import backend
from wiki.search.postgresql import make_trigram_index
from wiki.search.query import read_query
from wiki.search.snippets import Marker
from wiki.search.words import fold, name_words, term
from wiki.services import append_revision, delete_page, undelete_page
from wiki.services.edit import create_page, name_page

Save = Callable[..., Revision]


def titles(results: Results) -> list[str]:
    return [hit.page.title for hit in results.hits]


def shown(pieces: list[tuple[str, bool]]) -> str:
    """Pieces as a text, with brackets around what is marked."""
    return "".join(f"[{text}]" if marked else text for text, marked in pieces)


@pytest.fixture
def write(db: None) -> Callable[..., Page]:
    """Makes a page with a text, of any language and namespace."""

    def write_page(title: str, text: str = "", language: str = "en", namespace: str = "") -> Page:
        page = create_page(title=title, language=language, namespace=namespace)
        append_revision(
            page,
            author=None,
            author_name="Ada",
            timestamp=timezone.now(),
            summary="",
            minor=False,
            text=text,
        )
        return page

    return write_page


def test_a_word_of_hundred_thousand_letters_is_found_and_not_kept(write) -> None:
    word = "ab" * 50_000
    write("Long", f"before {word} after")
    assert titles(search(word[:250])) == ["Long"]
    other = "cd" * 50_000
    held = sys.getrefcount(other)
    assert fold(other) == term(other) == other[:64]
    assert sys.getrefcount(other) == held


def relearn() -> None:
    """Index all anew: in a test nothing is committed, and words are learnt only then."""
    call_command("reindex_wiki", verbosity=0)
    from wiki.search.index import learn

    for row in SearchEntry.objects.select_related("page"):
        names = SearchName.objects.filter(page=row.page).values_list("title", flat=True)
        learn([row.text, *names], row.page.language)


def test_titles_come_before_names_headings_and_texts(write) -> None:
    write("In a text", "Somebody built a lighthouse " + "and more " * 9)
    write("In a heading", "Words\n\n## The lighthouse\n\nMore words.")
    name_page(write("By another name", "Nothing here."), "Lighthouse keeper")
    write("A tall lighthouse", "Nothing here.")
    write("Lighthouse", "Nothing here.")
    assert titles(search("lighthouse")) == [
        "Lighthouse",
        "A tall lighthouse",
        "By another name",
        "In a heading",
        "In a text",
    ]


@pytest.fixture
def library(write) -> None:
    """Pages whose titles, names, headings and texts share a few words in every way."""
    chance = random.Random(5)
    for number in range(40):
        one, two, three = chance.sample(["draw", "pile", "queen", "trick", "hand"], 3)
        title = "Draw pile" if number == 30 else f"{three} of game {number}"
        heads = f"# {two} {one}\n\nThe {one} {two}.\n\n## Of {three}s\n\n" if number % 3 else ""
        page = write(title, f"{heads}A {two} and a {three}. " + f"{one} {two} " * (number % 5))
        if number % 4 == 0:
            name_page(page, f"The {two} {one} {number}")


def in_order(query: str) -> list[int]:
    """The row ids of all pages that ``query`` finds, put in order one by one as the search says."""
    base, asked = backend(), read_query(query)
    named = set(SearchName.objects.filter(words=name_words(query)).values_list("page", flat=True))
    with connection.cursor() as cursor:
        cursor.execute(base.found, [base.expression(asked)])
        columns = [column[0] for column in cursor.description]
        ranks = {
            row["page_id"]: row["rank"]
            for row in (dict(zip(columns, values, strict=True)) for values in cursor)
        }
        steps = []
        for fields in (1, 2, 3):
            cursor.execute(base.matching, [base.expression(asked, fields)])
            steps.append({pk for (pk,) in cursor})
    return sorted(
        ranks, key=lambda pk: (pk not in named, *(pk not in step for step in steps), -ranks[pk], pk)
    )


def test_order_of_the_hits_is_what_each_holds_where(library: None) -> None:
    for query in (
        "draw",
        "draw pile",
        '"draw pile"',
        "queen trick game",
        "tri* hand",
        "hand -pile",
        '"a trick"',
    ):
        wanted = in_order(query)
        assert len(wanted) > 3, query
        found = search(query, limit=100)
        assert [hit.page.pk for hit in found.hits] == wanted, query
        assert found.total == len(wanted)
        parts = [search(query, limit=7, offset=start) for start in range(0, len(wanted), 7)]
        assert [hit.page.pk for part in parts for hit in part.hits] == wanted, query
        assert {part.total for part in parts} == {len(wanted)}


def test_every_word_must_be_there_in_any_form(write) -> None:
    write("One", "You are passing three cards.")
    write("Two", "A card is passed on.")
    write("Three", "Three tricks.")
    assert set(titles(search("PASS cards"))) == {"One", "Two"}
    assert titles(search("three card")) == ["One"]


def test_rows_of_words_words_to_leave_out_and_beginnings(write) -> None:
    write("One", "The draw pile lies here.")
    write("Two", "A pile to draw from.")
    assert set(titles(search("draw pile"))) == {"One", "Two"}
    assert titles(search('"draw pile"')) == ["One"]
    assert titles(search("“draw pile”")) == ["One"]
    assert titles(search("pile -lies")) == ["Two"]
    assert titles(search('pile -"draw pile"')) == ["Two"]
    assert titles(search("lie*")) == ["One"]
    assert search("-lies").total == 0


def test_rows_of_words_do_not_go_from_one_part_to_the_next(write) -> None:
    page = write("Red", "pile of cards\n\n## Blue\n\ncards")
    name_page(page, "Green")
    assert search('"red green"').how == "some"
    assert search('"red pile"').how == "some"
    assert search('"pile of"').how == "all"


def test_text_of_a_hit_shows_the_words_marked(write) -> None:
    write(
        "Long", "Nothing to see. " * 60 + "Then the queen costs thirteen points. " + "More. " * 60
    )
    hit = search("queens thirteen").hits[0]
    assert "the [queen] costs [thirteen] points" in shown(hit.snippet)
    assert shown(hit.snippet).startswith("…")
    assert shown(hit.snippet).endswith("…")
    assert len("".join(text for text, _marked in hit.snippet)) < 260


def test_rarest_words_decide_what_is_shown(write) -> None:
    write("Long", "the cards of the table " * 200 + "and a queen at last " + "the end " * 100)
    assert "a [queen] at last" in shown(search("the queen").hits[0].snippet)


def test_words_far_down_a_long_text_are_shown(write) -> None:
    write("Long", "word " * 15_000 + "and a naïve übermensch at last")
    assert "a naïve [übermensch] at" in shown(search("ubermensch").hits[0].snippet)
    assert "a [naïve] übermensch" in shown(search("naive").hits[0].snippet)


def test_title_and_other_name_of_a_hit_are_marked(write) -> None:
    page = write("Hearts", "Take few points.")
    name_page(page, "Black Maria")
    assert shown(search("heart").hits[0].title_marked) == "[Hearts]"
    assert search("heart").hits[0].name_marked == []
    assert shown(search("maria").hits[0].name_marked) == "Black [Maria]"


def test_accents_case_and_width_do_not_count(write) -> None:
    write("Piqué", "Straße, Øre, ﬁne, ＡＢＣ, Čvor, đak")
    for word in ("pique", "STRASSE", "ore", "fine", "abc", "cvor", "dak", "PIQUÉ"):
        assert titles(search(word)) == ["Piqué"], word


@pytest.mark.parametrize(
    "query",
    [
        "",
        " ",
        '"',
        '""',
        "it's (bad",
        "(",
        "*",
        "-",
        "--",
        "-*",
        "'",
        "\\",
        "%",
        "_",
        ":",
        "a:b",
        "title:x",
        "{title} : x",
        "NEAR(a b)",
        "AND",
        "OR NOT",
        "a AND",
        "^x",
        "x\x00y",
        "\x00",
        "🂡",
        "♣",
        "é́́́",
        "\u202e",
        "x" * 10_000,
        "x " * 5_000,
        '"' * 10_000,
        "-x " * 3_000,
        "the a of",
        "三国杀",
        "カード",
        "카드",
        "ไพ่",
        "हिन्दी",
        "Карты на столе",
        "!'&|<->:*",
        "'x':A",
        "$1 %s %(a)s",
        "½ ² ㎏ ﷺ",
        "i̇ İ ı",
    ],
)
def test_anything_can_be_typed(client: Client, write, query: str) -> None:
    write("Hearts", "Take few points; it's bad to take the queen. 三国杀 हिन्दी")
    assert client.get("/wiki/search/", {"q": query.replace("\x00", "")}).status_code == 200
    assert client.get("/wiki/search/suggest/", {"q": query.replace("\x00", "")}).status_code == 200
    search(query)
    suggest(query)


def test_every_sign_can_stand_in_a_text(write) -> None:
    text = "".join(map(chr, range(32, 0x3000))) + " ﷺ 𝕏 🂡 ' \\ \" % :* " + "x" * 5000
    write("Signs", text)
    assert search("signs").total == 1
    assert titles(search("𝕏")) == ["Signs"]


def test_text_of_very_many_words_is_found_by_its_first_ones(write) -> None:
    write("Many", " ".join(f"w{number:x}q" for number in range(60_000)))
    assert titles(search("w1q w2q")) == ["Many"]
    assert titles(search("many")) == ["Many"]


def test_text_without_spaces_is_found_by_any_part(write) -> None:
    write("Three", "三国杀是一款桌上卡牌游戏。")
    write("Other", "杀国三")
    assert titles(search("国杀")) == ["Three"]
    assert titles(search("卡牌")) == ["Three"]
    assert shown(search("卡牌").hits[0].snippet) == "三国杀是一款桌上[卡牌]游戏。"


def test_serbian_page_is_found_in_both_scripts(write) -> None:
    write("Реми", "Играч вуче карту; њен џокер је ђубре.", language="sr-ec")
    write("Tablić", "Džoker se čuva za kraj.", language="sr")
    write("Rummy", "Jokers are wild.")
    for query in ("карту", "kartu", "njen dzoker", "njen džoker", "remi", "РЕМИ", "đubre"):
        assert titles(search(query)) == ["Реми"], query
    for query in ("таблић", "tablic", "чува", "čuva"):
        assert titles(search(query)) == ["Tablić"], query
    assert "[čuva]" in shown(search("чува").hits[0].snippet)
    assert "[карту]" in shown(search("kartu").hits[0].snippet)
    assert titles(search("dzoker", language="sr")) != []
    assert search("dzoker", language="en").total == 0


def test_mistyped_word_finds_what_was_meant_and_says_so(write) -> None:
    write("Machiavelli", "Rummy with open borders.")
    relearn()
    results = search("machiaveli")
    assert (titles(results), results.how) == (["Machiavelli"], "meant")
    assert results.suggestion == "machiavelli"
    assert search("mahciavelli rumy").suggestion == "machiavelli rummy"
    assert search("machiavelli").suggestion == ""


def test_mistyped_word_that_stands_somewhere_is_found_with_a_suggestion(write) -> None:
    write("Machiavelli", "Rummy.")
    write("More of Machiavelli", "Rummy.")
    write("A slip", "Somebody wrote machiaveli.")
    relearn()
    results = search("machiaveli")
    assert (titles(results), results.how) == (["A slip"], "all")
    assert results.suggestion == "machiavelli"


def test_words_of_a_page_are_learnt_when_it_is_saved(
    write, django_capture_on_commit_callbacks
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        write("Zookeepers", "A game with pandas.")
    assert search("zookepers").suggestion == "zookeepers"
    assert search("pandsa").suggestion == "pandas"


def test_beginning_of_a_word_is_tried_where_nothing_holds_it(write) -> None:
    write("Pentaquest", "Dice.")
    results = search("pent")
    assert (titles(results), results.how) == (["Pentaquest"], "begun")


def test_some_of_the_words_are_better_than_none(write) -> None:
    write("One", "A queen and a king.")
    write("Two", "A queen.")
    results = search("queen king unicorn")
    assert (titles(results), results.total, results.how) == (["One", "Two"], 2, "some")


def test_other_kinds_of_pages_are_found_only_when_asked_for(write) -> None:
    write("Hearts", "A queen.")
    write("Talk:Hearts", "Is the queen needed?", namespace="talk")
    write("File:Queen.png", "Her picture", namespace="file")
    assert titles(search("queen")) == ["Hearts"]
    assert titles(search("queen", namespace="talk")) == ["Talk:Hearts"]
    assert titles(search("picture", namespace="file")) == ["File:Queen.png"]
    assert search("queen", namespace=ANYWHERE).total == 3


def test_language_narrows_the_search(write) -> None:
    write("Herz", "Die Dame.", language="de")
    write("Hearts", "Die roll.")
    assert titles(search("die", language="de")) == ["Herz"]
    assert search("die", language="%").total == 0


def test_hits_come_in_parts(write) -> None:
    for number in range(7):
        write(f"Page {number}", "zebra")
    parts = [titles(search("zebra", limit=3, offset=start)) for start in (0, 3, 6, 9)]
    assert [len(part) for part in parts] == [3, 3, 1, 0]
    assert len({title for part in parts for title in part}) == 7
    assert search("zebra", limit=3, offset=9).total == 7


def test_index_follows_the_page(write, save: Save) -> None:
    page = save("A zebra", title="Nibble").page
    assert titles(search("zebra")) == ["Nibble"]
    save("A lion", title="Nibble")
    assert search("zebra").total == 0
    assert titles(search("lion")) == ["Nibble"]
    name_page(page, "Nibbles of old")
    assert titles(search("old")) == ["Nibble"]
    page.title = "Gnaw"
    page.save()
    reindex(page)
    assert [suggestion.title for suggestion in suggest("gn")] == ["Gnaw"]


def test_deleted_page_is_found_by_nothing(write) -> None:
    page = write("Zebra", "stripes")
    page.deleted_at = timezone.now()
    page.save()
    assert search("stripes").total == 0
    assert suggest("zeb") == []
    reindex(page)
    assert not SearchEntry.objects.exists()
    assert not SearchName.objects.exists()
    page.deleted_at = None
    page.save()
    reindex(page)
    assert titles(search("stripes")) == ["Zebra"]


def test_hidden_text_is_found_by_nothing(write) -> None:
    page = write("Zebra", "stripes")
    Revision.objects.update(text_hidden=True)
    reindex(page)
    assert search("stripes").total == 0
    assert search("zebra").hits[0].snippet == []


def test_redirect_lends_its_names(write) -> None:
    target = write("Hearts", "A queen.")
    page = write("Black Lady", "#REDIRECT [[Hearts]]")
    page.redirect_to, page.redirect_title = target, "Hearts"
    page.save()
    reindex(page)
    assert titles(search("lady")) == ["Hearts"]
    assert [one.page.title for one in suggest("black")] == ["Hearts"]
    page.redirect_to, page.redirect_title = None, ""
    page.save()
    reindex(page)
    assert titles(search("lady")) == ["Black Lady"]
    assert shown(search("lady").hits[0].title_marked) == "Black [Lady]"


def test_page_that_goes_leaves_nothing_behind(write) -> None:
    page = write("Zebra", "stripes")
    page.delete()
    assert search("stripes").total == 0
    assert suggest("zeb") == []
    assert not SearchEntry.objects.exists()


def test_suggestions_begin_as_it_is_typed(write) -> None:
    name_page(write("Hearts"), "Black Maria")
    write("Heartland of old")
    write("Queen of hearts")
    write("Chess")
    assert [one.title for one in suggest("hea")] == [
        "Hearts",
        "Heartland of old",
        "Queen of hearts",
    ]
    assert [(one.title, one.page.title, one.main) for one in suggest("black m")] == [
        ("Black Maria", "Hearts", False)
    ]
    assert suggest("e") == []
    assert suggest("") == []
    assert len(suggest("h", limit=1)) == 1


def test_suggestions_forgive_a_slip(write) -> None:
    write("Machiavelli")
    relearn()
    assert [one.title for one in suggest("machiaveli")] == ["Machiavelli"]


def test_index_is_made_anew_by_a_command(write, capsys) -> None:
    write("Zebra", "stripes")
    SearchEntry.objects.all().delete()
    SearchName.objects.all().delete()
    assert search("stripes").total == 0
    call_command("reindex_wiki", missing=True)
    assert titles(search("stripes")) == ["Zebra"]
    assert "1 page indexed." in capsys.readouterr().out
    call_command("reindex_wiki", missing=True)
    assert "0 pages indexed." in capsys.readouterr().out
    call_command("reindex_wiki")
    assert titles(search("stripes")) == ["Zebra"]


def test_query_says_what_it_is_read_as() -> None:
    query = read_query('pass "to the left" -king it\'s begin* - "" ( pass')
    assert [row.terms for row in query.wanted] == [
        ("pass",),
        ("to", "the", "left"),
        ("it", "s"),
        ("begin",),
    ]
    assert [row.terms for row in query.unwanted] == [("king",)]
    assert query.typed == 'pass "to the left" it\'s begin* -king'


def test_marker_shows_texts_as_they_stand() -> None:
    marker = Marker(read_query("pass"))
    text = "Passing, pass; trespass <b>pass</b> PASS"
    assert shown(marker.marked(text)) == "[Passing], [pass]; trespass <b>[pass]</b> [PASS]"
    assert "".join(piece for piece, _marked in marker.marked(text)) == text


def test_search_page_offers_the_page_of_that_name(client: Client, write) -> None:
    name_page(write("Hearts", "queen"), "Black Maria")
    for query in ("hearts", "Black_Maria", "black maria"):
        html = client.get("/wiki/search/", {"q": query}).content.decode()
        assert 'Go to <b lang="en">Hearts</b>' in html, query
        assert "There is no page called" not in html
    html = client.get("/wiki/search/", {"q": "queen"}).content.decode()
    assert "Go to" not in html
    assert "There is no page called" in html


def test_search_page_shows_parts_and_keeps_what_was_asked(client: Client, write) -> None:
    for number in range(45):
        write(f"Page {number}", "zebra")
    write("Seite", "zebra", language="de")
    html = client.get("/wiki/search/?q=zebra&language=en&page=2").content.decode()
    assert "45 pages with all" in html
    assert "21–40 of 45" in html
    assert "?q=zebra&amp;language=en&amp;page=3" in html
    assert '<ol class="rows hits" start="21">' in html
    for page in ("99", "x", "-1", "0", "1" * 400, "٣"):
        assert client.get("/wiki/search/", {"q": "zebra", "page": page}).status_code == 200


def test_search_page_says_what_it_did(client: Client, write) -> None:
    write("Machiavelli", "Rummy with a queen.")
    relearn()

    def told(query: str) -> str:
        return client.get("/wiki/search/", {"q": query}).content.decode()

    assert "<b>machiavelli</b>, which may be meant" in told("machiaveli")
    assert "1 page has words that begin so" in told("mach")
    assert "1 page has some of them" in told("queen unicorn")
    assert "No page has all of these words." in told("unicorn")
    assert "Name a word to look for" in told("-queen")
    assert "There is no letter and no digit" in told("(!)")
    assert "Only the beginning" in told("queen " * 100)
    assert "words in a row" in told("")


def test_search_page_escapes_what_was_typed_and_found(client: Client, write) -> None:
    write("A <b>zebra</b>", "a zebra <script>alert(1)</script> &lt;i&gt;")
    html = client.get("/wiki/search/", {"q": "zebra <script>"}).content.decode()
    assert "<script>alert" not in html
    assert "A &lt;b&gt;<mark>zebra</mark>&lt;/b&gt;" in html


def test_suggestions_are_told_as_json(client: Client, write) -> None:
    name_page(write("Hearts"), "Black Maria")
    answer = client.get("/wiki/search/suggest/", {"q": "bla"})
    assert answer.json() == {
        "query": "bla",
        "suggestions": [
            {"title": "Black Maria", "page": "Hearts", "language": "en", "url": "/wiki/hearts/"}
        ],
    }


def test_name_of_a_page_is_taken_for_no_slip(client: Client, write) -> None:
    write("Linker", "See that.")
    for number in range(3):
        write(f"Page {number}", "The linked like it.")
        write(f"Other {number}", "Linked.")
    relearn()
    assert search("Linker").suggestion == "linked"
    html = client.get("/wiki/search/", {"q": "Linker"}).content.decode()
    assert "Go to <b" in html
    assert "Did you mean" not in html


def test_page_that_is_not_there_shows_what_may_be_meant(client: Client, write) -> None:
    write("Machiavelli", "Rummy.")
    relearn()
    html = client.get("/wiki/machiaveli/").content.decode()
    assert "Pages about “machiavelli”, which may be meant" in html
    assert ">Machiavelli</a>" in html or "<mark>Machiavelli</mark></a>" in html


def test_imported_page_is_found_by_its_display_title(write) -> None:
    page = write("Verso", "Cards.")
    name_page(page, "Gamehelpverso")
    hit = search("gamehelpverso").hits[0]
    assert (hit.page.title, shown(hit.name_marked)) == ("Verso", "[Gamehelpverso]")
    assert titles(search("verso")) == ["Verso"]


@pytest.mark.parametrize("query", ["zzzzq xxxxw vvvvp", "machiaveli rumy", "queen"])
def test_search_page_asks_few_questions(
    client: Client, write, query: str, django_assert_max_num_queries
) -> None:
    write("Machiavelli", "Rummy with a queen.")
    relearn()
    with django_assert_max_num_queries(10):  # two more tell who is asking
        client.get("/wiki/search/", {"q": query})


def test_snippet_is_what_one_reads_on_the_page(write) -> None:
    text = "A &lt;b&gt; &#123;&#123;x}} <i>and</i> ~~old~~ __new__ _words_ of snake_case[^1].\n\n[^1]: Foot\n"
    write("Marks", text)
    assert shown(search("marks").hits[0].snippet) == (
        "A <b> {{x}} and old new words of snake_case. Foot"
    )


def found_by(client: Client, query: str) -> list[str]:
    """Titles of the hits of the page of results."""
    answer = client.get("/wiki/search/", {"q": query})
    return [hit.page.title for hit in answer.context["results"].hits]


def test_search_follows_a_renamed_page(as_ada: Client, hearts: Page) -> None:
    sent = {"title": "The queen's game", "seen": "Hearts", "redirect": "1"}
    assert as_ada.post("/wiki/hearts/rename/", sent).status_code == 302
    assert found_by(as_ada, "queen's game") == ["The queen's game"]
    answer = as_ada.get("/wiki/search/", {"q": "hearts"})
    assert shown(answer.context["results"].hits[0].name_marked) == "[Hearts]"
    assert as_ada.get("/wiki/search/suggest/", {"q": "the que"}).json()["suggestions"][0][
        "url"
    ] == ("/wiki/the-queen-s-game/")


def test_search_loses_a_deleted_page_and_finds_it_when_it_is_back(hearts: Page) -> None:
    admin = User.objects.create_user("Root", password="pass", is_staff=True)
    client = Client()
    client.force_login(admin)
    delete_page(page_id=hearts.pk, reason="Spam", person=admin)
    assert found_by(client, "thirteen") == []
    assert client.get("/wiki/search/suggest/", {"q": "hea"}).json()["suggestions"] == []
    assert not SearchEntry.objects.filter(page=hearts).exists()
    undelete_page(page_id=hearts.pk, reason="It was none", person=admin)
    assert found_by(client, "thirteen") == ["Hearts"]


def test_redirect_that_somebody_writes_lends_its_names(as_ada: Client, hearts: Page, save) -> None:
    save("#REDIRECT [[Hearts]]", title="Black Lady")
    assert found_by(as_ada, "lady") == ["Hearts"]
    save("A game of its own.", title="Black Lady")
    assert found_by(as_ada, "lady") == ["Black Lady"]


def test_imported_title_is_found_without_its_prefix(db: None, tmp_path: Path) -> None:
    file = tmp_path / "feed.txt"
    file.write_text(feed(entry("Gamehelpverso", "2024-12-06T23:05:48Z", text="Two *faces*.")))
    store(read_file(file))
    hit = search("verso").hits[0]
    assert (shown(hit.title_marked), shown(hit.snippet)) == ("[Verso]", "Two faces.")
    assert titles(search("gamehelpverso faces")) == ["Verso"]


@pytest.mark.skipif(connection.vendor != "postgresql", reason="an extension of PostgreSQL")
def test_search_works_without_the_extension_and_says_what_to_do(write, monkeypatch) -> None:
    write("Machiavelli", "Rummy.")
    relearn()
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
    assert search("machiaveli").suggestion == "machiavelli"
    monkeypatch.setattr(postgresql, "TRIGRAMS", ["CREATE EXTENSION not_there"])
    assert "CREATE EXTENSION pg_trgm" in make_trigram_index()
    assert search("machiaveli").suggestion == "machiavelli"
