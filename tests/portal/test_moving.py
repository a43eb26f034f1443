"""``dumpdata`` and ``loaddata`` as docs/operations.md says: from one database to another."""

from io import StringIO
from pathlib import Path

import pytest
from django.core.management import call_command

from portal.models import User
from wiki.models import Page, PageName, Revision
from wiki.services import Draft, edit_page
from wiki.services.delete import delete_page

pytestmark = pytest.mark.django_db
LEFT_OUT = ["contenttypes", "auth.permission", "wiki.searchentry", "wiki.searchname"]
LEFT_OUT += ["wiki.searchword"]


def test_everything_comes_along_deleted_pages_too(tmp_path: Path) -> None:
    mo = User.objects.create_user("Mo", is_staff=True)
    for title in ("Hearts", "Gone"):
        draft = Draft(text=f"{title}.\n\nTwo lines.")
        edit_page(slug=title.lower(), title=title, author=mo, draft=draft)
    delete_page(page_id=Page.objects.get(title="Gone").pk, reason="spam", person=mo)
    before = [list(model._base_manager.order_by("pk").values()) for model in (Page, Revision)]
    path = tmp_path / "all.exact"
    how = {"use_base_manager": True, "format": "exact", "use_natural_foreign_keys": True}
    call_command("dumpdata", exclude=LEFT_OUT, output=str(path), **how)
    Page._base_manager.update(current=None)
    for model in (Revision, PageName, Page):
        model._base_manager.all().delete()
    call_command("loaddata", str(path), stdout=StringIO())
    after = [list(model._base_manager.order_by("pk").values()) for model in (Page, Revision)]
    assert after == before
