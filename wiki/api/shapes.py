"""Rows of the wiki as the API tells them: dictionaries in the shapes of ``wiki.api.schemas``.

What of a revision is hidden from ``request.person`` is None.
"""

from typing import Any

from django.db.models import Q
from django.http import HttpRequest

from wiki.files.reading import covered, pages_showing, picture_address
from wiki.history.diff import Difference, Row, interleave
from wiki.markup.links import resolve
from wiki.markup.sections import sections
from wiki.models import FileVersion, LogEntry, Page, Revision
from wiki.search.snippets import Pieces
from wiki.services import rendered
from wiki.services.edit import EditConflict
from wiki.services.hiding import sees_hidden, visible
from wiki.services.history import KNOWN
from wiki.services.rights import is_reviewer
from wiki.titles import split_namespace

MOST_LINKS = 1_000

Told = dict[str, Any]


def page_ref(page: Page, request: HttpRequest) -> Told:
    return {
        "slug": page.slug,
        "title": page.title,
        "language": page.language,
        "namespace": page.namespace,
        "url": request.build_absolute_uri(page.get_absolute_url()),
    }


def listed_page(page: Page, request: HttpRequest) -> Told:
    """``page`` with a few facts of its ``current`` revision, whose texts may be deferred."""
    now = page.current
    return page_ref(page, request) | {
        "game": page.game,
        "current_id": page.current_id,
        "timestamp": now.timestamp if now else None,
        "size": now.size if now else None,
    }


def full_page(page: Page, request: HttpRequest) -> Told:
    """``page`` with its current text and all that is known of it."""
    if page.current is not None:
        page.current.page = page
        page.current = visible(page.current, request.person)
    now = page.current
    links = page.links.select_related("target").order_by("kind", "title")[:MOST_LINKS]
    others = Page.objects.filter(~Q(pk=page.pk), group=page.group_id).order_by("language")
    return listed_page(page, request) | {
        "names": list(page.names.order_by("pk").values_list("title", flat=True)),
        "protection": {
            "edit": page.level,
            "edit_until": page.protected_until if page.level != page.Protection.OPEN else None,
            "rename": page.rename_level,
            "rename_until": page.rename_protected_until
            if page.rename_level != page.Protection.OPEN
            else None,
            "reason": page.protection_reason,
        },
        "redirect": redirect_of(page, request),
        "subject": page_ref(page.subject, request) if page.subject else None,
        "translations": [page_ref(other, request) for other in others] if page.group_id else [],
        "links": [
            {
                "kind": link.kind,
                "title": link.title,
                "page": page_ref(link.target, request)
                if link.target and link.target.deleted_at is None
                else None,
            }
            for link in links
        ],
        "sections": [
            {
                "number": section.number,
                "level": section.level,
                "heading": section.heading,
                "start": section.start,
                "end": section.end,
            }
            for section in sections(now.text if now else "")
        ],
        "current": full_revision(now, request) if now else None,
    }


def redirect_of(page: Page, request: HttpRequest) -> Told | None:
    if not page.redirect_title:
        return None
    target = page.redirect_to if page.redirect_to and page.redirect_to.deleted_at is None else None
    return {
        "title": page.redirect_title,
        "page": page_ref(target, request) if target else None,
    }


def revision(row: Revision, request: HttpRequest) -> Told:
    """``row`` without its texts; needs its page."""
    row = visible(row, request.person)
    hidden = {
        "text": row.text_hidden,
        "summary": row.summary_hidden,
        "author": row.author_hidden,
    }
    nameless, silent = row.covered and row.author_hidden, row.covered and row.summary_hidden
    author = {"name": row.author_name, "account": row.author_id is not None}
    return {
        "id": row.pk,
        "page": page_ref(row.page, request),
        "number": row.number,
        "parent_id": row.parent_id,
        "timestamp": row.timestamp,
        "author": None if nameless else author,
        "summary": None if silent else row.summary,
        "minor": row.minor,
        "event": row.event,
        "size": row.size,
        "delta": row.delta,
        "text_state": row.text_state,
        "hidden": [name for name, so in hidden.items() if so],
        "origin": row.origin.site if row.origin else None,
        "reverted_by": row.reverted_by_id,
        "unpatrolled": row.needs_patrol if is_reviewer(request.person) else None,
        "url": request.build_absolute_uri(row.get_absolute_url()),
    }


def full_revision(row: Revision, request: HttpRequest) -> Told:
    """``row`` with its texts, as far as they are known and not hidden."""
    row = visible(row, request.person)
    told = row.text_state in KNOWN
    return revision(row, request) | {
        "text": row.text if told else None,
        "html": resolve(rendered(row).html, row.page) if told else None,
        "wikitext": row.source_text if told else None,
    }


def conflict_told(conflict: EditConflict, request: HttpRequest) -> Told:
    """Both texts, and where they clash: ``parts`` put together, with each passage decided, are the
    text to save next, on the base of ``theirs``."""
    page = conflict.theirs.page
    if conflict.base is not None:
        conflict.base.page = page
    parts, number = [], 0
    for part in conflict.merge.parts:
        if isinstance(part, str):
            parts.append({"text": part, "passage": None})
        else:
            parts.append({"text": None, "passage": number})
            number += 1
    return {
        "base": full_revision(conflict.base, request) if conflict.base else None,
        "theirs": full_revision(conflict.theirs, request),
        "mine": conflict.mine,
        "passages": [
            {
                "section": passage.section,
                "before": passage.before,
                "theirs": passage.theirs,
                "mine": passage.mine,
                "tail": passage.tail,
            }
            for passage in conflict.merge.passages
        ],
        "parts": parts,
    }


