"""The Celery application: worker and beat read their settings from Django's (``CELERY_*``)."""

import os

from celery import Celery
from kombu.transport.redis import Channel

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "portal.settings")

app = Celery("parlour")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()

# A worker whose broker goes away closes its channel, which would ask the broker that is gone to take
# unfinished messages back; kombu 5.7 falls over that and the worker ends. Messages that stay
# unfinished come again by themselves, and every task may run late or never.
Channel.do_restore = False
