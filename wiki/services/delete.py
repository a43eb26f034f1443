"""Deleting a page and bringing it back. Nothing of it is lost: it gives up its address and its names,
which it remembers, and is left out of whatever the public reads."""

from datetime import datetime

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import LogEntry, Page, PageName, Revision
from wiki.search import reindex
from wiki.services.edit import name_page
from wiki.services.groups import leave_if_taken
from wiki.services.history import append_revision, free_slug
from wiki.services.log import clean_reason, note
from wiki.services.rights import is_admin, is_moderator
from wiki.services.subjects import talk_title
from wiki.special import refuse_special
from wiki.titles import check_title, split_namespace, title_key


def may_delete(page: Page, person: User | AnonymousUser) -> bool:
    """Moderators, and whoever has the permission ``wiki.remove_page``; the page of a game only admins."""
    if page.game:
        return is_admin(person)
    return person.is_active and (is_moderator(person) or person.has_perm("wiki.remove_page"))


def refuse_unless_remover(page: Page, person: User | AnonymousUser) -> None:
    """Raises WikiError ``game_page``, ``not_moderator`` or ``account_blocked``: a moderator who is kept
    from writing keeps no other power over pages."""
    if may_delete(page, person):
        hooks.refuse_blocked(person)
        return
    if page.game and is_moderator(person):
        raise WikiError(
            "game_page",
            "This page belongs to a game that is played here: only admins may delete it or bring it "
            "back.",
            status=403,
        )
    raise WikiError("not_moderator", "Only moderators may delete pages.", status=403)


@transaction.atomic
def delete_page(*, page_id: int, reason: str, person: User) -> Page:
    """Delete a page, and its talk page with it.

    Raises WikiError ``not_moderator``, ``game_page``, ``no_reason``, ``long_summary`` or
    ``deleted_already``.
    """
    page = locked(page_id)
    refuse_unless_remover(page, person)
    if page.deleted_at is not None:
        raise WikiError("deleted_already", "Somebody deleted this page just now.", status=409)
    reason = clean_reason(reason)
    now = timezone.now()
    _delete(page, reason, person, now)
    for talk in Page.objects.select_for_update(no_key=True, of=("self",)).filter(subject=page):
        _delete(talk, reason, person, now)
    return page


def _delete(page: Page, reason: str, person: User, now: datetime) -> None:
    tell(page, Revision.Event.DELETION, reason, person)
    note(LogEntry.Kind.DELETE, person, page=page, reason=reason, slug=page.slug)
    others = page.names.exclude(key=title_key(page.title)).order_by("pk")
    page.deleted_names = [page.slug, page.title, *others.values_list("title", flat=True)]
    page.names.all().delete()
    page.links.all().delete()
    page.slug = f"_deleted_{page.pk}"  # no title asks for such a slug
    page.deleted_at, page.deleted_by = now, person.get_username()
    page.deleted_reason = reason
    page.save(update_fields=["slug", "deleted_at", "deleted_by", "deleted_reason", "deleted_names"])
    reindex(page)


@transaction.atomic
def undelete_page(*, page_id: int, reason: str, person: User, title: str = "") -> Page:
    """Bring a deleted page back under the address and the names it had, as far as they are free, and
    its talk page if that went with it. ``title``: it is called so from now on; a talk page is called like
    its page.

    Raises WikiError ``not_moderator``, ``game_page``, ``not_deleted``, ``subject_deleted``, ``talk_follows``,
    ``no_reason``, ``long_summary``, ``bad_title``, ``special_title`` or ``title_taken``.
    """
    about = Page.everything.filter(pk=page_id).values_list("subject", flat=True).first()
    subject = locked(about) if about is not None else None  # first, as where both are deleted
    page = locked(page_id)
    refuse_unless_remover(page, person)
    if page.deleted_at is None:
        raise WikiError("not_deleted", "This page is here already.", status=409)
    if subject is not None and subject.deleted_at is not None:
        raise WikiError(
            "subject_deleted",
            f"“{page.title}” is about “{subject.title}”, which is deleted. Bring that page back first.",
            status=409,
        )
    reason = clean_reason(reason)
    named = talk_title(subject) if subject is not None else page.title
    title = check_title(title or named)
    if subject is not None and title != named:
        raise WikiError(
            "talk_follows", f"A talk page is called like its page: this one “{named}”.", status=409
        )
    if title != page.title:
        refuse_special(title)
    if split_namespace(title)[0] != page.namespace:
        raise WikiError("bad_title", f"“{title}” names another kind of page.", status=422)
    when = page.deleted_at
    _undelete(page, title, reason, person)
    for talk in Page.everything.select_for_update(no_key=True, of=("self",)).filter(
        subject=page, deleted_at=when
    ):
        said = talk_title(page)
        if not PageName.objects.filter(key=title_key(said)).exists():
            _undelete(talk, said, reason, person)
    return page


def _undelete(page: Page, title: str, reason: str, person: User) -> None:
    if taken := PageName.objects.select_related("page").filter(key=title_key(title)).first():
        raise WikiError(
            "title_taken",
            f"“{title}” leads to the page “{taken.page.title}” now. Give the old page another title.",
            status=409,
        )
    slug, *names = page.deleted_names or [free_slug(title)]
    same = title == page.title and not Page.everything.filter(slug=slug).exists()
    page.slug = slug if same else free_slug(title)
    page.title, page.deleted_at, page.deleted_names = title, None, []
    page.deleted_by = page.deleted_reason = ""
    page.save()
    for name in (title, *names):
        if not PageName.objects.filter(key=title_key(name)).exists():
            name_page(page, name)
    leave_if_taken(page)
    tell(page, Revision.Event.UNDELETION, reason, person)
    note(LogEntry.Kind.UNDELETE, person, page=page, reason=reason)


def tell(page: Page, event: str, reason: str, person: User) -> Revision:
    """A row of the page's history about ``event``, with the text as it was."""
    return append_revision(
        page,
        author=person,
        author_name=person.get_username(),
        timestamp=timezone.now(),
        summary=reason,
        minor=False,
        text=page.current.text if page.current else "",
        event=event,
    )


def locked(page_id: int) -> Page:
    """The page, deleted or not, locked. Raises WikiError ``no_page``."""
    page = Page.everything.select_for_update(no_key=True).filter(pk=page_id).first()
    if page is None:
        raise WikiError("no_page", "There is no such page.", status=404)
    return page


def was_deleted(slug: str, game: str) -> bool:
    """Whether the page of ``game`` at ``slug`` was deleted here, and is not to come again by itself."""
    gone = Page.everything.exclude(deleted_at=None)
    its = Q(deleted_names__0=slug) | Q(log__kind=LogEntry.Kind.RENAME)
    return bool(game) and gone.filter(its, game=game).exists()
