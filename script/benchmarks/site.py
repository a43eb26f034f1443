"""The whole product as people meet it: start-up, page views, and the round trip of a move.

Starts ``manage.py serve`` twice on an empty data folder (first and later start), then measures with one
person waiting at a time: page views over HTTP; a move at a table of two people over sockets, from
sending it to its acknowledgement and to the other person's new state. The last line is a ratio: what a move costs beside
a small static file, so that runs on different machines compare.
"""

from __future__ import annotations

import argparse
import http.cookiejar
import json
import os
import re
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

from websockets.sync.client import connect

PAGES = {
    "home": "/",
    "help": "/wiki/hearts/",
    "history": "/wiki/hearts/history/",
    "changes": "/wiki/changes/",
}

PAUSE = 0.06  # s between two moves: a socket may send 10 frames a second for long


class Person:
    """A visitor with cookies of their own."""

    def __init__(self, base: str) -> None:
        self.base = base
        self.cookies = http.cookiejar.CookieJar()
        handler = urllib.request.HTTPCookieProcessor(self.cookies)
        self.opener = urllib.request.build_opener(handler)

    def get(self, path: str) -> str:
        with self.opener.open(self.base + path, timeout=30) as answer:
            return str(answer.read().decode())

    def post(self, path: str, data: dict[str, str], page: str = "/") -> str:
        """Post a form as the page would; the address one lands on."""
        found = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.get(page))
        token = found[1] if found else ""
        body = urllib.parse.urlencode({**data, "csrfmiddlewaretoken": token}).encode()
        request = urllib.request.Request(self.base + path, body, {"Referer": self.base + page})
        with self.opener.open(request, timeout=30) as answer:
            return str(answer.url)

    def socket(self, table: str) -> Any:
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.cookies)
        address = self.base.replace("http", "ws", 1) + f"/ws/tables/{table}"
        headers = {"Cookie": cookies}
        return connect(address, additional_headers=headers, origin=self.base, max_size=2**22)  # type: ignore[arg-type]


class Server:
    """``manage.py serve`` on a data folder and a free port."""

    def __init__(self, folder: Path) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.base = f"http://127.0.0.1:{self.port}"
        here = {"PARLOUR_DATA": str(folder), "PORT": str(self.port), "PARLOUR_BOT_DELAY": "0.05"}
        began = time.perf_counter()
        self.child = subprocess.Popen(
            [sys.executable, "manage.py", "serve"],
            env={**os.environ, **here},
            stdout=subprocess.DEVNULL,
        )
        while True:
            try:
                Person(self.base).get("/")
                break
            except (urllib.error.URLError, ConnectionError):
                if self.child.poll() is not None:
                    raise SystemExit("The server did not start.") from None
                time.sleep(0.05)
        self.seconds_to_first_page = time.perf_counter() - began

    def stop(self) -> None:
        self.child.send_signal(signal.SIGINT)
        self.child.wait(timeout=30)


def times(work: Callable[[], Any], count: int) -> list[float]:
    """ms of each of ``count`` runs, one after another."""
    spent = []
    for _ in range(count):
        began = time.perf_counter()
        work()
        spent.append((time.perf_counter() - began) * 1000)
    return spent


def summary(spent: list[float]) -> dict[str, float]:
    ordered = sorted(spent)
    return {
        "p50_ms": round(statistics.median(ordered), 2),
        "p99_ms": round(ordered[min(len(ordered) - 1, int(len(ordered) * 0.99))], 2),
    }


def moves(server: Server, count: int) -> tuple[list[float], list[float]]:
    """ms of ``count`` moves of Nibble between two people: (acknowledged, told to the other)."""
    ada, bob = Person(server.base), Person(server.base)
    form = "/tables/new/?game=nibble"
    fields = {
        "game": "nibble",
        "seats": "2",
        "seat-1": "open",
        "pace": "none",
        "absence": "forfeit",
    }
    acknowledged: list[float] = []
    told: list[float] = []
    while len(acknowledged) < count:
        landed = ada.post("/tables/new/", fields, form)
        table = urllib.parse.urlsplit(landed).path.split("/")[2]
        bob.post(f"/tables/{table}/join/", {}, f"/tables/{table}/")
        with ada.socket(table) as one, bob.socket(table) as two:
            play(one, two, acknowledged, told, count)
    return acknowledged, told


def play(one: Any, two: Any, acknowledged: list[float], told: list[float], count: int) -> None:
    """One game, the first listed move each time."""
    sockets = [one, two]
    states = []
    for line in sockets:
        line.send('{"do": "sync"}')
        states.append(until(line, "state"))
    while states[0]["status"] == "playing" and len(acknowledged) < count:
        mover = next(i for i, state in enumerate(states) if state["you"] in state["pending"])
        action, ply = states[mover]["moves"]["items"][0]["action"], states[mover]["ply"]
        frame = json.dumps(
            {"do": "act", "key": f"bench-{ply}-{mover}", "ply": ply, "action": action}
        )
        began = time.perf_counter()
        sockets[mover].send(frame)
        until(sockets[mover], "ack")
        acknowledged.append((time.perf_counter() - began) * 1000)
        states[1 - mover] = until(sockets[1 - mover], "state", after=ply)
        told.append((time.perf_counter() - began) * 1000)
        states[mover] = until(sockets[mover], "state", after=ply)
        time.sleep(PAUSE)


def until(line: Any, kind: str, after: int = -1) -> dict[str, Any]:
    """The next frame of this kind (a state: later than ply ``after``)."""
    while True:
        frame: dict[str, Any] = json.loads(line.recv(timeout=20))
        if frame["on"] == "refused":
            raise SystemExit(f"refused: {frame['reason']}")
        if frame["on"] == kind and frame.get("ply", 0) > after:
            return frame


def main(argv: list[str]) -> None:
    parser = argparse.ArgumentParser(prog="script/bench site", description=__doc__)
    parser.add_argument("--moves", type=int, default=200)
    parser.add_argument("--views", type=int, default=100, help="of each page")
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(argv)
    report: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        for start in ("first_start_s", "later_start_s"):
            server = Server(Path(folder))
            report[start] = round(server.seconds_to_first_page, 1)
            if start == "first_start_s":
                server.stop()
        try:
            visitor = Person(server.base)
            for name, path in PAGES.items():
                visitor.get(path)
                report[name] = summary(times(lambda path=path: visitor.get(path), given.views))  # type: ignore[misc]
            nothing = times(lambda: visitor.get("/static/portal/favicon.svg"), given.views)
            acknowledged, told = moves(server, given.moves)
        finally:
            server.stop()
    report["nothing"] = summary(nothing)
    report["move_acknowledged"], report["move_told"] = summary(acknowledged), summary(told)
    ratio = report["move_told"]["p50_ms"] / report["nothing"]["p50_ms"]
    report["move_beside_nothing"] = round(ratio, 1)
    if given.json:
        print(json.dumps(report))  # noqa: T201
        return
    for name, value in report.items():
        print(f"{name}: {value}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
