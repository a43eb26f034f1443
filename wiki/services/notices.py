"""Notices: what concerns one person, told once by the strongest reason, never to who did it."""

import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from portal.models import User
from portal.names import name_key
from wiki.errors import WikiError
from wiki.markup.fences import fenced
from wiki.markup.people import USER_LINK
from wiki.markup.sections import sections
from wiki.models import Notice, Page, Revision, Watch, WatchList
from wiki.services.signature import signers, unsigned
from wiki.services.watch import wishes_with_key

KEPT_DAYS = 90  # that a notice stays once it is read
MENTIONED = 30  # people whom one edit can call
CALLED = re.compile(r"(?<![\w@/.])@([\w.+-]{2,30})")
CODE = re.compile(r"`[^`\n]*`")


def notices(user: User) -> QuerySet[Notice]:
    """What ``user`` was told, newest first, without what was deleted or hidden since."""
    return (
        Notice.objects.filter(
            user=user,
            revision__page__deleted_at=None,
            revision__text_hidden=False,
            revision__author_hidden=False,
        )
        .select_related("revision__page__subject", "revision__author")
        .defer(*(f"revision__{name}" for name in Revision.TEXTS))
        .order_by("-at", "-pk")
    )


def unread(user: User) -> QuerySet[Notice]:
    return notices(user).filter(seen_at=None)


def see(rows: QuerySet[Notice]) -> None:
    """None of ``rows`` is new any more."""
    rows.filter(seen_at=None).update(seen_at=timezone.now())


def see_page(page: Page, person: User | AnonymousUser) -> None:
    """``person`` looks at ``page``, and so at all that the notices of it tell."""
    if person.is_authenticated:
        see(Notice.objects.filter(user=person, revision__page=page))


@transaction.atomic
def set_kinds(*, user: User, wanted: Iterable[str]) -> None:
    """From now on only notices of the kinds ``wanted`` are made for ``user``. Raises WikiError
    ``bad_kind``."""
    kinds = set(wanted)
    if not kinds <= set(Notice.Kind.values):
        raise WikiError("bad_kind", "There is no such kind of notice.")
    row = wishes_with_key(user)
    row.unwanted = [kind for kind in Notice.Kind.values if kind not in kinds]
    row.save(update_fields=["unwanted"])


def tell(revision: Revision, kinds: dict[int, str]) -> None:
    """Make a notice of ``revision`` for each person in ``kinds`` (row id: kind) who wants it."""
    kinds.pop(revision.author_id, None)
    unwanted = dict(
        WatchList.objects.filter(user__in=kinds)
        .exclude(unwanted=[])
        .values_list("user", "unwanted")
    )
    Notice.objects.bulk_create(
        [
            Notice(user_id=user, kind=kind, revision=revision, at=revision.timestamp)
            for user, kind in kinds.items()
            if kind not in unwanted.get(user, [])
        ],
        ignore_conflicts=True,
    )


def told_of_revert(revert: Revision, reverted: Iterable[Revision]) -> None:
    """Tell the authors of ``reverted`` that ``revert``, a later revision of the same page, took their
    edits back. Inside the transaction that saves it."""
    authors = {
        row.author_id
        for row in reverted
        if row.author_id and not row.text_hidden and not row.author_hidden
    }
    tell(revert, dict.fromkeys(authors, Notice.Kind.REVERT))


def told_of_talk(revision: Revision, before: str) -> None:
    """Tell whom the edit ``revision`` of a talk page concerns, whose text was ``before``: people it
    mentions, people who wrote in the same section or began the page, and who watches the page.

    A minor edit concerns only whom it mentions. Inside the transaction that saves it.
    """
    page, old = revision.page, Counter(before.split("\n"))
    lines = revision.text.split("\n")
    added = {number for number, line in enumerate(lines) if line.strip() and not took(old, line)}
    if not added:
        return
    kinds: dict[int, str] = {}
    if not revision.minor:
        watchers = Watch.objects.filter(page__in=[page.pk, page.subject_id])
        kinds |= dict.fromkeys(watchers.values_list("user", flat=True), Notice.Kind.TALK)
        kinds |= dict.fromkeys(writers(revision, lines, added), Notice.Kind.REPLY)
    kinds |= dict.fromkeys(mentioned(lines, added), Notice.Kind.MENTION)
    tell(revision, kinds)


def took(lines: Counter[str], line: str) -> bool:
    """Whether ``line`` is among ``lines``; it is so once for each time it stands there."""
    lines[line] -= 1
    return lines[line] >= 0


def writers(revision: Revision, lines: list[str], added: set[int]) -> set[int]:
    """Row ids of who wrote before in the sections that have ``added`` lines, or began the page."""
    names, headings = set(), set()
    for section in sections(revision.text):
        inside = range(section.start, section.end)
        if section.level <= 2 and any(number in added for number in inside):
            headings.add(section.heading)
            names |= signers("\n".join(lines[n] for n in inside if n not in added))
    earlier = revision.page.revisions.exclude(pk=revision.pk).exclude(author=None)
    earlier = earlier.filter(text_hidden=False, author_hidden=False)
    began = earlier.order_by("number").values_list("author", "number").first()
    found = {began[0]} if began and began[1] == 1 else set()
    for heading in headings:
        mark = f"/* {heading} */"
        found |= set(earlier.filter(summary__startswith=mark).values_list("author", flat=True))
    return found | people_called(names)


def mentioned(lines: list[str], added: set[int]) -> set[int]:
    """Row ids of whom the ``added`` lines call by ``@Name`` or ``[[User:Name]]``, signatures and code
    left out."""
    in_code = {n for first, last in fenced(lines) for n in range(first, last + 1)}
    text = "\n".join(lines[number] for number in sorted(added - in_code))
    text = CODE.sub("", unsigned(text))
    called = [match[1] for match in CALLED.finditer(text)]
    called += [name.rstrip(".+-") for name in called]
    linked = [match["name"].strip() for match in USER_LINK.finditer(text)]
    return people_called(list(dict.fromkeys(linked + called))[: 2 * MENTIONED])


def people_called(names: Iterable[str]) -> set[int]:
    keys = {name_key(way) for name in names for way in (name, name.replace("_", " "))}
    return set(User.objects.filter(name_key__in=keys, is_active=True).values_list("pk", flat=True))


def prune(now: datetime) -> int:
    """Remove notices that were read ``KEPT_DAYS`` ago or earlier; how many. What is not read stays."""
    return Notice.objects.filter(seen_at__lt=now - timedelta(days=KEPT_DAYS)).delete()[0]


@transaction.atomic
def hand_over(*, guest: User, account: User) -> None:
    """What ``guest`` was told is told to ``account``."""
    known = Notice.objects.filter(user=account).values("revision")
    Notice.objects.filter(user=guest).exclude(revision__in=known).update(user=account)
