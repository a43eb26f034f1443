"""Browsers for tests of pages."""

import pytest
from django.test import Client


@pytest.fixture
def browser(person):
    """A browser in which somebody is logged in (or nobody)."""

    def open_browser(name=None, **how):
        client = Client(**how)
        if name:
            client.force_login(person(name))
        return client

    return open_browser
