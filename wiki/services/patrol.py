"""Patrol marks: which changes a reviewer has looked at. What reviewers write, and what came with the
site or an import, needs none."""

from collections.abc import Collection

from django.contrib.auth.models import AnonymousUser
from django.db.models import Q
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Revision
from wiki.services.rights import is_reviewer

# As ``Revision.needs_patrol``.
UNPATROLLED = Q(patrolled_at=None, origin=None, event=Revision.Event.EDIT, author__isnull=False)
MOST_AT_ONCE = 500


def refuse_unless_reviewer(person: User | AnonymousUser) -> None:
    """Raises WikiError ``not_reviewer``."""
    if not is_reviewer(person):
        raise WikiError("not_reviewer", "Only reviewers mark changes as patrolled.", status=403)


def mark_patrolled(*, revision_ids: Collection[int], person: User | AnonymousUser) -> int:
    """Mark changes as looked at; how many were not yet. Raises WikiError ``not_reviewer``."""
    refuse_unless_reviewer(person)
    rows = Revision.objects.filter(UNPATROLLED, pk__in=list(revision_ids)[:MOST_AT_ONCE])
    return rows.update(patrolled_at=timezone.now(), patrolled_by=person)
