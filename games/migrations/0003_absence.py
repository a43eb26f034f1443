from django.conf import settings
from django.db import migrations, models

import games.models


def note_since_when(apps, schema_editor):
    """Who is asked at a running table has been at least since its last row."""
    seats = apps.get_model("games", "Seat").objects
    for table in apps.get_model("games", "Table").objects.filter(status="playing"):
        seats.filter(table=table).update(asked_since=table.moved_at)


class Migration(migrations.Migration):
    dependencies = [
        ("games", "0002_names_and_mail"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AlterField(
            "table",
            "absence",
            models.CharField(
                max_length=10,
                choices=[
                    ("zombie", "The game plays for them"),
                    ("forfeit", "They lose"),
                    ("ask", "The others decide"),
                ],
            ),
        ),
        migrations.AlterField(
            "seat",
            "user",
            models.ForeignKey(
                null=True,
                on_delete=games.models.vacate,
                related_name="seats",
                to=settings.AUTH_USER_MODEL,
            ),
        ),
        migrations.AddField("seat", "asked_since", models.DateTimeField(null=True)),
        migrations.AddField("seat", "overdue_since", models.DateTimeField(null=True)),
        migrations.RunPython(note_since_when, migrations.RunPython.noop),
    ]
