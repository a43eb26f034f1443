"""Housekeeping of the portal. Each task may run twice, late or never."""

import logging

from celery import shared_task
from celery.signals import worker_ready
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from portal import blocks, housekeeping
from portal.health import beat_heart

logger = logging.getLogger(__name__)


@shared_task
def heartbeat() -> None:
    """Tell ``/healthz`` that a worker lives. The latest one counts; twice is as good as once."""
    beat_heart(timezone.now())


@worker_ready.connect
def first_heartbeat(**kwargs: object) -> None:
    """A worker that has just started need not wait for the next one to be known."""
    heartbeat.delay()


@shared_task(acks_late=True)
def remove_idle_guests() -> None:
    """Remove guests nobody has seen for long. A second run finds none left."""
    if gone := housekeeping.remove_idle_guests(now=timezone.now(), days=settings.GUEST_DAYS):
        logger.info("idle guests removed: %s", gone)


@shared_task(acks_late=True)
def lift_blocks() -> None:
    """Let those in again whose block is over. A second run finds none left."""
    if lifted := blocks.lift_what_is_over(now=timezone.now()):
        logger.info("blocks lifted: %s", lifted)


@shared_task(acks_late=True)
def remove_old_sessions() -> None:
    """Remove sessions that ran out. A second run finds none left."""
    call_command("clearsessions")
