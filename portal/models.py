"""People: accounts, and guests who become accounts by signing up."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """A person. A guest is a row with ``is_guest``; signing up turns the same row into an account."""

    is_guest = models.BooleanField(default=False)
    last_seen = models.DateTimeField(null=True, blank=True, db_index=True)
    confirm_moves = models.BooleanField(default=False)  # choose, then confirm, also where one click would do
    theme = models.CharField(max_length=5, default="auto", choices=[("auto", "As the device"), ("light", "Light"), ("dark", "Dark")])
