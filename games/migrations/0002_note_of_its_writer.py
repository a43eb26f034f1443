"""A note belongs to the person who wrote it, and has a text of its own beside the game's marks."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import OuterRef, Subquery


def find_writers(apps, schema_editor):
    """The person who sits there now; the note of an empty seat is nobody's."""
    note, seat = apps.get_model("games", "SeatNote"), apps.get_model("games", "Seat")
    sitting = seat.objects.filter(table=OuterRef("table"), index=OuterRef("seat"))
    note.objects.update(user=Subquery(sitting.values("user")[:1]))
    note.objects.filter(user=None).delete()


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0001_initial"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.RemoveConstraint("seatnote", "one_note_for_each_seat"),
        migrations.RenameField("seatnote", "data", "marks"),
        migrations.AlterField("seatnote", "marks", models.JSONField(null=True)),
        migrations.AddField("seatnote", "text", models.TextField(blank=True, default=""), False),
        migrations.AddField("seatnote", "version", models.PositiveIntegerField(default=0)),
        migrations.AddField(
            "seatnote",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.RunPython(find_writers, migrations.RunPython.noop, elidable=True),
        migrations.RemoveField("seatnote", "seat"),
        migrations.AlterField(
            "seatnote",
            "user",
            models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddConstraint(
            "seatnote",
            models.UniqueConstraint(fields=["table", "user"], name="one_note_for_each_person"),
        ),
    ]
