"""Groups: what each may, who is in which, and putting people into them.

They are Django's groups, made after each migration; what a group may is a set of permissions, so that
a site can change it in the admin. Nobody needs to be put among readers and editors: everybody reads,
and an account that is old enough and has written enough edits like an editor.
"""

from collections.abc import Iterable
from typing import Any

from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.functions import Lower

from portal.models import User
from wiki import hooks
from wiki.errors import WikiError
from wiki.models import LogEntry
from wiki.services.log import clean_reason, note
from wiki.services.rights import has_grown, is_admin, is_moderator

REVIEWS = ("wiki.patrol_revision", "wiki.rollback")
MODERATES = (
    "wiki.protect_page",
    "wiki.rename_page",
    "wiki.remove_page",
    "wiki.hide_revision",
    "wiki.mass_revert",
    "portal.add_block",
)
GROUPS: dict[str, tuple[str, ...]] = {
    "reader": (),
    "editor": (),
    "reviewer": REVIEWS,
    "moderator": (*REVIEWS, *MODERATES),
    "admin": (*REVIEWS, *MODERATES, "auth.change_group"),
}
WHAT_THEY_MAY = {
    "reader": "Everybody. They read all pages, and write where a page is open to all.",
    "editor": "They edit and rename pages that are open to established accounts, as fast as they "
    "write and with links to other sites. Accounts of at least 4 days with 10 edits are editors by "
    "themselves.",
    "reviewer": "They mark changes as patrolled, take back the last edits of a person with one "
    "button, and edit pages that are protected for reviewers.",
    "moderator": "They protect, delete and bring back pages, hide what should not be read, block "
    "accounts and addresses, take back all edits of a person, and make editors and reviewers.",
    "admin": "They do all of this, also with the pages of games, and put people into every group.",
}
GIVEN = ("editor", "reviewer", "moderator", "admin")  # nobody is put among readers
BY_MODERATORS = ("editor", "reviewer")


def make_groups(**_: Any) -> None:
    """On ``post_migrate``: make the groups that are not there yet. What a site changed of one stays."""
    for name, codes in GROUPS.items():
        group, new = Group.objects.get_or_create(name=name)
        if new and codes:
            wanted = Q()
            for code in codes:
                app, _dot, codename = code.partition(".")
                wanted |= Q(content_type__app_label=app, codename=codename)
            group.permissions.set(Permission.objects.filter(wanted))


def groups_of(person: User | AnonymousUser | None) -> list[str]:
    """The groups that ``person`` counts among, the highest last; nothing for mere readers."""
    if person is None or not person.is_authenticated or person.is_guest:
        return []
    found = set(person.groups.filter(name__in=GIVEN).values_list("name", flat=True))
    if person.is_staff:
        found.add("admin")
    if not found and has_grown(person):
        found.add("editor")
    return [name for name in GIVEN if name in found]


def members(name: str) -> QuerySet[User]:
    """Who was put into group ``name``, by name; the staff are admins."""
    among = Q(groups__name=name)
    if name == "admin":
        among |= Q(is_staff=True)
    return User.objects.filter(among, is_active=True).distinct().order_by(Lower("username"))


def may_give(by: User | AnonymousUser) -> tuple[str, ...]:
    """The groups into which ``by`` may put people."""
    if is_admin(by):
        return GIVEN
    return BY_MODERATORS if is_moderator(by) else ()


@transaction.atomic
def set_groups(*, name: str, groups: Iterable[str], reason: str, by: User) -> User:
    """Put the account called ``name`` into ``groups``, and out of all others that ``by`` may give.

    Raises WikiError ``not_moderator``, ``no_person``, ``guests_may_not``, ``bad_group``,
    ``no_reason``, ``long_summary`` or ``unchanged``.
    """
    mine = set(may_give(by))
    if not mine:
        raise WikiError("not_moderator", "Only moderators put people into groups.", status=403)
    hooks.refuse_blocked(by)
    person = account(name)
    wanted = set(groups)
    if not wanted <= set(GIVEN):
        raise WikiError("bad_group", "There is no such group.", status=422)
    has = set(person.groups.filter(name__in=GIVEN).values_list("name", flat=True))
    if wanted - has - mine:
        raise WikiError("bad_group", "Only admins put people into that group.", status=403)
    added, removed = wanted - has, (has & mine) - wanted
    if not added and not removed:
        raise WikiError("unchanged", f"{person.username} is in these groups already.", status=409)
    reason = clean_reason(reason)
    person.groups.add(*Group.objects.filter(name__in=added))
    person.groups.remove(*Group.objects.filter(name__in=removed))
    note(
        LogEntry.Kind.GROUPS,
        by,
        title=person.username,
        reason=reason,
        added=sorted(added),
        removed=sorted(removed),
    )
    return person


def account(name: str) -> User:
    """The account called ``name``, in either case. Raises WikiError ``no_person``, ``guests_may_not``."""
    person = User.objects.filter(username__iexact=name.strip()).first()
    if person is None:
        raise WikiError("no_person", f"There is no account called “{name.strip()}”.", status=404)
    if person.is_guest:
        raise WikiError("guests_may_not", "A guest can be in no group.", status=422)
    return person
