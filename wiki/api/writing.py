"""What can be written by the API: as on the pages, by the same services under the same rights."""

from typing import Any

from django.http import HttpRequest
from ninja import File, Form, Status, UploadedFile
from ninja.errors import ValidationError

from portal.models import User
from wiki import selectors
from wiki.api import schemas, shapes
from wiki.api.reading import RowId, Slug, page_at
from wiki.api.routes import MAY_WRITE, UPLOAD, UPLOADS, router, takes
from wiki.errors import WikiError
from wiki.files.receive import SentFile
from wiki.markup.sections import sections, with_section
from wiki.models import Page, Revision
from wiki.services import Draft, edit_page, protect, revert_to, upload_file
from wiki.services.delete import delete_page, undelete_page
from wiki.services.edit import EditConflict, base_revision, clean_text
from wiki.services.patrol import mark_patrolled
from wiki.services.rename import rename as give_name
from wiki.services.undo import Undo, undo_of
from wiki.services.uploading import Upload as Picture
from wiki.services.uploading import refuse_unless_uploader
from wiki.titles import check_title, make_slug

Answer = dict[str, Any]


@router.post(
    "/pages", auth=MAY_WRITE, response=takes(schemas.Saved, 201), operation_id="create_page"
)
def create(request: HttpRequest, sent: schemas.NewPage) -> Status:
    """Make a page."""
    title = check_title(sent.title)
    if (found := selectors.find_titled("", title)) is not None:
        raise WikiError(
            "page_exists",
            f"“{title}” leads to the page “{found.page.title}” already ({found.page.slug}). Edit "
            "that, from its current revision.",
            status=409,
        )
    draft = Draft(text=sent.text, summary=sent.summary)
    made = saved(request, draft, slug=make_slug(title), title=title, language=sent.language)
    return Status(201, made)


@router.put(
    "/pages/{slug}", auth=MAY_WRITE, response=takes(schemas.Saved), operation_id="edit_page"
)
def edit(request: HttpRequest, slug: Slug, sent: schemas.Edit) -> Answer:
    """Save a text of a page, or of one of its sections. What others saved since the base is merged; where
    both changed the same passage, nothing is saved and both texts come back."""
    page = page_at(slug)
    if sent.base is None and page.current_id is not None:
        raise WikiError(
            "no_base",
            "Say as base from which revision your text started; this page has texts already.",
            status=409,
        )
    draft = Draft(
        text=whole_text(page, sent, request.person),
        base=sent.base,
        summary=sent.summary,
        minor=sent.minor,
    )
    return saved(request, draft, slug=page.slug, title=page.title)


def saved(request: HttpRequest, draft: Draft, **where: str) -> Answer:
    revision, new = edit_page(author=request.person, draft=draft, **where)
    outcome = "unchanged"
    if new:
        outcome = "saved" if revision.text == clean_text(draft.text) else "merged"
    return {"outcome": outcome, "revision": shapes.full_revision(revision, request)}


def whole_text(page: Page, sent: schemas.Edit, person: User) -> str:
    """The text of the page that ``sent`` asks to save. Raises WikiError ``no_section``."""
    if sent.section is None:
        return sent.text
    base = base_revision(page, sent.base, person)
    text = base.text if base else ""
    found = sections(text)
    if sent.section > len(found):
        raise WikiError("no_section", "That revision has no such section.", status=404)
    return with_section(text, found[sent.section - 1], sent.text)


@router.post(
    "/pages/{slug}/revert", auth=MAY_WRITE, response=takes(schemas.Done), operation_id="revert_page"
)
def revert(request: HttpRequest, slug: Slug, sent: schemas.GoBack) -> Answer:
    """Make the text of an older revision the newest."""
    row = revert_to(
        page_id=page_at(slug).pk,
        revision_id=sent.revision,
        author=request.person,
        current_id=sent.base,
        summary=sent.summary,
    )
    return {"revision": shapes.revision(row, request)}


@router.post(
    "/pages/{slug}/undo", auth=MAY_WRITE, response=takes(schemas.Saved), operation_id="undo_edits"
)
def undo(request: HttpRequest, slug: Slug, sent: schemas.Undo) -> Answer:
    """Take an older edit, or several, out of the text and keep the later ones. Where those changed the
    same passage, nothing is saved and both sides come back: settle them and save that as an edit."""
    page = page_at(slug)
    base = base_revision(page, sent.base, request.person)
    found = undo_of(
        page, base.text, last_id=sent.revision, after_id=sent.after, person=request.person
    )
    if found.merge.text is None:
        raise UndoConflict(found, theirs=base)
    draft = Draft(
        text=found.merge.text,
        base=base.pk,
        summary=sent.summary or found.summary,
        undo=sent.revision,
        undo_after=sent.after,
    )
    return saved(request, draft, slug=page.slug, title=page.title)


