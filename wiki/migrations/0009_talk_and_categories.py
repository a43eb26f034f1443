from django.db import migrations


def find_again(apps, schema_editor):
    """Pages called "Talk:..." and "Category:..." from before these were kinds of pages: let their names
    mean what they mean now, unless another page has the name meanwhile."""
    from wiki.titles import make_slug, split_namespace, title_key

    Page, PageName = apps.get_model("wiki", "Page"), apps.get_model("wiki", "PageName")
    PageLink = apps.get_model("wiki", "PageLink")
    for name in PageName.objects.filter(title__contains=":").iterator():
        key = title_key(name.title)
        if key != name.key and not PageName.objects.filter(key=key).exists():
            name.key, name.slug = key, make_slug(name.title)
            name.save(update_fields=["key", "slug"])
            PageLink.objects.filter(key=key, target=None).update(target=name.page_id)
    for page in Page.objects.filter(namespace="", title__contains=":").iterator():
        kind, rest = split_namespace(page.title)
        if kind not in ("talk", "category") or page.game:
            continue
        if not PageName.objects.filter(page=page, key=title_key(page.title)).exists():
            continue
        page.namespace = kind
        about = PageName.objects.filter(key=title_key(rest)).first() if kind == "talk" else None
        if about and about.page_id != page.pk and not Page.objects.filter(subject=about.page_id).exists():
            page.subject_id = about.page_id
        page.save(update_fields=["namespace", "subject"])


class Migration(migrations.Migration):
    dependencies = [("wiki", "0008_drafts_of_translations")]
    operations = [migrations.RunPython(find_again, migrations.RunPython.noop)]
