"""Renaming a page: what follows it, what leads to it, and who may not."""

import re
from html import unescape

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.models import FileVersion, LogEntry, Page, PageName, Revision, SavedDraft
from wiki.services import load_page
from wiki.services import rename as rename_service
from wiki.services.delete import delete_page
from wiki.services.edit import create_page
from wiki.services.hide import set_hidden

pytestmark = pytest.mark.django_db


def rename(client: Client, slug: str, title: str, *, redirect: bool = True, **said: str):
    """Open the form, write the title into it and send it."""
    html = client.get(f"/wiki/{slug}/rename/").content.decode()
    sent = {"title": title, "seen": unescape(hidden(html, "seen")), **said}
    return client.post(f"/wiki/{slug}/rename/", sent | ({"redirect": "1"} if redirect else {}))


def code(response) -> str:
    return re.search(r'data-code="([^"]*)"', response.content.decode())[1]


def test_rename_tells_history_and_log_and_goes_to_the_new_address(
    as_ada: Client, hearts: Page
) -> None:
    answer = rename(as_ada, "hearts", "The queen's game", reason="Its true <name>")
    assert (answer.status_code, answer.url) == (302, "/wiki/the-queen-s-game/")
    html = as_ada.get(answer.url).content.decode()
    assert "“Hearts” is called “The queen&#x27;s game” now." in html
    assert "Pass three cards" in html
    row = hearts.revisions.order_by("-number").first()
    assert (row.event, row.text, row.delta) == ("rename", HEARTS, 0)
    assert row.summary == "Renamed from “Hearts” to “The queen's game”: Its true <name>"
    log = LogEntry.objects.get()
    assert (log.kind, log.title, log.page, log.actor_name) == ("rename", "Hearts", hearts, "Ada")
    assert (log.reason, log.detail) == (
        "Its true <name>",
        {"new": "The queen's game", "redirect": True, "slug": "hearts"},
    )
    history = as_ada.get("/wiki/the-queen-s-game/history/").content.decode()
    assert "Its true &lt;name&gt;" in history
    assert '<span class="chip">renamed</span>' in history


def test_old_title_and_addresses_lead_to_the_page(
    as_ada: Client, client: Client, hearts: Page, old: Revision
) -> None:
    rename(as_ada, "hearts", "Herz")
    answer = client.get("/wiki/hearts/", follow=True)
    assert answer.redirect_chain == [("/wiki/herz/?from=Hearts", 302)]
    assert "Redirected from <b>Hearts</b>" in answer.content.decode()
    for address in ("history/", "history/feed/", "source/", f"diff/0/{old.pk}/", "edit/"):
        assert client.get(f"/wiki/hearts/{address}", follow=True).status_code == 200
    permanent = client.get(f"/wiki/hearts/?rev={old.pk}", follow=True)
    assert permanent.redirect_chain == [(f"/wiki/herz/?rev={old.pk}&from=Hearts", 302)]


def test_address_that_was_not_the_title_s_own_leads_there_too(
    as_ada: Client, client: Client, save
) -> None:
    save("C.", title="C")
    page = create_page(title="C++", language="en")
    assert page.slug == "c-2"
    rename(as_ada, "c-2", "See plus plus")
    assert client.get("/wiki/c-2/").url == "/wiki/see-plus-plus/?from=C%2B%2B"
    assert client.get("/wiki/c/").status_code == 200


def test_links_follow_without_a_redirect_and_though_the_title_is_taken(
    as_ada: Client, client: Client, hearts: Page, save
) -> None:
    save("See [[Hearts#Scoring|them]].", title="Spades")
    rename(as_ada, "hearts", "Herz", redirect=False)
    assert client.get("/wiki/hearts/").status_code == 404
    assert 'href="/wiki/herz/#s-scoring"' in client.get("/wiki/spades/").content.decode()
    save("About the organ.", title="Hearts")
    assert 'href="/wiki/herz/#s-scoring"' in client.get("/wiki/spades/").content.decode()
    save("Still: see [[Hearts#Scoring|them]].", title="Spades")
    assert 'href="/wiki/herz/#s-scoring"' in client.get("/wiki/spades/").content.decode()


