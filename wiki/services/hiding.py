"""What of a revision somebody may see.

Whatever shows texts, authors or summaries of revisions goes through ``seen_by`` or ``visible``; the
lists of ``wiki.selectors`` do, and show what everybody may see unless they are told who looks.
"""

from functools import cache

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Revision
from wiki.services.rights import is_moderator

Viewer = User | AnonymousUser | None


def sees_hidden(person: Viewer) -> bool:
    """Moderators, and whoever has the permission ``wiki.hide_revision``."""
    if person is None or not person.is_active:
        return False
    return is_moderator(person) or person.has_perm("wiki.hide_revision")


def seen_by(person: Viewer, rows: QuerySet[Revision]) -> QuerySet[Revision]:
    """``rows`` as ``person`` may see them (None: everybody)."""
    return rows.seen_if(cache(lambda: sees_hidden(person)))


def visible(revision: Revision, person: Viewer = None) -> Revision:
    """``revision`` itself, without what of it is hidden from ``person`` (None: from everybody): then it
    is only to be read, never to be saved."""
    if revision.hides and not revision.covered and not sees_hidden(person):
        revision.cover()
    return revision


def public_name(revision: Revision) -> str:
    """The author as summaries and sentences may name them, which everybody reads."""
    return "a hidden author" if revision.author_hidden else revision.author_name


def refuse_hidden_text(revision: Revision, person: Viewer) -> None:
    """Raises WikiError ``text_hidden`` where ``person`` may not see the text of ``revision``."""
    if revision.text_hidden and not sees_hidden(person):
        raise text_hidden()


def text_hidden() -> WikiError:
    return WikiError(
        "text_hidden",
        "A moderator hid the text of that revision. The log says when and why.",
        status=403,
    )
