"""Settings of the tests: a data folder of their own, and less care where care costs time."""

import os
import tempfile
from pathlib import Path

from tests.own_redis import OwnRedis

os.environ["PARLOUR_DATA"] = tempfile.mkdtemp(prefix="parlour-test-")
OWN_REDIS = OwnRedis.for_this_process()

from portal.settings import *  # noqa: E402, F403
from portal.settings import DATA_DIR, DATABASES, SQLITE, STATIC_ROOT, STORAGES  # noqa: E402

Path(STATIC_ROOT).mkdir()
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
GUESTS_PER_HOUR = 0  # all tests come from one address
WIKI_EDITS_PER_MINUTE = WIKI_EDITS_PER_HOUR = (0, 0, 0)  # and write as fast as they can
WIKI_NEW_PAGES_PER_HOUR = WIKI_RENAMES_PER_HOUR = WIKI_UPLOADS_PER_HOUR = (0, 0, 0)
WIKI_GUEST_EDITS_PER_ADDRESS = 0
WIKI_OUTSIDE_LINKS = WIKI_OUTSIDE_HOSTS = (-1, -1)
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
if DATABASES["default"]["ENGINE"] == SQLITE:
    # A file, so that threads see what others do, as on a real site; it need not outlive a crash.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
    DATABASES["default"]["OPTIONS"]["init_command"] = (
        "PRAGMA journal_mode=WAL; PRAGMA synchronous=OFF;"
    )
