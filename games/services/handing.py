"""Handing over: what a guest has at tables becomes an account's, whose person it is."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet
from django.db.models.expressions import RawSQL

from games.errors import CannotGoOn, SeatLeft
from games.models import ChatMessage, Ply, Seat, SeatNote, Table
from games.services.absence import leave
from games.services.hints import hint
from games.services.reading import lock_table
from games.services.seating import get_up

# Written out: SQLite takes the index of these rows only where it reads this in the query itself.
TAKE_OVER = Q(kind=RawSQL("'take-over'", ()))


@transaction.atomic
def hand_over(*, guest: Any, account: Any) -> list[str]:
    """Give everything that ``guest`` has at tables to ``account``: seats, open tables, notes, what was sent and
    may come again, seats that others took over. Returns the ids of the tables.

    Where the account sits at the same table, the guest leaves it.
    """
    held = Seat.objects.filter(user=guest).values_list("table__public_id", flat=True)
    handed = []
    for table_id in held.order_by("table_id"):
        table = lock_table(table_id)
        _bring_note(table, guest, account)
        if table.seats.filter(user=account).exists():
            _leave_twin(table, guest)
            continue
        name = account.get_username()
        table.seats.filter(user=guest).update(user=account, kept_name=name)
        for sent in (table.plies, table.chat):
            _bring_sent(sent.filter(user=guest), sent.filter(user=account), account)
        hint(table.public_id, table.ply)
        handed.append(table_id)
    Table.objects.filter(host=guest).update(host=account)
    taken = Ply.objects.filter(TAKE_OVER, action__former=guest.pk)  # no table of theirs any more
    taken.update(action={"former": account.pk})
    return handed


def _bring_sent(
    brought: QuerySet[Ply] | QuerySet[ChatMessage],
    own: QuerySet[Ply] | QuerySet[ChatMessage],
    account: Any,
) -> None:
    """An order of the guest that comes again, since nobody heard that it was taken, is known as the account's."""
    known = own.exclude(key=None).values_list("key", flat=True)
    brought.exclude(key=None).exclude(key__in=list(known)).update(user=account)


def _bring_note(table: Table, guest: Any, account: Any) -> None:
    """The guest's note becomes the account's; where there is one already, both texts in one."""
    brought = SeatNote.objects.filter(table=table, user=guest).first()
    own = SeatNote.objects.filter(table=table, user=account).first()
    if brought is None:
        return
    if own is not None:
        brought.text = "\n\n".join(text for text in (own.text, brought.text) if text)
        brought.version += own.version  # pages that show either have an older one
        own.delete()
    brought.user = account
    brought.save()


def _leave_twin(table: Table, guest: Any) -> None:
    """``guest`` leaves ``table``, where the same person sits a second time."""
    if table.status == Table.OPEN:
        get_up(table_id=table.public_id, player=guest)
    elif table.status == Table.PLAYING:
        try:
            leave(table_id=table.public_id, player=guest)
        except (SeatLeft, CannotGoOn):  # the game plays there already, or nobody does
            return
