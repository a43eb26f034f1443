"""What a worker tells a broker that went away meanwhile."""

import logging
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Queue
from kombu.message import Message

from portal.celery import app
from tests.faults.valkey import Valkey

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


@pytest.fixture
def valkey(tmp_path: Path) -> Iterator[Valkey]:
    running = Valkey(tmp_path)
    yield running
    running.send(signal.SIGCONT)
    running.kill()


@pytest.mark.parametrize("tell", ["ack_log_error", "reject_log_error", "requeue"])
def test_a_broker_that_was_silent_while_it_was_answered_is_asked_again(tell, valkey, caplog):
    heard: list[Message] = []
    queue = Queue("parlour")
    options = {"socket_timeout": 0.3}
    with Connection(valkey.url, transport_options=options) as connection:
        producer = connection.Producer()
        consumer = Consumer(connection, [queue], on_message=heard.append, prefetch_count=2)
        with consumer:
            for number in range(3):
                producer.publish(number, routing_key="parlour", declare=[queue])
            while len(heard) < 2:
                connection.drain_events(timeout=5)
            valkey.send(signal.SIGSTOP)
            for message in heard:
                if tell == "requeue":
                    with pytest.raises(connection.connection_errors):
                        message.requeue()
                else:
                    getattr(message, tell)(logger, connection.connection_errors)
                    assert "Timeout reading" in caplog.text
            valkey.send(signal.SIGCONT)
            connection.drain_events(timeout=5)
            assert heard[2].payload == 2
