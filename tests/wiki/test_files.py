"""Pictures: uploading through the page, what is refused, file pages, and pages that show them."""

import errno
import io
import os
import re
import time
import zlib
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import timedelta
from functools import partial
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from threading import Barrier
from urllib.parse import urlencode

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.utils import timezone
from django.utils.html import escape
from PIL import Image

from portal.models import User
from portal.people import create_guest
from tests.wiki.conftest import hidden
from wiki import tasks
from wiki.errors import WikiError
from wiki.files import headers, pictures, receive, store
from wiki.files.store import HALF, WHOLE
from wiki.markup import links
from wiki.models import FileVersion, Page, Revision
from wiki.services import edit_page, hide_file, upload_file
from wiki.services.delete import delete_page
from wiki.services.edit import Draft, create_page, name_page
from wiki.services.media import clean_up
from wiki.services.uploading import UPLOADS_AN_HOUR, Upload

pytestmark = pytest.mark.django_db

FIELDS = {"description": "The board at the start.", "licence": "own", "source": "", "comment": ""}


def encoded(
    kind: str = "PNG", size: tuple[int, int] = (60, 40), mode: str = "RGB", **said
) -> bytes:
    """A picture whose pixels differ; ``colour`` makes it another one."""
    colour = said.pop("colour", 0)
    image = Image.linear_gradient("L").resize(size)
    bands = (image, image.point(lambda level: (level + colour) % 256), image)
    out = io.BytesIO()
    Image.merge("RGB", bands).convert(mode).save(out, kind, **said)
    return out.getvalue()


def moving(kind: str, frames: int = 3) -> bytes:
    images = [Image.new("RGBA", (30, 20), (0, 0, 0, 0)) for _ in range(frames)]
    for number, image in enumerate(images):
        image.paste((200, 30, 30, 255), (4 * number, 5, 4 * number + 4, 9))
    out = io.BytesIO()
    images[0].save(
        out, kind, save_all=True, append_images=images[1:], duration=120, loop=0, disposal=2
    )
    return out.getvalue()


