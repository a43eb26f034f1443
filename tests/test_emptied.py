"""A database that was emptied after a test has what follows the migrations, as Django would make it."""

import pytest
from django.apps import apps
from django.contrib.auth.models import Group
from django.core.management import call_command
from django.core.management.sql import emit_post_migrate_signal

Rows = list[tuple[str, list[tuple[object, ...]]]]


def rows() -> Rows:
    """Of every table, without the ids that links between two others have."""
    found = [
        (model._meta.label, sorted(model.objects.values_list(*names)))
        for model in apps.get_models()
        if (names := [field.attname for field in model._meta.concrete_fields])
    ]
    links = Group.permissions.through.objects.values_list("group_id", "permission_id")
    return [*found, ("links", sorted(links))]


@pytest.mark.django_db(transaction=True)
def test_an_emptied_database_has_all_that_follows_migrations() -> None:
    Group.objects.all().delete()
    call_command("flush", interactive=False, verbosity=0, reset_sequences=False)
    before = rows()
    made = {label for label, there in before if there}
    assert made == {"auth.Group", "auth.Permission", "contenttypes.ContentType", "links"}
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")
    assert rows() == before
    call_command(
        "flush", interactive=False, verbosity=0, reset_sequences=False, inhibit_post_migrate=True
    )
    emit_post_migrate_signal(verbosity=0, interactive=False, db="default")
    anew = {label for label, there in rows() if there}
    assert anew == made
    assert [len(there) for _, there in rows()] == [len(there) for _, there in before]
