"""What one at a time may do: change a page, or what has a name of its own."""

import hashlib

from django.db import connection

from wiki.errors import WikiError
from wiki.models import Page


def locked_page(page_id: int) -> Page:
    """The page, locked alone: its current text is read after, as it is then. Inside a caller's transaction.

    Raises WikiError ``page_gone`` where it was deleted since the caller found it.
    """
    page = Page.objects.select_for_update(no_key=True).filter(pk=page_id).first()
    if page is None:
        raise WikiError("page_gone", "Somebody deleted this page just now.", status=404)
    return page


def one_at_a_time(work: str) -> None:
    """Wait until nobody else does ``work``; then nobody does until the caller's transaction ends. SQLite's
    transactions are one at a time anyway."""
    if connection.vendor == "postgresql":
        key = hashlib.sha256(work.encode()).digest()[:8]
        with connection.cursor() as cursor:
            number = int.from_bytes(key, "big", signed=True)
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
