"""What is tidied up in the background."""

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q

from games.models import Seat, Table
from portal.models import User


def remove_idle_guests(*, now: datetime, days: int) -> int:
    """Remove guests not seen for ``days``. One who sits at a table that is not over stays until the cookie
    has run out, by which alone a guest comes back; then the game takes the seat.

    Returns how many went. What they wrote and played stays, under the name they had.
    """
    limit = now - timedelta(days=days)
    for_good = now - timedelta(seconds=settings.SESSION_COOKIE_AGE)
    seated = Seat.objects.filter(
        user__isnull=False, table__status__in=[Table.OPEN, Table.PLAYING]
    ).values("user")
    idle = (
        User.objects.filter(is_guest=True)
        .filter(Q(last_seen__lt=limit) | Q(last_seen=None, date_joined__lt=limit))
        .exclude(Q(pk__in=seated) & Q(last_seen__gte=for_good))
        .exclude(Q(pk__in=seated) & Q(last_seen=None, date_joined__gte=for_good))
    )
    gone = 0
    for guest in idle.iterator():
        guest.delete()
        gone += 1
    return gone
