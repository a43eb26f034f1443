"""The door for HTTP and sockets: uvicorn serves ``application``."""

import os
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")
django.setup(set_prefix=False)  # first: it loads the apps that the imports below need

from channels.auth import AuthMiddlewareStack  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402
from django.conf import settings  # noqa: E402
from django.db import InterfaceError, OperationalError  # noqa: E402
from django.urls import re_path  # noqa: E402

from games import door  # noqa: E402
from games.realtime import routing as tables  # noqa: E402
from portal import visitor  # noqa: E402
from portal.bodies import BoundedBodies  # noqa: E402
from portal.origins import OwnPages  # noqa: E402
from portal.threads import ThreadedHandler  # noqa: E402
from wiki.realtime import routing as pages  # noqa: E402


async def nowhere(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """No socket is at this address: 404, where the web server can say so."""
    if "websocket.http.response" not in scope.get("extensions", {}):
        await send({"type": "websocket.close", "code": 4404})
        return
    kind = (b"content-type", b"text/plain; charset=utf-8")
    await send({"type": "websocket.http.response.start", "status": 404, "headers": [kind]})
    await send({"type": "websocket.http.response.body", "body": b"No socket is at this address.\n"})


addresses = [
    *tables.websocket_urlpatterns,
    *pages.websocket_urlpatterns,
    re_path("", nowhere),
]
sockets = OwnPages(AuthMiddlewareStack(URLRouter(addresses)))


async def patient_sockets(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Turns a socket away whose person cannot be looked up just now; the client comes again. Nothing here is
    called with a NUL, and PostgreSQL cannot even look for it."""
    if "\0" in scope["path"]:
        await nowhere(scope, receive, send)
        return
    try:
        await sockets(scope, receive, send)
    except (InterfaceError, OperationalError) as error:
        door.failure(error, path=scope["path"], doing="handshake")
        await send({"type": "websocket.close", "code": 1013})


http = BoundedBodies(ThreadedHandler(settings.WEB_THREADS))
doors = ProtocolTypeRouter({"http": http, "websocket": patient_sockets})


async def application(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """What comes, from an address as all parts of the site count it."""
    if scope.get("client"):
        address, *port = scope["client"]
        scope = {**scope, "client": (visitor.plain(address), *port)}
    await doors(scope, receive, send)
