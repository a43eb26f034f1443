"""Who may edit a page: set by moderators on the page itself, told in its history, held to."""

import re
from datetime import timedelta

import pytest
from django.contrib.auth.models import Group, Permission
from django.test import Client
from django.utils import timezone

from portal.models import User
from tests.wiki.conftest import HEARTS, hidden
from wiki.errors import WikiError
from wiki.models import Page, Revision
from wiki.services import load_page, renumber
from wiki.services.rights import refuse_unless_renamer

pytestmark = pytest.mark.django_db
PROTECT, EDIT = "/wiki/hearts/protect/", "/wiki/hearts/edit/"
WHY = {"span": "week", "reason": "A quarrel about the queen"}


@pytest.fixture
def as_mod(db: None) -> Client:
    """A moderator by a group's permission, who is no staff."""
    group = Group.objects.create(name="Moderators")
    group.permissions.add(Permission.objects.get(codename="protect_page"))
    mod = User.objects.create_user("Mo", password="pass")
    mod.groups.add(group)
    client = Client()
    client.force_login(mod)
    return client


def save_as(client: Client, page: Page, text: str, **more: object) -> int:
    page.refresh_from_db()
    sent = {"text": text, "base": page.current_id, "action": "save", **more}
    return client.post(EDIT, sent).status_code


def test_moderator_protects_and_the_history_tells_of_it(
    as_mod: Client, as_ada: Client, hearts: Page
) -> None:
    assert as_mod.post(PROTECT, {"level": "staff", **WHY})["Location"] == PROTECT
    hearts.refresh_from_db()
    until = hearts.protected_until
    assert timedelta(days=6) < until - timezone.now() <= timedelta(days=7)
    row = hearts.revisions.latest("number")
    assert (row.event, row.text, row.delta) == ("protection", HEARTS, 0)
    assert row.summary.startswith("Only moderators may edit until ")
    assert row.summary.endswith(" UTC: A quarrel about the queen")
    told = as_ada.get("/wiki/hearts/history/").content.decode()
    assert "A quarrel about the queen" in told
    assert f"?undo={row.pk}" not in told  # there is nothing to undo in it
    assert f'value="{row.pk}" aria-label' in told
    assert not re.search(rf'value="{row.pk}"[^>]* checked', told)  # nor to compare with
    assert ">Protected</span>" in told
    read = as_ada.get(PROTECT).content.decode()
    assert "Only moderators may edit." in read
    assert 'name="level"' not in read


def test_only_moderators_protect(client: Client, as_ada: Client, hearts: Page) -> None:
    for visitor in (client, as_ada):
        answer = visitor.post(PROTECT, {"level": "staff", **WHY})
        assert answer.status_code == 403
        assert "Only moderators may protect a page." in answer.content.decode()
    hearts.refresh_from_db()
    assert (hearts.level, hearts.revisions.count()) == ("open", 1)


@pytest.mark.parametrize(
    ("sent", "code"),
    [
        ({"level": "none", **WHY}, "bad_level"),
        ({**WHY}, "bad_level"),
        ({"level": "staff", "span": "eternity", "reason": "x"}, "bad_span"),
        ({"level": "staff", "span": "week", "reason": " \x00"}, "no_reason"),
        ({"level": "staff", "span": "week", "reason": "x" * 301}, "long_reason"),
        ({"level": "open", **WHY}, "unchanged"),
    ],
)
def test_wrong_protection_is_refused_in_words(
    as_mod: Client, hearts: Page, sent: dict[str, str], code: str
) -> None:
    answer = as_mod.post(PROTECT, sent)
    assert answer.status_code in (400, 409)
    assert f'data-code="{code}"' in answer.content.decode()
    assert hearts.revisions.count() == 1


