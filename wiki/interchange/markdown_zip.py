"""The current texts as an archive for other programs: one ``.md`` for each page, and the pictures.

A page's file begins with its facts (title, language, aliases, authors ...) between lines of ``---``, as
programs for sites of Markdown want them; the values are JSON, which is YAML too.
"""

import json
import zipfile
from pathlib import Path

from django.db.models import QuerySet

from wiki.files.reading import current_versions
from wiki.files.store import original
from wiki.models import Page, Revision
from wiki.services.history import KNOWN

FOLDERS = {"": "pages", "talk": "talk", "category": "categories", "file": "files"}
MOST_AUTHORS = 50


def write(path: Path, pages: QuerySet[Page]) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for page in pages.select_related("current").iterator(chunk_size=100):
            if page.current is None or page.current.text_state not in KNOWN:
                continue
            archive.writestr(f"{FOLDERS[page.namespace]}/{page.slug}.md", markdown(page))
            if page.namespace == "file" and (now := current_versions([page.pk]).get(page.pk)):
                picture = original(now.sha256, now.kind)
                if picture.exists():
                    archive.write(picture, f"files/{page.slug}.{now.kind}", zipfile.ZIP_STORED)


def markdown(page: Page) -> str:
    """The file of a page whose ``current`` text is known."""
    current = page.current
    names = page.names.exclude(title=page.title).order_by("pk")
    rows = page.revisions.filter(author_hidden=False, event=Revision.Event.EDIT).order_by()
    authors = rows.values_list("author_name", flat=True).distinct()
    facts = {
        "title": page.title,
        "slug": page.slug,
        "language": page.language,
        "game": page.game,
        "aliases": list(names.values_list("title", flat=True)),
        "redirect": page.redirect_title,
        "revision": current.pk,
        "changed": current.timestamp.isoformat() if current.timestamp else "",
        "authors": sorted(authors[:MOST_AUTHORS]),
    }
    lines = [
        f"{name}: {json.dumps(value, ensure_ascii=False)}" for name, value in facts.items() if value
    ]
    return "\n".join(["---", *lines, "---", "", current.text])
