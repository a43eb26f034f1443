"""The Django project and its people; the only place that composes games and wiki."""

from portal.celery import app as celery_app

__all__ = ["celery_app"]
