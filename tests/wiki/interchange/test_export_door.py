"""A page as a file, from its page of exports."""

from pathlib import Path

import pytest
from django.test import Client

from tests.wiki.interchange.test_importer import run
from wiki.models import Identity, Page, Revision

pytestmark = pytest.mark.django_db


def test_page_offers_its_forms(client: Client, hearts: Page, old: Revision) -> None:
    html = client.get("/wiki/hearts/export/").content.decode()
    for form in ("history", "current", "markdown"):
        assert f'href="?form={form}"' in html
    assert "2 revisions" in html
    assert "/wiki/hearts/export/" in client.get("/wiki/hearts/").content.decode()


def test_history_can_be_taken_back(client: Client, hearts: Page, old: Revision, write) -> None:
    answer = client.get("/wiki/hearts/export/?form=history")
    assert answer["Content-Type"] == "application/xml; charset=utf-8"
    assert answer["Content-Disposition"] == 'attachment; filename="hearts.xml"'
    path: Path = write(answer.content, "hearts.xml")
    before = list(hearts.revisions.order_by("number").values("pk", "number", "text", "summary"))
    Page.objects.update(current=None)
    Revision.objects.all().delete()
    Page.objects.all().delete()
    assert run(path)["added"] == 2
    there = Page.objects.get().revisions.order_by("number")
    assert list(there.values("pk", "number", "text", "summary")) == before
    assert Identity.objects.count() == 1


def test_current_text(client: Client, hearts: Page, save) -> None:
    save("Another.\n")
    xml = client.get("/wiki/hearts/export/?form=current").content.decode()
    assert (xml.count("<revision "), "Another." in xml) == (1, True)
    text = client.get("/wiki/hearts/export/?form=markdown").content.decode()
    assert text.startswith('---\ntitle: "Hearts"')
    assert text.endswith("---\n\nAnother.\n")


def test_hidden_things_are_left_out(as_ada: Client, ada, hearts: Page, save) -> None:
    save("Secret words.\n", summary="secret summary")
    save("Open words.\n")
    Revision.objects.filter(text__contains="Secret").update(text_hidden=True, summary_hidden=True)
    ada.is_staff = True
    ada.save()
    xml = as_ada.get("/wiki/hearts/export/?form=history").content.decode()
    assert "ecret" not in xml
    assert 'deleted="deleted"' in xml


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("/wiki/hearts/export/?form=pdf", 400, "bad_form"),
        ("/wiki/nowhere/export/", 404, "no_page"),
        ("/wiki/hearts/export/?form=history", 413, "export_too_large"),
    ],
)
def test_refusals(client: Client, hearts: Page, monkeypatch, address, status, code) -> None:
    monkeypatch.setattr("wiki.views.exporting.MOST_BYTES", 10)
    answer = client.get(address)
    assert answer.status_code == status
    assert f'data-code="{code}"' in answer.content.decode()


def test_page_without_text(client: Client, hearts: Page) -> None:
    Page.objects.update(current=None)
    Revision.objects.update(text_state="missing")
    assert b"?form=current" not in client.get("/wiki/hearts/export/").content
    answer = client.get("/wiki/hearts/export/?form=current")
    assert (answer.status_code, b'data-code="no_text"' in answer.content) == (404, True)


def test_large_history_is_told_before(client: Client, hearts: Page, monkeypatch) -> None:
    monkeypatch.setattr("wiki.views.exporting.MOST_BYTES", 10)
    html = client.get("/wiki/hearts/export/").content.decode()
    assert "?form=history" not in html
    assert "too large" in html
