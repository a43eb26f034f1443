"""People: accounts, and guests who become accounts by signing up."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.core.exceptions import ValidationError
from django.db import models
from django.urls import reverse
from django.utils import timezone

from portal.names import name_key


class NameKeyField(models.CharField):
    """What no two names have in common: always that of ``username``, whoever saves the row."""

    def pre_save(self, person: Any, add: bool) -> str:
        key = name_key(person.username)
        if person.name_key != f"{key} {person.pk}":  # a name that was here before such keys were
            person.name_key = key
        return str(person.name_key)


# Preferences that are on or off; the table page switches them one at a time.
THEMES = [("auto", "As the device"), ("light", "Light"), ("dark", "Dark")]
SWITCHES = ("confirm_moves", "letter_keys", "sound", "motion")


class User(AbstractUser):
    """A person. A guest is a row with ``is_guest``; signing up makes it an account."""

    # longer than a name: one sign may stand for several
    name_key = NameKeyField(max_length=600, unique=True, editable=False)
    is_guest = models.BooleanField(default=False)
    # names the form by which a guest came, so that the same form sent again is the same guest
    guest_form = models.CharField(max_length=64, null=True, unique=True, editable=False)
    last_seen = models.DateTimeField(null=True, blank=True, db_index=True)
    # choose, then confirm, also where one click would do
    confirm_moves = models.BooleanField(default=False)
    letter_keys = models.BooleanField(default=True)  # single letters are keys at a table
    sound = models.BooleanField(default=False)  # a quiet one when it is one's turn
    motion = models.BooleanField(default=True)  # pieces travel to where they go
    # the language in which pages are read where they are in it, "sr-ec" and "sr-el" Serbian in that
    # script; empty: as the browser asks, in the script in which they are written
    reads = models.CharField(max_length=16, blank=True)
    theme = models.CharField(
        max_length=5,
        default="auto",
        choices=THEMES,
    )

    def clean(self) -> None:
        super().clean()
        others = User.objects.exclude(pk=self.pk)
        if others.filter(name_key=name_key(self.username)).exists():
            reason = "Somebody here has this name, or one that looks like it."
            raise ValidationError({"username": reason})

    def get_absolute_url(self) -> str:
        return reverse("person", args=[self.username])


class Block(models.Model):
    """That an account was blocked: by whom, why, until when. It stays when it is over."""

    person = models.ForeignKey(User, models.CASCADE, related_name="blocks")
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)  # read by the person too
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, db_index=True)  # null: for good
    lifted_at = models.DateTimeField(null=True)  # when it really ended
    wiki_only = models.BooleanField(default=False)  # they may log in and play, and write no pages

    def __str__(self) -> str:
        return f"{self.person_id} since {self.at:%Y-%m-%d}"

    @property
    def is_over(self) -> bool:
        return self.lifted_at is not None or (
            self.until is not None and self.until <= timezone.now()
        )


class AddressBlock(models.Model):
    """That nobody may write pages or become a guest from some addresses. It stays when it is over.

    ``first`` and ``last`` are the range as text that sorts like the addresses: the version, then 32
    hexadecimal digits.
    """

    network = models.CharField(max_length=43)  # "192.0.2.0/24", "2001:db8::/32"
    first = models.CharField(max_length=34)
    last = models.CharField(max_length=34, db_index=True)
    accounts_too = models.BooleanField(default=False)  # else who has an account may write on
    by = models.ForeignKey(User, models.SET_NULL, null=True, related_name="+")
    reason = models.CharField(max_length=200)  # read by whom it stops
    at = models.DateTimeField()
    until = models.DateTimeField(null=True, db_index=True)  # null: for good
    lifted_at = models.DateTimeField(null=True)  # when it was ended before its time

    def __str__(self) -> str:
        return self.network
