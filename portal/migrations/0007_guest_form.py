from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('portal', '0006_reads'),
    ]

    operations = [
        migrations.AddField(
            model_name='user',
            name='guest_form',
            field=models.CharField(editable=False, max_length=64, null=True, unique=True),
        ),
    ]