def test_levels_let_the_right_people_through(
    client: Client, as_ada: Client, as_mod: Client, ada: User, hearts: Page, save
) -> None:
    for level, guest, young, old in (
        ("open", 302, 302, 302),
        ("accounts", 403, 302, 302),
        ("established", 403, 403, 302),
        ("staff", 403, 403, 403),
    ):
        Page.objects.update(protection=level)
        User.objects.filter(pk=ada.pk).update(date_joined=timezone.now())
        allowed = [save_as(Client(), hearts, f"guest {level}", action="guest")]
        allowed.append(save_as(as_ada, hearts, f"young {level}"))
        while Revision.objects.filter(author=ada).count() < 10:
            Page.objects.update(protection="open")
            save(f"{Revision.objects.count()}\n")
        Page.objects.update(protection=level)
        User.objects.filter(pk=ada.pk).update(date_joined=timezone.now() - timedelta(days=5))
        allowed.append(save_as(as_ada, hearts, f"old {level}"))
        assert allowed == [guest, young, old], level
        assert save_as(as_mod, hearts, f"mod {level}") == 302


def test_protection_ends_by_itself(as_ada: Client, hearts: Page) -> None:
    Page.objects.update(protection="staff", protected_until=timezone.now() + timedelta(hours=1))
    assert save_as(as_ada, hearts, "Not yet.") == 403
    Page.objects.update(protected_until=timezone.now() - timedelta(seconds=1))
    assert save_as(as_ada, hearts, "Now.") == 302
    assert "Everybody may edit." in as_ada.get(PROTECT).content.decode()


def test_protected_page_shows_its_source_and_the_reason(client: Client, hearts: Page) -> None:
    Page.objects.update(protection="accounts", protection_reason="<b>Spam</b>")
    for address in (EDIT, f"{EDIT}?section=2"):
        answer = client.get(address)
        html = answer.content.decode()
        assert answer.status_code == 403
        assert "Only people with an account may edit this page." in html
        assert "The reason given: “&lt;b&gt;Spam&lt;/b&gt;”." in html
        assert "readonly" in html
        assert "Take few points" in html
        assert "Save page" not in html
    assert "/accounts/login/?next=/wiki/hearts/edit/" in html


def test_page_protected_while_one_writes_gives_the_text_back(
    as_ada: Client, as_mod: Client, hearts: Page
) -> None:
    html = as_ada.get(EDIT).content.decode()
    as_mod.post(PROTECT, {"level": "staff", **WHY})
    sent = {"text": "My precious words", "base": hidden(html, "base"), "summary": "why"}
    answer = as_ada.post(EDIT, sent)
    assert answer.status_code == 403
    for words in ("Only moderators may edit this page.", "My precious words", 'value="why"'):
        assert words in answer.content.decode()
    first = hearts.revisions.order_by("number").first()
    reverted = as_ada.post(f"/wiki/hearts/revert/{first.pk}/", {"current": first.pk})
    assert reverted.status_code == 403


def test_protection_put_between_is_no_conflict(
    as_ada: Client, as_mod: Client, hearts: Page
) -> None:
    base = hearts.current_id
    as_mod.post(PROTECT, {"level": "accounts", **WHY})
    sent = {"text": HEARTS.replace("few", "no"), "base": base}
    html = as_ada.post(EDIT, sent, follow=True).content.decode()
    assert "Saved." in html
    assert "together with what others" not in html


def test_page_that_went_while_one_writes_gives_the_text_back(as_ada: Client, hearts: Page) -> None:
    html = as_ada.get(EDIT).content.decode()
    sent = {"text": "My precious words", "base": hidden(html, "base"), "title": "Hearts"}
    hearts.delete()
    answer = as_ada.post(EDIT, sent)
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "This page is not there any more." in html
    assert "My precious words" in html
    assert hidden(html, "base") == ""
    again = {"text": "My precious words", "base": "", "title": "Hearts"}
    assert as_ada.post(EDIT, again).status_code == 302


def test_page_without_a_text_can_be_protected(as_mod: Client, hearts: Page) -> None:
    hearts.revisions.update(text_state="missing", text="")
    Page.objects.update(current=None)
    assert as_mod.post(PROTECT, {"level": "staff", **WHY}).status_code == 302
    hearts.refresh_from_db()
    row = hearts.revisions.latest("number")
    assert (hearts.current, row.text_state, row.delta) == (None, "missing", None)
    assert as_mod.get("/wiki/hearts/").status_code == 200


