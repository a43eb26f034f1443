"""The Celery application: worker and beat read their settings from Django's (``CELERY_*``)."""

import logging
import os
import time
from typing import Any

from celery import Celery, Task
from django.db.utils import InterfaceError, OperationalError
from kombu.transport.redis import Channel, QoS
from redis.exceptions import ConnectionError

logger = logging.getLogger(__name__)

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")


TELL_EVERY = 60.0  # seconds


class PatientTask(Task):
    """A database that is away is no defect: one line a minute, since every task comes again, some each
    second."""

    abstract = True
    throws = (InterfaceError, OperationalError)
    told = float("-inf")  # when that was last logged of this task; monotonic time

    def on_failure(self, exc: Exception, task_id: str, args: Any, kwargs: Any, einfo: Any) -> None:
        if isinstance(exc, self.throws) and time.monotonic() - self.told > TELL_EVERY:
            self.told = time.monotonic()
            logger.warning("task %s%s waits: %s", self.name, args, exc)


app = Celery("parlour", task_cls=PatientTask)
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A worker whose broker goes away closes its channel, which would ask the broker that is gone to take
# unfinished messages back; kombu 5.7 falls over that and the worker ends. Messages that stay
# unfinished come again by themselves, and every task may run late or never.
Channel.do_restore = False


class LastingQoS(QoS):
    """Answers to a broker that went away, or fell silent, while a task ran.

    Where its channel is closed, kombu 5.7 falls over that and the worker ends; as errors of the
    connection they are logged. Where it is silent, kombu 5.7 counts a message whose answer failed as
    unfinished for ever, and after as many as a worker may hold it takes no other; here that worker has
    done with it, and the broker hands it out again some day.
    """

    def ack(self, delivery_tag: str) -> None:
        self._must_be_open()
        try:
            super().ack(delivery_tag)
        finally:
            self._quick_ack(delivery_tag)

    def reject(self, delivery_tag: str, requeue: bool = False) -> None:
        self._must_be_open()
        try:
            super().reject(delivery_tag, requeue)
        finally:
            self._quick_ack(delivery_tag)

    def _must_be_open(self) -> None:
        if self.channel.closed:
            raise ConnectionError("The broker went away before it could be told.")


Channel.QoS = LastingQoS
