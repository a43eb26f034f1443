"""Pictures of tested pages, for people to look at."""

import os
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

WANTED = bool(os.environ.get("SHOTS"))


def shoot(page: Page, path: Path, **how: Any) -> None:
    """A picture of the page, where ``SHOTS`` asks for pictures; to draw them costs time."""
    if WANTED:
        page.screenshot(path=path, **how)
