"""What can be read by the API."""

from typing import Any

from django.contrib.auth import get_user_model
from django.db.models import QuerySet
from django.http import HttpRequest
from ninja import P, PathEx, Query

from wiki import selectors
from wiki.api import schemas, shapes
from wiki.api.cursors import after, by_title, cursor_of, part, read_cursor
from wiki.api.routes import gives, router
from wiki.errors import WikiError
from wiki.files import reading
from wiki.history.diff import compare
from wiki.listing import Wish, before
from wiki.models import Page, PageLink, Revision
from wiki.search import ANYWHERE
from wiki.search import search as search_pages
from wiki.services.hiding import sees_hidden, text_hidden, visible
from wiki.services.history import KNOWN
from wiki.services.patrol import refuse_unless_reviewer
from wiki.titles import title_key

Slug = PathEx[str, P(max_length=255, example="hearts")]
Title = PathEx[str, P(max_length=255, example="Hearts")]
Name = PathEx[str, P(max_length=255, example="Ada")]
RowId = PathEx[int, P(ge=0, le=schemas.MAX_ID, example=1)]
Answer = dict[str, Any]


# Pages


@router.get("/pages", response=gives(schemas.Pages), operation_id="list_pages")
def pages(request: HttpRequest, asked: Query[schemas.PagesAsked]) -> Answer:
    """Pages by title, capitals or not."""
    rows = Page.objects.select_related("current").defer(
        *(f"current__{name}" for name in Revision.TEXTS)
    )
    if asked.namespace != "*":
        rows = rows.filter(namespace=asked.namespace)
    if asked.language is not None:
        rows = rows.filter(language=asked.language)
    if asked.game is not None:
        rows = rows.filter(game=asked.game)
    if asked.category is not None:
        rows = rows.filter(
            links__kind=PageLink.Kind.CATEGORY, links__key=title_key(f"Category:{asked.category}")
        )
    found, last = part(by_title(rows, asked.cursor), asked.limit)
    return {
        "items": [shapes.listed_page(page, request) for page in found],
        "next_cursor": cursor_of(last.pk, last.title) if last else None,
    }


@router.get("/pages/{slug}", response=gives(schemas.Page), operation_id="read_page")
def page(request: HttpRequest, slug: Slug) -> Answer:
    """A page with its current text, by its slug or an alias of it."""
    return shapes.full_page(page_at(slug), request)


@router.get("/titles/{path:title}", response=gives(schemas.Page), operation_id="read_page_by_title")
def page_by_title(request: HttpRequest, title: Title) -> Answer:
    """A page with its current text, by its title or another name of it."""
    return shapes.full_page(page_called(title), request)


def page_at(slug: str) -> Page:
    return existing(selectors.find_page(slug))


def page_called(title: str) -> Page:
    return existing(selectors.find_titled("", title))


def existing(found: selectors.Found | None) -> Page:
    if found is None:
        raise WikiError("no_page", "There is no page of this name.", status=404)
    return found.page


# Revisions


@router.get(
    "/pages/{slug}/revisions", response=gives(schemas.Revisions), operation_id="list_revisions"
)
def revisions(request: HttpRequest, slug: Slug, asked: Query[schemas.RevisionsAsked]) -> Answer:
    """The history of a page, the newest first."""
    page = page_at(slug)
    rows = selectors.history(page, minor=asked.minor, viewer=request.person).select_related(
        "author", "origin"
    )
    if asked.cursor is not None:
        rows = rows.filter(number__lt=row_at(asked.cursor, page.revisions.all()).number)
    found, last = part(rows, asked.limit)
    for row in found:
        row.page = page
    return listed(found, last, request)


@router.get("/revisions/{id}", response=gives(schemas.FullRevision), operation_id="read_revision")
def revision(request: HttpRequest, id: RowId) -> Answer:
    """One revision with its text, as far as it is known and not hidden."""
    return shapes.full_revision(revision_called(id, request), request)


def revision_called(pk: int, request: HttpRequest) -> Revision:
    """The revision ``pk`` of a live page, with its texts, as whoever asks may see it. Raises WikiError
    ``no_revision``."""
    rows = Revision.objects.filter(page__deleted_at=None)
    row = rows.select_related("page", "author", "origin").filter(pk=pk).first()
    if row is None:
        raise WikiError("no_revision", "There is no such revision.", status=404)
    return visible(row, request.person)


def row_at(cursor: str, rows: QuerySet[Revision]) -> Revision:
    row = rows.defer(*Revision.TEXTS).filter(pk=read_cursor(cursor)[0]).first()
    if row is None:
        raise WikiError("bad_cursor", "This list cannot begin there.")
    return row


def listed(found: list[Revision], last: Revision | None, request: HttpRequest) -> Answer:
    return {
        "items": [shapes.revision(row, request) for row in found],
        "next_cursor": cursor_of(last.pk) if last else None,
    }


@router.get("/diff/{old_id}/{new_id}", response=gives(schemas.Diff), operation_id="read_diff")
def diff(request: HttpRequest, old_id: RowId, new_id: RowId) -> Answer:
    """How one revision of a page became another; `old_id` 0 is the time before the page existed."""
    new = revision_called(new_id, request)
    old = revision_called(old_id, request) if old_id else None
    if old is not None and old.page_id != new.page_id:
        raise WikiError("two_pages", "These are revisions of two pages.")
    for row in filter(None, (old, new)):
        refuse_untold(row)
    found = compare(old.text if old else "", new.text)
    return {
        "old": shapes.revision(old, request) if old else None,
        "new": shapes.revision(new, request),
        "same": found.same,
        "words": found.words,
        "lines": shapes.lines(found),
        "unified": shapes.unified(found, f"{new.page.slug}@{old_id}", f"{new.page.slug}@{new_id}"),
    }