def test_page_can_go_back_to_its_old_title_or_change_its_capitals(
    as_ada: Client, client: Client, hearts: Page
) -> None:
    rename(as_ada, "hearts", "Herz")
    assert rename(as_ada, "herz", "Hearts").url == "/wiki/hearts/"
    assert client.get("/wiki/herz/").url == "/wiki/hearts/?from=Herz"
    assert rename(as_ada, "hearts", "hearts").url == "/wiki/hearts/"
    hearts.refresh_from_db()
    assert (hearts.title, hearts.names.get(key="hearts").title) == ("hearts", "hearts")
    assert rename(as_ada, "hearts", "HeartS!").url == "/wiki/hearts/"


def test_wanted_links_get_the_page_that_was_given_their_name(
    as_ada: Client, client: Client, hearts: Page, save
) -> None:
    save("See [[Herz]].", title="Spades")
    rename(as_ada, "hearts", "Herz")
    assert (
        '<a class="wiki-link" href="/wiki/herz/">' in client.get("/wiki/spades/").content.decode()
    )


@pytest.mark.parametrize(
    ("title", "status", "refused"),
    [
        ("Spades", 409, "title_taken"),
        ("spades ", 409, "title_taken"),
        ("Pique", 409, "title_taken"),
        ("Hearts", 409, "unchanged"),
        (" ", 400, "bad_title"),
        ("!!!", 400, "bad_title"),
        ("x" * 256, 400, "bad_title"),
        ("a\x01b", 400, "bad_title"),
        ("File:Hearts.png", 400, "other_namespace"),
        ("Kategorie:Hearts", 400, "other_namespace"),
        ("Talk:Hearts", 400, "other_namespace"),
    ],
)
def test_bad_titles_are_refused_and_come_back(
    as_ada: Client, hearts: Page, save, title: str, status: int, refused: str
) -> None:
    spades = save("Spades.", title="Spades").page
    PageName.objects.create(page=spades, title="Pique", key="pique", slug="pique")
    answer = rename(as_ada, "hearts", title, reason="Because")
    assert (answer.status_code, code(answer)) == (status, refused)
    assert 'value="Because"' in answer.content.decode()
    hearts.refresh_from_db()
    assert (hearts.title, hearts.slug, hearts.revisions.count()) == ("Hearts", "hearts", 1)


def test_title_taken_by_a_redirect_says_where_that_leads(
    as_ada: Client, hearts: Page, save
) -> None:
    spades = save("Spades.", title="Spades").page
    PageName.objects.create(page=spades, title="Pique", key="pique", slug="pique")
    said = rename(as_ada, "hearts", "Pique").content.decode()
    assert "There is a page called “Pique” already, by a redirect to “Spades”." in said


def test_long_reason_is_refused(as_ada: Client, hearts: Page) -> None:
    answer = rename(as_ada, "hearts", "Herz", reason="x" * 501)
    assert (answer.status_code, code(answer)) == (400, "long_summary")


def test_somebody_who_saw_another_title_is_told(as_ada: Client, as_bob: Client, hearts) -> None:
    rename(as_ada, "hearts", "Herz")
    answer = as_bob.post("/wiki/hearts/rename/", {"title": "Cœurs", "seen": "Hearts"})
    assert (answer.status_code, code(answer)) == (409, "stale")
    html = answer.content.decode()
    assert "it is called “Herz” now" in html
    assert 'value="Cœurs"' in html
    sent = {"title": "Cœurs", "seen": hidden(html, "seen"), "redirect": "1"}
    assert as_bob.post("/wiki/herz/rename/", sent).url == "/wiki/c%C5%93urs/"


