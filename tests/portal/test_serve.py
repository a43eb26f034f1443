"""``manage.py serve``: one command that starts everything, and ends everything."""

import os
import signal
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.site import DATABASE, ROOT, Site, command_line, descendants, free_port, wait_until

pytestmark = [
    pytest.mark.waits,
    pytest.mark.xdist_group("serve"),
    pytest.mark.skipif(sys.platform != "linux", reason="reads /proc"),
]


def serve(data: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """What the command says when it does not start; on SQLite unless ``env`` says otherwise."""
    return subprocess.run(
        [sys.executable, "manage.py", "serve"],
        cwd=ROOT,
        env=Site(data).env | {"DATABASE_URL": "", "PORT": str(free_port())} | env,
        capture_output=True,
        text=True,
        timeout=120,
    )


def assert_all_end(pids: dict[int, str]) -> None:
    wait_until(
        lambda: not [pid for pid, line in pids.items() if line and command_line(pid) == line],
        "the children to end",
        seconds=30,
    )


def assert_one_line(done: subprocess.CompletedProcess[str], *words: str) -> None:
    assert done.returncode not in (0, None)
    lines = done.stderr.strip().splitlines()
    assert len(lines) == 1, done.stderr
    for word in words:
        assert word in lines[0], lines[0]
    assert "Traceback" not in done.stderr + done.stdout


def test_a_port_in_use_is_told(tmp_path):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        assert_one_line(serve(tmp_path, PORT=port), port, "in use")


@pytest.mark.parametrize(
    ("env", "words"),
    [
        ({"PORT": "http"}, ["PORT", "whole number"]),
        ({"PORT": "99999"}, ["PORT", "65535"]),
        ({"WEB_THREADS": "0"}, ["WEB_THREADS", "at least 1"]),
        ({"PARLOUR_DATA": "/dev/null"}, ["PARLOUR_DATA", "/dev/null is a file"]),
        ({"PARLOUR_DATA": "/proc/none"}, ["PARLOUR_DATA", "/proc/none"]),
        ({"HOST": "no.such.host.invalid"}, ["no.such.host.invalid"]),
        ({"HOST": "192.0.2.1"}, ["192.0.2.1"]),
        ({"DATABASE_URL": "nonsense"}, ["DATABASE_URL"]),
        ({"DATABASE_URL": "mysql://localhost/x"}, ["DATABASE_URL"]),
        ({"DATABASE_URL": "postgres://u:secret@127.0.0.1:9/x"}, ["DATABASE_URL", "127.0.0.1"]),
        ({"DATABASE_URL": "sqlite:////no/such/folder/x.sqlite3"}, ["DATABASE_URL"]),
        ({"REDIS_URL": "redis://127.0.0.1:9/0"}, ["REDIS_URL"]),
        ({"REDIS_URL": "http://127.0.0.1/"}, ["REDIS_URL"]),
        ({"DEBUG": "perhaps"}, ["DEBUG", "yes or no"]),
    ],
)
def test_a_broken_setting_is_told_in_one_line(tmp_path, env, words):
    done = serve(tmp_path, **env)
    assert_one_line(done, *words)
    assert "secret" not in done.stderr


def test_a_folder_that_cannot_be_written_is_told_in_one_line(tmp_path):
    (tmp_path / "static").write_text("no folder")
    assert_one_line(serve(tmp_path), "brought up to date", str(tmp_path / "static"))


def test_a_database_that_cannot_be_written_is_told_in_one_line(tmp_path):
    with closing(sqlite3.connect(tmp_path / DATABASE)) as database:
        database.execute("CREATE VIEW portal_user AS SELECT 1 AS id")  # root may write all files
    assert_one_line(serve(tmp_path), "brought up to date", "portal_user")


@pytest.mark.parametrize(
    ("door", "words"),
    [("127.0.0.1:http", ["HOST:PORT"]), ("127.0.0.1:1", ["Settings", "WEB_THREADS"])],
)
def test_a_web_process_that_cannot_start_says_why_in_one_line(tmp_path, door, words):
    assert_one_line(
        subprocess.run(
            [sys.executable, "-m", "portal.web", door],
            cwd=ROOT,
            env=Site(tmp_path).env | {"WEB_THREADS": "0"},
            capture_output=True,
            text=True,
            timeout=120,
        ),
        *words,
    )


@pytest.mark.stores
def test_ctrl_c_ends_every_child_and_the_folder_is_free_again(tmp_path):
    deep = tmp_path / ("a folder whose name is long, " * 4) / "data"  # too long for a socket
    deep.mkdir(parents=True)
    env = {} if os.environ.get("REDIS_URL") else {"REDIS_URL": ""}
    with Site(deep, fresh=True, **env) as site:
        running = descendants(site.process.pid)
        lines = " ".join(running.values())
        for part in ("portal.web", "worker", "beat"):
            assert part in lines
        if not os.environ.get("REDIS_URL"):
            assert "valkey-server" in lines
            other = serve(deep, DATABASE_URL=site.env.get("DATABASE_URL", ""))
            assert_one_line(other, "uses the data folder", str(site.process.pid))
        os.killpg(site.process.pid, signal.SIGINT)  # as a terminal does
        assert site.process.wait(30) == 0
        assert_all_end(running)
        log = site.log.read_text()
        assert "Parlour is closed." in log
        assert "Traceback" not in log
        assert not list(deep.glob("*.sock"))
