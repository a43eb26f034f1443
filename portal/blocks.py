"""Blocking an account: until the block is over its person is logged in nowhere, and the game plays for
them wherever they sat. Or from the wiki alone: then they play on, and write no pages."""

import logging
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from games import services
from games.engine import GameError
from games.models import Ply, Seat, Table
from games.realtime.sessions import tell_all_sessions
from portal import addresses, visitor
from portal.models import Block, User
from wiki.errors import WikiError
from wiki.models import LogEntry
from wiki.services.log import note

logger = logging.getLogger(__name__)

SPANS = {1: "a day", 7: "a week", 30: "a month", 365: "a year", 0: "good"}  # days; 0: no end


def may_block(moderator: User, person: User) -> bool:
    """The staff, and whoever has the permission ``portal.add_block``; nobody blocks themselves, and only
    superusers block one of the staff."""
    if not moderator.is_active or person.pk == moderator.pk:
        return False
    if person.is_staff or person.is_superuser:
        return moderator.is_superuser
    return moderator.is_staff or moderator.has_perm("portal.add_block")


def in_force() -> QuerySet[Block]:
    """Blocks of accounts that are not over, the latest first."""
    now = timezone.now()
    rows = Block.objects.filter(lifted_at=None).filter(Q(until=None) | Q(until__gt=now))
    return rows.select_related("person", "by").order_by("-pk")


def block_of(person: User) -> Block | None:
    """The block under which ``person`` is now; None where there is none, or it is over."""
    found = Block.objects.filter(person=person, lifted_at=None).order_by("-pk").first()
    return None if found is None or found.is_over else found


@transaction.atomic
def block(*, person: User, by: User, reason: str, days: int, wiki_only: bool = False) -> Block:
    """Block ``person`` for ``days`` (0: for good), or change the block they are under. Their seats are left,
    free chairs where a table has not begun; their sockets close after the commit. ``wiki_only``: they play
    on.

    Raises PermissionDenied, also for an account that is closed for another reason.
    """
    # A move refers to its person: locking the key too, we would wait for its table and it for us.
    person = User.objects.select_for_update(no_key=True).get(pk=person.pk)
    if not may_block(by, person):
        raise PermissionDenied("You may not block this account.")
    if not person.is_active and block_of(person) is None:
        raise PermissionDenied("This account is closed already.")
    if not wiki_only:
        leave_tables(person)
    now = timezone.now()
    Block.objects.filter(person=person, lifted_at=None).update(lifted_at=now)
    User.objects.filter(pk=person.pk).update(is_active=wiki_only)
    if not wiki_only:
        tell_all_sessions(person.pk)
    until = now + timedelta(days=days) if days else None
    scope = "wiki" if wiki_only else "site"
    note(LogEntry.Kind.BLOCK, by, title=person.username, reason=reason, scope=scope,
         until=addresses.lasts(until))  # fmt: skip
    return Block.objects.create(
        person=person, by=by, reason=reason, at=now, until=until, wiki_only=wiki_only
    )


@transaction.atomic
def lift(*, person: User, by: User) -> None:
    """End the block of ``person`` before its time. Raises PermissionDenied."""
    if not may_block(by, person):
        raise PermissionDenied("You may not end this block.")
    if _lift(Block.objects.select_for_update().filter(person=person, lifted_at=None)):
        note(LogEntry.Kind.UNBLOCK, by, title=person.username)


@transaction.atomic
def lift_what_is_over(*, now: datetime, person: User | None = None) -> int:
    """Let those in again whose block is over (``person`` only, if given); how many. A second run finds none."""
    over = Block.objects.select_for_update().filter(lifted_at=None, until__lte=now)
    return _lift(over if person is None else over.filter(person=person))


def _lift(found: QuerySet[Block]) -> int:
    blocks = list(found)
    for one in blocks:
        if not one.wiki_only:
            User.objects.filter(pk=one.person_id).update(is_active=True)
        one.lifted_at = timezone.now()
        one.save(update_fields=["lifted_at"])
    return len(blocks)


def refuse_writing(person: User | AnonymousUser) -> None:
    """Raises WikiError ``account_blocked`` or ``address_blocked`` where ``person`` may write no pages, or
    nobody may from the address of this request."""
    stops = addresses.blocks_on(visitor.address.get(), person).values_list("pk")
    if person.is_authenticated:
        stops = stops.union(
            Block.objects.filter(person=person, lifted_at=None).values_list("pk"), all=True
        )
    if not list(stops[:1]):  # mostly, and then by one query
        return
    found = block_of(person) if person.is_authenticated else None
    if found is not None:
        by = f" by {found.by.username}" if found.by else ""
        raise WikiError(
            "account_blocked",
            f"You are blocked from writing pages{by} {addresses.lasts(found.until)}. The reason given: "
            f"“{found.reason.removesuffix('.')}”. You can read and play as before.",
            status=403,
        )
    if stopped := addresses.block_on(visitor.address.get(), person):
        raise WikiError("address_blocked", addresses.sentence(stopped), status=403)


def leave_tables(person: User) -> None:
    """Get up from every table, as ``person`` would, whose account is closed or removed; where that cannot be,
    the table goes on as it was."""
    seats = Seat.objects.filter(
        user=person, zombie=False, table__status__in=[Table.OPEN, Table.PLAYING]
    )
    for seat in seats.select_related("table").order_by("table_id"):
        try:
            _leave(seat.table, person)
        except GameError as error:
            table = seat.table
            logger.warning(
                "seat not left: table=%s ply=%s error=%s", table.public_id, table.ply, error
            )


def _leave(table: Table, person: User) -> None:
    if table.status == Table.OPEN:
        services.get_up(table_id=table.public_id, player=person)
    else:
        services.leave(table_id=table.public_id, player=person, origin=Ply.MODERATOR)
