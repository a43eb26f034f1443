from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0001_initial")]

    operations = [
        migrations.RenameField("seat", "bot_name", "kept_name"),
        migrations.AlterField(
            "seat", "kept_name", models.CharField(blank=True, max_length=150)
        ),
        migrations.AddField(
            "seat", "told_turn", models.PositiveIntegerField(null=True)
        ),
        migrations.AddField(
            "seat", "told_end", models.PositiveIntegerField(null=True)
        ),
    ]
