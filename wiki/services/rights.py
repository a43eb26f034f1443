"""Who may change a page, and who may say so."""

from datetime import timedelta

from django.contrib.auth.models import AnonymousUser
from django.utils import timezone

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import Page, Revision

ESTABLISHED_AFTER = timedelta(days=4)
ESTABLISHED_EDITS = 10
WHO_MAY = {
    Page.Protection.ACCOUNTS: "Only people with an account may {}.",
    Page.Protection.ESTABLISHED: "Only accounts of at least 4 days with 10 edits may {}.",
    Page.Protection.REVIEWERS: "Only reviewers may {}.",
    Page.Protection.MODERATORS: "Only moderators may {}.",
    Page.Protection.ADMINS: "Only admins may {}.",
}


def is_admin(person: User | AnonymousUser) -> bool:
    """The staff, and whoever has the permission ``auth.change_group``, best by a group."""
    return person.is_active and (person.is_staff or person.has_perm("auth.change_group"))


def is_moderator(person: User | AnonymousUser) -> bool:
    """The staff, and whoever has the permission ``wiki.protect_page``, best by a group."""
    return person.is_active and (person.is_staff or person.has_perm("wiki.protect_page"))


def is_reviewer(person: User | AnonymousUser) -> bool:
    """Whoever may mark changes as patrolled, and every moderator."""
    return is_moderator(person) or (person.is_active and person.has_perm("wiki.patrol_revision"))


def is_established(person: User | AnonymousUser) -> bool:
    """An account of at least four days that has saved ten edits here, and whoever was put into the
    group of editors."""
    if not person.is_authenticated or person.is_guest:
        return False
    return has_grown(person) or person.groups.filter(name="editor").exists()


def has_grown(person: User) -> bool:
    """Whether an account is old enough and has edited enough to count as established by itself."""
    if timezone.now() - person.date_joined < ESTABLISHED_AFTER:
        return False
    edits = Revision.objects.filter(author=person, event=Revision.Event.EDIT)
    return edits[:ESTABLISHED_EDITS].count() == ESTABLISHED_EDITS


def may_edit(page: Page | None, person: User | AnonymousUser) -> bool:
    """Whether the protection of ``page`` lets ``person`` save; who has not logged in may yet save as
    a guest."""
    return reaches(Page.Protection.OPEN if page is None else page.level, person)


def reaches(level: str, person: User | AnonymousUser) -> bool:
    """Whether ``person`` is among those whom the protection ``level`` lets through."""
    if level == Page.Protection.ADMINS:
        return is_admin(person)
    if level == Page.Protection.OPEN or is_moderator(person):
        return True
    if level == Page.Protection.REVIEWERS:
        return is_reviewer(person)
    if level == Page.Protection.ACCOUNTS:
        return person.is_authenticated and not person.is_guest
    return level == Page.Protection.ESTABLISHED and (is_reviewer(person) or is_established(person))


def refuse_unless_editor(page: Page | None, person: User | AnonymousUser) -> None:
    """Raises WikiError ``protected`` where ``person`` may not change ``page`` (None: a new one), and
    ``account_blocked`` or ``address_blocked`` where a block keeps them from writing."""
    hooks.refuse_blocked(person)
    if page is None or may_edit(page, person):
        return
    said = WHO_MAY[Page.Protection(page.level)].format("edit this page")
    raise WikiError("protected", said + reason_given(page), status=403)


def refuse_unless_renamer(page: Page, person: User | AnonymousUser) -> None:
    """Raises WikiError ``who_are_you``, ``guests_may_not`` or ``protected`` where ``person`` may not give
    ``page`` another name: whoever may not edit it may not either."""
    if not person.is_authenticated:
        raise WikiError("who_are_you", "Log in to rename a page.", status=403)
    if person.is_guest:
        raise WikiError(
            "guests_may_not",
            "Guests cannot rename pages. Sign up, and what you did as a guest stays yours.",
            status=403,
        )
    refuse_unless_editor(page, person)
    level = page.rename_level
    if reaches(level, person) or person.has_perm("wiki.rename_page"):
        return
    said = WHO_MAY[Page.Protection(level)].format("rename this page")
    raise WikiError("protected", said + reason_given(page), status=403)


def reason_given(page: Page) -> str:
    reason = page.protection_reason.removesuffix(".")
    return f" The reason given: “{reason}”." if reason else ""
