import django.db.models.deletion
import games.ids
import games.models
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.ids.new_public_id, max_length=8, unique=True)),
                ('game', models.CharField(db_index=True, max_length=40)),
                ('version', models.PositiveIntegerField()),
                ('migrated', models.BooleanField(default=False)),
                ('options', models.JSONField(default=dict)),
                ('status', models.CharField(choices=[('open', 'Open'), ('playing', 'Being played'), ('finished', 'Finished'), ('abandoned', 'Abandoned')], default='open', max_length=10)),
                ('ply', models.PositiveIntegerField(default=0)),
                ('snapshot', models.TextField(blank=True)),
                ('seed', models.BinaryField(max_length=32, null=True)),
                ('seed_hash', models.CharField(blank=True, max_length=64)),
                ('pace', models.CharField(max_length=20)),
                ('bank', models.PositiveBigIntegerField(null=True)),
                ('increment', models.PositiveBigIntegerField(default=0)),
                ('cap', models.PositiveBigIntegerField(default=0)),
                ('absence', models.CharField(choices=[('zombie', 'The game plays for them'), ('forfeit', 'They lose'), ('ask', 'The others decide')], max_length=10)),
                ('visibility', models.CharField(choices=[('listed', 'Everybody'), ('unlisted', 'People with the link')], default='listed', max_length=10)),
                ('may_take_over', models.BooleanField(default=True)),
                ('help_revision', models.BigIntegerField(null=True)),
                ('outcome', models.JSONField(null=True)),
                ('created_at', models.DateTimeField()),
                ('started_at', models.DateTimeField(null=True)),
                ('moved_at', models.DateTimeField(null=True)),
                ('finished_at', models.DateTimeField(null=True)),
                ('stopped_at', models.DateTimeField(null=True)),
                ('deserted_at', models.DateTimeField(null=True)),
                ('host', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='hosted_tables', to=settings.AUTH_USER_MODEL)),
                ('rematch_of', models.OneToOneField(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='rematch', to='games.table')),
            ],
        ),
        migrations.CreateModel(
            name='SeatNote',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField()),
                ('data', models.JSONField()),
                ('saved_at', models.DateTimeField()),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='notes', to='games.table')),
            ],
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('index', models.PositiveSmallIntegerField()),
                ('kind', models.CharField(choices=[('open', 'Open'), ('person', 'Person'), ('bot', 'Bot')], default='open', max_length=6)),
                ('kept_name', models.CharField(blank=True, max_length=150)),
                ('bot_level', models.PositiveSmallIntegerField(default=2)),
                ('zombie', models.BooleanField(default=False)),
                ('since', models.PositiveIntegerField(default=0)),
                ('asked_at', models.PositiveIntegerField(default=0)),
                ('asked_since', models.DateTimeField(null=True)),
                ('bank', models.BigIntegerField(null=True)),
                ('expires_at', models.DateTimeField(null=True)),
                ('overdue_since', models.DateTimeField(null=True)),
                ('told_turn', models.PositiveIntegerField(null=True)),
                ('told_end', models.PositiveIntegerField(null=True)),
                ('rank', models.PositiveSmallIntegerField(null=True)),
                ('score', models.IntegerField(null=True)),
                ('user', models.ForeignKey(null=True, on_delete=games.models.vacate, related_name='seats', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.table')),
            ],
            options={
                'ordering': ['index'],
            },
        ),
        migrations.CreateModel(
            name='Ply',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=10)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('origin', models.CharField(max_length=10)),
                ('action', models.JSONField(null=True)),
                ('lines', models.JSONField(default=list)),
                ('rng', models.PositiveBigIntegerField(default=0)),
                ('barrier', models.BooleanField(default=False)),
                ('key', models.CharField(max_length=64, null=True)),
                ('given', models.BigIntegerField(default=0)),
                ('at', models.DateTimeField()),
                ('undone_by', models.PositiveIntegerField(null=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='plies', to='games.table')),
            ],
            options={
                'ordering': ['number'],
            },
        ),
        migrations.CreateModel(
            name='ChatMessage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=150)),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('text', models.CharField(max_length=500)),
                ('at', models.DateTimeField()),
                ('key', models.CharField(max_length=64, null=True)),
                ('user', models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='chat', to='games.table')),
            ],
            options={
                'ordering': ['id'],
            },
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(fields=['status', 'visibility', 'created_at'], name='games_table_status_4a665d_idx'),
        ),
        migrations.AddIndex(
            model_name='table',
            index=models.Index(condition=models.Q(('deserted_at__isnull', False)), fields=['deserted_at'], name='deserted_tables'),
        ),
        migrations.AddConstraint(
            model_name='seatnote',
            constraint=models.UniqueConstraint(fields=('table', 'seat'), name='one_note_for_each_seat'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('expires_at__isnull', False)), fields=['expires_at'], name='running_clocks'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'index'), name='one_seat_of_each_index'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('table', 'user'), name='one_seat_for_each_person'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.UniqueConstraint(fields=('table', 'number'), name='one_row_of_each_number'),
        ),
        migrations.AddConstraint(
            model_name='ply',
            constraint=models.UniqueConstraint(fields=('table', 'seat', 'user', 'key'), name='one_row_for_each_key'),
        ),
        migrations.AddConstraint(
            model_name='chatmessage',
            constraint=models.UniqueConstraint(fields=('table', 'user', 'key'), name='one_message_for_each_key'),
        ),
    ]
