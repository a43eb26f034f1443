"""The site's processes with one place where they stop for good, so that a test can kill them there.

``HOLD`` names the place, and ``HELD`` a file that is made when it is reached. A web server beside the site's
own is ``python -m tests.faults.held FD``; this module is also a Celery application for workers.
"""

import os
import sys
import time
from pathlib import Path
from typing import Any, NoReturn

import django

django.setup()

from games.services import absence, hints, writing  # noqa: E402
from portal import web  # noqa: E402
from portal.celery import app  # noqa: E402, F401

PLACES: dict[str, tuple[Any, str]] = {
    "before commit": (writing, "hint"),  # the row is written, the transaction still open
    "before hint": (hints._voice, "say"),  # just after the commit
    "thinking": (absence, "choose"),  # of a bot or zombie, no lock is held
    "locked": (writing.RunningTable, "append"),  # the table is locked, nothing is written
}


def hold(*_: Any, **__: Any) -> NoReturn:
    Path(os.environ["HELD"]).touch()
    while True:
        time.sleep(3600)


setattr(*PLACES[os.environ["HOLD"]], hold)

if __name__ == "__main__":
    web.main(sys.argv[1])
