"""Sockets live as long as the session by which they were opened, and no longer."""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user

from games.services.hints import session_hint


def group_of_session(key: str) -> str:
    """The channel layer's group of the sockets of a session; the key itself is nobody's business."""
    return f"session.{sha256(key.encode()).hexdigest()[:32]}"


def still_logged_in(key: str | None, user: Any) -> bool:
    """Whether the session of this key is still that of ``user``: nobody logged out, signed up or
    changed the password since."""
    if key is None:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    found: Any = get_user(SimpleNamespace(session=session))
    return bool(found.pk is not None and found.pk == user.pk)


def tell_logged_out(request: Any, **_: Any) -> None:
    """On ``user_logged_out``: the sockets of this session close."""
    key = request.session.session_key
    if key is not None:
        session_hint(group_of_session(key))
