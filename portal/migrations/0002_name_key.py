from django.db import migrations, models

import portal.models
from portal.names import name_key


def fill(apps, schema_editor):
    """Give each name its key; the later of two that look alike keeps its name and gets a key of its own."""
    people = apps.get_model("portal", "User").objects
    taken = set()
    for person in people.order_by("pk").iterator():
        key = name_key(person.username)
        if key in taken:
            key = f"{key} {person.pk}"
        taken.add(key)
        people.filter(pk=person.pk).update(name_key=key)


class Migration(migrations.Migration):
    dependencies = [("portal", "0001_initial")]

    operations = [
        migrations.AddField(
            model_name="user",
            name="name_key",
            field=models.CharField(max_length=600, null=True, editable=False),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
        migrations.AlterField(
            model_name="user",
            name="name_key",
            field=portal.models.NameKeyField(max_length=600, unique=True, editable=False),
        ),
    ]
