"""Who may change a page, and who may say so."""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Page, Revision

ESTABLISHED_AFTER = timedelta(days=4)
ESTABLISHED_EDITS = 10
WHO_MAY = {
    Page.Protection.ACCOUNTS: "Only people with an account may edit this page.",
    Page.Protection.ESTABLISHED: "Only accounts of at least 4 days with 10 edits may edit this page.",
    Page.Protection.REVIEWERS: "Only reviewers may edit this page.",
    Page.Protection.MODERATORS: "Only moderators may edit this page.",
    Page.Protection.ADMINS: "Only admins may edit this page.",
}


def is_moderator(person: User | AnonymousUser) -> bool:
    """The staff, and whoever has the permission ``wiki.protect_page``, best by a group."""
    return person.is_active and (person.is_staff or person.has_perm("wiki.protect_page"))


def is_reviewer(person: User | AnonymousUser) -> bool:
    """Whoever may mark changes as patrolled, and every moderator."""
    return is_moderator(person) or (person.is_active and person.has_perm("wiki.patrol_revision"))


def is_established(person: User | AnonymousUser) -> bool:
    """An account of at least four days that has saved ten edits here."""
    if not person.is_authenticated or person.is_guest:
        return False
    if timezone.now() - person.date_joined < ESTABLISHED_AFTER:
        return False
    edits = Revision.objects.filter(author=person, event=Revision.Event.EDIT)
    return edits[:ESTABLISHED_EDITS].count() == ESTABLISHED_EDITS


def may_edit(page: Page | None, person: User | AnonymousUser) -> bool:
    """Whether the protection of ``page`` lets ``person`` save; who has not logged in may yet save as
    a guest."""
    level = Page.Protection.OPEN if page is None else page.level
    if level == Page.Protection.ADMINS:
        return person.is_active and person.is_staff
    if level == Page.Protection.OPEN or is_moderator(person):
        return True
    if level == Page.Protection.REVIEWERS:
        return is_reviewer(person)
    if level == Page.Protection.ACCOUNTS:
        return person.is_authenticated and not person.is_guest
    return level == Page.Protection.ESTABLISHED and is_established(person)


def refuse_unless_editor(page: Page | None, person: User | AnonymousUser) -> None:
    """Raises WikiError ``protected`` where ``person`` may not change ``page``."""
    if page is None or may_edit(page, person):
        return
    why = (
        f" The reason given: “{page.protection_reason.removesuffix('.')}”."
        if page.protection_reason
        else ""
    )
    raise WikiError("protected", WHO_MAY[Page.Protection(page.level)] + why, status=403)