def test_strangers_and_guests_may_not_rename(client: Client, hearts: Page) -> None:
    for how in (client.get, client.post):
        answer = how("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"})
        assert (answer.status_code, code(answer)) == (403, "who_are_you")
    guest = User.objects.create_user("Guest1", is_guest=True)
    client.force_login(guest)
    for how in (client.get, client.post):
        answer = how("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"})
        assert (answer.status_code, code(answer)) == (403, "guests_may_not")
        assert 'name="title"' not in answer.content.decode()


def test_protection_from_renaming_holds(as_ada: Client, ada: User, hearts: Page) -> None:
    Page.objects.filter(pk=hearts.pk).update(rename_protection=Page.Protection.MODERATORS)
    assert as_ada.get("/wiki/hearts/edit/").status_code == 200
    for how in (as_ada.get, as_ada.post):
        answer = how("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"})
        assert (answer.status_code, code(answer)) == (403, "protected")
    ada.user_permissions.add(Permission.objects.get(codename="rename_page"))
    assert rename(as_ada, "hearts", "Herz").status_code == 302


def test_page_that_one_may_not_edit_cannot_be_renamed(as_ada: Client, hearts: Page) -> None:
    Page.objects.filter(pk=hearts.pk).update(protection=Page.Protection.MODERATORS)
    answer = as_ada.post("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"})
    assert (answer.status_code, code(answer)) == (403, "protected")