def refuse_untold(row: Revision) -> None:
    """Raises WikiError where the text of ``row`` cannot be told."""
    if row.text_state == Revision.HIDDEN:
        raise text_hidden()
    if row.text_state not in KNOWN:
        raise WikiError("no_text", f"The text of revision {row.pk} is not available.", status=404)


@router.get("/changes", response=gives(schemas.Revisions), operation_id="list_changes")
def changes(request: HttpRequest, asked: Query[schemas.ChangesAsked]) -> Answer:
    """Recent changes of all pages, the newest first, undated ones at the end."""
    if asked.unpatrolled:
        refuse_unless_reviewer(request.person)
    wish = Wish(
        days=asked.days,
        minor=asked.minor,
        mine=asked.mine,
        imports=asked.imports,
        unpatrolled=asked.unpatrolled,
    )
    return stretch(wish.of(selectors.changes(request.person), request.person), asked, request)


def stretch(rows: QuerySet[Revision], asked: schemas.Part, request: HttpRequest) -> Answer:
    """A part of ``rows`` as ``selectors.changes`` has them."""
    last = row_at(asked.cursor, Revision.objects.all()) if asked.cursor is not None else None
    rows = before(rows.select_related("page", "author", "origin"), last)
    return listed(*part(rows, asked.limit), request)


@router.get(
    "/people/{path:name}/contributions",
    response=gives(schemas.Contributions),
    operation_id="list_contributions",
)
def contributions(request: HttpRequest, name: Name, asked: Query[schemas.RevisionsAsked]) -> Answer:
    """What was saved under a name, the newest first: an account's, a guest's or an imported author's."""
    account = get_user_model().objects.filter(username=name).exists()
    counts = selectors.contribution_counts(name, request.person)
    if not account and not counts["edits"]:
        raise WikiError("no_contributions", f"Nobody called {name} wrote here.", status=404)
    rows = selectors.contributions(name, request.person)
    found = stretch(rows if asked.minor else rows.filter(minor=False), asked, request)
    return {"name": name, "account": account, **counts, **found}


@router.get("/search", response=gives(schemas.Hits), operation_id="search")
def search(request: HttpRequest, asked: Query[schemas.SearchAsked]) -> Answer:
    """Pages by their words, the best first; a page of that very name before all others."""
    query = " ".join(asked.q.split())
    found = search_pages(
        query,
        limit=asked.limit,
        offset=asked.offset,
        language=asked.language,
        namespace=ANYWHERE if asked.namespace == "*" else asked.namespace,
    )
    return {
        "query": query,
        "total": found.total,
        "how": found.how,
        "suggestion": found.suggestion,
        "items": [
            {
                "page": shapes.page_ref(hit.page, request),
                "title": shapes.marked_text(hit.title_marked),
                "name": shapes.marked_text(hit.name_marked),
                "snippet": shapes.marked_text(hit.snippet),
            }
            for hit in found.hits
        ],
    }


# What was done besides editing


@router.get("/log", response=gives(schemas.Log), operation_id="list_log")
def log(request: HttpRequest, asked: Query[schemas.LogAsked]) -> Answer:
    """What was done besides editing, by whom and why, the latest first."""
    rows = selectors.log_entries(asked.kind, asked.by, asked.of, request.person)
    found, last = part(after(rows, "at", asked.cursor), asked.limit)
    return {
        "items": [
            shapes.log_entry(row, request) for row in selectors.covered_log(found, request.person)
        ],
        "next_cursor": cursor_of(last.pk) if last else None,
    }


@router.get("/deleted", response=gives(schemas.DeletedPages), operation_id="list_deleted")
def deleted(request: HttpRequest, asked: Query[schemas.DeletedAsked]) -> Answer:
    """Deleted pages, the latest first. Only moderators may see them."""
    if not sees_hidden(request.person):
        raise WikiError("not_moderator", "Only moderators may read what was deleted.", status=403)
    rows = selectors.deleted_pages(asked.q)
    found, last = part(after(rows, "deleted_at", asked.cursor), asked.limit)
    return {
        "items": [shapes.deleted_page(page) for page in found],
        "next_cursor": cursor_of(last.pk) if last else None,
    }


# Files


@router.get("/files", response=gives(schemas.Files), operation_id="list_files")
def files(request: HttpRequest, asked: Query[schemas.Part]) -> Answer:
    """Files by title, also those whose picture is missing."""
    found, last = part(by_title(Page.objects.filter(namespace="file"), asked.cursor), asked.limit)
    now = reading.current_versions(page.pk for page in found)
    if not sees_hidden(request.person):
        reading.covered(version for version in now.values() if version is not None)
    return {
        "items": [shapes.file(page, now.get(page.pk), request) for page in found],
        "next_cursor": cursor_of(last.pk, last.title) if last else None,
    }


@router.get("/files/{slug}", response=gives(schemas.FullFile), operation_id="read_file")
def file(request: HttpRequest, slug: Slug) -> Answer:
    """A file with all its pictures that are not deleted, and the pages that show it."""
    found = selectors.find_page(slug)
    if found is None or found.page.namespace != "file":
        found = selectors.find_page(f"file-{slug}")
    if found is None or found.page.namespace != "file":
        raise WikiError("no_page", "There is no file of this name.", status=404)
    return shapes.full_file(found.page, request)
