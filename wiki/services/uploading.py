"""Pictures of file pages: bringing one, going back to an older one, taking one away and back.

Each of these adds a row to the page's history, so that changes, feeds and contributions tell of it.
"""

from dataclasses import dataclass
from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import Max, Q
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.files import store
from wiki.files.pictures import EXTENSIONS, NAMES, Picture, read_picture
from wiki.files.reading import covered
from wiki.models import FileVersion, Page, PageName, Revision
from wiki.services.edit import clean_summary, clean_text, create_page
from wiki.services.history import append_revision
from wiki.services.limits import refuse_uploads
from wiki.services.locks import locked_page, one_at_a_time
from wiki.services.rights import is_moderator, refuse_unless_editor
from wiki.titles import check_title, split_namespace, title_key

UPLOADS_AN_HOUR = 30  # of one person
MAX_SOURCE = 500  # characters
NOT_IN_NAMES = frozenset('#<>[]|{}/\\:?*"')  # they mean something in addresses or in markup


@dataclass(frozen=True)
class Upload:
    """What somebody wants to upload. ``data`` is the file as it was sent."""

    name: str  # of the file, with or without its namespace and extension
    data: bytes
    description: str = ""  # the text of the file page; of no account where it has one
    licence: str = ""
    source: str = ""
    comment: str = ""
    new_version: bool = False  # there may be a picture of this name
    anyway: bool = False  # there may be the same picture under another name


def refuse_unless_uploader(person: User | AnonymousUser) -> None:
    """Raises WikiError ``who_are_you`` or ``guests_may_not`` where ``person`` has no account."""
    if not person.is_authenticated:
        raise WikiError(
            "who_are_you",
            "Pictures can be uploaded by people with an account. Log in or sign up first.",
            status=403,
        )
    if person.is_guest:
        raise WikiError(
            "guests_may_not",
            "Guests cannot upload pictures. Sign up, and what you did as a guest stays yours.",
            status=403,
        )


def upload_file(*, author: User, upload: Upload) -> FileVersion:
    """Make the picture anew, keep it, and add it to its file page, which is made where there is none.

    Raises WikiError: those of ``read_picture`` and of ``refuse_unless_uploader``, ``slow_down``,
    ``bad_licence``, ``no_source``, ``long_source``, ``no_description``, ``bad_name``,
    ``wrong_extension``, ``name_taken``, ``duplicate``, ``unchanged``, ``was_deleted``,
    ``protected`` and ``disk_full``; then nothing is saved.
    """
    refuse_unless_uploader(author)
    refuse_uploads(author)
    refuse_haste(author)
    check_licence(upload)
    picture = read_picture(upload.data)
    title = file_title(upload.name, picture.kind)
    sha256 = store.put(picture.data, picture.kind)
    try:
        return _add(author, upload, picture, title, sha256)
    except IntegrityError:  # somebody took the name just now: the page is there, so look again
        return _add(author, upload, picture, title, sha256)
    except WikiError as error:
        if error.code != "title_taken":
            raise
        return _add(author, upload, picture, title, sha256)  # the same, seen a moment later


def refuse_haste(author: User) -> None:
    """Raises WikiError ``slow_down`` after ``UPLOADS_AN_HOUR``."""
    hour = timezone.now() - timedelta(hours=1)
    if author.uploads.filter(uploaded_at__gt=hour).count() >= UPLOADS_AN_HOUR:
        raise WikiError(
            "slow_down",
            f"You uploaded {UPLOADS_AN_HOUR} pictures within an hour. Nothing is saved; please go on "
            "a little later.",
            status=429,
        )


def check_licence(upload: Upload) -> None:
    if upload.licence not in FileVersion.Licence.values:
        raise WikiError(
            "bad_licence", "Say under which licence the picture may be shown.", status=422
        )
    if len(upload.source) > MAX_SOURCE:
        raise WikiError(
            "long_source", f"The source can have at most {MAX_SOURCE} characters.", status=422
        )
    if upload.licence != FileVersion.Licence.OWN and not clean_summary(upload.source):
        raise WikiError(
            "no_source", "Say who made the picture and where it comes from.", status=422
        )


