"""A site is backed up while it is played on, put back elsewhere, and played on there."""

import io
import json
import os
import re
import shutil
import stat
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from tests.site import OwnDatabase, Site, Visitor, prepared, read_token

POSTGRES = os.environ.get("DATABASE_URL", "").startswith("postgres")
QUIET = {"PARLOUR_BOT_DELAY": "900"}  # no bot between the move and the end

pytestmark = [
    pytest.mark.waits,
    pytest.mark.stores,
    pytest.mark.skipif(
        POSTGRES and not (shutil.which("pg_dump") and shutil.which("pg_restore")),
        reason="no pg_dump here",
    ),
]


def empty_archive() -> bytes:
    held = io.BytesIO()
    tarfile.open(fileobj=held, mode="w:gz").close()
    return held.getvalue()


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Site]:
    """Another data folder with an empty database; not yet open. Its static files are collected."""
    folder = tmp_path / "elsewhere"
    assert Site.share is not None
    shutil.copytree(prepared(Site.share) / "static", folder / "static")
    database = OwnDatabase.from_environment()
    if database is None:
        yield Site(folder, **QUIET)
        return
    database.create()
    yield Site(folder, **QUIET, DATABASE_URL=database.url)
    database.drop()


def test_a_site_that_is_played_on_goes_on_from_its_backup(tmp_path, elsewhere):
    here, file = tmp_path / "here", tmp_path / "site.tar.gz"
    here.mkdir()
    with Site(here, **QUIET) as site:
        visitor = Visitor(site)
        page = visitor.form("/games/hearts/play-now/")
        visitor.token = read_token(page)
        table = json.loads(re.search(r'"table-payload"[^>]*>(.*?)</script>', page, re.S)[1])
        move = {"key": "k1", "ply": 0, "action": table["moves"]["items"][7]["action"]}
        act, body = f"/tables/{table['id']}/act", json.dumps(move).encode()
        acknowledged = json.loads(visitor.post(act, body, "application/json"))
        (here / "media/pictures").mkdir(parents=True, exist_ok=True)
        (here / "media/pictures/one.png").write_bytes(b"a picture")
        assert "the whole site" in site.manage("backup", str(file))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        with pytest.raises(CommandError, match="exists already; name another file"):
            call_command("backup", str(file))
        with pytest.raises(subprocess.CalledProcessError) as refused:
            site.manage("restore", str(file))
        said = refused.value.stderr.strip().splitlines()[-1]
        assert said.startswith("CommandError: The database is not")
    assert "is back" in elsewhere.manage("restore", str(file))
    with elsewhere as site:
        visitor.url = site.url  # with the cookie of before: the secret key came along
        state = json.loads(visitor.get(f"/tables/{table['id']}/state"))
        assert (state["ply"], state["you"], state["undo"]) == (1, table["you"], True)
        assert json.loads(visitor.post(act, body, "application/json")) == acknowledged
        undo = json.dumps({"key": "k2"}).encode()
        undone = visitor.post(f"/tables/{table['id']}/undo", undo, "application/json")
        assert json.loads(undone)["ply"] == 2
        assert "rows 0 to 2 of Hearts hold" in site.manage("verify", table["id"])
        assert "Hearts" in visitor.get("/wiki/hearts/history/")
    assert (elsewhere.data / "media/pictures/one.png").read_bytes() == b"a picture"


def damaged_archive() -> bytes:
    held = io.BytesIO()
    with tarfile.open(fileobj=held, mode="w:gz") as archive:
        entry = tarfile.TarInfo("about.json")
        entry.size = 20_000
        archive.addfile(entry, io.BytesIO(os.urandom(entry.size)))
    return held.getvalue()


@pytest.mark.parametrize(
    "content",
    [
        b"no archive",
        empty_archive(),
        damaged_archive()[:10_000],
        damaged_archive()[:3000] + b"\xff" * 3000 + damaged_archive()[6000:],
        damaged_archive(),
    ],
    ids=["text", "empty", "cut off", "overwritten", "noise"],
)
def test_what_is_no_backup_changes_nothing(tmp_path, settings, content):
    settings.DATA_DIR = data = tmp_path / "data"
    settings.MEDIA_ROOT = data / "media"
    data.mkdir()
    (tmp_path / "site.tar.gz").write_bytes(content)
    with pytest.raises(CommandError):
        call_command("restore", str(tmp_path / "site.tar.gz"))
    assert list(data.iterdir()) == []
