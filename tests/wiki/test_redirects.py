"""Pages that only lead on: written, read, come to, mended."""

import pytest
from django.core.management import call_command
from django.test import Client

from portal.models import User
from tests.wiki.conftest import HEARTS
from tests.wiki.test_files import add, encoded, media  # noqa: F401
from wiki.models import Page, PageGroup, Revision
from wiki.redirects import WORDS, redirect_of
from wiki.services.edit import name_page
from wiki.services.rename import rename
from wiki.services.watch import watch

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("word", WORDS.split())
def test_every_language_s_word_makes_a_redirect(word: str) -> None:
    assert redirect_of(f"#{word} [[Hearts]]") == "Hearts"
    assert redirect_of(f"\n#{word.lower()}: [[ Hearts#Goal |x]]\nrest") == "Hearts#Goal"


@pytest.mark.parametrize(
    "text",
    [
        "See #REDIRECT [[Hearts]]",
        "#REDIRECT Hearts",
        "#REDIRECT [[]]",
        "#REDIRECT [[#Goal]]",
        "#REDIRECTED [[Hearts]]",
        "# REDIRECT [[Hearts]]",
        "Text\n#REDIRECT [[Hearts]]",
        "",
    ],
)
def test_other_texts_make_none(text: str) -> None:
    assert redirect_of(text) == ""


def test_reading_goes_on_to_the_target_and_says_from_where(client: Client, hearts, save) -> None:
    row = save("#REDIRECT [[hearts]]", title="Herz")
    assert row.summary == "Redirected page to [[hearts]]"
    page = row.page
    page.refresh_from_db()
    assert (page.redirect_title, page.redirect_to) == ("hearts", hearts)
    answer = client.get("/wiki/herz/", follow=True)
    assert answer.redirect_chain == [("/wiki/hearts/?from=Herz", 302)]
    html = answer.content.decode()
    assert "Redirected from <b>" in html
    assert 'href="/wiki/herz/?redirect=no"' in html
    itself = client.get("/wiki/herz/?redirect=no").content.decode()
    assert 'data-redirect="plain"' in itself
    assert '<a class="wiki-link" href="/wiki/hearts/">hearts</a>' in itself
    for address in ("history/", "edit/", "source/"):
        assert client.get(f"/wiki/herz/{address}").status_code == 200
    assert client.get(f"/wiki/herz/?rev={row.pk}").status_code == 200


def test_redirect_leads_to_its_section(client: Client, hearts: Page, save) -> None:
    save("#REDIRECT [[Hearts#The scoring]]", title="Points")
    assert client.get("/wiki/points/").url == "/wiki/hearts/?from=Points#s-the-scoring"


def test_note_says_nothing_that_is_not_so(client: Client, hearts: Page, save) -> None:
    save("Another page.", title="Spades")
    html = client.get("/wiki/hearts/?from=Spades").content.decode()
    assert "Redirected from" not in html
    assert client.get("/wiki/hearts/?from=%3Cb%3E").status_code == 200


def test_never_through_more_than_one(client: Client, hearts: Page, save) -> None:
    save("#REDIRECT [[Hearts]]", title="Herz")
    save("#REDIRECT [[Herz]]", title="Herzeln")
    answer = client.get("/wiki/herzeln/", follow=True)
    assert answer.redirect_chain == [("/wiki/herz/?from=Herzeln", 302)]
    html = answer.content.decode()
    assert 'data-redirect="double"' in html
    assert 'Go on to <a href="/wiki/hearts/">Hearts</a>' in html
    assert client.get("/wiki/herz/").url == "/wiki/hearts/?from=Herz"


@pytest.mark.parametrize("other", ["Herz", "Cœur"])
def test_circle_says_so(client: Client, save, other: str) -> None:
    save(f"#REDIRECT [[{other}]]", title="Herz")
    if other != "Herz":
        save("#REDIRECT [[Herz]]", title=other)
    answer = client.get("/wiki/herz/", follow=True)
    assert len(answer.redirect_chain) <= 1
    assert 'data-redirect="loop"' in answer.content.decode()


