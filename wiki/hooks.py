"""What the wiki needs from the rest of the site, without importing it.

``portal`` composes games and wiki; it registers its functions here when it starts. Until then nobody
becomes a guest, nobody gets mail and no socket is told anything.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest

from portal.models import User

_make_guest: Callable[[HttpRequest], User] | None = None
_mail_address: Callable[[User], str | None] | None = None
_confirmed_address: Callable[[User], str | None] | None = None
_let_in: Callable[[User], bool] | None = None
_refuse_blocked: Callable[[User | AnonymousUser], None] | None = None
_tell_sockets: Callable[[str, dict[str, Any]], None] | None = None


def register(
    *,
    make_guest: Callable[[HttpRequest], User] | None = None,
    mail_address: Callable[[User], str | None] | None = None,
    confirmed_address: Callable[[User], str | None] | None = None,
    let_in: Callable[[User], bool] | None = None,
    refuse_blocked: Callable[[User | AnonymousUser], None] | None = None,
    tell_sockets: Callable[[str, dict[str, Any]], None] | None = None,
) -> None:
    """Set the functions that are given; the others stay as they are."""
    global _make_guest, _mail_address, _confirmed_address, _let_in, _refuse_blocked, _tell_sockets
    _refuse_blocked = refuse_blocked or _refuse_blocked
    _make_guest = make_guest or _make_guest
    _mail_address = mail_address or _mail_address
    _confirmed_address = confirmed_address or _confirmed_address
    _let_in = let_in or _let_in
    _tell_sockets = tell_sockets or _tell_sockets


def make_guest(request: HttpRequest) -> User:
    """The person of this request; a stranger becomes a guest, logged in at once. Raises WikiError
    ``slow_down``, and PermissionError where nobody made guests possible."""
    if _make_guest is None:
        raise PermissionError("No way to make guests has been registered.")
    return _make_guest(request)


def mail_address(user: User) -> str | None:
    """Where to write to ``user`` now; None for those who are here, or have shown no address."""
    return _mail_address(user) if _mail_address is not None else None


def confirmed_address(user: User) -> str | None:
    """The address that ``user`` has shown to be theirs, if any."""
    return _confirmed_address(user) if _confirmed_address is not None else None


def let_in(user: User) -> bool:
    """Whether the block of ``user``, whose account is closed, is over by now; then it is open again."""
    return _let_in is not None and _let_in(user)


def refuse_blocked(person: User | AnonymousUser) -> None:
    """Raises WikiError where a block keeps ``person`` from writing, or everybody at the address from
    which this request comes."""
    if _refuse_blocked is not None:
        _refuse_blocked(person)


def tell_sockets(group: str, message: dict[str, Any]) -> None:
    """After the commit: hand ``message`` to the sockets of ``group``. It may be lost."""
    if _tell_sockets is not None:
        _tell_sockets(group, message)
