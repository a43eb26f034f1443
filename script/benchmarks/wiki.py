"""The wiki under load: views, history, differences and saves of one page, by database.

Starts the whole site for each database (SQLite; PostgreSQL where --postgres or TEST_DATABASE_URL names a
server), with the page of Machiavelli and its revisions: those of the wiki exports in --seeds if that folder
is there, and as many more as make --revisions. Then so many connections at once (--connections) ask for each
page for --seconds, as somebody who has not logged in, and one editor saves --saves times. Prints requests a
second, the median and the 99th percentile in ms, and the processor time of the server a request in ms.
``nothing`` is a small static file, beside which runs on different machines compare.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from tests.site import Site, descendants

PAGE = "/wiki/machiavelli/"
SEEDS = Path(__file__).resolve().parents[3] / "shared" / "seeds"
WARM_UP = 20  # requests that are not counted
# An editor whom no limit for newcomers stops, and revisions of the page until there are enough.
FURNISH = """
from django.conf import settings
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from django.contrib.sessions.backends.db import SessionStore
from portal.models import User
from wiki.models import Page, Revision
from wiki.services import Draft, edit_page
editor = User.objects.create_user("bench-editor", is_staff=True)
page = Page.objects.select_related("current").get(slug="machiavelli")
for number in range(page.revisions.count(), {revisions}):
    page.refresh_from_db()
    lines = page.current.text.splitlines()
    lines.insert(1 + number * 7 % len(lines), f"\\nRemark {{number}} of one who plays often.\\n")
    text = "\\n".join(lines)
    edit_page(slug=page.slug, title=page.title, author=editor, draft=Draft(text, page.current_id, f"Remark {{number}}"))
session = SessionStore()
session[SESSION_KEY] = str(editor.pk)
session[BACKEND_SESSION_KEY] = settings.AUTHENTICATION_BACKENDS[0]
session[HASH_SESSION_KEY] = editor.get_session_auth_hash()
session.save()
rows = list(Revision.objects.filter(page=page, text_state="present", event="").order_by("number").values_list("pk", flat=True))
print("FURNISHED", session.session_key, rows[0], rows[-1], len(rows))
"""


class Failed(Exception):
    """The site answered something else than was asked for."""


@dataclass
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


@dataclass
class Line:
    """One kept connection to the site."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    host: str
    cookies: dict[str, str] = field(default_factory=dict)

    async def ask(self, path: str, form: dict[str, str] | None = None) -> Answer:
        """GET ``path``, or POST ``form`` to it."""
        body = urlencode(form).encode() if form is not None else b""
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        lines = [
            f"{'GET' if form is None else 'POST'} {path} HTTP/1.1",
            f"Host: {self.host}",
            *([f"Cookie: {cookies}"] if cookies else []),
            *(
                ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
                if form is not None
                else []
            ),
        ]
        self.writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        return await self._answer()

    async def _answer(self) -> Answer:
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {}
        for row in head[1:]:
            name, _colon, value = row.partition(": ")
            headers[name.lower()] = value
            if name.lower() == "set-cookie":
                key, _equals, rest = value.partition("=")
                self.cookies[key] = rest.split(";")[0]
        if headers.get("transfer-encoding") == "chunked":
            body = b"".join([part async for part in self._chunks()])
        else:
            body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return Answer(int(head[0].split()[1]), headers, body)

    async def _chunks(self) -> AsyncIterator[bytes]:
        while size := int(await self.reader.readline(), 16):
            yield await self.reader.readexactly(size)
            await self.reader.readexactly(2)
        await self.reader.readexactly(2)


@asynccontextmanager
async def line_to(site: Site) -> AsyncIterator[Line]:
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port, limit=2**20)
    try:
        yield Line(reader, writer, f"127.0.0.1:{site.port}")
    finally:
        writer.close()


def processor_seconds(site: Site) -> float:
    """What the site's processes have used so far."""
    ticks = 0
    for pid in (site.process.pid, *descendants(site.process.pid)):
        try:
            fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


