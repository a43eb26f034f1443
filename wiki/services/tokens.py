"""Tokens: secrets with which a program reads or writes for a person, by the API."""

import hashlib
import logging
import secrets
from datetime import datetime, timedelta

from django.db import OperationalError, transaction
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import ApiToken
from wiki.titles import fold_spaces

logger = logging.getLogger(__name__)

PREFIX = "parlour_"  # so that a token that got somewhere by mistake is known for one
SECRET_BYTES = 32
MOST_TOKENS = 20  # of one person
MAX_NAME = 100  # characters
USED_EVERY = timedelta(minutes=1)  # how exactly ``used_at`` is kept
# How long a token may last, by the name that a form sends; None: until it is revoked.
LIFETIMES: dict[str, timedelta | None] = {
    "week": timedelta(weeks=1),
    "month": timedelta(days=30),
    "quarter": timedelta(days=90),
    "year": timedelta(days=365),
    "always": None,
}


def hash_of(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()


@transaction.atomic
def make_token(*, user: User, name: str, writes: bool, lifetime: str) -> tuple[ApiToken, str]:
    """A new token of ``user`` and its secret, which is kept nowhere and cannot be told again.

    Raises WikiError ``guests_have_none``, ``no_token_name``, ``long_token_name``, ``token_named``,
    ``bad_lifetime`` or ``too_many_tokens``.
    """
    if not user.is_authenticated or user.is_guest:
        raise WikiError(
            "guests_have_none", "Only people with an account can make tokens.", status=403
        )
    name = fold_spaces("".join(mark if mark.isprintable() else " " for mark in name))
    if not name:
        raise WikiError("no_token_name", "Say what the token is for.")
    if len(name) > MAX_NAME:
        raise WikiError("long_token_name", f"A name can have at most {MAX_NAME} characters.")
    if lifetime not in LIFETIMES:
        raise WikiError("bad_lifetime", "Choose how long the token lasts.")
    User.objects.select_for_update(no_key=True).get(pk=user.pk)  # so that two count right
    if user.api_tokens.filter(name=name).exists():
        raise WikiError(
            "token_named",
            f"You have a token called “{name}” already. Revoke it, or choose another name.",
            status=409,
        )
    if user.api_tokens.count() >= MOST_TOKENS:
        raise WikiError(
            "too_many_tokens",
            f"You have {MOST_TOKENS} tokens already. Revoke one you do not use.",
            status=409,
        )
    secret = PREFIX + secrets.token_urlsafe(SECRET_BYTES)
    lasts = LIFETIMES[lifetime]
    token = ApiToken.objects.create(
        user=user,
        name=name,
        sha256=hash_of(secret),
        writes=writes,
        expires_at=timezone.now() + lasts if lasts else None,
    )
    return token, secret


def revoke_token(*, user: User, token_id: int | None) -> str:
    """End a token of ``user`` at once and return its name. Raises WikiError ``no_such_token``."""
    token = ApiToken.objects.filter(user=user, pk=token_id).first()
    if token is None:
        raise WikiError("no_such_token", "You have no such token (any more).", status=404)
    token.delete()
    return token.name


def token_of(secret: str) -> ApiToken:
    """The token whose secret this is, with its owner; remembers that it was used.

    Raises WikiError ``bad_token``, ``token_expired`` or ``account_closed``.
    """
    token = ApiToken.objects.select_related("user").filter(sha256=hash_of(secret)).first()
    if token is None or token.user.is_guest:
        raise WikiError(
            "bad_token", "There is no such token; it may have been revoked.", status=401
        )
    now = timezone.now()
    if token.expires_at is not None and token.expires_at <= now:
        raise WikiError(
            "token_expired", "This token has expired. Its owner can make another.", status=401
        )
    if not token.user.is_active and not hooks.let_in(token.user):
        raise WikiError(
            "account_closed",
            "The account of this token is blocked or closed: nothing can be done with it.",
            status=403,
        )
    if token.used_at is None or now - token.used_at > USED_EVERY:
        _keep_use(token, now)
    return token


def _keep_use(token: ApiToken, now: datetime) -> None:
    try:
        ApiToken.objects.filter(pk=token.pk).update(used_at=now)
    except OperationalError as error:  # no room, or no time: one may read all the same
        logger.warning("use of a token not kept: token=%s error=%s", token.pk, error)
