"""People: guests made in one click, guests who become accounts."""

import hashlib
import logging
import secrets
from datetime import datetime, timedelta
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.auth import login
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.db import IntegrityError, OperationalError, transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from redis.exceptions import RedisError

from games.realtime.sessions import tell_all_sessions
from portal import addresses, blocks, names
from portal.models import User
from portal.visitor import network
from wiki.models import Revision

logger = logging.getLogger(__name__)

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
SEEN_EVERY = timedelta(minutes=10)  # how exactly ``last_seen`` is kept
SENT_TWICE = timedelta(minutes=5)  # within which the same form is the same click
HERE = timedelta(minutes=15)  # somebody seen so lately is here and needs no mail


class TooManyGuests(Exception):
    """More guests came from one address within an hour than people who share it would make."""

    def __init__(self) -> None:
        super().__init__(
            "Very many guests came from your address in the last hour. Sign up, log in, or try again later."
        )


class AddressBlocked(Exception):
    """A moderator blocked the address from which somebody wants to become a guest."""


def make_guest(request: HttpRequest) -> User:
    """The person of this session; where nobody is logged in, a new guest, logged in at once. Raises
    ``TooManyGuests``, ``AddressBlocked``."""
    if request.user.is_authenticated:
        return request.user
    guest = new_guest(request)
    welcome(request, guest)
    return guest


def new_guest(request: HttpRequest) -> User:
    """A guest for a stranger, not logged in yet: the same one where the same form was sent just now, as by
    a double click. Raises ``TooManyGuests``, ``AddressBlocked``."""
    if blocked := addresses.block_on(request.META.get("REMOTE_ADDR", "")):
        raise AddressBlocked(addresses.sentence(blocked))
    form = form_of(request)
    if (guest := guest_by(form)) is not None:
        return guest
    _count_guests(request.META.get("REMOTE_ADDR", ""))
    return create_guest(form)


def form_of(request: HttpRequest) -> str | None:
    """Names the form that a stranger sent: it has a token of its own each time it is shown, which only the
    browser that was shown it can send."""
    secret = request.COOKIES.get(settings.CSRF_COOKIE_NAME, "")
    token = request.POST.get("csrfmiddlewaretoken", "")
    if not secret or not token:
        return None
    return hashlib.sha256(f"{secret}\n{token}".encode(errors="replace")).hexdigest()


def guest_by(form: str | None) -> User | None:
    """The guest who came by ``form`` just now, who is no account yet."""
    if form is None:
        return None
    since = timezone.now() - SENT_TWICE
    guests = User.objects.filter(is_guest=True, is_active=True, date_joined__gt=since)
    return guests.filter(guest_form=form).first()


def welcome(request: HttpRequest, guest: User) -> None:
    """Log ``guest`` in with this request."""
    login(request, guest, backend=MODEL_BACKEND)


def _count_guests(address: str) -> None:
    """One more guest from ``address`` (of IPv6, from its network). Where the count cannot be kept, nobody
    is kept out."""
    if not address or not settings.GUESTS_PER_HOUR:
        return
    key = f"guests.{network(address)}"
    try:
        cache.add(key, 0, timeout=3600)
        count = cache.incr(key)
    except (RedisError, OSError, ValueError) as error:  # ValueError: the hour ended just now
        logger.warning("guests not counted: error=%r", error)
        return
    if count > settings.GUESTS_PER_HOUR:
        raise TooManyGuests


def create_guest(form: str | None = None) -> User:
    """A guest with a name nobody has, ``Guest 4821``, and no way to log in but the session. ``form``: by
    which they came (``form_of``); who came by it at this very moment is the guest."""
    digits = 4
    while True:
        number = 10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1))
        guest = User(username=f"Guest {number}", is_guest=True, last_seen=timezone.now())
        guest.guest_form = form
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:
            if form is not None and User.objects.filter(guest_form=form).exists():
                if (twin := guest_by(form)) is not None:
                    return twin
                form = None  # that one came long ago
                continue
            digits += 1  # the name is taken: try a longer one
            continue
        return guest


def see(user: User, *, now: datetime) -> None:
    """Remember that ``user`` was here; written at most every ten minutes."""
    if user.last_seen is None or now - user.last_seen > SEEN_EVERY:
        try:
            User.objects.filter(pk=user.pk).update(last_seen=now)
        except OperationalError as error:  # no room, or no time: pages are read all the same
            logger.warning("last_seen not kept: user=%s error=%s", user.pk, error)


def tell_new_password(sender: Any, user: User, **_: Any) -> None:
    """On a new password: whoever is logged in by the old one is so no longer, at open tables too."""
    tell_all_sessions(user.pk)


def mail_address(user: User) -> str | None:
    """Where to write to ``user`` now: a confirmed address; None for those who have none or are here."""
    here = user.last_seen is not None and timezone.now() - user.last_seen < HERE
    return None if here else confirmed_address(user)


def confirmed_address(user: User) -> str | None:
    """The address that ``user`` has shown to be theirs, if any."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True)
    address = confirmed.order_by("-primary", "pk").first()
    return None if address is None else address.email


def let_in(user: User) -> bool:
    """Open the account of ``user`` again where its block is over, even where no worker ran."""
    if blocks.lift_what_is_over(now=timezone.now(), person=user):
        user.refresh_from_db()
    return user.is_active


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as allauth makes them, but a guest who signs up keeps the row, and all in it.

    Names under which texts were imported or shipped stay with those texts: whoever signed up by
    such a name would look like their author.
    """

    error_messages = DefaultAccountAdapter.error_messages | {
        "cannot_remove_primary_email": "The main address cannot be removed.",
        "duplicate_email": "This address is yours already.",
        "email_password_mismatch": "Address and password do not fit together.",
        "email_taken": "Another account has this address.",
        "enter_current_password": "This is not your current password.",
        "incorrect_password": "This is not your password.",
        "too_many_login_attempts": "Too many tries. Try again later.",
        "unverified_primary_email": "Confirm your main address first.",
        "username_password_mismatch": "Name and password do not fit together.",
    }

    def login(self, request: HttpRequest, user: User) -> None:
        """Log in; ``request.guest`` is the guest of this session before, if any."""
        if request.user.is_authenticated and request.user.is_guest:
            request.guest = request.user
        super().login(request, user)

    def pre_login(self, request: HttpRequest, user: User, **how: Any) -> HttpResponse | None:
        """Lets nobody in whose account is blocked; one whose block is over, even where no worker ran."""
        if not user.is_active:
            let_in(user)
        return super().pre_login(request, user, **how)

    def respond_user_inactive(self, request: HttpRequest, user: User) -> HttpResponse:
        context = {"blocked": blocks.block_of(user), "person": user}
        return render(request, "account/blocked.html", context, status=403)

    def new_user(self, request: HttpRequest) -> User:
        return getattr(request, "guest", None) or User()

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.is_guest = False
        return super().save_user(request, user, form, commit=commit)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        username = names.shown_name(username)
        names.check_name(username)
        username = super().clean_username(username, shallow=shallow)
        if not shallow:
            _nobody_is_called(username)
        return username


def _nobody_is_called(username: str) -> None:
    """Raises ValidationError where an account, or the author of texts here, has this name or one that
    looks like it."""
    key = names.name_key(username)
    if User.objects.filter(name_key=key).exists():
        raise ValidationError("Somebody here has this name, or one that looks like it.")
    authors = Revision.objects.filter(author=None).values_list("author_name", flat=True).distinct()
    if any(names.name_key(author) == key for author in authors.iterator()):
        raise ValidationError("This name stands under texts here. Please choose another.")
