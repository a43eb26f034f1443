"""Deleting a page, what of it is seen afterwards, and bringing it back."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client

from portal.models import User
from tests.wiki.conftest import HEARTS
from wiki import selectors
from wiki.files import reading
from wiki.models import LogEntry, Page, PageName, Revision
from wiki.services import load_page
from wiki.services.edit import create_page, name_page
from wiki.services.history import append_revision
from wiki.services.watch import watch

pytestmark = pytest.mark.django_db
DELETE, WHY = "/wiki/hearts/delete/", {"reason": "Spam & <b>"}


@pytest.fixture
def as_mo(db: None) -> Client:
    person = User.objects.create_user("Mo", password="pass")
    codes = ["protect_page", "remove_page"]
    person.user_permissions.add(*Permission.objects.filter(codename__in=codes))
    client = Client()
    client.force_login(person)
    return client


@pytest.fixture
def gone(hearts: Page, as_mo: Client) -> Page:
    name_page(hearts, "Herzeln")
    assert as_mo.post(DELETE, WHY).status_code == 302
    return Page.everything.get(pk=hearts.pk)


def test_deleted_page_says_who_when_and_why(client: Client, as_mo: Client, gone: Page) -> None:
    answer = client.get("/wiki/hearts/")
    said = answer.content.decode()
    assert answer.status_code == 410
    assert 'data-code="page_deleted"' in said
    assert ">Mo</a>" in said
    assert "Spam &amp; &lt;b&gt;" in said
    assert "Write it anew" in said
    assert "bring it back" not in said
    assert f"/wiki/reports/deleted/{gone.pk}/" in as_mo.get("/wiki/hearts/").content.decode()
    entry = LogEntry.objects.get()
    assert (entry.kind, entry.title, entry.reason) == ("delete", "Hearts", "Spam & <b>")


@pytest.mark.parametrize("rest", ["history/", "source/", "history/feed/", "protect/", "diff/0/{}/"])
def test_no_door_of_a_deleted_page_leads_in(client: Client, gone: Page, rest: str) -> None:
    answer = client.get(f"/wiki/hearts/{rest.format(gone.current_id)}")
    assert answer.status_code == 410
    assert 'data-code="page_deleted"' in answer.content.decode()
    assert "Take few points" not in answer.content.decode()


def test_lists_and_feeds_forget_it(client: Client, as_ada: Client, ada: User, gone: Page) -> None:
    watch(page=gone, user=ada)
    for address in ("/", "/wiki/", "/wiki/changes/", "/wiki/changes/feed/", "/wiki/watchlist/",
                    "/wiki/search/?q=points", "/wiki/contributions/Ada/", "/people/Ada/"):  # fmt: skip
        said = as_ada.get(address).content.decode()
        assert "/wiki/hearts/" not in said, address
        assert "Take few" not in said, address
    assert ada.wiki_watches.count() == 1
    assert not selectors.watches(ada)
    assert client.get("/wiki/contributions/Ada/feed/").status_code == 404


def test_links_to_it_turn_red(client: Client, as_mo: Client, hearts: Page, save) -> None:
    save("See [[Hearts]].\n", title="Nibble")
    assert 'class="wiki-link"' in client.get("/wiki/nibble/").content.decode()
    as_mo.post(DELETE, WHY)
    assert 'class="wiki-link missing"' in client.get("/wiki/nibble/").content.decode()
    as_mo.post(f"/wiki/reports/deleted/{hearts.pk}/", {"reason": "x", "title": "Heart game"})
    assert (
        'class="wiki-link" href="/wiki/heart-game/"' in client.get("/wiki/nibble/").content.decode()
    )


def test_page_comes_back_as_it_was(client: Client, as_mo: Client, ada: User, gone: Page) -> None:
    watch(page=gone, user=ada)
    address = f"/wiki/reports/deleted/{gone.pk}/"
    assert "Take few points" in as_mo.get(address).content.decode()
    assert "Hearts" in as_mo.get("/wiki/reports/deleted/?q=hear").content.decode()
    answer = as_mo.post(address, {"reason": "No spam", "title": "Hearts"})
    assert answer["Location"] == "/wiki/hearts/"
    assert "Take few points" in client.get("/wiki/hearts/").content.decode()
    assert client.get("/wiki/herzeln/")["Location"].startswith("/wiki/hearts/")
    page = Page.objects.get()
    assert (page.deleted_at, page.deleted_reason, page.deleted_names) == (None, "", [])
    events = list(page.revisions.order_by("number").values_list("event", flat=True))
    assert events == ["", "deletion", "undeletion"]
    assert [row.page for row in selectors.watches(ada)] == [page]
    assert set(LogEntry.objects.values_list("kind", flat=True)) == {"delete", "undelete"}


def test_page_comes_back_beside_a_new_one_of_its_name(
    client: Client, as_mo: Client, as_ada: Client, gone: Page
) -> None:
    new = as_ada.post("/wiki/hearts/edit/", {"text": "Anew.\n", "title": "Hearts", "base": ""})
    assert new.status_code == 302
    assert client.get("/wiki/hearts/").status_code == 200
    address = f"/wiki/reports/deleted/{gone.pk}/"
    answer = as_mo.post(address, {"reason": "No spam", "title": "Hearts"})
    assert answer.status_code == 409
    assert 'data-code="title_taken"' in answer.content.decode()
    answer = as_mo.post(address, {"reason": "No spam", "title": "Hearts of old"})
    assert answer["Location"] == "/wiki/hearts-of-old/"
    assert "Anew." in client.get("/wiki/hearts/").content.decode()
    assert client.get("/wiki/herzeln/")["Location"].startswith("/wiki/hearts-of-old/")


def test_talk_page_goes_along(client: Client, as_mo: Client, hearts: Page, ada: User) -> None:
    talk = create_page(title="Talk:Hearts", language="en", namespace="talk")
    Page.objects.filter(pk=talk.pk).update(subject=hearts)
    append_revision(talk, author=ada, author_name="Ada", timestamp=hearts.created_at, summary="",
                    minor=False, text="Is it so?\n")  # fmt: skip
    as_mo.post(DELETE, WHY)
    assert client.get(f"/wiki/{talk.slug}/").status_code == 410
    as_mo.post(f"/wiki/reports/deleted/{hearts.pk}/", {"reason": "x", "title": "Heart game"})
    page = Page.objects.get(pk=talk.pk)
    assert (page.title, page.subject_id) == ("Talk:Heart game", hearts.pk)


def test_talk_page_comes_back_with_its_page_or_after_it(
    client: Client, as_ada: Client, as_mo: Client, hearts: Page
) -> None:
    """Alone it would talk about a page that is not there."""
    as_ada.post("/wiki/hearts/talk/", {"heading": "Why", "text": "Why?"})
    talk = Page.objects.get(namespace="talk")
    its, pages = (f"/wiki/reports/deleted/{page.pk}/" for page in (talk, hearts))
    back = {"reason": "x"}

    as_mo.post(DELETE, WHY)
    said = as_mo.get(its).content.decode()
    assert f'href="{pages}"' in said
    assert "come back together" in said
    assert "Bring it back" not in said
    answer = as_mo.post(its, back)
    assert answer.status_code == 409
    assert 'data-code="subject_deleted"' in answer.content.decode()
    assert "comes back with it" in as_mo.get(pages).content.decode()
    assert as_mo.post(pages, {"reason": "x", "title": "Hearts"}).status_code == 302
    assert client.get(f"/wiki/{talk.slug}/").status_code == 200

    as_mo.post(f"/wiki/{talk.slug}/delete/", WHY)  # before its page
    as_mo.post(DELETE, WHY)
    assert "Bring that page back first." in as_mo.get(its).content.decode()
    assert "comes back with it" not in as_mo.get(pages).content.decode()
    as_mo.post(pages, {"reason": "x", "title": "Heart game"})
    assert client.get(f"/wiki/{talk.slug}/").status_code == 410
    assert 'id="title"' not in as_mo.get(its).content.decode()
    answer = as_mo.post(its, back | {"title": "Talk:Elsewhere"})
    assert answer.status_code == 409
    assert 'data-code="talk_follows"' in answer.content.decode()
    assert as_mo.post(its, back).status_code == 302
    talk.refresh_from_db()
    assert (talk.title, talk.subject_id) == ("Talk:Heart game", hearts.pk)


def test_only_moderators_delete_and_bring_back(
    client: Client, as_ada: Client, as_mo: Client, hearts: Page
) -> None:
    for visitor in (client, as_ada):
        for answer in (visitor.get(DELETE), visitor.post(DELETE, WHY)):
            assert answer.status_code == 403
            assert 'data-code="not_moderator"' in answer.content.decode()
    as_mo.post(DELETE, WHY)
    for visitor in (client, as_ada):
        for address in ("/wiki/reports/deleted/", f"/wiki/reports/deleted/{hearts.pk}/"):
            assert visitor.get(address).status_code == 403
            assert "Take few points" not in visitor.get(address).content.decode()
        visitor.post(f"/wiki/reports/deleted/{hearts.pk}/", {"reason": "x", "title": "Hearts"})
    assert not Page.objects.exists()


def test_refusals_of_moderators(as_mo: Client, gone: Page, save) -> None:
    save("x", title="Nibble")
    answer = as_mo.post("/wiki/nibble/delete/", {"reason": " "})
    assert (answer.status_code, "no_reason" in answer.content.decode()) == (422, True)
    address = f"/wiki/reports/deleted/{gone.pk}/"
    answer = as_mo.post(address, {"reason": "x", "title": "File:Hearts"})
    assert (answer.status_code, "bad_title" in answer.content.decode()) == (422, True)
    assert as_mo.post(DELETE, WHY).status_code == 410
    assert as_mo.get("/wiki/reports/deleted/999999/").status_code == 404


def test_page_of_a_game_is_left_to_admins_and_stays_deleted(client: Client, as_mo: Client) -> None:
    load_page(slug="hearts", title="Hearts", text=HEARTS, game="hearts")
    answer = as_mo.post(DELETE, WHY)
    assert answer.status_code == 403
    assert 'data-code="game_page"' in answer.content.decode()
    User.objects.filter(username="Mo").update(is_staff=True)
    assert as_mo.post(DELETE, WHY).status_code == 302
    load_page(slug="hearts", title="Hearts", text=HEARTS + "More.\n", game="hearts")
    assert client.get("/wiki/hearts/").status_code == 410


def test_text_written_while_the_page_went_is_kept(as_ada: Client, gone: Page) -> None:
    sent = {"text": "My precious words", "base": gone.revisions.first().pk, "title": "Hearts"}
    answer = as_ada.post("/wiki/hearts/edit/", sent)
    assert answer.status_code == 409
    assert "My precious words" in answer.content.decode()
    assert not PageName.objects.exists()


def test_hidden_summary_of_a_deleted_page_stays_so(client: Client, gone: Page) -> None:
    row = Revision.objects.filter(page=gone).first()
    assert client.get(f"/wiki/hearts/?rev={row.pk}").status_code == 410


def test_redirect_to_a_deleted_page_says_so(
    client: Client, as_mo: Client, hearts: Page, save
) -> None:
    save("#REDIRECT [[Hearts]]\n", title="Herzeln")
    assert client.get("/wiki/herzeln/")["Location"].startswith("/wiki/hearts/")
    as_mo.post(DELETE, WHY)
    answer = client.get("/wiki/herzeln/")
    assert answer.status_code == 200
    assert "Take few points" not in answer.content.decode()
    as_mo.post(f"/wiki/reports/deleted/{hearts.pk}/", {"reason": "x", "title": "Hearts"})
    assert client.get("/wiki/herzeln/")["Location"].startswith("/wiki/hearts/")


def test_picture_of_a_deleted_file_is_nobodys(
    client: Client, as_mo: Client, as_ada: Client
) -> None:
    import io

    from django.core.files.uploadedfile import SimpleUploadedFile
    from PIL import Image

    out = io.BytesIO()
    Image.new("RGB", (40, 30), "red").save(out, "PNG")
    sent = {"name": "Red.png", "description": "Red.", "licence": "own"}
    file = SimpleUploadedFile("Red.png", out.getvalue())
    assert as_ada.post("/wiki/files/upload/", {**sent, "file": file}).status_code == 302
    page = Page.objects.get()
    picture = reading.picture_address(page.file_versions.get())
    assert client.get(picture).status_code == 200
    assert as_mo.post(f"/wiki/{page.slug}/delete/", WHY).status_code == 302
    assert client.get(picture).status_code == 404
    assert as_mo.get(picture)["Cache-Control"] == "private, no-store"
    assert "Red.png" not in client.get("/wiki/files/").content.decode()
    assert client.get(f"/wiki/files/{page.slug}/").status_code == 410
    file = SimpleUploadedFile("Red.png", out.getvalue())
    answer = as_ada.post("/wiki/files/upload/", {**sent, "file": file})
    assert 'data-code="was_deleted"' in answer.content.decode()
    assert "Spam &amp; &lt;b&gt;" in answer.content.decode()


def test_no_browser_keeps_what_was_said_of_a_deleted_page(as_mo: Client, hearts: Page) -> None:
    as_mo.post(DELETE, WHY)
    for address in ("/wiki/hearts/", "/wiki/hearts/?action=raw", "/wiki/hearts/history/"):
        gone = as_mo.get(address)
        assert (gone.status_code, gone["Cache-Control"]) == (410, "no-cache"), address


def test_who_writes_a_deleted_page_anew_reads_why_it_went(
    as_mo: Client, as_ada: Client, hearts: Page
) -> None:
    as_mo.post(DELETE, WHY)
    said = as_ada.get("/wiki/hearts/edit/").content.decode()
    assert "was deleted by" in said
    assert "Spam &amp; &lt;b&gt;" in said
    assert "bring it back" not in said
    assert "bring it back" in as_mo.get("/wiki/hearts/edit/").content.decode()


def test_address_of_a_deleted_talk_page_calls_it_by_its_title(
    as_mo: Client, as_ada: Client, hearts: Page
) -> None:
    as_ada.post("/wiki/hearts/talk/", {"heading": "Why", "text": "Why?"})
    as_mo.post("/wiki/talk-hearts/delete/", WHY)
    said = as_ada.get("/wiki/talk-hearts/").content.decode()
    assert "There is no page called <b>Talk:Hearts</b> now" in said
