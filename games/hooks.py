"""What games need from the rest of the site, without importing it.

``portal`` composes games and wiki; it registers its functions here when it starts
(``hooks.register(help_page=..., new_guest=..., welcome=..., mail_address=...)``). Until then there is no
help page, nobody becomes a guest, and nobody gets mail.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from django.http import HttpRequest


class HelpPage(NamedTuple):
    """Where the rules of a game stand, and the id of the revision that is read there now."""

    url: str
    revision: int | None


_help_page: Callable[[str], HelpPage | None] | None = None
_new_guest: Callable[[HttpRequest], Any] | None = None
_welcome: Callable[[HttpRequest, Any], None] | None = None
_mail_address: Callable[[Any], str | None] | None = None


def register(
    *,
    help_page: Callable[[str], HelpPage | None] | None = None,
    new_guest: Callable[[HttpRequest], Any] | None = None,
    welcome: Callable[[HttpRequest, Any], None] | None = None,
    mail_address: Callable[[Any], str | None] | None = None,
) -> None:
    """Set the functions that are given; the others stay as they are."""
    global _help_page, _new_guest, _welcome, _mail_address
    _help_page = help_page or _help_page
    _new_guest = new_guest or _new_guest
    _welcome = welcome or _welcome
    _mail_address = mail_address or _mail_address


def help_page(slug: str) -> HelpPage | None:
    """The help page of game ``slug``; None where there is none."""
    return _help_page(slug) if _help_page is not None else None


def new_guest(request: HttpRequest) -> Any:
    """A new guest for a stranger's request. Raises ``SlowDown`` where too many came from that address, and
    ``PermissionError`` where nobody made guests possible."""
    if _new_guest is None:
        raise PermissionError("No way to make guests has been registered.")
    return _new_guest(request)


def welcome(request: HttpRequest, guest: Any) -> None:
    """Log ``guest`` in with this request."""
    if _welcome is None:
        raise PermissionError("No way to log guests in has been registered.")
    _welcome(request, guest)


def mail_address(user: Any) -> str | None:
    """Where to write to ``user`` now; None for those who are here, or want no mail."""
    return _mail_address(user) if _mail_address is not None else None
