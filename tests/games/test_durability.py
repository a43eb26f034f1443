"""What was acknowledged is kept, whoever is killed."""

import json
import os
import re
import signal
import urllib.request
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode

import pytest

from tests.site import Site, descendants


class Visitor:
    """A browser without a window: cookies, the form's token, JSON."""

    def __init__(self, site: Site) -> None:
        self.url = site.url
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.read_token(self.get("/tables/new/?game=nibble"))

    def read_token(self, page: str) -> None:
        self.token = re.search(r'csrfmiddlewaretoken" value="([^"]+)"', page)[1]

    def get(self, path: str) -> str:
        return self.opener.open(self.url + path).read().decode()

    def post(self, path: str, data: bytes, kind: str) -> str:
        headers = {"X-CSRFToken": self.token, "Content-Type": kind}
        request = urllib.request.Request(self.url + path, data, headers)
        return self.opener.open(request).read().decode()

    def form(self, path: str) -> str:
        return self.post(path, urlencode({}).encode(), "application/x-www-form-urlencoded")


@pytest.mark.waits
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="needs /proc to find processes")
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="the database is another machine's here")
def test_an_acknowledged_move_survives_kill_9_of_everything(tmp_path):
    quiet = {"PARLOUR_BOT_DELAY": "900"}  # no bot between the move and the end
    with Site(tmp_path, **quiet) as site:
        visitor = Visitor(site)
        page = visitor.form("/games/hearts/play-now/")
        visitor.read_token(page)  # logging the guest in has changed it
        table = json.loads(re.search(r'"table-payload"[^>]*>(.*?)</script>', page, re.S)[1])
        move = {"key": "k1", "ply": 0, "action": table["moves"]["items"][7]["action"]}
        act, body = f"/tables/{table['id']}/act", json.dumps(move).encode()
        answer = json.loads(visitor.post(act, body, "application/json"))
        assert answer == {"on": "ack", "key": "k1", "ply": 1}
        for pid in [site.process.pid, *descendants(site.process.pid)]:
            os.kill(pid, signal.SIGKILL)
        site.process.wait(30)
    with Site(tmp_path, **quiet) as site:
        visitor.url = site.url
        state = json.loads(visitor.get(f"/tables/{table['id']}/state"))
        assert (state["ply"], state["you"], state["undo"]) == (1, table["you"], True)
        again = json.loads(visitor.post(act, body, "application/json"))
        assert again == answer
        assert "rows 0 to 1 of Hearts hold" in site.manage("verify", table["id"])
