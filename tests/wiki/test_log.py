"""The public log, by its address."""

import pytest
from django.test import Client
from django.utils import timezone

from portal.models import User
from wiki.models import LogEntry, Page

pytestmark = pytest.mark.django_db


@pytest.fixture
def many(hearts: Page, ada: User) -> None:
    LogEntry.objects.bulk_create(
        LogEntry(
            kind="protect" if number % 2 else "hide",
            at=timezone.now(),
            actor_name="Ada" if number % 3 else "Bob",
            page=hearts,
            title="Hearts",
            reason=f"<i>reason {number}",
        )
        for number in range(60)
    )


def test_log_is_filtered_and_paged(client: Client, many: None) -> None:
    said = client.get("/wiki/log/").content.decode()
    assert "&lt;i&gt;reason 59" in said
    assert "1–50 of 60" in said
    said = client.get("/wiki/log/?kind=hide&by=bob&of=hearts&page=1").content.decode()
    assert said.count("hid something of a version of") == 10
    assert "changed the protection" not in said.replace("<option", "")
    said = client.get("/wiki/log/?page=2").content.decode()
    assert "51–60 of 60" in said


def test_log_says_so_when_it_is_empty(client: Client) -> None:
    assert "Nothing was done yet." in client.get("/wiki/log/").content.decode()
    answer = client.get("/wiki/log/?kind=nonsense&by=x&of=%ff&page=x")
    assert (answer.status_code, "Nothing of this kind." in answer.content.decode()) == (200, True)


def test_page_and_person_lead_to_their_log(client: Client, many: None) -> None:
    assert "/wiki/log/?of=Hearts" in client.get("/wiki/hearts/").content.decode()
    assert "/wiki/log/?by=Ada" in client.get("/wiki/contributions/Ada/").content.decode()