def file_title(name: str, kind: str) -> str:
    """The title of the page of a file called ``name``, with the extension that ``kind`` asks for.

    Raises WikiError ``bad_name``, ``bad_title`` or ``wrong_extension``.
    """
    name = split_namespace(check_title(name))[1]
    bad = sorted(NOT_IN_NAMES & set(name))
    if bad:
        raise WikiError("bad_name", f"The name of a file cannot hold “{bad[0]}”.", status=422)
    stem, dot, extension = name.rpartition(".")
    known = {word for words in EXTENSIONS.values() for word in words} | {
        "svg",
        "bmp",
        "tif",
        "avif",
    }
    if not dot or extension.lower() not in known:
        name = f"{name}.{kind}"
    elif extension.lower() not in EXTENSIONS[kind]:
        raise WikiError(
            "wrong_extension",
            f"“{name}” holds a {NAMES[kind]} picture, whatever its name says. "
            f"Call it “{stem}.{kind}”.",
            status=422,
        )
    return check_title(f"File:{name}")


@transaction.atomic
def _add(author: User, upload: Upload, picture: Picture, title: str, sha256: str) -> FileVersion:
    sent = store.digest(upload.data)
    for known in sorted({sha256, sent}):  # the same picture may come under another name just now
        one_at_a_time(f"upload {known}")
    page = locked_file(title)
    refuse_unless_editor(page, author)
    if page is not None and page.file_versions.exists() and not upload.new_version:
        raise name_taken(title)
    refuse_known(author, page, upload, (sha256, sent))
    text = page.current.text if page is not None and page.current is not None else ""
    if not text:
        text = clean_text(upload.description)
    if not text.strip():
        raise WikiError("no_description", "Say in a sentence what the picture shows.", status=422)
    if page is None:
        page = create_page(title=title, language="en", namespace="file")
    elif page.namespace != "file":  # written before there was a picture
        page.namespace = "file"
        page.save(update_fields=["namespace"])
    first = not page.file_versions.exists()
    version = add_version(
        page,
        author,
        sha256=sha256,
        sent_sha256=sent,
        kind=picture.kind,
        width=picture.width,
        height=picture.height,
        frames=picture.frames,
        size=len(picture.data),
        licence=upload.licence,
        source=clean_summary(upload.source),
        comment=clean_summary(upload.comment),
    )
    did = "Uploaded the picture" if first else "Uploaded a new version of the picture"
    tell(page, author, f"{did}, {version.width} × {version.height} pixels", version.comment, text)
    return version


def locked_file(title: str) -> Page | None:
    """The file page called ``title``, locked. Raises WikiError ``page_gone``."""
    name = PageName.objects.filter(key=title_key(title)).first()
    return locked_page(name.page_id) if name else None


def name_taken(title: str) -> WikiError:
    name = split_namespace(title)[1]
    return WikiError(
        "name_taken",
        f"There is a file called “{name}” already. Choose another name, or upload this as a new "
        "version on its page.",
        status=409,
    )


def refuse_known(author: User, page: Page | None, upload: Upload, hashes: tuple[str, str]) -> None:
    """Raises WikiError ``unchanged``, ``duplicate`` or ``was_deleted`` for a picture that is, or was,
    here."""
    same = FileVersion.objects.filter(Q(sha256=hashes[0]) | Q(sent_sha256=hashes[1]))
    shown = same.filter(hidden_at=None, page__deleted_at=None).select_related("page")
    now = current_version(page) if page is not None else None
    if now is not None and shown.filter(pk=now.pk).exists():
        raise WikiError("unchanged", "That is the picture which is here already.", status=409)
    elsewhere = shown.exclude(page=page).first() if page is not None else shown.first()
    if elsewhere is not None and not upload.anyway:
        name = split_namespace(elsewhere.page.title)[1]
        raise WikiError(
            "duplicate",
            f"This picture is here already as “{name}”: pages can show it by that name. Tick "
            "“Upload it all the same” if it is needed under a second one.",
            status=409,
        )
    gone = same.exclude(hidden_at=None, page__deleted_at=None).select_related("page")
    hidden = gone.order_by("-hidden_at").first()
    if hidden is not None and not shown.exists() and not is_moderator(author):
        reason = hidden.hidden_reason or hidden.page.deleted_reason
        raise WikiError("was_deleted", f"This picture was deleted here: {reason}", status=403)


