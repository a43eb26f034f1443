"""Uploading pictures by the API: what becomes of them, and the same refusals as through the page."""

import errno
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.utils import timezone

from portal import blocks
from portal.models import User
from tests.wiki.api.conftest import ROOT, Api, refused
from tests.wiki.test_files import FIELDS, NO_PICTURES, WRONG_FIELDS, encoded
from wiki.files import receive, store
from wiki.models import FileVersion, Page, Revision
from wiki.services import hide_file
from wiki.services.delete import delete_page
from wiki.services.uploading import UPLOADS_AN_HOUR

pytestmark = pytest.mark.django_db


def send(api: Api, data: bytes | None, **fields: str) -> HttpResponse:
    file = {} if data is None else {"file": SimpleUploadedFile("board.png", data)}
    return api.form("/files", FIELDS | {"name": "Board.png"} | fields | file)


@pytest.fixture(autouse=True)
def media(settings: Any, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def board(ada_writes: Api) -> Page:
    assert send(ada_writes, encoded()).status_code == 201
    return Page.objects.get(namespace="file")


@pytest.fixture
def moderator(db: None) -> User:
    return User.objects.create_user("Mo", is_staff=True)


def test_a_picture_is_uploaded_and_read_again(ada_writes: Api, anybody: Api, media: Path) -> None:
    answer = send(ada_writes, encoded(), name="", comment="from my table")
    assert answer.status_code == 201
    assert answer["Cache-Control"] == "no-store"
    made = answer.json()
    assert (made["name"], made["current"]["width"], made["current"]["height"]) == (
        "board.png",
        60,
        40,
    )
    assert (made["current"]["uploader"], made["current"]["comment"]) == ("Ada", "from my table")
    assert made == anybody.read("/files/file-board-png")
    assert [path.name for path in media.rglob("*.png")] == [f"{made['current']['sha256']}.png"]
    newest = Revision.objects.latest("pk")
    assert newest.summary == "Uploaded the picture, 60 × 40 pixels: from my table"
    assert newest.text == "The board at the start.\n"


def test_a_new_version_keeps_the_description(bob_writes: Api, board: Page) -> None:
    refused(send(bob_writes, encoded(colour=5)), "name_taken", 409)
    sent = {"new_version": "true", "comment": "greener", "description": ""}
    made = send(bob_writes, encoded(colour=5), **sent).json()
    assert [row["number"] for row in made["versions"]] == [2, 1]
    assert Revision.objects.latest("pk").text == "The board at the start.\n"


@pytest.mark.parametrize(("code", "status", "data"), NO_PICTURES)
def test_what_is_no_picture(ada_writes: Api, code: str, status: int, data: bytes | None) -> None:
    refused(send(ada_writes, data), code, status)
    assert not FileVersion.objects.exists()
    assert not Page.objects.exists()


@pytest.mark.parametrize(("code", "status", "fields"), WRONG_FIELDS)
def test_fields_are_checked(
    ada_writes: Api, code: str, status: int, fields: dict[str, str]
) -> None:
    refused(send(ada_writes, encoded(), **fields), code, status)
    assert not FileVersion.objects.exists()


@pytest.mark.parametrize(
    "fields", [{"new_version": "perhaps"}, {"anyway": "2"}, {"nonsense": "x"}, {"file": "no file"}]
)
def test_fields_of_another_kind(ada_writes: Api, fields: dict[str, str]) -> None:
    code = "no_picture" if "file" in fields else "bad_fields"
    data = None if "file" in fields else encoded()
    error = refused(send(ada_writes, data, **fields), code, 422)
    assert code == "no_picture" or next(iter(fields)) in error["message"]
    assert not FileVersion.objects.exists()


def test_a_source_that_is_too_long(ada_writes: Api) -> None:
    refused(send(ada_writes, encoded(), source="x" * 501), "long_source", 422)


def test_the_same_picture_is_known(bob_writes: Api, board: Page) -> None:
    refused(send(bob_writes, encoded(), name="Second.png"), "duplicate", 409)
    refused(send(bob_writes, encoded(), new_version="true"), "unchanged", 409)
    assert send(bob_writes, encoded(), name="Second.png", anyway="true").status_code == 201


def test_what_moderators_took_away_stays_away(
    bob_writes: Api, board: Page, moderator: User
) -> None:
    hide_file(page_id=board.pk, author=moderator, reason="Not ours.")
    refused(send(bob_writes, encoded(), name="Again.png"), "was_deleted", 403)
    delete_page(page_id=board.pk, reason="Not ours.", person=moderator)
    refused(send(bob_writes, encoded(), name="Again.png"), "was_deleted", 403)


def test_only_who_may_write_uploads(
    anybody: Api, bob: User, token_for: Callable[..., str], moderator: User
) -> None:
    refused(send(anybody, encoded()), "no_token", 401)
    refused(send(Api("nonsense"), encoded()), "bad_token", 401)
    refused(send(Api(token_for(bob, writes=False)), encoded()), "read_only_token", 403)
    token = token_for(bob)
    blocks.block(person=bob, by=moderator, reason="Spam", days=1, wiki_only=True)
    answer = send(Api(token), encoded())
    assert answer.status_code == 403
    assert not FileVersion.objects.exists()


def test_a_protected_file(bob_writes: Api, board: Page) -> None:
    Page.objects.filter(pk=board.pk).update(protection=Page.Protection.MODERATORS)
    refused(send(bob_writes, encoded(colour=5), new_version="true"), "protected", 403)


def test_so_many_an_hour(ada_writes: Api, board: Page) -> None:
    first = board.file_versions.get()
    for number in range(2, UPLOADS_AN_HOUR + 1):
        first.pk, first.number = None, number
        first.save()
    refused(send(ada_writes, encoded(colour=9), name="Other.png"), "slow_down", 429)
    FileVersion.objects.update(uploaded_at=timezone.now() - timedelta(hours=2))
    assert send(ada_writes, encoded(colour=9), name="Other.png").status_code == 201


@pytest.mark.parametrize("place", [(store.os, "fsync"), (receive, "TemporaryFile")])
def test_a_full_disk(
    ada_writes: Api, media: Path, monkeypatch: pytest.MonkeyPatch, place: tuple[Any, str]
) -> None:
    def no_room(*_arguments: object) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(*place, no_room)
    refused(send(ada_writes, encoded()), "disk_full", 507)
    assert not Page.objects.exists()
    assert not [path for path in media.rglob("*") if path.is_file()]


@pytest.mark.parametrize(
    ("kind", "body", "code", "status"),
    [
        ("application/json", b'{"name": "Board.png"}', "not_a_form", 415),
        ("image/png", encoded(), "not_a_form", 415),
        ("application/x-www-form-urlencoded", b"name=Board.png", "not_a_form", 415),
        ("multipart/form-data", b"no boundary", "bad_request", 400),
        ("multipart/form-data; boundary=x", b"--y\r\n\r\n", "no_picture", 422),
    ],
)
def test_what_is_no_form(ada_writes: Api, kind: str, body: bytes, code: str, status: int) -> None:
    client, headers = ada_writes.client, ada_writes.headers
    answer = client.post(f"{ROOT}/files", body, content_type=kind, headers=headers)
    refused(answer, code, status)


def test_a_form_with_too_much_in_it(ada_writes: Api) -> None:
    refused(send(ada_writes, encoded(), description="x" * (9 << 20)), "too_large", 413)
    many = {f"field{number}": "x" for number in range(1_100)}
    refused(send(ada_writes, encoded(), **many), "bad_request", 400)
    assert not FileVersion.objects.exists()