async def views(site: Site, path: str, *, seconds: float, connections: int) -> dict[str, float]:
    """``connections`` strangers who ask for ``path`` again and again."""
    spent: list[float] = []
    async with line_to(site) as line:
        for _ in range(WARM_UP):
            await expect(line, path)
    used, began = processor_seconds(site), time.perf_counter()
    end = began + seconds

    async def stranger() -> None:
        async with line_to(site) as line:
            while (start := time.perf_counter()) < end:
                await expect(line, path)
                spent.append((time.perf_counter() - start) * 1000)

    await asyncio.gather(*(stranger() for _ in range(connections)))
    return summary(spent, time.perf_counter() - began, processor_seconds(site) - used)


async def expect(line: Line, path: str) -> Answer:
    answer = await line.ask(path)
    if answer.status != 200:
        raise Failed(f"{path} answered {answer.status}")
    return answer


async def saves(site: Site, session: str, count: int) -> dict[str, float]:
    """One editor who changes a line of the page and saves it, ``count`` times."""
    spent: list[float] = []
    used = 0.0
    async with line_to(site) as line:
        line.cookies["sessionid"] = session
        for number in range(count):
            page = (await expect(line, f"{PAGE}edit/?fresh=1")).body.decode()
            form = {
                name: unescape(value)
                for name, value in re.findall(
                    r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page
                )
            }
            written = re.search(r"<textarea[^>]*name=\"text\"[^>]*>\n?(.*?)</textarea>", page, re.S)
            if written is None or "base" not in form:
                raise Failed("the editor did not come up")
            text = re.sub(r"\n*Saved [0-9]+ times\.\s*$", "", unescape(written[1]))
            form |= {
                "text": f"{text}\n\nSaved {number} times.\n",
                "summary": f"Save {number}",
                "action": "save",
            }
            before, start = processor_seconds(site), time.perf_counter()
            answer = await line.ask(f"{PAGE}edit/", form)
            spent.append((time.perf_counter() - start) * 1000)
            used += processor_seconds(site) - before
            if answer.status != 302:
                raise Failed(f"the save was answered {answer.status}")
    return summary(spent, sum(spent) / 1000, used)


def summary(spent: Sequence[float], seconds: float, processor: float) -> dict[str, float]:
    ordered = sorted(spent)
    return {
        "per_second": round(len(ordered) / seconds, 1),
        "p50_ms": round(statistics.median(ordered), 1),
        "p99_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 1),
        "cpu_ms": round(1000 * processor / len(ordered), 2),
    }


async def measure(site: Site, given: argparse.Namespace) -> dict[str, Any]:
    if given.seeds.is_dir():
        site.manage("import_wiki", *map(str, sorted(given.seeds.glob("00[0234]_*.txt"))))
    told = site.manage("shell", "-c", FURNISH.format(revisions=given.revisions))
    session, oldest, newest, count = told.split("FURNISHED ")[1].split()
    paths = {
        "nothing": "/static/portal/favicon.svg",
        "view": PAGE,
        "history": f"{PAGE}history/",
        "diff": f"{PAGE}diff/{oldest}/{newest}/",
    }
    report: dict[str, Any] = {"revisions": int(count)}
    for name, path in paths.items():
        report[name] = await views(site, path, seconds=given.seconds, connections=given.connections)
    report["save"] = await saves(site, session, given.saves)
    return report


def main(argv: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="script/bench wiki", description=__doc__)
    parser.add_argument("--seconds", type=float, default=8, help="of each page")
    parser.add_argument("--connections", type=int, default=8)
    parser.add_argument("--saves", type=int, default=60)
    parser.add_argument("--revisions", type=int, default=40, help="of the page, at least")
    parser.add_argument("--seeds", type=Path, default=SEEDS, help="folder of wiki exports")
    parser.add_argument("--postgres", default=os.environ.get("TEST_DATABASE_URL", ""))
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    report: dict[str, Any] = {}
    for name, url in {"sqlite": "", "postgresql": given.postgres}.items():
        if name == "postgresql" and not url:
            continue
        os.environ.pop("DATABASE_URL", None)
        if url:
            os.environ["DATABASE_URL"] = url  # where the site makes a database of its own
        with tempfile.TemporaryDirectory() as folder, Site(Path(folder)) as site:
            report[name] = asyncio.run(measure(site, given))
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return 0
    for name, rows in report.items():
        print(f"{name}, {rows.pop('revisions')} revisions")  # noqa: T201
        for what, row in rows.items():
            words = "  ".join(f"{key} {value:>8}" for key, value in row.items())
            print(f"  {what:<8} {words}")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
