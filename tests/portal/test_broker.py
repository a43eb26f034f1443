"""What a worker tells a broker that went away meanwhile."""

import logging

import pytest
from kombu.message import Message

from portal.celery import app

logger = logging.getLogger(__name__)

pytestmark = pytest.mark.stores


def test_answers_to_a_broker_that_went_away_are_logged(caplog):
    with app.connection_for_read() as connection:
        channel = connection.channel()
        for tell in ("ack_log_error", "reject_log_error"):
            message = Message(channel=channel, delivery_tag=tell)
            channel.close()
            getattr(message, tell)(logger, connection.connection_errors)
            assert f"{tell}" in caplog.text
