"""What the worker does for the wiki. Tasks run at least once and hold ids only."""

import logging
import time

from celery import shared_task
from django.utils import timezone

from wiki.services import digest, drafts, media, notices

logger = logging.getLogger(__name__)


@shared_task(acks_late=True)
def send_digests() -> int:
    """Mail to everybody whose daily mail is due; each hour. Safe to run twice or late: each list is
    looked at again under its lock. Returns how many mails leave."""
    waiting = list(digest.due(timezone.now()).values_list("pk", flat=True))
    sent = 0
    for list_id in waiting:
        try:
            sent += digest.send_digest(list_id)
        except Exception:  # the others wait for theirs
            logger.exception("watch list not mailed: list=%s", list_id)
    if sent:
        logger.info("watch lists mailed: %s", sent)
    return sent


@shared_task(acks_late=True)
def clean_up() -> int:
    """Remove what killed and refused uploads left in the media folder, notices that were read long ago
    and drafts that nobody went on with; each hour. A second run finds none left. Returns how much went."""
    now = timezone.now()
    gone = {
        "left over files": media.clean_up(time.time()),
        "old notices": notices.prune(now),
        "old drafts": drafts.prune(now),
    }
    for what, count in gone.items():
        if count:
            logger.info("%s removed: %s", what, count)
    return sum(gone.values())
