"""Drafts: what somebody is writing, kept by the server until it is published or discarded.

There is one for each person, page and section. A form names the version of the draft that it knows;
another version is that of another window, and nothing is put over it without a word.
"""

import re
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from portal.models import User
from wiki.errors import WikiError
from wiki.languages import LANGUAGES
from wiki.models import Page, SavedDraft
from wiki.services.edit import CONTROL, MAX_SUMMARY, MAX_TEXT_BYTES

MOST_DRAFTS = 50  # of one person
KEPT_DAYS = 180  # that a draft stays which nobody saves again
MOST_OF_A_GUEST = 5  # anybody becomes hundreds of them within an hour
SHORT_ID = re.compile(r"[0-9]{1,18}", re.ASCII)


@dataclass(frozen=True)
class Written:
    """What a form holds. ``base`` is the row id of the revision it started from."""

    text: str
    base: int | None = None
    section: int = 0  # of the text of ``base``; 0: ``text`` is the whole page
    title: str = ""
    summary: str = ""
    minor: bool = False
    language: str = ""  # of a new page
    translates: int | None = None  # the page that a new one is to be a translation of


def version_of(draft: SavedDraft) -> str:
    """Names this state of ``draft``; changes each time it is saved."""
    return f"{draft.pk}-{draft.saved_at:%Y%m%d%H%M%S%f}"


def drafts_of(user: User, page: Page | None, slug: str) -> QuerySet[SavedDraft]:
    """The drafts of ``user`` for a page, under whatever name they were begun, the newest first."""
    named = Q(slug=slug)
    if page is not None:
        named |= Q(slug=page.slug) | Q(slug__in=page.names.values("slug"))
    return SavedDraft.objects.filter(named, user=user).order_by("-saved_at")


@transaction.atomic
def save_draft(
    *, user: User, slug: str, written: Written, known: str, replace: bool = False
) -> SavedDraft:
    """Keep ``written`` as the draft of ``user`` for this page and section.

    ``known`` is the version that the form has seen, empty where none; ``replace``: whatever there is
    goes. Raises WikiError ``too_long``, ``no_section``, ``draft_elsewhere`` or ``too_many_drafts``; then
    the draft stays as it was.
    """
    if len(written.text.encode()) > MAX_TEXT_BYTES:
        raise WikiError(
            "too_long",
            f"A page can have at most {MAX_TEXT_BYTES:,} bytes; the draft is not saved.",
            status=413,
        )
    if written.section > MAX_TEXT_BYTES:  # more than any text can have
        raise WikiError("no_section", "This page has no such section.", status=404)
    drafts = SavedDraft.objects.select_for_update().filter(user=user)
    known_id = known.partition("-")[0]
    draft = drafts.filter(pk=int(known_id)).first() if SHORT_ID.fullmatch(known_id) else None
    # the version that is known may have been begun under another name of the page
    if draft is None or known != version_of(draft):
        draft = drafts.filter(slug=slug, section=written.section).first()
    if draft is not None and not replace and known != version_of(draft):
        if draft.text == written.text and draft.base == written.base:
            return draft
        raise elsewhere(draft)
    most = MOST_OF_A_GUEST if user.is_guest else MOST_DRAFTS
    if draft is None and drafts.count() >= most:
        raise WikiError(
            "too_many_drafts",
            f"You have {most} drafts already. Publish or discard some of them first.",
            status=409,
        )
    draft = draft or SavedDraft(user=user, slug=slug, section=written.section)
    draft.slug, draft.section = slug, written.section
    draft.base, draft.minor, draft.saved_at = written.base, written.minor, timezone.now()
    draft.text = CONTROL.sub("", written.text.replace("\r\n", "\n").replace("\r", "\n"))
    draft.title = CONTROL.sub("", written.title)[:255]
    draft.language = written.language if written.language in LANGUAGES else ""
    draft.translates = written.translates
    draft.summary = CONTROL.sub(" ", written.summary)[:MAX_SUMMARY]
    try:
        with transaction.atomic():
            draft.save()
    except IntegrityError as error:  # another window was first
        raise elsewhere(drafts.get(slug=slug, section=written.section)) from error
    return draft


def elsewhere(draft: SavedDraft) -> WikiError:
    return WikiError(
        "draft_elsewhere",
        f"Another window of yours saved a draft at {draft.saved_at:%H:%M}; this one is not put over it.",
        status=409,
    )


def no_draft() -> WikiError:
    return WikiError(
        "no_draft", "You have no such draft: it was published or discarded.", status=404
    )


def discard(*, user: User, pk: int) -> SavedDraft:
    """Remove a draft for good. Raises WikiError ``no_draft``."""
    draft = SavedDraft.objects.filter(user=user, pk=pk).first()
    if draft is None:
        raise no_draft()
    SavedDraft.objects.filter(pk=pk).delete()
    return draft


def prune(now: datetime) -> int:
    """Remove drafts that were last saved ``KEPT_DAYS`` ago or earlier; how many."""
    return SavedDraft.objects.filter(saved_at__lt=now - timedelta(days=KEPT_DAYS)).delete()[0]


def drop_published(*, user: User, page: Page, slug: str, known: str, text: str) -> None:
    """Remove the draft whose text was published: the version that the form knew, or one that says the
    same. What another window has written since stays."""
    for draft in drafts_of(user, page, slug):
        if version_of(draft) == known or draft.text == text:
            draft.delete()


def keep_conflict(*, user: User, slug: str, written: Written, known: str) -> SavedDraft | None:
    """Keep the whole text of somebody who met a conflict, in place of the draft it came from; None where
    another window has a draft of the page."""
    try:
        return save_draft(user=user, slug=slug, written=written, known=known)
    except WikiError:
        return None


@transaction.atomic
def hand_over(*, guest: User, account: User) -> None:
    """Give the drafts of ``guest`` to ``account``, but for pages of which that has its own, and as far
    as there is room."""
    own = SavedDraft.objects.filter(user=account)
    taken = set(own.values_list("slug", "section"))
    room = max(0, MOST_DRAFTS - len(taken))
    coming = SavedDraft.objects.filter(user=guest).order_by("-saved_at")
    rows = [draft.pk for draft in coming if (draft.slug, draft.section) not in taken][:room]
    SavedDraft.objects.filter(pk__in=rows).update(user=account)
