"""Files: the list, a file page, uploading, going back, deleting; and the bytes of pictures."""

import re
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from wiki import selectors
from wiki.categories import categories_of
from wiki.errors import WikiError
from wiki.files import reading, store
from wiki.files.pictures import CONTENT_TYPES, MAX_BYTES, MAX_PIXELS
from wiki.files.receive import PictureHandler, SentFile
from wiki.interchange.set_aside import link_path
from wiki.markup.links import resolve
from wiki.models import FileVersion, Page, Revision
from wiki.services import hide_file, rendered, revert_file, upload_file
from wiki.services.hiding import sees_hidden
from wiki.services.rights import is_moderator, may_edit
from wiki.services.uploading import Upload, refuse_unless_uploader
from wiki.titles import split_namespace
from wiki.views import twice
from wiki.views.door import answer, deletion, door, page_context, row_id
from wiki.views.editing import csrf_failure

PER_SHEET = 48
PREVIEW = 640  # pixels
PICTURE = re.compile(
    r"(?P<sha256>[0-9a-f]{64})(-(?P<width>[1-9][0-9]{1,3}))?\.(?P<kind>[a-z]{3,4})"
)
# What stands at an address never changes, but it may be hidden: whoever keeps it asks each time whether
# it still may be shown, and gets no bytes again.
ASK_AGAIN = "public, no-cache"


@dataclass(frozen=True)
class UploadForm:
    """What the form holds but for the file, which a browser never gives back."""

    name: str = ""
    description: str = ""
    licence: str = ""
    source: str = ""
    comment: str = ""
    new_version: bool = False
    anyway: bool = False
    licences: list[tuple[str, str]] = field(default_factory=lambda: FileVersion.Licence.choices)

    @classmethod
    def read(cls, data: QueryDict) -> "UploadForm":
        words = {
            name: data.get(name, "").replace("\r\n", "\n")
            for name in ("name", "description", "licence", "source", "comment")
        }
        return cls(**words, new_version="version" in data, anyway="anyway" in data)


