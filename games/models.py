"""What is kept of a table: its options, its secret seed, its log, and who sits where.

The log (``Ply``) is the truth; ``Table.snapshot`` and the columns of ``Seat`` that are about the
game can be computed again from it. Models hold fields and constraints, nothing happens in ``save``.
"""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models.deletion import Collector
from django.urls import reverse
from django.utils import timezone

from games.ids import dashed, new_public_id
from games.paces import Pace, pace_of


def vacate(
    collector: Collector, field: models.Field[Any, Any], seats: models.QuerySet[Any], using: str
) -> None:
    """``on_delete`` of a seat's person, whoever removes the account and from where.

    At a running table the seat becomes due at once, so that the engine takes it (``Seat.vacant``);
    at a table that has not begun the chair is free again.
    """
    found = list(seats.select_related("table"))
    due, kind = (field.model._meta.get_field(name) for name in ("expires_at", "kind"))
    running = [seat for seat in found if seat.table.status == Table.PLAYING and not seat.zombie]
    collector.add_field_update(due, timezone.now(), running)
    opened = [seat for seat in found if seat.table.status == Table.OPEN]
    collector.add_field_update(kind, Seat.OPEN, opened)
    collector.add_field_update(field, None, found)


class Table(models.Model):
    """One game, from the empty chairs to the result."""

    OPEN, PLAYING, FINISHED, ABANDONED = "open", "playing", "finished", "abandoned"
    EXPIRED = "expired"  # nobody began it in time
    FULL, HOST = "full", "host"
    LISTED, UNLISTED = "listed", "unlisted"
    ZOMBIE, FORFEIT, ASK = "zombie", "forfeit", "ask"

    public_id = models.CharField(max_length=8, unique=True, default=new_public_id)
    game = models.CharField(max_length=40, db_index=True)  # slug
    version = models.PositiveIntegerField()  # of the rules it is played by
    migrated = models.BooleanField(default=False)  # and it began by older ones
    options = models.JSONField(default=dict)
    status = models.CharField(
        max_length=10,
        default=OPEN,
        choices=[
            (OPEN, "Open"),
            (PLAYING, "Being played"),
            (FINISHED, "Finished"),
            (ABANDONED, "Abandoned"),
            (EXPIRED, "Not begun in time"),
        ],
    )
    ply = models.PositiveIntegerField(default=0)  # number of the last row of the log
    snapshot = models.TextField(blank=True)  # ``engine.Snapshot`` as JSON; secret
    seed = models.BinaryField(max_length=32, null=True)  # drawn at the start; secret until the end
    seed_hash = models.CharField(max_length=64, blank=True)  # public from the start
    pace = models.CharField(max_length=20)  # key of ``games.paces``
    bank = models.PositiveBigIntegerField(null=True)  # ms in hand at the start; null: no limit
    increment = models.PositiveBigIntegerField(default=0)  # ms more with each move
    cap = models.PositiveBigIntegerField(default=0)  # ms one may have in hand at most
    absence = models.CharField(
        max_length=10,
        choices=[
            (ZOMBIE, "The game plays for them"),
            (FORFEIT, "They lose"),
            (ASK, "The others decide"),
        ],
    )
    visibility = models.CharField(
        max_length=10,
        default=LISTED,
        choices=[(LISTED, "Everybody"), (UNLISTED, "People with the link")],
    )
    starts = models.CharField(
        max_length=10,
        default=FULL,
        choices=[(FULL, "When every seat is taken"), (HOST, "When the host starts it")],
    )
    least = models.PositiveSmallIntegerField(null=True)  # with fewer it does not start; null: any
    accounts_only = models.BooleanField(default=False)  # guests may look on, not sit down
    may_take_over = models.BooleanField(default=True)  # others may take the seat of one who left
    help_revision = models.BigIntegerField(null=True)  # in force when it started
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_tables"
    )
    rematch_of = models.OneToOneField(
        "self", null=True, on_delete=models.SET_NULL, related_name="rematch"
    )
    outcome = models.JSONField(null=True)  # ``engine.Outcome``
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    moved_at = models.DateTimeField(null=True)  # time of the last row
    finished_at = models.DateTimeField(null=True)
    # found then that the rules of today cannot read it: its clocks are left alone
    stopped_at = models.DateTimeField(null=True)
    deserted_at = models.DateTimeField(null=True)  # since then only bots and zombies sit here

    class Meta:
        indexes = [
            models.Index(fields=["status", "visibility", "created_at"]),
            models.Index(
                fields=["deserted_at"],
                name="deserted_tables",
                condition=models.Q(deserted_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game} {self.dashed_id}"

    def get_absolute_url(self) -> str:
        return reverse("table", args=[self.public_id])

    @property
    def dashed_id(self) -> str:
        """``K7QM-2WXP``, as people read it."""
        return dashed(self.public_id)

    @property
    def is_over(self) -> bool:
        return self.status in (self.FINISHED, self.ABANDONED, self.EXPIRED)

    @property
    def pace_info(self) -> Pace:
        return pace_of(self.pace)


class Seat(models.Model):
    """A chair at a table. ``kind`` person with ``zombie``: the engine plays until ``user`` returns."""

    OPEN, PERSON, BOT = "open", "person", "bot"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="seats")
    index = models.PositiveSmallIntegerField()
    kind = models.CharField(
        max_length=6,
        default=OPEN,
        choices=[(OPEN, "Open"), (PERSON, "Person"), (BOT, "Bot")],
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=vacate, related_name="seats"
    )
    kept_name = models.CharField(max_length=150, blank=True)  # a bot's; a person's who is no more
    bot_level = models.PositiveSmallIntegerField(default=2)
    zombie = models.BooleanField(default=False)
    since = models.PositiveIntegerField(
        default=0
    )  # ply from which ``user`` reads this seat's lines
    asked_at = models.PositiveIntegerField(default=0)  # ply at which its question was asked
    asked_since = models.DateTimeField(null=True)  # and the time; null while it is asked nothing
    bank = models.BigIntegerField(null=True)  # ms in hand while its clock stands; null: no limit
    expires_at = models.DateTimeField(null=True)  # its clock runs out; of a bot: it plays then
    # its time ran out then, and the others decide: until ``expires_at``, when the engine plays
    overdue_since = models.DateTimeField(null=True)
    told_turn = models.PositiveIntegerField(
        null=True
    )  # question (``asked_at``) a mail was sent for
    told_end = models.PositiveIntegerField(null=True)  # question whose end a mail warned of
    rank = models.PositiveSmallIntegerField(null=True)
    score = models.IntegerField(null=True)

    class Meta:
        ordering = ["index"]
        constraints = [
            models.UniqueConstraint(fields=["table", "index"], name="one_seat_of_each_index"),
            models.UniqueConstraint(fields=["table", "user"], name="one_seat_for_each_person"),
        ]
        indexes = [
            models.Index(
                fields=["expires_at"],
                name="running_clocks",
                condition=models.Q(expires_at__isnull=False),
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.index}"

    @property
    def automatic(self) -> bool:
        """Played by the engine: a bot, or a zombie."""
        return self.kind == self.BOT or self.zombie

    @property
    def vacant(self) -> bool:
        """Its person's account is no more, and the engine has not taken the seat yet."""
        return self.kind == self.PERSON and self.user_id is None and not self.zombie

    @property
    def name(self) -> str:
        if self.user is not None:
            return self.user.get_username()
        return "Free seat" if self.kind == self.OPEN else self.kept_name


class Ply(models.Model):
    """One row of a table's log; number 0 is the set-up. Of the game only ``undone_by`` is ever set later; persons
    change where a guest logs in to an account, or is no more."""

    PLAYER, ZOMBIE, BOT, CLOCK, MODERATOR = "player", "zombie", "bot", "clock", "moderator"

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="plies")
    number = models.PositiveIntegerField()
    kind = models.CharField(
        max_length=10
    )  # start, act, undo, time-out, leave, return, take-over, system
    seat = models.PositiveSmallIntegerField(null=True)
    origin = models.CharField(max_length=10)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    action = models.JSONField(null=True)  # secret: may hold a hidden choice
    lines = models.JSONField(default=list)  # of ``engine.Line``: text and who may read it
    rng = models.PositiveBigIntegerField(default=0)
    barrier = models.BooleanField(default=False)
    key = models.CharField(max_length=64, null=True)  # the client's, so that it can send again
    given = models.BigIntegerField(default=0)  # ms the clock got for it, taken back by an undo
    at = models.DateTimeField()
    undone_by = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_row_of_each_number"),
            models.UniqueConstraint(
                fields=["table", "seat", "user", "key"], name="one_row_for_each_key"
            ),
        ]
        indexes = [
            models.Index(fields=["table"], condition=models.Q(kind="take-over"), name="take_overs")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}:{self.number} {self.kind}"


class ChatMessage(models.Model):
    """Something said at a table."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="chat")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(max_length=150)  # of the person when it was said
    seat = models.PositiveSmallIntegerField(null=True)
    text = models.CharField(max_length=500)
    at = models.DateTimeField()
    key = models.CharField(max_length=64, null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["table", "user", "key"], name="one_message_for_each_key"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.name}"


class SeatNote(models.Model):
    """What a person at the table keeps for themselves; outside the log, and nobody else reads it."""

    table = models.ForeignKey(Table, on_delete=models.CASCADE, related_name="notes")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    text = models.TextField(blank=True)
    marks = models.JSONField(null=True)  # in the shape of the game's ``notes_type``
    version = models.PositiveIntegerField(default=0)  # how often it was changed
    saved_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["table", "user"], name="one_note_for_each_person")
        ]

    def __str__(self) -> str:
        return f"{self.table_id}: {self.user_id}"
