"""The bytes of pictures in an archive: ``files/<SHA-256>.<kind>``, as they lie in the media folder."""

import zipfile

from django.db.models import QuerySet

from wiki.files import store
from wiki.models import FileVersion, Page


def put_pictures(archive: zipfile.ZipFile, pages: QuerySet[Page], *, everything: bool) -> int:
    """Add all pictures of ``pages``, each once; how many bytes are missing on the disk."""
    rows = FileVersion.objects.filter(page__in=pages.order_by())
    if not everything:
        rows = rows.filter(hidden_at=None)
    missing = 0
    for sha256, kind in rows.order_by().values_list("sha256", "kind").distinct():
        path = store.original(sha256, kind)
        if path.exists():
            archive.write(path, f"files/{path.name}", compress_type=zipfile.ZIP_STORED)
        else:
            missing += 1
    return missing
