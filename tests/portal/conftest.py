import pytest
from django.core.cache import cache

from portal.models import User
from tests.games.conftest import nudged, person, play, tiny  # noqa: F401 - fixtures


@pytest.fixture
def ada(db) -> User:
    return User.objects.create_user("Ada", "ada@example.org", "a long pass phrase")


@pytest.fixture
def bob(db) -> User:
    return User.objects.create_user("Bob", password="another pass phrase")


@pytest.fixture
def empty_cache():
    cache.clear()
    yield
    cache.clear()
