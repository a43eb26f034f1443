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

from tests.site import OwnDatabase, Site, Visitor

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


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[Site]:
    """Another data folder with an empty database; not yet open."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
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
        visitor.read_token(page)
        table = json.loads(re.search(r'"table-payload"[^>]*>(.*?)</script>', page, re.S)[1])
        move = {"key": "k1", "ply": 0, "action": table["moves"]["items"][7]["action"]}
        act, body = f"/tables/{table['id']}/act", json.dumps(move).encode()
        acknowledged = json.loads(visitor.post(act, body, "application/json"))
        (here / "media/pictures").mkdir(parents=True, exist_ok=True)
        (here / "media/pictures/one.png").write_bytes(b"a picture")
        assert "the whole site" in site.manage("backup", str(file))
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        refused = refusal(site, "backup", str(file))
        assert refused.endswith("exists already; name another file.")
        assert refusal(site, "restore", str(file)).startswith("CommandError: The database is not")
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


def test_what_is_no_backup_changes_nothing(tmp_path, elsewhere):
    for name, content in (("text.txt", b"no archive"), ("empty.tar.gz", empty_archive())):
        (tmp_path / name).write_bytes(content)
        assert "CommandError" in refusal(elsewhere, "restore", str(tmp_path / name))
    assert not (elsewhere.data / "media").exists()


def empty_archive() -> bytes:
    held = io.BytesIO()
    tarfile.open(fileobj=held, mode="w:gz").close()
    return held.getvalue()


def refusal(site: Site, *arguments: str) -> str:
    with pytest.raises(subprocess.CalledProcessError) as caught:
        site.manage(*arguments)
    return str(caught.value.stderr).strip().splitlines()[-1]
