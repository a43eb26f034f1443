"""What the database took back because two did it at once is done again."""

from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import IntegrityError, OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import Client, RequestFactory

from portal.models import User
from tests.wiki.test_files import encoded
from wiki.models import FileVersion
from wiki.services import upload_file
from wiki.services.again import TIMES, again
from wiki.views import files
from wiki.views.door import door

pytestmark = pytest.mark.django_db(transaction=True)


class Cause(Exception):
    def __init__(self, sqlstate: str) -> None:
        self.sqlstate = sqlstate


def taken_back(kind: type[Exception], sqlstate: str) -> Exception:
    error = kind("taken back")
    error.__cause__ = Cause(sqlstate)
    return error


@pytest.mark.parametrize(("kind", "code"), [(OperationalError, "40P01"), (IntegrityError, "23505")])
def test_done_again(kind: type[Exception], code: str) -> None:
    waiting = [taken_back(kind, code), taken_back(kind, code)]

    def work() -> str:
        if waiting:
            raise waiting.pop()
        return "done"

    assert again(work) == "done"


@pytest.mark.parametrize(
    ("error", "times"),
    [(OperationalError("disk full"), 1), (taken_back(OperationalError, "40P01"), TIMES)],
)
def test_not_for_ever_and_not_whatever_it_was(error: Exception, times: int) -> None:
    done = []

    def work() -> None:
        done.append(1)
        raise error

    with pytest.raises(OperationalError):
        again(work)
    assert len(done) == times


def test_page_that_is_asked_again_reads_the_file_again() -> None:
    read: list[bytes] = []

    @door
    def view(request: HttpRequest) -> HttpResponse:
        read.append(request.FILES["file"].read())
        if len(read) == 1:
            raise taken_back(OperationalError, "40P01")
        return HttpResponse("stored")

    sent = {"file": SimpleUploadedFile("a.png", b"bytes")}
    assert view(RequestFactory().post("/", sent)).content == b"stored"
    assert read == [b"bytes", b"bytes"]


def test_upload_that_is_taken_back_is_done_again(
    client: Client, settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MEDIA_ROOT = tmp_path
    client.force_login(User.objects.create_user("Ada"))
    waiting = [taken_back(IntegrityError, "23505")]

    def upload(**asked: object) -> FileVersion:
        if waiting:
            raise waiting.pop()
        return upload_file(**asked)

    monkeypatch.setattr(files, "upload_file", upload)
    sent = {"file": SimpleUploadedFile("a.png", encoded()), "name": "Board.png", "licence": "own"}
    answer = client.post("/wiki/files/upload/", sent | {"description": "The board."})
    assert answer.status_code == 302
    assert FileVersion.objects.count() == 1
