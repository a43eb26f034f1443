"""Watch lists: which pages somebody watches, and what of them they have seen."""

import secrets

from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.db.models import F, Max, OuterRef, Subquery
from django.db.models.functions import Coalesce

from portal.models import User
from wiki.errors import WikiError
from wiki.models import Page, Revision, Watch, WatchList

MOST_WATCHED = 2_000  # pages on one list
KEY_BYTES = 32


def watched(page: Page, person: User | AnonymousUser) -> Watch | None:
    """The row that says that ``person`` watches ``page``, if so, with its ``newest``."""
    if not person.is_authenticated:
        return None
    last = Revision.objects.filter(page=page).order_by("-pk").values("pk")[:1]
    row = Watch.objects.filter(page=page, user=person).annotate(newest=Subquery(last)).first()
    if row is not None:
        row.page = page
    return row


def watch(*, page: Page, user: User) -> None:
    """Put ``page`` and what is talked about it on the list of ``user``, all of it seen. Raises WikiError
    ``too_many_watched``."""
    pages = both(page)
    others = Watch.objects.filter(user=user).exclude(page__in=pages)
    if others.filter(page__subject=None).count() >= MOST_WATCHED:
        raise WikiError(
            "too_many_watched",
            f"You watch {MOST_WATCHED:,} pages already. Take some off your list first.",
            status=409,
        )
    last = Revision.objects.filter(page__in=pages).order_by().values_list("page")
    newest = dict(last.annotate(Max("pk")))
    rows = [Watch(user=user, page=one, seen=newest.get(one.pk, 0)) for one in pages]
    Watch.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["user", "page"], update_fields=["seen"]
    )


def unwatch(*, page: Page, user: User) -> None:
    """Take ``page`` and what is talked about it off the list of ``user``."""
    Watch.objects.filter(user=user, page__in=both(page)).delete()


def both(page: Page) -> list[Page]:
    """``page`` as the last, and the page it talks about or that talks about it, as far as there is
    one: who watches the one watches the other."""
    other = page.subject if page.subject_id else Page.everything.filter(subject=page).first()
    return [other, page] if other else [page]


@transaction.atomic
def hand_over(*, guest: User, account: User) -> None:
    """Put what ``guest`` watches on the list of ``account``, as far as there is room."""
    known = Watch.objects.filter(user=account).values("page")
    room = max(0, MOST_WATCHED - known.count())
    coming = Watch.objects.filter(user=guest).exclude(page__in=known).order_by("-pk")
    rows = list(coming.values_list("pk", flat=True)[:room])
    Watch.objects.filter(pk__in=rows).update(user=account)


def see(row: Watch | None) -> None:
    """Remember that the watcher has looked at the page as it is now. ``row`` is from ``watched``."""
    if row is not None and row.seen < (now := row.newest or 0):
        Watch.objects.filter(pk=row.pk, seen__lt=now).update(seen=now)
        row.seen = now


def see_all(user: User) -> None:
    """Nothing on the list of ``user`` is new any more."""
    last = Revision.objects.filter(page=OuterRef("page")).order_by("-pk").values("pk")[:1]
    Watch.objects.filter(user=user).update(seen=Coalesce(Subquery(last), F("seen")))


def new_key() -> str:
    return secrets.token_urlsafe(KEY_BYTES)


def wishes(user: User) -> WatchList:
    """What ``user`` wants of the watch list: the saved row, or one with the defaults, not saved."""
    return WatchList.objects.filter(user=user).first() or WatchList(user=user)


def wishes_with_key(user: User) -> WatchList:
    """The saved row of ``user``, made where there is none."""
    try:
        return WatchList.objects.get_or_create(user=user, defaults={"key": new_key()})[0]
    except IntegrityError:  # two requests at once
        return WatchList.objects.get(user=user)


@transaction.atomic
def set_wishes(*, user: User, add_edited: bool, mail: bool) -> WatchList:
    row = wishes_with_key(user)
    row.add_edited, row.mail = add_edited, mail
    row.save(update_fields=["add_edited", "mail"])
    return row


def change_key(user: User) -> WatchList:
    """Give the feed of ``user`` another address; the old one is nobody's from now on."""
    row = wishes_with_key(user)
    row.key = new_key()
    row.save(update_fields=["key"])
    return row
