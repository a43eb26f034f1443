from django.db import migrations

# ``heads`` are the terms of title, names and headings alone: by them the hits are put in order, and the
# terms of whole texts are not unpacked for that. Both stay in the row as far as they fit (MAIN): else
# each hit would be fetched from another table. The row is written anew, so that this holds for all.
POSTGRESQL = [
    "ALTER TABLE wiki_searchentry ADD COLUMN heads tsvector "
    "GENERATED ALWAYS AS (ts_filter(terms, '{a,b,c}')) STORED",
    "ALTER TABLE wiki_searchentry ALTER COLUMN terms SET STORAGE MAIN, "
    "ALTER COLUMN heads SET STORAGE MAIN",
    "UPDATE wiki_searchentry SET terms = terms || ''::tsvector",
]
POSTGRESQL_BACK = [
    "ALTER TABLE wiki_searchentry DROP COLUMN heads, ALTER COLUMN terms SET STORAGE EXTENDED",
]


def add_heads(apps, schema_editor):
    run(schema_editor, POSTGRESQL)


def drop_heads(apps, schema_editor):
    run(schema_editor, POSTGRESQL_BACK)


def run(schema_editor, statements):
    """FTS5 looks into single fields by itself."""
    if schema_editor.connection.vendor == "postgresql":
        with schema_editor.connection.cursor() as cursor:
            for statement in statements:
                cursor.execute(statement)


class Migration(migrations.Migration):

    dependencies = [
        ('wiki', '0009_talk_and_categories'),
    ]

    operations = [
        migrations.RunPython(add_heads, drop_heads),
    ]
