import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='ImportSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('site', models.CharField(blank=True, max_length=255)),
                ('kind', models.CharField(max_length=20)),
                ('sha256', models.CharField(max_length=64, unique=True)),
                ('file_name', models.CharField(max_length=255)),
                ('loaded_at', models.DateTimeField(auto_now_add=True)),
                ('feed_owner', models.CharField(blank=True, max_length=255)),
                ('language', models.CharField(blank=True, max_length=16)),
            ],
        ),
        migrations.CreateModel(
            name='Page',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=255)),
                ('slug', models.SlugField(allow_unicode=True, max_length=255, unique=True)),
                ('language', models.CharField(default='en', max_length=16)),
                ('game', models.CharField(blank=True, db_index=True, max_length=64)),
                ('namespace', models.CharField(blank=True, max_length=10)),
                ('protection', models.CharField(choices=[('open', 'Everybody may edit'), ('accounts', 'People with an account may edit'), ('staff', 'Only the staff may edit')], default='open', max_length=10)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
            ],
        ),
        migrations.CreateModel(
            name='PageName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('title', models.CharField(max_length=255)),
                ('key', models.CharField(max_length=255, unique=True)),
                ('slug', models.SlugField(allow_unicode=True, max_length=255)),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='wiki.page')),
            ],
        ),
        migrations.CreateModel(
            name='Revision',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField(default=0)),
                ('author_name', models.CharField(db_index=True, max_length=255)),
                ('timestamp', models.DateTimeField(blank=True, db_index=True, null=True)),
                ('summary', models.TextField(blank=True)),
                ('minor', models.BooleanField(default=False)),
                ('text', models.TextField(blank=True)),
                ('format', models.CharField(default='markdown', max_length=10)),
                ('text_sha1', models.CharField(max_length=40)),
                ('text_state', models.CharField(choices=[('present', 'text'), ('blank', 'blanked'), ('file', 'file not available'), ('missing', 'text not available')], default='present', max_length=10)),
                ('size', models.PositiveIntegerField(default=0)),
                ('delta', models.IntegerField(blank=True, null=True)),
                ('origin_title', models.CharField(blank=True, max_length=255)),
                ('origin_revid', models.BigIntegerField(blank=True, null=True)),
                ('origin_key', models.CharField(blank=True, max_length=700, null=True, unique=True)),
                ('origin_order', models.IntegerField(default=0)),
                ('source_text', models.TextField(blank=True, null=True)),
                ('source_sha256', models.CharField(blank=True, max_length=64)),
                ('converter_version', models.PositiveIntegerField(default=0)),
                ('warnings', models.JSONField(blank=True, default=list)),
                ('rendered', models.TextField(blank=True)),
                ('rendered_toc', models.JSONField(blank=True, default=list)),
                ('rendered_unknown', models.JSONField(blank=True, default=list)),
                ('renderer_version', models.CharField(blank=True, max_length=40)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('author', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='wiki_revisions', to=settings.AUTH_USER_MODEL)),
                ('origin', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='revisions', to='wiki.importsource')),
                ('page', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='revisions', to='wiki.page')),
                ('parent', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wiki.revision')),
            ],
            options={
                'ordering': ['page', 'number'],
            },
        ),
        migrations.AddField(
            model_name='page',
            name='current',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to='wiki.revision'),
        ),
        migrations.AddIndex(
            model_name='revision',
            index=models.Index(fields=['page', 'number'], name='wiki_revisi_page_id_008650_idx'),
        ),
        migrations.AddIndex(
            model_name='revision',
            index=models.Index(fields=['-timestamp', '-id'], name='wiki_revisi_timesta_abadf7_idx'),
        ),
        migrations.AddIndex(
            model_name='revision',
            index=models.Index(fields=['author_name', '-timestamp'], name='wiki_revisi_author__a32723_idx'),
        ),
    ]
