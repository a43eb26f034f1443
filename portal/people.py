"""People: guests made in one click, guests who become accounts."""

import re
import secrets
from datetime import datetime, timedelta

from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.models import EmailAddress
from django.contrib.auth import login
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import Form
from django.http import HttpRequest
from django.utils import timezone

from portal.models import User
from wiki.models import Revision

MODEL_BACKEND = "django.contrib.auth.backends.ModelBackend"
GUEST_NAME = re.compile(r"guest[\W_]*\d*$", re.IGNORECASE)
SEEN_EVERY = timedelta(minutes=10)  # how exactly ``last_seen`` is kept
HERE = timedelta(minutes=15)  # somebody seen so lately is here and needs no mail


def make_guest(request: HttpRequest) -> User:
    """The person of this session; where nobody is logged in, a new guest, logged in at once."""
    if request.user.is_authenticated:
        return request.user
    guest = create_guest()
    login(request, guest, backend=MODEL_BACKEND)
    return guest


def create_guest() -> User:
    """A guest with a name nobody has, ``Guest 4821``, and no way to log in but the session."""
    digits = 4
    while True:
        number = 10 ** (digits - 1) + secrets.randbelow(9 * 10 ** (digits - 1))
        guest = User(username=f"Guest {number}", is_guest=True, last_seen=timezone.now())
        guest.set_unusable_password()
        try:
            with transaction.atomic():
                guest.save()
        except IntegrityError:  # the name is taken: try a longer one
            digits += 1
            continue
        return guest


def see(user: User, *, now: datetime) -> None:
    """Remember that ``user`` was here; written at most every ten minutes."""
    if user.last_seen is None or now - user.last_seen > SEEN_EVERY:
        User.objects.filter(pk=user.pk).update(last_seen=now)


def mail_address(user: User) -> str | None:
    """Where to write to ``user`` now: a confirmed address; None for those who have none or are here."""
    here = user.last_seen is not None and timezone.now() - user.last_seen < HERE
    return None if here else confirmed_address(user)


def confirmed_address(user: User) -> str | None:
    """The address that ``user`` has shown to be theirs, if any."""
    confirmed = EmailAddress.objects.filter(user=user, verified=True)
    address = confirmed.order_by("-primary", "pk").first()
    return None if address is None else address.email


class AccountAdapter(DefaultAccountAdapter):
    """Accounts as allauth makes them, but a guest who signs up keeps the row, and all in it.

    Names under which texts were imported or shipped stay with those texts: whoever signed up by
    such a name would look like their author.
    """

    def new_user(self, request: HttpRequest) -> User:
        return getattr(request, "guest", None) or User()

    def save_user(self, request: HttpRequest, user: User, form: Form, commit: bool = True) -> User:
        user.is_guest = False
        return super().save_user(request, user, form, commit=commit)

    def clean_username(self, username: str, shallow: bool = False) -> str:
        if GUEST_NAME.match(username):
            raise ValidationError("Names of this kind are for guests. Please choose another.")
        if not any(mark.isalnum() for mark in username):  # no address holds "..", say
            raise ValidationError("A name needs at least one letter or digit.")
        if not shallow and Revision.objects.filter(author=None, author_name__iexact=username):
            raise ValidationError("This name stands under texts here. Please choose another.")
        return super().clean_username(username, shallow=shallow)
