"""Guests: how they come to tables and pages, and what they bring along when they log in to an account."""

from typing import Any

from django.http import HttpRequest

from games import services
from games.engine import GameError
from games.errors import SlowDown
from portal import people
from portal.models import User
from wiki.errors import WikiError
from wiki.services import drafts, notices, watch


class Blocked(GameError):
    """Nobody becomes a guest from this address."""

    status = 403

    def __init__(self, reason: str) -> None:
        super().__init__("address_blocked", reason)


def guest_at_a_table(request: HttpRequest) -> User:
    """A guest for a stranger who wants to play. Raises ``SlowDown``, ``Blocked``."""
    try:
        return people.new_guest(request)
    except people.TooManyGuests as error:
        raise SlowDown(str(error)) from error
    except people.AddressBlocked as error:
        raise Blocked(str(error)) from error


def guest_who_writes(request: HttpRequest) -> User:
    """The person of this request; a stranger who wants to save a page is a guest from now on. Raises
    WikiError ``slow_down``, ``address_blocked``."""
    try:
        return people.make_guest(request)
    except people.TooManyGuests as error:
        raise WikiError("slow_down", str(error), status=429) from error
    except people.AddressBlocked as error:
        raise WikiError("address_blocked", str(error), status=403) from error


def bring_along(sender: Any, request: HttpRequest, user: User, **_: Any) -> None:
    """On ``user_logged_in``: the seats, tables, notes, notices, watched pages and drafts of the guest of this session become
    the account's. What the guest wrote in the wiki stays under the guest's name."""
    guest = getattr(request, "guest", None)
    if guest is None or guest.pk == user.pk:  # nobody was here, or the guest signed up
        return
    services.hand_over(guest=guest, account=user)
    watch.hand_over(guest=guest, account=user)
    drafts.hand_over(guest=guest, account=user)
    notices.hand_over(guest=guest, account=user)
