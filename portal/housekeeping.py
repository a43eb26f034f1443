"""What is tidied up in the background."""

from datetime import datetime, timedelta

from django.db.models import Q

from games.models import Seat, Table
from portal.models import User


def remove_idle_guests(*, now: datetime, days: int) -> int:
    """Remove guests not seen for ``days``; never one who sits at a table that is not over.

    Returns how many went. What they wrote and played stays, under the name they had.
    """
    limit = now - timedelta(days=days)
    seated = Seat.objects.filter(
        user__isnull=False, table__status__in=[Table.OPEN, Table.PLAYING]
    ).values("user")
    idle = (
        User.objects.filter(is_guest=True)
        .filter(Q(last_seen__lt=limit) | Q(last_seen=None, date_joined__lt=limit))
        .exclude(pk__in=seated)
    )
    gone = 0
    for guest in idle.iterator():
        guest.delete()
        gone += 1
    return gone
