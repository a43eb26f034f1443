from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0003_absence")]

    operations = [
        migrations.AddField("table", "migrated", models.BooleanField(default=False)),
        migrations.AddField("table", "stopped_at", models.DateTimeField(null=True)),
    ]
