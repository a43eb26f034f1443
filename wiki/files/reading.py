"""What can be read of file pages and their pictures."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower
from django.urls import reverse

from wiki.files.store import WIDTHS
from wiki.models import FileVersion, Page, PageLink, PageName, Revision
from wiki.titles import title_key

USES_LISTED = 100


@dataclass(frozen=True)
class Shown:
    """A picture at the size at which a page shows it. ``sharp`` is for screens of two dots a pixel,
    empty where there is no larger one."""

    version: FileVersion
    width: int
    height: int
    address: str
    sharp: str


def shown(version: FileVersion, width: int) -> Shown:
    """``version`` at most ``width`` pixels wide, never wider than it is."""
    width = min(width, version.width, WIDTHS[-1])
    address = picture_address(version, width)
    sharp = picture_address(version, 2 * width)
    return Shown(
        version=version,
        width=width,
        height=max(1, round(version.height * width / version.width)),
        address=address,
        sharp=sharp if sharp != address else "",
    )


def picture_address(version: FileVersion, width: int = 0) -> str:
    """Where the bytes are: of the smallest thumbnail that is ``width`` pixels wide or more, else
    (and for 0) of the picture itself."""
    fitting = [fixed for fixed in WIDTHS if width <= fixed < version.width]
    part = f"-{fitting[0]}" if width and fitting else ""
    return reverse("wiki_picture", args=[f"{version.sha256}{part}.{version.kind}"])


def file_called(name: str) -> Page | None:
    """The page of the file ``name``, which may have no picture."""
    key = title_key(f"File:{name}")
    found = PageName.objects.select_related("page", "page__current").filter(key=key).first()
    return found.page if found else None


def current_versions(pages: Iterable[int]) -> dict[int, FileVersion | None]:
    """The picture that each file page shows now, by the page's row id; None where all that it had
    are deleted, nothing where it never had one. One query."""
    found: dict[int, FileVersion | None] = {}
    for row in FileVersion.objects.filter(page__in=list(pages)).order_by("number"):
        found[row.page_id] = row if row.hidden_at is None else found.get(row.page_id)
    return found


def covered(versions: Iterable[FileVersion]) -> list[FileVersion]:
    """``versions``, only to be read, without what moderators hid of the histories of their pages."""
    found = list(versions)
    rows = Revision.objects.filter(page__in={version.page_id for version in found})
    rows = rows.filter(Q(author_hidden=True) | Q(summary_hidden=True)).defer(*Revision.TEXTS)
    hidden: dict[int, list[Revision]] = {}
    for row in rows:
        hidden.setdefault(row.page_id, []).append(row)
    return [cover(version, hidden.get(version.page_id, [])) for version in found]


def cover(version: FileVersion, hidden: list[Revision]) -> FileVersion:
    """``version``, only to be read, without the name and the words that ``hidden`` rows hide."""
    for row in hidden:
        name, words = row.author_hidden and row.author_name, row.summary_hidden and row.summary
        if name and name == version.uploader_name:
            version.uploader, version.uploader_name = None, Revision.NAME_HIDDEN
        if (name and name in version.comment) or (words and version.comment in words):
            version.comment = ""
        if name and name == version.hidden_by:
            version.hidden_by = Revision.NAME_HIDDEN
        if words and version.hidden_reason and version.hidden_reason in words:
            version.hidden_reason = ""
    return version


def versions_with(sha256: str, kind: str) -> list[FileVersion]:
    """All versions, hidden ones too, that are the picture with these bytes."""
    return list(FileVersion.objects.filter(sha256=sha256, kind=kind).select_related("page"))


def newest_pictures() -> QuerySet[FileVersion]:
    """The current picture of every file page, the latest first; ``name_hidden``: of its uploader."""
    newer = FileVersion.objects.filter(
        page=OuterRef("page"), hidden_at=None, number__gt=OuterRef("number")
    )
    hidden = Revision.objects.filter(
        page=OuterRef("page"), author_hidden=True, author_name=OuterRef("uploader_name")
    )
    return (
        FileVersion.objects.filter(~Exists(newer), hidden_at=None, page__deleted_at=None)
        .annotate(name_hidden=Exists(hidden))
        .select_related("page")
        .order_by("-uploaded_at", "-pk")
    )


def names_without_picture() -> QuerySet[Page]:
    """File pages that never had a picture, by title."""
    pictures = FileVersion.objects.filter(page=OuterRef("pk"))
    return Page.objects.filter(~Exists(pictures), namespace="file").order_by(Lower("title"))


def pages_showing(page: Page) -> list[Page]:
    """Pages whose current text names the file ``page``, by title; at most ``USES_LISTED``."""
    naming = PageLink.objects.filter(
        Q(target=page) | Q(target=None, key__in=page.names.values("key")),
        source=OuterRef("pk"),
        kind=PageLink.Kind.FILE,
    )
    pages = Page.objects.filter(Exists(naming)).exclude(pk=page.pk)
    return list(pages.order_by(Lower("title"), "title")[:USES_LISTED])
