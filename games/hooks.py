"""What games need from the rest of the site, without importing it.

``portal`` composes games and wiki; it registers its functions here when it starts
(``hooks.register(help_revision=..., guest_for=..., mail_address=...)``). Until then there is no help
page, nobody becomes a guest, and nobody gets mail.
"""

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest

_help_revision: Callable[[str], int | None] | None = None
_guest_for: Callable[[HttpRequest], Any] | None = None
_mail_address: Callable[[Any], str | None] | None = None


def register(
    *,
    help_revision: Callable[[str], int | None] | None = None,
    guest_for: Callable[[HttpRequest], Any] | None = None,
    mail_address: Callable[[Any], str | None] | None = None,
) -> None:
    """Set the functions that are given; the others stay as they are."""
    global _help_revision, _guest_for, _mail_address
    _help_revision = help_revision or _help_revision
    _guest_for = guest_for or _guest_for
    _mail_address = mail_address or _mail_address


def help_revision(slug: str) -> int | None:
    """Id of the current revision of the help page of game ``slug``; None where there is none."""
    return _help_revision(slug) if _help_revision is not None else None


def guest_for(request: HttpRequest) -> Any:
    """A new guest, logged in with this request. Raises ``PermissionError`` where nobody made that possible."""
    if _guest_for is None:
        raise PermissionError("No way to make guests has been registered.")
    return _guest_for(request)


def mail_address(user: Any) -> str | None:
    """Where to write to ``user`` now; None for those who are here, or want no mail."""
    return _mail_address(user) if _mail_address is not None else None
