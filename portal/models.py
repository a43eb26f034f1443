"""People: accounts, and guests who become accounts by signing up."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.urls import reverse


class User(AbstractUser):
    """A person. A guest is a row with ``is_guest``; signing up makes it an account."""

    is_guest = models.BooleanField(default=False)
    last_seen = models.DateTimeField(null=True, blank=True, db_index=True)
    # choose, then confirm, also where one click would do
    confirm_moves = models.BooleanField(default=False)
    letter_keys = models.BooleanField(default=True)  # single letters are keys at a table
    theme = models.CharField(
        max_length=5,
        default="auto",
        choices=[("auto", "As the device"), ("light", "Light"), ("dark", "Dark")],
    )

    def get_absolute_url(self) -> str:
        return reverse("person", args=[self.username])