def current_version(page: Page) -> FileVersion | None:
    """The picture that pages show: the newest that is not hidden."""
    return page.file_versions.filter(hidden_at=None).order_by("-number").first()


def add_version(page: Page, author: User, **fields: object) -> FileVersion:
    last = page.file_versions.aggregate(last=Max("number"))["last"] or 0
    return FileVersion.objects.create(
        page=page,
        number=last + 1,
        uploader=author,
        uploader_name=author.get_username(),
        uploaded_at=timezone.now(),
        **fields,
    )


def tell(page: Page, author: User, did: str, why: str, text: str) -> Revision:
    """A row of the page's history about its picture, with ``text`` as the text of the page."""
    return append_revision(
        page,
        author=author,
        author_name=author.get_username(),
        timestamp=timezone.now(),
        summary=f"{did}: {why}" if why else did,
        minor=False,
        text=text,
    )


@transaction.atomic
def revert_file(
    *, page_id: int, version_id: int, current_id: int | None, author: User, comment: str = ""
) -> FileVersion:
    """Make an older picture the newest version and return that.

    ``current_id`` is the version the person saw. Raises WikiError ``who_are_you``,
    ``guests_may_not``, ``slow_down``, ``protected``, ``no_version``, ``stale`` or ``unchanged``.
    """
    refuse_unless_uploader(author)
    refuse_haste(author)
    page = locked_page(page_id)
    refuse_unless_editor(page, author)
    old = page.file_versions.filter(pk=version_id, hidden_at=None).first()
    if old is None:
        raise WikiError("no_version", "This file has no such picture.", status=404)
    now = current_version(page)
    if now is None or now.pk != current_id:
        raise WikiError(
            "stale", "Somebody changed the picture meanwhile. Look at it first.", status=409
        )
    if now.sha256 == old.sha256:
        raise WikiError("unchanged", "That is the picture which is shown already.", status=409)
    kept = ("sha256", "sent_sha256", "kind", "width", "height", "frames", "size")
    kept += ("licence", "source")
    name = covered([old])[0].uploader_name
    who = "a hidden author" if name == Revision.NAME_HIDDEN else name
    did = f"Went back to version {old.number} of the picture, by {who}"
    comment = clean_summary(comment)
    version = add_version(page, author, comment=did, **{name: getattr(old, name) for name in kept})
    tell(page, author, did, comment, page.current.text if page.current else "")
    return version


@transaction.atomic
def hide_file(
    *, page_id: int, author: User, reason: str, version_id: int | None = None, hide: bool = True
) -> int:
    """Delete pictures from all eyes but the moderators', or bring them back; how many changed.

    ``version_id`` None: all of the page's. Raises WikiError ``not_allowed``, ``no_reason``,
    ``no_version`` or ``unchanged``.
    """
    if not is_moderator(author):
        raise WikiError("not_allowed", "Only moderators may delete pictures.", status=403)
    hooks.refuse_blocked(author)
    reason = clean_summary(reason)
    if not reason:
        raise WikiError("no_reason", "Say why: the history of the file tells it.", status=422)
    page = locked_page(page_id)
    rows = (
        page.file_versions.all() if version_id is None else page.file_versions.filter(pk=version_id)
    )
    chosen = list(rows)
    if not chosen:
        raise WikiError("no_version", "This file has no such picture.", status=404)
    rows = rows.filter(hidden_at__isnull=hide)
    changed = rows.update(
        hidden_at=timezone.now() if hide else None,
        hidden_by=author.get_username() if hide else "",
        hidden_reason=reason if hide else "",
    )
    if not changed:
        state = "deleted" if hide else "shown"
        raise WikiError("unchanged", f"That is {state} already.", status=409)
    what = "the picture" if version_id is None else f"version {chosen[0].number} of the picture"
    did = "Deleted" if hide else "Brought back"
    tell(page, author, f"{did} {what}", reason, page.current.text if page.current else "")
    return changed