def log_entry(row: LogEntry, request: HttpRequest) -> Told:
    live = row.page is not None and row.page.deleted_at is None
    return {
        "id": row.pk,
        "kind": row.kind,
        "at": row.at,
        "actor": row.actor_name,
        "title": row.title,
        "page": page_ref(row.page, request) if live else None,
        "reason": row.reason,
    }


def deleted_page(page: Page) -> Told:
    _slug, *names = page.deleted_names or [""]
    return {
        "id": page.pk,
        "title": page.title,
        "names": names,
        "namespace": page.namespace,
        "deleted_at": page.deleted_at,
        "deleted_by": page.deleted_by,
        "reason": page.deleted_reason,
    }


def marked_text(pieces: Pieces) -> list[Told]:
    return [{"text": text, "match": match} for text, match in pieces]


# Differences


def numbered(difference: Difference) -> list[tuple[Row, int, int]]:
    """Each row with the lines of the old and the new text at which it starts, from 1."""
    old = new = 0
    found = []
    for row in difference.rows:
        if row.kind == "head":
            old, new = row.line_old, row.line_new
        found.append((row, old, new))
        if row.kind != "head":
            old += lines_of(row, "old")
            new += lines_of(row, "new")
    return found


def lines_of(row: Row, side: str) -> int:
    """How many lines of one text a row holds: rows of long changes hold many."""
    if row.kind == ("add" if side == "old" else "remove"):
        return 0
    return text_of(row, side).count("\n") + 1


def text_of(row: Row, side: str) -> str:
    return "".join(piece.text for piece in (row.old if side == "old" else row.new))


def lines(difference: Difference) -> list[Told]:
    return [
        {
            "kind": row.kind,
            "old_line": None if row.kind == "add" else old,
            "new_line": None if row.kind == "remove" else new,
            "section": row.section,
            "pieces": [{"kind": kind, "text": text} for kind, text in pieces(row)],
        }
        for row, old, new in numbered(difference)
    ]


def pieces(row: Row) -> list[tuple[str, str]]:
    """``(kind, text)`` with kind same, old or new."""
    if row.kind == "change":
        return interleave(row.old, row.new)
    kind = {"add": "new", "remove": "old"}.get(row.kind, "same")
    return [(kind, piece.text) for piece in (row.new if kind == "new" else row.old)]


def unified(difference: Difference, old_name: str, new_name: str) -> str:
    """The same rows as hunks that ``patch`` takes; nothing where the texts are equal."""
    if difference.same:
        return ""
    said = [f"--- {old_name}", f"+++ {new_name}"]
    hunks: list[tuple[Row, list[Row]]] = []
    for row in difference.rows:
        if row.kind == "head":
            hunks.append((row, []))
        else:
            hunks[-1][1].append(row)
    for head, rows in hunks:
        counts = [sum(lines_of(row, side) for row in rows) for side in ("old", "new")]
        # a side without lines is named by the line before it
        starts = [
            line if count else line - 1
            for line, count in zip((head.line_old, head.line_new), counts, strict=True)
        ]
        said.append(
            f"@@ -{starts[0]},{counts[0]} +{starts[1]},{counts[1]} @@ {head.section}".rstrip()
        )
        said += marked(rows)
    return "\n".join(said) + "\n"


def marked(rows: list[Row]) -> list[str]:
    """The lines of one hunk; of neighbouring changes those of the old text first."""
    said: list[str] = []
    new: list[str] = []
    for row in [*rows, Row("same")]:
        if row.kind == "same":
            said += new
            new = []
            said += [f" {line}" for line in text_of(row, "old").split("\n")] if row.old else []
            continue
        if row.kind != "add":
            said += [f"-{line}" for line in text_of(row, "old").split("\n")]
        if row.kind != "remove":
            new += [f"+{line}" for line in text_of(row, "new").split("\n")]
    return said


# Files


def file_version(row: FileVersion, request: HttpRequest) -> Told:
    return {
        "number": row.number,
        "kind": row.kind,
        "width": row.width,
        "height": row.height,
        "frames": row.frames,
        "size": row.size,
        "sha256": row.sha256,
        "licence": row.licence,
        "source": row.source,
        "comment": row.comment,
        "uploader": row.uploader_name,
        "uploaded_at": row.uploaded_at,
        "url": request.build_absolute_uri(picture_address(row)),
    }


def full_file(page: Page, request: HttpRequest) -> Told:
    """``page`` of a file with its pictures that are not deleted, and the pages that show it."""
    versions = list(page.file_versions.filter(hidden_at=None).order_by("-number"))
    if not sees_hidden(request.person):
        versions = covered(versions)
    return file(page, versions[0] if versions else None, request) | {
        "versions": [file_version(row, request) for row in versions],
        "used_on": [page_ref(one, request) for one in pages_showing(page)],
    }


def file(page: Page, now: FileVersion | None, request: HttpRequest) -> Told:
    return {
        "page": page_ref(page, request),
        "name": split_namespace(page.title)[1],
        "current": file_version(now, request) if now else None,
    }