def test_protected_help_page_is_still_brought_up_to_date(as_mod: Client) -> None:
    load_page(slug="hearts", title="Hearts", text="Shipped.", game="hearts")
    as_mod.post(PROTECT, {"level": "staff", **WHY})
    load_page(slug="hearts", title="Hearts", text="Shipped anew.", game="hearts")
    page = Page.objects.get()
    assert page.current.text == "Shipped anew.\n"
    assert page.level == "staff"


def test_text_kept_while_one_logged_in_is_shown_though_the_page_is_protected(
    client: Client, ada: User, hearts: Page
) -> None:
    client.post(EDIT, {"text": "My precious words", "base": hearts.current_id, "action": "login"})
    Page.objects.update(protection="staff")
    client.force_login(ada)
    answer = client.get(EDIT)
    assert answer.status_code == 403
    assert "My precious words" in answer.content.decode()
    assert 'data-code="protected"' in answer.content.decode()
    assert "readonly" in client.get(f"{EDIT}?fresh=1").content.decode()


def test_reverting_a_protected_page_is_refused_before_one_has_typed_why(
    as_ada: Client, hearts: Page, save
) -> None:
    first = hearts.current_id
    save("Other.\n")
    Page.objects.update(protection="staff")
    answer = as_ada.get(f"/wiki/hearts/revert/{first}/")
    assert answer.status_code == 403
    assert 'data-code="protected"' in answer.content.decode()


def test_rows_that_only_tell_count_no_bytes(as_mod: Client, hearts: Page, save) -> None:
    as_mod.post(PROTECT, {"level": "accounts", **WHY})
    save(HEARTS + "More.\n")
    assert [row.delta for row in hearts.revisions.order_by("number")] == [len(HEARTS), 0, 6]
    hearts.revisions.filter(number=1).update(size=len(HEARTS) - 10)
    renumber(hearts)
    assert [row.delta for row in hearts.revisions.order_by("number")] == [len(HEARTS) - 10, 0, 16]


def test_admin_shows_the_protection_and_leaves_it_to_the_page(
    as_ada: Client, ada: User, hearts: Page
) -> None:
    User.objects.filter(pk=ada.pk).update(is_staff=True, is_superuser=True)
    address = f"/admin/wiki/page/{hearts.pk}/change/"
    assert "Everybody may edit" in as_ada.get(address).content.decode()
    assert as_ada.post(address, {"protection": "staff"}).status_code == 403
    hearts.refresh_from_db()
    assert hearts.level == "open"


def test_renaming_is_protected_by_itself(
    as_mod: Client, as_ada: Client, ada: User, hearts: Page
) -> None:
    sent = {"level": "open", "rename_level": "staff", "rename_span": "day", **WHY}
    assert as_mod.post(PROTECT, sent).status_code == 302
    hearts.refresh_from_db()
    assert (hearts.level, hearts.rename_level) == ("open", "staff")
    assert hearts.rename_protected_until - timezone.now() < timedelta(days=1, seconds=1)
    row = hearts.revisions.latest("number")
    assert "Everybody may edit; Only moderators may rename until" in row.summary
    assert save_as(as_ada, hearts, "Mine.\n") == 302
    with pytest.raises(WikiError, match="Only moderators may rename this page"):
        refuse_unless_renamer(hearts, ada)
    assert "Only moderators may rename until" in as_ada.get(PROTECT).content.decode()
    Page.objects.update(rename_protected_until=timezone.now())
    hearts.refresh_from_db()
    refuse_unless_renamer(hearts, ada)


def test_only_admins_protect_for_admins(as_mod: Client, hearts: Page) -> None:
    answer = as_mod.post(PROTECT, {"level": "admins", **WHY})
    assert (answer.status_code, "not_admin" in answer.content.decode()) == (403, True)
    Page.objects.update(protection="admins")
    assert as_mod.post(PROTECT, {"level": "open", **WHY}).status_code == 403
