"""Giving a page another name. All that belongs to it stays its own, for it belongs to the page's row;
links follow by their rows too (``wiki.services.links``)."""

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import LogEntry, Page, PageName, Revision, SavedDraft
from wiki.services.edit import clean_summary
from wiki.services.history import append_revision, free_slug
from wiki.services.limits import refuse_renames
from wiki.services.links import adopt
from wiki.services.locks import locked_page
from wiki.services.log import note
from wiki.services.rights import refuse_unless_renamer
from wiki.services.uploading import file_title
from wiki.special import refuse_special
from wiki.titles import check_title, fits, make_slug, split_namespace, title_key

PREFIXES = {"file": "File", "category": "Category"}


def rename(
    *,
    page_id: int,
    title: str,
    author: User,
    seen: str,
    reason: str = "",
    redirect: bool = True,
) -> Page:
    """Call a page ``title`` from now on, and its talk page after it; returns the page.

    ``seen`` is the title that the person saw; ``redirect``: the old title leads to the page still.
    Raises WikiError ``who_are_you``, ``guests_may_not``, ``protected``, ``page_gone``, ``talk_follows``,
    ``stale``, ``bad_title``, ``special_title``, ``other_namespace``, ``bad_name``, ``wrong_extension``, ``unchanged``,
    ``title_taken`` or ``long_summary``; then nothing is changed.
    """
    said = (page_id, title, author, seen, reason, redirect)
    try:
        return _rename(*said)
    except IntegrityError:  # somebody took the name or the address just now: look again
        return _rename(*said)


@transaction.atomic
def _rename(page_id: int, title: str, author: User, seen: str, reason: str, redirect: bool) -> Page:
    page = locked_page(page_id)
    refuse_unless_renamer(page, author)
    refuse_renames(author)
    reason = clean_summary(reason)
    if page.subject_id is not None:
        raise WikiError(
            "talk_follows", "A talk page is called like its page: rename that one.", status=409
        )
    if seen != page.title:
        raise WikiError(
            "stale",
            f"Somebody renamed this page meanwhile: it is called “{page.title}” now.",
            status=409,
        )
    title = title_for(page, title)
    moves = [(page, title)]
    talks = Page.objects.select_for_update(no_key=True)
    if (talk := talks.filter(subject=page).first()) is not None:
        moves.append((talk, check_title(f"Talk:{title}")))
    for moved, new in moves:
        refuse_taken(moved, new)
    old, old_slug = page.title, page.slug
    for moved, new in moves:
        tell = f"Renamed from “{moved.title}” to “{new}”" + (f": {reason}" if reason else "")
        move(moved, new, redirect=redirect)
        append_revision(
            moved,
            author=author,
            author_name=author.get_username(),
            timestamp=timezone.now(),
            summary=tell,
            minor=False,
            text=moved.current.text if moved.current else "",
            event=Revision.Event.RENAME,
        )
    note(
        LogEntry.Kind.RENAME,
        author,
        page=page,
        title=old,
        reason=reason,
        new=title,
        redirect=redirect,
        slug=old_slug,
    )
    return page


def title_for(page: Page, title: str) -> str:
    """``title`` as that of ``page``, in the namespace of ``page`` and written like all of them."""
    title = check_title(title)
    refuse_special(title)
    namespace, name = split_namespace(title)
    if namespace not in ("", page.namespace) or (namespace and not page.namespace):
        raise WikiError(
            "other_namespace",
            f"“{title}” would be a page of another kind. Choose a title without "
            f"“{title.partition(':')[0]}:”.",
        )
    if page.namespace == "file" and (version := page.file_versions.last()) is not None:
        title = file_title(name, version.kind)
    elif page.namespace in PREFIXES:
        title = check_title(f"{PREFIXES[page.namespace]}:{name}")
    if title == page.title:
        raise WikiError("unchanged", f"The page is called “{title}” already.", status=409)
    return title


def refuse_taken(page: Page, title: str) -> None:
    """Raises WikiError ``title_taken`` where ``title`` leads to another page than ``page``."""
    name = PageName.objects.select_related("page").filter(key=title_key(title)).first()
    if name is None or name.page_id == page.pk:
        return
    leads = "" if name.page.title == title else f", by a redirect to “{name.page.title}”"
    raise WikiError("title_taken", f"There is a page called “{title}” already{leads}.", status=409)


def move(page: Page, title: str, *, redirect: bool) -> None:
    """Give ``page`` the free ``title``. Its old one stays a name of it, with its old address, where
    ``redirect`` says so."""
    old_key, old_slug, key = title_key(page.title), page.slug, title_key(title)
    adopt(page, old_key)  # links that were saved in the moment in which the page was made
    page.title = title
    if not fits(old_slug, title):
        page.slug = free_slug(title, of=page)
    page.save(update_fields=["title", "slug"])
    PageName.objects.filter(page=page, key=old_key).exclude(key=key).update(slug=old_slug)
    if not redirect:
        PageName.objects.filter(page=page, key=old_key).exclude(key=key).delete()
    name, made = PageName.objects.get_or_create(
        key=key, defaults={"page": page, "title": title, "slug": make_slug(title)}
    )
    if name.page_id != page.pk:  # taken in this very moment
        raise WikiError("title_taken", f"There is a page called “{title}” already.", status=409)
    if made:
        adopt(page, key)
    elif name.title != title:
        PageName.objects.filter(pk=name.pk).update(title=title)
    other = SavedDraft.objects.filter(slug=page.slug)
    SavedDraft.objects.filter(slug=old_slug).exclude(user__in=other.values("user")).update(
        slug=page.slug
    )


def renamed_page(revision_id: int | None) -> Page | None:
    """The page of a revision, if it has been renamed, or its subject and it with that: an edit that
    started from it means this page, whatever is called so now."""
    if revision_id is None:
        return None
    kind = LogEntry.Kind.RENAME
    renamed = Q(log__kind=kind) | Q(subject__log__kind=kind)
    pages = Page.objects.select_related("current").filter(renamed, revisions=revision_id)
    return pages.first()


def dropped_keys(page: Page) -> set[str]:
    """Keys of the titles that ``page`` gave up when it was renamed without a redirect."""
    rows = LogEntry.objects.filter(page=page, kind=LogEntry.Kind.RENAME, detail__redirect=False)
    return {title_key(title) for title in rows.values_list("title", flat=True)}