def test_page_that_is_deleted_in_this_moment(
    as_ada: Client, hearts: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("wiki.views.naming.existing_page", lambda slug: hearts)
    Page.objects.filter(pk=hearts.pk).update(deleted_at=timezone.now())
    answer = as_ada.post("/wiki/hearts/rename/", {"title": "Herz", "seen": "Hearts"})
    assert (answer.status_code, code(answer)) == (404, "page_gone")


def test_no_page_and_another_method(as_ada: Client, hearts: Page) -> None:
    assert as_ada.get("/wiki/nowhere/rename/").status_code == 404
    assert as_ada.put("/wiki/hearts/rename/").status_code == 405


@pytest.mark.parametrize("redirect", [True, False])
def test_edit_that_began_before_is_saved_to_the_page(
    as_ada: Client, as_bob: Client, hearts: Page, redirect: bool, save
) -> None:
    base = hearts.current_id
    rename(as_ada, "hearts", "Herz", redirect=redirect)
    if not redirect:
        save("About the organ.", title="Hearts")
    sent = {"base": base, "title": "Hearts", "text": f"{HEARTS}\nNew.", "action": "save"}
    answer = as_bob.post("/wiki/hearts/edit/", sent)
    assert (answer.status_code, answer.url) == (302, "/wiki/herz/")
    hearts.refresh_from_db()
    assert hearts.current.text.endswith("New.\n")


@pytest.mark.parametrize("redirect", [True, False])
def test_text_of_who_went_to_log_in_is_there_after_a_rename(
    as_ada: Client, bob: User, hearts: Page, redirect: bool
) -> None:
    stranger, base = Client(), hearts.current_id
    sent = {"text": f"{HEARTS}\nMine.", "base": base, "title": "Hearts", "action": "login"}
    stranger.post("/wiki/hearts/edit/", sent)
    rename(as_ada, "hearts", "Herz", redirect=redirect)
    stranger.force_login(bob)
    answer = stranger.get("/wiki/hearts/edit/", follow=True)
    html = answer.content.decode()
    assert "Mine." in html
    sent |= {"base": hidden(html, "base"), "action": "save"}
    answer = stranger.post(answer.request["PATH_INFO"], sent)
    assert (answer.status_code, answer.url) == (302, "/wiki/herz/")
    hearts.refresh_from_db()
    assert hearts.current.text.endswith("Mine.\n")


def test_saved_drafts_move_along(as_ada: Client, ada: User, bob: User, hearts: Page) -> None:
    for user, slug in ((ada, "hearts"), (bob, "hearts"), (bob, "herz")):
        SavedDraft.objects.create(user=user, slug=slug, text=slug, saved_at=timezone.now())
    rename(as_ada, "hearts", "Herz", redirect=False)
    assert [draft.slug for draft in ada.wiki_drafts.all()] == ["herz"]
    assert sorted(bob.wiki_drafts.values_list("slug", "text")) == [
        ("hearts", "hearts"),
        ("herz", "herz"),
    ]


def test_talk_page_moves_along_and_not_alone(as_ada: Client, client: Client, hearts: Page) -> None:
    talk = create_page(title="Talk:Hearts", language="en")
    Page.objects.filter(pk=talk.pk).update(subject=hearts)
    answer = as_ada.post("/wiki/talk-hearts/rename/", {"title": "Talk:X", "seen": "Talk:Hearts"})
    assert (answer.status_code, code(answer)) == (409, "talk_follows")
    rename(as_ada, "hearts", "Herz")
    talk.refresh_from_db()
    assert (talk.title, talk.slug) == ("Talk:Herz", "talk-herz")
    assert client.get("/wiki/talk-hearts/").url == "/wiki/talk-herz/?from=Talk%3AHearts"
    assert talk.revisions.get().summary == "Renamed from “Talk:Hearts” to “Talk:Herz”"


def test_page_stays_where_its_talk_page_cannot_go(as_ada: Client, hearts: Page, save) -> None:
    talk = create_page(title="Talk:Hearts", language="en")
    Page.objects.filter(pk=talk.pk).update(subject=hearts)
    create_page(title="Talk:Herz", language="en")
    answer = rename(as_ada, "hearts", "Herz")
    assert (answer.status_code, code(answer)) == (409, "title_taken")
    hearts.refresh_from_db()
    assert hearts.title == "Hearts"


def test_file_keeps_its_kind_and_its_pictures_are_shown(
    as_ada: Client, client: Client, ada: User, save
) -> None:
    save("![A board](file:Board.png)", title="Hearts")
    board = create_page(title="File:Board.png", language="en", namespace="file")
    FileVersion.objects.create(
        page=board, number=1, sha256="a" * 64, sent_sha256="b" * 64, kind="png", width=9, height=9,
        size=9, licence="own", uploader=ada, uploader_name="Ada", uploaded_at=timezone.now(),
    )  # fmt: skip
    answer = rename(as_ada, "file-board.png", "Board.jpg")
    assert (answer.status_code, code(answer)) == (422, "wrong_extension")
    assert rename(as_ada, "file-board.png", "Datei:Spread.png", redirect=False).status_code == 302
    board.refresh_from_db()
    assert (board.title, board.slug) == ("File:Spread.png", "file-spread-png")
    html = client.get("/wiki/hearts/").content.decode()
    assert f'src="/wiki/files/picture/{"a" * 64}.png"' in html
    assert "Hearts" in client.get("/wiki/files/file-spread-png/").content.decode()


def test_shipped_text_does_not_undo_a_rename(as_ada: Client, client: Client) -> None:
    shipped = {"slug": "whist", "game": "whist", "title": "Whist", "aliases": ["Gamehelpwhist"]}
    page = load_page(text="One.", **shipped).page
    rename(as_ada, "whist", "Short whist", redirect=False)
    assert load_page(text="One.", **shipped) is None
    page.refresh_from_db()
    assert (page.title, page.slug, page.game) == ("Short whist", "short-whist", "whist")
    assert client.get("/wiki/whist/").status_code == 404
    other = create_page(title="Whist", language="en")
    shipped["aliases"] += ["Whist of old"]
    assert load_page(text="Two.", **shipped).page == page
    names = sorted(page.names.values_list("title", flat=True))
    assert names == ["Gamehelpwhist", "Short whist", "Whist of old"]
    assert Page.objects.filter(game="whist").count() == 1
    assert other.names.count() == 1


def test_new_page_does_not_take_an_address_that_led_elsewhere(
    as_ada: Client, client: Client, hearts: Page, save
) -> None:
    rename(as_ada, "hearts", "Herz")
    assert save("Another.", title="Hearts!").page.slug == "hearts-2"
    assert client.get("/wiki/hearts/").url == "/wiki/herz/?from=Hearts"


def test_address_that_somebody_took_just_now_is_not_taken_again(
    as_ada: Client, hearts: Page, save, monkeypatch: pytest.MonkeyPatch
) -> None:
    save("Spades.", title="Spades")
    free, seen = rename_service.free_slug, ["spades"]  # at first as it was a moment ago
    monkeypatch.setattr(
        rename_service, "free_slug", lambda title, of: seen.pop() if seen else free(title, of)
    )
    assert rename(as_ada, "hearts", "Herz").url == "/wiki/herz/"
    assert hearts.revisions.filter(event="rename").count() == 1


def test_address_that_was_given_up_says_where_the_page_went(
    as_ada: Client, client: Client, ada: User, hearts: Page
) -> None:
    talk = create_page(title="Talk:Hearts", language="en")
    Page.objects.filter(pk=talk.pk).update(subject=hearts)
    rename(as_ada, "hearts", "Herz", redirect=False, reason="The <b>German</b> name")
    rename(as_ada, "herz", "Coeurs")
    said = "“Hearts” was renamed to “Herz” by Ada on "
    for address in ("/wiki/hearts/", "/wiki/Hearts/", "/wiki/hearts/?title=Hearts"):
        answer = client.get(address, follow=True)
        html = answer.content.decode()
        assert answer.status_code == 404
        assert said in html
        assert "UTC: The &lt;b&gt;German&lt;/b&gt; name" in html
        assert re.search('<a href="/wiki/coeurs/"[^>]*>Coeurs</a>', html)
    for below in ("history/", "source/", "?action=raw"):
        answer = client.get(f"/wiki/hearts/{below}")
        assert answer.status_code == 404
        assert said in answer.content.decode()
    assert '<a href="/wiki/talk-coeurs/"' in client.get("/wiki/talk-hearts/").content.decode()
    assert "was renamed" not in client.get("/wiki/hearts-2/").content.decode()
    delete_page(page_id=hearts.pk, reason="x", person=User.objects.create_superuser("Root"))
    assert "was renamed" not in client.get("/wiki/hearts/").content.decode()


def test_title_that_needs_its_words_to_be_found_is_told_too(
    as_ada: Client, client: Client, save
) -> None:
    save("C.", title="C")
    create_page(title="C++", language="en")
    rename(as_ada, "c-2", "See plus plus", redirect=False)
    assert "“C++” was renamed" in client.get("/wiki/c-2/").content.decode()
    assert client.get("/wiki/c/?title=C%2B%2B", follow=True).status_code == 404
    html = client.get("/wiki/c/?title=C%2B%2B", follow=True).content.decode()
    assert "“C++” was renamed to “See plus plus”" in html
    assert "was renamed" not in client.get("/wiki/c/").content.decode()


def test_hidden_rename_tells_nothing(as_ada: Client, client: Client, hearts: Page) -> None:
    rename(as_ada, "hearts", "Herz", redirect=False)
    row, root = hearts.revisions.get(event="rename"), User.objects.create_superuser("Root")
    hide = {"revision_id": row.pk, "reason": "x", "person": root}
    set_hidden(parts=["author"], **hide)
    html = client.get("/wiki/hearts/").content.decode()
    assert "“Hearts” was renamed to “Herz” on " in html
    assert "Ada" not in html
    set_hidden(parts=["author", "summary"], **hide)
    for below in ("", "history/"):
        html = client.get(f"/wiki/hearts/{below}").content.decode()
        assert "was renamed" not in html
        assert "Herz" not in html.partition("Pages with")[0].partition("Pages that")[0]
    client.force_login(root)
    assert "“Hearts” was renamed to “Herz” by Ada" in client.get("/wiki/hearts/").content.decode()
