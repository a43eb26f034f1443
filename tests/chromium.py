"""The Chromium of browser tests. To open a context costs as much as a page of a table, so contexts serve again."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

NAMES = (
    "chromium-headless-shell",  # without what only somebody at a screen needs
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
)
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # of one context
]
PATIENCE = 30_000  # ms, Playwright's own


def find_chromium() -> str | None:
    """The path of a Chromium: ``CHROMIUM``, one on the PATH, or the one Playwright installed."""
    named = [os.environ.get("CHROMIUM", ""), *NAMES]
    if path := next((path for name in named if name and (path := shutil.which(name))), None):
        return path
    installed = Path.home() / ".cache/ms-playwright"
    return next((str(path) for path in sorted(installed.glob("chromium-*/*/chrome"))), None)


class Contexts:
    """The browser contexts of one test after the other. Between two tests a context loses its pages, cookies and
    what the site at ``url`` kept in it; what a second visit finds in the cache stays."""

    def __init__(self, browser: Browser) -> None:
        self.browser = browser
        self.url = ""
        self.idle: dict[str, list[Kept]] = {}
        self.lent: list[Kept] = []

    def new_context(self, **options: Any) -> BrowserContext:
        """As Playwright's, until the end of the test."""
        key = json.dumps(options, sort_keys=True)
        idle = self.idle.setdefault(key, [])
        kept = idle.pop() if idle else Kept(key, self.browser.new_context(**options))
        self.lent.append(kept)
        return kept.context

    def take_back(self) -> None:
        """The test is over."""
        for kept in self.lent:
            if kept.clean(self.url):
                self.idle[kept.key].append(kept)
        self.lent = []


class Kept:
    """A context that has, after its first test, a page of few bytes: while that one is open the process that has
    read the site's scripts does not end, and what the site kept can be cleared from there."""

    def __init__(self, key: str, context: BrowserContext) -> None:
        self.key = key
        self.context = context
        self.stays: Page | None = None

    def clean(self, url: str) -> bool:
        """Whether it is as good as new."""
        from playwright.sync_api import Error

        try:
            pages = self.context.pages
            self.context.unroute_all()
            self.context.set_offline(False)
            self.context.set_default_timeout(PATIENCE)
            if self.stays is None:
                self.stays = self.context.new_page()
                self.stays.goto(f"{url}/healthz")
            for page in pages:
                if page is not self.stays:
                    page.close()
            self.stays.evaluate("localStorage.clear()")
            self.context.clear_cookies()
        except Error:  # the test has closed it, or the site does not answer
            return False
        return True
