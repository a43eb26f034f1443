"""The example of nginx in the page about operations, tried where there is an nginx."""

import re
import shutil
import subprocess
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from websockets.sync.client import connect

from tests.site import Site, free_port, wait_until

PAGE = (settings.BASE_DIR / "docs/operations.md").read_text()
EXAMPLE = re.search(r"^    map \$http_upgrade.*?^    \}\n", PAGE, re.MULTILINE | re.DOTALL)
FRAME = """
daemon off;
pid {folder}/pid;
error_log stderr;
events {{ }}
http {{
  access_log off;
  client_body_temp_path {folder}/body;
  proxy_temp_path {folder}/proxy;
  fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi;
  scgi_temp_path {folder}/scgi;
{example}
}}
"""


@pytest.fixture
def nginx(tmp_path: Path) -> Iterator[Callable[[int], str]]:
    """Starts the example in front of a port, without HTTPS; returns its address."""
    program = shutil.which("nginx", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        pytest.skip("no nginx on this machine")
    assert EXAMPLE is not None
    started = []

    def start(upstream: int) -> str:
        port = free_port()
        text = EXAMPLE[0].replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
        text = text.replace("server 127.0.0.1:8000", f"server 127.0.0.1:{upstream}")
        text = text.replace("server 127.0.0.1:8001", f"server 127.0.0.1:{free_port()}")
        text = text.replace("parlour.example.org", "localhost")
        folder = tmp_path / str(port)
        folder.mkdir()
        (folder / "nginx.conf").write_text(FRAME.format(folder=folder, example=text))
        started.append(
            subprocess.Popen([program, "-p", str(folder), "-c", str(folder / "nginx.conf")])
        )
        url = f"http://localhost:{port}"
        wait_until(lambda: ask(url)[0] > 0, "nginx")
        return url

    yield start
    for process in started:
        process.terminate()
        process.wait(10)


def ask(url: str) -> tuple[int, dict[str, str]]:
    """Status and headers by small names; 0 where nobody answers."""
    request = urllib.request.Request(url, headers={"Accept-Encoding": "gzip"})
    try:
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.status, {name.lower(): value for name, value in answer.headers.items()}
    except urllib.error.HTTPError as refusal:
        with refusal:
            return refusal.code, {name.lower(): value for name, value in refusal.headers.items()}
    except urllib.error.URLError:
        return 0, {}


def test_pages_and_sockets_come_through_the_proxy_of_the_example(site: Site, nginx):
    url = nginx(site.port)
    status, headers = ask(f"{url}/wiki/hearts/")
    assert (status, headers["content-encoding"]) == (200, "gzip")
    address = f"ws://{urlsplit(url).netloc}/ws/tables/AAAAAAAA"
    origin = f"http://{urlsplit(url).hostname}"  # as on the usual port, which the example is for
    with connect(address, origin=origin) as socket:
        assert '"code": "table_not_found"' in socket.recv(timeout=30).replace('":"', '": "')


def test_the_proxy_of_the_example_says_calmly_that_the_site_is_away(nginx):
    status, headers = ask(nginx(free_port()))
    assert (status, headers["retry-after"], headers["cache-control"]) == (503, "5", "no-store")
