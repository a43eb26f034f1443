"""Patrol by the API: reviewers read what nobody has looked at, and mark it."""

from collections.abc import Callable

import pytest
from django.contrib.auth.models import Group

from portal.models import User
from tests.wiki.api.conftest import Api, refused
from wiki.models import Page, Revision
from wiki.services.patrol import MOST_AT_ONCE

pytestmark = pytest.mark.django_db


@pytest.fixture
def rita_writes(db: None, token_for: Callable[..., str]) -> Api:
    rita = User.objects.create_user("Rita")
    rita.groups.add(Group.objects.get(name="reviewer"))
    return Api(token_for(rita))


def unpatrolled(api: Api) -> list[int]:
    return [row["id"] for row in api.read("/changes?unpatrolled=true")["items"]]


def test_reviewers_read_and_mark(
    rita_writes: Api, hearts: Page, save: Callable[..., Revision]
) -> None:
    rows = [hearts.current_id, save("Two.\n").pk, save("Three.\n").pk]
    assert unpatrolled(rita_writes) == rows[::-1]
    assert rita_writes.read(f"/revisions/{rows[0]}")["unpatrolled"] is True
    answer = rita_writes.post("/patrol", {"revisions": [rows[0], rows[2], 999_999]})
    assert (answer.status_code, answer.json()) == (200, {"marked": 2})
    assert unpatrolled(rita_writes) == [rows[1]]
    assert rita_writes.read(f"/revisions/{rows[0]}")["unpatrolled"] is False
    row = Revision.objects.get(pk=rows[0])
    assert row.patrolled_by.username == "Rita"
    assert rita_writes.post("/patrol", {"revisions": [rows[0]]}).json() == {"marked": 0}


def test_only_reviewers(
    ada_writes: Api, anybody: Api, hearts: Page, token_for: Callable[..., str]
) -> None:
    sent = {"revisions": [hearts.current_id]}
    refused(anybody.post("/patrol", sent), "no_token", 401)
    refused(ada_writes.post("/patrol", sent), "not_reviewer", 403)
    for api in (anybody, ada_writes):
        refused(api.get("/changes?unpatrolled=true"), "not_reviewer", 403)
        assert api.read("/changes")["items"][0]["unpatrolled"] is None
    rita = User.objects.create_user("Rita")
    rita.groups.add(Group.objects.get(name="reviewer"))
    reads = Api(token_for(rita, writes=False))
    assert unpatrolled(reads) == sent["revisions"]
    refused(reads.post("/patrol", sent), "read_only_token", 403)
    assert hearts.current.patrolled_at is None


@pytest.mark.parametrize(
    "revisions", [[], "1", [0], ["1"], [10**30], None, [1] * (MOST_AT_ONCE + 1), {"a": 1}]
)
def test_what_is_no_list_of_changes(rita_writes: Api, revisions: object) -> None:
    refused(rita_writes.post("/patrol", {"revisions": revisions}), "bad_fields", 422)