@csrf_exempt  # checked by hand below, so that a failure gives the words back
@require_http_methods(["GET", "HEAD", "POST"])
@door
def upload(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        form = UploadForm.read(request.GET)
        try:
            refuse_unless_uploader(request.user)
        except WikiError as error:
            return upload_page(request, form, error)
        return upload_page(request, form)
    take_in_pictures(request)
    return twice.once(request, form_sent(request), lambda: bring(request))


def form_sent(request: HttpRequest) -> str | None:
    """Names the form that brings a picture, as ``twice`` does those without; None where it brings none."""
    sent = request.FILES.get("file")
    try:
        return (
            twice.name_of(request, store.digest(sent.contents()))
            if isinstance(sent, SentFile)
            else None
        )
    except WikiError:
        return None  # told when it is taken


def bring(request: HttpRequest) -> HttpResponse:
    """Add the picture that was sent to its page, or show the form again with why not."""
    form = UploadForm.read(request.POST)
    try:
        if csrf_failure(request):
            raise WikiError(
                "session_ended",
                "Your session had ended, so nothing is saved yet. What you wrote is here: choose the "
                "picture again and send it.",
                status=403,
            )
        version = take(request, form)
    except WikiError as error:
        return upload_page(request, form, error)
    messages.success(request, "The picture is here.")
    return redirect(version.page.get_absolute_url())


def take_in_pictures(request: HttpRequest) -> None:
    """Let a form with a file bring it in our way. One without, or one that the database took back and that is
    read already, stays as it is."""
    read = any(isinstance(handler, PictureHandler) for handler in request.upload_handlers)
    if request.content_type == "multipart/form-data" and not read:
        request.upload_handlers = [PictureHandler(request)]


def take(request: HttpRequest, form: UploadForm) -> FileVersion:
    refuse_unless_uploader(request.user)
    sent = request.FILES.get("file")
    if not isinstance(sent, SentFile):
        raise WikiError("no_picture", "Choose a picture first.", status=422)
    return upload_file(
        author=request.user,
        upload=Upload(
            name=form.name.strip() or sent.name,
            data=sent.contents(),
            description=form.description,
            licence=form.licence,
            source=form.source,
            comment=form.comment,
            new_version=form.new_version,
            anyway=form.anyway,
        ),
    )


def upload_page(
    request: HttpRequest, form: UploadForm, error: WikiError | None = None
) -> HttpResponse:
    page = page_of(form.name)
    context = {
        "form": form,
        "error": error,
        "page": page,
        "described": page is not None and page.current is not None and bool(page.current.text),
        "closed": error is not None and error.code in ("who_are_you", "guests_may_not"),
        "megabytes": MAX_BYTES >> 20,
        "max_bytes": MAX_BYTES,
        "megapixels": MAX_PIXELS // 1_000_000,
    }
    return answer(request, "wiki/file_upload.html", context, error)


def page_of(name: str) -> Page | None:
    """The file page that a name typed into the form leads to."""
    return reading.file_called(split_namespace(name)[1]) if name.strip() else None


@require_safe
@door
def files(request: HttpRequest) -> HttpResponse:
    """All pictures, the newest first; with ``?missing=1`` names without one."""
    missing = "missing" in request.GET
    rows = reading.names_without_picture() if missing else reading.newest_pictures()
    sheet = Paginator(rows, PER_SHEET).get_page(request.GET.get("page"))
    context = {"missing": missing, "sheet": sheet}
    if missing:
        context["count"] = sheet.paginator.count
    else:
        context["pictures"] = [reading.shown(version, 240) for version in sheet]
        context["missing_count"] = reading.names_without_picture().count()
    return render(request, "wiki/files.html", context)


@require_safe
@door
def file_page(request: HttpRequest, slug: str) -> HttpResponse:
    page = existing_file(slug)
    if page.slug != slug:
        return redirect(page)
    return render(request, "wiki/file.html", file_context(request, page))


def existing_file(slug: str) -> Page:
    """The file page at ``slug``, with or without its "file-". Raises WikiError ``no_page``,
    ``page_deleted``."""
    found = selectors.find_page(slug)
    if found is None or found.page.namespace != "file":
        found = selectors.find_page(f"file-{slug}")
    if found is None or found.page.namespace != "file":
        for page in [*selectors.deleted_from(slug), *selectors.deleted_from(f"file-{slug}")]:
            raise WikiError("page_deleted", deletion(page), status=410)
        moved = selectors.moved_from(slug) or selectors.moved_from(f"file-{slug}")
        said = f" {moved.words}" if moved else ""
        raise WikiError("no_page", f"There is no file of this name.{said}", status=404)
    return found.page


def file_context(request: HttpRequest, page: Page) -> dict[str, Any]:
    name = split_namespace(page.title)[1]
    moderator = is_moderator(request.user)
    versions = list(page.file_versions.order_by("-number"))
    if not sees_hidden(request.user):
        versions = reading.covered(versions)
    seen = [version for version in versions if version.hidden_at is None]
    now = seen[0] if seen else None
    context = page_context(request, page, "read") | {
        "name": name,
        "now": now,
        "hidden": versions[0] if versions and now is None else None,
        "versions": [
            (version, reading.shown(version, 120) if version in seen or moderator else None)
            for version in versions
        ],
        "shown": reading.shown(now, PREVIEW) if now else None,
        "original": reading.picture_address(now) if now else "",
        "markup": markup_for(name),
        "uses": reading.pages_showing(page),
        "categories": categories_of(page),
        "uploads_to": f"{reverse('wiki_upload')}?{urlencode({'name': name, 'version': 1})}",
        "may_upload": may_upload(request, page),
        "moderator": moderator,
        "saved": request.session.pop("wiki_saved", None) == page.slug,
    }
    revision = page.current
    if revision is not None and revision.text_state == Revision.TextState.PRESENT:
        revision.page = page
        context["description"] = mark_safe(resolve(rendered(revision).html, page))
    return context


def may_upload(request: HttpRequest, page: Page) -> bool:
    person = request.user
    return person.is_authenticated and not person.is_guest and may_edit(page, person)


def markup_for(name: str) -> str:
    """What one writes to show the file on a page."""
    return f"![What it shows](file:{link_path(name)})"


@require_POST
@door
def revert(request: HttpRequest, slug: str, version_id: int) -> HttpResponse:
    page = existing_file(slug)
    revert_file(
        page_id=page.pk,
        version_id=version_id,
        current_id=row_id(request.POST.get("current")),
        author=request.user,
        comment=request.POST.get("comment", ""),
    )
    messages.success(request, "The older picture is shown again.")
    return redirect(page)


@require_http_methods(["GET", "HEAD", "POST"])
@door
def hide(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the pictures of a file, one or all, or bring them back: a form that asks why."""
    page = existing_file(slug)
    asked = request.POST if request.method == "POST" else request.GET
    version = page.file_versions.filter(pk=row_id(asked.get("version"))).first()
    back = "back" in asked
    error = None
    if request.method == "POST":
        try:
            hide_file(
                page_id=page.pk,
                author=request.user,
                reason=request.POST.get("reason", ""),
                version_id=version.pk if version else None,
                hide=not back,
            )
        except WikiError as refused:
            if refused.code == "page_gone":
                raise
            error = refused
        else:
            messages.success(request, "Brought back." if back else "Deleted.")
            return redirect(page)
    elif not is_moderator(request.user):
        raise WikiError("not_allowed", "Only moderators may delete pictures.", status=403)
    context = page_context(request, page, "read") | {
        "version": version,
        "back": back,
        "reason": asked.get("reason", ""),
        "error": error,
    }
    return render(request, "wiki/file_hide.html", context, status=error.status if error else 200)


@require_safe
@door
def picture(request: HttpRequest, name: str) -> HttpResponse:
    """The bytes of a picture, or of its thumbnail. What stands at an address never changes; where all
    its versions are hidden or their pages deleted, only moderators find it."""
    asked = PICTURE.fullmatch(name)
    if asked is None:
        raise store.no_file()
    sha256, kind, width = asked["sha256"], asked["kind"], int(asked["width"] or 0)
    versions = reading.versions_with(sha256, kind)
    if not versions or (width and width not in store.WIDTHS):
        raise store.no_file()
    open_to_all = any(
        version.hidden_at is None and version.page.deleted_at is None for version in versions
    )
    if not open_to_all and not is_moderator(request.user):
        raise store.no_file()
    etag = f'"{sha256[:32]}-{width}"'
    if request.headers.get("If-None-Match") == etag:
        answer: HttpResponse = HttpResponseNotModified()
    elif width:
        answer = HttpResponse(store.read_thumbnail(sha256, kind, width))
    else:
        answer = HttpResponse(store.read(sha256, kind))
    answer["Content-Type"] = CONTENT_TYPES[kind]
    answer["Cache-Control"] = ASK_AGAIN if open_to_all else "private, no-store"
    answer["ETag"] = etag
    answer["Content-Security-Policy"] = "default-src 'none'; sandbox"
    answer["Content-Disposition"] = "inline"
    return answer
