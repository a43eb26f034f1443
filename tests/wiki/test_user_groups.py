"""Groups of the wiki: made by themselves, given by moderators and admins, shown to everybody."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from portal import blocks
from portal.models import User
from wiki.models import LogEntry, Page
from wiki.services.rights import is_established, is_moderator, is_reviewer
from wiki.services.user_groups import GROUPS, make_groups

pytestmark = pytest.mark.django_db
ADDRESS = "/wiki/reports/groups/"


def member(name: str, group: str) -> tuple[User, Client]:
    person = User.objects.create_user(name, password="pass")
    person.groups.add(Group.objects.get(name=group))
    client = Client()
    client.force_login(person)
    return person, client


def put(client: Client, name: str, *groups: str, reason: str = "Trusted & <b>") -> int:
    sent = {"person": name, "group": groups, "reason": reason}
    return client.post(ADDRESS, sent).status_code


def test_groups_are_made_with_what_they_may() -> None:
    for name, codes in GROUPS.items():
        group = Group.objects.get(name=name)
        found = {f"{one.content_type.app_label}.{one.codename}" for one in group.permissions.all()}
        assert found == set(codes)


def test_what_a_site_changed_of_a_group_stays() -> None:
    Group.objects.get(name="reviewer").permissions.clear()
    make_groups()
    assert not Group.objects.get(name="reviewer").permissions.exists()


def test_members_have_the_rights_of_their_group() -> None:
    editor, reviewer, moderator = (
        member(name, name)[0] for name in ("editor", "reviewer", "moderator")
    )
    assert (is_established(editor), is_reviewer(editor)) == (True, False)
    assert (is_reviewer(reviewer), is_moderator(reviewer)) == (True, False)
    assert is_moderator(moderator)


def test_protection_by_group(hearts: Page) -> None:
    clients = [member(name, name)[1] for name in ("editor", "reviewer", "moderator", "admin")]
    for level, allowed in (
        ("established", [302, 302, 302, 302]),
        ("reviewers", [403, 302, 302, 302]),
        ("staff", [403, 403, 302, 302]),
        ("admins", [403, 403, 403, 302]),
    ):
        Page.objects.update(protection=level)
        found = []
        for number, client in enumerate(clients):
            hearts.refresh_from_db()
            sent = {"text": f"{level} {number}", "base": hearts.current_id, "action": "save"}
            found.append(client.post("/wiki/hearts/edit/", sent).status_code)
        assert found == allowed, level


def test_admins_put_people_into_all_groups_and_moderators_into_some(ada: User) -> None:
    _person, as_mod = member("Mo", "moderator")
    _person, as_admin = member("Addy", "admin")
    assert put(as_mod, "ada", "reviewer") == 302
    assert is_reviewer(User.objects.get(pk=ada.pk))
    for group in ("moderator", "admin"):
        assert put(as_mod, "Ada", group) == 403
        assert put(as_admin, "Ada", group) == 302
        assert put(as_mod, "Ada", "editor", group) == 302  # and what is not theirs to give stays
        assert ada.groups.filter(name=group).exists()
    assert put(as_admin, "Ada") == 302
    assert not ada.groups.exists()
    told = Client().get("/wiki/log/?kind=groups&of=Ada").content.decode()
    assert "changed the groups of" in told
    assert "+reviewer" in told
    assert "Trusted &amp; &lt;b&gt;" in told


@pytest.mark.parametrize(
    ("sent", "code", "status"),
    [
        ({"person": "Nobody", "group": "editor", "reason": "x"}, "no_person", 404),
        ({"person": "Guest 1", "group": "editor", "reason": "x"}, "guests_may_not", 422),
        ({"person": "Ada", "group": "king", "reason": "x"}, "bad_group", 422),
        ({"person": "Ada", "group": "editor", "reason": ""}, "no_reason", 422),
        ({"person": "Ada", "reason": "x"}, "unchanged", 409),
    ],
)
def test_wrong_wishes_are_refused_in_words(ada: User, sent: dict, code: str, status: int) -> None:
    User.objects.create(username="Guest 1", is_guest=True)
    _person, client = member("Addy", "admin")
    answer = client.post(ADDRESS, sent)
    assert answer.status_code == status
    assert f'data-code="{code}"' in answer.content.decode()
    assert not LogEntry.objects.exists()


def test_everybody_reads_and_only_moderators_change(client: Client, as_ada: Client) -> None:
    member("Rita", "reviewer")
    for visitor in (client, as_ada):
        said = visitor.get(ADDRESS).content.decode()
        assert "Rita</a>" in said
        assert 'name="group"' not in said
        assert put(visitor, "Ada", "admin") == 403
    for address in ("/people/Rita/", "/wiki/contributions/Rita/"):
        assert "#group-reviewer" in client.get(address).content.decode()


def test_form_is_filled_with_what_somebody_is(ada: User) -> None:
    ada.groups.add(Group.objects.get(name="editor"))
    _person, client = member("Addy", "admin")
    said = client.get(f"{ADDRESS}?person=ada").content.decode()
    assert 'value="editor" checked' in said
    assert 'value="reviewer" checked' not in said
    assert client.get(f"{ADDRESS}?person=nobody").status_code == 404


def test_moderator_who_is_kept_from_writing_has_no_other_power_over_pages(
    client: Client, hearts: Page, save
) -> None:
    mo = User.objects.create_user("Blocked Mo")
    mo.groups.add(Group.objects.get(name="moderator"))
    save("Other.\n")
    first = hearts.revisions.order_by("number").first()
    by = User.objects.create_superuser("Root")
    blocks.block(person=mo, by=by, reason="a stolen account", days=1, wiki_only=True)
    client.force_login(mo)
    for address, sent in (
        ("/wiki/hearts/protect/", {"level": "accounts", "span": "week", "reason": "x"}),
        ("/wiki/hearts/delete/", {"reason": "x"}),
        (f"/wiki/hearts/hide/{first.pk}/", {"part": "text", "reason": "x"}),
        ("/wiki/reports/groups/", {"name": "Ada", "groups": ["editor"], "reason": "x"}),
        ("/wiki/contributions/Ada/revert/", {"page": hearts.pk, "reason": "x"}),
    ):
        answer = client.post(address, sent)
        assert answer.status_code == 403, address
        assert "a stolen account" in answer.content.decode(), address
    hearts.refresh_from_db()
    assert (hearts.protection, hearts.deleted_at) == ("open", None)
    assert not hearts.revisions.filter(text_hidden=True).exists()
