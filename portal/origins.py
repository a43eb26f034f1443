"""Whose pages may open a socket: those of this site alone, as with forms."""

from typing import Any
from urllib.parse import urlsplit

from channels.security.websocket import WebsocketDenier
from django.conf import settings
from django.http.request import split_domain_port, validate_host
from django.utils.http import is_same_domain


class OwnPages:
    """An ASGI application that turns sockets of other origins away (403). Another port of the same host is another
    origin, to which browsers send the same cookies."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def __call__(self, scope: dict[str, Any], receive: Any, send: Any) -> None:
        answer = self.app if is_ours(scope) else WebsocketDenier()
        await answer(scope, receive, send)


def is_ours(scope: dict[str, Any]) -> bool:
    """Whether the page is at the host and port that it asks, or of ``CSRF_TRUSTED_ORIGINS``."""
    headers = dict(scope["headers"])
    origin, host = (
        headers.get(name, b"").decode("latin-1").lower() for name in (b"origin", b"host")
    )
    try:
        found = urlsplit(origin)
    except ValueError:  # no address at all
        return False
    if found.scheme not in ("http", "https") or origin != f"{found.scheme}://{found.netloc}":
        return False
    if any(_is_trusted(found.scheme, found.netloc, one) for one in settings.CSRF_TRUSTED_ORIGINS):
        return True
    domain, _ = split_domain_port(host)
    return found.netloc == host and validate_host(domain, settings.ALLOWED_HOSTS)


def _is_trusted(scheme: str, place: str, pattern: str) -> bool:
    """As Django has it for forms: ``https://*.example.org`` are all below it."""
    trusted = urlsplit(pattern.lower())
    return scheme == trusted.scheme and is_same_domain(place, trusted.netloc.removeprefix("*"))
