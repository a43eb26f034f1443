"""How often one may ask the API: counted in the cache by minutes, for each person or address."""

import time

from django.conf import settings
from django.core.cache import cache

from wiki.errors import WikiError

WINDOW = 60  # seconds


def take(who: str, *, writes: bool) -> None:
    """Count one request of ``who``. Raises WikiError ``slow_down`` (with ``retry_after``, seconds) where
    there were too many in this minute."""
    most = settings.API_WRITES_PER_MINUTE if writes else settings.API_READS_PER_MINUTE
    if not most:
        return
    now = int(time.time())
    key = f"api.{'w' if writes else 'r'}.{who}.{now // WINDOW}"
    cache.add(key, 0, timeout=2 * WINDOW)
    try:
        count = cache.incr(key)
    except ValueError:  # Redis went away or came back just now
        return
    if count > most:
        wait = WINDOW - now % WINDOW
        raise WikiError(
            "slow_down",
            f"That is more than this site answers in a minute. Try again in {wait} seconds.",
            status=429,
            retry_after=wait,
        )