def test_broken_redirect_is_read_itself_and_heals(client: Client, save) -> None:
    save("#REDIRECT [[Hearts]]", title="Herz")
    html = client.get("/wiki/herz/").content.decode()
    assert 'data-redirect="broken"' in html
    hearts = save("Here.", title="Hearts").page
    assert Page.objects.get(title="Herz").redirect_to == hearts
    assert client.get("/wiki/herz/").status_code == 302
    save("No redirect any more.", title="Herz")
    herz = Page.objects.get(title="Herz")
    assert (herz.redirect_title, herz.redirect_to) == ("", None)
    assert client.get("/wiki/herz/").status_code == 200


def test_redirect_follows_a_rename(client: Client, ada, hearts: Page, save) -> None:
    save("#REDIRECT [[Hearts]]", title="Herz")
    rename(page_id=hearts.pk, title="Black lady", author=ada, seen="Hearts", redirect=False)
    save("Of the organ.", title="Hearts")
    assert client.get("/wiki/herz/").url == "/wiki/black-lady/?from=Herz"


def test_who_saved_a_redirect_sees_it_itself(as_ada: Client, hearts: Page) -> None:
    sent = {"text": "#REDIRECT [[Hearts]]", "title": "Herz", "action": "save"}
    answer = as_ada.post("/wiki/herz/edit/", sent, follow=True)
    assert answer.redirect_chain == [("/wiki/herz/", 302)]
    assert 'data-redirect="plain"' in answer.content.decode()
    assert as_ada.get("/wiki/herz/").status_code == 302


def test_hostile_target_is_escaped(client: Client, save) -> None:
    save('#REDIRECT [[A"onload=x&lt;b&gt;\'#"z]]', title="Herz")
    html = client.get("/wiki/herz/").content.decode()
    assert 'data-redirect="broken"' in html
    assert "<b>" not in html[html.index("<article") : html.index("</article")]
    assert 'onload=x"' not in html


def test_imported_redirect_redirects(client: Client, hearts: Page, tmp_path) -> None:
    file = tmp_path / "page.txt"
    file.write_text("#WEITERLEITUNG [[Hearts]]\n")
    call_command("import_wiki", str(file), title="Herz", language="de", verbosity=0)
    assert client.get("/wiki/herz/").url == "/wiki/hearts/?from=Herz"


def test_redirected_reader_costs_few_queries_at_the_first_read(
    as_ada: Client,
    ada: User,
    bob: User,
    hearts: Page,
    save,
    media,  # noqa: F811
    django_assert_max_num_queries,
) -> None:
    add(bob, encoded())
    name_page(hearts, "Black Maria")
    save("#REDIRECT [[Hearts]]", title="Dame")
    save("[[Hearts]] [[Category:Cards]]", title="Other")
    group = PageGroup.objects.create()
    Page.objects.filter(title__in=["Hearts", "Other"]).update(group=group)
    Page.objects.filter(pk=hearts.pk).update(game="hearts")
    Page.objects.create(title="Talk:Hearts", slug="talk-hearts", namespace="talk", subject=hearts)
    save(HEARTS + "[[Other]] [[Nowhere]] ![x](file:Board.png) [[Category:Cards]]")
    watch(page=hearts, user=ada)
    as_ada.get("/wiki/other/?from=x")  # asks once what kind of database it is
    for name in ("", "Black Maria", "Dame"):
        ada.wiki_watches.update(seen=0)  # it is new to her,
        Revision.objects.update(renderer_version="")  # and nobody has read it yet
        with django_assert_max_num_queries(12):
            html = as_ada.get("/wiki/hearts/", {"from": name}).content.decode()
        assert "2 revisions" in html
        assert ("Redirected from" in html) == bool(name)
        assert name in html
