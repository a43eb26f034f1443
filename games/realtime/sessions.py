"""Sockets live as long as the session by which they were opened, and no longer."""

from __future__ import annotations

from hashlib import sha256
from importlib import import_module
from types import SimpleNamespace
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user

from games.services.hints import session_hint


def group_of_person(person_id: int) -> str:
    """The channel layer's group of the sockets of a person, in whatever browsers."""
    return f"person.{person_id}"


def digest_of(key: str) -> str:
    """What names a session in messages; the key itself is nobody's business."""
    return sha256(key.encode()).hexdigest()


def still_logged_in(key: str | None, user: Any) -> bool:
    """Whether the session of this key is still that of ``user``: nobody logged out, signed up,
    changed the password or closed the account since."""
    if key is None:
        return False
    session = import_module(settings.SESSION_ENGINE).SessionStore(key)
    found: Any = get_user(SimpleNamespace(session=session))
    return bool(found.pk is not None and found.pk == user.pk)


def tell_logged_out(request: Any, user: Any, **_: Any) -> None:
    """On ``user_logged_out``: the sockets of this session close."""
    key = request.session.session_key
    if key is not None and user is not None:
        session_hint(group_of_person(user.pk), digest_of(key))


def tell_all_sessions(person_id: int) -> None:
    """After the commit, the sockets of a person close: another password, or no account any more. Those
    of a session that goes on open again by themselves."""
    session_hint(group_of_person(person_id))
