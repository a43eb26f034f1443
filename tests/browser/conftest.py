"""Browsers for tests of the table page."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.browser.tables import Person
from tests.chromium import Contexts
from tests.site import Site


@pytest.fixture
def come(chromium: Contexts, site: Site) -> Iterator[Callable[..., Person]]:
    """Makes people; each is asked afterwards whether the page complained."""
    people: list[Person] = []

    def make(**context: Any) -> Person:
        people.append(Person(chromium, site, **context))
        return people[-1]

    yield make
    for person in people:
        person.close()