class Elements(HTMLParser):
    """The attributes of all elements of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.attributes: list[tuple[str, str | None]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.attributes += attrs

    def values(self, name: str) -> list[str]:
        return [value or "" for key, value in self.attributes if key == name]


def send(client: Client, data: bytes | None, **fields: str):
    file = {} if data is None else {"file": SimpleUploadedFile("board.png", data)}
    return client.post("/wiki/files/upload/", FIELDS | {"name": "Board.png"} | fields | file)


def add(author: User, data: bytes, name: str = "Board.png", **said) -> FileVersion:
    fields = {"description": "A board.", "licence": "own"} | said
    return upload_file(author=author, upload=Upload(name=name, data=data, **fields))


def bytes_at(client: Client, address: str) -> bytes:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content


@pytest.fixture(autouse=True)
def media(settings, tmp_path: Path) -> Path:
    settings.MEDIA_ROOT = tmp_path / "media"
    return settings.MEDIA_ROOT


@pytest.fixture
def board(ada: User) -> Page:
    return add(ada, encoded()).page


# What a picture becomes


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("JPEG", "L"),
        ("JPEG", "RGB"),
        ("JPEG", "CMYK"),
        ("PNG", "1"),
        ("PNG", "P"),
        ("PNG", "LA"),
        ("PNG", "I;16"),
        ("PNG", "RGBA"),
        ("WEBP", "RGBA"),
        ("GIF", "P"),
    ],
)
def test_picture_of_any_mode_is_made_anew_and_has_a_thumbnail(kind: str, mode: str) -> None:
    sent = encoded(kind, (300, 200), "L" if mode == "I;16" else mode)
    if mode == "I;16":
        out = io.BytesIO()
        Image.linear_gradient("L").resize((300, 200)).convert("I;16").save(out, "PNG")
        sent = out.getvalue()
    made = pictures.read_picture(sent)
    assert (made.width, made.height, made.frames) == (300, 200, 1)
    small = Image.open(io.BytesIO(pictures.thumbnail(made.data, made.kind, 120)))
    assert small.size == (120, 80)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_moving_picture_keeps_its_frames_and_times(kind: str) -> None:
    made = pictures.read_picture(moving(kind))
    assert made.frames == 3
    for data in (made.data, pictures.thumbnail(made.data, made.kind, 15)):
        image = Image.open(io.BytesIO(data))
        assert image.n_frames == 3
        image.seek(2)
        image.load()
        assert image.info["duration"] == 120
        assert image.info["loop"] == 0
    image = Image.open(io.BytesIO(made.data))
    image.seek(2)
    assert image.convert("RGBA").getpixel((1, 6))[3] == 0  # the first frame shows through nowhere


def test_picture_is_upright_and_says_nothing_of_camera_place_or_date() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # turned by a quarter
    exif[0x0110] = "Spycam 9"
    exif.get_ifd(0x8825)[1] = "N"
    sent = encoded("JPEG", (60, 40), exif=exif, comment=b"my secret", xmp=b"<x>secret</x>")
    assert b"Spycam" in sent
    made = pictures.read_picture(sent)
    assert (made.width, made.height) == (40, 60)
    image = Image.open(io.BytesIO(made.data))
    assert not image.getexif()
    assert not {"comment", "exif", "xmp", "icc_profile"} & set(image.info)
    assert b"secret" not in made.data


# What is refused, through the page


def cut(data: bytes) -> bytes:
    return data[: len(data) * 2 // 3]


PNG_BOMB = (
    b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"
    + (20_000).to_bytes(4, "big") * 2
    + b"\x08\x02\0\0\0abcd\0\0\0\0IENDabcd"
)


NO_PICTURES = [  # code, status, data
    ("no_picture", 422, None),
    ("empty_file", 422, b""),
    ("not_an_image", 422, b"Hello, I am a text that is called .png"),
    ("not_an_image", 422, b"%PDF-1.7 ..."),
    ("svg_refused", 422, b'<?xml version="1.0"?><!-- x --><svg onload="alert(1)"/>'),
    ("broken_image", 422, cut(encoded("PNG"))),
    ("broken_image", 422, cut(encoded("JPEG"))),
    ("broken_image", 422, cut(encoded("WEBP"))),
    ("broken_image", 422, cut(encoded("GIF"))),
    ("broken_image", 422, encoded("PNG").replace(b"IDAT", b"IDAX")),
    ("broken_image", 422, b"GIF89a/*<svg/onload=alert(1)>*/=alert(1)//;"),
    ("more_than_an_image", 422, encoded("PNG") + b"<script>alert(1)</script>"),
    ("more_than_an_image", 422, encoded("JPEG") + b"PK\x03\x04 an archive"),
    ("more_than_an_image", 422, encoded("WEBP") + b"<?php evil(); ?>"),
    ("more_than_an_image", 422, encoded("GIF") + b"#!/bin/sh"),
    ("wrong_extension", 422, encoded("JPEG")),
    ("too_many_pixels", 422, PNG_BOMB),
    ("too_large", 413, encoded("PNG") + bytes(pictures.MAX_BYTES)),
]


@pytest.mark.parametrize(("code", "status", "data"), NO_PICTURES)
def test_what_is_no_picture_is_refused_and_the_words_come_back(
    as_ada: Client, media: Path, code: str, status: int, data: bytes | None
) -> None:
    words = {"description": "Where <b>all</b> stands.", "source": "Bob & me", "comment": "first"}
    answer = send(as_ada, data, **words, licence="by")
    html = answer.content.decode()
    assert (answer.status_code, re.findall('data-code="(.*?)"', html)) == (status, [code])
    for said in (*words.values(), "Board.png"):
        assert escape(said) in html
    assert '<option value="by" selected>' in html
    assert not Page.objects.filter(namespace="file").exists()
    assert not FileVersion.objects.exists()


def test_upload_form_that_brings_no_file_at_all_is_refused(as_ada: Client, media: Path) -> None:
    words = urlencode(
        {"description": "Where all stands.", "licence": "by", "csrfmiddlewaretoken": "x"}
    )
    answer = as_ada.post(
        "/wiki/files/upload/", words, content_type="application/x-www-form-urlencoded"
    )
    html = answer.content.decode()
    assert (answer.status_code, re.findall('data-code="(.*?)"', html)) == (422, ["no_picture"])
    assert "Where all stands." in html


def test_bombs_are_refused_before_a_pixel_is_decoded(monkeypatch) -> None:
    monkeypatch.setattr(pictures, "opened", lambda *_: pytest.fail("decoded"))
    frames = moving("GIF")
    body = frames.index(b"\x21\xf9")
    many = frames[:body] + frames[body:-1] * 300 + b";"
    for data, code in ((PNG_BOMB, "too_many_pixels"), (many, "too_many_frames")):
        with pytest.raises(WikiError) as refused:
            pictures.read_picture(data)
        assert refused.value.code == code


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF"])
def test_no_damage_breaks_the_reader(kind: str) -> None:
    whole = encoded(kind, (20, 14)) if kind != "GIF" else moving("GIF")
    for place in range(0, len(whole), max(1, len(whole) // 60)):
        for data in (whole[:place], whole[:place] + b"\xff" + whole[place + 1 :]):
            with suppress(WikiError):
                assert pictures.read_picture(data).data


WRONG_FIELDS = [  # code, status, fields
    ("bad_licence", 422, {"licence": ""}),
    ("bad_licence", 422, {"licence": "mine!"}),
    ("no_source", 422, {"licence": "by"}),
    ("no_description", 422, {"description": " \n"}),
    ("bad_name", 422, {"name": "a/b.png"}),
    ("bad_name", 422, {"name": "a<script>.png"}),
    ("bad_title", 400, {"name": "x" * 300 + ".png"}),
    ("wrong_extension", 422, {"name": "Board.jpg"}),
]


@pytest.mark.parametrize(("code", "status", "fields"), WRONG_FIELDS)
def test_fields_are_checked_in_words(as_ada: Client, code: str, status: int, fields) -> None:
    answer = send(as_ada, encoded(), **fields)
    html = answer.content.decode()
    assert (answer.status_code, re.findall('data-code="(.*?)"', html)) == (status, [code])
    assert not FileVersion.objects.exists()


def test_only_accounts_upload(client: Client, ada: User) -> None:
    guest = Client()
    guest.force_login(create_guest(), backend="django.contrib.auth.backends.ModelBackend")
    for visitor, code in ((client, "who_are_you"), (guest, "guests_may_not")):
        for answer in (visitor.get("/wiki/files/upload/"), send(visitor, encoded())):
            assert answer.status_code == 403
            assert f'data-code="{code}"' in answer.content.decode()
        assert FIELDS["description"] in answer.content.decode()
    assert not FileVersion.objects.exists()


def test_ended_session_keeps_the_words(ada: User) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(ada)
    answer = send(strict, encoded(), description="Kept words")
    assert answer.status_code == 403
    assert 'data-code="session_ended"' in answer.content.decode()
    assert "Kept words" in answer.content.decode()


def test_so_many_uploads_an_hour(as_ada: Client, ada: User, board: Page) -> None:
    first = board.file_versions.get()
    for number in range(2, UPLOADS_AN_HOUR + 1):
        first.pk, first.number = None, number
        first.save()
    answer = send(as_ada, encoded(colour=9), name="Other.png")
    assert answer.status_code == 429
    assert 'data-code="slow_down"' in answer.content.decode()
    FileVersion.objects.update(uploaded_at=timezone.now() - timedelta(hours=2))
    assert send(as_ada, encoded(colour=9), name="Other.png").status_code == 302


def test_full_disk_is_told_and_nothing_is_left_behind(
    as_ada: Client, media: Path, monkeypatch
) -> None:
    def no_room(_number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(store.os, "fsync", no_room)
    answer = send(as_ada, encoded(), description="Kept words")
    assert answer.status_code == 507
    html = answer.content.decode()
    assert 'data-code="disk_full"' in html
    assert "Kept words" in html
    assert not Page.objects.exists()
    assert not [path for path in media.rglob("*") if path.is_file()]


def test_full_disk_on_the_way_is_told_too(as_ada: Client, monkeypatch) -> None:
    def no_room() -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(receive, "TemporaryFile", no_room)
    answer = send(as_ada, encoded(), comment="Kept words")
    assert answer.status_code == 507
    assert "Kept words" in answer.content.decode()


# What becomes of it


def test_upload_makes_a_file_page_and_tells_the_history(as_ada: Client, media: Path) -> None:
    answer = send(as_ada, encoded(), comment="from my table", name="")
    assert (answer.status_code, answer["Location"]) == (302, "/wiki/files/file-board-png/")
    html = as_ada.get(answer["Location"]).content.decode()
    for said in ("The board at the start.", "60 × 40 pixels", "My own work", "from my table"):
        assert said in html
    assert "![What it shows](file:board.png)" in html
    version = FileVersion.objects.get()
    assert (version.uploader_name, version.page.title) == ("Ada", "File:board.png")
    assert [path.name for path in media.rglob("*.png")] == [f"{version.sha256}.png"]
    changes = as_ada.get("/wiki/changes/").content.decode()
    assert "Uploaded the picture, 60 × 40 pixels: from my table" in changes
    assert as_ada.get("/wiki/file-board-png/")["Location"] == "/wiki/files/file-board-png/"
    assert as_ada.get("/wiki/files/board-png/")["Location"] == "/wiki/files/file-board-png/"


def test_bytes_stay_the_same_and_cannot_run(client: Client, board: Page) -> None:
    version = board.file_versions.get()
    address = f"/wiki/files/picture/{version.sha256}.png"
    answer = client.get(address)
    assert Image.open(io.BytesIO(answer.content)).size == (60, 40)
    assert answer["Content-Type"] == "image/png"
    assert answer["X-Content-Type-Options"] == "nosniff"
    assert answer["Content-Security-Policy"] == "default-src 'none'; sandbox"
    assert answer["Cache-Control"] == "public, no-cache"
    assert "Vary" not in answer
    assert "Set-Cookie" not in answer
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_thumbnails_have_a_few_widths_and_are_kept(client: Client, ada: User, media: Path) -> None:
    version = add(ada, encoded(size=(500, 300)))
    start = f"/wiki/files/picture/{version.sha256}"
    small = Image.open(io.BytesIO(bytes_at(client, f"{start}-240.png")))
    assert small.size == (240, 144)
    (kept,) = media.glob("thumbs/*/*")
    kept.write_bytes(b"kept")
    assert bytes_at(client, f"{start}-240.png") == b"kept"
    for wrong in ("-241.png", "-99999.png", ".gif", "-240.exe", "/../../x.png"):
        assert client.get(start + wrong).status_code == 404
    assert client.get(f"/wiki/files/picture/{'0' * 64}.png").status_code == 404
    assert len(list(media.glob("thumbs/*/*"))) == 1


def test_name_that_is_taken_and_a_new_version(as_ada: Client, as_bob: Client, board: Page) -> None:
    answer = send(as_bob, encoded(colour=5))
    assert answer.status_code == 409
    assert 'data-code="name_taken"' in answer.content.decode()
    assert send(as_bob, encoded(colour=5), version="1", comment="greener").status_code == 302
    assert [row.number for row in board.file_versions.all()] == [1, 2]
    html = as_bob.get("/wiki/files/file-board-png/").content.decode()
    assert "Uploaded a new version" in as_bob.get("/wiki/file-board-png/history/").content.decode()
    assert "A board." in html  # the description stays
    assert "greener" in html


def test_form_that_is_sent_twice_leads_to_the_picture_twice(ada: User, media: Path) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(ada)
    form = client.get("/wiki/files/upload/").content.decode()
    once = {"csrfmiddlewaretoken": hidden(form, "csrfmiddlewaretoken")}
    for said in ({}, {"version": "1"}):
        picture = encoded(colour=len(said))
        answers = [send(client, picture, **once, **said) for _time in range(2)]
        assert [answer.status_code for answer in answers] == [302, 302], said
        assert answers[0]["Location"] == answers[1]["Location"]
    assert FileVersion.objects.count() == 2
    other = send(client, encoded(colour=7), **once)
    assert (other.status_code, FileVersion.objects.count()) == (409, 2)
    again = {"csrfmiddlewaretoken": hidden(other.content.decode(), "csrfmiddlewaretoken")}
    assert send(client, picture, **again, version="1").status_code == 409  # another form: unchanged


def test_same_picture_is_known_again(as_ada: Client, as_bob: Client, board: Page) -> None:
    answer = send(as_bob, encoded(), name="Second.png")
    html = answer.content.decode()
    assert answer.status_code == 409
    assert "is here already as “Board.png”" in html
    assert send(as_bob, encoded(), version="1").status_code == 409  # unchanged
    assert send(as_bob, encoded(), name="Second.png", anyway="1").status_code == 302
    assert FileVersion.objects.count() == 2


def test_older_picture_is_shown_again(
    as_ada: Client, as_bob: Client, ada: User, board: Page
) -> None:
    old = board.file_versions.get()
    new = add(ada, encoded(colour=5), new_version=True)
    address = f"/wiki/files/file-board-png/revert/{old.pk}/"
    assert as_bob.post(address, {"current": old.pk}).status_code == 409  # saw an older page
    assert Client().post(address, {"current": new.pk}).status_code == 403
    assert as_bob.post(address, {"current": new.pk}).status_code == 302
    assert [row.sha256 for row in board.file_versions.all()] == [old.sha256, new.sha256, old.sha256]
    third = board.file_versions.get(number=3)
    assert as_bob.post(address, {"current": third.pk}).status_code == 409  # unchanged


@pytest.mark.parametrize("part", ["", "-240"])
def test_browser_that_kept_a_picture_learns_that_it_is_hidden(
    client: Client, ada: User, media: Path, part: str
) -> None:
    version = add(ada, encoded(size=(500, 300)))
    address = f"/wiki/files/picture/{version.sha256}{part}.png"
    kept = client.get(address)
    assert kept["Cache-Control"] == "public, no-cache"  # so every browser asks with this tag
    asking = {"If-None-Match": kept["ETag"]}
    assert client.get(address, headers=asking).status_code == 304
    boss = User.objects.create_superuser("Boss")
    hide = {"page_id": version.page_id, "author": boss, "reason": "Not free"}
    hide_file(**hide)
    gone = client.get(address, headers=asking)
    assert gone.status_code == 404
    assert gone["Content-Type"].startswith("text/html")
    hide_file(**hide, hide=False)
    assert client.get(address, headers=asking).status_code == 304
    delete_page(page_id=version.page_id, reason="Not free", person=boss)
    assert client.get(address, headers=asking).status_code == 404


def test_moderator_deletes_a_picture_and_brings_it_back(
    as_ada: Client, client: Client, ada: User, board: Page, save
) -> None:
    save("![Board](file:Board.png)", title="Shows")
    picture = f"/wiki/files/picture/{board.file_versions.get().sha256}.png"
    hide = "/wiki/files/file-board-png/hide/"
    assert as_ada.get(hide).status_code == 403
    assert as_ada.post(hide, {"reason": "I say so"}).status_code == 403
    boss = User.objects.create_user("Boss", is_staff=True)
    staff = Client()
    staff.force_login(boss)
    assert staff.post(hide, {"reason": " "}).status_code == 422
    assert staff.post(hide, {"reason": "Not <b>free</b>"}).status_code == 302
    assert client.get(picture).status_code == 404
    assert as_ada.get(picture).status_code == 404
    assert staff.get(picture)["Cache-Control"] == "private, no-store"
    assert picture in staff.get("/wiki/files/file-board-png/").content.decode()
    html = client.get("/wiki/files/file-board-png/").content.decode()
    assert "This picture was deleted" in html
    assert picture not in html
    assert "Not &lt;b&gt;free&lt;/b&gt;" in html
    assert "Board.png" not in client.get("/wiki/files/").content.decode()
    shows = client.get("/wiki/shows/").content.decode()
    assert '<a class="file-missing" href="/wiki/files/file-board-png/"' in shows
    assert "Board.png" not in client.get("/wiki/files/?missing=1").content.decode()
    assert "Deleted the picture" in client.get("/wiki/file-board-png/history/").content.decode()
    answer = send(as_ada, encoded(), name="Again.png")
    assert answer.status_code == 403
    assert 'data-code="was_deleted"' in answer.content.decode()
    assert staff.post(hide, {"reason": "asked again", "back": "1"}).status_code == 302
    assert client.get(picture).status_code == 200


def test_protected_file_takes_no_picture(as_ada: Client, as_bob: Client, board: Page) -> None:
    board.protection = Page.Protection.MODERATORS
    board.save()
    answer = send(as_bob, encoded(colour=5), version="1")
    assert answer.status_code == 403
    assert 'data-code="protected"' in answer.content.decode()
    current = board.file_versions.get().pk
    address = f"/wiki/files/file-board-png/revert/{current}/"
    assert as_bob.post(address, {"current": current}).status_code == 403


# Pages that show it


def test_page_shows_the_picture_once_it_is_uploaded(
    client: Client, as_ada: Client, ada: User, save
) -> None:
    save('![The board](file:Board.png?120 "At the *start*")\n\nAn ![icon](file:icon.png) here.')
    html = client.get("/wiki/hearts/").content.decode()
    assert 'href="/wiki/files/upload/?name=Board.png"' in html
    assert "<figure" not in html
    version = add(ada, encoded(size=(500, 300)))
    add(ada, encoded(size=(20, 20), colour=7), "Icon.png")
    html = client.get("/wiki/hearts/").content.decode()
    assert "file-missing" not in html
    start = f"/wiki/files/picture/{version.sha256}"
    assert (
        '<figure class="picture"><a href="/wiki/files/file-board-png/">'
        f'<img src="{start}-120.png" srcset="{start}-240.png 2x" width="120" height="72" '
        'alt="The board" loading="lazy"></a><figcaption>At the *start*</figcaption></figure>'
    ) in html
    assert re.search(r'An <span class="picture"><a [^>]*><img [^>]* width="20" [^>]*></a>', html)
    uses = client.get("/wiki/files/file-board-png/").content.decode()
    assert '<a href="/wiki/hearts/" lang="en">Hearts</a>' in uses


@pytest.mark.parametrize(
    "written",
    [
        "[[Fichier:soleil d'or.png|thumb|alt=Sun|A sun]]",
        "[[File: Soleil_d'or.png|100px]]",
        "[[Datei:Soleil d'or.png]]",
        "[[Archivo:Soleil d'or.png]]",
        "[[Файл:Soleil d'or.png]]",
        "![sun](Image:Soleil%20d'or.png)",
        "![sun](file:Soleil_d%27or.png)",
        "[![sun](file:Soleil_d'or.png)](https://example.org)",
        "| a |\n|---|\n| [[File:Soleil d'or.png|sun]] |",
    ],
)
def test_imported_name_accepts_the_picture_in_any_namespace(
    client: Client, as_ada: Client, save, written: str
) -> None:
    page = create_page(title="File:Soleil d'or.png", language="fr", namespace="file")
    name_page(page, "Fichier:Soleil d'or.png")
    Revision.objects.create(page=page, author_name="Excel13", text_state="file", number=1)
    save(f"Text.\n\n{written}")
    assert "Soleil d&#x27;or.png" in client.get("/wiki/files/?missing=1").content.decode()
    assert "File not available" in client.get("/wiki/files/file-soleil-d-or-png/").content.decode()
    assert send(as_ada, encoded(), name="Soleil d'or.png").status_code == 302
    html = client.get("/wiki/hearts/").content.decode()
    assert "/wiki/files/picture/" in html
    assert "file-missing" not in html
    assert "<a " not in "".join(re.findall(r"<a [^>]*example\.org[^>]*>(.*?)</a>", html))
    assert "/wiki/hearts/" in client.get("/wiki/files/file-soleil-d-or-png/").content.decode()
    assert [row.author_name for row in page.revisions.order_by("number")] == ["Excel13", "Ada"]


def test_words_of_a_picture_are_escaped_everywhere(client: Client, as_ada: Client, save) -> None:
    evil = '"><img src=x onerror=alert(1)>'
    send(as_ada, encoded(), description=f"x {evil}", source=evil, comment=evil)
    save(f"![a {evil}](file:Board.png '{evil}')\n\n[[File:Board.png|alt={evil}|{evil}]]")
    for address in ("/wiki/files/file-board-png/", "/wiki/hearts/", "/wiki/files/"):
        html = client.get(address).content.decode()
        found = Elements()
        found.feed(html)
        assert any(src.startswith("/wiki/files/picture/") for src in found.values("src")), address
        assert "x" not in found.values("src")
        assert not found.values("onerror")


def test_picture_without_words_is_said_in_the_preview(as_ada: Client, board: Page) -> None:
    def preview(text: str) -> str:
        form = {"text": text, "action": "preview", "title": "New"}
        return as_ada.post("/wiki/new/edit/", form).content.decode()

    assert "has no alternative text" in preview("![](file:Board.png)")
    assert "has no alternative text" in preview("[[File:Board.png]]")
    assert "has no alternative text" not in preview("![The board](file:Board.png)")


def test_pages_with_many_pictures_ask_few_questions(
    client: Client, ada: User, save, django_assert_max_num_queries
) -> None:
    for number in range(4):
        add(ada, encoded(colour=number), f"P{number}.png")
    save("\n\n".join(f"![p](file:P{number}.png) [[Page {number}]]" for number in range(4)))
    client.get("/wiki/hearts/")
    with django_assert_max_num_queries(12):
        assert client.get("/wiki/hearts/").content.decode().count("<img") == 4
    with django_assert_max_num_queries(12):
        client.get("/wiki/files/file-p1-png/")
    with django_assert_max_num_queries(12):
        assert client.get("/wiki/files/").content.decode().count("<img") == 4


def test_so_many_pictures_a_page_and_no_more(
    client: Client, board: Page, save, monkeypatch
) -> None:
    monkeypatch.setattr(links, "PICTURES", 3)
    save("![p](file:Board.png)\n\n" * 5)
    html = client.get("/wiki/hearts/").content.decode()
    assert html.count('<figure class="picture">') == 3
    assert html.count('<span class="file-missing"') == 2


def test_page_written_as_a_file_becomes_one(as_ada: Client, ada: User) -> None:
    draft = Draft(text="A board to come.")
    edit_page(slug="file-board-png", title="File:Board.png", author=ada, draft=draft)
    assert send(as_ada, encoded(), description="").status_code == 302
    html = as_ada.get("/wiki/files/file-board-png/").content.decode()
    assert "A board to come." in html
    assert "/wiki/files/picture/" in html


def test_header_tells_where_a_jpeg_ends() -> None:
    """Cameras put a second picture behind the first: it is left behind."""
    sent = encoded("JPEG")
    assert headers.read_header(sent + sent).end == len(sent)
    assert pictures.read_picture(sent + sent).data == pictures.read_picture(sent).data


def test_moving_picture_cannot_hide_how_many_frames_it_has() -> None:
    sent = moving("PNG", frames=5)
    at, end = sent.index(b"acTL") - 4, sent.index(b"\0\0\0\0IEND")
    count = sent[at : at + 20]
    one = count[:8] + (1).to_bytes(4, "big") + count[12:16]
    one += zlib.crc32(one[4:]).to_bytes(4, "big")
    assert headers.read_header(sent[:end] + one + sent[end:]).frames == 5
    assert pictures.read_picture(sent[:at] + one + sent[at + 20 :]).frames == 1


def test_heading_with_a_picture_is_named_by_its_words(client: Client, save, board: Page) -> None:
    save("## ![Sun](file:Board.png) Goal\n\nText.")
    html = client.get("/wiki/hearts/").content.decode()
    assert ">Sun Goal</a>" in html
    assert '<span class="picture"><a href="/wiki/files/file-board-png/">' in html


def at_once(works: list[Callable[[], object]]) -> list[str]:
    """What came of each, on a thread of its own: "done", or the code of its refusal; sorted."""
    start = Barrier(len(works))

    def one(work: Callable[[], object]) -> str:
        start.wait()
        try:
            work()
            return "done"
        except WikiError as error:
            return error.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(works)) as pool:
        return sorted(pool.map(one, works))


@pytest.mark.django_db(transaction=True)
def test_people_who_upload_at_once_all_get_a_version_or_a_sentence() -> None:
    """Three new names at once: one is first, the others are told. Then three versions at once."""
    people = [User.objects.create_user(f"Painter {number}") for number in range(3)]
    sent = [encoded(colour=number) for number in range(6)]

    def sent_from(first: int, **said) -> list[str]:
        return at_once([partial(add, who, sent[first + n], **said) for n, who in enumerate(people)])

    assert sent_from(0) == ["done", "name_taken", "name_taken"]
    assert sent_from(3, new_version=True) == ["done"] * 3
    page = Page.objects.get()
    assert [row.number for row in page.file_versions.all()] == [1, 2, 3, 4]
    assert list(page.revisions.values_list("number", flat=True)) == [1, 2, 3, 4]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("again", [False, True], ids=["as it was sent", "made anew"])
def test_the_same_picture_at_the_same_moment_is_kept_under_one_name(again: bool) -> None:
    people = [User.objects.create_user(f"Person {number}") for number in range(4)]
    picture = encoded()
    works = [
        # bytes after the picture's end are left out of what is kept
        partial(add, who, picture + bytes(n) if again else picture, name=f"Board {n}.png")
        for n, who in enumerate(people)
    ]
    assert at_once(works) == ["done"] + ["duplicate"] * 3
    assert FileVersion.objects.count() == Page.objects.count() == 1


# Words for those who cannot see it


@pytest.mark.parametrize(
    "written",
    [
        "![](file:Board.png)",
        "![ ](Image:Board.png?300)",
        "[[File:Board.png|300px]]",
        "[[Fichier:Board.png]]",
        "[[Файл:Board.png|thumb]]",
        "![][1]\n\n[1]: file:Board.png",
    ],
)
def test_picture_without_words_is_asked_for_them(as_ada: Client, board: Page, written: str) -> None:
    sent = {"text": f"Before.\n\n{written}\n", "title": "New"}
    answer = as_ada.post("/wiki/new/edit/", sent)
    assert answer.status_code == 422
    html = answer.content.decode()
    assert 'data-code="no_alternative"' in html
    assert "“Board.png” has no words for those who cannot see it." in html
    assert f"Before.\n\n{written}" in unescape(html)
    assert not Page.objects.filter(title="New").exists()
    assert 'name="unnamed"' in html
    assert as_ada.post("/wiki/new/edit/", {**sent, "unnamed": "1"}).status_code == 302


def test_words_are_asked_for_once(as_ada: Client, board: Page, save) -> None:
    first = save("![](file:Board.png)\n\nOne.\n")
    sent = {"text": first.text + "\nTwo.\n", "base": first.pk}
    assert as_ada.post("/wiki/hearts/edit/", sent).status_code == 302  # it was there before
    page = Page.objects.get(slug="hearts")
    sent = {"text": page.current.text + "\n![](file:Board.png)\n", "base": page.current_id}
    assert as_ada.post("/wiki/hearts/edit/", sent).status_code == 422
    sent["text"] = sent["text"].replace("One.", "![The board](file:Board.png) `![](file:B.png)`")
    sent["text"] = sent["text"].replace("\n![](file:Board.png)\n", "")
    assert as_ada.post("/wiki/hearts/edit/", sent).status_code == 302


# What is left over


def test_half_files_and_pictures_of_no_page_go(
    as_ada: Client, client: Client, board: Page, media: Path
) -> None:
    version = board.file_versions.get()
    client.get(f"/wiki/files/picture/{version.sha256}-120.png")
    send(as_ada, encoded(colour=9))  # the name is taken: its bytes are of no page
    half = media / "files" / "ab" / "tmpx1"
    half.parent.mkdir(parents=True, exist_ok=True)
    half.write_bytes(b"half")
    kept = {path for path in media.glob("*/*/*") if version.sha256 in path.name}
    now = time.time()
    assert clean_up(now + HALF - 60) == 0
    assert clean_up(now + HALF + 60) == 1
    assert not half.exists()
    assert clean_up(now + WHOLE + 60) == 1
    assert set(media.glob("*/*/*")) == kept
    assert tasks.clean_up() == 0


def test_picture_that_is_wanted_again_is_not_left_over(
    as_ada: Client, ada: User, board: Page, media: Path
) -> None:
    send(as_ada, encoded(colour=9))  # refused
    [path] = [
        path
        for path in media.glob("files/*/*")
        if not FileVersion.objects.filter(sha256=path.stem).exists()
    ]
    os.utime(path, (0, 0))
    add(ada, encoded(colour=9), "Other.png")
    assert clean_up(time.time()) == 0
    assert path.exists()