class UndoConflict(EditConflict):
    """Later edits changed what an undo would take out. ``base`` is the last edit to undo, ``mine`` the
    text before the first."""

    def __init__(self, undo: Undo, *, theirs: Revision) -> None:
        before = undo.before.text if undo.before else ""
        super().__init__(undo.merge, base=undo.last, theirs=theirs, mine=before)
        self.code = "undo_conflict"
        self.message = "Later edits changed the same passages, so nothing was undone by itself."


@router.post(
    "/pages/{slug}/protect",
    auth=MAY_WRITE,
    response=takes(schemas.Done),
    operation_id="protect_page",
)
def protection(request: HttpRequest, slug: Slug, sent: schemas.Protect) -> Answer:
    """Change who may edit and rename a page. Only moderators may."""
    row = protect(
        page_id=page_at(slug).pk,
        level=sent.level,
        span=sent.span,
        reason=sent.reason,
        moderator=request.person,
        rename_level=sent.rename_level,
        rename_span=sent.rename_span,
    )
    return {"revision": shapes.revision(row, request)}


@router.post(
    "/pages/{slug}/rename", auth=MAY_WRITE, response=takes(schemas.Page), operation_id="rename_page"
)
def rename(request: HttpRequest, slug: Slug, sent: schemas.Rename) -> Answer:
    """Give a page another title, and with it another address."""
    page = give_name(
        page_id=page_at(slug).pk,
        title=sent.title,
        author=request.person,
        seen=sent.seen,
        reason=sent.reason,
        redirect=sent.redirect,
    )
    return shapes.full_page(page, request)


@router.post(
    "/pages/{slug}/delete",
    auth=MAY_WRITE,
    response=takes(schemas.DeletedPage),
    operation_id="delete_page",
)
def delete(request: HttpRequest, slug: Slug, sent: schemas.Delete) -> Answer:
    """Delete a page, and its talk page with it. Only moderators may."""
    page = delete_page(page_id=page_at(slug).pk, reason=sent.reason, person=request.person)
    return shapes.deleted_page(page)


@router.post(
    UPLOADS,
    auth=MAY_WRITE,
    response=takes(schemas.FullFile, 201, refuses=UPLOAD),
    operation_id="upload_file",
)
def upload(
    request: HttpRequest, sent: Form[schemas.Upload], file: File[UploadedFile | None] = None
) -> Status:
    """Upload a picture (`multipart/form-data`): a new file, or with `new_version` a new picture of one."""
    refuse_unless_uploader(request.person)
    known = {"file", *schemas.Upload.model_fields}
    if unknown := sorted({*request.POST, *request.FILES} - known):
        said = {"type": "extra_forbidden", "msg": "Extra inputs are not permitted"}
        raise ValidationError([said | {"loc": ("form", name)} for name in unknown])
    if not isinstance(file, SentFile):
        raise WikiError("no_picture", "Send a picture as the field “file”.", status=422)
    words = sent.model_dump()
    words["name"] = words["name"].strip() or file.name
    made = upload_file(author=request.person, upload=Picture(data=file.contents(), **words))
    return Status(201, shapes.full_file(made.page, request))


@router.post(
    "/patrol", auth=MAY_WRITE, response=takes(schemas.Patrolled), operation_id="mark_patrolled"
)
def patrol(request: HttpRequest, sent: schemas.Patrol) -> Answer:
    """Mark changes as looked at. Only reviewers may; what needs no mark, or is not there, is passed over."""
    return {"marked": mark_patrolled(revision_ids=sent.revisions, person=request.person)}


@router.post(
    "/deleted/{id}/restore",
    auth=MAY_WRITE,
    response=takes(schemas.Page),
    operation_id="restore_page",
)
def restore(request: HttpRequest, id: RowId, sent: schemas.Restore) -> Answer:
    """Bring a deleted page back. Only moderators may."""
    found = selectors.deleted_pages().filter(pk=id).first()
    if found is None:
        raise WikiError("no_page", "No such page was deleted here.", status=404)
    page = undelete_page(
        page_id=found.pk, reason=sent.reason, person=request.person, title=sent.title
    )
    return shapes.full_page(page, request)
