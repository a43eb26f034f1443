"""Pages that are about to be changed, each held by one at a time."""

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
