from types import SimpleNamespace

from django.db import migrations


def write_down(apps, schema_editor):
    """What the current texts name, and the pages these names lead to now."""
    from wiki.markup import render
    from wiki.redirects import redirect_of
    from wiki.markup.links import MARKS
    from wiki.services.links import names_in, redirect_key

    Page, PageName = apps.get_model("wiki", "Page"), apps.get_model("wiki", "PageName")
    PageLink = apps.get_model("wiki", "PageLink")
    places = dict(PageName.objects.values_list("key", "page_id"))
    pages = Page.objects.filter(current__text_state="present", links=None)
    for page in pages.select_related("current").iterator():
        text = page.current.text
        if not any(mark in text for mark in MARKS):
            continue
        names = names_in(render(text, page=SimpleNamespace(pk=page.pk, title=page.title)))
        PageLink.objects.bulk_create(
            PageLink(source=page, kind=kind, key=key, title=title, target_id=places.get(key))
            for (kind, key), title in names.items()
        )
        if (target := redirect_of(text)) and len(target) <= 255:
            page.redirect_title, page.redirect_to_id = target, places.get(redirect_key(target))
            page.save(update_fields=["redirect_title", "redirect_to"])


class Migration(migrations.Migration):
    dependencies = [("wiki", "0004_the_wiki_whole")]
    operations = [migrations.RunPython(write_down, migrations.RunPython.noop)]
